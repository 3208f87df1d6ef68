"""The table and the events of a game as lines, for terminals without a full screen."""

from __future__ import annotations

from collections import Counter
from itertools import chain, groupby
from typing import TYPE_CHECKING

from draftengine.api.labels import card_in
from draftengine.api.phrasing.events import EventPhraser, EventTeller
from draftengine.apps.play import score_board as scoreboard
from draftengine.apps.play.terminal_style import cut, padded, plain
from draftengine.support.text import width_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from draftengine.api.phrasing.events import Happening
    from draftengine.api.records import Event, Zone
    from draftengine.api.view import SeatItem
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.table_view import Layout, Place, SeatView, TableView


def heading(view: TableView, names: Names) -> str:
    """Return the headline with the current round and turn."""
    key = "now.round" if view.rounds else "now.round.open"
    parts = [names.say(key, number=view.round, rounds=view.rounds)] if view.rounds != 1 else []
    turn = "now.turn" if view.turns else "now.turn.open"
    parts += [names.say(turn, number=view.turn, turns=view.turns)] if view.turn else []
    return names.style.headline(names.style.typed(" · ").join(parts) or names.say("now.game"), "─")


def table(view: TableView, names: Names, *, without: str = "") -> list[str]:
    """Return the lines about each seat, then those about the table, without the zone `without`."""
    lines = [line for seat in range(len(view.seats)) for line in _seat(view.seats[seat], names.seat(seat), names)]
    for layout in view.layouts:
        lines += ["", *layout_of(layout, names, {})] if layout.zone != without else []
    lines += [f"  {pile_of(zone, names)}" for zone in view.piles if zone.size and zone.zone != without]
    return [*lines, *(f"  {_item(item, names)}" for item in view.common)]


def _seat(seat: SeatView, name: str, names: Names) -> list[str]:
    style = names.style
    title = padded(style.bold(name), names.seat_columns)
    first = f"  {title}  {style.number(seat.points):>3}  "
    # The cards in order of play; the last of a modifier's wait, if it has free slots.
    waiting = Counter(card_in(name) for group in seat.groups if group.waits for name in group.cards)
    cards: list[str] = []
    for card in reversed(seat.tableau):
        waits = waiting[card_in(card)] > 0
        waiting[card_in(card)] -= waits
        cards.append(f"{names.card(card)} {style.accent(names.say('lies.open'))}" if waits else names.card(card))
    counted = Counter(reversed(cards)).items()
    entries = [names.copies_of(card, copies) for card, copies in counted] or [style.faint(style.typed("–"))]
    wide = width_of(plain(first))
    if wide > style.columns // 2:  # give the cards lines of their own
        lines, wide = [first.rstrip(), *style.listed(entries, " " * 4)], 4
    else:
        lines = style.listed(entries, first)
    items = [_item(item, names) for item in seat.items if item.kind != "chip"]
    for pile in dict.fromkeys(item.thing for item in seat.items if item.kind == "chip"):
        values = [item.value for item in seat.items if (item.kind, item.thing) == ("chip", pile)]
        known = "+".join("?" if value is None else str(value) for value in values)
        items.append(names.say("lies.chips", pile=names.label(pile), count=len(values), values=known))
    belongings = [style.typed(" · ").join(items)] if items else []
    for line in (*belongings, *(pile_of(zone, names) for zone in seat.piles)):
        if width_of(plain(lines[-1])) + width_of(line) + _GAP <= style.columns:
            lines[-1] += f"{' ' * _GAP}{style.faint(line)}"
        else:
            lines += style.wrapped([style.faint(word) for word in style.unbroken(line)], wide, " " * wide)
    return lines


_GAP = 3
"""The number of columns between a seat's cards and its markers, counters and chips on the same line."""


def _item(item: SeatItem, names: Names) -> str:
    return names.label(item.thing) if item.value is None else f"{names.label(item.thing)} {item.value}"


def pile_of(zone: Zone, names: Names) -> str:
    """Return a text with a zone's name and its cards."""
    return names.say("lies.labelled", label=names.label(zone.zone), text=cards_of(zone, names))


def cards_of(zone: Zone, names: Names) -> str:
    """Return a text with the known cards of a zone, then the number of its unknown cards."""
    cards = names.style.comma.join(names.copies(name, count) for name, count in zone.cards)
    unknown = zone.size - sum(count for _, count in zone.cards)
    hidden = names.say("lies.face_down", count=unknown) if unknown else ""
    return names.join_list([part for part in (cards, hidden) if part])


def layout_of(layout: Layout, names: Names, numbers: Mapping[str, int]) -> list[str]:
    """Return a layout as lines, row by row. `numbers` has the number to type for each selectable place.

    Cards are boxes at their places if the terminal is wide enough; otherwise each row becomes a list. Covered cards are
    in brackets, face-down cards are shaded.
    """
    style = names.style
    most = max(map(len, layout.rows))
    cell = min(_CELL, (style.columns - 1) // most)
    title = f"  {style.bold(names.label(layout.zone))}"
    if cell < _NARROW:
        rows = [(number, row) for number, row in enumerate(layout.rows, 1) if any(row)]
        words = ((number, [_word(place, names, numbers) for place in row]) for number, row in rows)
        listed = [style.listed(row, f"  {style.faint(f'{number}:')} ", indent=6) for number, row in words]
        return [title, *chain.from_iterable(listed)]
    indent = " " * min(2, style.columns - 1 - most * cell)
    starts = [(most - len(row)) * cell // 2 for row in layout.rows]
    # For each line between rows (the first lies above the first row) and each column: the sides to which lines lead.
    # Two rows share the line between them, and one of them may be shifted by half a card.
    edges = [[0] * (most * cell + 1) for _ in range(len(layout.rows) + 1)]
    for number, row in enumerate(layout.rows):
        lefts = [starts[number] + at * cell for at, place in enumerate(row) if place]
        for edge, side in ((edges[number], _DOWN), (edges[number + 1], _UP)):
            for left in lefts:
                for column in range(left, left + cell):
                    edge[column] |= _RIGHT
                    edge[column + 1] |= _LEFT
                edge[left] |= side
                edge[left + cell] |= side
    borders = [style.faint(style.typed("".join(_JOINTS[sides] for sides in edge).rstrip())) for edge in edges]
    upright, lines = style.faint(style.typed("│")), borders[:1]
    for row, start, below in zip(layout.rows, starts, borders[1:], strict=True):
        line = ""
        for left, place in zip(range(start, start + len(row) * cell, cell), row, strict=True):
            if place:
                line = padded(line, left) + upright if width_of(plain(line)) <= left else line
                line += _cell(place, names, numbers, cell - 1) + upright
        lines += [line, below]
    return [title, *(f"{indent}{line}" for line in lines if line)]


_LEFT, _RIGHT, _UP, _DOWN = 1, 2, 4, 8
_JOINTS = " ╴╶─╵┘└┴╷┐┌┬│┤├┼"
"""Line-drawing characters. The bits of the index are the sides to which the line leads."""


def _word(place: Place | None, names: Names, numbers: Mapping[str, int]) -> str:
    """Return the text for one place of a layout, for a row that is printed as a list."""
    if place is None:
        return names.style.faint(names.style.typed("–"))
    if not place.face:
        return names.style.faint(names.style.typed(_FACE_DOWN))
    if place.id in numbers:
        return f"{names.style.accent(str(numbers[place.id]))} {names.card(place.face)}"
    return names.card(place.face) if place.open else names.style.faint(f"({names.card(place.face)})")


_FACE_DOWN = "▒▒▒▒"
_NARROW = 12
"""The smallest number of columns in which people can recognise a card of a layout."""
_CELL = 20
"""The largest number of columns for a place of a layout."""


def _cell(place: Place, names: Names, numbers: Mapping[str, int], columns: int) -> str:
    style = names.style
    if not place.face:
        return style.faint(padded(style.typed(_FACE_DOWN), columns))
    if place.id in numbers:
        number = f"{numbers[place.id]} "
        rest = columns - len(number)
        return style.accent(number) + padded(cut(names.card(place.face), rest, style), rest)
    text = cut(names.card(place.face), columns - (0 if place.open else 2), style)
    return padded(text, columns) if place.open else style.faint(padded(f"({text})", columns))


_COLOURS = {
    "passed": "faint", "dealt": "faint", "moved": "faint", "modified": "good", "gained": "good", "lost": "bad",
    "marker": "accent", "rolled": "accent", "thrown": "accent", "chips.drawn": "accent", "asked": "accent",
}  # fmt: skip
"""Colours of lines about events, by the id of the sentence or else by the kind of event."""


def line(happening: Happening, phraser: EventPhraser, names: Names) -> str:
    """Return a happening as a line: for a reveal the seat and its cards, otherwise a sentence."""
    style = names.style
    if happening.id == "revealed":
        cards = style.comma.join(names.cards(happening.event.cards))
        title = padded(style.bold(names.seat(happening.event.seat)), names.seat_columns)
        return f"{title}  {cards}{style.faint(style.typed(phraser.chooser(happening.event)))}"
    sentence = style.typed(phraser.sentence(happening))
    colour = _COLOURS.get(happening.id) or _COLOURS.get(happening.event.kind)
    return getattr(style, colour)(sentence) if colour else sentence


def sentences(events: Iterable[Event], viewer: int, names: Names, before: Sequence[Event] = ()) -> list[str]:
    """Return sentences about events, without colours, with only what the seat `viewer` may know.

    `before` are the events before them.
    """
    happenings = EventTeller(names.game, viewer, before).tell(events)
    return [names.style.typed(text) for text in map(EventPhraser(names).sentence, happenings) if text]


class EventNarrator:
    """Shows events as lines, with only what one seat or a spectator (-1) may know."""

    def __init__(
        self,
        names: Names,
        viewer: int,
        show: Callable[[Sequence[str]], None],
        *,
        turns: bool = False,
        scored: Callable[[Sequence[Event], Names], list[str]] = scoreboard.summary,
        counted: Callable[[Sequence[str]], None] | None = None,
        paused: Callable[[], None] = lambda: None,
    ) -> None:
        """Show lines with the function `show`; they may be wider than the screen.

        `scored` returns lines about the points that rules gave. They are shown with `counted` instead of `show`, if it
        is given. With `turns`, each turn gets its own headline. `paused` is called after each scoring, to give people
        time to read.
        """
        self.names, self.show, self.turns, self.scored, self.paused = names, show, turns, scored, paused
        self.counted = counted or show
        self._teller = EventTeller(names.game, viewer)
        self._phraser = EventPhraser(names)
        self._at_once: list[Event] = []

    def tell(self, news: Iterable[Event]) -> None:
        """Show events, in a block of lines for each turn, scoring and new round."""
        for block in self._teller.blocks(news):
            parts = [(kind, list(part)) for kind, part in groupby(block, _part)]
            for kind, part in parts:
                style = self.names.style
                if kind == "moment":
                    title = self._phraser.title(part[0])
                    if part[0].id == "round":
                        self._at_once = []
                    if part[0].id != "turn":
                        self.show(["", style.headline(title)])
                    elif self.turns:
                        self.show(["", style.faint(f"  {title}")])
                elif kind == "scoring":
                    labels = {rule.id: rule.at for rule in self.names.game.model.scoring}
                    scored = [event for happening in part for event in happening.events]
                    for label in dict.fromkeys(labels[event.name] for event in scored):
                        points = [event for event in scored if labels[event.name] == label]
                        if label == "round":
                            # Points that effects gave during the round are shown again, so that sums are complete.
                            points, self._at_once = [*self._at_once, *points], []
                        self.show(["", style.headline(self.names.moment(label), "─")])
                        self.counted(self.scored(points, self.names))
                else:
                    events = (event for happening in part for event in happening.events)
                    self._at_once += (event for event in events if event.kind == "points")
                    self.show([f"  {line(happening, self._phraser, self.names)}" for happening in part])
            if any(kind == "scoring" for kind, _ in parts):
                self.paused()


def _part(happening: Happening) -> str:
    """Return how to show a happening: ``moment`` for a headline, ``scoring`` or ``sentences``."""
    if happening.id in {"round", "start", "turn"}:
        return "moment"
    return "scoring" if happening.is_scoring else "sentences"
