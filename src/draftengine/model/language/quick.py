"""Formulas without mistakes, read without Lark, whose import and tables take longer than a whole small card set.

What is read is what `formula.lark` says: the same tree with the same places, or nothing. Where there is anything to
complain of, nothing is read, and Lark finds the words (see `parse`). The tests hold both against each other.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Part = tuple[Expr, int, int]
    """A node and the stretch it takes up, parentheses included."""

__all__ = ["parse_fast"]

_TOKEN = re.compile(
    r"\s*(?:(?P<truth>true|false)\b|(?P<number>[0-9]+)|(?P<name>[^\W\d]\w*(?:[.@][^\W\d]\w*)*)"
    r"|(?P<sign>==|!=|<=|>=|//|[-+*%<>(),]))"
)
_END = re.compile(r"\s*\Z")
_WORDS = frozenset({"and", "or", "not", "if", "else"})

_OR, _AND, _NOT, _COMPARED, _SUM, _TERM, _SIGN = range(7)
"""How tightly operators bind."""
_OPERATORS: MappingProxyType[str, tuple[int, Callable[..., Any]]] = MappingProxyType(
    {"or": (_OR, LogicalOp), "and": (_AND, LogicalOp)}
    | dict.fromkeys(("==", "!=", "<=", ">=", "<", ">"), (_COMPARED, Comparison))
    | dict.fromkeys(("+", "-"), (_SUM, Binary))
    | dict.fromkeys(("*", "//", "%"), (_TERM, Binary))
)
_DEEPEST = 24
"""So many levels are read by functions that call themselves; more are left to Lark."""


class _SlipError(Exception):
    """This is for Lark."""


def parse_fast(text: str, largest: int) -> Expr | None:
    """The tree of a formula; ``None`` if it has mistakes, numbers above `largest`, or very many levels."""
    try:
        return _Reader(text, largest).whole()
    except _SlipError:
        return None


class _Reader:
    def __init__(self, text: str, largest: int) -> None:
        self._tokens = [*_tokens(text), ("end", "", len(text), len(text))]
        self._largest = largest
        self._at = self._depth = 0

    def whole(self) -> Expr:
        expr, _, _ = self._choice()
        self._take("end")
        return expr

    @property
    def _next(self) -> str:
        """What comes next: the text of a sign or word, otherwise the kind of the token."""
        return self._tokens[self._at][0]

    def _take(self, wanted: str = "") -> tuple[str, int, int]:
        kind, text, start, end = self._tokens[self._at]
        if wanted and kind != wanted:
            raise _SlipError
        self._at += 1
        return text, start, end

    def _choice(self) -> Part:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _SlipError
        then, start, end = self._chain(_OR)
        if self._next == "if":
            self._take()
            condition, _, _ = self._chain(_OR)
            self._take("else")
            otherwise, _, end = self._choice()
            then = Conditional(then, condition, otherwise, start, end)
        self._depth -= 1
        return then, start, end

    def _chain(self, loosest: int) -> Part:
        """Operations that bind at least so tightly."""
        expr, start, end = self._first(loosest)
        # Behind “not a” stands no sum or comparison that belongs to all of it, and comparisons form no chain.
        tightest = _NOT if isinstance(expr, Unary) and expr.op == "not" and expr.start == start else _SIGN
        while True:
            level, node = _OPERATORS.get(self._next, (_OR - 1, None))
            if node is None or not loosest <= level <= tightest:
                return expr, start, end
            operator, _, _ = self._take()
            right, _, end = self._chain(level + 1)
            expr = node(operator, expr, right, start, end)
            tightest = _NOT if level == _COMPARED else level

    def _first(self, loosest: int) -> Part:
        """What an operation begins with, with its signs."""
        kind = self._next
        text, start, end = self._take()
        match kind:
            case "not" | "-" if kind == "-" or loosest <= _NOT:
                self._depth += 1
                if self._depth > _DEEPEST:
                    raise _SlipError
                inner, _, end = self._chain(_NOT) if kind == "not" else self._first(_SIGN)
                self._depth -= 1
                return Unary(kind, inner, start, end), start, end
            case "number" if len(text) < len(str(self._largest)) or int(text) <= self._largest:
                return Number(int(text), start, end), start, end
            case "truth":
                return BooleanLiteral(text == "true", start, end), start, end
            case "name" if self._next == "(":
                arguments, end = self._arguments()
                return Call(text, arguments, start, end), start, end
            case "name":
                return Name(text, start, end), start, end
            case "(":
                inner, _, _ = self._choice()
                return inner, start, self._take(")")[2]
            case _:
                raise _SlipError

    def _arguments(self) -> tuple[tuple[Expr, ...], int]:
        """The arguments of a call, and where they end."""
        self._take("(")
        arguments: list[Expr] = []
        while self._next != ")":
            if arguments:
                self._take(",")
            arguments.append(self._choice()[0])
        return tuple(arguments), self._take(")")[2]


def _tokens(text: str) -> Iterator[tuple[str, str, int, int]]:
    """What kind each token is of, its text, and where it stands. Raises `_SlipError`."""
    position = 0
    while not _END.match(text, position):
        match = _TOKEN.match(text, position)
        if match is None:
            raise _SlipError
        kind = str(match.lastgroup)
        start, position = match.span(kind)
        token = match[kind]
        yield token if kind == "sign" or token in _WORDS else kind, token, start, position
