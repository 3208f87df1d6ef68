"""Worths of cards: exact where points are a sum over cards, and equal in every engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from draftengine import load
from draftengine.studies.runner.playing import Task, play_chunk
from draftengine.studies.simulation import Worths, simulate

COINS = str(Path(__file__).parent / "coins.yaml")
MARKET = """format: 1
id: market
title: Market
version: 1.0.0
players: 3
rounds: 1
cards:
  plum: {count: 12}
  fig: {count: 12}
  lime: {count: 6}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 5}
  - repeat:
      until_empty: hand
      do:
        - choose: {from: hand, to: tableau}
        - pass: {zone: hand, to: left}
  - score: round
scoring:
  plum: {kind: each, of: plum, points: 3}
  fig: {kind: each, of: fig, points: 1}
  lime: {kind: each, of: lime, points: -4}
winner: {order: most}
"""


def worths_of(game, games, bots="random", engine="reference"):
    """Return the worth of each play, by name."""
    found = Worths(game.program)
    task = Task(game, (bots,) * game.players, 5, 0, games, engine, logged=True, copies=True)
    simulate(task, keep=lambda chunk: found.add(chunk.first, chunk.rows))
    return dict(zip((own.name for own in game.program.plays), found.found(), strict=True))


def test_where_all_play_the_same_no_card_is_worth_more(tmp_path):
    """If all seats play the same cards, each card is worth 0, and nothing fails."""
    path = tmp_path / "alike.yaml"
    path.write_text(
        "{format: 1, id: alike, title: Alike, version: 1.0.0, players: 2, rounds: 1,"
        " zones: {bag: {per: table, seen_by: nobody}},"
        " cards: {soup: {count: 4}, bread: {count: 4, starts_in: bag}}, setup: [{shuffle: deck}],"
        " round: [{deal: {to: hand, cards: 1}}, {deal: {from: bag, to: hand, cards: 1}},"
        " {repeat: {until_empty: hand, do: [{choose: {to: tableau}}]}}, {score: round}],"
        " scoring: {soup: {kind: each, of: soup, points: 2}}, winner: {order: most}}"
    )
    assert {worth[0] for worth in worths_of(load(str(path)), 200).values()} == {0}


@pytest.fixture(scope="module")
def market(tmp_path_factory):
    path = tmp_path_factory.mktemp("market") / "market.yaml"
    path.write_text(MARKET, encoding="utf-8")
    return load(str(path))


def test_where_points_are_a_sum_the_worth_of_each_card_is_known(market):
    """Differences of worths equal those of the rules, almost exactly, and an average card is worth 0."""
    found = worths_of(market, 200)
    plum, fig, lime = (found[name] for name in ("plum", "fig", "lime"))
    assert plum[0] - fig[0] == pytest.approx(2, abs=1e-4)
    assert fig[0] - lime[0] == pytest.approx(5, abs=1e-4)
    assert all(high - low < 0.3 for _, low, high in (plum, fig, lime))
    assert min(plum[0], lime[0]) < 0 < max(plum[0], lime[0])


def test_what_has_nothing_to_do_with_a_card_is_not_held_against_it():
    """A gift to the first player does not bias the worth of cards: the interval contains the true worth."""
    found = worths_of(load(COINS, variants=["gift=3"]), 1500)
    value, low, high = found["coin"]
    assert low <= 1 <= high, (value, low, high)
    assert 0 < high - low < 1


def test_too_few_games_tell_nothing(market):
    assert set(worths_of(market, 60).values()) == {None}


@pytest.mark.parametrize("bots", ["random", "greedy"])
def test_rows_tell_the_same_plays_whatever_plays(bots):
    """Reference engine and kernel write equal rows, which count all plays of the log."""
    game = load("sushi_go", 3)
    seats = (bots,) * 3
    tasks = [Task(game, seats, 3, 0, 6, own, logged=True, rows=True, copies=True) for own in ("reference", "compiled")]
    one, other = map(play_chunk, tasks)
    assert one.rows == other.rows
    assert one.tally == other.tally
    width = game.program.seats * (1 + len(game.program.sources_of_points)) + 1
    played = [sum(row[width:]) for row in one.rows]
    assert min(played) >= 3 * 3 * 9
