"""Tournaments: wins between bots, controls, and equal results in any number of processes."""

from __future__ import annotations

import sys
from math import isclose

import pytest

from draftengine.bots import BotError, SeatedBot
from draftengine.bots.protocol import Decision
from draftengine.studies import arena
from draftengine.studies.arena.estimates import findings_of, rate
from draftengine.studies.arena.report import report, sentences
from draftengine.studies.arena.sprt import Sequential
from draftengine.studies.report.charts import Study
from draftengine.studies.simulation.rows import MissingExtraError


class FirstMove:
    """A bot that always takes the first legal move."""

    def decide(self, seen, stream, budget):
        return Decision(seen.moves[0], iterations=3)


@pytest.fixture
def first_moves(monkeypatch):
    monkeypatch.setattr(SeatedBot, "of", classmethod(lambda cls, text, key, **_: cls(FirstMove(), key)))


@pytest.mark.parametrize("players", [2, 3])
def test_greedy_beats_random(held, players):
    found = findings_of(held("sushi_go", ("greedy", "random"), players=players, deals=15), 1)
    assert found.met(0, 1).share.ci95[0] > found.even
    assert found.met(1, 0).share.ci95[1] < found.even
    assert found.met(0, 1).margin.ci95[0] > 0
    assert found.duels[0].certain
    assert found.ratings[0].ci95[0] > found.ratings[1].ci95[1]
    assert sentences(found)[0] == "greedy is the best: it is certainly better than the other."
    assert found.paces[0].p50_ms > 0


def test_at_two_seats_the_matrix_adds_up(held):
    found = findings_of(held("sushi_go", ("greedy", "random", "greedy:iterations=7"), deals=12), 1)
    assert found.games == 3 * 12 * 2
    for one in range(3):
        for two in range(3):
            if one != two:
                assert isclose(found.met(one, two).share.mean + found.met(two, one).share.mean, 1)
                assert isclose(found.met(one, two).margin.mean, -found.met(two, one).margin.mean, abs_tol=1e-9)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_bot_without_chance_is_its_own_equal(held, first_moves, players):
    """A bot without chance is exactly even with itself: each seat's share is 1/n."""
    found = findings_of(held("sushi_go", ("first",), players=players, deals=6, mirrors=(0,)), 1)
    cell = found.met(0, 0)
    assert cell.share.mean == pytest.approx(1 / players, abs=1e-15)
    assert cell.share.sd == pytest.approx(0, abs=1e-9)
    assert found.paces[0].iterations == 3
    assert not found.ratings


@pytest.mark.parametrize(("bot", "players"), [("random", 2), ("greedy", 3), ("random", 4)])
def test_a_bot_against_itself_is_even(held, bot, players):
    """A bot with chance is even with itself, within the interval."""
    found = findings_of(held("sushi_go", (bot,), players=players, deals=15, mirrors=(0,)), 1)
    share = found.met(0, 0).share
    assert share.sd > 0
    assert share.ci95[0] <= 1 / players <= share.ci95[1]
    control = next(said for said in sentences(found) if said.startswith("Control"))
    assert control.endswith("that agrees with chance.")


def test_a_deal_is_the_same_for_all(held, monkeypatch):
    """All games and pairings of a deal have equal first hands by seat, and other deals have others."""
    seen = {}
    real = arena.seated

    def spying(text, key, thinking):
        play = real(text, key, thinking)

        def choose(state, choice, seat, stream):
            if state.round == 1 and state.turn == 1:
                seen.setdefault(seat, []).append(tuple(sorted(state.zones[choice.source][seat])))
            return play(state, choice, seat, stream)

        return choose

    monkeypatch.setattr(arena, "seated", spying)
    held("sushi_go", ("greedy", "random"), players=3, deals=2)
    for own in seen.values():
        assert len(own) == 2 * 2 * 3
        assert len(set(own[:6])) == len(set(own[6:])) == 1
        assert own[0] != own[6]


@pytest.mark.night
def test_jobs_change_nothing(held):
    alone, together = (held("sushi_go", ("greedy", "random"), players=3, deals=5, jobs=jobs) for jobs in (1, 2))
    assert alone.units == together.units
    assert [own.decisions for own in alone.think_time] == [own.decisions for own in together.think_time]
    found = [findings_of(own, "seed") for own in (alone, together)]
    assert found[0].ratings == found[1].ratings
    assert found[0].meetings == found[1].meetings


def test_a_test_that_stops_depends_on_no_chunks(held):
    tests = [Sequential(0, 60, 2) for _ in range(2)]
    alone, together = (
        held("sushi_go", ("greedy", "random"), deals=300, jobs=jobs, test=test)
        for jobs, test in zip((1, 2), tests, strict=True)
    )
    assert alone.units == together.units
    verdict = tests[0].verdict()
    assert verdict == tests[1].verdict()
    assert verdict.decided == "better"
    assert verdict.units == len(alone.units) < 300
    assert sum(own.decisions for own in alone.think_time) == sum(own.decisions for own in together.think_time)
    said = sentences(findings_of(alone, 1, tests[0]))
    assert said[0].startswith("greedy is better than random")
    assert f"after {verdict.units:,} deals" in said[0]


def test_what_is_not_certain_is_said_with_what_it_would_take(held):
    found = findings_of(held("sushi_go", ("random", "random:iterations=9"), deals=20), 1)
    said = sentences(found)
    assert said[0] == "It is not yet certain that any bot is better than another."
    assert "not known yet" in said[1]
    assert any("deals" in line for line in said[1:])


def test_without_openskill_the_rest_is_said(held, monkeypatch):
    played = held("sushi_go", ("greedy", "random"), deals=3)
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(MissingExtraError, match="pip install"):
        rate(2, played.units, 1)
    found = findings_of(played, 1)
    assert not found.ratings
    assert ".[rating]" in found.why_no_ratings
    assert ".[rating]" in report(Study("title", "rules", 1, "again"), found)


def test_a_move_that_is_not_legal_is_not_played(held, monkeypatch):
    monkeypatch.setattr(FirstMove, "decide", lambda *_: Decision((10**6,)))
    monkeypatch.setattr(SeatedBot, "of", classmethod(lambda cls, text, key, **_: cls(FirstMove(), key)))
    with pytest.raises(BotError, match="not legal"):
        held("sushi_go", ("first", "second"), deals=1)


def test_fewest_points_may_win(held):
    """If the fewest points win, margins are negated: the winner is ahead."""
    played = held("fewest.yaml", ("greedy", "random"), deals=4)
    for unit in played.units:
        for game in unit.games:
            assert max(game.points) <= 0
            assert all(game.points[seat] == max(game.points) for seat in game.winners)


def test_the_report_needs_nothing_else(held):
    page = report(
        Study("a <title>", "rules", 1, "again"),
        findings_of(held("sushi_go", ("greedy", "random"), deals=5, mirrors=(0,)), 1),
    )
    assert "http" not in page
    assert "src=" not in page
    assert "<script" not in page
    assert page.count('class="plot"') == 3
    assert "&lt;title&gt;" in page
    assert 'class="more' in page
