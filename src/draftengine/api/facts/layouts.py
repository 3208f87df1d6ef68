"""Sentences about layouts: their rows, and the cards that can be taken."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.api.phrasing.phraser import CardSetPhraser
    from draftengine.model.cardset.records import LayoutPlace, Zone


def layouts_said(speech: CardSetPhraser) -> Iterator[str]:
    """Yield sentences about layouts, except those that are one row of open cards."""
    for zone in speech.model.zones:
        rows = _rows(zone)
        if len(rows) > 1 or any(place.face_down for place in zone.layout):
            keys = [("layout.row.down" if row[0].face_down else "layout.row", len(row)) for row in rows]
            named = [speech.phrase(key, cards=speech.phrase("cards", count=count), count=count) for key, count in keys]
            yield speech.phrase("layout.rows", zone=speech.zone(zone.id), list=speech.join_list(named))
        if _is_pyramid(zone):
            yield speech.phrase("layout.pyramid")
        if any(place.covered_by for place in zone.layout):
            down = any(place.face_down and place.covered_by for place in zone.layout)
            yield speech.phrase("layout.open.down" if down else "layout.open")


def _rows(zone: Zone) -> list[list[LayoutPlace]]:
    """Return the places by row. Their names have the form ``rRcC``."""
    rows: dict[str, list[LayoutPlace]] = {}
    for place in zone.layout:
        rows.setdefault(place.id.partition("c")[0], []).append(place)
    return list(rows.values())


def _is_pyramid(zone: Zone) -> bool:
    """True if each card lies under two neighbours of the row above, as in a pyramid."""
    covers = {place.id: set(place.covered_by) for place in zone.layout}
    rows = _rows(zone)
    return len(rows) > 1 and all(
        covers[place.id] == {cover.id for cover in above[index : index + 2]} and len(above) > index + 1
        for row, above in pairwise(rows)
        for index, place in enumerate(row)
    )
