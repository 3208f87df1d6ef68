"""What just happened, told to one seat: events become lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.events import view
from draftengine.play.style import padded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from draftengine.engine.events import Event
    from draftengine.play.names import Names

    Teller = Callable[[Event, Names], str]

SCORING = "points"
_RETURNS = {
    "hand": "goes back into the hand",
    "place": "goes to the place of the card taken",
    "discard": "is discarded",
    "stays": "stays",
}


def tell(events: Iterable[Event], viewer: int, names: Names) -> list[str]:
    """Lines for everything but the scoring of rules (see `draftengine.play.scoreboard`)."""
    lines: list[str] = []
    passed = False
    for event in (view(own, viewer) for own in events):
        teller = _TELLERS.get(event.kind)
        line = teller(event, names) if teller is not None else ""
        if event.kind == "passed":
            line, passed = ("" if passed else line), True
        if line:
            lines.append(f"  {line}")
    return lines


def _revealed(event: Event, names: Names) -> str:
    title = padded(names.style.bold(names.seat(event.seat)), names.seat_columns)
    chooser = names.style.faint(f" (chosen by {names.seat(event.other)})") if event.other >= 0 else ""
    return f"{title}  {', '.join(names.cards(event.cards))}{chooser}"


def _placed(event: Event, names: Names) -> str:
    cards = ", ".join(names.cards(event.cards)) or _some(event.count)
    return f"{names.does(event.seat, 'put')} {cards}: {names.label(event.zone)}"


def _some(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


def _modified(event: Event, names: Names) -> str:
    card = ", ".join(names.cards(event.cards))
    return names.style.good(f"{names.seat(event.seat)}: {card} goes on {names.label(event.name)}")


def _ability(event: Event, names: Names) -> str:
    card = ", ".join(names.cards(event.cards))
    return f"{names.does(event.seat, 'use')} {names.label(event.name)}: {card} {_RETURNS.get(event.zone, '')}".rstrip()


def _passed(event: Event, names: Names) -> str:
    way = "left" if event.amount > 0 else "right"
    to, by = names.seat(event.seat), names.seat(event.other)
    return names.style.faint(names.style.typed(f"The cards go to the {way}: {by} → {to} …"))


def _dealt(event: Event, names: Names) -> str:
    cards = ", ".join(names.cards(event.cards)) or _some(event.count)
    if event.seat < 0:
        return names.style.faint(f"{_some(event.count).capitalize()} dealt: {names.label(event.zone)}")
    return names.style.faint(f"{names.does(event.seat, 'get')} {cards}")


def _moved(event: Event, names: Names) -> str:
    cards = ", ".join(names.cards(event.cards)) or _some(event.count)
    whose = f"{names.seat(event.seat)}: " if event.seat >= 0 else ""
    return names.style.faint(names.style.typed(f"{whose}{cards} → {names.label(event.zone)}"))


def _flipped(event: Event, names: Names) -> str:
    return f"Turned up: {', '.join(names.cards(event.cards))}"


def _marker(event: Event, names: Names) -> str:
    if event.seat < 0:
        return f"{names.label(event.name)} goes back"
    return names.style.accent(f"{names.label(event.name)}: {names.seat(event.seat)}")


def _rolled(event: Event, names: Names) -> str:
    return names.style.accent(f"{names.does(event.seat, 'roll')} {event.amount} ({names.label(event.name)})")


def _counter(event: Event, names: Names) -> str:
    return f"{names.seat(event.seat)}: {names.label(event.name)} is now {event.amount}"


def _points(event: Event, names: Names) -> str:
    """Points that a trigger or a card gave at once; those of rules have their arithmetic and belong to the scores."""
    if event.text:
        return ""
    gained = f"{event.amount:+d}"
    text = f"{names.seat(event.seat)}: {gained} for {names.at_once(event.name)}"
    return names.style.good(text) if event.amount > 0 else names.style.bad(text)


def _chip(event: Event, names: Names) -> str:
    if not event.count:
        return f"{names.seat(event.seat)}: {names.label(event.name)} chip worth {event.amount}"
    worth = f", worth {event.amount}" if event.amount else ""
    cause = f" for {names.reason(event.text)}" if event.text else ""
    return names.style.accent(f"{names.does(event.seat, 'draw')} a chip{cause}: {names.label(event.name)}{worth}")


def _discarded(event: Event, names: Names) -> str:
    return f"{names.does(event.seat, 'discard')} {', '.join(names.cards(event.cards))}"


_TELLERS: dict[str, Teller] = {
    "revealed": _revealed,
    "placed": _placed,
    "modified": _modified,
    "ability-used": _ability,
    "passed": _passed,
    "dealt": _dealt,
    "moved": _moved,
    "flipped": _flipped,
    "marker": _marker,
    "rolled": _rolled,
    "counter": _counter,
    "points": _points,
    "chip": _chip,
    "discarded": _discarded,
}
