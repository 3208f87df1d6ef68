"""Cards that go from one seat to another, as one event for each transfer.

In the engine, such cards go through hidden shared zones (`draftengine.model.verbs.seats`). Players read instead that a
seat took cards from another one, or gave some to it. The event for that has the kind ``taken`` or ``given``, and its
`other` is the other seat.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.language.macros import HANDED_OVER, LAID_OUT, SHOWN
from draftengine.model.verbs.verb import ON_THE_WAY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.engine.events import Event

_OF_CARDS = frozenset({"placed", "revealed", "moved", "dealt"})
_BETWEEN = frozenset({SHOWN, HANDED_OVER})
HIDDEN = _BETWEEN | {ON_THE_WAY}
"""The hidden zones that cards only pass through."""


class Transfers:
    """Combines the events of transfers, in the order in which they happened."""

    def __init__(self, before: Sequence[Event] = ()) -> None:
        """Start after the events `before`, in which a seat may have laid out its cards."""
        last = next((event for event in reversed(before) if event.kind in _OF_CARDS), None)
        self._laid_out = last if last is not None and last.zone == LAID_OUT else None
        """The event in which a seat laid out its cards, until all of them are taken or back."""
        self._taken = 0
        """The number of these cards that were taken."""
        self._unnamed = -1
        """The index of the event in which they were taken, if only the cards that go back say which they were."""
        self._returning = False
        """True if cards are on their way back to the zone of the seat."""
        self._handed: Event | None = None
        """The event in which cards went to a zone for cards of another seat, until that seat has them."""
        self._result: list[Event] = []

    def tell(self, events: Iterable[Event]) -> list[Event]:
        """Return the events with one event for each transfer, as far as one seat may know them."""
        self._result = []
        for event in events:
            if event.kind in _OF_CARDS:
                self._follow(event)
            else:
                self._result.append(event)
        return self._result

    def _follow(self, event: Event) -> None:
        laid_out, handed = self._laid_out, self._handed
        if self._returning:
            self._returning = False
        elif event.zone == LAID_OUT:
            self._laid_out, self._taken, self._unnamed = event, 0, -1
        elif laid_out is not None and _goes_back(event, laid_out, self._taken):
            if self._unnamed >= 0:
                cards = Counter(laid_out.cards) - Counter(event.cards)
                self._result[self._unnamed] = replace(self._result[self._unnamed], cards=tuple(cards.elements()))
            self._laid_out, self._returning = None, True
        elif laid_out is not None and not self._taken:
            self._take(event, laid_out)
        elif event.zone in _BETWEEN:
            self._handed = event
        elif handed is not None and (event.kind, event.zone) != ("dealt", ON_THE_WAY):
            self._handed = None
            if handed.seat >= 0 and event.seat >= 0:
                cards_given = event.cards or handed.cards
                self._result.append(replace(event, kind="given", seat=handed.seat, other=event.seat, cards=cards_given))
            if handed.seat < 0 or event.seat < 0 or event.kind == "revealed":
                self._result.append(event)
        elif handed is None:
            self._result.append(event)

    def _take(self, event: Event, laid_out: Event) -> None:
        """Add the event of cards that a seat takes from those that another seat laid out."""
        self._taken, all_of_them = event.count, event.count == laid_out.count
        taken = replace(event, cards=event.cards or (laid_out.cards if all_of_them else ()))
        if event.seat < 0:  # a step brings them to a shared zone
            taken = replace(taken, kind="moved", seat=laid_out.seat)
        else:
            self._result.append(replace(taken, kind="taken", other=laid_out.seat))
            self._unnamed = -1 if taken.cards else len(self._result) - 1
        if event.zone in _BETWEEN:
            self._handed = taken
        elif event.seat < 0 or event.kind == "revealed":
            self._result.append(taken)
        if all_of_them:
            self._laid_out = None


def _goes_back(event: Event, laid_out: Event, taken: int) -> bool:
    """True if the cards of an event are those that were laid out and not taken, on their way back."""
    there = (event.kind, event.zone, event.seat) == ("dealt", ON_THE_WAY, laid_out.seat)
    return there and event.count == laid_out.count - taken
