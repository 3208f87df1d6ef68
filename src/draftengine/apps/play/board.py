"""The table as one seat sees it: scores, tableaus, markers, chips, dice, piles and layouts."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from draftengine.api.labels import card_in
from draftengine.api.records import DECK, DISCARD, HAND
from draftengine.api.view import TABLE
from draftengine.apps.play.terminal_style import cut, padded, plain
from draftengine.model.diagnostics.render.text import width_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from draftengine.api.records import Zone
    from draftengine.api.view import SeatItem, View
    from draftengine.apps.play.labels import Names

_PLACE = re.compile(r"r(\d+)c(\d+)")


def heading(view: View, names: Names) -> str:
    """Return the headline with the current round and turn."""
    rounds = view.game.model.rounds
    parts = [names.say("now.round", number=view.round, rounds=rounds)] if rounds > 1 else []
    turn = "now.turn" if view.turns else "now.turn.open"
    parts += [names.say(turn, number=view.turn, turns=view.turns)] if view.turn else []
    return names.style.headline(names.style.typed(" · ").join(parts) or names.say("now.game"), "─")


def table(view: View, names: Names, *, without: str = "") -> list[str]:
    """Return the lines of each seat, then those of the table; the zone `without` is left out."""
    lines: list[str] = []
    for seat in range(view.game.seats):
        lines += _seat(view, seat, names)
    for zone in (zone for zone in view.zones if zone.zone != without):
        if zone.places:
            lines += ["", *layout(zone, names, {})]
        elif zone.owner < 0 and zone.zone not in {DECK, DISCARD} and zone.size:
            lines.append(f"  {pile_of(zone, names)}")
    lines += [f"  {_belonging(belonging, names)}" for belonging in view.belongings(TABLE)]
    return lines


def _seat(view: View, seat: int, names: Names) -> list[str]:
    style = names.style
    title = padded(style.bold(names.seat(seat)), names.seat_columns)
    first = f"  {title}  {style.number(view.scores[seat]):>3}  "
    entries = _tableau(view, seat, names) or [style.faint(style.typed("–"))]
    wide = width_of(plain(first))
    if wide > style.columns // 2:  # give the cards lines of their own
        lines, wide = [first.rstrip(), *style.listed(entries, " " * 4)], 4
    else:
        lines = style.listed(entries, first)
    for line in _belongings(view, seat, names):
        if width_of(plain(lines[-1])) + width_of(line) + _GAP <= style.columns:
            lines[-1] += f"{' ' * _GAP}{style.faint(line)}"
        else:
            lines += style.wrapped([style.faint(word) for word in style.unbroken(line)], wide, " " * wide)
    return lines


_GAP = 3
"""The number of columns between a seat's cards and its other belongings, where both fit on one line."""


def _tableau(view: View, seat: int, names: Names) -> list[str]:
    """Return the cards in front of a seat in order of play; modifiers with free slots are marked as open."""
    waiting = Counter(view.waiting_cards(seat))
    entries: list[str] = []
    for name in reversed(view.tableaus[seat]):
        card = card_in(name)
        if waiting[card] > 0:
            waiting[card] -= 1
            entries.append(f"{names.card(name)} {names.style.accent(names.say('lies.open'))}")
        else:
            entries.append(names.card(name))
    return [names.copies_of(entry, count) for entry, count in Counter(reversed(entries)).items()]


def _belongings(view: View, seat: int, names: Names) -> Iterator[str]:
    """Yield the markers, counters and chips of a seat as one line, then its zones other than the hand."""
    style = names.style
    parts = [_belonging(belonging, names) for belonging in view.belongings(seat) if belonging.kind != "chip"]
    for pile in dict.fromkeys(pile for pile, _ in view.chips[seat]):
        values = [value for name, value in view.chips[seat] if name == pile]
        known = "+".join("?" if value is None else str(value) for value in values)
        parts.append(names.say("lies.chips", pile=names.label(pile), count=len(values), values=known))
    if parts:
        yield style.typed(" · ").join(parts)
    for zone in view.zones:
        if zone.owner == seat and zone.zone != HAND and zone.size:
            yield pile_of(zone, names)


def _belonging(belonging: SeatItem, names: Names) -> str:
    return (
        names.label(belonging.thing) if belonging.value is None else f"{names.label(belonging.thing)} {belonging.value}"
    )


def pile_of(zone: Zone, names: Names) -> str:
    """Return a zone's name and its cards."""
    return f"{names.label(zone.zone)}: {cards_of(zone, names)}"


def cards_of(zone: Zone, names: Names) -> str:
    """Return the known cards of a zone, then the number of unknown ones."""
    cards = ", ".join(names.copies(name, count) for name, count in zone.cards)
    unknown = zone.size - sum(count for _, count in zone.cards)
    hidden = names.say("lies.face_down", count=unknown) if unknown else ""
    return names.join_list([part for part in (cards, hidden) if part])


def layout(zone: Zone, names: Names, numbers: Mapping[str, int]) -> list[str]:
    """Return a layout row by row; `numbers` are shown before the places that can be chosen.

    Cards are drawn at their places if the terminal is wide enough; otherwise each row becomes a list. Covered cards are
    in brackets, face-down cards are shaded.
    """
    style = names.style
    places_of = {declared.id: declared.layout for declared in names.game.model.zones}
    rows: dict[int, list[str]] = {}
    for place in places_of[zone.zone]:
        match = _PLACE.fullmatch(place.id)
        rows.setdefault(int(match.group(1)) if match else 0, []).append(place.id)
    most = max(map(len, rows.values()))
    cell = min(_CELL, (style.columns - 2) // most)
    lying = {place: (face, takeable) for place, face, takeable in zone.places}
    lines = [f"  {style.bold(names.label(zone.zone))}"]
    for row, places in sorted(rows.items()):
        if cell < _NARROW:
            if any(place in lying for place in places):
                words = [_word(lying.get(place), names, numbers.get(place)) for place in places]
                lines += style.listed(words, f"  {style.faint(f'{row}:')} ", indent=6)
            continue
        cells = [_cell(place, lying.get(place), names, numbers, cell - 1) for place in places]
        drawn = " ".join(cells).rstrip()
        lines += [" " * (2 + (most - len(places)) * cell // 2) + drawn] if drawn else []
    return lines


def _word(card: tuple[str, bool] | None, names: Names, number: int | None) -> str:
    """Return the card at one place of a layout, for a row that is printed as a list."""
    if card is None:
        return names.style.faint(names.style.typed("–"))
    face, takeable = card
    if not face:
        return names.style.faint(names.style.typed(_FACE_DOWN))
    if number is not None:
        return f"{names.style.accent(str(number))} {names.card(face)}"
    return names.card(face) if takeable else names.style.faint(f"({names.card(face)})")


_FACE_DOWN = "▒▒▒▒"
_NARROW = 12
"""The least number of columns in which a card at a place can be recognised."""
_CELL = 20
"""The largest number of columns for a place of a layout."""


def _cell(place: str, lying: tuple[str, bool] | None, names: Names, numbers: Mapping[str, int], columns: int) -> str:
    style = names.style
    if lying is None:
        return " " * columns
    face, takeable = lying
    if not face:
        return style.faint(padded(style.typed(_FACE_DOWN), columns))
    if place in numbers:
        number = f"{numbers[place]} "
        return style.accent(number) + padded(cut(names.card(face), columns - len(number), style), columns - len(number))
    text = cut(names.card(face), columns - (0 if takeable else 2), style)
    return padded(text, columns) if takeable else style.faint(padded(f"({text})", columns))
