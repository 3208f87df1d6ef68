"""Lark's side of parsing: the grammar, and the tree built while the text is read.

Importing this module imports Lark and builds the parser (some 35 ms), so `parse` does it only when a formula needs it.
The tree is built by the parser's own callbacks: transforming a finished parse tree would recurse as deep as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken, v_args
from msgspec import Struct

from draftengine.model.language.mistakes import explain
from draftengine.model.language.tree import (
    Binary,
    BooleanLiteral,
    Call,
    Comparison,
    Conditional,
    Expr,
    LogicalOp,
    Name,
    Unary,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.model.language.tree import Number


class Part(Struct, frozen=True):
    """A node and the stretch it takes up, parentheses included."""

    expr: Expr
    start: int
    end: int


def _stretch(first: Token | Part, last: Token | Part) -> tuple[int, int]:
    start = first.start_pos if isinstance(first, Token) else first.start
    end = last.end_pos if isinstance(last, Token) else last.end
    return cast("int", start), cast("int", end)


def _pair(node: Any) -> Callable[[Any, Part, Token, Part], Part]:
    def build(_self: Any, left: Part, op: Token, right: Part) -> Part:
        place = _stretch(left, right)
        return Part(node(str(op), left.expr, right.expr, *place), *place)

    return build


@v_args(inline=True)
class _Builder(Transformer[Token, Part]):
    def __init__(self, number: Callable[[str, int], Number]) -> None:
        super().__init__()
        self._number = number

    binary = _pair(Binary)
    compare = _pair(Comparison)
    logic = _pair(LogicalOp)

    def number(self, token: Token) -> Part:
        place = _stretch(token, token)
        return Part(self._number(str(token), place[0]), *place)

    def truth(self, token: Token) -> Part:
        place = _stretch(token, token)
        return Part(BooleanLiteral(str(token) == "true", *place), *place)

    def name(self, token: Token) -> Part:
        place = _stretch(token, token)
        return Part(Name(str(token), *place), *place)

    def unary(self, op: Token, operand: Part) -> Part:
        place = _stretch(op, operand)
        return Part(Unary(cast("Any", str(op)), operand.expr, *place), *place)

    def conditional(self, then: Part, condition: Part, otherwise: Part) -> Part:
        place = _stretch(then, otherwise)
        return Part(Conditional(then.expr, condition.expr, otherwise.expr, *place), *place)

    def call(self, name: Token, _opening: Token, *rest: Part | Token) -> Part:
        place = _stretch(name, rest[-1])
        arguments = tuple(part.expr for part in rest if isinstance(part, Part))
        return Part(Call(str(name), arguments, *place), *place)

    def parenthesis(self, opening: Token, inner: Part, closing: Token) -> Part:
        return Part(inner.expr, *_stretch(opening, closing))


def reader(number: Callable[[str, int], Number]) -> Callable[[str], Expr]:
    """A function from text to tree; `number` makes the node of digits at an offset. It raises `FormulaError`."""
    lark = Lark.open_from_package(
        __name__,
        "formula.lark",
        parser="lalr",
        lexer="basic",  # the contextual lexer would read "a android" as "a and roid"
        transformer=_Builder(number),
        maybe_placeholders=False,
    )

    def read(text: str) -> Expr:
        try:
            return cast("Part", lark.parse(text)).expr
        except UnexpectedCharacters as error:
            raise explain(text, cast("int", error.pos_in_stream), frozenset()) from None
        except UnexpectedToken as error:
            position = len(text.rstrip()) if error.token.type == "$END" else error.token.start_pos
            raise explain(text, position or 0, frozenset(error.accepts)) from None

    return read
