"""A text with edits, and the places of what stands in it now in the text as it was written."""

from __future__ import annotations

from msgspec import Struct

from draftengine.source import Source, Span


class Replaced(Struct, frozen=True, order=True):
    """What stands in a stretch of a text instead."""

    start: int
    end: int
    text: str


class Edited:
    """A text with edits, which are kept by their places in the text as written."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.edits: list[Replaced] = []
        self.text = source.text

    def edit(self, made: list[Replaced]) -> None:
        """Make edits at places of the present text."""
        placed = [Replaced(self.back(own.start), self.back(own.end, end=True), own.text) for own in made]
        self.edits = _merged([*placed, *self.edits])
        self.text = _applied(self.source.text, self.edits)

    def span(self, span: Span) -> Span:
        """A stretch of the present text, in the text as it was written."""
        if span.source.name != self.source.name:
            return span
        return Span(self.source, self.back(span.start), self.back(span.end, end=True))

    def is_written_here(self, offset: int) -> bool:
        """Does an offset of the present text lie in what an edit put there."""
        shift = 0
        for own in self.edits:
            if own.start + shift <= offset < own.start + shift + len(own.text):
                return True
            shift += len(own.text) - (own.end - own.start)
        return False

    def back(self, offset: int, *, end: bool = False) -> int:
        """Where an offset of the present text lies in the text as it was written."""
        shift = 0
        for own in self.edits:
            start = own.start + shift
            if offset < start or (offset == start and end):
                break
            if offset < start + len(own.text):
                return own.end if end else own.start
            shift += len(own.text) - (own.end - own.start)
        return min(max(offset - shift, 0), len(self.source.text))


def _merged(edits: list[Replaced]) -> list[Replaced]:
    """Edits by their places. Of those that overlap the one that replaces most stays, and of those the first."""
    kept: list[Replaced] = []
    for own in sorted(dict.fromkeys(edits), key=lambda own: own.start - own.end):
        if all(own.end <= other.start or other.end <= own.start for other in kept):
            kept.append(own)
    return sorted(kept)


def _applied(text: str, edits: list[Replaced]) -> str:
    for own in reversed(edits):
        text = text[: own.start] + own.text + text[own.end :]
    return text
