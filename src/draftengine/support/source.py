"""Text and positions in it. Opens no files: a `Source` is a name and its text."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from msgspec import Struct


class Source(Struct, frozen=True, dict=True):
    """A text with its display name (a path, ``<stdin>``).

    Offsets count code points from 0; lines and columns count from 1.
    """

    name: str
    text: str

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(index + 1 for index, char in enumerate(self.text) if char == "\n")]

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and the column (both from 1) of an offset in code points."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of line `number` (from 1) without its line ending."""
        start = self._line_starts[number - 1]
        end = self._line_starts[number] - 1 if number < len(self._line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r")


class Span(Struct, frozen=True):
    """A range ``[start, end)`` of a source, in code points."""

    source: Source
    start: int
    end: int

    @property
    def position(self) -> tuple[int, int]:
        """The line and column of the start, both from 1."""
        return self.source.position(self.start)

    def encloses(self, other: Span) -> bool:
        """True if this range contains the other."""
        return self.source is other.source and self.start <= other.start and other.end <= self.end
