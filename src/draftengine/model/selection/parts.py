"""Parts of a text: their places, removals by an extending file, and texts with edits."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from itertools import accumulate
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.loading.overlay import inside_overlay, put
from draftengine.model.yaml.tree import Entry, Mapping, Scalar, Sequence, below, entries_of
from draftengine.support.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.loading.overlay import OverlayWrite, Path
    from draftengine.model.yaml.tree import Node


class Part(Struct, frozen=True):
    """An entry of a mapping or an item of a list."""

    start: int
    end: int
    key: str
    """The key of the entry, or the index of the item."""
    value: Node
    parent: Node


def around(root: Mapping, offset: int) -> Iterator[Part]:
    """Yield the entries and items that contain an offset, outermost first."""
    node: Node = root
    while (part := _part(node, offset)) is not None:
        yield part
        if offset < part.value.span.start:
            return
        node = part.value


def _part(node: Node, offset: int) -> Part | None:
    """Return the entry or item of a node that contains an offset."""
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
    """Return the number of entries or items."""
    return len(node.entries if isinstance(node, Mapping) else node.items if isinstance(node, Sequence) else ())


def with_comma(text: str, part: Part) -> tuple[int, int]:
    """Return the range to delete with a part. It includes the comma after the part, or its hyphen."""
    start, end = part.start, part.end
    behind = re.match(r"[ \n]*,", text[end:])
    if behind:
        return start, end + behind.end()
    line = text.rfind("\n", 0, start) + 1
    lead = re.fullmatch(r" *(- +)*", text[line:start])
    if lead and "-" in lead[0] and isinstance(part.parent, Sequence):
        start = line + lead[0].rindex("-")
    return start, end


def without_removed(base: Mapping, writes: Iterable[OverlayWrite]) -> Mapping:
    """Return the extended card set without variants' and readings' removals of what is removed already."""

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
    """Return a tree without the ``null`` at a path, and without mappings that become empty by this.

    Returns the tree itself if there is no such ``null``.
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
    """A text with edits, which are stored with their places in the original."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.edits: list[Replaced] = []
        self.text = source.text
        self._starts: list[int] = []
        """Start of each edit in the present text."""
        self._shifts: list[int] = [0]
        """Growth of the text before each edit, and after the last."""

    def edit(self, made: list[Replaced]) -> None:
        """Make edits at places in the current text. Changes `text` and `edits` in place.

        An edit within the inserted text of another one replaces nothing more of the original. If edits overlap, the
        longest is kept, and of equal ones the first.
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
        """Return a range of the current text as a range of the original."""
        if span.source.name != self.source.name:
            return span
        return Span(self.source, self.back(span.start), self.back(span.end, end=True))

    def is_written_here(self, offset: int) -> bool:
        """True if an offset of the current text is in text that an edit inserted."""
        index = bisect_right(self._starts, offset) - 1
        return index >= 0 and offset < self._starts[index] + len(self.edits[index].text)

    def back(self, offset: int, *, end: bool = False) -> int:
        """Return the offset in the original for an offset in the current text.

        Within inserted text, this is the start of the edit or, with `end`, its end.
        """
        before = bisect_left(self._starts, offset) if end else bisect_right(self._starts, offset)
        if before and offset < self._starts[before - 1] + len(self.edits[before - 1].text):
            edit = self.edits[before - 1]
            return edit.end if end else edit.start
        return min(max(offset - self._shifts[before], 0), len(self.source.text))
