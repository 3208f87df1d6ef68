"""A text with edits, which maps places of the edited text to the original."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from itertools import accumulate

from msgspec import Struct

from draftengine.support.source import Source, Span


class Replaced(Struct, frozen=True, order=True):
    """A replacement of the text from `start` to `end`."""

    start: int
    end: int
    text: str


class TextEdits:
    """A text with edits, stored by their places in the original."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.edits: list[Replaced] = []
        self.text = source.text
        self._starts: list[int] = []
        """Start of each edit in the present text."""
        self._shifts: list[int] = [0]
        """Growth of the text before each edit, and after the last."""

    def edit(self, made: list[Replaced]) -> None:
        """Make edits at places of the present text; `text` and `edits` change in place."""
        placed = [Replaced(*self._place(edit.start, edit.end), edit.text) for edit in made]
        self.edits = _merged([*placed, *self.edits])
        self.text = _applied(self.source.text, self.edits)
        self._shifts = [0, *accumulate(len(edit.text) - (edit.end - edit.start) for edit in self.edits)]
        self._starts = [edit.start + shift for edit, shift in zip(self.edits, self._shifts, strict=False)]

    def span(self, span: Span) -> Span:
        """Return a range of the present text as a range of the original."""
        if span.source.name != self.source.name:
            return span
        return Span(self.source, self.back(span.start), self.back(span.end, end=True))

    def _place(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of an edit in the original; empty if it lies within the text of another edit."""
        back = self.back(start)
        return back, max(back, self.back(end, end=True))

    def is_written_here(self, offset: int) -> bool:
        """True if an offset of the present text lies in text that an edit inserted."""
        index = bisect_right(self._starts, offset) - 1
        return index >= 0 and offset < self._starts[index] + len(self.edits[index].text)

    def back(self, offset: int, *, end: bool = False) -> int:
        """Return the offset in the original for one in the present text.

        Within inserted text, it is the start of the edit, or its end if `end`.
        """
        before = bisect_left(self._starts, offset) if end else bisect_right(self._starts, offset)
        if before and offset < self._starts[before - 1] + len(self.edits[before - 1].text):
            edit = self.edits[before - 1]
            return edit.end if end else edit.start
        return min(max(offset - self._shifts[before], 0), len(self.source.text))


def _merged(edits: list[Replaced]) -> list[Replaced]:
    """Return the edits by place, without overlaps: the longest stays, and of equal ones the first."""
    kept: list[Replaced] = []
    for edit in sorted(dict.fromkeys(edits), key=lambda edit: edit.start - edit.end):
        before = bisect_left(kept, edit.end, key=lambda other: other.start)
        if before == 0 or kept[before - 1].end <= edit.start:
            insort(kept, edit)
    return kept


def _applied(text: str, edits: list[Replaced]) -> str:
    parts, position = [], 0
    for edit in edits:
        parts += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*parts, text[position:]])
