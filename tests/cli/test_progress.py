"""Progress of long work: updated in place on a terminal, and not shown elsewhere."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest

from draftengine.api.ruleset import load
from draftengine.apps.cli import preparing
from draftengine.apps.cli.preparing import ProgressLine
from draftengine.studies.runner import Progress, engines
from draftengine.studies.runner.engines import PreparationProgress, seconds_of
from draftengine.studies.runner.playing import Task
from draftengine.studies.simulation import simulate


class Screen(io.StringIO):
    watched = True

    def isatty(self):
        return self.watched


@pytest.fixture
def screen(monkeypatch):
    found = Screen()
    monkeypatch.setattr(preparing, "sys", SimpleNamespace(stderr=found))
    return found


def test_a_line_is_written_over(screen, monkeypatch):
    """Check that a shorter line erases a longer one, that long ones are cut, and nothing unseen is erased."""
    monkeypatch.setenv("COLUMNS", "10")
    line = ProgressLine()
    line.clear()
    assert screen.getvalue() == ""
    for text in ("one two three", "four", ""):
        line.say(text)
    assert screen.getvalue() == "\rone two t\rfour     \r    \r"


def test_nothing_where_nobody_watches(screen):
    screen.watched = False
    ProgressLine().show(Progress(0, 500, 0.0, 0.0))
    assert screen.getvalue() == ""


def test_nothing_if_that_is_wished(screen):
    ProgressLine(quiet=True).show(Progress(0, 500, 0.0, 0.0))
    assert screen.getvalue() == ""


TOLD = PreparationProgress(note=lambda _: None, learn=lambda *_: None)


@pytest.mark.parametrize(("games", "engine"), [(20, "reference"), (20_000, "compiled")])
def test_nothing_is_compiled_if_all_games_are_played_sooner(monkeypatch, games, engine):
    """Check that nothing is compiled if playing all games takes less time (finding A6)."""
    monkeypatch.setattr(engines, "why_not_compiled", lambda *_: "")
    game = load("sushi_go", players=2)
    assert engines.to_simulate("auto", game, ("random", "random"), games, 1, TOLD).engine == engine


def test_of_several_forms_it_is_said_once_why_they_are_slow(monkeypatch):
    noted = []
    monkeypatch.setattr(engines, "why_not_compiled", lambda *_: "it is too large")
    games = [load("sushi_go", players=2), load("sushi_go_2014", players=2)]
    told = PreparationProgress(note=noted.append, learn=lambda *_: None)
    ready = engines.to_simulate_each("auto", games, ("random", "random"), 100, 1, told)
    assert [own.engine for own in ready] == ["reference", "reference"]
    assert [*map(str, noted)] == ["Playing without compiling, which is slower: it is too large."]


def test_who_looks_ahead_takes_as_much_longer_as_it_makes_playouts():
    program = load("sushi_go", players=2).program
    quick, slow, slower = (seconds_of(program, (name,) * 2) for name in ("random", "search", "search:iterations=1000"))
    assert 0 < quick < slow / 20
    assert 3 < slower / slow < 30


def test_a_line_is_there_before_the_first_game(screen):
    """Check that a line appears before the first game, which slow bots play for a while."""
    line = ProgressLine()
    line.show(Progress(0, 500, 0.0, 0.0))
    assert screen.getvalue().endswith("░   0%  0 of 500 games  …")
    line.show(Progress(500, 500, 40.0, 0.0))
    assert screen.getvalue().endswith("█ 100%  500 of 500 games  40 a second  0:00 left")


def test_progress_is_told_at_once_and_at_the_end():
    told = []
    task = Task(load("sushi_go", players=2), ("random", "random"), 1, 0, 50, "reference")
    simulate(task, tell=told.append)
    assert told[0] == Progress(0, 50, 0.0, 0.0)
    assert told[1].games == 2
    assert told[-1].games == 50
