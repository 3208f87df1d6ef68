"""Text for a terminal: colours if they are wanted, and pictures and special signs if it can show them."""

from __future__ import annotations

import os
import shutil
import sys
import unicodedata
from typing import TYPE_CHECKING, TextIO

from msgspec import Struct

from draftengine.support.locale.catalogue import in_print
from draftengine.support.text import escaped, is_picture, width_of, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_COLUMNS = 100
_SHORT_WORD = 2
_TERMINALS_WITHOUT_PICTURES = {"linux", "vt100", "vt220"}
_PLAIN = str.maketrans({
    "–": "-", "—": "-", "−": "-", "×": "x", "·": "|", "…": "...", "“": '"', "”": '"', "’": "'", "━": "=", "─": "-",
    "→": "->", "←": "<-", "│": "|", **dict.fromkeys("┘└┴┐┌┬┤├┼", "+"), "▒": "#", "★": "*", "▮": "#", "▯": ".",
})  # fmt: skip


class Style(Struct, frozen=True):
    """The abilities of a terminal. Each text of a card set must go through `safe` before it is printed."""

    color: bool = False
    unicode: bool = True
    columns: int = 80
    lines: int = 24
    encoding: str = "ascii"
    """The encoding of the terminal if it is not Unicode."""
    pictures: bool = True
    """True if the terminal can show emoji and other pictures."""
    comma: str = ", "
    """The separator in lists, which depends on the language."""

    @classmethod
    def of(cls, stream: TextIO) -> Style:
        """Return the style for a stream: colours on terminals without ``NO_COLOR``, pictures if likely shown."""
        encoding = getattr(stream, "encoding", None) or "ascii"
        unicode = encoding.lower().replace("-", "") in {"utf8", "utf16", "utf32"}
        size = shutil.get_terminal_size((80, 24))
        pictures = not (stream.isatty() and os.environ.get("TERM") in _TERMINALS_WITHOUT_PICTURES)
        return cls(wants_color(stream), unicode, min(MAX_COLUMNS, size.columns), size.lines, encoding, pictures)

    def safe(self, text: str) -> str:
        """Return the text without terminal control characters, in characters that the terminal can show."""
        return self.typed(escaped(text))

    def typed(self, text: str) -> str:
        """Return a text of the program in characters that the terminal can show; for other texts, see `safe`."""
        if self.unicode or text.isascii():
            return text
        written = []
        for char in text:
            if self._has(char):
                written.append(char)
                continue
            # A replacement that can be encoded: a plain sign, a letter without its accent, or a question mark.
            without_accent = unicodedata.normalize("NFKD", char.translate(_PLAIN))
            plainer = "".join(letter for letter in without_accent if self._has(letter))
            written.append(plainer or ("" if is_picture(char) or unicodedata.combining(char) else "?"))
        return "".join(written)

    def arithmetic(self, text: str) -> str:
        """Return a calculation with typographic signs such as ``×``, if the terminal can show them."""
        return self.safe(in_print(text))

    def number(self, number: int) -> str:
        """Return a number, with a typographic minus sign if it is negative."""
        return self.arithmetic(str(number))

    def _has(self, char: str) -> bool:
        try:
            char.encode(self.encoding)
        except UnicodeEncodeError:
            return False
        return True

    def icon(self, icon: str) -> str:
        """Return a picture and a space after it; empty if the terminal has no pictures."""
        return f"{escaped(icon)} " if icon and self.unicode and self.pictures else ""

    def bold(self, text: str) -> str:
        return self._painted(text, "1")

    def faint(self, text: str) -> str:
        return self._painted(text, "2")

    def good(self, text: str) -> str:
        return self._painted(text, "32")

    def bad(self, text: str) -> str:
        return self._painted(text, "31")

    def accent(self, text: str) -> str:
        return self._painted(text, "36")

    def _painted(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and text else text

    def headline(self, text: str, line: str = "━") -> str:
        """Return a line across the screen that begins with a title."""
        title = self.typed(f"{line * 2} {text} ")
        return self.bold(title + self.typed(line) * max(2, self.columns - width_of(title)))

    def wrapped(self, words: str | Iterable[str], indent: int, first: str = "") -> list[str]:
        """Return words as lines of the terminal's width, later lines indented. Colours take no width."""
        texts = words.split() if isinstance(words, str) else words
        return wrapped(texts, self.columns, first, " " * indent, lambda text: width_of(plain(text)))

    def fitted(self, line: str) -> list[str]:
        """Return a line as it is, if it fits, or wrapped so that later lines begin below its last column.

        Columns are separated by double spaces.
        """
        if width_of(plain(line)) <= self.columns:
            return [line]
        head, gap, rest = line.rpartition("  ")
        indent = width_of(plain(head + gap)) + (0 if head.strip() else 2)
        return self.wrapped(rest.split(), indent if indent <= self.columns // 2 else 4, head + gap)

    def listed(self, names: Sequence[str], first: str, indent: int | None = None) -> list[str]:
        """Return names separated by commas, wrapped so that later lines begin below the first name."""
        words = [f"{name}{self.comma.rstrip()}" for name in names[:-1]] + [*names[-1:]]
        return self.wrapped(words, width_of(plain(first)) if indent is None else indent, first)

    def unbroken(self, line: str) -> list[str]:
        """Split a line after dots and commas into parts that wrapping must not break."""
        dot = self.typed(" ·")
        return line.replace(f"{dot} ", f"{dot}\n").replace(", ", ",\n").split("\n")


def wants_color(stream: TextIO) -> bool:
    """True if a stream gets colours: a terminal that is not dumb, without ``NO_COLOR``."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def plain(text: str) -> str:
    """Return the text without colour codes."""
    while "\x1b[" in text:
        before, _, after = text.partition("\x1b[")
        text = before + after.partition("m")[2]
    return text


def cut(text: str, columns: int, style: Style) -> str:
    """Return a text without colours, cut to a width with an ellipsis. A short last word (``×2``) is kept."""
    if width_of(text) <= columns:
        return text
    head, _, last = text.rpartition(" ")
    tail = style.typed("…") + (last if width_of(last) <= _SHORT_WORD else "")
    head = head if tail.endswith(last) else text
    while head and width_of(head) + width_of(tail) > columns:
        head = head[:-1]
    return head.rstrip() + tail


def padded(text: str, columns: int) -> str:
    """Return a text padded with spaces to a width. Colours take no width."""
    return text + " " * max(0, columns - width_of(plain(text)))


def is_interactive() -> bool:
    """True if a person at a terminal types the input and sees the output."""
    return sys.stdin.isatty() and sys.stdout.isatty()
