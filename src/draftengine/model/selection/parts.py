"""Entries and items around a position in a text, texts with edits, and superfluous removals."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from itertools import accumulate
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.loading.overlay import inside_overlay
from draftengine.model.yaml.tree import Entry, Mapping, Scalar, Sequence, below, entries_of, put
from draftengine.support.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.loading.overlay import OverlayWrite, Path
    from draftengine.model.yaml.tree import Node


class Part(Struct, frozen=True):
    """A part of a text: an entry of a mapping, or an item of a list."""

    start: int
    end: int
    key: str
    """The key of the entry, or the index of the item as text."""
    value: Node
    parent: Node


def around(root: Mapping, offset: int) -> Iterator[Part]:
    """Yield the entries and items that contain an offset in the text, outermost first."""
    node: Node = root
    while (part := _part(node, offset)) is not None:
        yield part
        if offset < part.value.span.start:
            return
        node = part.value


def _part(node: Node, offset: int) -> Part | None:
    """Return the entry or item of a node that contains an offset; ``None`` if there is none."""
    if isinstance(node, Mapping):
        for entry in node.entries:
            start, end = entry.key.span.start, max(entry.value.span.end, entry.key.span.end)
            if start <= offset < max(end, start + 1):
                return Part(start, end, entry.key.text, entry.value, node)
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            start, end = item.span.start, item.span.end
            if start <= offset < max(end, start + 1):
                return Part(start, end, str(index), item, node)
    return None


def size(node: Node) -> int:
    """Return the number of entries of a mapping or of items of a list; 0 for other nodes."""
    return len(node.entries if isinstance(node, Mapping) else node.items if isinstance(node, Sequence) else ())


def with_comma(text: str, part: Part) -> tuple[int, int]:
    """Return the range to delete for a part. It includes the comma after the part, or its hyphen."""
    start, end = part.start, part.end
    comma = re.match(r"[ \n]*,", text[end:])
    if comma:
        return start, end + comma.end()
    line = text.rfind("\n", 0, start) + 1
    lead = re.fullmatch(r" *(- +)*", text[line:start])
    if lead and "-" in lead[0] and isinstance(part.parent, Sequence):
        start = line + lead[0].rindex("-")
    return start, end


def without_removed(base: Mapping, writes: Iterable[OverlayWrite]) -> Mapping:
    """Return the card set without removals in its variants and readings that `writes` already make."""

    def named(*path: str) -> list[str]:
        node = below(base, path)
        return [entry.key.text for entry in entries_of(node)]

    for path in [write.path for write in writes if write.removes and not inside_overlay(write.path)]:
        for variant in named("variants"):
            base = _with_less(base, ("variants", variant, "changes", *path))
        for reading in named("readings"):
            for option in named("readings", reading, "options"):
                base = _with_less(base, ("readings", reading, "options", option, "changes", *path))
    return base


def _with_less(node: Mapping, path: Path) -> Mapping:
    """Return a tree without the ``null`` at a path, and without mappings that this leaves empty.

    If there is no such ``null``, return the tree itself.
    """
    entry = node.entry(path[0])
    if entry is None:
        return node
    if len(path) == 1:
        is_null = isinstance(entry.value, Scalar) and entry.value.value is None
        return _without(node, entry) if is_null else node
    inner = _with_less(entry.value, path[1:]) if isinstance(entry.value, Mapping) else entry.value
    if inner is entry.value:
        return node
    empty = isinstance(inner, Mapping) and not inner.entries and path[0] != "changes"
    return _without(node, entry) if empty else put(node, Entry(entry.key, inner))


def _without(node: Mapping, entry: Entry) -> Mapping:
    return Mapping(tuple(other for other in node.entries if other is not entry), node.span)


class Replaced(Struct, frozen=True, order=True):
    """A replacement of the text from `start` to `end`."""

    start: int
    end: int
    text: str


class TextEdits:
    """A text with edits. The positions of the edits refer to the original text."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.edits: list[Replaced] = []
        self.text = source.text
        self._starts: list[int] = []
        """The start of each edit, as an offset in the current text."""
        self._shifts: list[int] = [0]
        """The number of characters that the text has grown before each edit, and after the last one."""

    def edit(self, made: list[Replaced]) -> None:
        """Make edits, whose positions refer to the current text. Changes `text` and `edits` in place.

        An edit within text that was inserted earlier does not replace more of the original. If edits overlap, only the
        longest is made; if they are equally long, the first.
        """
        starts = [self.back(edit.start) for edit in made]
        placed = [
            Replaced(start, max(start, self.back(edit.end, end=True)), edit.text)
            for start, edit in zip(starts, made, strict=True)
        ]
        kept: list[Replaced] = []
        for edit in sorted(dict.fromkeys([*placed, *self.edits]), key=lambda edit: edit.start - edit.end):
            before = bisect_left(kept, edit.end, key=lambda other: other.start)
            if before == 0 or kept[before - 1].end <= edit.start:
                insort(kept, edit)
        parts, position = [], 0
        for edit in kept:
            parts += [self.source.text[position : edit.start], edit.text]
            position = edit.end
        self.edits, self.text = kept, "".join([*parts, self.source.text[position:]])
        self._shifts = [0, *accumulate(len(edit.text) - (edit.end - edit.start) for edit in self.edits)]
        self._starts = [edit.start + shift for edit, shift in zip(self.edits, self._shifts, strict=False)]

    def span(self, span: Span) -> Span:
        """Return the range of the original text for a range of the current text."""
        if span.source.name != self.source.name:
            return span
        return Span(self.source, self.back(span.start), self.back(span.end, end=True))

    def is_written_here(self, offset: int) -> bool:
        """True if an edit has inserted the text at this offset of the current text."""
        index = bisect_right(self._starts, offset) - 1
        return index >= 0 and offset < self._starts[index] + len(self.edits[index].text)

    def back(self, offset: int, *, end: bool = False) -> int:
        """Return the offset in the original text for an offset in the current text.

        Within inserted text, the result is the start of the edit or, with `end`, its end.
        """
        before = bisect_left(self._starts, offset) if end else bisect_right(self._starts, offset)
        if before and offset < self._starts[before - 1] + len(self.edits[before - 1].text):
            edit = self.edits[before - 1]
            return edit.end if end else edit.start
        return min(max(offset - self._shifts[before], 0), len(self.source.text))
