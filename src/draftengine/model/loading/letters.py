"""The letters of a `for` and their values: numbers, lists, rows of a table, or cards.

The key `for` repeats an entry. A *letter* is a name that stands for a value in the entry, such as ``n`` in ``for: {n:
1-9}``. A *row* has one value for each letter, and the entry is repeated for each row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable  # noqa: TC003 (a Struct reads its annotations)
from itertools import product
from math import prod
from typing import Any, cast

from msgspec import Struct

from draftengine.model.cardset.facts import Constants
from draftengine.model.language.evaluate import constant_value
from draftengine.model.language.macros import MacroScope, expand
from draftengine.model.language.parse import FormulaError, parse
from draftengine.model.yaml.tree import Entry, Mapping, Node, Scalar, Sequence, below, entries_of
from draftengine.support.source import Span  # noqa: TC001 (the same)

IF = "if"
MOST = 2_000
"""The largest number of entries that one `for` may make."""

_NO_SHORTHAND = MacroScope()
"""Expanding a formula with it only turns comparisons that are added up into numbers."""
_RANGE = re.compile(r"([0-9]{1,4})-([0-9]{1,4})(?:/([1-9][0-9]{0,2}))?")


class Meaning(Struct, frozen=True):
    """One value of a letter, with its labels for printed texts: pairs of a language and a text."""

    node: Node
    label: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        value = self.node.value if isinstance(self.node, Scalar) else ""
        return str(value).lower() if isinstance(value, bool) else str(value)

    def place(self, places: dict[str, int]) -> int:
        """Return the number that the value has in conditions: the value itself, or its index in its list."""
        number = self.node.value if isinstance(self.node, Scalar) else None
        return number if isinstance(number, int) else places[self.text]

    def said(self, language: str) -> str:
        """Return the label of the value in a language; without one, another label or the name."""
        labels = dict(self.label)
        fallback = self.text.replace("_", " ")
        return labels.get(language) or labels.get("") or labels.get("en") or next(iter(labels.values()), fallback)


Row = dict[str, Meaning | None]
"""A row: the value of each letter of a `for`; ``None`` for a letter without a value."""


class ForError(Exception):
    """An error: a `for` cannot be expanded. It has the key of a message of ``bad-for``, and its values.

    `known` lists names that the author may have meant, and `at` is the position of the wrong name.
    """

    def __init__(self, say: str, known: Iterable[str] = (), at: Span | None = None, **values: Any) -> None:
        super().__init__(say)
        self.say, self.values = say, values
        self.known, self.at = tuple(known), at


class Meanings(Struct, frozen=True):
    """The lists and cards from which a `for` can take values."""

    lists: Mapping | None
    labels: dict[str, tuple[tuple[str, str], ...]]
    """The labels of each card, as pairs of a language and a text."""
    of_cards: Callable[[str], list[str] | None] = lambda _: None
    """Returns the cards that a name stands for, or ``None`` if the cards are not known yet."""

    def of(self, node: Node) -> list[Meaning] | None:
        """Return the values of a letter, as `node` states them; ``None`` if they are not known yet.

        Raises `ForError`.
        """
        if isinstance(node, Mapping):
            return [Meaning(Scalar(entry.key.text, entry.key.span), labels_in(entry.value)) for entry in node.entries]
        if isinstance(node, Sequence):
            return [self.one(item) for item in node.items]
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
            known = [entry.key.text for entry in entries_of(self.lists)]
            raise ForError("unknown", known, node.span, name=node.value)
        return None if cards is None else [self.one(Scalar(card, node.span)) for card in cards]

    def one(self, node: Node) -> Meaning:
        """Return the value of a node, with the labels of the card if it names one."""
        return Meaning(node, self.labels.get(str(node.value), ()) if isinstance(node, Scalar) else ())

    def labels_of_lists(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """Return the labels of every value in every named list, by value."""
        return {
            one.key.text: labels_in(one.value) for named in entries_of(self.lists) for one in entries_of(named.value)
        }

    def table(self, node: Node, beside: Iterable[Entry] = ()) -> Node:
        """Return the table of a `for`: the node itself or, if it is a name, the list with this name.

        Raises `ForError`, which proposes a letter for the list, next to the letters `beside`.
        """
        if not isinstance(node, Scalar):
            return node
        named = self.lists.get(str(node.value)) if self.lists is not None else None
        if named is None or not _is_table(named):
            name, letters = str(node.value), {entry.key.text: cast("Scalar", entry.value).value for entry in beside}
            letters = {name if name[:1] in letters else name[:1]: name, **letters}
            text = ", ".join(f"{letter}: {values}" for letter, values in letters.items())
            raise ForError("no-table", name=name, text=f"for: {{{text}}}")
        return named


def _is_table(node: Node) -> bool:
    return isinstance(node, Sequence) and any(isinstance(item, Mapping) for item in node.items)


def labels_in(node: Node) -> tuple[tuple[str, str], ...]:
    """Return the texts of a label as pairs (language, text). The language is empty if none is stated."""
    if isinstance(node, Mapping):
        return tuple(
            (entry.key.text, str(entry.value.value)) for entry in node.entries if isinstance(entry.value, Scalar)
        )
    return (("", node.value),) if isinstance(node, Scalar) and isinstance(node.value, str) else ()


def factors(spec: Node) -> tuple[Node, ...]:
    """Return the tables and mappings whose rows a `for` combines; mostly only the `for` itself.

    A list with a name or a table, as in ``[stall, {n: 1-3}]``, combines its items. Any other list is a table.
    """
    combined = isinstance(spec, Sequence) and any(isinstance(item, Scalar | Sequence) for item in spec.items)
    return spec.items if combined and isinstance(spec, Sequence) else (spec,)


def rows(meanings: Meanings, spec: Node) -> list[Row] | None:
    """Return the rows of a `for`; ``None`` if some values are not known yet. Raises `ForError`."""
    beside = [entry for factor in factors(spec) for entry in entries_of(factor) if isinstance(entry.value, Scalar)]
    several = [_rows_of(meanings, meanings.table(factor, beside)) for factor in factors(spec)]
    known = [made for made in several if made is not None]
    if len(known) < len(several):
        return None
    if prod(map(len, known)) > MOST * MOST:
        raise ForError("many", most=MOST)
    made: list[Row] = [
        {letter: value for row in combined for letter, value in row.items()} for combined in product(*known)
    ]
    # In a condition, a name stands for its place in its list.
    named = {
        letter: dict.fromkeys(value.text for row in made if (value := row[letter])) for letter in (made or [{}])[0]
    }
    places = {text: place for texts in named.values() for place, text in enumerate(texts)}
    for condition in (below(factor, (IF,)) for factor in factors(spec)):
        if isinstance(condition, Scalar):
            made = [row for row in made if number(str(condition.value), places | _numbers(row, places))]
    if not made:
        raise ForError("nothing")
    if len(made) > MOST:
        raise ForError("many", most=MOST)
    return made


def _numbers(row: Row, places: dict[str, int]) -> dict[str, int]:
    return {letter: value.place(places) for letter, value in row.items() if value and isinstance(value.node, Scalar)}


def _rows_of(meanings: Meanings, table: Node) -> list[Row] | None:
    """Return the rows of a table, or of a mapping from letters to values; ``None`` as in `rows`."""
    if isinstance(table, Sequence):
        names = dict.fromkeys(entry.key.text for row in table.items for entry in entries_of(row))
        labels = Meanings(None, meanings.labels | meanings.labels_of_lists())
        made = []
        for item in table.items:
            cells = {
                entry.key.text: labels.of(entry.value) or [labels.one(entry.value)]
                if isinstance(entry.value, Scalar)
                else [Meaning(entry.value)]
                for entry in entries_of(item)
            }
            # A cell may be a range of numbers; the row then means several rows.
            made += [{**names, **dict(zip(cells, values, strict=True))} for values in product(*cells.values())]
        return made
    columns = {entry.key.text: meanings.of(entry.value) for entry in entries_of(table) if entry.key.text != IF}
    known = {letter: values for letter, values in columns.items() if values is not None}
    if len(known) < len(columns):
        return None
    if prod(map(len, known.values())) > MOST * MOST:
        raise ForError("many", most=MOST)
    return [dict(zip(known, values, strict=True)) for values in product(*known.values())]


def number(text: str, names: dict[str, int]) -> int:
    """Return the value of a formula, given the values of its names. Raises `ForError`."""
    try:
        value = constant_value(expand(parse(text), _NO_SHORTHAND), Constants(names, 1, 1))
    except FormulaError:
        value = None
    if value is None:
        raise ForError("formula", text=text)
    return int(value)
