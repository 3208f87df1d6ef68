"""Events: what happened in a game, who may see it, and why points were given."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from draftengine.support.locale.phrases import Phrase

EVERYONE = -1


class Event(Struct, frozen=True):
    """One thing that happened in a game.

    `kind` is one of `EVENT_KINDS`. `seat` is the seat to which it happened (-1: the table). `cards` names cards or
    plays. `seen_by` is a bit mask of the seats that see these names (`EVERYONE` = all); the others see only the number
    of cards.

    Events of the kinds ``points`` and ``awarded`` say how many points or chips a rule gave a seat. They include the
    calculation and the cards that the rule counted. For each chip that is then drawn, an event ``chip`` follows.
    """

    kind: str
    seat: int = -1
    cards: tuple[str, ...] = ()
    seen_by: int = EVERYONE
    zone: str = ""
    other: int = -1
    """Another seat, such as the one that passed or the former holder."""
    name: str = ""
    """The name of the rule, trigger, ability, marker, counter or pile."""
    amount: int = 0
    text: str = ""
    """The calculation of an amount, in English; for a chip, its cause."""
    source: tuple[str, ...] = ()
    count: int = 0
    """The number of cards, also for seats that may not see which cards."""
    why: Phrase | None = None
    """The calculation of an amount, as a message for any language."""


EVENT_KINDS = (
    "game-started", "round-started", "turn-started", "shuffled", "dealt", "revealed", "placed", "modified",
    "ability-used", "passed", "moved", "flipped", "marker", "rolled", "counter", "points", "awarded", "chip",
    "cleared", "discarded", "way", "asked", "stopped", "round-ended", "game-over",
)  # fmt: skip


EventSink = Callable[[Event], None] | None
"""A callback for events. ``None`` means that nobody listens, so no events are made."""


def view(event: Event, seat: int) -> Event:
    """Return the event as `seat` may know it (-1: a spectator)."""
    if event.seen_by == EVERYONE or (seat >= 0 and event.seen_by >> seat & 1):
        return event
    amount = 0 if event.kind == "chip" else event.amount
    return replace(event, cards=(), amount=amount, text="", why=None, seen_by=0)


def to_json(event: Event) -> dict[str, Any]:
    """Return the event as plain data without empty fields."""
    data: dict[str, Any] = {"kind": event.kind}
    for key in ("zone", "name", "text"):
        if getattr(event, key):
            data[key] = getattr(event, key)
    for key in ("cards", "source"):
        if getattr(event, key):
            data[key] = list(getattr(event, key))
    for key in ("seat", "other"):
        if getattr(event, key) >= 0:
            data[key] = getattr(event, key)
    if event.count:
        data["count"] = event.count
    if event.kind in {"points", "awarded", "rolled", "counter", "chip", "round-started", "turn-started"}:
        data["amount"] = event.amount
    return data
