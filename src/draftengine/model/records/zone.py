"""Zones of cards, and the places of a layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from draftengine.model.records.values import Texts
    from draftengine.support.source import Span


class LayoutPlace(Struct, frozen=True):
    """One place of a layout: its name ``rRcC``, whether it starts face down, and the places that cover it."""

    id: str
    face_down: bool
    covered_by: tuple[str, ...]


class Zone(Struct, frozen=True):
    id: str
    per: Literal["seat", "table"]
    seen_by: Literal["nobody", "owner", "everyone"]
    layout: tuple[LayoutPlace, ...]
    label: Texts
    span: Span
    counts: bool = False
    """True if its cards add to the counters of their seat, as those in a tableau do."""
