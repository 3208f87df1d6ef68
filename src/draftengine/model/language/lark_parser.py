"""The grammar of formulas in Lark, and the tree that is built while the text is read.

Importing this module imports Lark and builds the parser, which takes about 35 ms. The parser's callbacks build the
tree, because transforming a finished parse tree would recurse to its full depth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken, v_args
from msgspec import Struct

from draftengine.model.language.error import FormulaError
from draftengine.model.language.mistakes import explain
from draftengine.model.language.tree import (
    MAX_INT,
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
    from collections.abc import Callable


class Part(Struct, frozen=True):
    """A node with its stretch of the text, parentheses included."""

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
    binary = _pair(Binary)
    compare = _pair(Comparison)
    logic = _pair(LogicalOp)

    def number(self, token: Token) -> Part:
        place, value = _stretch(token, token), int(token)
        if value > MAX_INT:
            raise FormulaError(f"Numbers go up to {MAX_INT}.", "Use a smaller number.", *place)
        return Part(Number(value, *place), *place)

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


_PARSER = Lark.open_from_package(
    __name__,
    "formula.lark",
    parser="lalr",
    lexer="basic",  # the contextual lexer would read "a android" as "a and roid"
    transformer=_Builder(),
    maybe_placeholders=False,
)


def read(text: str) -> Expr:
    """Return the tree of a formula. Raises `FormulaError`."""
    try:
        return cast("Part", _PARSER.parse(text)).expr
    except UnexpectedCharacters as error:
        raise explain(text, cast("int", error.pos_in_stream), frozenset()) from None
    except UnexpectedToken as error:
        position = len(text.rstrip()) if error.token.type == "$END" else error.token.start_pos
        raise explain(text, position or 0, frozenset(error.accepts)) from None
