"""A command resolves its card set once, and compiles its game once."""

from __future__ import annotations

from collections import Counter

import pytest

from draftengine.api import game as api_game
from draftengine.apps.cli.main import program
from draftengine.model import library
from draftengine.model.selection import game

TABLES = '{"tables": [["tempura", "tempura"], ["pudding"]]}'


@pytest.fixture
def counted(monkeypatch, tmp_path):
    """Count how often card sets are merged, built and compiled, with empty caches as in a new process."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    library._opened.cache_clear()
    found = Counter()

    def count(room, name):
        real = getattr(room, name)

        def counting(*arguments):
            found[name] += 1
            return real(*arguments)

        monkeypatch.setattr(room, name, counting)

    for room, name in ((game, "resolve_tree"), (game, "model_of"), (api_game, "compile_game")):
        count(room, name)
    return found


@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "anniversary", "--auto", "--seed", "1", "--variant", "mochi", "--level", "greedy"],
        ["score", "sushi_go", "--input", "tables.yaml", "--players", "2"],
        ["show", "anniversary"],
        ["simulate", "sushi_go", "-n", "3", "--bots", "random", "--players", "2", "--draft"],
        ["arena", "sushi_go", "--bots", "random,greedy", "-n", "2", "--players", "2", "--quiet"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_everything_once(counted, arguments, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tables.yaml").write_text(TABLES, encoding="utf-8")
    assert program(arguments[0])(arguments, standalone_mode=False) == 0
    assert counted == {"resolve_tree": 1, "model_of": 1, "compile_game": 1}


def test_both_sides_of_a_comparison_once(counted):
    arguments = ["compare", "sushi_go", "--variant-b", "pass_both_ways", "-n", "2", "-p", "2", "--bots", "random"]
    assert program("compare")(arguments, standalone_mode=False) == 0
    assert counted == {"resolve_tree": 2, "model_of": 2, "compile_game": 2}
