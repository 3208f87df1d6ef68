"""Lessons for a network: positions of games, and the search's opinion of each move there.

All seats are played by the search, which looks ahead without a network. Most of its moves are its best ones. Some are
drawn in proportion to how often it tried them, and a few at random, so that positions after mistakes also occur. Some
seats are weak: they play most of their turns by the worth table, and nothing is recorded in those turns.

A position is recorded twice: as the seat knows it, and as if the seat saw all hands. So the same network can be used by
a seat that plays alone, and in the worlds of a search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from draftengine.bots.net.network import Inputs
from draftengine.bots.protocol import Budget
from draftengine.bots.search.bot import SearchBot
from draftengine.bots.simple import TableBot
from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.observe import observe
from draftengine.engine.policies import play_by
from draftengine.engine.state import initial_state

if TYPE_CHECKING:
    from draftengine.bots.protocol import Decision
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move, Moves
    from draftengine.engine.observe import Observation
    from draftengine.engine.policies import Policy
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState

ITERATIONS, ITERATIONS_OF_MANY = 400, 300
"""The teacher's number of playouts for a decision, with two seats and with more."""
_WEAK, _BY_TABLE = 15, 60
"""The percentage of weak seats, and the percentage of their turns that they play by the table."""
_BY_TRIES, _RANDOM = 15, 5
"""The percentages of the teacher's moves that are drawn by tries, and at random."""
_OTHERS = 40
"""The number of moves that a lesson includes although the teacher has not tried them, if not all fit."""


class Lesson(NamedTuple):
    """One decision of the teacher."""

    game: int
    known: list[float]
    """The inputs as the seat knows the position."""
    world: list[float]
    """The inputs as if the seat saw all hands."""
    moves: list[Move]
    tries: list[float]
    """The share of the teacher's playouts that each move got."""
    margin: float
    """The lead over the best other seat that the teacher expects, in points."""


class Teacher:
    """The search that teaches a game, and the other policies that seats follow."""

    def __init__(self, program: Program, seed: int | str = "lessons") -> None:
        self.program = program
        self.inputs = Inputs(program)
        self._root = root_of(seed)
        self._search = SearchBot(prior="table")
        self._table = TableBot()
        self._budget = Budget(iterations=ITERATIONS if program.players == 2 else ITERATIONS_OF_MANY)  # noqa: PLR2004
        self._search.prepare(program, lambda *_: None)

    def lessons(self, game: int) -> list[Lesson]:
        """Play a game and return its lessons."""
        taught: list[Lesson] = []
        policies = [self._policy(game, seat, taught) for seat in range(self.program.players)]
        play_by(initial_state(self.program, self._root, game, memory=True), policies, Stream(0))
        return taught

    def _policy(self, game: int, seat: int, taught: list[Lesson]) -> Policy:
        stream = Stream(key_of(self._root, game, "bot", seat))
        weak = stream.below(100) < _WEAK

        def choose(state: GameState, _choice: Choice, seat: int, _stream: Stream) -> Move:
            seen = observe(state, seat)
            if seen.moves.total == 1:
                return seen.moves[0]
            if weak and stream.below(100) < _BY_TABLE:
                return self._table.decide(seen, stream, self._budget).move
            decision = self._search.decide(seen, stream, self._budget)
            if decision.considered:
                taught.append(self._lesson(game, seen, state, decision, stream))
            return _tried(decision, seen.moves, stream)

        return choose

    def _lesson(self, game: int, seen: Observation, state: GameState, decision: Decision, stream: Stream) -> Lesson:
        tries = {each.move: each.weight for each in decision.considered}
        if seen.moves.few:
            moves = list(seen.moves)
        else:
            drawn = {seen.moves[stream.below(seen.moves.total)] for _ in range(_OTHERS)}
            moves = [*tries, *sorted(drawn - tries.keys())]
        margin = sum(each.value * each.weight for each in decision.considered) / sum(tries.values())
        known, world = self.inputs.known(seen), self.inputs.world(seen, state)
        return Lesson(game, known, world, moves, [tries.get(move, 0.0) for move in moves], margin)


def _tried(decision: Decision, moves: Moves, stream: Stream) -> Move:
    """Return the teacher's move or, now and then, another."""
    draw = stream.below(100)
    if draw < _RANDOM:
        return moves[stream.below(moves.total)]
    if draw < _RANDOM + _BY_TRIES:
        left = stream.below(1 << 32) / (1 << 32)
        for each in decision.considered:
            left -= each.weight
            if left <= 0:
                return each.move
    return decision.move
