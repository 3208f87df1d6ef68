"""`for`: what stands once in a file and is meant once for each of several values.

    cards: {"n{n}": {for: {n: 1-104}, count: 1, has: {n: "{n}"}}}
    round: [{for: {t: tavern}, choose: {from: hand, to: "bid_{t}"}}]
    set: {for: {g: gem}, "{g}": 0}

It repeats the entry whose name has the letter, the item of a list, or else those entries beside it whose names have the
letter. Numbers and named lists are written out before anything else looks at a file. Families of cards, and ``any``,
are known only when all cards of a game are, so such entries wait (`with_cards`). Code that looks only at the shape of a
file sees them with the letter itself in place of a card (`with_letters`).
"""

from __future__ import annotations

import re
from collections.abc import Callable  # noqa: TC003 (a Struct reads its annotations)
from functools import lru_cache
from itertools import product
from operator import is_
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.cardset.facts import Constants
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.language.evaluate import constant_value
from draftengine.model.language.parse import FormulaError, parse
from draftengine.model.yaml.tree import Entry, Key, Mapping, Node, Scalar, Sequence, below
from draftengine.support.identity import IdentityKey

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import Card
    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.support.source import Span

FOR, IF, IS = "for", "if", "is"
ANY = "any"
MOST = 2_000
"""The most entries that one `for` makes."""

TEXTS = frozenset({"label", "text", "title", "icon", "role", "call"})
"""Keys of printed texts: there a label stands for a value, and `{points}` is a number of a rule."""
NOT_WRITTEN_OUT = frozenset({"examples", "sources", "about", "lists"})
"""Sections in which nothing is repeated."""

_RANGE = re.compile(r"([0-9]{1,4})-([0-9]{1,4})(?:/([1-9][0-9]{0,2}))?")
_SLOT = re.compile(r"\{([a-z0-9_ +*/%()-]+)\}")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


class Meaning(Struct, frozen=True):
    """One value of a letter, and what printed texts call it, by language."""

    node: Node
    label: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        return str(self.node.value) if isinstance(self.node, Scalar) else ""

    def place(self, places: dict[str, int]) -> int:
        """Return the number with which conditions compare the value."""
        number = self.node.value if isinstance(self.node, Scalar) else None
        return number if isinstance(number, int) else places[self.text]

    def said(self, language: str) -> str:
        """Return what a printed text calls the value."""
        labels = dict(self.label)
        fallback = self.text.replace("_", " ")
        return labels.get(language) or labels.get("") or labels.get("en") or next(iter(labels.values()), fallback)


Row = dict[str, Meaning | None]
"""The values of all letters together; ``None`` for one that has none there."""


class ForError(Exception):
    """Why a `for` cannot be written out: a situation of the code ``bad-for``, and its values."""

    def __init__(self, say: str, **values: Any) -> None:
        super().__init__(say)
        self.say, self.values = say, values


class Meanings(Struct, frozen=True):
    """The lists and cards that names stand for."""

    lists: Mapping | None
    labels: dict[str, tuple[tuple[str, str], ...]]
    """Labels of cards."""
    of_cards: Callable[[str], list[str] | None] = lambda _: None
    """Function from a name to the cards that it stands for; ``None`` where these are not known yet."""

    def of(self, node: Node) -> list[Meaning] | None:
        """Return the values behind a letter; ``None`` if they are not known yet. Raises `ForError`."""
        if isinstance(node, Mapping):
            return [Meaning(Scalar(entry.key.text, entry.key.span), _labels(entry.value)) for entry in node.entries]
        if isinstance(node, Sequence):
            return [self._one(item) for item in node.items]
        if not isinstance(node.value, str):
            return [Meaning(node)]
        if numbers := _RANGE.fullmatch(node.value):
            first, last, step = int(numbers[1]), int(numbers[2]), int(numbers[3] or 1)
            if first > last:
                raise ForError("backwards", text=node.value)
            return [Meaning(Scalar(number, node.span)) for number in range(first, last + 1, step)]
        if self.lists is not None and (named := self.lists.get(node.value)) is not None:
            if _is_table(named):
                raise ForError("table", name=node.value, text=f"for: {node.value}")
            return self.of(named)
        cards = self.of_cards(node.value)
        if cards == []:
            raise ForError("unknown", name=node.value)
        return None if cards is None else [self._one(Scalar(card, node.span)) for card in cards]

    def _one(self, node: Node) -> Meaning:
        return Meaning(node, self.labels.get(str(node.value), ()) if isinstance(node, Scalar) else ())

    def table(self, node: Node) -> Node:
        """Return a `for` with the list that it may name instead. Raises `ForError`."""
        if not isinstance(node, Scalar):
            return node
        named = self.lists.get(str(node.value)) if self.lists is not None else None
        if named is None or not _is_table(named):
            raise ForError("no-table", name=str(node.value), text=f"for: {{n: {node.value}}}")
        return named


def _is_table(node: Node) -> bool:
    return isinstance(node, Sequence) and any(isinstance(item, Mapping) for item in node.items)


def _labels(node: Node) -> tuple[tuple[str, str], ...]:
    if isinstance(node, Mapping):
        return tuple(
            (entry.key.text, str(entry.value.value)) for entry in node.entries if isinstance(entry.value, Scalar)
        )
    return (("", node.value),) if isinstance(node, Scalar) and isinstance(node.value, str) else ()


# ── What the rest of the program asks for ────────────────────────────────────────────────────────────────────────────


def written_out(root: Mapping, base: Mapping | None = None) -> tuple[Mapping, tuple[Diagnostic, ...]]:
    """Return a tree with every `for` over numbers and lists written out, and the mistakes in them.

    `base` is the tree that the file changes: its lists and cards are known, too.
    """
    if not has_for(IdentityKey(root)):
        return root, ()
    trees = [tree for tree in (root, base) if tree is not None]
    lists = tuple(entry for tree in trees for entry in _entries(tree.get("lists")))
    labelled = (
        (entry.key.text, below(entry.value, ("label",))) for tree in trees for entry in _entries(tree.get("cards"))
    )
    labels = {card: _labels(label) for card, label in labelled if label is not None}
    writer = _Writer(Meanings(Mapping(lists, root.span), labels))
    return writer.root(root), tuple(writer.findings)


def with_cards(root: Mapping, cards: Callable[[], tuple[Card, ...]], findings: list[Diagnostic]) -> Mapping:
    """Return the tree of a game with every `for` over cards written out; `findings` gets the mistakes."""
    if not has_for(IdentityKey(root)):
        return root
    known = cards()

    def of(name: str) -> list[str]:
        return [card.id for card in known if not card.forms and (name == ANY or name in {card.id, *card.family})]

    lists = root.get("lists")
    labels = {card.id: card.label for card in known}
    writer = _Writer(Meanings(lists if isinstance(lists, Mapping) else None, labels, of))
    written = writer.root(root)
    findings += writer.findings
    return written


def with_letters(root: Mapping) -> Mapping:
    """Return a tree with the letter of every waiting `for` in place of its values."""
    if not has_for(IdentityKey(root)):
        return root
    lists = root.get("lists")
    return _Letters(Meanings(lists if isinstance(lists, Mapping) else None, {})).root(root)


@lru_cache(1 << 12)
def has_for(node: IdentityKey[Node]) -> bool:
    """True if there is a `for` or a letter in a name in a node; cached because games share most of theirs."""
    if isinstance(node.own, Mapping):
        return any(
            entry.key.text == FOR
            or "{" in entry.key.text
            or (not isinstance(entry.value, Scalar) and has_for(IdentityKey(entry.value)))
            for entry in node.own.entries
            if entry.key.text not in NOT_WRITTEN_OUT
        )
    if isinstance(node.own, Sequence):
        return any(has_for(IdentityKey(item)) for item in node.own.items if not isinstance(item, Scalar))
    return False


# ── Writing out ──────────────────────────────────────────────────────────────────────────────────────────────────────


class _Writer:
    """A rewriter that replaces what stands for many, and collects mistakes; unaffected parts are shared."""

    def __init__(self, meanings: Meanings) -> None:
        self.meanings = meanings
        self.findings: list[Diagnostic] = []

    def root(self, root: Mapping) -> Mapping:
        entries = tuple(
            entry if entry.key.text in NOT_WRITTEN_OUT else Entry(entry.key, self.node(entry.value))
            for entry in root.entries
        )
        return Mapping(entries, root.span)

    def node(self, node: Node) -> Node:
        """Return a node with everything in it written out."""
        if isinstance(node, Scalar) or not has_for(IdentityKey(node)):
            return node
        if isinstance(node, Sequence):
            return Sequence(tuple(item for listed in node.items for item in self._items(listed)), node.span)
        return self._mapping(node)

    def _items(self, item: Node) -> Iterator[Node]:
        spec = item.entry(FOR) if isinstance(item, Mapping) else None
        if spec is None:
            yield self.node(item)
            return
        rows = self.rows(spec)
        if rows is None:
            yield item
            return
        rest = _without_for(item)
        try:
            filled_in = [filled(rest, row) for row in rows]
        except ForError as error:
            self._refuse(spec.key.span, error)
            return
        for made in map(self.node, filled_in):
            only = made.entries[0] if isinstance(made, Mapping) and len(made.entries) == 1 else None
            yield only.value if only is not None and only.key.text == IS else made

    def _mapping(self, node: Mapping) -> Mapping:
        spec = node.entry(FOR)
        letters = self.letters(spec) if spec is not None else frozenset()
        if spec is not None and self.rows(spec) is None:
            return node
        if spec is not None and letters and not any(_has(entry.key.text, letters) for entry in node.entries):
            self._refuse(spec.key.span, ForError("no-name", text=f"{{{min(letters)}}}"))
        entries: dict[str, Entry] = {}
        repeated = (made for entry in node.entries if entry is not spec for made in self._entry(entry, spec, letters))
        for entry in repeated:
            if entry.key.text in entries:
                self._refuse(entry.key.span, ForError("twice", name=entry.key.text))
            entries[entry.key.text] = entry
        return Mapping(tuple(entries.values()), node.span)

    def _entry(self, entry: Entry, around: Entry | None, letters: frozenset[str]) -> Iterator[Entry]:
        """Yield the entries that one stands for: by its own `for`, or by that beside it."""
        inside = entry.value.entry(FOR) if isinstance(entry.value, Mapping) else None
        if inside is not None and _has(entry.key.text, self.letters(inside)):
            spec, rest = inside, cast("Node", _without_for(entry.value))
        elif around is not None and _has(entry.key.text, letters):
            spec, rest = around, entry.value
        else:
            if inside is None and "{" in entry.key.text:
                self._refuse(entry.key.span, ForError("letter", name=entry.key.text, text="for: {c: any}"))
            yield Entry(entry.key, self.node(entry.value))
            return
        rows = self.rows(spec)
        if rows is None:
            yield entry
            return
        try:
            made = [(_in_name(entry.key.text, row), row) for row in rows]
            filled_in = [Entry(Key(name, entry.key.span), filled(rest, row, name)) for name, row in made]
        except ForError as error:
            self._refuse(spec.key.span, error)
            return
        for one in filled_in:
            yield Entry(one.key, self.node(one.value))

    def letters(self, spec: Entry) -> frozenset[str]:
        """Return the letters of a `for`."""
        try:
            table = self.meanings.table(spec.value)
        except ForError:
            return frozenset()
        rows = table.items if isinstance(table, Sequence) else (table,)
        return frozenset(entry.key.text for row in rows for entry in _entries(row)) - {IF}

    def rows(self, spec: Entry) -> list[Row] | None:
        """Return the values of all letters, row by row; ``None`` if some are not known yet."""
        try:
            return _rows(self.meanings, spec.value)
        except ForError as error:
            self._refuse(spec.key.span, error)
            return []

    def _refuse(self, span: Span, error: ForError) -> None:
        finding = diagnose("bad-for", span, say=error.say, **error.values)
        if all(other.span != span for other in self.findings):
            self.findings.append(finding)


class _Letters(_Writer):
    """A rewriter that puts the letter itself in place of its values."""

    def rows(self, spec: Entry) -> list[Row] | None:
        """Return one row: the first of known values, and the letter itself for unknown ones."""
        row: Row = {letter: Meaning(Scalar(letter, spec.key.span)) for letter in self.letters(spec)}
        for entry in _entries(spec.value):
            values = self.meanings.of(entry.value) if entry.key.text in row else None
            row |= {entry.key.text: values[0]} if values else {}
        return [row]


def _rows(meanings: Meanings, spec: Node) -> list[Row] | None:
    table = meanings.table(spec)
    if isinstance(table, Sequence):
        names = dict.fromkeys(entry.key.text for row in table.items for entry in _entries(row))
        rows = [{**names, **row} for item in table.items for row in _cells(item)]
    else:
        columns = {entry.key.text: meanings.of(entry.value) for entry in _entries(table) if entry.key.text != IF}
        known = {letter: values for letter, values in columns.items() if values is not None}
        if len(known) < len(columns):
            return None
        rows = _kept(below(table, (IF,)), known)
    if not rows:
        raise ForError("nothing")
    if len(rows) > MOST:
        raise ForError("many", most=MOST)
    return rows


def _cells(row: Node) -> list[Row]:
    """Return the rows that one of a table stands for: a cell is one value, but for a range of numbers."""
    ranges = Meanings(None, {})
    columns = {
        entry.key.text: ranges.of(entry.value) or [Meaning(entry.value)]
        if isinstance(entry.value, Scalar)
        else [Meaning(entry.value)]
        for entry in _entries(row)
    }
    return [dict(zip(columns, values, strict=True)) for values in product(*columns.values())]


def _kept(condition: Node | None, columns: dict[str, list[Meaning]]) -> list[Row]:
    """Return the combinations of values for which a condition holds.

    Names compare by their place in the list.
    """
    size = 1
    for values in columns.values():
        size *= len(values)
    if size > MOST * MOST:
        raise ForError("many", most=MOST)
    rows: list[Row] = [dict(zip(columns, values, strict=True)) for values in product(*columns.values())]
    if not isinstance(condition, Scalar):
        return rows
    places = {value.text: place for values in columns.values() for place, value in enumerate(values)}
    return [
        row
        for row in rows
        if _number(
            str(condition.value), places | {letter: value.place(places) for letter, value in row.items() if value}
        )
    ]


def _number(text: str, names: dict[str, int]) -> int:
    """Return the value of a formula of letters. Raises `ForError`."""
    try:
        value = constant_value(parse(text), Constants(names, 1, 1))
    except FormulaError:
        value = None
    if value is None:
        raise ForError("formula", text=text)
    return int(value)


# ── Filling in ───────────────────────────────────────────────────────────────────────────────────────────────────────


def filled(node: Node, row: Row, key: str = "", language: str = "") -> Node:
    """Return a node with values in place of letters, and with their labels in printed texts."""
    if isinstance(node, Mapping):
        entries = (
            Entry(
                Key(_in_name(entry.key.text, row), entry.key.span),
                filled(entry.value, row, *((key, language or entry.key.text) if key in TEXTS else (entry.key.text,))),
            )
            for entry in node.entries
            if not is_lacking(entry.value, row)
        )
        made = tuple(entries)
        same = len(made) == len(node.entries) and all(
            one.value is other.value and one.key.text == other.key.text
            for one, other in zip(made, node.entries, strict=True)
        )
        return node if same else Mapping(made, node.span)
    if isinstance(node, Sequence):
        items = tuple(filled(item, row, key) for item in node.items)
        return node if all(map(is_, items, node.items)) else Sequence(items, node.span)
    if not isinstance(node.value, str) or "{" not in node.value:
        return node
    if key not in TEXTS:
        return _filled_value(node, row)
    text = _SLOT.sub(lambda slot: _said(slot, row, language), node.value)
    return node if text == node.value else Scalar(text, node.span)


def _filled_value(node: Scalar, row: Row) -> Node:
    whole = _SLOT.fullmatch(str(node.value))
    value = row.get(whole[1]) if whole else None
    if value is not None:
        return replace(value.node, span=node.span, text_at=None) if isinstance(value.node, Scalar) else value.node
    if whole and _has(whole[0], frozenset(row)):
        return Scalar(_calculated(whole[1], row), node.span)
    text = _in_name(str(node.value), row)
    return node if text == node.value else Scalar(text, node.span)


def _in_name(text: str, row: Row) -> str:
    """Return a name or formula with values in place of letters."""
    return _SLOT.sub(lambda slot: _said(slot, row, None), text) if "{" in text else text


def _said(slot: re.Match[str], row: Row, language: str | None) -> str:
    """Return what stands in place of a slot: the slot itself if it has no letter of these."""
    value = row.get(slot[1])
    if value is not None:
        return value.text if language is None else value.said(language)
    return str(_calculated(slot[1], row)) if _has(slot[0], frozenset(row)) else slot[0]


def _calculated(text: str, row: Row) -> int:
    numbers = {letter: value.node.value for letter, value in row.items() if value and isinstance(value.node, Scalar)}
    return _number(text, {letter: number for letter, number in numbers.items() if isinstance(number, int)})


def _has(text: str, letters: frozenset[str]) -> bool:
    """True if a text has one of the letters in braces."""
    return "{" in text and any(not letters.isdisjoint(_NAME.findall(slot[1])) for slot in _SLOT.finditer(text))


def is_lacking(node: Node, row: Row) -> bool:
    """True if a value is nothing but a letter that has no value in this row."""
    slot = _SLOT.fullmatch(node.value) if isinstance(node, Scalar) and isinstance(node.value, str) else None
    return slot is not None and slot[1] in row and row[slot[1]] is None


def _without_for(node: Node) -> Mapping:
    assert isinstance(node, Mapping), "a `for` stands in a mapping"
    return Mapping(tuple(entry for entry in node.entries if entry.key.text != FOR), node.span)


def _entries(node: Any) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, Mapping) else ()
