"""Elements of SVG and HTML as text."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["el", "fitted", "number", "void", "width_of", "wrapped"]

_NARROW, _WIDE, _USUAL, _FULL = 0.3, 0.83, 0.54, 1.0
_THIN_SIGNS = frozenset("iljtfI.,;:'’!|()[] ")
_BROAD_SIGNS = frozenset("mwMW@%")
_FULL_WIDTH = 0x2E80
"""From this code point on, signs are as wide as they are high."""


def el(name: str, *children: str, **attributes: object) -> str:
    """An element. Children are markup; attributes are escaped, those that are ``None`` are left out.

    An underscore stands for a hyphen (``stroke_width``), one at the end for nothing (``class_``).
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(children)
    return f"<{name}{written}>{inner}</{name}>" if inner or name not in _EMPTY else f"<{name}{written}/>"


_EMPTY = frozenset({"path", "rect", "circle", "line", "use", "polyline"})


def void(name: str, **attributes: object) -> str:
    """An element of HTML that has no end."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(number(value))}"' for key, value in attributes.items()
    )
    return f"<{name}{written}>"


def number(value: object) -> str:
    """A value of an attribute; numbers with no more digits than a printer can show."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def width_of(text: str, size: float) -> float:
    """About how wide a text is in a humanist sans of a size; every font is a little different."""
    return size * sum(_width(sign) for sign in text)


def _width(sign: str) -> float:
    if ord(sign) >= _FULL_WIDTH:
        return _FULL
    if sign in _THIN_SIGNS:
        return _NARROW
    return _WIDE if sign in _BROAD_SIGNS else 0.66 if sign.isupper() else _USUAL


def fitted(text: str, size: float, room: float) -> float:
    """The size at which a text has room, if it is not smaller anyway."""
    wide = width_of(text, size)
    return size if wide <= room else size * room / wide


def wrapped(text: str, size: float, width: float) -> list[str]:
    """The lines of a text that is set so wide."""
    lines: list[str] = []
    line = ""
    for word, spaced in _words(text):
        longer = f"{line} {word}" if line and spaced else f"{line}{word}"
        if line and width_of(longer, size) > width:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line] if line else lines


def _words(text: str) -> Iterable[tuple[str, bool]]:
    """What may stand on a line of its own, and whether there is a space before it.

    Words, and single signs of scripts without spaces.
    """
    for word in text.split():
        part, spaced = "", True
        for sign in word:
            if part and sign not in "。、」）" and max(ord(sign), ord(part[-1])) >= _FULL_WIDTH:
                yield part, spaced
                part, spaced = "", False
            part += sign
        yield part, spaced
