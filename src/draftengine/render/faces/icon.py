"""The icon of a card: an outline, the author's sign, or a monogram where there is none."""

from __future__ import annotations

import re
from html import escape

from draftengine.render.faces.pictograms import OUTLINES
from draftengine.render.svg.markup import el, number

INK, PAPER = "#2b2320", "#ffffff"
_VARIATION = "\ufe0f"


def icon(sign: str, label: str, tint: str, size: float, *, x: float = 0, y: float = 0) -> str:
    """Return the icon of a card as a square with its corner at `x` and `y`; `label` gives the monogram."""
    return el("svg", _drawn(sign, label, tint), x=x, y=y, width=size, height=size, viewBox="-1 -1 50 50")


def placed(sign: str, label: str, tint: str, size: float, x: float, y: float) -> str:
    """Return the icon of a card as a group in a drawing, in a square with its corner at `x` and `y`."""
    scale = size / _BOX
    to = f"translate({number(x + scale)} {number(y + scale)}) scale({number(scale)})"
    return el("g", _drawn(sign, label, tint), transform=to)


_MOST_DIGITS = 3
_NUMBERED = re.compile(rf"(?:\s|[^\x00-\x7f×–−])(\d{{1,{_MOST_DIGITS}}})$")
"""A label whose final number distinguishes the card from similar ones: ``Water 17``, not ``Water ×2``."""
_BOX = 50
"""Side of the box of an icon: a square of 48, and lines of width 2."""


def _drawn(sign: str, label: str, tint: str) -> str:
    outline = "" if _NUMBERED.search(label) else _outline(sign)
    drawn = outline.replace("var(--t)", tint).replace("var(--i)", INK).replace("var(--w)", PAPER)
    if not drawn:
        letters = monogram(label)
        printed = sign if sign and not _NUMBERED.search(label) else letters
        size, y = (26, 33) if len(printed) < _MOST_DIGITS else (20, 31)
        place = {"x": 24, "y": y, "text_anchor": "middle"}
        other = {"data_letters": letters} if printed != letters else {}
        font = {"font_size": size, "font_weight": 700, "fill": INK, "font_family": SANS}
        text = el("text", escape(printed), **place, **font, **other)
        drawn = el("circle", cx=24, cy=24, r=22, fill=tint, stroke=INK, stroke_width=2) + text
    return el("g", drawn, stroke_width="2.2", stroke_linejoin="round", stroke_linecap="round")


SANS = "'Gill Sans', 'Gill Sans Nova', Candara, 'Noto Sans', 'DejaVu Sans', 'Noto Sans CJK JP', sans-serif"
SERIF = "'Palatino Linotype', Palatino, 'Book Antiqua', 'URW Palladio L', 'DejaVu Serif', 'Noto Serif CJK JP', serif"


def _outline(sign: str) -> str:
    plain = sign.replace(_VARIATION, "")
    return OUTLINES.get(f"{ord(plain):x}", "") if len(plain) == 1 else ""


def monogram(label: str) -> str:
    """Return the short text that identifies a card: the number at the end of its label, or letters.

    They are the first letters of the first two words, or the first two of the only word.
    """
    numbered = _NUMBERED.search(label)
    if numbered:
        return numbered[1]
    words = ["".join(sign for sign in word if sign.isalnum()) for word in label.split()]
    words = [word for word in words if word]
    if len(words) > 1:
        return words[0][0] + words[1][0]
    return words[0][:2] if words else "?"
