"""Proof that at least one of several conditions holds at any time, such as `a > 2` and `a <= 2`.

Another example is `a`, `b` and `not (a or b)`.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

from draftengine.model.language.builtins import BETWEEN
from draftengine.model.language.tree import (
    TURNED,
    Binary,
    BooleanLiteral,
    Comparison,
    Conditional,
    Expr,
    LogicalOp,
    Number,
    Unary,
    print_formula,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_MOST = 1 << 12
"""The largest number of cases to try. If there are more, nothing is proved."""


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
    """Yield each part that decides a condition, with values that represent all cases to distinguish."""
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
    """Return the left side, operator and right side of an equivalent comparison with a number.

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
