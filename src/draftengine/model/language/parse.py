"""Text to tree, or one error with its place.

Lark reads formulas by `formula.lark` and says what is wrong with them. Formulas without mistakes are read to the same
tree by `quick`, so that card sets that are sound load without importing Lark.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from draftengine.model.language.error import FormulaError
from draftengine.model.language.quick import parse_fast
from draftengine.model.language.tree import Expr, Number, parts

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
    _refuse_deep_parentheses(text)
    expr = parse_fast(text, MAX_INT) or _reader()(text)
    _refuse_deep_trees(expr)
    return expr


def number(digits: str, start: int) -> Number:
    """The node of digits at offset `start`. Raises `FormulaError` if the number is too large."""
    end = start + len(digits)
    value = int(digits)
    if value > MAX_INT:
        raise FormulaError(f"Numbers go up to {MAX_INT}.", "Use a smaller number.", start, end)
    return Number(value, start, end)


@cache
def _reader() -> Callable[[str], Expr]:
    from draftengine.model.language.lark_parser import reader  # noqa: PLC0415 - it imports Lark, which is slow

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
