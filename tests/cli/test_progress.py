"""What takes long shows how far it is: in place on a terminal, in one line where nobody watches."""

from __future__ import annotations

import io
import time
from types import SimpleNamespace

import pytest

from draftengine.cli import progress, simulating
from draftengine.cli.progress import ProgressLine
from draftengine.kernel import cache


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
    from draftengine.api.ruleset import load

    warmed = []
    monkeypatch.setattr(cache, "is_warm", lambda: False)
    monkeypatch.setattr("draftengine.kernel.is_installed", lambda: True)
    monkeypatch.setattr("draftengine.simulate.playing.why_not_kernel", lambda *_: "")
    monkeypatch.setattr(simulating, "_seconds_without", lambda *_: seconds)
    monkeypatch.setattr(
        "draftengine.simulate.playing.player_of",
        lambda *_, **__: type("Warmed", (), {"warm_up": lambda _: warmed.append(True)})(),
    )
    game = load("sushi_go", players=2)
    assert simulating._engine("auto", game.program, ("random", "random"), 500_000) == engine
    assert bool(warmed) == (engine == "kernel")


def test_how_long_the_reference_engine_takes_is_measured():
    from draftengine.api.ruleset import load

    game = load("sushi_go", players=2)
    few, many = (simulating._seconds_without(game.program, ("random", "random"), games) for games in (1000, 100_000))
    assert 20 < many / few < 500
