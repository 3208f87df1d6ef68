"""Perft: how many joint sequences of actions lead from a position to the end, counted by two programs of their own.

A vector gives hands (and tables) of the last round. ``nodes`` are the joint sequences after each turn, ``unique`` the
different positions among their ends (but for the last), ``leaves`` the whole sequences, ``scores`` the different
results, ``checksum`` the sum over leaves of every score times its seat's number from 1, and ``divide`` how many leaves
lie under each first joint action: leaves, and how many actions have so many. An action names kinds of cards, so
identical cards are one; two cards taken at once are one action whatever their order, unless one is to lie on the other.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml

from draftengine.cardset.resolve import NOTHING_SELECTED
from draftengine.engine.flow import cards
from draftengine.engine.flow.choose import Choice
from draftengine.library import load_program, open_set
from perft import by_engine, by_hand

VECTORS = yaml.safe_load((Path(__file__).parent / "vectors.yaml").read_text(encoding="utf-8"))
FIGURES = ("nodes", "unique", "leaves", "scores", "checksum", "divide")


@pytest.fixture(params=VECTORS, ids=lambda vector: vector["id"])
def vector(request):
    return request.param


def tables_of(vector):
    return vector.get("tables", [[] for _ in vector["hands"]])


def expected(vector):
    return {figure: vector[figure] for figure in FIGURES}


def summed_up(counted):
    return counted | {"divide": dict(Counter(counted["divide"]))}


def engine_counts(vector):
    program = load_program(open_set(vector["cardset"]).document, NOTHING_SELECTED, len(vector["hands"]))
    return summed_up(by_engine.count(program, vector["hands"], tables_of(vector)))


def test_by_engine(vector):
    assert engine_counts(vector) == expected(vector)


def test_by_hand(vector):
    assert summed_up(by_hand.count(vector["cardset"], vector["hands"], tables_of(vector))) == expected(vector)


def test_enough_vectors():
    """Of every card set, for every number of players."""
    assert len(VECTORS) >= 40
    assert {(own["cardset"], len(own["hands"])) for own in VECTORS} >= {
        (cardset, players) for cardset in ("sushi_go", "sushi_go_2014", "sushi_go_summary") for players in (2, 3, 4, 5)
    }


def some_fail():
    return any(engine_counts(vector) != expected(vector) for vector in VECTORS[:6])


def test_hands_that_stay_are_found(monkeypatch):
    monkeypatch.setattr(cards.Pass, "run", lambda self, _state, _tell: self.following)
    assert some_fail()


def test_chopsticks_that_vanish_are_found(monkeypatch):
    monkeypatch.setattr(Choice, "_return", lambda *_: None)
    assert some_fail()


def test_actions_that_are_counted_twice_are_found(monkeypatch):
    from draftengine.engine.moves import legal_moves

    monkeypatch.setattr(by_engine, "actions", lambda state, seat: list(legal_moves(state, seat)))
    assert some_fail()
