"""Makes fixes, which are edits that remove the cause of a finding, and applies edits to texts.

`rewritten` edits a text so that it represents a changed tree. Only differences are written, so comments and layout
stay. Entries and items that the source already contains are left there, and all others are written next to them.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from draftengine.model.diagnostics import Edit, Fix
from draftengine.model.diagnostics.suggest import closest, is_slip
from draftengine.model.yaml.scalars import resolve
from draftengine.model.yaml.tree import Entry, Mapping, Node, Sequence
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.diagnostics import Diagnostic
    from draftengine.support.source import Source


def renamed(span: Span, name: str, candidates: Iterable[str]) -> Fix | None:
    """Return the fix that replaces a name by the most similar candidate.

    Return ``None`` if no candidate is similar, or if the span does not contain the name. The fix is certain if the name
    can only be a misspelling of this candidate.
    """
    known = tuple(candidates)
    meant = closest(name, known)
    place = place_of(span, name)
    if meant is None or place is None:
        return None
    return Fix((Edit(place, meant),), is_slip(name, meant, known))


def replaced(span: Span, name: str, meant: str, *, certain: bool) -> Fix | None:
    """Return the fix that replaces `name` by `meant`; ``None`` if the span contains another text."""
    place = place_of(span, name)
    return Fix((Edit(place, meant),), certain) if place else None


def indented(entries: Iterable[Entry]) -> Fix | None:
    """Return the fix that indents entries by two columns; ``None`` if one of them does not begin a line."""
    edits = []
    for entry in entries:
        if _indentation(entry).strip():
            return None
        edits += [Edit(Span(entry.key.span.source, start, start), "  ") for start in _lines(entry)]
    return Fix(tuple(edits), certain=False)


def as_item(entries: tuple[Entry, ...]) -> Fix | None:
    """Return the fix that makes entries one item of a list; ``None`` if one of them does not begin a line."""
    fix = indented(entries)
    first = entries[0].key.span
    dash = Edit(Span(first.source, first.start, first.start), "- ")
    return Fix((dash, *fix.edits[1:]), certain=False) if fix else None


def at_the_margin(entry: Entry) -> Fix | None:
    """Return the fix that removes the indentation of an entry; ``None`` if it does not begin a line."""
    source, space = entry.key.span.source, _indentation(entry)
    starts = [start for start in _lines(entry) if source.text.startswith(space, start)]
    edits = tuple(Edit(Span(source, start, start + len(space)), "") for start in starts)
    return None if space.strip() else Fix(edits, certain=False)


def _indentation(entry: Entry) -> str:
    """Return the text before an entry on its line."""
    start = entry.key.span.start
    return entry.key.span.source.text[entry.key.span.source.text.rfind("\n", 0, start) + 1 : start]


def _lines(entry: Entry) -> Iterator[int]:
    """Yield the start of each line of an entry."""
    text, end = entry.key.span.source.text, max(entry.key.span.end, entry.value.span.end)
    start = entry.key.span.start - len(_indentation(entry))
    while 0 <= start < end:
        yield start
        start = text.find("\n", start, end) + 1 or end


def place_of(span: Span, text: str) -> Span | None:
    """Return the span of a text without its quotes; ``None`` if `span` contains another text."""
    source = span.source.text
    written = source[span.start : span.end]
    if written == text:
        return span
    if written[1:-1] == text and written[:1] == written[-1:] and written[:1] in {'"', "'"}:
        return Span(span.source, span.start + 1, span.end - 1)
    return None


def without_line(key: Span, value: Span) -> Fix | None:
    """Return the fix that removes an entry, or ``None`` if that is not possible.

    If the line contains nothing else, except a comment, the whole line is removed. Otherwise, only the entry is removed
    from a `{…}` or `[…]`.
    """
    text = key.source.text
    start = text.rfind("\n", 0, key.start) + 1
    end = text.find("\n", value.end)
    end = len(text) if end < 0 else end + 1
    rest = text[value.end : end].strip()
    if not text[start : key.start].strip() and (not rest or rest.startswith("#")) and key.start <= value.start:
        return Fix((Edit(Span(key.source, start, end), ""),), certain=False)
    span = Span(key.source, key.start, value.end)
    start, end = span.start, span.end
    after = len(text[end:]) - len(text[end:].lstrip(" "))
    before = len(text[:start].rstrip(" "))
    if text[end + after : end + after + 1] == ",":
        end += after + 1
        end += len(text[end:]) - len(text[end:].lstrip(" "))
    elif text[before - 1 : before] == ",":
        start = before - 1
    elif text[before - 1 : before] != "{":
        return None
    return Fix((Edit(Span(span.source, start, end), ""),), certain=False)


def with_entry(node: Mapping, key: str, value: str) -> Fix | None:
    """Return the fix that adds an entry at the start of a `{…}` or block; ``None`` if that is impossible.

    That is impossible if the mapping is empty, or if its first entry comes from another file.
    """
    first = node.entries[0].key.span if node.entries else None
    if first is None or first.source is not node.span.source or not node.span.start <= first.start < node.span.end:
        return None
    text = first.source.text
    start = text.rfind("\n", 0, first.start) + 1
    separator = ", " if text[node.span.start] == "{" else "\n" + " " * (first.start - start)
    return Fix((Edit(Span(first.source, first.start, first.start), f"{key}: {value}{separator}"),), certain=False)


def spaced(place: Span) -> Fix:
    """Return the fix that adds a space after a span. It is certain."""
    return Fix((Edit(Span(place.source, place.end, place.end), " "),), certain=True)


def with_colon(place: Span) -> Fix | None:
    """Return the fix that adds a colon after a key before a bracket or at the start of a line."""
    text, end = place.source.text, place.start
    if text[end : end + 1] in {"[", "{"}:
        end = len(text[:end].rstrip(" "))
    elif key := _LONE_KEY.fullmatch(text, place.start, place.end):
        end = key.end(1)
    else:
        return None
    return Fix((Edit(Span(place.source, end, end), ":"),), certain=False)


def without_tabs(place: Span) -> Fix:
    """Return the fix that replaces a tab by spaces.

    If the tab indents a line, the fix changes all lines that are indented with tabs. The fix is certain if no line is
    indented with spaces: then two spaces for each tab keep the relative indentation of all lines. Otherwise, a line
    below a key without a value is indented further than it, and other lines follow the line above.
    """
    source = place.source
    lines = [match.span() for match in _INDENT.finditer(source.text)]
    if not any(start <= place.start < end for start, end in lines):
        return Fix((Edit(place, " "),), certain=False)
    certain = all(" " not in source.text[start:end] for start, end in lines)
    edits, tabs, width, above = [], 0, 0, ""
    for match in _LINE.finditer(source.text):
        space, line = match["space"], match["line"]
        if "\t" not in space:
            tabs, width = 0, len(space)
        else:
            further = not tabs or space.count("\t") > tabs
            width += 2 * (_OPENS.search(above) is not None if further else space.count("\t") - tabs)
            tabs = space.count("\t")
            width = max(0, width)
            new = "  " * tabs if certain else " " * width
            edits.append(Edit(Span(source, match.start(), match.start("line")), new))
        above = line
    return Fix(tuple(edits), certain)


def aligned(place: Span) -> Fix | None:
    """Return the fix that moves a line to the nearest indentation among the lines above.

    Lines below it are moved as well, up to the first one that is indented less. Of two equally near columns, the right
    one is taken.
    """
    text = place.source.text
    begin = text.rfind("\n", 0, place.start) + 1
    width = len(text) - begin - len(text[begin:].lstrip(" "))
    columns = {len(match["space"]) for match in _LINE.finditer(text, 0, max(0, begin - 1))} | {0}
    new = min(columns - {width}, key=lambda column: (abs(column - width), -column), default=width)
    edits = []
    for match in _LINE.finditer(text, begin):
        if len(match["space"]) < width:
            break
        edits.append(Edit(Span(place.source, match.start(), match.start() + width), " " * new))
    return Fix(tuple(edits), certain=False) if new != width else None


_LINE = re.compile(r"(?m)^(?P<space>[ \t]*)(?P<line>[^\s#].*)")
_OPENS = re.compile(r":\s*(#.*)?$")
_LONE_KEY = re.compile(r"([\w-]+)(?: +[\w-]+)?")
_INDENT = re.compile(r"(?m)^[ \t]+(?=\S)")


def certain_edits(findings: Iterable[Diagnostic], name: str) -> list[Edit]:
    """Return the edits of all certain fixes in the file `name`, in the order of their places.

    A fix is left out if it also has edits in other files, or if it overlaps an earlier fix.
    """
    made: list[Edit] = []
    for finding in findings:
        fix = finding.fix
        if fix is None or not fix.certain or any(edit.place.source.name != name for edit in fix.edits):
            continue
        new = [edit for edit in fix.edits if edit not in made]
        if all(
            (edit.place.end <= other.place.start or other.place.end <= edit.place.start)
            for edit in new
            for other in made
        ):
            made += new
    return sorted(made, key=lambda edit: edit.place.start)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with the edits made. They must not overlap."""
    for edit in sorted(edits, key=lambda edit: edit.place.start, reverse=True):
        text = text[: edit.place.start] + edit.new_text + text[edit.place.end :]
    return text


WIDTH = 120
"""The largest length of a line that edits make, unless no other layout is possible."""
_STEP = 2

_PLAIN = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`][^,\[\]{}#:]*(?<!\s)")
_KEY = re.compile(r"[a-z0-9_-]+")


def rewritten(source: Source, old: Mapping, new: Mapping) -> str:
    """Return the text of the tree `old`, edited so that it becomes the tree `new`."""
    return edited(source.text, _Rewriter(source).mapping(old, new))


class _Rewriter:
    """Makes the edits that turn the text of one tree into that of another."""

    def __init__(self, source: Source) -> None:
        self.source, self.text = source, source.text

    def node(self, old: Node, new: Node) -> Iterator[Edit]:
        """Yield the edits that turn the text of the node `old` into a text of the node `new`."""
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
        """New entries, by the index of the old entry that they come after; -1 for the beginning."""
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
        """Yield the edits of a mapping in braces: entries to keep, by index, and entries to add."""
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
        """Return the edit that deletes the lines of an entry, and one of two empty lines around them."""
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
        return "\n".join([head, *(self._lines(inner, column + _STEP) for inner in entry.value.entries)])

    def too_long(self, span: Span, edits: list[Edit]) -> bool:
        """True if the edits make the line of a mapping in braces too long."""
        before, line = self._line(span.start)
        grows = sum(len(edit.new_text) - (edit.place.end - edit.place.start) for edit in edits)
        alone = re.fullmatch(r" *[\w\"'{}-]+: ", before) is not None and "\n" not in self.text[span.start : span.end]
        return alone and grows > 0 and len(line) + grows > WIDTH

    def as_block(self, old: Mapping, new: Mapping) -> Edit:
        """Return the edit that turns a mapping in braces into one with a line for each entry."""
        before, _ = self._line(old.span.start)
        column = len(before) - len(before.lstrip()) + _STEP
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
    """Return a node as YAML on one line, for use within braces."""
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
