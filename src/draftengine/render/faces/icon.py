"""The icon of a card: an outline, the author's sign, or a monogram where there is none.

Outlines are drawn in a square of 48: ``var(--t)`` is the tint of the family, ``var(--i)`` ink, ``var(--w)`` paper.
"""

from __future__ import annotations

import re
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.render.svg.markup import el, number

if TYPE_CHECKING:
    from collections.abc import Mapping

OUTLINES: Mapping[str, str] = MappingProxyType(
    {
        "1f364": (
            '<path fill="var(--t)" stroke="var(--i)" d="M10 31c-2-11 6-21 18-21 8 0 13 5 13 11 0 4-3 7-7 7-3'
            ' 0-5-2-6-4-5 0-9 3-9 8z"/>'
            '<path fill="var(--w)" stroke="var(--i)" d="M10 31l-6 8 8 0 1 6 6-10-1-4z"/>'
            '<path fill="none" stroke="var(--i)" d="M17.5 13.5l4 8M25 10.3l2 9M33 11.5l-2.5 8.5M12 21l8 5"/>'
            '<circle fill="var(--i)" cx="37" cy="19" r="1.7"/>'
            '<path fill="none" stroke="var(--i)" d="M40 17c3-2 5-5 5-9M41 20c3 0 5-2 6-4"/>'
        ),
        "1f41f": (
            '<path fill="var(--t)" stroke="var(--i)" d="M4 25c6-9 14-12 21-11 6 1 10 5 13 9l7-7c1 6 1 12 0'
            ' 18l-7-7c-4 6-9 9-15 9-8 0-14-4-19-11z"/>'
            '<path fill="var(--w)" stroke="var(--i)" d="M4 25c6-9 14-12 18-11-4 6-4 16 0 22-8 0-13-4-18-11z"/>'
            '<circle fill="var(--i)" cx="13" cy="23" r="2"/>'
            '<path fill="none" stroke="var(--i)" d="M27 20q4 5 0 10M33 22q3 3 0 6"/>'
        ),
        "1f95f": (
            '<path fill="var(--w)" stroke="var(--i)" d="M4 33C4 20 13 11 24 11s20 9 20 22c-6 4-34 4-40 0z"/>'
            '<path fill="var(--t)" stroke="var(--i)" d="M4 33c4-3 36-3 40 0-1 3-8 5-20 5S5 36 4 33z"/>'
            '<path fill="none" stroke="var(--i)" d="M24 11c-1 5-3 8-6 11M15 14c0 5-2 9-5 12M33 14c0 5 2 9 5'
            ' 12M24 11c1 5 3 8 6 11"/>'
        ),
        "1f363": (
            '<circle fill="var(--i)" cx="24" cy="24" r="20"/>'
            '<circle fill="var(--w)" stroke="var(--i)" cx="24" cy="24" r="15"/>'
            '<path fill="var(--t)" stroke="var(--i)" d="M24 15c6 0 9 4 9 9s-3 9-9 9-9-4-9-9 3-9 9-9z"/>'
            '<path fill="none" stroke="var(--i)" d="M24 15v9l7 6M24 24l-8 4"/>'
            '<circle fill="var(--i)" cx="16" cy="14.5" r="1"/><circle fill="var(--i)" cx="34" cy="16" r="1"/>'
            '<circle fill="var(--i)" cx="12" cy="26" r="1"/><circle fill="var(--i)" cx="35.500" cy="31" r="1"/>'
            '<circle fill="var(--i)" cx="20" cy="36" r="1"/>'
        ),
        "1f95a": (
            '<path fill="var(--w)" stroke="var(--i)" d="M24 5c9 0 16 13 16 22 0 10-7 16-16 16S8 37 8 27C8 18 15'
            ' 5 24 5z"/><circle fill="var(--t)" stroke="var(--i)" cx="24" cy="28" r="9"/>'
            '<path fill="none" stroke="var(--i)" d="M19 27c0-3 2-5 5-5"/>'
        ),
        "1f359": (
            '<path fill="var(--w)" stroke="var(--i)" d="M24 5c5 0 19 24 19 31 0 5-3 7-8 7H13c-5 0-8-2-8-7C5 29'
            ' 19 5 24 5z"/><path fill="var(--i)" d="M16 28h16v15H16z"/>'
            '<path fill="var(--t)" stroke="var(--i)" d="M24 12c2 0 5 4 6 7-3 2-9 2-12 0 1-3 4-7 6-7z"/>'
        ),
        "1f991": (
            '<path fill="var(--t)" stroke="var(--i)" d="M24 3c6 6 11 11 11 15 0 3-3 3-5 3v9H18v-9c-2 0-5 0-5-3'
            ' 0-4 5-9 11-15z"/><circle fill="var(--w)" stroke="var(--i)" cx="20.500" cy="24.500" r="2.600"/>'
            '<circle fill="var(--w)" stroke="var(--i)" cx="27.500" cy="24.500" r="2.600"/>'
            '<path fill="none" stroke="var(--i)" d="M18 30c0 5-2 7-6 9M21 30c0 7-1 10-3 14M24 30v14M27 30c0 7 1'
            ' 10 3 14M30 30c0 5 2 7 6 9"/>'
        ),
        "1f33f": (
            '<path fill="none" stroke="var(--i)" d="M24 45V18"/>'
            '<path fill="var(--t)" stroke="var(--i)" d="M24 20C17 18 14 12 24 3c10 9 7 15 0 17z"/>'
            '<path fill="var(--w)" stroke="var(--i)" d="M24 31C13 33 7 29 5 19c11-1 18 3 19 12z"/>'
            '<path fill="var(--w)" stroke="var(--i)" d="M24 31c11 2 17-2 19-12-11-1-18 3-19 12z"/>'
            '<path fill="var(--t)" stroke="var(--i)" d="M24 43c-8 2-13-1-15-8 8-1 14 2 15 8zM24 43c8 2 13-1'
            ' 15-8-8-1-14 2-15 8z"/>'
        ),
        "1f962": (
            '<path fill="var(--t)" stroke="var(--i)" d="M9 4l5-1 18 39-3 2z"/>'
            '<path fill="var(--w)" stroke="var(--i)" d="M39 4l-5-1-18 39 3 2z"/>'
            '<path fill="none" stroke="var(--i)" d="M12 11l5-2M36 11l-5-2"/>'
        ),
        "1f36e": (
            '<path fill="var(--w)" stroke="var(--i)" d="M3 38h42c-1 4-5 6-9 6H12c-4 0-8-2-9-6z"/>'
            '<path fill="var(--t)" stroke="var(--i)" d="M13 14h22l6 24H7z"/>'
            '<path fill="var(--i)" d="M13 14c0-4 5-6 11-6s11 2 11 6l1.500 6c-2 3-4 0-6-1-2 3-3 7-5 2-2-2-3 1-5'
            ' 2-2 0-2-4-4-4s-3 3-5 1z"/>'
        ),
        "1f353": (
            '<path fill="var(--t)" stroke="var(--i)" d="M24 45C13 40 7 29 8 20c1-6 8-8 16-8s15 2 16 8c1 9-5'
            ' 20-16 25z"/>'
            '<path fill="var(--w)" stroke="var(--i)" d="M24 14c-4 4-9 3-12 0 3-3 7-4 10-3l-1-7h6l-1 7c3-1 7 0 10'
            ' 3-3 3-8 4-12 0z"/>'
            '<path fill="none" stroke="var(--i)" d="M17 23v1.500M24 21v1.500M31 23v1.500M20 30v1.500M28'
            ' 30v1.500M24 37v1.500"/>'
        ),
        "1f366": (
            '<path fill="var(--w)" stroke="var(--i)" d="M12 25l12 20 12-20z"/>'
            '<path fill="var(--t)" stroke="var(--i)" d="M9 25c0-4 3-6 5-6-1-4 2-7 5-7 0-4 3-8 7-9 1 3 0 5 2 7 4'
            ' 0 6 4 5 8 4 0 6 3 6 7z"/><path fill="none" stroke="var(--i)" d="M17 28l12 8M31 28l-12 8"/>'
        ),
        "1f9cb": (
            '<path fill="var(--w)" stroke="var(--i)" d="M11 15h26l-4 30H15z"/>'
            '<path fill="var(--t)" stroke="var(--i)" d="M12.500 24h23L33 45H15z"/>'
            '<path fill="var(--w)" stroke="var(--i)" d="M9 11h30v4H9z"/>'
            '<path fill="none" stroke="var(--i)" d="M26 11l4-9h5"/><g fill="var(--i)">'
            '<circle cx="19" cy="40" r="2"/><circle cx="25" cy="41" r="2"/><circle cx="29" cy="37" r="2"/>'
            '<circle cx="22" cy="35" r="2"/></g>'
        ),
        "1f361": (
            '<path fill="none" stroke="var(--i)" d="M8 42L42 8"/>'
            '<circle fill="var(--t)" stroke="var(--i)" cx="34" cy="14" r="8"/>'
            '<circle fill="var(--w)" stroke="var(--i)" cx="24" cy="24" r="8"/>'
            '<circle fill="var(--t)" stroke="var(--i)" cx="14" cy="34" r="8"/>'
        ),
        "1f7e0": (
            '<g fill="var(--t)" stroke="var(--i)"><circle cx="16" cy="18" r="8"/><circle cx="32" cy="17" r="8"/>'
            '<circle cx="24" cy="31" r="9"/></g><g fill="var(--w)" stroke="none">'
            '<circle cx="13.500" cy="15.500" r="2"/><circle cx="29.500" cy="14.500" r="2"/>'
            '<circle cx="21" cy="28" r="2.200"/></g>'
        ),
        "1f990": (
            '<path fill="var(--t)" stroke="var(--i)" d="M38 16c-8-8-24-6-28 6-3 10 4 19 14 19 4 0 7-2'
            ' 7-5s-3-4-6-4c-5 0-8-3-7-7 1-5 7-6 11-4 5 2 9 0 9-5z"/>'
            '<path fill="var(--w)" stroke="var(--i)" d="M29 36l10-1-3 5 3 5-10-3z"/>'
            '<path fill="none" stroke="var(--i)" d="M20 12l2 8M12 20l7 4M12 32l7-3M37 15l8-7M38 17l9-2"/>'
            '<circle fill="var(--i)" cx="32" cy="15" r="1.600"/>'
        ),
        "1f952": (
            '<path fill="var(--i)" stroke="var(--i)" d="M24 3c11 0 20 9 20 21s-9 21-20 21S4 36 4 24 13 3 24 3z"/>'
            '<circle fill="var(--w)" stroke="var(--i)" cx="24" cy="24" r="16"/>'
            '<circle fill="var(--t)" stroke="var(--i)" cx="24" cy="24" r="9"/><g fill="var(--i)">'
            '<circle cx="21" cy="21" r="1.200"/><circle cx="27" cy="21" r="1.200"/>'
            '<circle cx="24" cy="27" r="1.200"/></g>'
        ),
        "1f371": (
            '<rect fill="var(--w)" stroke="var(--i)" x="4" y="8" width="40" height="32" rx="4"/>'
            '<path fill="none" stroke="var(--i)" d="M24 8v32M4 24h20M24 20h20"/>'
            '<circle fill="var(--t)" stroke="var(--i)" cx="14" cy="16" r="4.500"/>'
            '<path fill="var(--t)" stroke="var(--i)" d="M9 36l5-8 5 8zM28 14h12"/>'
            '<path fill="var(--i)" stroke="var(--i)" d="M29 26h10v9H29z"/>'
        ),
        "1f963": (
            '<path fill="none" stroke="var(--i)" d="M17 16c-3-4 3-6 0-10M25 16c-3-4 3-6 0-10M33 16c-3-4 3-6'
            ' 0-10"/>'
            '<path fill="var(--t)" stroke="var(--i)" d="M4 20h40c0 6-2 11-7 15l-2 6H13l-2-6c-5-4-7-9-7-15z"/>'
            '<path fill="var(--w)" stroke="var(--i)" d="M4 20h40v5H4.500z"/>'
        ),
        "1f375": (
            '<path fill="none" stroke="var(--i)" d="M18 14c-3-4 3-6 0-10M26 14c-3-4 3-6 0-10"/>'
            '<path fill="var(--w)" stroke="var(--i)" d="M8 18h30v14c0 7-6 11-15 11S8 39 8 32z"/>'
            '<path fill="var(--t)" stroke="var(--i)" d="M8 18h30v6c-6 4-24 4-30 0z"/>'
        ),
        "1f368": (
            '<path fill="var(--t)" stroke="var(--i)" d="M10 24c0-5 4-8 7-8 1-7 4-12 8-12s7 5 8 12c4 0 6 4 6 8z"/>'
            '<path fill="var(--w)" stroke="var(--i)" d="M6 24h36l-6 14H12zM16 38h16l3 6H13z"/>'
        ),
        "1f32f": (
            '<path fill="var(--t)" stroke="var(--i)" d="M14 18L34 8c4 3 7 8 8 13L18 45C11 43 6 39 5 32z"/>'
            '<path fill="var(--i)" stroke="var(--i)" d="M13 20L5 32c1 7 6 11 13 13l8-8z"/>'
            '<path fill="var(--w)" stroke="var(--i)" d="M22 14c2-5 8-9 12-6 5 0 8 7 8 13-6 2-16-1-20-7z"/>'
        ),
        "1f40d": (
            '<path fill="none" stroke="var(--i)" stroke-width="9" d="M8 36c6 6 14 6 16-1 2-8-8-9-7-16 1-6 10-9'
            ' 18-4"/>'
            '<path fill="none" stroke="var(--t)" stroke-width="5" d="M8 36c6 6 14 6 16-1 2-8-8-9-7-16 1-6 10-9'
            ' 18-4"/><circle fill="var(--i)" cx="34" cy="14" r="1.500"/>'
        ),
        "2b1c": (
            '<path fill="var(--w)" stroke="var(--i)" d="M6 16l14-8 22 4-14 8z"/>'
            '<path fill="var(--t)" stroke="var(--i)" d="M6 16l22 4v22L6 37z"/>'
            '<path fill="var(--w)" stroke="var(--i)" d="M28 20l14-8v21l-14 9z"/>'
        ),
        "1f358": (
            '<circle fill="var(--w)" stroke="var(--i)" cx="24" cy="24" r="20"/>'
            '<path fill="var(--i)" d="M15 24h18v18.500a20 20 0 0 1-18 0z"/>'
            '<circle fill="var(--t)" stroke="var(--i)" cx="24" cy="15" r="5"/>'
        ),
        "1f7eb": (
            '<rect fill="var(--w)" stroke="var(--i)" x="6" y="6" width="36" height="36" rx="5"/>'
            '<path fill="var(--i)" d="M15 24h18v18H15z"/>'
            '<circle fill="var(--t)" stroke="var(--i)" cx="24" cy="15" r="4.500"/>'
        ),
        "1f376": (
            '<path fill="var(--w)" stroke="var(--i)" d="M16 4h10v8c5 3 7 8 7 14 0 9-2 15-4 18H13c-2-3-4-9-4-18'
            ' 0-6 2-11 7-14z"/><path fill="var(--t)" stroke="var(--i)" d="M10 24h23v8H10z"/>'
            '<path fill="var(--w)" stroke="var(--i)" d="M34 34h9l-1.500 10h-6z"/>'
        ),
        "1f349": (
            '<path fill="var(--w)" stroke="var(--i)" d="M4 14h40c0 14-8 26-20 26S4 28 4 14z"/>'
            '<path fill="var(--t)" stroke="var(--i)" d="M9 14h30c0 11-6 20-15 20S9 25 9 14z"/><g fill="var(--i)">'
            '<circle cx="18" cy="19" r="1.500"/><circle cx="26" cy="22" r="1.500"/>'
            '<circle cx="32" cy="18" r="1.500"/><circle cx="22" cy="27" r="1.500"/></g>'
        ),
        "1f369": (
            '<circle fill="var(--t)" stroke="var(--i)" cx="24" cy="24" r="19"/>'
            '<circle fill="var(--w)" stroke="var(--i)" cx="24" cy="24" r="6"/>'
            '<path fill="none" stroke="var(--i)" d="M12 19l3-2M19 11l3 1M30 12l2 2M36 21l1 3M33 33l-3 2M22 37l-3-1M12'
            ' 29l1 3"/>'
        ),
        "2b55": (
            '<circle fill="var(--t)" stroke="var(--i)" cx="24" cy="24" r="19"/>'
            '<circle fill="var(--w)" stroke="var(--i)" cx="24" cy="24" r="9"/>'
        ),
        "1f7e4": (
            '<circle fill="var(--t)" stroke="var(--i)" cx="15" cy="31" r="10"/>'
            '<circle fill="var(--t)" stroke="var(--i)" cx="33" cy="31" r="10"/>'
            '<circle fill="var(--w)" stroke="var(--i)" cx="24" cy="15" r="10"/>'
        ),
        "2744": (
            '<path fill="none" stroke="var(--i)" d="M24 4v40M7 14l34 20M41 14L7 34M19 7l5 5 5-5M19 41l5-5 5 5M8 20l7-2'
            '-1-7M40 28l-7 2 1 7M40 20l-7-2 1-7M8 28l7 2-1 7"/>'
            '<circle fill="var(--t)" stroke="var(--i)" cx="24" cy="24" r="5"/>'
        ),
        "1f347": (
            '<path fill="none" stroke="var(--i)" d="M24 12c0-4 2-7 6-9"/>'
            '<path fill="var(--w)" stroke="var(--i)" d="M24 11c4-4 9-4 13-1-3 4-8 5-13 1z"/>'
            '<circle fill="var(--t)" stroke="var(--i)" cx="14" cy="18" r="6"/>'
            '<circle fill="var(--t)" stroke="var(--i)" cx="34" cy="18" r="6"/>'
            '<circle fill="var(--t)" stroke="var(--i)" cx="24" cy="18" r="6"/>'
            '<circle fill="var(--t)" stroke="var(--i)" cx="19" cy="28" r="6"/>'
            '<circle fill="var(--t)" stroke="var(--i)" cx="29" cy="28" r="6"/>'
            '<circle fill="var(--t)" stroke="var(--i)" cx="24" cy="38" r="6"/>'
        ),
        "1f967": (
            '<path fill="var(--w)" stroke="var(--i)" d="M8 26h32l-5 14H13z"/>'
            '<path fill="var(--t)" stroke="var(--i)" d="M4 26c2-11 10-17 20-17s18 6 20 17c-4 4-8-1-10 1s-6 2-10 0-6'
            ' 1-10 0-6 3-10-1z"/>'
            '<path fill="none" stroke="var(--i)" d="M18 15l-2 5M24 14v6M30 15l2 5"/>'
        ),
        "1f341": (
            '<path fill="var(--t)" stroke="var(--i)" d="M24 4l4 8 6-3-2 10 10-3-3 6 5 4-12 6 2 5-10-2-10 2 2-5-12-6 5-4'
            '-3-6 10 3-2-10 6 3z"/>'
            '<path fill="none" stroke="var(--i)" d="M24 18v27"/>'
        ),
        "1f36b": (
            '<path fill="var(--t)" stroke="var(--i)" d="M12 4h24v26H12z"/>'
            '<path fill="none" stroke="var(--i)" d="M24 4v26M12 13h24M12 21.500h24"/>'
            '<path fill="var(--w)" stroke="var(--i)" d="M9 28l5 3 5-3 5 3 5-3 5 3 5-3v16H9z"/>'
        ),
        "1f956": (
            '<path fill="var(--t)" stroke="var(--i)" d="M6 42c-4-4-2-10 2-14L28 8c4-4 10-6 14-2s2 10-2 14L20 40c-4'
            ' 4-10 6-14 2z"/>'
            '<path fill="none" stroke="var(--i)" d="M12 25c4 0 7 3 7 7M20 17c4 0 8 4 8 8M28 9c5 0 9 4 9 9"/>'
        ),
    }
)
"""Drawings by the hexadecimal code point of the sign."""


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
