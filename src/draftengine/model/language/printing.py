"""Printing of formulas: tree to canonical text, with only the parentheses that it needs."""

from __future__ import annotations

from draftengine.model.language.tree import (
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
)

_CHOICE, _OR, _AND, _NOT, _COMPARE, _SUM, _TERM, _SIGN, _ATOM = range(9)
_STRENGTH = {"or": _OR, "and": _AND, "not": _NOT, "-": _SIGN}
_BINARY = {"+": _SUM, "-": _SUM, "*": _TERM, "//": _TERM, "%": _TERM}


def print_formula(expr: Expr) -> str:
    """Return the text of a formula; parsing it gives an equal tree, unless spaces make it too long."""
    return _print(expr)[0]


def _print(expr: Expr) -> tuple[str, int]:  # noqa: PLR0911 - one for each kind of node
    """Return the text and its binding strength."""
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
            return _pair(expr)


def _pair(expr: Binary | LogicalOp | Comparison) -> tuple[str, int]:
    if isinstance(expr, Comparison):
        return f"{_inner(expr.left, _SUM)} {expr.op} {_inner(expr.right, _SUM)}", _COMPARE
    strength = _BINARY[expr.op] if isinstance(expr, Binary) else _STRENGTH[expr.op]
    return f"{_inner(expr.left, strength)} {expr.op} {_inner(expr.right, strength + 1)}", strength


def _inner(expr: Expr, strength: int) -> str:
    """Return the text as an operand of an operator of this strength, in parentheses if needed."""
    text, binding = _print(expr)
    return text if binding >= strength else f"({text})"
