"""Instructions that move cards without anybody choosing.

`engine/kernel/moving.py` and `engine/kernel/clearing.py` carry them out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from draftengine.engine.program import Value


class Shuffle(Struct, frozen=True):
    zone: int
    following: int


class Deal(Struct, frozen=True):
    """Cards from the top of a zone to each owner of another: from a shared zone, or from the owner's own.

    `exact` deals never run short (checked at load).
    """

    source: int
    target: int
    cards: Value
    marker: int
    """Only to the holder of this marker; -1 = to everyone."""
    exact: bool
    following: int
    who: Value | None = None
    """Only to players for which this holds; ``None`` = to everyone, or the holder."""
    admits: tuple[int, ...] = ()
    """By card, whether it is among those that are dealt; empty if all are."""
    by_seat: bool = False
    """Is the number asked about each of those who are dealt cards, all before the first gets one."""


class Pass(Struct, frozen=True):
    """Every player gives a zone to a neighbour at once; the direction goes by round."""

    zone: int
    steps: tuple[int, ...]
    """1 = to the left, -1 = to the right, by round, repeated."""
    following: int

    def direction(self, number: int) -> int:
        """Where cards go in a round: 1 = to the left, -1 = to the right."""
        return self.steps[(number - 1) % len(self.steps)]


class MoveAll(Struct, frozen=True):
    """All cards of a zone go to another zone of the same owner, or to a shared one."""

    source: int
    target: int
    following: int
    who: Value | None = None
    """Only cards of players for which this holds; ``None`` = of every owner."""


class Clear(Struct, frozen=True):
    """Discard what lies in a zone that counts, except cards that are kept; their counters go with them."""

    zone: int
    discard: int
    following: int


class Gather(Struct, frozen=True):
    """Bring every card of the box back into one zone; tableaus and their counters are emptied but for what is kept."""

    target: int
    counting: tuple[int, ...]
    """The zones whose cards count."""
    following: int
