"""Edits a text so that it represents a changed tree.

Only differences are written, so comments and layout stay. Entries and items that have a place in the source are kept,
and all others are written next to them.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from draftengine.model.diagnostics.diagnostic import Edit
from draftengine.model.yaml.fixes import edited
from draftengine.model.yaml.scalars import resolve
from draftengine.model.yaml.tree import Entry, Mapping, Node, Sequence
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.support.source import Source

WIDTH = 120
"""The largest length of a line. Lines are longer only if no other layout is possible."""
_INDENT = 2

_PLAIN = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`][^,\[\]{}#:]*(?<!\s)")
_KEY = re.compile(r"[a-z0-9_-]+")


def rewritten(source: Source, old: Mapping, new: Mapping) -> str:
    """Return the text of the tree `old`, edited so that it represents the tree `new`."""
    return edited(source.text, _Rewriter(source).mapping(old, new))


class _Rewriter:
    """Makes the edits of one text."""

    def __init__(self, source: Source) -> None:
        self.source, self.text = source, source.text

    def node(self, old: Node, new: Node) -> Iterator[Edit]:
        """Yield the edits that turn the text of the node `old` into that of the node `new`."""
        if old is new:
            return
        if isinstance(old, Mapping) and isinstance(new, Mapping) and old.entries:
            yield from self.mapping(old, new)
        elif isinstance(old, Sequence) and isinstance(new, Sequence) and len(old.items) == len(new.items):
            for one, other in zip(old.items, new.items, strict=True):
                yield from self.node(one, other)
        else:
            yield self._edit(old.span.start, old.span.end, written(new, self.source))

    def mapping(self, old: Mapping, new: Mapping) -> Iterator[Edit]:
        """Yield the edits for all entries of a mapping that are removed, changed or added."""
        places = {entry.key.span.start: index for index, entry in enumerate(old.entries)}
        kept: dict[int, Entry] = {}
        added: dict[int, list[Entry]] = {}
        """New entries by the index of the old entry that they follow; -1 for those at the beginning."""
        last = -1
        for entry in new.entries:
            index = places.get(entry.key.span.start, -1) if entry.key.span.source is self.source else -1
            if index > last:
                kept[index] = entry
                last = index
            else:
                added.setdefault(last, []).append(entry)
        flow = self.text.startswith("{", old.span.start)
        edits = [*self._flow(old, kept, added)] if flow else [*self._block(old, kept, added)]
        if flow and kept and self.too_long(old.span, edits):
            edits = [self.as_block(old, new)]
        yield from edits

    def _entry(self, old: Entry, new: Entry) -> Iterator[Edit]:
        if old.key.text != new.key.text:
            yield self._edit(old.key.span.start, old.key.span.end, _key(new.key.text))
        yield from self.node(old.value, new.value)

    def _flow(self, old: Mapping, kept: dict[int, Entry], added: dict[int, list[Entry]]) -> Iterator[Edit]:
        """Yield the edits of a mapping in braces."""
        entries, last = old.entries, max(kept, default=-1)
        for index, entry in enumerate(entries):
            if index in kept:
                yield from self._entry(entry, kept[index])
            elif index < last:
                yield self._edit(entry.key.span.start, entries[index + 1].key.span.start, "")
        if last < len(entries) - 1:  # the comma before removed entries at the end is removed, too
            start = entries[last].value.span.end if kept else entries[0].key.span.start
            yield self._edit(start, entries[-1].value.span.end, "")
        for index, more in added.items():
            items = ", ".join(f"{_key(entry.key.text)}: {written(entry.value, self.source)}" for entry in more)
            before = index < 0 and bool(kept)
            place = entries[index].value.span.end if index >= 0 else entries[min(kept, default=0)].key.span.start
            yield self._edit(place, place, items if not kept else f"{items}, " if before else f", {items}")

    def _block(self, old: Mapping, kept: dict[int, Entry], added: dict[int, list[Entry]]) -> Iterator[Edit]:
        """Yield the edits of a mapping with a line for each entry."""
        entries = old.entries
        column = entries[0].key.span.position[1] - 1
        for index, entry in enumerate(entries):
            if index in kept:
                yield from self._entry(entry, kept[index])
            elif self._line(entry.key.span.start)[0].strip():  # it follows a hyphen, where the next entry must go
                yield self._edit(entry.key.span.start, entries[index + 1].key.span.start, "")
            else:
                yield self.without_lines(entry)
        for index, more in added.items():
            place = self._line_end(entries[max(index, 0)].value.span.end)
            yield self._edit(place, place, "".join(f"\n{self._lines(entry, column)}" for entry in more))

    def without_lines(self, entry: Entry) -> Edit:
        """Return the edit that deletes the lines of an entry, and one of two empty lines around it."""
        start = self.text.rfind("\n", 0, entry.key.span.start) + 1
        end = self._line_end(max(entry.value.span.end, entry.key.span.end)) + 1
        if self.text[:start].endswith("\n\n") and self.text.startswith("\n", end):
            end += 1
        return self._edit(start, min(end, len(self.text)), "")

    def _lines(self, entry: Entry, column: int) -> str:
        """Return the lines of a new entry."""
        head = f"{' ' * column}{_key(entry.key.text)}:"
        line = f"{head} {written(entry.value, self.source)}"
        if len(line) <= WIDTH or not isinstance(entry.value, Mapping):
            return line
        return "\n".join([head, *(self._lines(inner, column + _INDENT) for inner in entry.value.entries)])

    def too_long(self, span: Span, edits: list[Edit]) -> bool:
        """True if the edits make the line with a mapping in braces too long."""
        before, line = self._line(span.start)
        grows = sum(len(edit.new_text) - (edit.place.end - edit.place.start) for edit in edits)
        alone = re.fullmatch(r" *[\w\"'{}-]+: ", before) is not None and "\n" not in self.text[span.start : span.end]
        return alone and grows > 0 and len(line) + grows > WIDTH

    def as_block(self, old: Mapping, new: Mapping) -> Edit:
        """Return the edit that writes a mapping in braces with a line for each entry."""
        before, _ = self._line(old.span.start)
        column = len(before) - len(before.lstrip()) + _INDENT
        lines = (f"\n{self._lines(entry, column)}" for entry in new.entries)
        return self._edit(old.span.start - 1, old.span.end, "".join(lines))

    def _line(self, offset: int) -> tuple[str, str]:
        """Return the text before an offset on its line, and the whole line."""
        start = self.text.rfind("\n", 0, offset) + 1
        return self.text[start:offset], self.text[start : self._line_end(offset)]

    def _line_end(self, offset: int) -> int:
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    def _edit(self, start: int, end: int, text: str) -> Edit:
        return Edit(Span(self.source, start, end), text)


def written(node: Node, source: Source) -> str:
    """Return a node as YAML on one line, as it can be written within braces."""
    if isinstance(node, Mapping):
        return f"{{{', '.join(f'{_key(entry.key.text)}: {written(entry.value, source)}' for entry in node.entries)}}}"
    if isinstance(node, Sequence):
        return f"[{', '.join(written(item, source) for item in node.items)}]"
    text = node.span.source.text[node.span.start : node.span.end]
    if isinstance(node.value, str) and text[:1] in {'"', "'"} and text[1:-1] == node.value:
        return text
    if isinstance(node.value, str) and _PLAIN.fullmatch(node.value) and resolve(node.value) == node.value:
        return node.value
    return json.dumps(node.value, ensure_ascii=False)


def _key(text: str) -> str:
    return text if _KEY.fullmatch(text) else json.dumps(text, ensure_ascii=False)
