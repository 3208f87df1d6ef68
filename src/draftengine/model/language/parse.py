"""Parser of formulas: it turns a text into a tree, or raises an error with the mistake's position.

Lark parses formulas with the grammar `formula.lark`, and `draftengine.model.language.mistakes` explains its errors.
Lark is imported only when the first formula is parsed, so that commands without formulas start faster.
"""

from __future__ import annotations

from functools import lru_cache

from draftengine.model import limits
from draftengine.model.language.mistakes import FormulaError
from draftengine.model.language.tree import Expr, parts

__all__ = ["KEYWORDS", "FormulaError", "parse"]

KEYWORDS = frozenset({"and", "or", "not", "if", "else", "true", "false"})
"""Words that cannot be names in formulas."""

_REMEMBERED = 1 << 12
"""The size of the cache of trees. It exceeds the number of formulas in the largest card set."""


@lru_cache(_REMEMBERED)
def parse(text: str) -> Expr:
    """Return the tree of a formula.

    Raises `FormulaError` if the text is not a formula, and no other error. Trees are cached by text, because the
    variants of a card set share most of their formulas.
    """
    if len(text) > limits.FORMULA:
        raise FormulaError("too-long", limits.FORMULA, len(text), {"length": len(text), "most": limits.FORMULA})
    depth = 0
    for offset, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth > limits.PARENTHESES:
            raise FormulaError("too-deep", offset, offset + 1, {"most": limits.PARENTHESES})
    from draftengine.model.language.lark_parser import read  # noqa: PLC0415 (it imports Lark, which is slow)

    expr = read(text)
    level = [expr]
    for _ in range(limits.PARENTHESES):
        level = [part for node in level for part in parts(node)]
        if not level:
            return expr
    raise FormulaError("too-deep", level[0].start, level[0].end, {"most": limits.PARENTHESES})
