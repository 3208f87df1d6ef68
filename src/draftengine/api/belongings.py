"""What belongs to a seat, or to the whole table, beside cards and points: markers, counters, dice, chips.

What is shown of them, and what is left out because it says nothing, is decided here for every front end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.api.view import View

TABLE = -1
"""In the place of a seat: what there is once for all."""


class SeatItem(Struct, frozen=True):
    """Something beside cards and points that lies before a seat, or in the middle of the table."""

    kind: Literal["marker", "counter", "die", "chip"]
    thing: str
    """The id of the marker, counter or pile of chips."""
    value: int | None = None
    """What a counter or die says, what a chip is worth; ``None`` for a marker, and for a chip that is not known."""
    on_cards: bool = False
    """Is it a counter to which cards add, so that whoever looks at the cards sees it already."""


def of_seat(view: View, seat: int) -> Iterator[SeatItem]:
    """What belongs to a seat. Left out is a counter that was never anything but 0, and one that only notes a bid."""
    for marker, holder in view.markers.items():
        if holder == seat and marker not in view.game.turn_markers:
            yield SeatItem("marker", marker)
    yield from _counters(view, seat, "seat")
    for pile, value in view.chips[seat] if seat < len(view.chips) else ():
        yield SeatItem("chip", pile, value)


def of_table(view: View) -> Iterator[SeatItem]:
    """What there is once for all: the counters of the table."""
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
