"""What a card is worth beyond the points that it gives at once, and the policy that follows.

A table says it for every play, by the counter that the play adds to and by the turn of the round: a third of a set of
three is worth nothing more, a first early in the round much. Tables are learnt in self-play (`draftengine.bots`); here
is what they mean. Everything is counted in whole parts of a point, so every engine chooses the same moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.moves import legal_moves
from draftengine.engine.preview import Glance, rises
from draftengine.engine.shortlist import any_of, shortlist

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
LEVELS, TURNS, ROUNDS_LEFT = 8, 24, 3
"""So many values of a counter, turns, and rounds to come, are told apart; larger ones count as the last."""
LOGISTIC_SIZE = 1024
"""Searches know the chance to win for so many margins, in points, half of them below zero."""
EXPLORE = 10
"""In playouts, one move of so many is any legal move."""
STRANGERS = 3
"""While a table is learnt, one seat of so many plays greedily."""


class Worth(Struct, frozen=True):
    """A table of worths, in parts of a point."""

    program: Program
    counters: tuple[tuple[int, int, int], ...]
    """For each play: shift, mask and bias of the counter that tells its rows apart."""
    values: tuple[int, ...]
    """By rounds to come, play, value of the counter, and turn; of a round, first for plays that are laid down, then for
    cards put aside."""

    def place(self, now: tuple[int, int], play: int, word: int, *, aside: bool) -> int:
        """Where the worth of a play stands, `now` (round, turn), for a seat with this packed word."""
        shift, mask, bias = self.counters[play]
        level = min(max((word >> shift & mask) - bias, 0), LEVELS - 1)
        left = min(self.program.model.rounds - now[0], ROUNDS_LEFT - 1)
        row = play + (2 * left + aside) * len(self.counters)
        return (row * LEVELS + level) * TURNS + min(now[1], TURNS - 1)


def no_worth(program: Program) -> Worth:
    """A table that knows nothing yet."""
    return Worth(program, counters_of(program), (0,) * size_of(program))


def size_of(program: Program) -> int:
    """How many entries a table has."""
    return ROUNDS_LEFT * 2 * len(program.plays) * LEVELS * TURNS


def counters_of(program: Program) -> tuple[tuple[int, int, int], ...]:
    """The first counter that each play adds to."""
    found = []
    for play in program.plays:
        after = program.start_word + play.increment
        changed = [own for own in program.fields if own.read(after) != own.start]
        found.append((changed[0].shift, changed[0].mask, changed[0].bias) if changed else (0, 0, 0))
    return tuple(found)


def shown_play(glance: Glance, choice: Choice, item: int) -> int:
    """The play that an item of a choice is taken for; -1 for a card that lies face down."""
    if choice.layout:
        return glance.faces[choice.source][item]
    option = choice.option_of(item)
    return glance.program.options[option].shown if option >= 0 else -1


def worth_of(glance: Glance, choice: Choice, seat: int, move: Move, worth: Worth) -> int:
    """What the cards that a seat takes for itself are worth, less the cards of abilities that it gives up for them."""
    program, word, now = glance.program, glance.words[seat], (glance.round, glance.turn)
    aside, found, taken = not choice.plays, 0, 0
    if choice.ways:
        aside = not choice.taken_by(move)[0].laying.plays
    for code in move:
        channel, item = divmod(code, program.width)
        if channel >= choice.first_other:
            continue
        play = shown_play(glance, choice, item)
        if play >= 0:
            found += worth.values[worth.place(now, play, word, aside=aside)]
        if channel:
            use = program.abilities[channel - 1]
            if taken % use.model.take == 0 and use.model.returns_to != "stays":
                found -= worth.values[worth.place(now, use.play, word, aside=False)]
            taken += 1
    return found


def values_of(glance: Glance, choice: Choice, seat: int, moves: Sequence[Move], worth: Worth) -> list[int]:
    """Every move's value: the rise of the seat's provisional score, and what its cards are worth beyond."""
    points = glance.program.direction * SCALE
    return [
        points * gain + worth_of(glance, choice, seat, move, worth)
        for move, gain in zip(moves, rises(glance, choice, seat, moves), strict=True)
    ]


def by_table(worth: Worth, *, explore: int = 0) -> Policy:
    """The policy of largest value, equal ones by chance; with `explore`, one move of so many is any legal move."""

    def policy(state: State, choice: Choice, seat: int, stream: Stream) -> Move:
        legal = legal_moves(state, seat)
        if explore and not stream.below(explore):
            return any_of(legal, stream)
        glance = Glance.of_state(state)
        moves = shortlist(legal, lambda some: values_of(glance, choice, seat, some, worth))
        values = values_of(glance, choice, seat, moves, worth)
        best = max(values)
        found = [move for move, value in zip(moves, values, strict=True) if value == best]
        return found[stream.below(len(found))]

    return policy
