"""A table view as lines: scores, tableaus, markers, chips, dice, piles and layouts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from draftengine.api.labels import card_in
from draftengine.apps.play.terminal_style import cut, padded, plain
from draftengine.model.diagnostics.render.text import width_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from draftengine.api.belongings import SeatItem
    from draftengine.api.records import Zone
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.table_view import Layout, Place, SeatView, TableView


def heading(shown: TableView, names: Names) -> str:
    """Return the headline with the current round and turn."""
    parts = [names.say("now.round", number=shown.round, rounds=shown.rounds)] if shown.rounds > 1 else []
    turn = "now.turn" if shown.turns else "now.turn.open"
    parts += [names.say(turn, number=shown.turn, turns=shown.turns)] if shown.turn else []
    return names.style.headline(names.style.typed(" · ").join(parts) or names.say("now.game"), "─")


def table(shown: TableView, names: Names, *, without: str = "") -> list[str]:
    """Return the lines of each seat, then those of the table; the zone `without` is left out."""
    lines = [line for seat in range(len(shown.seats)) for line in _seat(shown.seats[seat], names.seat(seat), names)]
    for layout in shown.layouts:
        lines += ["", *layout_of(layout, names, {})] if layout.zone != without else []
    lines += [f"  {pile_of(zone, names)}" for zone in shown.piles if zone.zone != without]
    return [*lines, *(f"  {_item(item, names)}" for item in shown.common)]


def _seat(seat: SeatView, name: str, names: Names) -> list[str]:
    style = names.style
    title = padded(style.bold(name), names.seat_columns)
    first = f"  {title}  {style.number(seat.points):>3}  "
    entries = _tableau(seat, names) or [style.faint(style.typed("–"))]
    wide = width_of(plain(first))
    if wide > style.columns // 2:  # give the cards lines of their own
        lines, wide = [first.rstrip(), *style.listed(entries, " " * 4)], 4
    else:
        lines = style.listed(entries, first)
    for line in _items(seat, names):
        if width_of(plain(lines[-1])) + width_of(line) + _GAP <= style.columns:
            lines[-1] += f"{' ' * _GAP}{style.faint(line)}"
        else:
            lines += style.wrapped([style.faint(word) for word in style.unbroken(line)], wide, " " * wide)
    return lines


_GAP = 3
"""The number of columns between a seat's cards and its other belongings, where both fit on one line."""


def _tableau(seat: SeatView, names: Names) -> list[str]:
    """Return the cards in front of a seat in order of play; modifiers with free slots are marked as open."""
    waiting = Counter(card_in(name) for group in seat.groups if group.waits for name in group.cards)
    entries: list[str] = []
    for name in reversed(seat.tableau):
        card = card_in(name)
        if waiting[card] > 0:
            waiting[card] -= 1
            entries.append(f"{names.card(name)} {names.style.accent(names.say('lies.open'))}")
        else:
            entries.append(names.card(name))
    return [names.copies_of(entry, count) for entry, count in Counter(reversed(entries)).items()]


def _items(seat: SeatView, names: Names) -> Iterator[str]:
    """Yield the markers, counters and chips of a seat as one line, then its zones other than the hand."""
    parts = [_item(item, names) for item in seat.items if item.kind != "chip"]
    for pile in dict.fromkeys(item.thing for item in seat.items if item.kind == "chip"):
        values = [item.value for item in seat.items if (item.kind, item.thing) == ("chip", pile)]
        known = "+".join("?" if value is None else str(value) for value in values)
        parts.append(names.say("lies.chips", pile=names.label(pile), count=len(values), values=known))
    if parts:
        yield names.style.typed(" · ").join(parts)
    yield from (pile_of(zone, names) for zone in seat.piles)


def _item(item: SeatItem, names: Names) -> str:
    return names.label(item.thing) if item.value is None else f"{names.label(item.thing)} {item.value}"


def pile_of(zone: Zone, names: Names) -> str:
    """Return a zone's name and its cards."""
    return f"{names.label(zone.zone)}: {cards_of(zone, names)}"


def cards_of(zone: Zone, names: Names) -> str:
    """Return the known cards of a zone, then the number of unknown ones."""
    cards = ", ".join(names.copies(name, count) for name, count in zone.cards)
    unknown = zone.size - sum(count for _, count in zone.cards)
    hidden = names.say("lies.face_down", count=unknown) if unknown else ""
    return names.join_list([part for part in (cards, hidden) if part])


def layout_of(layout: Layout, names: Names, numbers: Mapping[str, int]) -> list[str]:
    """Return a layout row by row; `numbers` are shown before the places that can be chosen.

    Cards are drawn at their places if the terminal is wide enough; otherwise each row becomes a list. Covered cards are
    in brackets, face-down cards are shaded.
    """
    style = names.style
    most = max(map(len, layout.rows))
    cell = min(_CELL, (style.columns - 2) // most)
    lines = [f"  {style.bold(names.label(layout.zone))}"]
    for number, row in enumerate(layout.rows, 1):
        if cell < _NARROW:
            if any(row):
                words = [_word(place, names, numbers) for place in row]
                lines += style.listed(words, f"  {style.faint(f'{number}:')} ", indent=6)
            continue
        drawn = " ".join(_cell(place, names, numbers, cell - 1) for place in row).rstrip()
        lines += [" " * (2 + (most - len(row)) * cell // 2) + drawn] if drawn else []
    return lines


def _word(place: Place | None, names: Names, numbers: Mapping[str, int]) -> str:
    """Return the card at one place of a layout, for a row that is printed as a list."""
    if place is None:
        return names.style.faint(names.style.typed("–"))
    if not place.face:
        return names.style.faint(names.style.typed(_FACE_DOWN))
    if place.id in numbers:
        return f"{names.style.accent(str(numbers[place.id]))} {names.card(place.face)}"
    return names.card(place.face) if place.open else names.style.faint(f"({names.card(place.face)})")


_FACE_DOWN = "▒▒▒▒"
_NARROW = 12
"""The least number of columns in which a card at a place can be recognised."""
_CELL = 20
"""The largest number of columns for a place of a layout."""


def _cell(place: Place | None, names: Names, numbers: Mapping[str, int], columns: int) -> str:
    style = names.style
    if place is None:
        return " " * columns
    if not place.face:
        return style.faint(padded(style.typed(_FACE_DOWN), columns))
    if place.id in numbers:
        number = f"{numbers[place.id]} "
        rest = columns - len(number)
        return style.accent(number) + padded(cut(names.card(place.face), rest, style), rest)
    text = cut(names.card(place.face), columns - (0 if place.open else 2), style)
    return padded(text, columns) if place.open else style.faint(padded(f"({text})", columns))
