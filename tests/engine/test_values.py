"""Formula functions may cache results, and return what they would compute."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest

from compiled import load_program
from draftengine.engine.compile import formulas as values
from draftengine.engine.compile.formulas import Fields, FormulaNames
from draftengine.model.language.evaluate import compile_formula
from draftengine.model.language.parse import parse
from draftengine.model.library import open_set
from draftengine.model.selection import Selection

PLAYERS = 3


@pytest.fixture
def names():
    model = load_program(open_set("sushi_go").document, Selection(), PLAYERS).model
    return FormulaNames(model, PLAYERS, Fields.of(model, PLAYERS))


def some_state(chance):
    """Return a state of a few different counters, so that equal ones recur."""

    def word():
        return sum(chance.randrange(3) << 4 * place for place in range(4))

    words, before = ([word() for _ in range(PLAYERS)] for _ in range(2))
    return SimpleNamespace(words=words, words_before_choice=before, round=chance.randrange(1, 4), scores=[0] * PLAYERS)


@pytest.mark.parametrize(
    "formula",
    [
        "kinds(tempura, sashimi, dumpling)",
        "most(kinds(tempura, sashimi, dumpling)) - kinds(tempura, pudding)",
        "kinds(most(tempura), sashimi)",
        "max(others_most(tempura), sashimi)",
        "max(round, sashimi)",
        "max(gained(tempura), sashimi)",
        "min(players, tempura + sashimi)",
        "min(pudding if players > 3 else tempura, sashimi)",
    ],
)
def test_what_is_remembered_is_what_would_be_worked_out(monkeypatch, names, formula):
    monkeypatch.setattr(values, "_REMEMBERED", 5)
    expr, chance = parse(formula), Random(formula)
    plain, keeping = compile_formula(expr, names), compile_formula(expr, names, names.keep)
    for _ in range(200):
        state = some_state(chance)
        for seat in range(PLAYERS):
            assert keeping(state, seat) == plain(state, seat)


def test_it_is_remembered(names):
    """Check that a formula of one seat's counters is computed once for equal counters of that seat."""
    asked = []

    def keep(expr, value):
        return names.keep(expr, lambda state, seat: asked.append(seat) or value(state, seat))

    value = compile_formula(parse("most(kinds(tempura, sashimi))"), names, keep)
    states = [SimpleNamespace(words=[one, one, two]) for one in range(3) for two in range(3) for _ in range(4)]
    assert [value(state, 0) for state in states] == [bool(max(state.words)) for state in states]
    assert len(asked) == len({word for state in states for word in state.words})
