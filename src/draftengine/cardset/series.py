"""A series of cards: one entry that stands for many, written out before anything else looks at the file.

    cards: {"n{n}": {series: {n: 1-104}, count: 1, has: {n: "{n}"}}}

``1-117/4`` is every fourth number. In the card's name and in everything that stands at it, ``{n}`` is replaced by the
number; a value that is nothing else becomes the number.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from draftengine.cardset.tree import Entry, Key, Mapping, Node, Scalar, Sequence
from draftengine.diagnostics.finding import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 300
"""A series has no more cards."""

_SPAN = re.compile(r"([0-9]{1,4})-([0-9]{1,4})(?:/([1-9][0-9]{0,2}))?")
_SLOT = re.compile(r"\{[a-z]\}")


def with_series(root: Mapping) -> tuple[Mapping, tuple[Diagnostic, ...]]:
    """The tree of a file with its series written out, and what is wrong with them."""
    own = root.entry("cards")
    if own is None or not isinstance(own.value, Mapping) or not any(map(_is_meant, own.value.entries)):
        return root, ()
    findings: list[Diagnostic] = []
    cards = tuple(card for entry in own.value.entries for card in _cards(entry, findings))
    written = Entry(own.key, Mapping(cards, own.value.span))
    return Mapping(tuple(written if entry is own else entry for entry in root.entries), root.span), tuple(findings)


def _is_meant(entry: Entry) -> bool:
    series = isinstance(entry.value, Mapping) and entry.value.entry("series") is not None
    return series or _SLOT.search(entry.key.text) is not None


def _cards(entry: Entry, findings: list[Diagnostic]) -> Iterator[Entry]:
    if not _is_meant(entry):
        yield entry
        return
    found = _series(entry)
    if isinstance(found, str):
        hint = 'Write it like this: "n{n}": {series: {n: 1-20}, has: {n: "{n}"}}.'
        path = f"/cards/{entry.key.text}"
        findings.append(Diagnostic("bad-series", "error", found, entry.key.span, path, hint))
        return
    slot, numbers = found
    assert isinstance(entry.value, Mapping)
    rest = Mapping(tuple(own for own in entry.value.entries if own.key.text != "series"), entry.value.span)
    for number in numbers:
        yield Entry(Key(entry.key.text.replace(slot, str(number)), entry.key.span), _filled(rest, slot, number))


def _series(entry: Entry) -> tuple[str, range] | str:
    """What is replaced, and by which numbers; or what is wrong."""
    series = entry.value.get("series") if isinstance(entry.value, Mapping) else None
    if not isinstance(series, Mapping) or len(series.entries) != 1:
        return "A series of cards says from which number to which it goes."
    (own,) = series.entries
    slot = f"{{{own.key.text}}}"
    span = _SPAN.fullmatch(str(own.value.value)) if isinstance(own.value, Scalar) else None
    if span is None or not _SLOT.fullmatch(slot):
        return "A series goes from a number to a number, under one letter."
    first, last = int(span[1]), int(span[2])
    if not first <= last < first + MOST:
        return f"A series has at least one card and at most {MOST}."
    if slot not in entry.key.text:
        return f"The cards of this series would all have the same name: “{slot}” is missing in it."
    return slot, range(first, last + 1, int(span[3] or 1))


def _filled(node: Node, slot: str, number: int) -> Node:
    if isinstance(node, Mapping):
        entries = tuple(Entry(own.key, _filled(own.value, slot, number)) for own in node.entries)
        return Mapping(entries, node.span)
    if isinstance(node, Sequence):
        return Sequence(tuple(_filled(own, slot, number) for own in node.items), node.span)
    if not isinstance(node.value, str) or slot not in node.value:
        return node
    value = number if node.value == slot else node.value.replace(slot, str(number))
    return Scalar(value, node.span)
