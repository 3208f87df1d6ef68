"""The table as one seat sees it: scores, tableaus, markers, chips, dice, piles and layouts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from draftengine.diagnostics.render.text import width_of
from draftengine.play.style import cut, padded, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from draftengine.engine.observe import Observation, ZoneView
    from draftengine.play.names import Names

_PLACE = re.compile(r"r(\d+)c(\d+)")


def heading(seen: Observation, names: Names) -> str:
    """Where in the game we are."""
    rounds = seen.program.model.rounds
    parts = [f"Round {seen.round} of {rounds}"] if rounds > 1 else []
    parts += [f"turn {seen.turn}"] if seen.turn else []
    return names.style.headline(names.style.typed(" · ").join(parts) or "The game", "─")


def table(seen: Observation, names: Names, *, without: str = "") -> list[str]:
    """A line for every seat (more if its tableau is long), then what belongs to nobody, but for one zone."""
    lines: list[str] = []
    for seat in range(seen.program.seats):
        lines += _seat(seen, seat, names)
    for view in (view for view in seen.zones if view.zone != without):
        if view.places:
            lines += ["", *layout(view, names, {})]
        elif view.owner < 0 and view.zone not in {"deck", "discard"} and view.size:
            lines.append(_pile(view, names))
    return lines


def _seat(seen: Observation, seat: int, names: Names) -> list[str]:
    style = names.style
    points = str(seen.scores[seat])
    title = padded(style.bold(names.seat(seat)), names.seat_columns)
    first = f"  {title}  {points:>3}  "
    entries = names.cards(seen.tableaus[seat]) or [style.faint(style.typed("–"))]
    lines = style.listed(entries, first)
    belongings = list(_belongings(seen, seat, names))
    if belongings:
        indent = " " * width_of(plain(first))
        for line in belongings:
            lines += style.wrapped([style.faint(word) for word in line.split()], len(indent), indent)
    return lines


def _belongings(seen: Observation, seat: int, names: Names) -> Iterator[str]:
    """Markers, counters that have a name of their own, chips, and zones of the seat other than its hand."""
    style = names.style
    told = [
        names.label(marker.id)
        for marker, holder in zip(seen.program.markers, seen.markers, strict=True)
        if holder == seat
    ]
    declared = {counter.id: counter.start for counter in seen.program.model.counters}
    told += [
        f"{names.label(field.name)} {field.read(seen.words[seat])}"
        for field in seen.program.fields
        if field.name in declared and field.read(seen.words[seat]) != declared[field.name]
    ]
    for pile in dict.fromkeys(pile for pile, _ in seen.chips[seat]):
        values = [value for name, value in seen.chips[seat] if name == pile]
        known = "+".join("?" if value is None else str(value) for value in values)
        told.append(style.typed(f"{names.label(pile)} chip ×{len(values)} ({known})"))
    if told:
        yield style.typed(" · ").join(told)
    for view in seen.zones:
        if view.owner == seat and view.zone != "hand" and view.size:
            yield _pile(view, names).strip()


def _pile(view: ZoneView, names: Names) -> str:
    cards = ", ".join(names.copies(name, count) for name, count in view.cards)
    unknown = view.size - sum(count for _, count in view.cards)
    hidden = f"{unknown} face down" if unknown else ""
    return f"  {names.label(view.zone)}: {' and '.join(part for part in (cards, hidden) if part)}"


def layout(view: ZoneView, names: Names, numbers: Mapping[str, int]) -> list[str]:
    """The cards of a layout row by row, each in its place; `numbers` stand before places that can be chosen.

    A card that something lies on stands in brackets; a card that is face down is a shade.
    """
    style = names.style
    zone = next(zone for zone in names.program.zones if zone.id == view.zone)
    rows: dict[int, list[str]] = {}
    for place in zone.layout:
        found = _PLACE.fullmatch(place.id)
        rows.setdefault(int(found.group(1)) if found else 0, []).append(place.id)
    most = max(map(len, rows.values()))
    cell = min(_CELL, (style.columns - 2) // most)
    lying = {place: (face, takeable) for place, face, takeable in view.places}
    lines = [f"  {style.bold(names.label(view.zone))}"]
    for _, places in sorted(rows.items()):
        cells = [_cell(place, lying.get(place), names, numbers, cell - 1) for place in places]
        lines.append(" " * (2 + (most - len(places)) * cell // 2) + " ".join(cells).rstrip())
    return lines


_CELL = 20
"""Columns that a place of a layout takes at most."""


def _cell(place: str, lying: tuple[str, bool] | None, names: Names, numbers: Mapping[str, int], columns: int) -> str:
    style = names.style
    if lying is None:
        return " " * columns
    face, takeable = lying
    if not face:
        return style.faint(padded(style.typed("▒▒▒▒"), columns))
    if place in numbers:
        number = f"{numbers[place]} "
        return style.accent(number) + padded(cut(names.card(face), columns - len(number), style), columns - len(number))
    text = cut(names.card(face), columns - (0 if takeable else 2), style)
    return padded(text, columns) if takeable else style.faint(padded(f"({text})", columns))
