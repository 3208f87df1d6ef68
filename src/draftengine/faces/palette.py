"""How families of cards are told apart: eight colours and eight patterns, never by colour alone.

Families, and cards without one, are numbered in the order of the card set. The ninth has the first colour again, but
another pattern.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.drawing.markup import el

if TYPE_CHECKING:
    from draftengine.cardset.model import Card, CardSet


class Hue(Struct, frozen=True):
    """The colours of a family: for lines, for areas, and dark enough for white letters."""

    base: str
    tint: str
    deep: str


HUES = (
    Hue("#d9822b", "#f6c992", "#7a430d"),
    Hue("#2f6f9f", "#a9cfe8", "#123a58"),
    Hue("#8a5a9e", "#d9c2e4", "#47265a"),
    Hue("#b8324a", "#f0a9b5", "#66101f"),
    Hue("#1d7f74", "#9fd8cf", "#0b423c"),
    Hue("#5c8f22", "#c6e29d", "#2e4c0a"),
    Hue("#7b6755", "#d9cbb9", "#3f3328"),
    Hue("#c2598f", "#f2bfd8", "#641f45"),
)

_LINES = 'fill="none" stroke="{0}" stroke-width="1.2"'
_SCALES = "M0 16a8 8 0 0 1 16 0M3.5 16a4.5 4.5 0 0 1 9 0M-8 8a8 8 0 0 1 16 0M-4.5 8a4.5 4.5 0 0 1 9 0"
_DIAMONDS = "M7 3l4 4-4 4-4-4zM0-4l4 4-4 4M14-4l-4 4 4 4M0 10l4 4-4 4M14 10l-4 4 4 4"
_TILES: tuple[tuple[float, float, str], ...] = (
    (8, 8, f'<path d="M0 8l8-8M-2 2l4-4M6 10l4-4" {_LINES}/>'),
    (16, 16, f'<path d="{_SCALES}M8 8a8 8 0 0 1 16 0M11.5 8a4.5 4.5 0 0 1 9 0" {_LINES}/>'),
    (12, 12, '<circle cx="3" cy="3" r="1.5" fill="{0}"/><circle cx="9" cy="9" r="1.5" fill="{0}"/>'),
    (16, 16, f'<circle cx="8" cy="8" r="5" {_LINES}/><circle cx="8" cy="8" r="1.8" fill="{{0}}"/>'),
    (8, 6.4, f'<path d="M0 3.2L4 0L8 3.2M0 9.6L4 6.4L8 9.6" {_LINES}/>'),
    (16, 18, f'<path d="M4 1c3 3 3 5 0 8-3-3-3-5 0-8zM12 10c3 3 3 5 0 8-3-3-3-5 0-8z" {_LINES}/>'),
    (16, 10, f'<path d="M0 .5h16M0 5.5h16M4 .5v5M12 5.5v5" {_LINES}/>'),
    (14, 14, f'<path d="{_DIAMONDS}" {_LINES}/>'),
)
"""The tiles of the patterns: width, height, drawing."""


def families(model: CardSet) -> dict[str, int]:
    """The number of every card's family."""
    names = list(dict.fromkeys(_family(card) for card in model.cards))
    return {card.id: names.index(_family(card)) for card in model.cards}


def _family(card: Card) -> str:
    return card.family[0] if card.family else card.id


def hue_of(family: int) -> Hue:
    return HUES[family % len(HUES)]


def pattern_id(family: int) -> str:
    """The name of a family's pattern within a page."""
    return f"weave-{family % (len(HUES) * len(_TILES))}"


def pattern(family: int, scale: float = 0.2) -> str:
    """The pattern of a family, for the definitions of a picture; the tile is `scale` times as large as drawn."""
    shift = family // len(HUES)
    wide, high, drawn = _TILES[(family + 3 * shift) % len(_TILES)]
    hue = hue_of(family)
    return el(
        "pattern",
        el("rect", width=wide, height=high, fill=hue.tint),
        drawn.replace("{0}", f"{hue.base}88"),
        id=pattern_id(family),
        width=wide,
        height=high,
        patternUnits="userSpaceOnUse",
        patternTransform=f"scale({scale})",
    )
