"""What takes long shows how far it is: in place on a terminal, in one line where nobody watches."""

from __future__ import annotations

import io
import time
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from draftengine.api.ruleset import load
from draftengine.cli import progress
from draftengine.cli.progress import ProgressLine
from draftengine.simulate import engines
from draftengine.simulate.run import Progress, simulate
from draftengine.simulate.task import Task


class Screen(io.StringIO):
    watched = True

    def isatty(self):
        return self.watched


@pytest.fixture
def screen(monkeypatch):
    found = Screen()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=found))
    monkeypatch.setattr(progress, "_TICK", 0.01)
    return found


def test_seconds_are_counted_on_a_terminal(screen):
    with ProgressLine().ticking("Compiling", 0.02):
        time.sleep(0.1)
    lines = screen.getvalue().split("\r\x1b[K")[1:]
    assert lines[0] == "░░░░░░░░░░░░░░░░░░░░ Compiling: 0:00 of about 0:00 minutes"
    assert any(line.startswith("██████████") for line in lines)
    assert "minutes by now" in lines[-2]
    assert lines[-1] == ""


def test_one_line_where_nobody_watches(screen):
    screen.watched = False
    with ProgressLine().ticking("Compiling", 150):
        time.sleep(0.05)
    assert screen.getvalue() == "Compiling, which takes about 2:30 minutes.\n"


def test_nothing_if_that_is_wished(screen):
    with ProgressLine(quiet=True).ticking("Compiling", 150):
        time.sleep(0.05)
    assert screen.getvalue() == ""


@pytest.mark.parametrize(("seconds", "engine"), [(20, "reference"), (2000, "kernel")])
def test_nothing_is_compiled_if_all_games_are_played_sooner(monkeypatch, seconds, engine):
    """Finding A6: it took four minutes to compile for games that the reference engine plays in half a minute."""
    warmed = []
    monkeypatch.setattr(engines, "is_ready", lambda: False)
    monkeypatch.setattr(engines, "why_not_kernel", lambda *_: "")
    monkeypatch.setattr(engines, "seconds_without", lambda *_: seconds)
    monkeypatch.setattr(engines, "player_of", lambda *_, **__: SimpleNamespace(warm_up=lambda: warmed.append(True)))
    game = load("sushi_go", players=2)
    found = engines.engine_for("auto", game, ("random", "random"), 500_000, lambda _: None, nullcontext)
    assert found == engine
    assert bool(warmed) == (engine == "kernel")


def test_how_long_the_reference_engine_takes_is_measured():
    game = load("sushi_go", players=2)
    few, many = (engines.seconds_without(game, ("random", "random"), games) for games in (1000, 100_000))
    assert 10 < many / few < 1000


def test_a_line_is_there_before_the_first_game(screen):
    """Bots that think long play the first game for a while."""
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
