"""What just happened, told to one seat: events become lines."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from draftengine.api.phrasing.telling import stopped
from draftengine.api.records import DECK, DISCARD, HAND, TABLEAU, told_to
from draftengine.apps.play.terminal_style import padded
from draftengine.support.locale.english_lists import counted, join_list

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from draftengine.api.records import Event
    from draftengine.apps.play.labels import Names

    Teller = Callable[[Sequence[Event], Names], str]

_RETURNS = {
    "hand": "goes back into the hand",
    "place": "goes to the place of the card taken",
    "discard": "is discarded",
    "stays": "stays",
}


def tell(events: Iterable[Event], viewer: int, names: Names) -> list[str]:
    """Lines for everything but the scoring of rules (see `draftengine.apps.play.score_board`).

    What happens to several seats one after the other, in the same words, is told in one line.
    """
    lines: list[str] = []
    for alike in _alike(_not_twice([told_to(event, viewer) for event in events])):
        teller = _TELLERS.get(alike[0].kind)
        line = teller(alike, names) if teller is not None else ""
        if line:
            lines.append(f"  {line}")
    return lines


def _not_twice(events: Sequence[Event]) -> Iterator[Event]:
    """Cards that a seat gets and plays at once are told as played."""
    for event, after in zip_longest(events, events[1:]):
        played = after is not None and after.kind == "revealed" and after.seat == event.seat
        if not (played and event.kind == "dealt" and event.cards and sorted(event.cards) == sorted(after.cards)):
            yield event


def _alike(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Events in groups that can be told together: of one kind, in a row, with the same cards or none to be seen."""
    group: list[Event] = []
    for event in events:
        if group and not (_together(group[0], event) and _is_new(event, group)):
            yield from _parted(group)
            group = []
        group.append(event)
    yield from _parted(group)


def _is_new(event: Event, group: list[Event]) -> bool:
    """Is its seat not told of yet; chips are told seat by seat, whatever their order."""
    return event.seat < 0 or event.kind == "chip" or all(other.seat != event.seat for other in group)


def _together(one: Event, other: Event) -> bool:
    if one.kind != other.kind or one.kind not in {"placed", "dealt", "moved", "chip", "flipped"}:
        return False
    if one.kind == "flipped":
        return one.zone == other.zone
    if one.kind == "chip":
        return bool(one.count) == bool(other.count)
    alike = (one.zone, one.count, one.other) == (other.zone, other.count, other.other)
    return alike and one.seat >= 0 and other.seat >= 0 and not one.cards and not other.cards


def _parted(group: list[Event]) -> Iterator[list[Event]]:
    """Chips are drawn rule by rule, and told seat by seat."""
    if group and group[0].kind == "chip":
        seats = sorted({event.seat for event in group})
        yield from ([event for event in group if event.seat == seat] for seat in seats)
    elif group:
        yield group


def _who(events: Sequence[Event], verb: str, names: Names) -> str:
    """``You take``, ``Player 2 takes``, ``Player 2 and Player 3 take``."""
    if len(events) == 1:
        return names.does(events[0].seat, verb)
    return f"{join_list([names.seat(event.seat) for event in events])} {verb}"


def _revealed(events: Sequence[Event], names: Names) -> str:
    event = events[0]
    title = padded(names.style.bold(names.seat(event.seat)), names.seat_columns)
    chooser = names.style.faint(f" (chosen by {names.inside(event.other)})") if event.other >= 0 else ""
    return f"{title}  {', '.join(names.cards(event.cards))}{chooser}"


def _placed(events: Sequence[Event], names: Names) -> str:
    return _brought(events, names)


def _brought(events: Sequence[Event], names: Names) -> str:
    """What seats do with cards that go to another zone."""
    event = events[0]
    verb, where = _WAYS.get(event.zone, ("put", f"aside ({names.label(event.zone)})"))
    return f"{_who(events, verb, names)} {_cards(event, names)} {where}".rstrip()


def _cards(event: Event, names: Names) -> str:
    """The cards if they can be seen, else how many."""
    return ", ".join(names.cards(event.cards)) or _some(event.count)


def _some(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


def _modified(events: Sequence[Event], names: Names) -> str:
    card = ", ".join(names.cards(events[0].cards))
    return names.style.good(f"{names.seat(events[0].seat)}: {card} goes on {names.label(events[0].name)}")


def _ability(events: Sequence[Event], names: Names) -> str:
    event = events[0]
    card = ", ".join(names.cards(event.cards))
    return f"{names.does(event.seat, 'use')} {names.label(event.name)}: {card} {_RETURNS.get(event.zone, '')}".rstrip()


def _way(events: Sequence[Event], names: Names) -> str:
    return f"{names.does(events[0].seat, 'choose')} {names.at_once(events[0].name)}"


def _passed(events: Sequence[Event], names: Names) -> str:
    way = "left" if events[0].amount > 0 else "right"
    to, by = names.seat(events[0].seat), names.seat(events[0].other)
    return names.style.faint(names.style.typed(f"The cards go to the {way}: {by} → {to} …"))


def _dealt(events: Sequence[Event], names: Names) -> str:
    event = events[0]
    where = f" ({names.label(event.zone)})" if event.zone != HAND else ""
    if event.seat < 0 and len(event.cards) == event.count:
        return ""  # they lie on the table, which is shown
    if event.seat < 0:
        return names.style.faint(f"{_some(event.count).capitalize()} dealt{where}")
    return names.style.faint(f"{_who(events, 'get', names)} {_cards(event, names)}{where}")


def _moved(events: Sequence[Event], names: Names) -> str:
    event = events[0]
    if event.seat >= 0:
        return names.style.faint(_brought(events, names))
    if event.zone == DECK and event.count == sum(card.count for card in names.game.model.cards):
        return names.style.faint("All cards go into the deck")
    go = "goes" if event.count == 1 else "go"
    places = {HAND: "into the hands", DECK: "into the deck", DISCARD: f"to {names.zone(DISCARD)}"}
    text = f"{_cards(event, names)} {go} {places.get(event.zone, f'aside ({names.label(event.zone)})')}"
    return names.style.faint(text[:1].upper() + text[1:])


_WAYS = {
    HAND: ("take", "into the hand"),
    DECK: ("put", "back into the deck"),
    DISCARD: ("discard", ""),
    TABLEAU: ("lay", "down"),
}
"""What seats do with cards that go from one zone to another, by where they go."""


def _flipped(events: Sequence[Event], names: Names) -> str:
    return f"Turned up: {', '.join(names.card(card) for event in events for card in event.cards)}"


def _marker(events: Sequence[Event], names: Names) -> str:
    label = names.label(events[0].name)
    if events[0].seat < 0:
        return f"{label} goes back"
    return names.style.accent(f"{names.seat(events[0].seat)}: {label}")


def _rolled(events: Sequence[Event], names: Names) -> str:
    event = events[0]
    return names.style.accent(f"{names.does(event.seat, 'roll')} {event.amount} ({names.label(event.name)})")


def _counter(events: Sequence[Event], names: Names) -> str:
    event = events[0]
    if event.name in names.game.notes:
        return ""
    return f"{names.seat(event.seat)}: {names.label(event.name)} now {event.amount}"


def _points(events: Sequence[Event], names: Names) -> str:
    """Points that a trigger or a card gave at once; those of rules have their arithmetic and belong to the scores."""
    event = events[0]
    if event.text:
        return ""
    points = names.style.arithmetic(f"{event.amount:+d}")
    text = f"{names.seat(event.seat)}: {points} for {names.at_once(event.name)}"
    return names.style.good(text) if event.amount > 0 else names.style.bad(text)


def _chip(events: Sequence[Event], names: Names) -> str:
    """Chips that a seat draws; at the end of the game, what those that it has are worth."""
    drawn = events[0].count
    chips = [
        f"{names.label(event.name)}{f' {event.amount}' if event.amount or not drawn else ''}{_cause(event, names)}"
        for event in events
    ]
    if not drawn:
        return f"{names.seat(events[0].seat)}: chips worth {join_list(chips)}"
    what = "a chip" if len(events) == 1 else counted(len(events), "chip")
    return names.style.accent(f"{names.does(events[0].seat, 'draw')} {what}: {join_list(chips)}")


def _cause(event: Event, names: Names) -> str:
    """Say what a chip is drawn for, unless a rule gave it: then the reason of the rule says so."""
    rules = {rule.id for rule in names.game.model.scoring}
    return f" (for {names.at_once(event.text)})" if event.text and event.text not in rules else ""


def _discarded(events: Sequence[Event], names: Names) -> str:
    return f"{names.does(events[0].seat, 'discard')} {', '.join(names.cards(events[0].cards))}"


def _asked(events: Sequence[Event], names: Names) -> str:
    (event,) = events
    text = f"{names.does(event.seat, 'ask')} for {', '.join(names.cards(event.cards))}: "
    if event.other < 0:
        return names.style.accent(f"{text}nobody has it")
    return names.style.accent(f"{text}{names.does(event.other, 'give')} it for {names.cards((event.name,))[0]}")


_TELLERS: dict[str, Teller] = {
    "stopped": lambda events, _: stopped(events[0]),
    "revealed": _revealed,
    "placed": _placed,
    "modified": _modified,
    "ability-used": _ability,
    "way": _way,
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
    "asked": _asked,
}
