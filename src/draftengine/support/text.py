"""Text in a terminal: its width in columns, and codes for characters that would control the terminal."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

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


_WORD = re.compile(r"\w+")
_LONG = 5


def initials(label: str, alike: Iterable[str]) -> str:
    """Return a mark that distinguishes a label from those in `alike`: initials of its words, or numbers.

    At most two words count, and short ones only if there are no long ones. It is empty if all words are shared.
    """
    labels = dict.fromkeys([label, *alike])
    common = set.intersection(*({word.casefold() for word in _WORD.findall(other)} for other in labels))

    def first_letters(other: str, letters: int) -> str:
        words = [word for word in _WORD.findall(other) if word.casefold() not in common]
        long = [word for word in words if len(word) >= _LONG or word.isdecimal()] or words
        return "".join(word if word.isdecimal() else word[:letters] for word in long[:2]).upper()

    for letters in range(1, _LONG):
        sign, *others = (first_letters(other, letters) for other in labels)
        if sign not in others:
            break
    return sign


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


def wrapped(
    words: Iterable[str], columns: int, first: str = "", margin: str = "", width: Callable[[str], int] = width_of
) -> list[str]:
    """Return words in lines of at most `columns`. `first` begins the first line, and `margin` all others.

    A line may also end between characters of Japanese and Chinese, except before and after some signs.
    """
    lines = [first]
    for word in words:
        gap = "" if not lines[-1] or lines[-1][-1] in _WITHOUT_SPACE else " "
        for begin, end in pairwise([0, *breaks(word), len(word)]):
            part = word[begin:end]
            if width(lines[-1]) + len(gap) + width(part) > columns and lines[-1].strip():
                lines.append(margin + part)
            else:
                lines[-1] += gap + part
            gap = ""
    return lines


def breaks(word: str) -> list[int]:
    """Return the positions in a word where a line may end: next to characters of spaceless scripts."""
    if word.isascii():
        return []
    alone = [unicodedata.east_asian_width(char) in "WF" and unicodedata.category(char) != "So" for char in word]
    return [
        place
        for place in range(1, len(word))
        if (alone[place - 1] or alone[place]) and word[place - 1] not in _OPENING and word[place] not in _CLOSING
    ]


_WITHOUT_SPACE = " 、。，．：！？）」』】"  # noqa: RUF001 (they are meant)
"""Characters after which no space separates a word."""
_OPENING = "「『（【〈《"
_CLOSING = "、。，．」』）】〉》！？：；ー…・々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.!?:;)%"  # noqa: RUF001 (they are meant)
"""`_OPENING` has the characters that may not end a line, `_CLOSING` those that may not begin one."""
