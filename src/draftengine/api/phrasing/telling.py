"""What happened, as sentences from the table: present tense, names, no codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.support.locale.english_lists import counted, join_list

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.api.game import Game
    from draftengine.api.labels import Labels
    from draftengine.api.records import Event

    Teller = Callable[[Event, "TableLabels"], str]

_RETURNS = {
    "hand": "goes back into the hand",
    "place": "goes where the card was taken",
    "discard": "is discarded",
    "stays": "stays",
}


class TableLabels:
    """What things are called at a table."""

    def __init__(self, game: Game, seats: Sequence[str], labels: Labels | None = None) -> None:
        self.game = game
        self.labels = labels or game.labels
        self.seats = (*seats, *(self.labels.seat(seat.id) for seat in game.model.extra_seats))

    def seat(self, seat: int) -> str:
        return self.seats[seat] if 0 <= seat < len(self.seats) else "nobody"

    def cards(self, event: Event) -> str:
        """The cards if they can be seen, else how many."""
        if event.cards:
            return join_list([self.labels.card(name) for name in event.cards])
        return "a card" if event.count == 1 else f"{event.count} cards"


def sentence(event: Event, called: TableLabels) -> str:
    """What happened; empty for what need not be told."""
    teller = _TELLERS.get(event.kind)
    return teller(event, called) if teller else ""


def own_label(label: str, name: str) -> str:
    """A label, or the name that it only repeats."""
    return name if label.lower() == name else label


def _revealed(event: Event, called: TableLabels) -> str:
    chooser = f" (chosen by {called.seat(event.other)})" if event.other >= 0 else ""
    return f"{called.seat(event.seat)} plays {called.cards(event)}{chooser}."


def _placed(event: Event, called: TableLabels) -> str:
    who, cards = called.seat(event.seat), called.cards(event)
    if event.zone == "hand":
        return f"{who} takes {cards} into the hand."
    if event.zone == "discard":
        return f"{who} discards {cards}."
    return f"{who} puts {cards} aside ({own_label(called.labels.thing(event.zone), event.zone)})."


def _modified(event: Event, called: TableLabels) -> str:
    return f"{called.seat(event.seat)}’s {called.cards(event)} goes on {called.labels.thing(event.name)}."


def _ability(event: Event, called: TableLabels) -> str:
    what = f"{called.seat(event.seat)} uses {called.labels.thing(event.name)}"
    return f"{what}: {called.cards(event)} {_RETURNS.get(event.zone, '')}".rstrip() + "."


def _way(event: Event, called: TableLabels) -> str:
    return f"{called.seat(event.seat)} chooses {called.labels.cause(event.name)}."


def _moved(event: Event, called: TableLabels) -> str:
    if event.seat < 0:
        where = "discarded" if event.zone == "discard" else f"put to {called.labels.thing(event.zone)}"
        return f"{called.cards(event)} {'is' if event.count == 1 else 'are'} {where}." if event.cards else ""
    if event.zone == "tableau":
        return f"{called.seat(event.seat)} lays {called.cards(event)} down."
    where = "into the hand" if event.zone == "hand" else f"to {own_label(called.labels.thing(event.zone), event.zone)}"
    return f"{called.seat(event.seat)} moves {called.cards(event)} {where}."


def _flipped(event: Event, called: TableLabels) -> str:
    return f"{called.cards(event)} turns up." if event.cards else ""


def _marker(event: Event, called: TableLabels) -> str:
    label = called.labels.thing(event.name)
    if event.name in called.game.turn_markers:
        return ""
    return f"{called.seat(event.seat)} takes {label}." if event.seat >= 0 else f"{label} goes back."


def _rolled(event: Event, called: TableLabels) -> str:
    return f"{called.seat(event.seat)} rolls a {event.amount} ({called.labels.thing(event.name)})."


def _points(event: Event, called: TableLabels) -> str:
    if not event.amount:
        return ""
    points = counted(event.amount, "point")
    if event.text:
        return f"{called.labels.rule(event.name)}: {points} for {called.seat(event.seat)} ({event.text})."
    return f"{called.seat(event.seat)} gets {points} for {called.labels.cause(event.name)}."


def _awarded(event: Event, called: TableLabels) -> str:
    if not event.amount:
        return ""
    chips = counted(event.amount, "chip")
    return f"{called.labels.rule(event.name)}: {chips} for {called.seat(event.seat)} ({event.text})."


def _chip(event: Event, called: TableLabels) -> str:
    worth = f" worth {event.amount}" if event.amount else ""
    if not event.count:
        return f"{called.seat(event.seat)} has a chip{worth}."
    return f"{called.seat(event.seat)} draws a chip{worth}."


def _discarded(event: Event, called: TableLabels) -> str:
    return f"{called.seat(event.seat)} discards {called.cards(event)}."


def _asked(event: Event, called: TableLabels) -> str:
    text = f"{called.seat(event.seat)} asks for {called.cards(event)}"
    if event.other < 0:
        return f"{text}: nobody has it."
    return f"{text}: {called.seat(event.other)} gives it for {called.labels.card(event.name)}."


def _round(event: Event, _: TableLabels) -> str:
    return f"Round {event.amount} begins."


def stopped(event: Event, _called: TableLabels | None = None) -> str:
    """Return the reason why a game ends that cannot go on."""
    why = "there are too few cards to deal" if event.name == "cards" else "nothing ends these turns"
    return f"The game ends here, because {why}."


_TELLERS: dict[str, Teller] = {
    "stopped": stopped,
    "round-started": _round,
    "revealed": _revealed,
    "placed": _placed,
    "modified": _modified,
    "ability-used": _ability,
    "way": _way,
    "moved": _moved,
    "flipped": _flipped,
    "marker": _marker,
    "rolled": _rolled,
    "points": _points,
    "awarded": _awarded,
    "chip": _chip,
    "discarded": _discarded,
    "asked": _asked,
}
