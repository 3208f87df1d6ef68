"""Text in a terminal: its width in columns, and codes for characters that would control the terminal."""

from __future__ import annotations

import unicodedata
from functools import cache

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"})
"""Categories of Unicode whose characters control the terminal, hide text, or have no picture."""
_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
_JOINER = "\u200d"
_PICTURES = range(0x1F000, 0x1FB00)
"""The code points that Unicode reserves for pictographs, whether already assigned or not."""


def escaped(text: str) -> str:
    """Return the text with a code for each character that cannot be shown."""
    if text.isascii() and text.isprintable():
        return text
    pieces = []
    for char in text:
        hidden = unicodedata.category(char) in _HIDDEN and char != _JOINER and not is_picture(char)
        code = f"\\x{ord(char):02x}" if char <= "\xff" else f"\\u{ord(char):04x}"
        pieces.append(_SHORT.get(char, code) if hidden else char)
    return "".join(pieces)


def is_picture(char: str) -> bool:
    """True if a character is a pictograph, even one newer than this version of Python knows."""
    return ord(char) in _PICTURES or unicodedata.category(char) == "So"


def width_of(text: str) -> int:
    """Return the number of columns that the text takes in a terminal."""
    return len(text) if text.isascii() else sum(map(width_of_char, text))


def to_left(text: str, columns: int) -> str:
    """Return the text followed by spaces up to `columns`."""
    return text + " " * (columns - width_of(text))


def to_right(text: str, columns: int) -> str:
    """Return the text with spaces before it, so that it takes `columns`."""
    return " " * (columns - width_of(text)) + text


@cache
def width_of_char(char: str) -> int:
    """Return the number of columns of a character. Results are cached, as texts repeat few characters."""
    if char == _JOINER or unicodedata.category(char) in {"Mn", "Me"}:
        return 0
    new = unicodedata.category(char) == "Cn" and is_picture(char)
    return 2 if new or unicodedata.east_asian_width(char) in {"W", "F"} else 1
