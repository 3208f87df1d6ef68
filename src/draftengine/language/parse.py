"""Text to tree, or one error with its place.

Lark reads formulas by `formula.lark`. Most formulas of a card set are a number, a name or one operation on two of them;
a regular expression reads those to the same tree, so that most card sets load without importing Lark.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, cast

from draftengine.language.error import FormulaError
from draftengine.language.tree import Binary, Compare, Conditional, Expr, Name, Number, Truth, Unary, parts

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["KEYWORDS", "MAX_INT", "MAX_LENGTH", "MAX_NESTING", "MIN_INT", "FormulaError", "parse"]

MAX_LENGTH = 500
"""In characters. Every token and every node takes at least one, so there are at most as many of each."""
MAX_NESTING = 64
"""Of parentheses, and of the tree (``a + b + c`` is two deep)."""
MIN_INT = -(2**31)
MAX_INT = 2**31 - 1
KEYWORDS = frozenset({"and", "or", "not", "if", "else", "true", "false"})
"""Words that can't be names in formulas."""

_REMEMBERED = 1 << 12
"""So many formulas are read only once: more than the largest card set has."""

_OPERATORS = KEYWORDS - {"true", "false"}


@lru_cache(_REMEMBERED)
def parse(text: str) -> Expr:
    """The tree of a formula. Raises `FormulaError`, and nothing else, if the text is none.

    The variants of a card set share most of their formulas, and so do their trees.
    """
    if len(text) > MAX_LENGTH:
        raise FormulaError(
            f"This formula has {len(text)} characters; at most {MAX_LENGTH} are allowed.",
            "Split it into several rules or counters.",
            MAX_LENGTH,
            len(text),
        )
    return _read_simple(text) or _read(text)


_ATOM = r"(-?)\s*([0-9]+|[^\W\d]\w*(?:@[^\W\d]\w*)?)"
_OPERATION = rf"{_ATOM}(?:\s*(==|!=|<=|>=|<|>|\+|-|\*|//|%)\s*{_ATOM})?"
_SIMPLE = re.compile(rf"\s*{_OPERATION}(?:\s+if\s+{_OPERATION}\s+else\s+{_OPERATION})?\s*")
_ATOMS = (2, 5, 7, 10, 12, 15)
"""The groups of atoms in `_SIMPLE`."""


def _read_simple(text: str) -> Expr | None:
    """The tree of one operation, or of a choice between two by a third: most formulas are no more than that."""
    found = _SIMPLE.fullmatch(text)
    if found is None or any(found[group] in _OPERATORS for group in _ATOMS):
        return None
    then = _operation(found, 1)
    if found[7] is None:
        return then
    condition, otherwise = _operation(found, 6), _operation(found, 11)
    return Conditional(then, condition, otherwise, then.start, otherwise.end)


def _operation(found: re.Match[str], group: int) -> Expr:
    """The number or name in `group` and the one after it, and what is done with another one, if there is one."""
    left = _atom(found, group)
    operator = found[group + 2]
    if not operator:
        return left
    right = _atom(found, group + 3)
    node: Any = Compare if operator[0] in "=!<>" else Binary
    return cast("Expr", node(operator, left, right, left.start, right.end))


def _atom(found: re.Match[str], group: int) -> Expr:
    """The number, name or truth value with its sign in `group` and the one after it."""
    text, (start, end) = found[group + 1], found.span(group + 1)
    atom: Expr
    if text[0].isdecimal():
        atom = number(text, start)
    else:
        atom = Truth(text == "true", start, end) if text in KEYWORDS else Name(text, start, end)
    return Unary("-", atom, found.start(group), end) if found[group] else atom


def number(digits: str, start: int) -> Number:
    """The node of digits at offset `start`. Raises `FormulaError` if the number is too large."""
    end = start + len(digits)
    value = int(digits)
    if value > MAX_INT:
        raise FormulaError(f"Numbers go up to {MAX_INT}.", "Use a smaller number.", start, end)
    return Number(value, start, end)


def _read(text: str) -> Expr:
    _refuse_deep_parentheses(text)
    expr = _reader()(text)
    _refuse_deep_trees(expr)
    return expr


@cache
def _reader() -> Callable[[str], Expr]:
    from draftengine.language.grammar import reader  # noqa: PLC0415 - it imports Lark, which is slow

    return reader(number)


def _refuse_deep_parentheses(text: str) -> None:
    depth = 0
    for offset, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth > MAX_NESTING:
            raise _too_deep(offset, offset + 1)


def _refuse_deep_trees(expr: Expr) -> None:
    level = [expr]
    for _ in range(MAX_NESTING):
        level = [part for node in level for part in parts(node)]
        if not level:
            return
    raise _too_deep(level[0].start, level[0].end)


def _too_deep(start: int, end: int) -> FormulaError:
    return FormulaError(
        f"This formula is more than {MAX_NESTING} levels deep.", "Split it into several rules or counters.", start, end
    )
