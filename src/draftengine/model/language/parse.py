"""Parsing of formulas: text to tree, or one error with its place.

Lark reads formulas by `formula.lark`; `draftengine.model.language.mistakes` explains its errors. Lark is only imported
with the first formula, because commands that read none start faster without it.
"""

from __future__ import annotations

from functools import lru_cache

from draftengine.model.language.error import FormulaError
from draftengine.model.language.tree import Expr, parts

__all__ = ["KEYWORDS", "MAX_LENGTH", "MAX_NESTING", "FormulaError", "parse"]

MAX_LENGTH = 500
"""Greatest length in characters; it also bounds the tokens and nodes, each of at least one character."""
MAX_NESTING = 64
"""Greatest nesting of parentheses, and of the tree (``a + b + c`` is two deep)."""
KEYWORDS = frozenset({"and", "or", "not", "if", "else", "true", "false"})
"""Words that cannot be names in formulas."""

_REMEMBERED = 1 << 12
"""The number of cached trees: more than the largest card set has formulas."""


@lru_cache(_REMEMBERED)
def parse(text: str) -> Expr:
    """Return the tree of a formula. Raises only `FormulaError`, if the text is not a formula.

    Trees are cached by text, because the variants of a card set share most of their formulas.
    """
    if len(text) > MAX_LENGTH:
        raise FormulaError(
            f"This formula has {len(text)} characters; at most {MAX_LENGTH} are allowed.",
            "Split it into several rules or counters.",
            MAX_LENGTH,
            len(text),
        )
    _refuse_deep_parentheses(text)
    from draftengine.model.language.lark_parser import read  # noqa: PLC0415 (it imports Lark, which is slow)

    expr = read(text)
    _refuse_deep_trees(expr)
    return expr


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
