"""Records that say the same about other zones and other numbers, so that people are told of them once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.model.language.tree import Comparison, Name, Number, parts
from draftengine.model.records.record import NameReference, Record, fields_of
from draftengine.model.records.values import Amount, ByPlayerCount, Formula

if TYPE_CHECKING:
    from draftengine.model.language.tree import Expr

_APART = frozenset({"id", "label", "source"})
"""What a record is called, and where it comes from, says nothing of what it does."""


class RecordDifference(Struct, frozen=True):
    """In what a record differs from the first of those that are like it."""

    zones: tuple[tuple[str, str], ...] = ()
    """Its zones, each behind the one in whose place it stands."""
    numbers: tuple[tuple[int, int], ...] = ()
    """The numbers with which something is compared, likewise."""


def differing(first: Record, other: Record) -> RecordDifference | None:
    """What stands in the place of what; ``None`` if they differ in anything but zones and numbers.

    Every zone of one stands in the place of a single zone of the other.
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
    """Goes through two records side by side, and notes what stands in the place of what."""

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
