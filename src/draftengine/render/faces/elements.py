"""The elements of printed cards, in millimetres: icons, fitted texts, footers, styles of families.

An icon is an outline, the author's sign or, without these, a monogram. Outlines are drawn in a square of 48 units:
``var(--t)`` is the tint of the family, ``var(--i)`` is ink, and ``var(--w)`` is paper. Eight colours and eight patterns
distinguish families, so that colour is never the only difference. Families, and cards without a family, are numbered in
the order of the card set. The ninth has the first colour again, but another pattern.
"""

from __future__ import annotations

import re
from bisect import bisect
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.json import decode

from draftengine.render.svg import el, fitted, number, width_of, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.model.cardset.records import Card, CardSet

INK, PAPER = "#2b2320", "#ffffff"
_VARIATION = "\ufe0f"


def icon(sign: str, label: str, tint: str, size: float, *, x: float = 0, y: float = 0) -> str:
    """Return the icon of a card as a square with its corner at `x`, `y`. A monogram is made from `label`."""
    return el("svg", _drawn(sign, label, tint), x=x, y=y, width=size, height=size, viewBox="-1 -1 50 50")


def placed(sign: str, label: str, tint: str, size: float, x: float, y: float) -> str:
    """Return the icon of a card as part of a drawing, in a square with its corner at `x` and `y`."""
    scale = size / _BOX
    to = f"translate({number(x + scale)} {number(y + scale)}) scale({number(scale)})"
    return el("g", _drawn(sign, label, tint), transform=to)


_MOST_DIGITS = 3
_NUMBERED = re.compile(r"(?:\s|[^\x00-\x7f×–−])(?P<last>\d{1,3})$|^(?P<first>\d{1,3})[^\x00-\x7f]$")
"""Matches a label whose number identifies the card: ``Water 17`` or ``17番``, but not ``Water ×2``."""
_BOX = 50
"""The side of an icon's box: a square of 48, plus lines of width 2."""


def _drawn(sign: str, label: str, tint: str) -> str:
    plain = "" if _NUMBERED.search(label) else sign.replace(_VARIATION, "")
    outline = _outlines().get(f"{ord(plain):x}", "") if len(plain) == 1 else ""
    drawn = outline.replace("var(--t)", tint).replace("var(--i)", INK).replace("var(--w)", PAPER)
    if not drawn:
        letters = monogram(label)
        printed = sign if sign and not _NUMBERED.search(label) else letters
        size, y = (26, 33) if len(printed) < _MOST_DIGITS else (20, 31)
        place = {"x": 24, "y": y, "text_anchor": "middle", "data_room": 40}
        other = {"data_letters": letters} if printed != letters else {}
        font = {"font_size": size, "font_weight": 700, "fill": INK, "font_family": SANS}
        text = el("text", escape(printed), **place, **font, **other)
        drawn = el("circle", cx=24, cy=24, r=22, fill=tint, stroke=INK, stroke_width=2) + text
    return el("g", drawn, stroke_width="2.2", stroke_linejoin="round", stroke_linecap="round")


SANS = "'Gill Sans', 'Gill Sans Nova', Candara, 'Noto Sans', 'DejaVu Sans', 'Noto Sans CJK JP', sans-serif"
SERIF = "'Palatino Linotype', Palatino, 'Book Antiqua', 'URW Palladio L', 'DejaVu Serif', 'Noto Serif CJK JP', serif"


@cache
def _outlines() -> dict[str, str]:
    """Return the drawings that this program has for icons, by the hexadecimal code point of the icon."""
    return decode(Path(__file__).with_name("outlines.json").read_bytes(), type=dict[str, str])


def monogram(label: str) -> str:
    """Return the short text that identifies a card: the number at the end of its label, or letters.

    The letters are the first letters of the first two words, or the first two letters of a single word.
    """
    numbered = _NUMBERED.search(label)
    if numbered:
        return numbered["last"] or numbered["first"]
    words = ["".join(sign for sign in word if sign.isalnum()) for word in label.split()]
    words = [word for word in words if word]
    if len(words) > 1:
        return words[0][0] + words[1][0]
    return words[0][:2] if words else "?"


WIDTH, HEIGHT, RIM = 63.0, 88.0, 3.0
"""The size of a card, and the width of its white border."""
WIDE, HIGH = WIDTH - 2 * RIM, HEIGHT - 2 * RIM
MIDDLE = WIDTH / 2
FOOT = 5.4
LINE, SMALL, LEAST, LEAST_SMALL = 2.97, 2.2, 2.83, 2.12
"""Font sizes in millimetres: of texts (8.4 points), of footers (6.2), and the least for both (8, 6)."""
LINES = (LINE, 2.72, 2.47)
"""Font sizes of the text on the front of a card in millimetres, from 8.4 down to 7 points."""
LEADING = 3.75 / LINE
"""The distance between two lines of a text, in font sizes."""
ROOM = WIDE - 5.0
BROAD = 1.1
"""The width of broad fallback fonts relative to the measured font; `BOLD` is that of bold letters."""
BOLD = 1.12
EDGE = 0.4
TITLE = 4.75


class CardFooter(Struct, frozen=True):
    """The footer of a card: number of copies, title and version."""

    left: str
    title: str
    version: str
    house: bool = False
    """True if the card belongs to a house rule. Such cards have a mark."""


def said(  # noqa: PLR0913 (a text has a place, a size and a look)
    text: str,
    x: float,
    y: float,
    size: float,
    room: float,
    *,
    anchor: str = "middle",
    bold: bool = False,
    fill: str = INK,
    family: str = SANS,
) -> str:
    """Return a text on one line. It is made smaller if it would be wider than `room`.

    The attribute `data-room` has the available width, for renderers that measure other fonts.
    """
    size = fitted(text, size, room / (BROAD * (BOLD if bold else 1)))
    return el(
        "text",
        escape(text),
        x=x,
        y=y,
        text_anchor=None if anchor == "start" else anchor,
        font_size=size,
        font_weight=700 if bold else None,
        font_family=family,
        fill=fill,
        data_room=room,
    )


def wrapped_to(text: str, size: float, room: float) -> list[str]:
    """Return a text in as few lines as possible, about equally long, that fit even in wider fonts."""
    least, most = 0.0, room / BROAD
    lines = wrapped(text, size, most)
    for _ in range(6):
        middle = (least + most) / 2
        closer = wrapped(text, size, middle)
        if len(closer) == len(lines) and all(width_of(line, size) <= middle for line in closer):
            most, lines = middle, closer
        else:
            least = middle
    return lines


def fitted_lines(text: str, size: float, room: float, *, most: int = 2) -> list[str]:
    """Return a title on one line if it stays readable, otherwise on up to `most` lines."""
    broad = room / (BROAD * BOLD)
    if width_of(text, size * 0.8) <= broad:
        return [text]
    lines = wrapped_to(text, size * 0.8, room / BOLD)
    return lines if len(lines) <= most else [*lines[: most - 1], " ".join(lines[most - 1 :])]


def clipped(text: str, size: float, room: float) -> str:
    """Return as much of a text as fits at a font size."""
    if width_of(text, size) * BROAD <= room:
        return text
    while text and width_of(f"{text}…", size) * BROAD > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


_ENDS = (re.compile("(?<=[.!?])(?= )|(?<=。)"), re.compile("(?= )|(?<=[^\x00-\u2e7f])"))
"""Places to cut a text: after a sentence or, if not even one fits, after a word."""


def text_of(text: str, high: float, mark: str) -> tuple[float, list[str]]:
    """Return the font size and the lines of a text that may be `high`: the largest size at which it fits.

    If it fits at no size, it is cut, and `mark` follows.
    """
    fitting = {size: int(high / (LEADING * size)) for size in LINES}
    text = beginning_of(text, LINES[-1], fitting[LINES[-1]], mark)
    for size, most in fitting.items():
        lines = wrapped_to(text, size, ROOM)
        if len(lines) <= most:
            break
    return size, lines


def beginning_of(text: str, size: float, most: int, mark: str = "", *, room: float = ROOM) -> str:
    """Return a text if it fits on `most` lines, or its longest beginning that fits with `mark` after it."""
    room /= BROAD
    if len(wrapped(text, size, room)) <= most:
        return text
    for ends in _ENDS:
        places = [end.start() for end in ends.finditer(text)]
        fitting = bisect(places, most, key=lambda end: len(wrapped(f"{text[:end]}{mark}", size, room)))
        if fitting:
            return f"{text[: places[fitting - 1]]}{mark}"
    return mark.strip()


def named(lines: Sequence[str], top: float, size: float = TITLE) -> list[str]:
    if len(lines) == 1:
        return [said(lines[0], MIDDLE, top + 6.1, size, ROOM, bold=True, fill=PAPER, family=SERIF)]
    return [
        said(line, MIDDLE, top + 5.0 + 4.9 * index, size * 0.82, ROOM, bold=True, fill=PAPER, family=SERIF)
        for index, line in enumerate(lines)
    ]


def block(lines: Sequence[str], top: float, size: float) -> list[str]:
    step = LEADING * size
    return [said(line, MIDDLE, top + step * (index + 0.75), size, ROOM + 2) for index, line in enumerate(lines)]


def foot_of(foot: CardFooter) -> list[str]:
    y = HEIGHT - RIM - 2.0
    left = clipped(foot.left, SMALL, 20)
    first = said(left, RIM + 2.5, y, SMALL, 20, anchor="start", fill="#4a413c")
    room = ROOM - width_of(left, SMALL) * BROAD - 0.4
    if not foot.house:
        whole = f"{foot.title} {foot.version}"
        right = whole if width_of(whole, SMALL) * BROAD <= room else clipped(foot.title, LEAST_SMALL, room)
        return [first, said(right, WIDTH - RIM - 2.5, y, SMALL, room, anchor="end", fill="#4a413c")]
    bold = BOLD * 1.06  # white letters next to the mark need some space
    room = (room - 5.2) / bold
    right = f"{clipped(foot.title, SMALL, room - width_of(f' {foot.version}', SMALL) * BROAD)} {foot.version}"
    room = width_of(right, SMALL) * BROAD * bold + 0.8
    end = WIDTH - RIM - 2.2
    x = end - room - 4.4
    house = f"M{x + 1.0:.2f} {y - 0.5:.2f}l1.15 -1.2l1.15 1.2v1.1h-0.8v-0.8h-0.7v0.8h-0.8z"
    return [
        first,
        rect(x, y - 2.2, end - x, 3.2, 0.8, fill=INK),
        el("path", d=house, fill=PAPER),
        said(right, end - 0.8, y, SMALL, room, anchor="end", bold=True, fill=PAPER),
    ]


def rect(x: float, y: float, width: float, height: float, radius: float = 0, **more: object) -> str:
    return el("rect", x=x, y=y, width=width, height=height, rx=radius or None, **more)


def line(x: float, y: float, colour: str) -> str:
    return el("rect", x=x, y=y - 0.13, width=WIDE, height=0.26, fill=colour)


class Hue(Struct, frozen=True):
    """The colours of a family: for lines, for areas, and one that is dark enough for white letters."""

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
    """The tile of a pattern: its size and a path.

    Each stroke of the path starts at an absolute point and continues with relative coordinates.
    """

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
    """Return, by card, the number of its family, which decides its colour and pattern."""
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
    """Return the pattern of a family, for the definitions of a drawing. Its tile is scaled by `scale`."""
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
    """Return the colour of a pattern's lines, halfway between a family's base colour and its tint."""
    return mixed(hue.base, hue.tint, 0.53)


def mixed(colour: str, other: str, share: float) -> str:
    """Return a mix of two colours, with `share` of the first."""
    pairs = ((int(colour[start : start + 2], 16), int(other[start : start + 2], 16)) for start in (1, 3, 5))
    return "#" + "".join(f"{round(one * share + two * (1 - share)):02x}" for one, two in pairs)
