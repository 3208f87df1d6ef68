"""Finds records that differ only in zones and numbers, so that one sentence can describe all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.model.language.tree import Comparison, Name, Number, parts
from draftengine.model.records.record import NameReference, Record, fields_of
from draftengine.model.records.values import Amount, ByPlayerCount, Formula

if TYPE_CHECKING:
    from draftengine.model.language.tree import Expr

_APART = frozenset({"id", "label", "source"})
"""Fields that are not compared."""


class RecordDifference(Struct, frozen=True):
    """The zones and numbers in which a record differs from the first of several similar records."""

    zones: tuple[tuple[str, str], ...] = ()
    """Pairs of different zones: a zone in the first record, and the zone that the other has instead."""
    numbers: tuple[tuple[int, int], ...] = ()
    """Pairs of different numbers in ``==`` comparisons: of the first record, and of the other."""


def differing(first: Record, other: Record) -> RecordDifference | None:
    """Return the difference of two records; ``None`` if they differ in more than zones and numbers.

    Each zone in one record must correspond to a single zone in the other.
    """
    comparison = _Comparison()
    if not comparison.records(first, other):
        return None
    instead = dict(comparison.zones)
    if not len(comparison.zones) == len(instead) == len({*instead.values()}):
        return None
    if any(instead.get(a, a) != b for a, b in comparison.names):
        return None
    zones, numbers = (
        tuple((a, b) for a, b in sorted(pairs) if a != b) for pairs in (comparison.zones, comparison.numbers)
    )
    return RecordDifference(zones, numbers)  # type: ignore[arg-type]


class _Comparison:
    """Compares two records, and collects the pairs of zones, names and numbers at equal places in them."""

    def __init__(self) -> None:
        self.zones: set[tuple[str, str]] = set()
        self.names: set[tuple[str, str]] = set()
        self.numbers: set[tuple[int, int]] = set()

    def records(self, first: Record, other: Record) -> bool:
        return type(first) is type(other) and all(
            self._values(getattr(first, field.attribute), getattr(other, field.attribute), field.meaning)
            for field in fields_of(type(first))
            if field.attribute not in _APART
        )

    def _values(self, first: Any, other: Any, meaning: object) -> bool:
        if type(first) is not type(other):
            return False
        match first:
            case Record():
                same = self.records(first, other)
            case Formula():
                same = self._trees(first.expr, other.expr)
            case ByPlayerCount():
                same = self._values(first.cases, other.cases, meaning)
            case Amount():
                same = first.counter == other.counter and self._trees(first.formula.expr, other.formula.expr)
            case tuple():
                pairs = zip(first, other, strict=False)
                same = len(first) == len(other) and all(self._values(one, its, meaning) for one, its in pairs)
            case str() if isinstance(meaning, NameReference) and meaning.kind == "zone":
                self.zones.add((first, other))
                same = True
            case _:
                same = first == other
        return same

    def _trees(self, first: Expr, other: Expr, *, compared: bool = False) -> bool:
        if type(first) is not type(other):
            return False
        if isinstance(first, Name) and isinstance(other, Name):
            self.names.add((first.id, other.id))
            return True
        if compared and isinstance(first, Number) and isinstance(other, Number):
            self.numbers.add((first.value, other.value))
            return True
        ours, theirs = parts(first), parts(other)
        if not ours:
            return first == other
        equal = isinstance(first, Comparison) and first.op == "=="
        return (
            getattr(first, "op", getattr(first, "function", "")) == getattr(other, "op", getattr(other, "function", ""))
            and len(ours) == len(theirs)
            and all(self._trees(one, its, compared=equal) for one, its in zip(ours, theirs, strict=True))
        )
