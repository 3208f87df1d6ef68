"""The nodes of the tree of a formula, and functions that walk, negate and print a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Operator = Literal["+", "-", "*", "//", "%"]
ComparisonOp = Literal["==", "!=", "<", "<=", ">", ">="]

MIN_INT, MAX_INT = -(2**31), 2**31 - 1
"""The smallest and the largest number that a formula may compute."""


_OF_THE_TEXT = frozenset({"start", "end", "written"})
"""The fields of a node that only say where and how it was written, and do not change its meaning."""


class Node(Struct, frozen=True, eq=False):
    """Base of all nodes. Equality and hash ignore the position and the spelling in the text."""

    def _said(self) -> tuple[Any, ...]:
        fields = self.__struct_fields__
        return (type(self), *(getattr(self, name) for name in fields if name not in _OF_THE_TEXT))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self._said() == other._said()

    def __hash__(self) -> int:
        return hash(self._said())


class Number(Node, frozen=True, eq=False):
    value: int
    """The value. It is never negative after parsing, because ``-3`` is a `Unary`."""
    start: int = 0
    end: int = 0


class BooleanLiteral(Node, frozen=True, eq=False):
    value: bool
    start: int = 0
    end: int = 0


class Name(Node, frozen=True, eq=False):
    id: str
    start: int = 0
    end: int = 0


class Unary(Node, frozen=True, eq=False):
    op: Literal["-", "not"]
    operand: Expr
    start: int = 0
    end: int = 0


class Binary(Node, frozen=True, eq=False):
    op: Operator
    left: Expr
    right: Expr
    start: int = 0
    end: int = 0


class Comparison(Node, frozen=True, eq=False):
    op: ComparisonOp
    left: Expr
    right: Expr
    start: int = 0
    end: int = 0


class LogicalOp(Node, frozen=True, eq=False):
    op: Literal["and", "or"]
    left: Expr
    right: Expr
    start: int = 0
    end: int = 0


class Conditional(Node, frozen=True, eq=False):
    """``then if condition else otherwise``."""

    then: Expr
    condition: Expr
    otherwise: Expr
    start: int = 0
    end: int = 0


class Call(Node, frozen=True, eq=False):
    function: str
    """The function's name. The text has `written` instead at `start`, if that is given."""
    arguments: tuple[Expr, ...]
    start: int = 0
    end: int = 0
    written: str = ""
    """The function that the author called, if this call comes from that function's formula."""

    @property
    def word(self) -> str:
        """The name of the function as the author wrote it."""
        return self.written or self.function


Expr = Number | BooleanLiteral | Name | Unary | Binary | Comparison | LogicalOp | Conditional | Call


def nodes_in(expr: Expr) -> Iterator[Expr]:
    """Yield an expression and all its parts, each before its own parts."""
    waiting = [expr]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(parts(node))


def parts(expr: Expr) -> tuple[Expr, ...]:
    """Return the children of a node, in the order in which they are written."""
    match expr:
        case Unary():
            return (expr.operand,)
        case Binary() | Comparison() | LogicalOp():
            return (expr.left, expr.right)
        case Conditional():
            return (expr.then, expr.condition, expr.otherwise)
        case Call():
            return expr.arguments
        case _:
            return ()


def operands(expr: Expr, op: str) -> Iterator[Expr]:
    """Yield the operands of a chain of one operator, such as ``a and b and c``, or the expression itself."""
    if isinstance(expr, LogicalOp | Binary) and expr.op == op:
        yield from operands(expr.left, op)
        yield from operands(expr.right, op)
    else:
        yield expr


def whole(value: int) -> Expr:
    """Return the node for an integer."""
    return Number(value) if value >= 0 else Unary("-", Number(-value))


def with_parts(expr: Expr, below: Sequence[Expr]) -> Expr:
    """Return a copy of a node with its children replaced by `below`, in the order of `parts`."""
    match expr:
        case Unary():
            return replace(expr, operand=below[0])
        case Binary() | Comparison() | LogicalOp():
            return replace(expr, left=below[0], right=below[1])
        case Conditional():
            return replace(expr, then=below[0], condition=below[1], otherwise=below[2])
        case Call():
            return replace(expr, arguments=tuple(below))
        case _:
            return expr


def said_by_itself(expr: Expr) -> object:
    """Return what a node is apart from its children: a value, a name, an operator or a function.

    Return ``None`` for a conditional, which has none of these.
    """
    match expr:
        case Number() | BooleanLiteral():
            return expr.value
        case Name():
            return expr.id
        case Unary() | Binary() | Comparison() | LogicalOp():
            return expr.op
        case Call():
            return expr.function
        case _:
            return None


TURNED: Mapping[str, ComparisonOp] = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The comparison operators that result from exchanging the two sides."""
_CONTRARY: dict[ComparisonOp, ComparisonOp] = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def complement(expr: Expr) -> Expr | None:
    """Return the opposite of a condition; ``None`` if no formula can express the opposite of a part."""
    match expr:
        case Comparison(op, left, right):
            return Comparison(_CONTRARY[op], left, right)
        case LogicalOp(op, left, right):
            one, other = complement(left), complement(right)
            return None if one is None or other is None else LogicalOp("or" if op == "and" else "and", one, other)
        case Unary("not", operand):
            return operand
        case Call("holds"):
            return Unary("not", expr)
    return None


_CHOICE, _OR, _AND, _NOT, _COMPARE, _SUM, _TERM, _SIGN, _ATOM = range(9)
_STRENGTH = {"or": _OR, "and": _AND, "not": _NOT, "-": _SIGN}
_BINARY = {"+": _SUM, "-": _SUM, "*": _TERM, "//": _TERM, "%": _TERM}


def print_formula(expr: Expr) -> str:
    """Return the text of a formula, without needless parentheses. Parsing the text gives an equal tree.

    The text has a space around each operator, which can make it too long to parse.
    """
    return _print(expr)[0]


def _print(expr: Expr) -> tuple[str, int]:  # noqa: PLR0911 - one for each kind of node
    """Return the text of an expression, and the precedence of its outermost operator."""
    match expr:
        case Number():
            return str(expr.value), _ATOM
        case BooleanLiteral():
            return str(expr.value).lower(), _ATOM
        case Name():
            return expr.id, _ATOM
        case Call():
            return f"{expr.function}({', '.join(map(print_formula, expr.arguments))})", _ATOM
        case Unary():
            strength = _STRENGTH[expr.op]
            return expr.op + " " * (expr.op == "not") + _inner(expr.operand, strength), strength
        case Conditional():
            then, condition = _inner(expr.then, _OR), _inner(expr.condition, _OR)
            return f"{then} if {condition} else {print_formula(expr.otherwise)}", _CHOICE
        case Binary() | LogicalOp() | Comparison():
            if isinstance(expr, Comparison):
                return f"{_inner(expr.left, _SUM)} {expr.op} {_inner(expr.right, _SUM)}", _COMPARE
            strength = _BINARY[expr.op] if isinstance(expr, Binary) else _STRENGTH[expr.op]
            return f"{_inner(expr.left, strength)} {expr.op} {_inner(expr.right, strength + 1)}", strength


def _inner(expr: Expr, strength: int) -> str:
    """Return the text of an operand, in parentheses if its precedence is lower than `strength`."""
    text, binding = _print(expr)
    return text if binding >= strength else f"({text})"
