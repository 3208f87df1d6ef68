"""Instructions that decide what comes next, and the markers that say whose turn it is.

What they do stands in `draftengine.engine.kernel.turns` and `draftengine.engine.kernel.scoring`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from draftengine.engine.kernel import scoring
from draftengine.engine.plain import record_of

if TYPE_CHECKING:
    from draftengine.engine.program import CounterField, Value
    from draftengine.engine.state import GameState


class StartGame(Struct, frozen=True):
    """Chip piles and markers at their start."""

    following: int


class StartRound(Struct, frozen=True):
    following: int


class EndRound(Struct, frozen=True):
    """Back to the start of the round, until all rounds are played."""

    otherwise: int
    following: int


class StartTurns(Struct, frozen=True):
    depth: int
    """How many repetitions are around this one."""
    following: int


class NextTurn(Struct, frozen=True):
    """One more turn, unless the zone is empty, the number is reached or the condition holds."""

    zone: int
    """Until this zone is empty; -1 = something else decides."""
    layout: int
    """Until this zone, which has places, is empty; -1 = something else decides."""
    times: Value | None
    until: Value | None
    at_most: Value | None
    """No more turns than that, whatever else decides."""
    depth: int
    """How many repetitions are around this one."""
    following: int
    otherwise: int


class AssignTurnOrder(Struct, frozen=True):
    """Players get numbers for something that they do one after the other: the one with the highest begins."""

    who: Value
    """The players for whom it is."""
    by: Value | None
    """What decides the order: the smallest value first; equal ones from the holder of `marker` to the left."""
    marker: int
    """-1 = from the first seat; so also if no player holds it."""
    field: CounterField
    """Where the numbers stand; 0 for all others."""
    following: int


class Jump(Struct, frozen=True):
    following: int


class End(Struct, frozen=True):
    """The round, or the game, ends early, whatever turns are still to come."""

    following: int
    stops: Literal["", "turns", "cards"] = ""
    """The reason if the game cannot go on: turns without an end, or missing cards."""


class SkipUnless(Struct, frozen=True):
    """Skip a step whose `when` does not hold."""

    when: Value
    following: int
    otherwise: int


class Give(Struct, frozen=True):
    """A marker goes to a neighbour, to nobody, to who has most or fewest, or to the next for whom something holds."""

    marker: int
    to: str
    measure: Value | None
    tie: str
    source: tuple[str, ...]
    following: int


class Score(Struct, frozen=True):
    """Score every rule of a label, then the triggers that wait for it."""

    label: str
    rules: tuple[int, ...]
    following: int


class EndGame(Struct, frozen=True):
    """The game ends: totals are compared, then the tie-breakers; who is still tied shares the win."""

    most: bool
    wins: Value | None
    """A condition: the seats for which it holds have won, and are compared if there are several."""
    following: int


def total(state: GameState, seat: int) -> int:
    """A seat's points with the values of its chips."""
    return scoring.total(record_of(state), state.program.plain, seat)


def winners(state: GameState, end: EndGame) -> tuple[int, ...]:
    """The seats that win if the game ends now."""
    plan = state.program.plain
    return plan.seats_in(scoring.winners(record_of(state), plan, end))
