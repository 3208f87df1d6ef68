"""Text to tree, or one error with its place.

Lark reads formulas by `formula.lark`. Most formulas of a card set are a number, a name, a function of one of these, or
one operation on two of them; a regular expression reads those to the same tree, so that most card sets load without
importing Lark.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from draftengine.language.error import FormulaError
from draftengine.language.tree import Binary, Call, Compare, Conditional, Expr, Name, Number, Truth, Unary, parts

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


_PLAIN = r"[0-9]+|[^\W\d]\w*(?:@[^\W\d]\w*)?"
_ATOM = rf"(-?)\s*(?:([^\W\d]\w*)\s*\(\s*({_PLAIN})\s*(\))|({_PLAIN}))"
_OPERATION = re.compile(rf"\s*{_ATOM}(?:\s*(==|!=|<=|>=|<|>|\+|-|\*|//|%)\s*{_ATOM})?")
_IF, _ELSE, _END = re.compile(r"\s+if\s"), re.compile(r"\s+else\s"), re.compile(r"\s*\Z")
_LEFT, _OPERATOR, _RIGHT = 1, 6, 7
"""The groups of an operation: where those of its first atom begin, its operator, where those of the second begin."""
_SIGN, _FUNCTION, _ARGUMENT, _CLOSING, _ALONE = range(5)
"""The groups of an atom, counted from its first."""


def _read_simple(text: str) -> Expr | None:
    """The tree of one operation, or of a choice between two by a third: most formulas are no more than that."""
    then, at = _operation(text, 0)
    if then is None or _END.match(text, at):
        return then
    condition, at = _behind(_IF, text, at)
    otherwise, at = _behind(_ELSE, text, at) if condition else (None, at)
    if condition is None or otherwise is None or not _END.match(text, at):
        return None
    return Conditional(then, condition, otherwise, then.start, otherwise.end)


def _behind(word: re.Pattern[str], text: str, at: int) -> tuple[Expr | None, int]:
    """The operation behind a word, and where it ends; ``None`` if the word or an operation is not there."""
    found = word.match(text, at)
    return _operation(text, found.end()) if found else (None, at)


def _operation(text: str, at: int) -> tuple[Expr | None, int]:
    """The atom or the operation on two that begins at an offset, and where it ends; ``None`` if none begins there."""
    found = _OPERATION.match(text, at)
    if found is None:
        return None, at
    left, operator = _atom(found, _LEFT), found[_OPERATOR]
    if left is None or not operator:
        return left, found.end()
    right = _atom(found, _RIGHT)
    if right is None:
        return None, at
    node: Any = Compare if operator[0] in "=!<>" else Binary
    return node(operator, left, right, left.start, right.end), found.end()


def _atom(found: re.Match[str], first: int) -> Expr | None:
    """The number, name, truth value or function of one in the groups from `first` on, with its sign.

    ``None`` if there is a mistake in it, about which Lark says more.
    """
    function = found[first + _FUNCTION]
    atom = _plain(found, first + (_ARGUMENT if function else _ALONE))
    if atom is None or function in KEYWORDS:
        return None
    if function:
        atom = Call(function, (atom,), found.start(first + _FUNCTION), found.end(first + _CLOSING))
    return Unary("-", atom, found.start(first + _SIGN), atom.end) if found[first + _SIGN] else atom


def _plain(found: re.Match[str], group: int) -> Expr | None:
    """A number, name or truth value; ``None`` for other words and for numbers that are too large."""
    text, (start, end) = found[group], found.span(group)
    if text[0].isdecimal():
        return number(text, start) if int(text) <= MAX_INT else None
    if text in _OPERATORS:
        return None
    return Truth(text == "true", start, end) if text in KEYWORDS else Name(text, start, end)


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
