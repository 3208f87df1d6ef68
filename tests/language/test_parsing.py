"""Parsing of formulas, and printing of their trees."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draftengine.model import limits
from draftengine.model.language import lark_parser
from draftengine.model.language.parse import FormulaError, parse
from draftengine.model.language.tree import Expr, parts, print_formula
from language.generate import Generator, random_from

MANY = settings(max_examples=20 * settings().max_examples)
PIECES = [
    *("soup", "bread", "a", "_", "x1", "0", "7", "42", "2147483647", "2147483648", "true", "false", "é", "²", "٣"),
    *("and", "or", "not", "if", "else", "max", "total", "gained"),
    *("+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=", "(", ")", ","),
    *("=", "&&", "|", "!", "^", "**", "/", ".", "'", '"', "[", "]", "{", "}", "?", ":", "@", "≤", "🍣", "\x00", "\\"),
    *(" ", "  ", "\n", "\t", "\u00a0", "\ud800"),
]
FORMULA_LIKE = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def _error(text: str) -> FormulaError | None:
    try:
        parse(text)
    except FormulaError as error:
        return error
    return None


@MANY
@given(FORMULA_LIKE | st.text(max_size=60))
def test_any_text(text) -> None:
    """Check that any text is a formula, or raises `FormulaError` with a place and a message."""
    error = _error(text)
    if error is not None:
        assert str(error)
        assert error.hint
        assert 0 <= error.start <= error.end <= len(text)


@given(st.integers(0, 2**32), st.integers(1, 7))
def test_printing_and_parsing(seed, depth) -> None:
    """Check that a printed formula is parsed to an equal tree and printed equally."""
    expr = Generator(random_from(seed)).formula(depth)
    text = print_formula(expr)
    if len(text) <= limits.FORMULA:
        assert parse(text) == expr
        assert print_formula(parse(text)) == text


def test_tables_are_those_of_the_grammar() -> None:
    """Check that the kept tables are of this grammar and Lark (see `make docs`).

    Releases of Python differ in the largest width of a pattern that has none.
    """
    kept = json.loads(lark_parser._TABLES.read_bytes())
    made = json.loads(lark_parser.make_tables())
    assert kept["of"] == made["of"]
    for term in (*kept["memo"].values(), *made["memo"].values()):
        term.get("pattern", {}).pop("_width", None)
    assert kept["memo"] == made["memo"]
    assert len(kept["data"]["parser"]["parser"]["states"]) == len(made["data"]["parser"]["parser"]["states"])


@given(st.integers(0, 2**32), st.integers(1, 7))
def test_printing_needs_every_parenthesis(seed, depth) -> None:
    """Check that removing any pair of parentheses from a printed formula changes or breaks it."""
    text = print_formula(Generator(random_from(seed)).formula(depth))
    if len(text) <= limits.FORMULA:
        for opening, closing in _pairs(text):
            without = f"{text[:opening]} {text[opening + 1 : closing]} {text[closing + 1 :]}"
            assert _error(without) is not None or print_formula(parse(without)) != text


def _pairs(text: str) -> list[tuple[int, int]]:
    """Return the places of pairs of parentheses that are not those of calls."""
    open_, pairs = [], []
    for offset, char in enumerate(text):
        if char == "(":
            open_.append(offset)
        elif char == ")":
            opening = open_.pop()
            if not (opening and text[opening - 1].isalnum()):
                pairs.append((opening, offset))
    return pairs


@pytest.mark.parametrize(
    "text",
    ["(soup + 2) * max(bread, -(3)) if not soup == 2 and true else (bread)", "soup // 2", " -7 ", "total( soup )"],
)
def test_places(text) -> None:
    """Check that the text of every node parses to that node, and that children lie inside parents."""

    def look(expr: Expr) -> None:
        assert parse(text[expr.start : expr.end]) == expr
        for part in parts(expr):
            assert expr.start <= part.start <= part.end <= expr.end
            look(part)

    look(parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "(" * 65 + "a" + ")" * 65,
        "(" * limits.FORMULA,
        "-" * 499 + "1",
        "not " * 100 + "true",
        "1 if true else " * 33 + "1",
        "+".join(["a"] * 250),
        "abs(" * 65 + "a" + ")" * 65,
        "most(" * 99,
        "a" * 501,
        "1" * 500,
        " " * 10_000,
        "(" * 100_000,
    ],
)
def test_too_much(text) -> None:
    """Check that too long, deep or large formulas are refused at a place, without a stack overflow."""
    error = _error(text)
    if error is None:
        assert print_formula(parse(text))
    else:
        assert 0 <= error.start <= error.end <= len(text)


@pytest.mark.parametrize(("inside", "outside"), [("(", ")"), ("abs(", ")"), ("-", ""), ("not ", "")])
def test_nesting_limit(inside, outside) -> None:
    """Check the deepest formula allowed, and one level more."""
    leaf = 0 if inside == "(" else 1
    deepest = limits.PARENTHESES - leaf
    parse(inside * deepest + "a" + outside * deepest)
    with pytest.raises(FormulaError, match="64 levels deep"):
        parse(inside * (deepest + 1) + "a" + outside * (deepest + 1))


def test_length_limit() -> None:
    """Check the longest formula allowed, and one character more."""
    parse(" " * (limits.FORMULA - 1) + "a")
    with pytest.raises(FormulaError, match=f"at most {limits.FORMULA}"):
        parse(" " * limits.FORMULA + "a")


def test_error_survives_pickling() -> None:
    """Check that an error can be pickled."""
    error = FormulaError("number", 1, 2, {"most": 9})
    assert pickle.loads(pickle.dumps(error)).args == error.args  # noqa: S301 - our own bytes


def test_lark_is_imported_with_the_first_formula() -> None:
    """Check that Lark is imported only with the first formula."""
    program = (
        "import sys; import draftengine.model.language.check, draftengine.model.language.evaluate\n"
        "from draftengine.model.language.parse import parse\n"
        "assert 'lark' not in sys.modules\n"
        "parse('soup + 1')\n"
        "assert 'lark' in sys.modules\n"
    )
    subprocess.run(
        [sys.executable, "-c", program], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )
