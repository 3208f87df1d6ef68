"""The Lark parser of formulas, with callbacks that build the tree during parsing.

Importing this module imports Lark and reads the tables of the parser, which takes about 35 ms. Callbacks build the
tree, because transforming a finished parse tree would recurse to its full depth.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import lark
import msgspec
from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken, v_args
from lark.grammar import Rule
from lark.lexer import TerminalDef
from msgspec import Struct

from draftengine.model.language.mistakes import FormulaError, explain
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
    """A node of the tree, and the part of the text that it covers, including parentheses."""

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
            raise FormulaError("number", *place, {"most": MAX_INT})
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


_GRAMMAR = Path(__file__).with_name("formula.lark")
_TABLES = Path(__file__).with_name("formula_tables.json")
_OPTIONS = {"parser": "lalr", "lexer": "basic", "maybe_placeholders": False}
"""Options of Lark. The contextual lexer cannot be used: it would read “a android” as “a and roid”."""


def make_tables() -> bytes:
    """Return the content of the file `_TABLES`: the parser's tables as Lark computes them, in JSON.

    Loading the tables takes 5 ms; computing them from the grammar would take 20 ms.
    """
    data, memo = Lark(_GRAMMAR.read_text("utf-8"), **_OPTIONS).memo_serialize([TerminalDef, Rule])
    return msgspec.json.encode({"of": _origin(), "data": data, "memo": memo}) + b"\n"


def _origin() -> str:
    return sha256(_GRAMMAR.read_bytes() + lark.__version__.encode()).hexdigest()


def _numbered(tree: Any) -> Any:
    """Return a JSON tree with integers as keys, because JSON has turned them into strings."""
    if isinstance(tree, dict):
        return {int(key) if key.isdecimal() else key: _numbered(value) for key, value in tree.items()}
    return list(map(_numbered, tree)) if isinstance(tree, list) else tree


_tables = msgspec.json.decode(_TABLES.read_bytes())
if _tables["of"] == _origin():
    _load = cast("Any", Lark)._load_from_dict  # noqa: SLF001 (parsers that Lark writes use it, too)
    _PARSER = cast("Lark", _load(_numbered(_tables["data"]), _numbered(_tables["memo"]), transformer=_Builder()))
else:  # the tables are from another grammar, or from another version of Lark
    _PARSER = Lark(_GRAMMAR.read_text("utf-8"), transformer=_Builder(), **_OPTIONS)


def read(text: str) -> Expr:
    """Return the tree of a formula. Raises `FormulaError`."""
    try:
        return cast("Part", _PARSER.parse(text)).expr
    except UnexpectedCharacters as error:
        raise explain(text, cast("int", error.pos_in_stream), frozenset()) from None
    except UnexpectedToken as error:
        position = len(text.rstrip()) if error.token.type == "$END" else error.token.start_pos
        raise explain(text, position or 0, frozenset(error.accepts)) from None
