"""Mistakes in formulas, and their places."""

from __future__ import annotations

import re

import pytest

from draftengine.model.diagnostics import hint_for
from draftengine.model.language.check import TypeProblem, check
from draftengine.model.language.mistakes import MISTAKES, UNCLOSED
from draftengine.model.language.parse import FormulaError, parse
from draftengine.support.locale.phrases import said
from language.world import cases, scope

ROWS = (*MISTAKES, UNCLOSED)


def _found(text: str, *, seat: bool) -> list[TypeProblem]:
    try:
        expr = parse(text)
    except FormulaError as error:
        return [TypeProblem("syntax", error.text, error.hint, error.start, error.end)]
    return list(check(expr, scope(seat=seat)).mistakes)


@pytest.mark.parametrize("case", cases("mistakes.yaml"), ids=lambda case: case["formula"].splitlines()[0])
def test_mistakes(case) -> None:
    """Check that exactly the mistakes of a formula are found, each at its place."""
    text, *expected = case["formula"].splitlines()
    found = _found(text, seat=case.get("seat", True))
    marks = [" " * mistake.start + "^" * max(1, mistake.end - mistake.start) + f" {mistake.code}" for mistake in found]
    assert marks == [re.sub(r":.*", "", line) for line in expected]
    for mistake, line in zip(found, expected, strict=True):
        assert line.partition(": ")[2] in f"{mistake.text} {mistake.hint}"
        assert mistake.hint


@pytest.mark.parametrize(
    ("row", "text"), [pytest.param(row, text, id=repr(text)) for row in ROWS for text in row.examples]
)
def test_example_of_mistake(row, text) -> None:
    """Check that each example of the table gives the mistake of its row."""
    with pytest.raises(FormulaError) as caught:
        parse(text)
    error = caught.value
    values = {"found": text[error.start : error.end]}
    assert error.text == said(f"formula-syntax.{row.say}", **values)
    assert error.hint == hint_for("formula-syntax", row.say, values)
    assert str(error) == str(error.text)
    assert 0 <= error.start <= error.end <= len(text)


def test_every_row_has_examples() -> None:
    """Check that every row has examples, as it would be untested otherwise."""
    assert all(row.examples for row in ROWS)


def test_order_and_number_of_mistakes() -> None:
    """Check that each of many mistakes is reported once, in the order of places."""
    found = _found(" + ".join(f"(a{number} // 0)" for number in range(20)), seat=True)
    assert len(found) == 40
    assert found == sorted(found, key=lambda mistake: mistake.start)


def test_an_unknown_name_is_reported_once() -> None:
    (one,) = _found("sup * 2 + sup * (1 + sup)", seat=True)
    assert (one.start, one.again) == (0, ((10, 13), (21, 24)))
