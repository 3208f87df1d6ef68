"""Actions for each of several cards: one entry stands for many.

    as: {"ask_{c}": {each: {c: any}, ask: "{c}", give: spoon, label: "Ask for {c}"}}

It is replaced once all cards of the game are known. In the action's name and in everything in it, ``{c}`` is replaced
by the card; in its label by the card's label. ``any`` is every card that is not wild; a family is all its cards. For
code that looks only at the shape of a file, the letter itself takes the card's place (`with_letters`).

A *series* of cards or actions is replaced before anything else looks at the file:

    cards: {"n{n}": {series: {n: 1-104}, count: 1, has: {n: "{n}"}}}
    as: {"bid_{n}": {series: {n: 1-9}, cards: 0, pay: {coins: "{n}"}}}

``1-117/4`` is every fourth number. In the name and in everything in the entry, ``{n}`` is replaced by the number; a
value that is only ``{n}`` becomes the number.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from itertools import chain
from operator import is_
from typing import TYPE_CHECKING

from draftengine.model import limits
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.loading.overlay import FLOW
from draftengine.model.yaml.tree import Entry, Key, Mapping, Node, Scalar, Sequence
from draftengine.support.identity import IdentityKey
from draftengine.support.locale.phrases import Phrase, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from draftengine.model.cardset.records import Card
    from draftengine.model.diagnostics.diagnostic import Diagnostic

ANY = "any"
_WITH_STEPS = frozenset({*FLOW, "cards", "triggers"})


def with_each(root: Mapping, cards: Callable[[], tuple[Card, ...]], findings: list[Diagnostic]) -> Mapping:
    """Return the tree of a game with these actions written out; mistakes are appended to `findings`."""
    writer = _Writer(cards, findings)
    entries = [
        Entry(entry.key, writer.section(entry.value))
        if entry.key.text in _WITH_STEPS and _has_ways(entry.value)
        else entry
        for entry in root.entries
    ]
    return Mapping(tuple(entries), root.span)


def with_letters(root: Mapping) -> Mapping:
    """Return a tree with the letter of such actions in place of each card; unaffected parts are shared."""
    entries = tuple(_with_letter(entry) if _has_ways(entry.value) else entry for entry in root.entries)
    return root if all(map(is_, entries, root.entries)) else Mapping(entries, root.span)


def _has_ways(section: Node) -> bool:
    """True if anything in a section has actions or stands for each of several cards."""
    if isinstance(section, Scalar):
        return False
    return _says_ways(section) or any(_entry_has_ways(IdentityKey(part)) for part in _inner(section))


@lru_cache(1 << 12)
def _entry_has_ways(node: IdentityKey[Node]) -> bool:
    """True if a node contains actions; cached because games of a document share most entries."""
    waiting = [node.own]
    for part in waiting:
        if _says_ways(part):
            return True
        waiting += _inner(part)
    return False


def _says_ways(node: Node) -> bool:
    return isinstance(node, Mapping) and any(entry.key.text in {"as", "each"} for entry in node.entries)


def _inner(node: Node) -> list[Node]:
    if isinstance(node, Mapping):
        return [entry.value for entry in node.entries]
    return [*node.items] if isinstance(node, Sequence) else []


def _in_letters(node: Node) -> Node:
    if isinstance(node, Mapping):
        entries = tuple(map(_with_letter, node.entries))
        return node if all(map(is_, entries, node.entries)) else Mapping(entries, node.span)
    if not isinstance(node, Sequence):
        return node
    items = tuple(map(_in_letters, node.items))
    return node if all(map(is_, items, node.items)) else Sequence(items, node.span)


def _with_letter(entry: Entry) -> Entry:
    each = entry.value.get("each") if isinstance(entry.value, Mapping) else None
    if not isinstance(each, Mapping) or not isinstance(entry.value, Mapping) or len(each.entries) != 1:
        value = _in_letters(entry.value)
        return entry if value is entry.value else Entry(entry.key, value)
    (only,) = each.entries
    letter = only.key.text
    slot = f"{{{letter}}}"
    name = Key(entry.key.text.replace(slot, letter), entry.key.span)
    return Entry(name, _in_letters(_filled(entry.value, slot, {"": letter})))


class _Writer:
    def __init__(self, cards: Callable[[], tuple[Card, ...]], findings: list[Diagnostic]) -> None:
        self._cards, self.findings = cards, findings

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        return self._cards()

    def section(self, node: Node) -> Node:
        """Return a section of the file with all actions written out; parts without any are shared."""
        if isinstance(node, Sequence):
            return Sequence(
                tuple(self.steps(item) if _entry_has_ways(IdentityKey(item)) else item for item in node.items),
                node.span,
            )
        if not isinstance(node, Mapping):
            return node
        entries = (
            Entry(entry.key, self.steps(entry.value)) if _entry_has_ways(IdentityKey(entry.value)) else entry
            for entry in node.entries
        )
        return Mapping(tuple(entries), node.span)

    def steps(self, node: Node) -> Node:
        """Return the node with the actions of every choice in it written out."""
        if isinstance(node, Sequence):
            return Sequence(tuple(map(self.steps, node.items)), node.span)
        if not isinstance(node, Mapping):
            return node
        entries = [
            Entry(entry.key, self.steps(self._ways(entry.value) if entry.key.text == "as" else entry.value))
            for entry in node.entries
        ]
        return Mapping(tuple(entries), node.span)

    def _ways(self, node: Node) -> Node:
        if not isinstance(node, Mapping):
            return node
        return Mapping(tuple(way for entry in node.entries for way in self._written(entry)), node.span)

    def _written(self, entry: Entry) -> Iterable[Entry]:
        each = entry.value.get("each") if isinstance(entry.value, Mapping) else None
        if not isinstance(each, Mapping) or not isinstance(entry.value, Mapping):
            return [entry] if "{" not in entry.key.text else self._refused(entry, said("series.no-letter"))
        (only,) = each.entries
        slot = f"{{{only.key.text}}}"
        cards = self._meant(only.value)
        if slot not in entry.key.text or not cards:
            return self._refused(entry, said("series.ways-alike", slot=slot) if cards else said("series.no-card"))
        rest = [other for other in entry.value.entries if other.key.text != "each"]
        return [_for_card(entry, rest, slot, card) for card in cards]

    def _refused(self, entry: Entry, why: Phrase) -> Iterable[Entry]:
        example = '"ask_{c}": {each: {c: any}, ask: "{c}"}'
        self.findings.append(diagnose("bad-series", entry.key.span, say="each", why=why, example=example))
        return []

    def _meant(self, node: Node) -> list[Card]:
        nodes = node.items if isinstance(node, Sequence) else (node,)
        names = {node.value for node in nodes if isinstance(node, Scalar)}
        return [
            card
            for card in self.cards
            if not card.forms and (ANY in names or not names.isdisjoint({card.id, *card.family}))
        ]


def _for_card(entry: Entry, rest: list[Entry], slot: str, card: Card) -> Entry:
    entries = [
        Entry(other.key, _filled(other.value, slot, dict(card.label) if other.key.text == "label" else {"": card.id}))
        for other in rest
    ]
    return Entry(Key(entry.key.text.replace(slot, card.id), entry.key.span), Mapping(tuple(entries), entry.value.span))


def _filled(node: Node, slot: str, texts: dict[str, str], language: str = "") -> Node:
    """Return the node with a text in place of the slot: in a label, the text of each language."""
    if isinstance(node, Mapping):
        entries = [
            Entry(
                Key(entry.key.text.replace(slot, texts.get("", "")), entry.key.span),
                _filled(entry.value, slot, texts, entry.key.text),
            )
            for entry in node.entries
        ]
        return Mapping(tuple(entries), node.span)
    if isinstance(node, Sequence):
        return Sequence(tuple(_filled(item, slot, texts) for item in node.items), node.span)
    if not isinstance(node.value, str) or slot not in node.value:
        return node
    text = texts.get(language) or texts.get("") or texts.get("en") or next(iter(texts.values()))
    return Scalar(node.value.replace(slot, text), node.span)


_SPAN = re.compile(r"([0-9]{1,4})-([0-9]{1,4})(?:/([1-9][0-9]{0,2}))?")
_SLOT = re.compile(r"\{[a-z]\}")


def with_series(root: Mapping) -> tuple[Mapping, tuple[Diagnostic, ...]]:
    """Return the tree of a file with its series written out, and the mistakes in them."""
    writer = _SeriesWriter()
    entries = tuple(
        writer.ways(Entry(entry.key, writer.cards(entry.value)) if entry.key.text == "cards" else entry)
        for entry in root.entries
    )
    return (Mapping(entries, root.span) if writer.written else root), tuple(writer.findings)


class _SeriesWriter:
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
        if isinstance(series, Phrase):
            place, example = path and f"{path}{entry.key.text}", '"n{n}": {series: {n: 1-20}, has: {n: "{n}"}}'
            mistake = diagnose("bad-series", entry.key.span, place, say="written", why=series, example=example)
            self.findings.append(mistake)
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


def _series(entry: Entry) -> tuple[str, range] | Phrase:
    """Return the slot and the numbers that replace it, or a message about a mistake."""
    series = entry.value.get("series") if isinstance(entry.value, Mapping) else None
    if not isinstance(series, Mapping) or len(series.entries) != 1:
        return said("series.numbers-missing")
    (only,) = series.entries
    slot = f"{{{only.key.text}}}"
    span = _SPAN.fullmatch(str(only.value.value)) if isinstance(only.value, Scalar) else None
    if span is None or not _SLOT.fullmatch(slot):
        return said("series.one-letter")
    first, last = int(span[1]), int(span[2])
    if not first <= last < first + limits.CARDS:
        return said("series.length", most=limits.CARDS)
    if slot not in entry.key.text:
        return said("series.alike", slot=slot)
    return slot, range(first, last + 1, int(span[3] or 1))


def _in_place(entry: Entry, slot: str, number: int) -> Entry:
    key = Key(entry.key.text.replace(slot, str(number)), entry.key.span)
    if key.text in _TEXTS and isinstance(entry.value, Scalar) and entry.value.value == slot:
        return Entry(key, Scalar(str(number), entry.value.span))
    return Entry(key, _numbered(entry.value, slot, number))


def _numbered(node: Node, slot: str, number: int) -> Node:
    if isinstance(node, Mapping):
        return Mapping(tuple(_in_place(entry, slot, number) for entry in node.entries), node.span)
    if isinstance(node, Sequence):
        return Sequence(tuple(_numbered(item, slot, number) for item in node.items), node.span)
    if not isinstance(node.value, str) or slot not in node.value:
        return node
    value = number if node.value == slot else node.value.replace(slot, str(number))
    return Scalar(value, node.span)
