"""A valid file with many long rules about every card: each stage does a bounded amount of work."""

from __future__ import annotations

import ast

import pytest

import draftengine as de
from draftengine.api.facts import Things
from draftengine.bots.worth import learning
from draftengine.bots.worth.learning import Sums
from draftengine.engine.forms import KERNEL_MODULES, play_games
from draftengine.engine.plan import Plan
from draftengine.engine.specialising import specialised
from draftengine.jit import expressions
from draftengine.jit.source_functions import inside

CARDS, RULES, TERMS = 28, 60, 20


def long_rule(first):
    terms = [f"total(max(c{(first + term) % CARDS}, c{(first + term + 7) % CARDS}))" for term in range(TERMS)]
    return f"  r{first}: {{kind: formula, points: 'min({' + '.join(terms)}, 100)'}}\n"


@pytest.fixture(scope="module")
def heavy(tmp_path_factory):
    cards = "".join(f"  c{number}: {{count: 30}}\n" for number in range(CARDS))
    rules = "".join(map(long_rule, range(RULES)))
    path = tmp_path_factory.mktemp("heavy") / "heavy.yaml"
    path.write_text(
        f"""format: 1
id: heavy
title: Heavy
version: 1.0.0
players: 3
rounds: 20
cards:
{cards}setup: [{{shuffle: deck}}]
round:
  - deal: {{to: hand, cards: 20}}
  - repeat: {{until_empty: hand, do: [choose: {{}}, {{score: round}}, {{pass: {{zone: hand, to: left}}}}]}}
  - gather: deck
  - shuffle: deck
scoring:
{rules}winner: {{order: most}}
"""
    )
    assert {finding.code for finding in de.check(path)} == {"rule-twice"}
    return de.load(path, players=3)


def test_cards_name_rules_that_are_many(heavy):
    """Check that cards only name their many rules, whose full texts are in the list of rules."""
    things = Things(heavy.labels)
    texts = [things.card(card).plain for card in heavy.model.cards]
    assert max(map(len, texts)) < 500
    assert "R0" in texts[0]
    assert all("max" in rule.text or len(rule.text) > 500 for rule in things.rules)


def test_specialising_copies_no_formula_for_each_of_its_levels(heavy, monkeypatch):
    """Check that copies of a formula grow with its size, not with size times depth."""
    copied, unfolded = [], expressions.unfolded

    def counting(residual, arguments, *, valued):
        value = unfolded(residual, arguments, valued=valued)
        if isinstance(value, ast.AST) and not any(value is getattr(only, "value", None) for only in residual.body):
            copied.append(value)
        return value

    monkeypatch.setattr(expressions, "unfolded", counting)
    plan = Plan(heavy.program, ["random"] * 3, in_words=False)
    program, _ = specialised(play_games, plan, 4, 5, KERNEL_MODULES)
    assert len(program.functions) > RULES
    assert sum(1 for node in copied for _ in inside(node)) < 50_000


def test_few_games_are_learnt_from_where_each_is_long(heavy, monkeypatch):
    """Check that fewer long games are learnt from, by work and not by time, so tables are reproducible."""
    stretches = []

    def play(worth, games):
        stretches.append(len(games))
        yield games, Sums.none(len(worth.values))

    monkeypatch.setattr(learning, "_is_quick", lambda _: True)
    learning.learn(heavy.program, play=play)
    assert stretches == [2] * 12
    stretches.clear()
    learning.learn(de.load("sushi_go", players=3).program, play=play)
    assert set(stretches) == {500}
