"""What a card is worth beyond the points that it gives at once, and the policy that follows.

A table says it for every play, by the counter that the play adds to and by the turn of the round: a third of a set of
three is worth nothing more, a first early in the round much. Tables are learnt in self-play (`draftengine.bots`); here
is what they mean. Everything is counted in whole parts of a point, so every engine chooses the same moves.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from draftengine.engine.kernel.worth_tables import SCALE, start_of, worth_of_move
from draftengine.engine.moves import legal_moves
from draftengine.engine.plain import number_of, record_of
from draftengine.engine.plan.base_items import LEVELS, ROUNDS_LEFT, TURNS, distinguishing_counters
from draftengine.engine.plan.shortlist import any_of, best_of
from draftengine.engine.public_state import PublicState, rises

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.chance import Stream
    from draftengine.engine.choose import Choice
    from draftengine.engine.kernel.options import MoveScratch
    from draftengine.engine.moves import Move
    from draftengine.engine.policies import Policy
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState

LOGISTIC_SIZE = 1024
"""Searches know the chance to win for so many margins, in points, half of them below zero."""
EXPLORE = 10
"""In playouts, one move of so many is any legal move."""
STRANGERS = 3
"""While a table is learnt, one seat of so many plays greedily."""


class Worth(Struct, frozen=True, dict=True):
    """A table of worths, in parts of a point."""

    program: Program
    counters: tuple[tuple[int, int, int], ...]
    """For each play: shift, mask and bias of the counter that tells its rows apart."""
    values: tuple[int, ...]
    """By rounds to come, play, value of the counter, and turn; of a round, first for plays that are laid down, then for
    cards put aside."""

    @cached_property
    def worth(self) -> list[int]:
        """`values` with what a decision fixes first: by rounds to come, aside, turn; then by play and level."""
        plays, values = len(self.counters), self.values
        return [
            values[((2 * left + aside) * plays + play) * LEVELS * TURNS + level * TURNS + turn]
            for left in range(ROUNDS_LEFT)
            for aside in range(2)
            for turn in range(TURNS)
            for play in range(plays)
            for level in range(LEVELS)
        ]


def no_worth(program: Program) -> Worth:
    """A table that knows nothing yet."""
    return Worth(program, distinguishing_counters(program), (0,) * size_of(program))


def size_of(program: Program) -> int:
    """How many entries a table has."""
    return ROUNDS_LEFT * 2 * len(program.plays) * LEVELS * TURNS


def values_of(public: PublicState, choice: Choice, seat: int, moves: Sequence[Move], worth: Worth) -> list[int]:
    """Every move's value: the rise of the seat's provisional score, and what its cards are worth beyond."""
    state, plan = record_of(cast("GameState", public)), public.program.plain
    points, first, table = public.program.direction * SCALE, start_of(state, plan, choice), cast("MoveScratch", worth)
    return [
        points * gain + worth_of_move(state, table, plan, choice, seat, first, number_of(move))
        for move, gain in zip(moves, rises(public, choice, seat, moves), strict=True)
    ]


def by_table(worth: Worth, *, explore: int = 0) -> Policy:
    """The policy of largest value, equal ones by chance; with `explore`, one move of so many is any legal move."""

    def policy(state: GameState, choice: Choice, seat: int, stream: Stream) -> Move:
        legal = legal_moves(state, seat)
        if explore and not stream.below(explore):
            return any_of(legal, stream)
        public = PublicState.of_state(state)
        return best_of(legal, lambda some: values_of(public, choice, seat, some, worth), stream).move

    return policy
