"""A plain search, as a second kind of opponent: it shares no code with the bots that search.

It deals worlds that its seat cannot tell from the real one, and tries every move in each of them. Then it plays on at
random to the end of the game (flat Monte Carlo), and makes the move of the largest mean margin. It knows nothing of
what cards are worth, has no tree and compiles nothing.
"""

from draftengine.bots import Decision, ScoredMove
from draftengine.engine.game import total
from draftengine.engine.policies import any_of, play_by, random_move
from draftengine.engine.redeal import HiddenCards

MOST_MOVES = 20
"""Moves that are tried; if there are more, a random sample of them."""


class PlainSearch:
    """Flat Monte Carlo with random playouts."""

    def __init__(self, playouts=60):
        self.playouts = playouts

    def decide(self, seen, stream, budget):  # noqa: ARG002 (it has its own budget)
        if seen.moves.total == 1:
            return Decision(seen.moves[0])
        few = seen.moves.total <= MOST_MOVES
        moves = [*seen.moves] if few else [any_of(seen.moves, stream) for _ in range(MOST_MOVES)]
        hidden, worlds = HiddenCards.of(seen), -(-self.playouts // len(moves))
        margins = dict.fromkeys(moves, 0)
        for _ in range(worlds):
            world = hidden.world(stream)
            for move in margins:
                margins[move] += margin(played(world.clone(), seen.seat, move, stream), seen.seat)
        considered = [ScoredMove(move, points / worlds) for move, points in margins.items()]
        considered.sort(key=lambda each: -each.value)
        return Decision(considered[0].move, tuple(considered), "margin", worlds * len(margins))


def played(world, seat, move, stream):
    """Play a world to its end: a seat makes a move first, all else is random."""
    first = [move]

    def choose(state, choice, at, stream):
        return first.pop() if first and at == seat else random_move(state, choice, at, stream)

    return play_by(world, [choose] * world.program.players, stream)


def margin(state, seat):
    """Return the points of a seat less those of the best other one."""
    points = [state.program.direction * total(state, each) for each in range(state.program.players)]
    return points[seat] - max(points[:seat] + points[seat + 1 :])
