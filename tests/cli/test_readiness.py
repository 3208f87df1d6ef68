"""Worth tables before the first game: shipped, borrowed, or learnt now."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from draftengine.api.ruleset import load
from draftengine.apps.cli.preparing import ready_to_play
from draftengine.bots.worth import tables
from draftengine.bots.worth.learning import Learned
from draftengine.engine.policies import no_worth
from draftengine.studies.simulation.words import caveat

HOUSE = """format: 1
extends: sushi_go
id: house
title: House
cards: {tempura: {count: 20}, seaweed: {count: 2}}
"""
"""A house rule with a card that no network knows."""


@pytest.fixture
def learnt(monkeypatch, tmp_path):
    """Replace learning by an instant; return the games that were learnt."""
    found = []

    def learn(program, *_):
        found.append(program)
        return Learned(no_worth(program), 5.0)

    monkeypatch.setattr(tables.learning, "learn", learn)
    monkeypatch.setattr(tables, "_known", {})
    monkeypatch.setattr(tables, "_borrowed", {})
    monkeypatch.setattr(tables, "_meanwhile", {})
    monkeypatch.setattr(tables, "_file", lambda _: tmp_path / "worth.table")
    return found


@pytest.fixture
def house(tmp_path):
    file = tmp_path / "house.yaml"
    file.write_text(HOUSE, encoding="utf-8")
    return load(str(file), players=3)


def said(game, *seats, learn=False):
    session = SimpleNamespace(game=game, seats=seats, humans=tuple(own for own in seats if own == "human"))
    return ready_to_play(session, learn=learn, quiet=True)


def test_shipped_games_are_known(learnt):
    """Check that shipped games need no learning and give no notice."""
    assert said(load("sushi_go", players=3), "human", "medium", "hard", learn=True) == ""
    assert learnt == []


def test_with_a_house_rule_play_says_what_it_goes_by(learnt, house):
    sentence = said(house, "human", "medium", "medium")
    assert sentence.startswith("Nobody has learnt these rules yet: bots and hints use what is known of sushi_go for 3")
    assert "--learn" in sentence
    assert said(house, "human", "greedy", "random") == sentence, "hints go by it, too"
    assert learnt == []


def test_who_needs_no_table_gets_none(learnt, house):
    assert said(house, "greedy", "random", "easy") == ""
    assert learnt == []


def test_learning_is_there_for_the_asking(learnt, house):
    """Check that --learn learns once, and that there is no notice afterwards."""
    assert said(house, "human", "medium", "medium", learn=True) == ""
    assert learnt == [house.program]
    assert said(house, "human", "medium", "medium") == ""
    assert learnt == [house.program]


@pytest.fixture
def elsewhere(monkeypatch):
    """Replace the background process; return the games that it would learn."""
    learnt = []

    class Process:
        def __init__(self, target, args, daemon):
            assert (target, daemon) == (tables.learn_in_background, True)
            learnt.extend(args)

        def start(self):
            pass

    monkeypatch.setattr("multiprocessing.get_context", lambda _: SimpleNamespace(Process=Process))
    return learnt


@pytest.fixture
def unknown(tmp_path, soups):
    file = tmp_path / "soups.yaml"
    file.write_text(soups, encoding="utf-8")
    return load(str(file), players=2)


def test_nobody_waits_for_what_nobody_knows(learnt, elsewhere, unknown):
    """Check that an unknown game is learnt in the background, while bots look at points alone."""
    sentence = said(unknown, "human", "medium")
    assert sentence.startswith("Nobody has played this game before")
    assert "--learn" in sentence
    assert elsewhere == [unknown.program]
    assert not any(tables.at_hand(unknown.program).worth.values)
    assert learnt == []
    assert said(unknown, "human", "medium", learn=True) == ""


def test_nothing_is_learnt_that_nobody_needs(learnt, elsewhere, unknown):
    """Check that nothing is learnt for bots without tables and people who may ask for hints."""
    assert said(unknown, "human", "random") == ""
    assert not any(tables.at_hand(unknown.program).worth.values)
    assert learnt == elsewhere == []


@pytest.mark.parametrize(
    ("bots", "warned"),
    [
        (("table", "table"), ""),
        (("medium", "hard", "search:iterations=20"), ""),
        (("greedy:aim=win", "greedy"), "greedy looks only at the points that a move brings at once"),
        (("table", "random"), "random takes any card"),
    ],
)
def test_figures_of_weak_bots_say_so(bots, warned):
    caution = caveat(bots)
    assert warned in (str(caution) if caution else "")
    assert bool(caution) == bool(warned)


def test_they_say_so_wherever_figures_are_read(draftengine, tmp_path, soups):
    """Check that text, JSON and reports warn of weak bots, and of no others."""
    (tmp_path / "soups.yaml").write_text(soups, encoding="utf-8")
    run = ("soups.yaml", "-n", "40", "--seed", "1", "--report", "report.html")
    pair = ("compare", *run, "--variant-b", "to_the_right")
    weak = draftengine("simulate", *run, "--bots", "greedy,random")
    assert "Mind who played: greedy looks only at the points that a move brings at once and random takes" in " ".join(
        weak.out.split()
    )
    assert "Mind who played" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert draftengine(*pair, "--bots", "greedy", "--json").json["caveat"].startswith("Mind who played: greedy")
    usual = draftengine(*pair)
    assert "Mind who played" not in usual.out + (tmp_path / "report.html").read_text(encoding="utf-8")
    told = draftengine("simulate", *run, "--json").json
    assert told["caveat"] is None
    assert "table" in str(told)
