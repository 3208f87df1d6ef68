"""Instructions that control the flow, and those that move markers and score.

`draftengine.engine.kernel.turns` and `draftengine.engine.kernel.scoring` carry them out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from draftengine.engine.program import CounterField, Value


class StartGame(Struct, frozen=True):
    """Start of a game: chip piles and markers are set up."""

    following: int


class StartRound(Struct, frozen=True):
    following: int


class EndRound(Struct, frozen=True):
    """End of a round: back to its start, until all rounds are played."""

    otherwise: int
    following: int


class StartTurns(Struct, frozen=True):
    depth: int
    """The number of repeats around this one."""
    following: int


class NextTurn(Struct, frozen=True):
    """Start of one more turn, unless the zone is empty, the number is reached or the condition holds."""

    zone: int
    """The zone that ends the turns when it is empty; -1 = none."""
    layout: int
    """The layout that ends the turns when it is empty; -1 = none."""
    times: Value | None
    until: Value | None
    at_most: Value | None
    """The largest number of turns, regardless of what else ends them."""
    depth: int
    """The depth of the repeat: the number of repeats around it."""
    following: int
    otherwise: int


class AssignTurnOrder(Struct, frozen=True):
    """Numbers for players that do something one after the other; the highest number begins."""

    who: Value
    """The condition for a player to get a number."""
    by: Value | None
    """The value that decides the order, smallest first; ties go from the holder of `marker` to the left."""
    marker: int
    """The marker whose holder comes first among ties; -1, or no holder: the first seat does."""
    field: CounterField
    """The counter that holds the numbers; 0 for all others."""
    following: int


class Jump(Struct, frozen=True):
    following: int


class End(Struct, frozen=True):
    """Early end of the round or the game, regardless of the turns left."""

    following: int
    stops: Literal["", "turns", "cards"] = ""
    """The reason if the game cannot go on: endless turns, or missing cards."""


class SkipUnless(Struct, frozen=True):
    """Skipping of a step whose `when` does not hold."""

    when: Value
    following: int
    otherwise: int


class Give(Struct, frozen=True):
    """Transfer of a marker: to a neighbour, nobody, the most or fewest, or the next seat with a condition."""

    marker: int
    to: str
    measure: Value | None
    tie: str
    source: tuple[str, ...]
    following: int


class Score(Struct, frozen=True):
    """Scoring of all rules of a label, then the triggers that wait for it."""

    label: str
    rules: tuple[int, ...]
    following: int


class EndGame(Struct, frozen=True):
    """End of the game: totals are compared, then tie-breakers; seats still tied share the win."""

    most: bool
    wins: Value | None
    """The condition for a seat to win; if several meet it, they are compared."""
    following: int
