"""Expands `for`, the key of an entry that is repeated for each of several values.

    cards: {"n{n}": {for: {n: 1-104}, count: 1, has: {n: "{n}"}}}
    round: [{for: {t: tavern}, choose: {from: hand, to: "bid_{t}"}}]
    set: {for: {g: gem}, "{g}": 0}

A *letter* is a name that `for` gives to the values. A `for` in an item of a list repeats the item. A `for` in a mapping
repeats the entry with the mapping if its name contains the letter. Otherwise, it repeats the entries next to it whose
names contain the letter.

A `for` over numbers or named lists is expanded before any other code reads the file (`written_out`). A `for` over cards
can only be expanded after all cards of a game are known (`with_cards`). Until then, the schema is checked with the
letter itself in place of a card (`with_letters`). `filled` replaces the letters of one entry by their values, in names,
formulas, numbers and texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from operator import is_
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from draftengine.model.diagnostics import diagnose
from draftengine.model.diagnostics.suggest import did_you_mean
from draftengine.model.loading.letters import IF, ForError, Meaning, Meanings, Row, factors, labels_in, number, rows
from draftengine.model.yaml.fixes import renamed
from draftengine.model.yaml.tree import Entry, Key, Mapping, Node, Scalar, Sequence, below, entries_of
from draftengine.support.identity import IdentityKey

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from draftengine.model.cardset.records import Card
    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.language.macros import Board
    from draftengine.support.source import Span


TEXTS = frozenset({"label", "text", "title", "icon", "role", "call"})
"""Keys of texts that are printed.

In these texts, a letter is replaced by the label of its value, and `{points}` stands for a number of a rule.
"""

LettersOf = Callable[[Entry], frozenset[str]]
"""A function that returns the letters of a `for`."""
_SLOT = re.compile(r"\{([a-z0-9_ +*/%()<>=!-]+)\}")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_NEGATIVE = re.compile(r"-[0-9]+")


def filled(node: Node, row: Row, letters: LettersOf, key: str = "", language: str = "") -> Node:
    """Return a node with its letters replaced by values or, in printed texts, by labels of the values.

    `letters` returns the letters of a `for` inside the node; they stay. `key` is the key of the node, and `language` is
    the language of a printed text.
    """
    if isinstance(node, Mapping):
        row = _with_later(row, node, letters)
        changed = (
            Entry(
                Key(name_of(entry.key.text, _with_later(row, entry.value, letters)), entry.key.span),
                _filled_for(entry.value, row, letters, entry.key.text)
                if entry.key.text in {FOR, IF}
                else filled(
                    entry.value,
                    row,
                    letters,
                    *((key, language or entry.key.text) if key in TEXTS else (entry.key.text,)),
                ),
            )
            for entry in node.entries
            if not is_lacking(entry.value, row)
        )
        made = tuple(changed)
        same = len(made) == len(node.entries) and all(
            one.value is other.value and one.key.text == other.key.text
            for one, other in zip(made, node.entries, strict=True)
        )
        return node if same else Mapping(made, node.span)
    if isinstance(node, Sequence):
        items = tuple(filled(item, row, letters, key) for item in node.items)
        return node if all(map(is_, items, node.items)) else Sequence(items, node.span)
    if not isinstance(node.value, str) or "{" not in node.value:
        return node
    if key not in TEXTS:
        return _filled_value(node, row)
    values = [value for slot in _SLOT.findall(node.value) if (value := row.get(slot)) is not None]
    languages = dict.fromkeys(tag for value in values for tag, _ in value.label if tag)
    if languages and not language:  # one text stands for one in each language of its labels
        return Mapping(
            tuple(Entry(Key(tag, node.span), filled(node, row, letters, key, tag)) for tag in languages), node.span
        )
    text = _SLOT.sub(lambda slot: _said(slot, row, language), node.value)
    return node if text == node.value else Scalar(text, node.span)


def _with_later(row: Row, node: Node, letters: LettersOf) -> Row:
    """Return a row in which the letters of the `for` in a mapping stand for themselves, in braces."""
    spec = _for_in(node)
    later = (letters(spec) if spec is not None else frozenset()) - row.keys()
    return {**row, **{name: Meaning(Scalar(f"{{{name}}}", node.span), (("", f"{{{name}}}"),)) for name in later}}


def _is_later(name: str, value: Meaning | None) -> bool:
    return value is not None and value.text == f"{{{name}}}"


def _filled_for(spec: Node, row: Row, letters: LettersOf, key: str = "") -> Node:
    """Return the value of an inner `for`, or its condition, with the letters of the outer one replaced."""
    if isinstance(spec, Mapping):
        entries = (Entry(entry.key, _filled_for(entry.value, row, letters, entry.key.text)) for entry in spec.entries)
        return Mapping(tuple(entries), spec.span)
    if isinstance(spec, Sequence):
        return Sequence(tuple(_filled_for(item, row, letters, key) for item in spec.items), spec.span)
    if key != IF or not isinstance(spec.value, str):
        return filled(spec, row, letters)
    return Scalar(_NAME.sub(lambda name: _value_in(name[0], row) or name[0], spec.value), spec.span)


def _value_in(name: str, row: Row) -> str:
    """Return the value of a letter as a part of a formula; empty if it has none yet."""
    value = row.get(name)
    if value is None or _is_later(name, value):
        return ""
    return f"({value.text})" if value.text.startswith("-") else value.text


def _filled_value(node: Scalar, row: Row) -> Node:
    whole = _SLOT.fullmatch(str(node.value))
    value = row.get(whole[1]) if whole else None
    if value is not None:
        return replace(value.node, span=node.span, text_at=None) if isinstance(value.node, Scalar) else value.node
    if whole and has_letter(whole[0], frozenset(row)):
        number = _calculated(whole[1], row)
        return node if number == whole[0] else Scalar(number, node.span)
    text = name_of(str(node.value), row)
    if text == node.value:
        return node
    return Scalar(int(text) if _NEGATIVE.fullmatch(text) else text, node.span)


def name_of(text: str, row: Row) -> str:
    """Return a name or formula with each letter replaced by its value."""
    return _SLOT.sub(lambda slot: _said(slot, row, None), text) if "{" in text else text


def _said(slot: re.Match[str], row: Row, language: str | None) -> str:
    """Return the text for braces such as ``{n + 1}``; the braces themselves if they have no known letter."""
    value = row.get(slot[1])
    if value is not None:
        return value.text if language is None else value.said(language)
    return str(_calculated(slot[1], row)) if has_letter(slot[0], frozenset(row)) else slot[0]


def _calculated(text: str, row: Row) -> int | str:
    """Return the value of braces, or the braces themselves if they have the letter of a `for` inside."""
    names = _NAME.findall(text)
    if any(_is_later(name, row.get(name)) for name in names):
        return f"{{{_NAME.sub(lambda name: _value_in(name[0], row) or name[0], text)}}}"
    if lacking := [name for name in names if name in row and row[name] is None]:
        raise ForError("lacking", letter=lacking[0], text=f"{{{text}}}")
    numbers = {letter: value.node.value for letter, value in row.items() if value and isinstance(value.node, Scalar)}
    return number(text, {letter: value for letter, value in numbers.items() if isinstance(value, int)})


def has_letter(text: str, letters: frozenset[str]) -> bool:
    """True if a text contains one of these letters in braces."""
    return "{" in text and any(not letters.isdisjoint(_NAME.findall(slot[1])) for slot in _SLOT.finditer(text))


def is_lacking(node: Node, row: Row) -> bool:
    """True if a node is nothing but a letter without a value in this row."""
    slot = _SLOT.fullmatch(node.value) if isinstance(node, Scalar) and isinstance(node.value, str) else None
    return slot is not None and slot[1] in row and row[slot[1]] is None


FOR, IS, SUM, DO = "for", "is", "sum", "do"
ANY = "any"
NOT_WRITTEN_OUT = frozenset({"examples", "sources", "about", "lists"})
"""Sections in which `for` is not expanded."""
CHANGING = frozenset({"variants", "readings"})
"""Sections with changes to the game. A `for` in a change is expanded when the change is applied."""


def written_out(root: Mapping, base: Mapping | None = None) -> tuple[Mapping, tuple[Diagnostic, ...]]:
    """Return the tree of a file with every `for` over numbers and lists expanded, and the mistakes in it.

    If the file changes another one, `base` is the tree of that file. A `for` can also use its lists and labels of
    cards.
    """
    trees = [tree for tree in (root, base) if tree is not None]
    lists = tuple(entry for tree in trees for entry in entries_of(tree.get("lists")))
    root = cast("Mapping", _with_lists(root, Meanings(Mapping(lists, root.span), {}))) if lists else root
    if not has_for(IdentityKey(root)):
        return root, ()
    labelled = (
        (entry.key.text, below(entry.value, ("label",))) for tree in trees for entry in entries_of(tree.get("cards"))
    )
    labels = {card: labels_in(label) for card, label in labelled if label is not None}
    writer = _Writer(Meanings(Mapping(lists, root.span), labels))
    return writer.root(root), tuple(writer.findings)


def _with_lists(node: Node, meanings: Meanings, key: str = "", *, of_payments: bool = False) -> Node:
    """Return a node with lists in place of their names, where payments name goods.

    `key` is the key of the node.
    """
    if isinstance(node, Scalar):
        named = meanings.lists and of_payments and key in _GOODS and meanings.lists.get(str(node.value))
        if not named or (isinstance(named, Sequence) and any(isinstance(item, Mapping) for item in named.items)):
            return node
        return Sequence(tuple(value.node for value in meanings.of(named) or ()), node.span)
    if isinstance(node, Sequence):
        items = tuple(_with_lists(item, meanings, of_payments=of_payments) for item in node.items)
        return node if all(map(is_, items, node.items)) else Sequence(items, node.span)
    entries = []
    for entry in node.entries:
        name, value = entry.key.text, entry.value
        if of_payments:
            value = _with_lists(value, meanings, key if key == "goods" else name, of_payments=True)
        elif key or name in _WITH_PAYMENTS:
            value = _with_lists(value, meanings, name, of_payments=name == "payments")
        entries.append(Entry(entry.key, value))
    same = all(new.value is old.value for new, old in zip(entries, node.entries, strict=True))
    return node if same else Mapping(tuple(entries), node.span)


_GOODS = frozenset({"goods", "stands_for"})
"""Keys of payments under which a list can be named."""
_WITH_PAYMENTS = frozenset({"payments", *CHANGING})


def with_cards(
    root: Mapping, cards: Callable[[], tuple[Card, ...]], board: Board, findings: list[Diagnostic]
) -> Mapping:
    """Return the tree of a game with every `for` over cards or copies of zones expanded.

    Mistakes are added to `findings`.
    """
    if not has_for(IdentityKey(root)):
        return root
    known = cards()

    def of(name: str) -> list[str]:
        there = [card for card in known if not (card.forms or card.is_die)]
        named = [card.id for card in there if name == ANY or name in {card.id, *card.family}]
        return named or [*board.copies(name)]

    lists = root.get("lists")
    labels = {card.id: card.label for card in known}
    writer = _Writer(Meanings(lists if isinstance(lists, Mapping) else None, labels, of))
    written = writer.root(root, NOT_WRITTEN_OUT | CHANGING)
    findings += writer.findings
    return written


def with_letters(root: Mapping) -> Mapping:
    """Return the tree with every `for` over cards expanded once, to a single entry with the letter itself."""
    if not has_for(IdentityKey(root)):
        return root
    lists = root.get("lists")
    return _Letters(Meanings(lists if isinstance(lists, Mapping) else None, {})).root(root)


@lru_cache(1 << 12)
def has_for(node: IdentityKey[Node]) -> bool:
    """True if a node contains a `for`, or braces in a name. Cached, because games share most nodes."""
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


class _Writer:
    """Expands every `for` in a tree, and collects the mistakes. Parts without a `for` stay as they are."""

    def __init__(self, meanings: Meanings) -> None:
        self.meanings = meanings
        self.findings: list[Diagnostic] = []
        self.depth = 0
        """The number of `for` around the node that is being expanded."""

    def root(self, root: Mapping, left: Collection[str] = NOT_WRITTEN_OUT) -> Mapping:
        sections = tuple(
            entry if entry.key.text in left else Entry(entry.key, self.node(entry.value)) for entry in root.entries
        )
        return Mapping(sections, root.span)

    def node(self, node: Node) -> Node:
        """Return a node with every `for` in it expanded."""
        if isinstance(node, Scalar) or not has_for(IdentityKey(node)):
            return node
        if isinstance(node, Sequence):
            return Sequence(tuple(made for item in node.items for made in self._items(item)), node.span)
        spec = _for_in(node)
        letters = self.letters(spec) if spec is not None else frozenset()
        values = self.rows(spec) if spec is not None else []
        if values is None:
            return node
        entries = node.entries if spec is None else _without_for(node).entries
        if spec is not None and len(entries) == 1 and entries[0].key.text == SUM:
            return self._sum(spec, entries[0].value, values)
        if spec is not None and letters and not any(has_letter(entry.key.text, letters) for entry in node.entries):
            self._refuse(spec.key.span, ForError("no-name", text=f"{{{min(letters)}}}"))
        written: dict[str, Entry] = {}
        repeated = (made for entry in entries for made in self._entry(entry, spec, letters))
        for entry in repeated:
            if entry.key.text in written:
                self._refuse(entry.key.span, ForError("twice", name=entry.key.text))
            written[entry.key.text] = entry
        return Mapping(tuple(written.values()), node.span)

    def _sum(self, spec: Entry, part: Node, values: list[Row]) -> Node:
        """Return the formula that adds up a formula with the values of each row."""
        if not isinstance(part, Scalar):
            self._refuse(part.span, ForError("sum"))
        try:
            parts = [filled(part, row, self.letters) for row in values]
        except ForError as error:
            self._refuse(spec.key.span, error)
            parts = []
        texts = [f"({one.value})" for one in parts if isinstance(one, Scalar)]
        return Scalar(" + ".join(texts) or "0", part.span)

    def _items(self, item: Node) -> Iterator[Node]:
        spec = _for_in(item)
        if spec is None:
            yield self.node(item)
            return
        values = self.rows(spec)
        if values is None:
            yield item
            return
        rest = _without_for(item)
        try:
            filled_in = [filled(rest, row, self.letters) for row in values]
        except ForError as error:
            self._refuse(spec.key.span, error)
            return
        for made in map(self._inner, filled_in):
            if below(made, (DO,)) is not None or below(rest, (DO,)) is None:  # else a `for` inside has no values
                yield _alone(made)

    def _entry(self, entry: Entry, around: Entry | None, letters: frozenset[str]) -> Iterator[Entry]:
        """Yield the entries made from one entry by the `for` in it, or by the `for` next to it, `around`."""
        inside = _for_in(entry.value)
        if inside is not None and has_letter(entry.key.text, self.letters(inside)):
            spec, rest = inside, cast("Node", _without_for(entry.value))
        elif around is not None and has_letter(entry.key.text, letters):
            spec, rest = around, entry.value
        else:
            if inside is None and "{" in entry.key.text:
                self._refuse(entry.key.span, ForError("letter", name=entry.key.text, text="for: {c: any}"))
            value = self.node(entry.value)
            if not (self.depth and isinstance(value, Sequence) and value is not entry.value and not value.items):
                yield Entry(entry.key, value)  # a list is left out if, with these values, a `for` inside has none
            return
        values = self.rows(spec)
        if values is None:
            yield entry
            return
        try:
            made = [(name_of(entry.key.text, row), row) for row in values]
            filled_in = [Entry(Key(name, entry.key.span), filled(rest, row, self.letters, name)) for name, row in made]
        except ForError as error:
            self._refuse(spec.key.span, error)
            return
        for one in filled_in:
            yield Entry(one.key, _alone(self._inner(one.value)))

    def _inner(self, node: Node) -> Node:
        """Return a node that a `for` repeats, with every `for` in it expanded."""
        self.depth += 1
        made = self.node(node)
        self.depth -= 1
        return made

    def letters(self, spec: Entry) -> frozenset[str]:
        """Return the letters of a `for`."""
        try:
            tables = [self.meanings.table(factor) for factor in factors(spec.value)]
        except ForError:
            return frozenset()
        lines = [line for table in tables for line in (table.items if isinstance(table, Sequence) else (table,))]
        return frozenset(entry.key.text for line in lines for entry in entries_of(line)) - {IF}

    def rows(self, spec: Entry) -> list[Row] | None:
        """Return the rows of a `for`; ``None`` if a value is not known yet. Mistakes are reported."""
        try:
            return rows(self.meanings, spec.value)
        except ForError as error:
            if not (error.say == "nothing" and self.depth):  # it may be so for some values of the outer `for`
                self._refuse(spec.key.span, error)
            return []

    def _refuse(self, span: Span, error: ForError) -> None:
        finding = diagnose("bad-for", error.at or span, say=error.say, **error.values)
        if error.at and (hint := did_you_mean(error.values["name"], error.known)):
            fix = renamed(error.at, error.values["name"], error.known)
            finding = replace(finding, advice=hint, fix=fix)
        if all(other.span != span for other in self.findings):
            self.findings.append(finding)


class _Letters(_Writer):
    """Expands every `for` to one entry, with the first value of each letter or else the letter itself."""

    def rows(self, spec: Entry) -> list[Row] | None:
        """Return a single row, with the first value of each letter or, if its values are unknown, the letter."""
        row: Row = {letter: Meaning(Scalar(letter, spec.key.span)) for letter in self.letters(spec)}
        for entry in (entry for factor in factors(spec.value) for entry in entries_of(factor)):
            values = self.meanings.of(entry.value) if entry.key.text in row else None
            row |= {entry.key.text: values[0]} if values else {}
        return [row]


def _alone(node: Node) -> Node:
    """Return the value under `is` in place of a mapping that has nothing else; any other node as it is."""
    only = node.entries[0] if isinstance(node, Mapping) and len(node.entries) == 1 else None
    return only.value if only is not None and only.key.text == IS else node


def _without_for(node: Node) -> Mapping:
    assert isinstance(node, Mapping), "a `for` stands in a mapping"
    return Mapping(tuple(entry for entry in node.entries if entry.key.text not in {FOR, IF}), node.span)


def _for_in(node: Node) -> Entry | None:
    """Return the `for` of a mapping, together with an `if` next to it; ``None`` if there is no `for`."""
    spec, condition = (node.entry(key) if isinstance(node, Mapping) else None for key in (FOR, IF))
    if spec is None or condition is None:
        return spec
    values = spec.value
    if isinstance(values, Mapping):
        return Entry(spec.key, Mapping((*values.entries, condition), values.span))
    several = factors(values)
    return Entry(spec.key, Sequence((*several, Mapping((condition,), condition.value.span)), values.span))
