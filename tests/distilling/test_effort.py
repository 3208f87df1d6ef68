"""The effort of learning: bounded for every game, and counted without a clock."""

from __future__ import annotations

import pytest

import draftengine as de
from draftengine.bots.net.kept import Setting
from draftengine.studies import distilling
from draftengine.studies.distilling import FAMILY, FEWEST, ITERATIONS, POSITIONS, Effort
from draftengine.studies.distilling.training import Lesson


@pytest.fixture
def lessons(monkeypatch):
    """Let teachers give one empty lesson a game; return the playouts of each lesson, by number of players."""
    given = {}

    class Idle:
        inputs = None

        def __init__(self, program, iterations):
            self.given = given[program.players] = []
            self.iterations = iterations

        def lessons(self, game):
            self.given.append(self.iterations)
            return [Lesson(game, b"", b"", [], [], 0.0)]

    monkeypatch.setattr(distilling, "Teacher", Idle)
    return given


def test_effort_grows_with_playouts_rounds_seats_and_rules():
    """Check that playouts end with the round; those of four seats after the 100th end with the game."""
    two, four = (Effort(de.load("sushi_go", players=players).program) for players in (2, 4))
    assert (two.choices, four.choices) == (3 * 10 * 2, 3 * 8 * 4)
    assert two.of(200) == 200 * two.of(1)
    assert four.of(101) - four.of(100) == 3 * four.of(1)
    assert four.of(1) / two.of(1) == pytest.approx(four.choices / two.choices * 6 / 4)
    many_rules = Effort(de.load("point_salad", players=2).program)
    assert many_rules.of(1) / many_rules.choices > 5 * 3 * two.of(1) / two.choices


@pytest.mark.parametrize("iterations", [1, 99, 100, 101, 300])
def test_iterations_are_the_most_that_an_effort_allows(iterations):
    effort = Effort(de.load("sushi_go", players=3).program)
    assert effort.iterations_for(effort.of(iterations)) == iterations
    assert effort.iterations_for(effort.of(iterations) - 1) == iterations - 1


def test_costly_games_have_fewer_playouts_then_fewer_positions(lessons, monkeypatch):
    game = de.load("sushi_go", players=2)
    usual = Effort(game.program).of(ITERATIONS) * 50
    for eighths, taught in ((8, [ITERATIONS] * 50), (7, [350] * 50), (3, [FEWEST] * 25)):
        monkeypatch.setattr(distilling, "LESSONS", usual * eighths // 8)
        distilling.taught(game, 50)
        assert lessons[2] == taught


def test_all_lessons_of_a_long_game_stay_bounded(lessons):
    """Check that a long game of ten players has as many lessons as the limit allows."""
    game = de.load("six_nimmt", players=10)
    distilling.taught(game, POSITIONS)
    effort = Effort(game.program)
    assert 1000 < len(lessons[10]) < POSITIONS
    assert sum(map(effort.of, lessons[10])) == pytest.approx(distilling.LESSONS, rel=0.01)


def test_costly_searches_are_no_levels(monkeypatch):
    asked = []
    monkeypatch.setattr(distilling, "odds", lambda _game, _deals, player, _other: asked.append(player) or 1.5)
    game = de.load("sushi_go", players=2)
    distilling.levels_of(game)
    assert asked[0] == FAMILY[-1]
    monkeypatch.setattr(distilling, "DECISION", Effort(game.program).of(20))
    asked.clear()
    distilling.levels_of(game)
    assert max(player.iterations for player in asked) == 16


@pytest.mark.parametrize(("name", "players", "games"), [("sushi_go", 2, 200), ("ohanami", 4, 48)])
def test_odds_are_measured_in_fewer_games_if_they_are_long(monkeypatch, name, players, games):
    played = set()

    def even(game, deals, _player, _other):
        played.add(deals * game.players)
        return 1.5

    monkeypatch.setattr(distilling, "odds", even)
    distilling.levels_of(de.load(name, players=players))
    assert played == {games}


def test_clear_odds_are_soon_measured(monkeypatch):
    """Check that a quarter of the deals shows that a player who wins every game is more than a step ahead."""
    games, hold = [], distilling.hold
    monkeypatch.setattr(distilling, "hold", lambda match: games.append(match.last - match.first) or hold(match))
    monkeypatch.setattr(distilling, "_text", lambda player: "table" if player.noise else "random")
    game = de.load("sushi_go", players=2)
    assert distilling.odds(game, 60, Setting(noise=1), None) > 2 * distilling.STEP
    assert games == [15]
    assert distilling.odds(game, 8, Setting(), None) < distilling.STEP
    assert sum(games[1:]) <= 8
