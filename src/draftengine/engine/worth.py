"""What a card is worth beyond the points that it gives at once, and the policy that follows.

A table says it for every play, by the counter that the play adds to and by the turn of the round: a third of a set of
three is worth nothing more, a first early in the round much. Tables are learnt in self-play (`draftengine.bots`); here
is what they mean. Everything is counted in whole parts of a point, so every engine chooses the same moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.moves import legal_moves
from draftengine.engine.preview import Glance, standing, words_after

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.chance import Stream
    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.policies import Policy
    from draftengine.engine.program import Program
    from draftengine.engine.state import State

SCALE = 1024
"""Parts of a point."""
LEVELS, TURNS = 8, 24
"""So many values of a counter, and turns, are told apart; larger ones count as the last."""
EXPLORE = 10
"""In playouts, one move of so many is any legal move."""


class Worth(Struct, frozen=True):
    """A table of worths, in parts of a point."""

    program: Program
    counters: tuple[tuple[int, int, int], ...]
    """For each play: shift, mask and bias of the counter that tells its rows apart."""
    values: tuple[int, ...]
    """By play, value of the counter, and turn; first of plays that are laid down, then of cards put aside."""

    def place(self, play: int, word: int, turn: int, *, aside: bool) -> int:
        """Where the worth of a play stands, for a seat with this packed word."""
        shift, mask, bias = self.counters[play]
        level = min(max((word >> shift & mask) - bias, 0), LEVELS - 1)
        row = play + aside * len(self.counters)
        return (row * LEVELS + level) * TURNS + min(turn, TURNS - 1)


def no_worth(program: Program) -> Worth:
    """A table that knows nothing yet."""
    return Worth(program, counters_of(program), (0,) * size_of(program))


def size_of(program: Program) -> int:
    """How many entries a table has."""
    return 2 * len(program.plays) * LEVELS * TURNS


def counters_of(program: Program) -> tuple[tuple[int, int, int], ...]:
    """The first counter that each play adds to."""
    found = []
    for play in program.plays:
        after = program.start_word + play.increment
        changed = [own for own in program.fields if own.read(after) != own.start]
        found.append((changed[0].shift, changed[0].mask, changed[0].bias) if changed else (0, 0, 0))
    return tuple(found)


def direction(program: Program) -> int:
    """1 where most points win, -1 where the fewest do."""
    return 1 if program.model.winner.order == "most" else -1


def shown_play(glance: Glance, choice: Choice, item: int) -> int:
    """The play that an item of a choice looks like; -1 for a card that lies face down."""
    return glance.faces[choice.source][item] if choice.layout else glance.program.options[item].plays[0][1]


def worth_of(glance: Glance, choice: Choice, seat: int, move: Move, worth: Worth) -> int:
    """What the cards that a seat takes for itself are worth, less the cards of abilities that it gives up for them."""
    program, word = glance.program, glance.words[seat]
    aside, found, taken = choice.target != choice.tableau, 0, 0
    for code in move:
        channel, item = divmod(code, program.width)
        if channel >= choice.first_other:
            continue
        play = shown_play(glance, choice, item)
        if play >= 0:
            found += worth.values[worth.place(play, word, glance.turn, aside=aside)]
        if channel:
            use = program.abilities[channel - 1]
            if taken % use.model.take == 0 and use.model.returns_to != "stays":
                found -= worth.values[worth.place(use.play, word, glance.turn, aside=False)]
            taken += 1
    return found


def values_of(glance: Glance, choice: Choice, seat: int, moves: Sequence[Move], worth: Worth) -> list[int]:
    """Every move's value: the provisional score of the seat after it, and what its cards are worth beyond."""
    points = direction(glance.program) * SCALE
    return [
        points * standing(glance.with_words(words_after(glance, choice, seat, move)), seat)
        + worth_of(glance, choice, seat, move, worth)
        for move in moves
    ]


def by_table(worth: Worth, *, explore: int = 0) -> Policy:
    """The policy of largest value, equal ones by chance; with `explore`, one move of so many is any legal move."""

    def policy(state: State, choice: Choice, seat: int, stream: Stream) -> Move:
        moves = legal_moves(state, seat)
        if explore and not stream.below(explore):
            return moves[stream.below(len(moves))]
        values = values_of(Glance.of_state(state), choice, seat, moves, worth)
        best = max(values)
        found = [move for move, value in zip(moves, values, strict=True) if value == best]
        return found[stream.below(len(found))]

    return policy
