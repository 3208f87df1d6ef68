"""Styles of card families: eight colours and eight patterns, so that colour is never the only sign.

Families, and cards without one, are numbered in the order of the card set. The ninth has the first colour again, with
another pattern.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.render.svg.markup import el

if TYPE_CHECKING:
    from draftengine.model.cardset.records import Card, CardSet


class Hue(Struct, frozen=True):
    """Colours of a family: for lines, for areas, and dark enough for white letters."""

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

_SCALES = "M0 16a8 8 0 0 1 16 0M3.5 16a4.5 4.5 0 0 1 9 0M-8 8a8 8 0 0 1 16 0M-4.5 8a4.5 4.5 0 0 1 9 0"
_RINGS = "M3 8a5 5 0 1 1 10 0a5 5 0 1 1 -10 0M6.8 8a1.2 1.2 0 1 1 2.4 0a1.2 1.2 0 1 1 -2.4 0"
_DROPS = "M4 1c3 3 3 5 0 8c-3 -3 -3 -5 0 -8zM12 10c3 3 3 5 0 8c-3 -3 -3 -5 0 -8z"
_DIAMONDS = "M7 3l4 4l-4 4l-4 -4zM0 -4l4 4l-4 4M14 -4l-4 4l4 4M0 10l4 4l-4 4M14 10l-4 4l4 4"


class PatternTile(Struct, frozen=True):
    """Tile of a pattern: a path whose strokes start at absolute points and continue relatively."""

    width: float
    height: float
    path: str
    filled: bool = False


_TILES = (
    PatternTile(8, 8, "M0 8l8 -8M-2 2l4 -4M6 10l4 -4"),
    PatternTile(16, 16, f"{_SCALES}M8 8a8 8 0 0 1 16 0M11.5 8a4.5 4.5 0 0 1 9 0"),
    PatternTile(
        12, 12, "M1.5 3a1.5 1.5 0 1 1 3 0a1.5 1.5 0 1 1 -3 0M7.5 9a1.5 1.5 0 1 1 3 0a1.5 1.5 0 1 1 -3 0", filled=True
    ),
    PatternTile(16, 16, _RINGS),
    PatternTile(8, 6.4, "M0 3.2l4 -3.2l4 3.2M0 9.6l4 -3.2l4 3.2"),
    PatternTile(16, 18, _DROPS),
    PatternTile(16, 10, "M0 .5h16M0 5.5h16M4 .5v5M12 5.5v5"),
    PatternTile(14, 14, _DIAMONDS),
)


def families(model: CardSet) -> dict[str, int]:
    """Return the family number of every card."""
    names = list(dict.fromkeys(_family(card) for card in model.cards))
    return {card.id: names.index(_family(card)) for card in model.cards}


def _family(card: Card) -> str:
    return card.family[0] if card.family else card.id


def hue_of(family: int) -> Hue:
    return HUES[family % len(HUES)]


def pattern_id(family: int) -> str:
    """Return the id of a family's pattern within a page."""
    return f"weave-{family % (len(HUES) * len(_TILES))}"


def pattern(family: int, scale: float = 0.2) -> str:
    """Return the pattern of a family, for the definitions of a picture, with its tile scaled by `scale`."""
    tile, hue = tile_of(family), hue_of(family)
    colours = {"fill": weave(hue)} if tile.filled else {"fill": "none", "stroke": weave(hue), "stroke_width": 1.2}
    return el(
        "pattern",
        el("rect", width=tile.width, height=tile.height, fill=hue.tint),
        el("path", d=tile.path, **colours),
        id=pattern_id(family),
        width=tile.width,
        height=tile.height,
        patternUnits="userSpaceOnUse",
        patternTransform=f"scale({scale})",
    )


def tile_of(family: int) -> PatternTile:
    return _TILES[(family + 3 * (family // len(HUES))) % len(_TILES)]


def weave(hue: Hue) -> str:
    """Return the colour of a pattern's lines, halfway between the area and the family's base colour."""
    return mixed(hue.base, hue.tint, 0.53)


def mixed(colour: str, other: str, share: float) -> str:
    """Return a mix of two colours, with `share` of the first."""
    pairs = ((int(colour[start : start + 2], 16), int(other[start : start + 2], 16)) for start in (1, 3, 5))
    return "#" + "".join(f"{round(one * share + two * (1 - share)):02x}" for one, two in pairs)
