"""Events as sentences, phrased alike on every screen and page, in logs and replays.

A *happening* is the content of one sentence, for example the moves of several seats, or the points that one rule gives
to all of them. `EventTeller` groups the events that a seat may know into happenings. `EventPhraser` phrases a happening
in a language, with `TableNames` for cards and seats. Colours and columns are left to the screens.
"""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.phrasing.transfers import HIDDEN, Transfers
from draftengine.engine.events import Event
from draftengine.engine.events import view as told_to
from draftengine.model.cardset.records import DECK, DISCARD, HAND, TABLEAU
from draftengine.model.verbs.verb import ON_THE_WAY
from draftengine.support.locale.catalogue import begun_small

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from draftengine.api.game import Game
    from draftengine.api.labels import Labels

_MOMENTS = frozenset({"round-started", "turn-started", "round-ended", "cleared"})
_ZONES = {HAND: "hand", DECK: "deck", DISCARD: "discard", TABLEAU: "tableau"}
_OF_CHOICES = frozenset({"revealed", "placed", "way", "asked"})
_RETURNS = frozenset({"hand", "place", "discard", "stays"})


class Happening(Struct, frozen=True):
    """The events that one sentence is about, and the id of that sentence."""

    id: str
    """The id of the sentence. The catalogue has its pattern under ``event.`` plus this id."""
    events: tuple[Event, ...]
    """The events that the sentence is about, without anything that the reading seat may not know."""

    @property
    def event(self) -> Event:
        """The first of the events."""
        return self.events[0]

    @property
    def is_scoring(self) -> bool:
        """True if the sentence says how many points a rule gave. Screens may show a table instead."""
        return self.id == "scored"


class EventTeller:
    """Groups events into happenings, with only what one seat or a spectator (-1) may know."""

    def __init__(self, game: Game, viewer: int, before: Sequence[Event] = ()) -> None:
        """Start after the events `before`."""
        self.game = game
        self.viewer = viewer
        self._transfers = Transfers(before)
        self._way = way_before(before)
        """The direction of passing that was last mentioned in this round."""

    def tell(self, events: Iterable[Event]) -> list[Happening]:
        """Return the happenings in the order of the events, with all points of one scoring side by side."""
        return [happening for block in self.blocks(events) for happening in block]

    def blocks(self, events: Iterable[Event]) -> Iterator[list[Happening]]:
        """Yield a list of happenings for each section of the events, such as a turn.

        Some events are left out: cards that seats are dealt before the first choice of a round, turn markers that move,
        and cards on the way to a zone. The direction of passing is mentioned once, until it changes or a round begins.
        """
        block: list[Event] = []
        begun: list[Happening] = []
        dealing = False
        for event in self._transfers.tell(self._named(told_to(event, self.viewer)) for event in events):
            dealing = dealing and event.kind not in _OF_CHOICES
            if event.kind in _MOMENTS:
                yield [*begun, *self._block(block)]
                begun, block, dealing = [], [], event.kind == "round-started"
                if dealing:
                    self._way = 0
                    begun = [Happening("round" if self.game.model.rounds > 1 else "start", (event,))]
                elif event.kind == "turn-started":
                    begun = [Happening("turn", (event,))]
            elif not (dealing and event.kind == "dealt" and event.seat >= 0):
                block.append(event)
        yield [*begun, *self._block(block)]

    def _named(self, event: Event) -> Event:
        """Return an event; with the named seat as `other`, if the seat of the event names a player."""
        distance = self.game.players_named.get(event.name) if event.kind == "way" else None
        return event if distance is None else replace(event, other=(event.seat + distance) % self.game.players)

    def _block(self, block: Sequence[Event]) -> Iterator[Happening]:
        """Yield the happenings of one section, with the points of all rules next to each other."""
        reasons = [event for event in block if is_reason(event)]
        first = block.index(reasons[0]) if reasons else len(block)
        yield from self._some(block[:first])
        for rule in dict.fromkeys(event.name for event in reasons):
            yield Happening("scored", tuple(event for event in reasons if event.name == rule))
        yield from self._some([event for event in block[first:] if not is_reason(event)])

    def _some(self, events: Sequence[Event]) -> Iterator[Happening]:
        group: list[Event] = []
        name = ""
        for event, after in zip_longest(events, events[1:]):
            played = after and after.seat == event.seat and (after.kind == "revealed" or after.zone == TABLEAU)
            if played and event.kind == "dealt" and event.cards and sorted(event.cards) == sorted(after.cards):
                continue  # the seat plays the cards at once
            if event.kind == "passed":
                known, self._way = self._way == event.amount, event.amount
                next_name = "" if known else "passed.left" if event.amount > 0 else "passed.right"
            else:
                of_kind = _IDS.get(event.kind, "")
                next_name = of_kind if isinstance(of_kind, str) else of_kind(event, self.game)
            if group and not (next_name == name and _goes_with(event, group)):
                yield from _happenings(name, group)
                group = []
            if next_name:
                name = next_name
                group.append(event)
        yield from _happenings(name, group)


def _moved(event: Event, game: Game) -> str:
    """Return the id of the sentence about cards that a seat or the game moves; empty if they go on."""
    if event.zone == ON_THE_WAY:
        return ""
    zone = _ZONES.get(event.zone, "aside")
    if event.seat >= 0:
        return f"goes.{zone}"
    return (
        "moved.all"
        if zone == "deck" and event.count == sum(card.count for card in game.model.cards)
        else f"moved.{zone}"
    )


def _dealt(event: Event, _: Game) -> str:
    """Return the id of the sentence about a deal; empty if there is none.

    There is none for open cards, and for cards on their way to a zone.
    """
    if event.zone == ON_THE_WAY:
        return ""
    if event.seat < 0:
        return "" if len(event.cards) == event.count else "dealt.some"
    return "dealt" if event.zone == HAND else "dealt.aside"


def _taken(event: Event, _: Game) -> str:
    """Return the id of the sentence about cards that a seat takes from another one."""
    return "taken" if event.zone in {TABLEAU, *HIDDEN} else f"taken.{_ZONES.get(event.zone, 'aside')}"


_IDS: dict[str, str | Callable[[Event, Game], str]] = {
    "stopped": lambda event, _: "stopped.cards" if event.name == "cards" else "stopped.turns",
    "revealed": "revealed",
    "placed": _moved,
    "moved": _moved,
    "discarded": "goes.discard",
    "dealt": _dealt,
    "taken": _taken,
    "given": lambda event, _: "given" if event.zone in {ON_THE_WAY, HAND, TABLEAU} else "given.aside",
    "modified": "modified",
    "ability-used": lambda event, _: f"ability.{event.zone}" if event.zone in _RETURNS else "ability",
    "way": lambda event, _: "way" if event.other < 0 else "way.player",
    "flipped": "flipped",
    "marker": lambda event, game: (
        "" if event.name in game.turn_markers else "marker" if event.seat >= 0 else "marker.back"
    ),
    "rolled": lambda event, game: "" if event.name in game.helpers else "rolled",
    "thrown": lambda event, _: "thrown" if event.seat >= 0 else "thrown.table",
    "turned": lambda event, _: "" if event.zone == ON_THE_WAY else "turned",  # they go on at once
    "counter": lambda event, game: "" if event.name in game.notes | game.helpers else "counter",
    "points": lambda event, _: "gained" if event.amount > 0 else "lost" if event.amount else "",
    "chip": lambda event, _: "chips.drawn" if event.count else "chips.worth",
    "asked": lambda event, _: "asked" if event.other >= 0 else "asked.nobody",
}


def is_reason(event: Event) -> bool:
    """True if an event says how many points a rule gave a seat, and why."""
    return event.kind in {"points", "awarded"} and bool(event.text)


def way_before(events: Sequence[Event]) -> int:
    """Return the direction of the last pass in the latest round (1 or -1); 0 if nothing was passed in it."""
    last = next((event for event in reversed(events) if event.kind in {"passed", "round-started"}), None)
    return last.amount if last is not None and last.kind == "passed" else 0


def _goes_with(event: Event, group: Sequence[Event]) -> bool:
    """True if an event fits into one sentence with the events in `group`, which have the same sentence id."""
    first = group[0]
    if event.kind == "chip":
        return True
    if event.kind == "flipped":
        return first.zone == event.zone
    if event.kind not in {"placed", "dealt", "moved"} or event.kind != first.kind:
        return False
    if first.cards and event.cards:
        return (first.seat, first.zone, first.other) == (event.seat, event.zone, event.other)
    if first.cards or event.cards or (first.zone, first.other) != (event.zone, event.other):
        return False
    of_seats = first.count == event.count and event.seat >= 0 and all(other.seat != event.seat for other in group)
    return of_seats or first.seat == event.seat == -1  # cards of the table come from several places


def _happenings(name: str, group: Sequence[Event]) -> Iterator[Happening]:
    """Yield one happening for a group of events; for chips, one for each seat."""
    if group and group[0].kind == "chip":
        for seat in sorted({event.seat for event in group}):
            yield Happening(name, tuple(event for event in group if event.seat == seat))
    elif group:
        yield Happening(name, tuple(group))


# ── In words ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class TableNames(Protocol):
    """Names of everything at a table, in one language."""

    @property
    def labels(self) -> Labels:
        """The labels of the card set."""

    def seat(self, seat: int) -> str:
        """Return the name of a seat at the beginning of a sentence."""

    def inside(self, seat: int) -> str:
        """Return the name of a seat in the middle of a sentence."""

    def card(self, name: str) -> str:
        """Return the name of a card, a face, or a card in a form."""

    def label(self, name: str) -> str:
        """Return the label of a counter, modifier, ability, zone, marker or pile of chips."""

    def reason(self, name: str) -> str:
        """Return the label of a rule or other source of points."""

    def at_once(self, name: str) -> str:
        """Return the label of a trigger, action or card that gives points or chips immediately."""


class PlainNames:
    """Names as the card set has them, for screens that can show every character."""

    def __init__(self, labels: Labels, seats: Sequence[str]) -> None:
        self.labels = labels
        self.seats = (*seats, *(labels.seat(seat.id) for seat in labels.model.extra_seats))
        self.card, self.label, self.reason, self.at_once = labels.card, labels.thing, labels.rule, labels.cause

    def seat(self, seat: int) -> str:
        return self.seats[seat]

    inside = seat


class EventPhraser:
    """Makes sentences about happenings in one language."""

    def __init__(self, names: TableNames) -> None:
        self.names = names
        self.catalogue = names.labels.speech.catalogue
        self._rules = {rule.id for rule in names.labels.model.scoring}

    def sentence(self, happening: Happening) -> str:
        """Return the sentence about a happening; empty for a turn, and for a rule that gave nothing."""
        names, event = self.names, happening.event
        phrase = self.catalogue.phrase
        parts: list[str] = []  # chips with their worth and cause, or points by seat
        for each in happening.events:
            if happening.is_scoring and each.amount:
                chips = each.kind == "awarded"
                amount = each.amount if chips else self.catalogue.decimal(f"{each.amount:+}")
                key = "event.scored.chips" if chips else "event.scored.points"
                parts.append(phrase(key, who=names.inside(each.seat), amount=amount))
            elif each.kind == "chip":
                chip = names.label(each.name)
                if each.amount or not each.count:  # the worth of the chip is known
                    chip = phrase("event.chip", thing=chip, amount=each.amount)
                if each.text and each.text not in self._rules:
                    chip = phrase("event.chip.cause", chip=chip, cause=names.at_once(each.text))
                parts.append(chip)
        if happening.id == "turn" or (happening.is_scoring and not parts):
            return ""
        rounds = names.labels.model.last_round
        seats = list(dict.fromkeys(event.seat for event in happening.events if event.seat >= 0))
        first, rest = seats[:1], seats[1:]
        who = self.catalogue.join_list([*map(self.names.seat, first), *map(self.names.inside, rest)])
        return self.catalogue.phrase(
            "event.round.open" if happening.id == "round" and not rounds else f"event.{happening.id}",
            who=who,
            other=names.inside(event.other) if event.other >= 0 else "",
            cards=self.cards(happening),
            count=self._count(happening),
            thing=names.label(event.name),
            zone=begun_small(names.label(event.zone)),
            place=names.label(event.zone),
            cause=names.at_once(event.name),
            rule=names.reason(event.name),
            amount=abs(event.amount) if happening.id == "lost" else event.amount,
            chooser=self.chooser(event),
            rounds=rounds,
            number=len(happening.events),
            list=self.catalogue.join_list(parts),
        )

    def title(self, moment: Happening) -> str:
        """Return the headline of a round or a turn, whose beginning is the happening `moment`."""
        number, rounds = moment.event.amount, self.names.labels.model.last_round
        key = "event.round.title.open" if moment.id == "round" and not rounds else f"event.{moment.id}.title"
        return self.catalogue.phrase(key, number=number, rounds=rounds)

    def cards(self, happening: Happening) -> str:
        """Return the names of the visible cards, each once; if no card is visible, the number of cards."""
        seen = Counter(card for event in happening.events for card in event.cards)
        if not seen:
            return self.catalogue.phrase("event.cards", count=self._count(happening))
        return self.catalogue.join_list([self.copies(card, count) for card, count in seen.items()])

    def _count(self, happening: Happening) -> int:
        """Return the number of cards: those that are visible or, of each seat, those that are not."""
        event, events = happening.event, happening.events
        seen = sum(len(other.cards) for other in events)
        return seen or (event.count if event.seat >= 0 else sum(other.count for other in events))

    def chooser(self, event: Event) -> str:
        """Return a note that another seat chose the cards; empty if the seat itself did."""
        return self.catalogue.phrase("event.chooser", other=self.names.inside(event.other)) if event.other >= 0 else ""

    def copies(self, card: str, count: int) -> str:
        """Return the name of a card, with the number of copies if there are several."""
        name = self.names.card(card)
        return name if count == 1 else self.catalogue.phrase("event.copies", count=count, card=name)
