"""Values of the specialiser, and operations on static values.

A value is an `ast.expr` (dynamic, to be computed later) or any other object (static). An environment maps each local
name to its value. Special values are `DYNAMIC` for a variable of that name, `UNSET` for a name without a value on some
path, a record class for a record, and a `Row` for a local row.
"""

from __future__ import annotations

import ast
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from draftengine.jit.struct_type import RecordType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Value: TypeAlias = object
Env: TypeAlias = "dict[str, Value]"


class Mark:
    """A named marker value."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


DYNAMIC = Mark("DYNAMIC")
"""Marks what is not known before the residual program runs."""
UNSET = Mark("UNSET")
"""Marks a name that does not have one value, static or dynamic, on every path."""


@dataclass(frozen=True)
class Row:
    """A local row of static length: a variable for each place."""

    name: str
    length: int

    def variable(self, place: int) -> ast.Name:
        return ast.Name(f"{self.name}__p{range(self.length)[place]}")


MARKS = Mark | Row | RecordType
"""Values in an environment that are not static values of a name."""
OPERATORS: Mapping[type[ast.operator | ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
APPLIED: Mapping[object, type[ast.operator | ast.cmpop]] = {function: op for op, function in OPERATORS.items()}
"""Operators by their function in the module `operator`."""
COMPARISONS = ast.Eq | ast.NotEq | ast.Lt | ast.LtE | ast.Gt | ast.GtE
_RIGHT_NEUTRAL: Mapping[type[ast.operator], int] = {
    ast.Add: 0,
    ast.Sub: 0,
    ast.BitOr: 0,
    ast.BitXor: 0,
    ast.LShift: 0,
    ast.RShift: 0,
    ast.Mult: 1,
}
COMMUTING = ast.Add | ast.BitOr | ast.BitXor | ast.Mult
UNARY: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.Not: operator.not_,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}


def is_neutral(op: ast.operator, value: Value) -> bool:
    """True if a static number on the right of an operator changes nothing."""
    return isinstance(value, int) and value == _RIGHT_NEUTRAL.get(type(op))


def key_of(value: Value) -> object:
    """Return a hashable key; values with equal keys share a residual function."""
    if isinstance(value, tuple):
        return tuple(map(key_of, value))
    if isinstance(value, int | str | range | float) or value is None:
        return type(value), repr(value) if isinstance(value, float) else value
    return id(value)
