"""Reads values from a tree that the schema has already accepted.

A `Reader` turns nodes into typed values: names, numbers, texts, formulas, amounts and zones. Its only findings are
about texts of formulas, because the schema has checked everything else.
"""

from __future__ import annotations

import builtins  # inside `Reader`, `int` is a method
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeGuard, TypeVar, cast

from msgspec import Struct, field
from msgspec.structs import replace

from draftengine.model.diagnostics import diagnose
from draftengine.model.language.macros import MacroScope, as_tests_of_card, expand
from draftengine.model.language.parse import FormulaError, parse
from draftengine.model.yaml.syntax_errors import QUOTES_NEEDED, is_torn
from draftengine.model.yaml.tree import Mapping, Scalar, Sequence
from draftengine.support.identity import IdentityKey, by_identity
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.language.tree import Expr
    from draftengine.model.yaml.tree import Entry

Texts = tuple[tuple[str, str], ...]
"""A text in several languages, as pairs (BCP-47 tag, text). The tag is empty if there is no language."""


class Formula(Struct, frozen=True):
    """A formula: its text, its tree and its position in the file. A plain number is a formula, too."""

    text: str
    expr: Expr
    span: Span

    def inside(self, start: int, end: int) -> Span:
        """Return the span of the part ``[start, end)`` of the formula's text.

        If the file does not contain the text as it is, or the part has no position, return the span of the whole
        formula.
        """
        span = self.span
        for offset in (0, 1):  # plain, or in quotes
            first = span.start + offset
            length = span.end - span.start - 2 * offset
            if end and length == len(self.text) and span.source.text.startswith(self.text, first):
                return Span(span.source, first + start, max(first + start + 1, first + end))
        return span


class ByPlayerCount(Struct, frozen=True):
    """A number for each number of players, as pairs (players, formula).

    ``None`` as players stands for all other numbers.
    """

    cases: tuple[tuple[int | None, Formula], ...]
    span: Span


class Amount(Struct, frozen=True):
    """A counter, with a formula for its new value or for the amount by which it changes."""

    counter: str
    formula: Formula
    span: Span


def is_whole(value: object) -> TypeGuard[int]:
    """True if the value is a whole number. ``True`` and ``False`` are no numbers."""
    return isinstance(value, int) and not isinstance(value, bool)


class LayoutPlace(Struct, frozen=True):
    """One place of a layout. In its name ``rRcC``, ``R`` is its row and ``C`` is its column."""

    id: str
    face_down: bool
    covered_by: tuple[str, ...]


class Zone(Struct, frozen=True):
    id: str
    per: Literal["seat", "table"]
    seen_by: Literal["nobody", "owner", "everyone"]
    layout: tuple[LayoutPlace, ...]
    label: Texts
    span: Span
    counts: bool = False
    """True if its cards add to the counters of their seat, like the cards in a tableau."""
    side: str = ""
    """The side of cards that is always up here; empty if they stay as they are."""


T = TypeVar("T")

NO_WORDS = MacroScope()
_REMEMBERED = 1 << 12
"""The size of the cache for mappings. The games of a document share most of them."""


class Reader(Struct):
    """Reads one mapping of the tree.

    `path` is the JSON Pointer of the mapping. `findings` collects the mistakes in formulas of the whole document.
    """

    node: Mapping
    path: str
    findings: list[Diagnostic] = field(default_factory=list)
    short: MacroScope = NO_WORDS
    """The macros that formulas in the mapping can use."""
    formulas_at: list[str] = field(default_factory=list)
    """The JSON Pointers of the formulas read so far. Values that contain formulas depend on the macros."""

    @property
    def span(self) -> Span:
        return self.node.span

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(entry.key.text for entry in self.node.entries)

    def has(self, key: str) -> bool:
        return self.node.get(key) is not None

    def at(self, key: str) -> Reader:
        """Return a reader of the mapping under `key`, or of an empty mapping if there is none."""
        node = self.node.get(key)
        inner = node if isinstance(node, Mapping) else Mapping((), self.node.span)
        return Reader(inner, f"{self.path}/{key}", self.findings, self.short, self.formulas_at)

    def about(self, card: str) -> Reader:
        """Return a reader of this mapping in which formulas are about a certain card."""
        return Reader(self.node, self.path, self.findings, self.short.about(card), self.formulas_at)

    def at_place(self, zone: str, copy: int) -> Reader:
        """Return a reader of this mapping in which formulas are about one copy of a zone."""
        return Reader(self.node, self.path, self.findings, self.short.at(zone, copy), self.formulas_at)

    def seen_from(self, distance: builtins.int) -> Reader:
        """Return a reader of this mapping in which formulas are for the player this many seats to the left."""
        return Reader(self.node, self.path, self.findings, self.short.seen_from(distance), self.formulas_at)

    def each(self, key: str) -> Iterator[tuple[str, Reader]]:
        """Yield (name, reader) for every mapping in the mapping under `key`."""
        node = self.node.get(key)
        if isinstance(node, Mapping):
            for entry in node.entries:
                if isinstance(entry.value, Mapping):
                    name = entry.key.text
                    short = self.short.about(name) if key == "cards" and name in self.short.has else self.short
                    path = f"{self.path}/{key}/{name}"
                    yield name, Reader(_named(entry), path, self.findings, short, self.formulas_at)

    def items(self, key: str) -> Iterator[Reader]:
        """Yield a reader of every mapping in the list under `key`."""
        node = self.node.get(key)
        if isinstance(node, Sequence):
            for index, item in enumerate(node.items):
                if isinstance(item, Mapping):
                    yield Reader(item, f"{self.path}/{key}/{index}", self.findings, self.short, self.formulas_at)

    def _scalar(self, key: str, kind: type[T]) -> T | None:
        """Return the value under `key` if it is of this type, otherwise ``None``."""
        node = self.node.get(key)
        return node.value if isinstance(node, Scalar) and isinstance(node.value, kind) else None

    def int(self, key: str, default: builtins.int = 0) -> builtins.int:
        number = self.optional_int(key)
        return default if number is None else number

    def optional_int(self, key: str) -> builtins.int | None:
        return self._scalar(key, builtins.int)

    def int_or_most(self, key: str) -> builtins.int:
        """Return a whole number, or the largest in a table by number of players."""
        return max((number for _, number in self.numbers(key)), default=self.int(key))

    def for_each_count(self, key: str) -> tuple[tuple[builtins.int, builtins.int], ...]:
        """Return the pairs of a table by number of players; none if the value is not such a table."""
        return tuple((builtins.int(players), number) for players, number in self.numbers(key) if players.isdecimal())

    def range(self, key: str) -> tuple[builtins.int, builtins.int] | None:
        """Return the ends of a range, such as ``2-5`` or ``3``; ``None`` if there is none."""
        node = self.node.get(key)
        if not isinstance(node, Scalar):
            return None
        fewest, _, most = str(node.value).partition("-")
        return builtins.int(fewest), builtins.int(most or fewest)

    def flag(self, key: str) -> bool:
        return self._scalar(key, bool) or False

    def word(self, key: str, default: str = "") -> str:
        word = self._scalar(key, str)
        return default if word is None else word

    def optional_word(self, key: str) -> str | None:
        return self.word(key) or None

    def words(self, key: str) -> tuple[str, ...]:
        """Return the strings under `key`, which may be one string or a list of strings."""
        node = self.node.get(key)
        nodes = node.items if isinstance(node, Sequence) else (node,)
        return tuple(item.value for item in nodes if isinstance(item, Scalar) and isinstance(item.value, str))

    def ints(self, key: str) -> tuple[builtins.int, ...]:
        node = self.node.get(key)
        items = node.items if isinstance(node, Sequence) else ()
        return tuple(item.value for item in items if isinstance(item, Scalar) and isinstance(item.value, int))

    def texts(self, key: str) -> Texts:
        """Return a text as pairs (language, text). The language is empty if none is stated.

        For each plural form, there is also a pair (``LANGUAGE#FORM``, text).
        """
        node = self.node.get(key)
        if not isinstance(node, Mapping):
            return (("", node.value),) if isinstance(node, Scalar) and isinstance(node.value, str) else ()
        texts: list[tuple[str, str]] = []
        for language, value in ((entry.key.text, entry.value) for entry in node.entries):
            if isinstance(value, Scalar):
                texts.append((language, str(value.value)))
            if isinstance(value, Mapping):
                scalars = ((entry.key.text, entry.value) for entry in value.entries)
                forms = [(form, str(scalar.value)) for form, scalar in scalars if isinstance(scalar, Scalar)]
                texts.append((language, dict(forms).get("one", forms[0][1])))
                texts += [(f"{language}#{form}", text) for form, text in forms]
        return tuple(texts)

    def formula(self, key: str) -> Formula:
        """Return the formula under `key`, which must exist.

        If it has a mistake, add a finding, and return the formula ``0``.
        """
        return self._formula(cast("Scalar", self.node.get(key)), f"{self.path}/{key}")

    def condition_about_card(self, key: str) -> Formula:
        """Return the formula under `key`, in which names of cards and families are tests: ``its(soup)``."""
        return self._formula(cast("Scalar", self.node.get(key)), f"{self.path}/{key}", as_tests_of_card)

    def optional_formula(self, key: str) -> Formula | None:
        return self.formula(key) if isinstance(self.node.get(key), Scalar) else None

    def formulas(self, key: str) -> tuple[Formula, ...]:
        """Return the formulas under `key`: one formula, a list of formulas, or none if the key is missing."""
        node = self.node.get(key)
        if isinstance(node, Scalar):
            return (self._formula(node, f"{self.path}/{key}"),)
        items = node.items if isinstance(node, Sequence) else ()
        return tuple(
            self._formula(cast("Scalar", item), f"{self.path}/{key}/{index}") for index, item in enumerate(items)
        )

    def by_players(self, key: str) -> ByPlayerCount | None:
        """Return a number, a formula or a table by player count; ``None`` if the key is missing."""
        node = self.node.get(key)
        if node is None:
            return None
        path = f"{self.path}/{key}"
        if isinstance(node, Mapping):
            cases = tuple(
                (int(entry.key.text), self._formula(cast("Scalar", entry.value), f"{path}/{entry.key.text}"))
                for entry in node.entries
            )
            return ByPlayerCount(cases, node.span)
        return ByPlayerCount(((None, self._formula(cast("Scalar", node), path)),), node.span)

    def amounts(self, key: str) -> tuple[Amount, ...]:
        """Return the mapping from counters to formulas under `key`."""
        node = self.node.get(key)
        if not isinstance(node, Mapping):
            return ()
        return tuple(
            Amount(
                entry.key.text,
                self._formula(cast("Scalar", entry.value), f"{self.path}/{key}/{entry.key.text}"),
                entry.key.span,
            )
            for entry in node.entries
        )

    def numbers(self, key: str) -> tuple[tuple[str, builtins.int], ...]:
        """Return the mapping from names to whole numbers under `key`, as pairs."""
        entries = [(entry.key.text, entry.value) for entry in self.at(key).node.entries]
        return tuple(
            (name, value.value) for name, value in entries if isinstance(value, Scalar) and isinstance(value.value, int)
        )

    def _formula(
        self, node: Scalar, path: str, meant: Callable[[Expr, MacroScope], Expr] = lambda expr, _: expr
    ) -> Formula:
        self.formulas_at.append(path)
        text = _formula_text(node)
        try:
            return Formula(text, expand(meant(parse(text), self.short), self.short), node.span)
        except FormulaError as error:
            self._refuse(node, path, error)
            return Formula("0", parse("0"), node.span)

    def report(self, code: str, key: str, /, say: str, **values: Any) -> None:
        """Report a mistake in the value under `key`, or in the mapping if the key is missing."""
        span = (self.node.get(key) or self.node).span
        self.findings.append(diagnose(code, span, f"{self.path}/{key}", say=say, **values))

    def report_twice(self, key: str) -> None:
        """Report the names that are under `key` more than once, unless this has been reported already."""
        words = self.words(key)
        reported = {finding.span for finding in self.findings if finding.code == "argument-twice"}
        for word in dict.fromkeys(word for word in words if words.count(word) > 1):
            if (self.node.get(key) or self.node).span not in reported:
                self.report("argument-twice", key, say="listed", text=word, key=key)

    def refuse(self, key: str, error: FormulaError, *, whole: bool) -> None:
        """Report a mistake in the formula under `key`: at its position or, with `whole`, at the whole formula."""
        node = cast("Scalar", self.node.get(key))
        self._refuse(replace(node, text_at=None) if whole else node, f"{self.path}/{key}", error)

    def _refuse(self, node: Scalar, path: str, error: FormulaError) -> None:
        span = node.span
        if node.text_at is not None:
            start = node.text_at + error.start
            span = Span(node.span.source, start, max(start + 1, node.text_at + error.end))
        around = node.span.source.text[: node.span.start], node.span.source.text[node.span.end :]
        hint = QUOTES_NEEDED if is_torn(_formula_text(node), *around) else error.hint
        self.findings.append(diagnose("formula-syntax", span, path, hint=hint, why=error.text))


@by_identity(_REMEMBERED)
def _named(entry: Entry) -> Mapping:
    """Return the mapping of an entry, but with the span of the entry's key."""
    return Mapping(cast("Mapping", entry.value).entries, entry.key.span)


class _Read(Struct, Generic[T]):
    """A value that was read from a mapping, the findings, and True if it has formulas, which use macros."""

    value: T
    findings: list[Diagnostic]
    has_formulas: bool


def once(read: Callable[[str, Reader], T], name: str, reader: Reader) -> T:
    """Return ``read(name, reader)`` for a mapping. Cached: games of a document share most mappings."""
    known: dict[IdentityKey[MacroScope] | None, _Read[T]] = _read_before(reader.node, read, name, reader.path)
    words = IdentityKey(reader.short)
    result = known.get(words) or known.get(None)
    if result is None:
        inner = Reader(reader.node, reader.path, short=reader.short)
        result = _Read(read(name, inner), inner.findings, bool(inner.formulas_at))
        known[words if result.has_formulas else None] = result
    reader.findings += result.findings
    reader.formulas_at += [reader.path] if result.has_formulas else []
    return result.value


@by_identity(_REMEMBERED)
def _read_before(
    _node: Mapping, _read: object, _name: str, _path: str
) -> dict[IdentityKey[MacroScope] | None, _Read[Any]]:
    """Return the cache for the values that are read from a mapping, which is empty at first.

    Its keys are the macros that were used, or ``None`` for a value without formulas.
    """
    return {}


def _formula_text(node: Scalar) -> str:
    if isinstance(node.value, bool):
        return "true" if node.value else "false"
    return str(node.value)
