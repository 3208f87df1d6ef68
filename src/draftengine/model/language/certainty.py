"""Proofs about conditions: whether one can hold or fail, and whether one of several always holds.

A comparison limits a *linear form*: a sum of atoms, each times a number, such as `soup - 2 * bread`. An *atom* is a
name, a call, or another part that is not a sum. Conditions joined by `and` and `or` limit the values of several forms.
If a form has no possible value, the condition cannot hold.

The answer “cannot hold” is always right. The answer “can hold” may be wrong, because most forms are examined
separately.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field

from draftengine.model.language.bounds import UNKNOWN, Facts, bounds
from draftengine.model.language.builtins import BETWEEN
from draftengine.model.language.tree import (
    TURNED,
    Binary,
    BooleanLiteral,
    Call,
    Comparison,
    Conditional,
    Expr,
    LogicalOp,
    Name,
    Number,
    Unary,
    complement,
    print_formula,
)
from draftengine.support.identity import by_identity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.model.language.environment import Range


_MOST = 1 << 12
"""The largest number of cases to try. With more cases, nothing counts as proved."""


def one_holds(conditions: Sequence[Expr]) -> bool:
    """True if it is proved that at least one of the conditions holds at any time."""
    values: dict[Expr, set[int]] = {}
    for condition in conditions:
        for asked, around in _asked(condition):
            values.setdefault(asked, set()).update(around)
    if prod(map(len, values.values())) > _MOST:
        return False
    cases = (dict(zip(values, case, strict=True)) for case in product(*values.values()))
    return all(any(_holds(condition, case) for condition in conditions) for case in cases)


def _asked(expr: Expr) -> Iterator[tuple[Expr, tuple[int, ...]]]:
    """Yield each comparison or other atomic part of a condition, with values that cover all its cases."""
    match expr:
        case BooleanLiteral():
            pass
        case Comparison():
            asked, _, number = _with_number(expr)
            yield asked, (number - 1, number, number + 1)
        case Unary("not", operand):
            yield from _asked(operand)
        case LogicalOp(_, left, right):
            yield from _asked(left)
            yield from _asked(right)
        case Conditional(then, condition, otherwise):
            for part in (then, condition, otherwise):
                yield from _asked(part)
        case _:
            yield expr, (0, 1)


def _with_number(expr: Comparison) -> tuple[Expr, str, int]:
    """Return an equivalent comparison with a number, as (left side, operator, number).

    If neither side is a number, the difference of the two sides is compared with 0.
    """
    turned = Comparison(TURNED[expr.op], expr.right, expr.left)
    for comparison in (expr, turned):
        if isinstance(comparison.right, Number):
            return comparison.left, comparison.op, comparison.right.value
    first = min(expr, turned, key=lambda comparison: print_formula(comparison.left))
    return Binary("-", first.left, first.right), first.op, 0


def _holds(expr: Expr, case: Mapping[Expr, int]) -> bool:
    match expr:
        case BooleanLiteral(value):
            return value
        case Comparison():
            asked, op, number = _with_number(expr)
            return bool(BETWEEN[op](case[asked], number))
        case Unary("not", operand):
            return not _holds(operand, case)
        case LogicalOp(op, left, right):
            return (all if op == "and" else any)(_holds(side, case) for side in (left, right))
        case Conditional(then, condition, otherwise):
            return _holds(then if _holds(condition, case) else otherwise, case)
        case _:
            return bool(case[expr])


class Atom(Struct, frozen=True, eq=False):
    """A part of a sum that is no sum itself. Atoms are compared by texts, which is quicker than by trees."""

    text: str
    expr: Expr

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Atom) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


Form = tuple[tuple[Atom, int], ...]
"""A linear form: atoms with their factors, in the order of their texts. The first factor is positive."""
Known = Mapping[Form, "Range"]
"""The range that earlier conditions leave to each linear form that they limit."""

_MOST_WAYS = 16
"""The largest number of cases that are examined separately."""
_REMEMBERED = 1 << 12
_SEVERAL = 2
"""The smallest number of counters in a form for which the largest sum is looked up."""
_ABOVE, _BELOW = frozenset({"most", "total"}), frozenset({"fewest"})
"""Functions whose value is never below (or never above) the value of their argument at any seat."""


class SeatFacts(Facts, Protocol):
    """Ranges of names, and also limits of what all seats have together."""

    def together(self, name: str, /) -> int:
        """Return the largest total of a counter over all seats."""
        ...

    def most_of_sum(self, names: Mapping[str, int], /) -> int:
        """Return the largest sum of several counters at one seat, each times its factor (which is positive)."""
        ...


class Certainty(Struct, frozen=True):
    """Decides whether conditions can hold or fail, given the ranges of the names."""

    facts: SeatFacts
    ranges: dict[Atom, Range] = field(default_factory=dict)
    """Cache: the range of each atom."""

    def ways(self, condition: Expr, known: Known, *, holds: bool) -> tuple[Known, ...]:
        """Return the cases in which a condition can hold (or fail), each as the ranges of linear forms.

        The result is empty if the condition cannot hold (or fail).
        """
        match condition:
            case Unary("not", operand):
                return self.ways(operand, known, holds=not holds)
            case LogicalOp(op, left, right):
                first = self.ways(left, known, holds=holds)
                if (op == "and") == holds:
                    both = tuple(way for before in first for way in self.ways(right, before, holds=holds))
                else:
                    both = (*first, *self.ways(right, known, holds=holds))
                return both if len(both) <= _MOST_WAYS else (known,)
            case Comparison():
                form, (least, most), excluded = _limit_of(condition, holds=holds)
                low, high = self.range_of(form, known)
                low, high = max(low, least), min(high, most)
                low, high = low + (low == excluded), high - (high == excluded)
                if low > high:
                    return ()
                limited = {**known, form: (low, high)}
                # One seat must be able to have the least of each name at the same time.
                least_of = {
                    form[0][0].text: low
                    for form, (low, _) in limited.items()
                    if low > 0 and len(form) == 1 and form[0][1] == 1 and isinstance(form[0][0].expr, Name)
                }
                together = sum(least_of.values())
                possible = len(least_of) < _SEVERAL or together <= self.facts.most_of_sum(dict.fromkeys(least_of, 1))
                return (limited,) if possible else ()
        low, high = bounds(condition, self.facts)
        return (known,) if low <= holds <= high else ()

    def range_of_sum(self, expr: Expr) -> Range:
        """Return the range of a formula, computed from its linear form."""
        terms, offset = linear(expr)
        low, high = self.range_of(tuple(terms.items()), {})
        return low + offset, high + offset

    def range_of(self, form: Form, known: Known) -> Range:
        """Return the range of a linear form. The fact that `most(x) - x` is never negative is used, too."""
        low, high = self._sum(form, known)
        for atom, factor in form:
            match atom.expr:
                case Call(function, (argument,)) if function in _ABOVE | _BELOW:
                    if function == "total" and bounds(argument, self.facts)[0] < 0:
                        continue
                    terms, offset = linear(argument)
                    rest = dict(form) | {atom: 0}
                    for other, times in terms.items():
                        rest[other] = rest.get(other, 0) + factor * times
                    least, most = self._sum(tuple(rest.items()), known)
                    if (function in _ABOVE) == (factor > 0):
                        low = max(low, least + factor * offset)
                    else:
                        high = min(high, most + factor * offset)
                case _:
                    pass
        return low, high

    def _sum(self, form: Form, known: Known) -> Range:
        low, high = 0, 0
        for atom, factor in form:
            if factor:
                ends = [factor * end for end in known.get(((atom, 1),)) or self._atom(atom)]
                low, high = low + min(ends), high + max(ends)
        names = {atom.text: factor for atom, factor in form if factor > 0 and isinstance(atom.expr, Name)}
        if len(names) >= _SEVERAL:
            apart = sum(factor * self._atom(atom)[1] for atom, factor in form if atom.text in names)
            high -= max(0, apart - self.facts.most_of_sum(names))
        before = known.get(form, UNKNOWN)
        return max(low, before[0]), min(high, before[1])

    def _atom(self, atom: Atom) -> Range:
        """Return the range of an atom.

        A function such as ``total`` is also limited by what all seats can have together.
        """
        if atom in self.ranges:
            return self.ranges[atom]
        low, high = bounds(atom.expr, self.facts)
        match atom.expr:
            case Call("total" | "others_total" | "fewest" as function, (argument,)):
                terms, offset = linear(argument)
                if all(isinstance(name.expr, Name) and factor > 0 for name, factor in terms.items()):
                    most = sum(factor * self.facts.together(name.text) for name, factor in terms.items())
                    seats = self.facts.seat_count
                    high = min(high, most // seats + offset if function == "fewest" else most + offset * seats)
            case _:
                pass
        self.ranges[atom] = low, high
        return low, high


def linear(expr: Expr) -> tuple[dict[Atom, int], int]:
    """Return a formula as a linear form: its atoms with their factors, and the constant term."""
    match expr:
        case Number():
            return {}, expr.value
        case Unary("-", operand):
            return _scaled(linear(operand), -1)
        case Binary("+" | "-" as op, left, right):
            terms, offset = linear(left)
            others, more = _scaled(linear(right), 1 if op == "+" else -1)
            both = {atom: terms.get(atom, 0) + others.get(atom, 0) for atom in terms | others}
            return {atom: factor for atom, factor in both.items() if factor}, offset + more
        case Binary("*", left, right):
            one, other = linear(left), linear(right)
            if not one[0]:
                return _scaled(other, one[1])
            if not other[0]:
                return _scaled(one, other[1])
    return {Atom(print_formula(expr), expr): 1}, 0


def _scaled(form: tuple[dict[Atom, int], int], by: int) -> tuple[dict[Atom, int], int]:
    terms, offset = form
    return {atom: by * factor for atom, factor in terms.items() if by}, by * offset


def limit_of(condition: Comparison) -> tuple[Form, Range]:
    """Return the linear form whose values a comparison limits, and the range that it allows."""
    form, limit, _ = _limit_of(condition, holds=True)
    return form, limit


@by_identity(_REMEMBERED)
def _limit_of(comparison: Comparison, *, holds: bool) -> tuple[Form, Range, int | None]:
    """Return the linear form that a comparison limits, the range it allows, and an excluded value if any."""
    condition = comparison if holds else complement(comparison)
    assert isinstance(condition, Comparison)
    terms, offset = linear(Binary("-", condition.left, condition.right))
    form, op = tuple(sorted(terms.items(), key=lambda term: term[0].text)), condition.op
    if form and form[0][1] < 0:
        form, offset, op = tuple((atom, -factor) for atom, factor in form), -offset, TURNED[op]
    value = -offset
    low = {"==": value, ">=": value, ">": value + 1}.get(op, UNKNOWN[0])
    high = {"==": value, "<=": value, "<": value - 1}.get(op, UNKNOWN[1])
    return form, (low, high), value if op == "!=" else None
