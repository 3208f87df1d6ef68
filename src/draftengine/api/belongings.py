"""Belongings of a seat or of the table beside cards and points: markers, counters, dice, chips.

Here it is decided for every front end which of them are shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.api.view import View

TABLE = -1
"""The table in place of a seat, for shared counters."""


class SeatItem(Struct, frozen=True):
    """A marker, counter, die or chip before a seat or in the middle of the table."""

    kind: Literal["marker", "counter", "die", "chip"]
    thing: str
    """The id of the marker, counter or pile of chips."""
    value: int | None = None
    """The value of a counter, die or chip; ``None`` for a marker and for an unknown chip."""
    on_cards: bool = False
    """True for a counter that cards add to, so that the cards show it already."""


def of_seat(view: View, seat: int) -> Iterator[SeatItem]:
    """Yield the belongings of a seat.

    Leaves out turn markers, counters that only note a bid, and zero counters that start at zero.
    """
    for marker, holder in view.markers.items():
        if holder == seat and marker not in view.game.turn_markers:
            yield SeatItem("marker", marker)
    yield from _counters(view, seat, "seat")
    for pile, value in view.chips[seat] if seat < len(view.chips) else ():
        yield SeatItem("chip", pile, value)


def of_table(view: View) -> Iterator[SeatItem]:
    """Yield the shared counters of the table."""
    yield from _counters(view, 0, "table")


def _counters(view: View, seat: int, per: str) -> Iterator[SeatItem]:
    model = view.game.model
    on_cards = {name for card in model.cards for name, _ in card.adds}
    counters = view.counters(seat)
    for counter in model.counters:
        value = counters.get(counter.id)
        if value is not None and counter.per == per and (value or counter.start) and counter.id not in view.game.bids:
            adding = counter.id in on_cards and not counter.keep
            yield SeatItem("counter" if counter.die is None else "die", counter.id, value, on_cards=adding)
