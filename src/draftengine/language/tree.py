"""The tree of a formula.

`start` and `end` are the stretch of the formula's text that a node was read from, without parentheses around it. They
do not count when trees are compared: two formulas are equal if they say the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Operator = Literal["+", "-", "*", "//", "%"]
Comparison = Literal["==", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    """Never negative when parsed: ``-3`` is a `Unary`."""
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    id: str
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Unary:
    op: Literal["-", "not"]
    operand: Expr
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    op: Operator
    left: Expr
    right: Expr
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Compare:
    op: Comparison
    left: Expr
    right: Expr
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Logic:
    op: Literal["and", "or"]
    left: Expr
    right: Expr
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Conditional:
    """``then if condition else otherwise``."""

    then: Expr
    condition: Expr
    otherwise: Expr
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    function: str
    """The function's name stands at `start`."""
    arguments: tuple[Expr, ...]
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


Expr = Number | Truth | Name | Unary | Binary | Compare | Logic | Conditional | Call


def parts(expr: Expr) -> tuple[Expr, ...]:
    """The nodes directly below `expr`, in the order in which they are written."""
    match expr:
        case Unary():
            return (expr.operand,)
        case Binary() | Compare() | Logic():
            return (expr.left, expr.right)
        case Conditional():
            return (expr.then, expr.condition, expr.otherwise)
        case Call():
            return expr.arguments
        case _:
            return ()
