"""Comparisons find what is known, and nothing where there is nothing."""

from html.parser import HTMLParser

import pytest

from draftengine.api.ruleset import load
from draftengine.simulate.compare import FEWEST_GAMES, Compared, Effect, compare, sentences
from draftengine.simulate.comparison_report import report
from draftengine.simulate.pairs import Pair
from draftengine.simulate.run import Work
from draftengine.simulate.task import Task


def form_of(cardset, players, games, bots=("random",), variants=(), seed="compared"):
    seats = tuple(bots[seat % len(bots)] for seat in range(players))
    return Task(load(cardset, players, variants), seats, seed, 0, games, "reference", logged=True, rows=True)


def effects_of(found, kind):
    return {own.name: own for own in found.effects if own.kind == kind}


def test_fewest_points_win_turns_the_order_round():
    """Ledger A-45: whoever plays best by points now plays worst."""
    bots = ("greedy", "random")
    found = compare(
        Pair(form_of("anniversary", 2, 200, bots), form_of("anniversary", 2, 200, bots, ["sushi_golf"])), precision=1e-9
    )
    wins = effects_of(found, "win")
    assert wins["0"].certain
    assert wins["0"].difference < -0.2
    assert wins["1"].difference > 0.2
    # The same games: not a point differs, only who wins by it.
    assert all(own.difference == 0 for own in found.effects if own.kind in {"score", "rule"})
    assert "seat 1 wins more often" in sentences(found, "plain", "golf")[0]


def test_second_place_after_a_tie():
    """Ledger O-17 and S-11: the summary pays the second place although the first is tied."""
    one, two = form_of("sushi_go", 5, 600), form_of("sushi_go_summary", 5, 600)
    found = compare(Pair(one, two), precision=1e-9)
    maki = effects_of(found, "rule")["maki"]
    assert maki.certain
    assert maki.difference > 0.1
    assert any(line.startswith("Maki gives more") for line in sentences(found, "a", "b"))


def test_nothing_differs_from_itself():
    found = compare(Pair(form_of("sushi_go", 3, 100), form_of("sushi_go", 3, 100)), precision=1e-9)
    assert not any(own.difference or own.certain for own in found.effects)
    assert sentences(found, "a", "b") == ["No difference between a and b was found in 100 games."]


def test_it_stops_when_it_knows_enough():
    pair = Pair(form_of("sushi_go", 2, 50_000), form_of("sushi_go", 2, 50_000, variants=["pass_both_ways"]))
    found = compare(pair, precision=0.05)
    assert found.precise
    assert 1000 <= found.games < 50_000
    assert found.games % FEWEST_GAMES == 0
    wins = effects_of(found, "win")
    assert all((own.ci95[1] - own.ci95[0]) / 2 <= 0.05 for own in wins.values())


def test_chunks_end_where_it_is_asked_whether_that_is_enough():
    """However quick the machine is, so that the same seed stops after the same games."""
    work = Work(5, 2500, "reference", lambda task: task, lambda first, last: (first, last), stretch=1000)
    assert [work.end(*own) for own in ((5, 300), (905, 300), (1005, 5000), (2405, 300))] == [305, 1005, 2005, 2500]


def test_how_much_may_change_although_nothing_is_certain():
    """The bound that is named holds every interval, not only its width."""
    effects = [
        Effect("win", "0", "Seat 0 wins", 0.5, 0.52, 0.02, (-0.01, 0.05), certain=False),
        Effect("score", "0", "Score of seat 0", 9, 8, -1, (-1.1, -0.9), certain=True),
    ]
    said = sentences(Compared(1000, effects, True, 1.0, False, [], []), "a", "b")[0]
    assert said == "Who wins does not change much: no seat gains or loses more than 5.00 points of percentage."


def test_jobs_change_nothing():
    pair = Pair(form_of("sushi_go", 2, 200), form_of("sushi_go_summary", 2, 200))
    assert compare(pair, precision=1e-9).effects == compare(pair, precision=1e-9, jobs=2).effects


def test_rules_and_seats_that_only_one_form_has():
    """A dummy is one seat more, and another dessert another rule."""
    pair = Pair(
        form_of("anniversary", 2, 60, variants=["mochi"]), form_of("anniversary", 2, 60, variants=["two_player_dummy"])
    )
    found = compare(pair, precision=1e-9)
    rules, wins = effects_of(found, "rule"), effects_of(found, "win")
    assert rules["mochi"].b == 0
    assert rules["strawberry"].a == 0
    assert wins["2"].a == 0


class _Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []
        self.links = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in {"src", "href"}]


def test_the_report_stands_alone():
    found = compare(Pair(form_of("sushi_go", 2, 60), form_of("sushi_go_summary", 2, 60)), precision=1e-9)
    page = _Page()
    page.feed(report(("<a>", "b & c"), found, 7))
    assert page.tags.count("svg") == 4
    assert not page.links
    assert "script" not in page.tags
    assert "a" not in page.tags


@pytest.mark.xdist_group("kernel")
def test_engines_change_nothing():
    from msgspec.structs import replace

    pair = Pair(form_of("sushi_go", 3, 80), form_of("sushi_go_summary", 3, 80))
    quick = Pair(replace(pair.a, engine="kernel"), replace(pair.b, engine="kernel"))
    assert compare(pair, precision=1e-9).effects == compare(quick, precision=1e-9).effects
