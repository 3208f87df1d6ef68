"""Markup of drawings and pages: elements, texts fitted to a width, and a page of HTML.

A page needs no script and no network, only system fonts.
"""

from __future__ import annotations

from html import escape
from importlib.resources import files

__all__ = ["el", "fitted", "number", "void", "width_of", "wrapped"]

_NARROW, _WIDE, _USUAL, _FULL = 0.3, 0.83, 0.54, 1.0
_THIN_SIGNS = frozenset("iljtfI.,;:'’!|()[] ")
_BROAD_SIGNS = frozenset("mwMW@%")
_FULL_WIDTH = 0x2E80
"""The first code point of the scripts whose characters are as wide as high, such as Chinese."""


def el(name: str, *children: str, **attributes: object) -> str:
    """Return an element. Children are markup. Attributes are escaped, and left out if they are ``None``.

    An underscore stands for a hyphen (``stroke_width``); a final underscore is dropped (``class_``).
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
    """Return an HTML element without an end tag."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(number(value))}"' for key, value in attributes.items()
    )
    return f"<{name}{written}>"


def number(value: object) -> str:
    """Return the text of an attribute's value; floats get at most three decimals."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def width_of(text: str, size: float) -> float:
    """Return the approximate width of a text in a humanist sans font of this size.

    Actual fonts differ a little.
    """
    widths: list[float] = []
    for sign in text:
        if ord(sign) >= _FULL_WIDTH:
            widths.append(_FULL)
        elif sign in _THIN_SIGNS:
            widths.append(_NARROW)
        else:
            widths.append(_WIDE if sign in _BROAD_SIGNS else 0.66 if sign.isupper() else _USUAL)
    return size * sum(widths)


def fitted(text: str, size: float, room: float) -> float:
    """Return the largest font size, up to `size`, at which a text fits."""
    wide = width_of(text, size)
    return size if wide <= room else size * room / wide


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Return the lines of a text, wrapped at a width."""
    # A line may break between words, and before single characters of scripts without spaces.
    parts: list[tuple[str, bool]] = []
    for word in text.split():
        part, spaced = "", True
        for sign in word:
            if part and sign not in "。、」）" and max(ord(sign), ord(part[-1])) >= _FULL_WIDTH:
                parts.append((part, spaced))
                part, spaced = "", False
            part += sign
        parts.append((part, spaced))
    lines: list[str] = []
    line = ""
    for part, spaced in parts:
        longer = f"{line} {part}" if line and spaced else f"{line}{part}"
        if line and width_of(longer, size) > width:
            lines.append(line)
            longer = part
        line = longer
    return [*lines, line] if line else lines


SANS = "'Gill Sans','Gill Sans Nova',Candara,'Noto Sans','DejaVu Sans','Hiragino Sans','Noto Sans CJK JP',sans-serif"
SERIF = "'Palatino Linotype',Palatino,'Book Antiqua','URW Palladio L','DejaVu Serif','Noto Serif CJK JP',serif"


def page(title: str, style: str, body: str, *, language: str = "en") -> str:
    """Return a page of HTML; `body` is markup."""
    return (
        f'<!doctype html>\n<html lang="{escape(language)}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>\n<body>{body}</body></html>\n"
    )


def style_of(package: str) -> str:
    """Return the style sheet of a package, with the system fonts that all pages use."""
    fonts = f":root{{--sans:{SANS};--serif:{SERIF}}}"
    return fonts + (files(package) / "style.css").read_text("utf-8")
