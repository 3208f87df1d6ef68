"""Series of cards or actions: one entry is replaced by many before anything else looks at the file.

    cards: {"n{n}": {series: {n: 1-104}, count: 1, has: {n: "{n}"}}}
    as: {"bid_{n}": {series: {n: 1-9}, cards: 0, pay: {coins: "{n}"}}}

``1-117/4`` is every fourth number. In the name and in everything in the entry, ``{n}`` is replaced by the number; a
value that is only ``{n}`` becomes the number.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from draftengine.model import limits
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.yaml.tree import Entry, Key, Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.model.diagnostics.diagnostic import Diagnostic


_SPAN = re.compile(r"([0-9]{1,4})-([0-9]{1,4})(?:/([1-9][0-9]{0,2}))?")
_SLOT = re.compile(r"\{[a-z]\}")


def with_series(root: Mapping) -> tuple[Mapping, tuple[Diagnostic, ...]]:
    """Return the tree of a file with its series written out, and the mistakes in them."""
    writer = _Writer()
    entries = tuple(
        writer.ways(Entry(entry.key, writer.cards(entry.value)) if entry.key.text == "cards" else entry)
        for entry in root.entries
    )
    return (Mapping(entries, root.span) if writer.written else root), tuple(writer.findings)


class _Writer:
    """A rewriter that replaces series by their entries and collects mistakes."""

    def __init__(self) -> None:
        self.written = False
        self.findings: list[Diagnostic] = []

    def cards(self, node: Node) -> Node:
        """Return the cards of a file; a card with a letter in braces in its name counts as a series."""
        if not isinstance(node, Mapping):
            return node
        return self._all(node, lambda entry: _has_series(entry) or _SLOT.search(entry.key.text) is not None, "/cards/")

    def ways(self, entry: Entry) -> Entry:
        """Return a part of a file with the actions of every choice written out."""
        return Entry(entry.key, self._ways_in(entry.value, entry.key.text))

    def _ways_in(self, node: Node, key: str) -> Node:
        if isinstance(node, Sequence):
            return Sequence(tuple(self._ways_in(item, "") for item in node.items), node.span)
        if not isinstance(node, Mapping):
            return node
        if key == "as" and any(map(_has_series, node.entries)):
            return self._all(node, _has_series, "")
        return Mapping(tuple(map(self.ways, node.entries)), node.span)

    def _all(self, node: Mapping, is_meant: Callable[[Entry], bool], path: str) -> Mapping:
        lists = (self._one(entry, path) if is_meant(entry) else (entry,) for entry in node.entries)
        return Mapping(tuple(chain.from_iterable(lists)), node.span)

    def _one(self, entry: Entry, path: str) -> Iterator[Entry]:
        """Yield all entries of a series."""
        self.written = True
        series = _series(entry)
        if isinstance(series, str):
            place = path and f"{path}{entry.key.text}"
            self.findings.append(diagnose("bad-series", entry.key.span, place, say="written", why=series))
            return
        slot, numbers = series
        assert isinstance(entry.value, Mapping)
        rest = Mapping(tuple(other for other in entry.value.entries if other.key.text != "series"), entry.value.span)
        for number in numbers:
            yield _in_place(Entry(entry.key, rest), slot, number)


_TEXTS = frozenset({"label", "text", "icon"})
"""Keys under which a number becomes a text."""


def _has_series(entry: Entry) -> bool:
    return isinstance(entry.value, Mapping) and entry.value.entry("series") is not None


def _series(entry: Entry) -> tuple[str, range] | str:
    """Return the slot and the numbers that replace it, or a message about a mistake."""
    series = entry.value.get("series") if isinstance(entry.value, Mapping) else None
    if not isinstance(series, Mapping) or len(series.entries) != 1:
        return "A series says from which number to which it goes."
    (only,) = series.entries
    slot = f"{{{only.key.text}}}"
    span = _SPAN.fullmatch(str(only.value.value)) if isinstance(only.value, Scalar) else None
    if span is None or not _SLOT.fullmatch(slot):
        return "A series goes from a number to a number, under one letter."
    first, last = int(span[1]), int(span[2])
    if not first <= last < first + limits.CARDS:
        return f"A series has at least one number and at most {limits.CARDS}."
    if slot not in entry.key.text:
        return f"All of this series would have the same name: “{slot}” is missing in it."
    return slot, range(first, last + 1, int(span[3] or 1))


def _in_place(entry: Entry, slot: str, number: int) -> Entry:
    key = Key(entry.key.text.replace(slot, str(number)), entry.key.span)
    if key.text in _TEXTS and isinstance(entry.value, Scalar) and entry.value.value == slot:
        return Entry(key, Scalar(str(number), entry.value.span))
    return Entry(key, _filled(entry.value, slot, number))


def _filled(node: Node, slot: str, number: int) -> Node:
    if isinstance(node, Mapping):
        return Mapping(tuple(_in_place(entry, slot, number) for entry in node.entries), node.span)
    if isinstance(node, Sequence):
        return Sequence(tuple(_filled(item, slot, number) for item in node.items), node.span)
    if not isinstance(node.value, str) or slot not in node.value:
        return node
    value = number if node.value == slot else node.value.replace(slot, str(number))
    return Scalar(value, node.span)
