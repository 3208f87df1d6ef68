"""Worth tables: what a card is worth beyond its points at once, and the policy that uses them.

A table has a value for each play, by the counter that the play adds to and by the turn of the round. The third of a set
of three has no further worth; a first card early in the round has much.

Tables are learnt in self-play (`draftengine.bots`). Values are whole parts of a point, so all engines choose equal
moves.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from draftengine.engine.kernel.worth_tables import SCALE, start_of, worth_of_move
from draftengine.engine.moves import legal_moves
from draftengine.engine.plain import number_of, plan_of, record_of
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
"""The number of margins, in points, with a known chance to win; half of them are below zero."""
EXPLORE = 10
"""The number of playout moves among which one, on average, is drawn from all legal moves."""
STRANGERS = 3
"""The number of seats among which one, on average, plays greedily while a table is learnt."""


class Worth(Struct, frozen=True, dict=True):
    """Worth table, in parts of a point."""

    program: Program
    counters: tuple[tuple[int, int, int], ...]
    """By play, shift, mask and bias of the counter whose value selects the row."""
    values: tuple[int, ...]
    """Values by rounds to come, laid down or put aside, play, counter value and turn."""

    @cached_property
    def worth(self) -> list[int]:
        """`values` in the order of use: by rounds to come, aside and turn, then by play and level."""
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
    """Return a table of zeros."""
    return Worth(program, distinguishing_counters(program), (0,) * size_of(program))


def size_of(program: Program) -> int:
    """Compute the number of entries of a table."""
    return ROUNDS_LEFT * 2 * len(program.plays) * LEVELS * TURNS


def values_of(public: PublicState, choice: Choice, seat: int, moves: Sequence[Move], worth: Worth) -> list[int]:
    """Compute the value of each move: the rise of the provisional score plus the worth of its cards."""
    state, plan = record_of(cast("GameState", public)), plan_of(public.program)
    points, first, table = public.program.direction * SCALE, start_of(state, plan, choice), cast("MoveScratch", worth)
    return [
        points * gain + worth_of_move(state, table, plan, choice, seat, first, number_of(move))
        for move, gain in zip(moves, rises(public, choice, seat, moves), strict=True)
    ]


def by_table(worth: Worth, *, explore: int = 0) -> Policy:
    """Return the policy that plays a move of largest value; ties are broken at random.

    With `explore`, one move in that many is drawn from all legal moves.
    """

    def policy(state: GameState, choice: Choice, seat: int, stream: Stream) -> Move:
        legal = legal_moves(state, seat)
        if explore and not stream.below(explore):
            return any_of(legal, stream)
        public = PublicState.of_state(state)
        return best_of(legal, lambda some: values_of(public, choice, seat, some, worth), stream).move

    return policy
