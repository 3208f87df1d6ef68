"""Instructions that move cards without a choice.

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
    """Deal of cards from the top of a zone to each owner of another.

    The source is shared, or the owner's own. `exact` deals never run short (checked at load).
    """

    source: int
    target: int
    cards: Value
    marker: int
    """The marker to whose holder alone cards are dealt; -1 = to everyone."""
    exact: bool
    following: int
    who: Value | None = None
    """The condition for a player to get cards; ``None`` = everyone, or the holder."""
    admits: tuple[int, ...] = ()
    """By card, 1 if it is among those dealt; empty if all are."""
    by_seat: bool = False
    """True if `cards` is evaluated for each recipient, all before the first gets a card."""


class Pass(Struct, frozen=True):
    """Pass of every player's zone to a neighbour, simultaneously; the direction depends on the round."""

    zone: int
    steps: tuple[int, ...]
    """By round, repeated: 1 = to the left, -1 = to the right."""
    following: int

    def direction(self, number: int) -> int:
        """Return where cards go in a round: 1 = to the left, -1 = to the right."""
        return self.steps[(number - 1) % len(self.steps)]


class MoveAll(Struct, frozen=True):
    """Move of all cards of a zone to another zone of its owner, or to a shared one."""

    source: int
    target: int
    following: int
    who: Value | None = None
    """The condition for a player's cards to move; ``None`` = those of every owner."""


class Clear(Struct, frozen=True):
    """Discarding of a zone that counts, except cards that are kept; their counters go with them."""

    zone: int
    discard: int
    following: int


class Gather(Struct, frozen=True):
    """Gathering of the whole box in one zone; tableaus and counters are emptied except what is kept."""

    target: int
    counting: tuple[int, ...]
    """The zones whose cards count."""
    following: int
