"""Text in a terminal: the columns that it takes, and codes for characters that would steer it or hide text."""

from __future__ import annotations

import unicodedata
from functools import cache

_JOINER = "\u200d"
_PICTURES = range(0x1F000, 0x1FB00)
"""The code points that Unicode reserves for pictographs, whether already assigned or not."""


def escaped(text: str) -> str:
    """Return the text with a code for each character that cannot be shown."""
    return text if text.isascii() and text.isprintable() else "".join(_shown(char) for char in text)


def _shown(char: str) -> str:
    hidden = unicodedata.category(char) in {"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"}
    if not hidden or char == _JOINER or is_picture(char):
        return char
    short = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
    return short.get(char) or (f"\\x{ord(char):02x}" if char <= "\xff" else f"\\u{ord(char):04x}")


def is_picture(char: str) -> bool:
    """True if a character is a pictograph, even one newer than this version of Python knows."""
    return ord(char) in _PICTURES or unicodedata.category(char) == "So"


def width_of(text: str) -> int:
    """Return the number of columns that the text takes in a terminal."""
    return len(text) if text.isascii() else sum(map(_char_width, text))


@cache
def _char_width(char: str) -> int:
    if char == _JOINER or unicodedata.category(char) in {"Mn", "Me"}:
        return 0
    new = unicodedata.category(char) == "Cn" and is_picture(char)
    return 2 if new or unicodedata.east_asian_width(char) in {"W", "F"} else 1
