"""A game is a function of card set, variants, players, seed and moves, on every machine.

``traces.json`` holds hashes of whole games. A change of one means that seeds deal other games than people have saved
and published: it needs a line in the changelog. `engine.frozen` says how traces are written again.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import NIGHTLY
from draftengine.api.canonical import digest
from draftengine.api.moves import named
from draftengine.engine.moves import choice_of
from draftengine.engine.policies import random_game
from engine import frozen, gates
from engine.configurations import ENTERING, EVERY, ONE_OF_EACH, PAIRWISE

ROOT = Path(__file__).parents[2]
TRACES = Path(__file__).parent / "traces.json"
SEEDS, SOME = (1_000, ONE_OF_EACH) if NIGHTLY else (2, ONE_OF_EACH[::5])
"""Number of games of one configuration of each family by night, and of every fifth by day."""


def trace(configuration, seed):
    """Return a hash of all moves, events and states of a game, by name."""
    found = hashlib.sha256()
    for before, seat, move, state, events in gates.steps(configuration.program, seed):
        name = named(configuration.program, choice_of(before), move).to_json() if seat >= 0 else None
        found.update(f"{seat} {json.dumps(name)} {digest(state)} {gates.story_for(events, 0)}".encode())
    return found.hexdigest()


def story(configuration, seed):
    """Return a hash of all events of a game and its final state."""
    told = []
    end = random_game(configuration.program, seed, tell=told.append)
    return hashlib.sha256(f"{gates.story_for(told, 0)} {digest(end)}".encode()).hexdigest()


def stories():
    """Return hashes of many games of some families, by configuration."""
    return {str(own): [story(own, seed) for seed in range(SEEDS)] for own in SOME}


def write(kept):
    """Write the traces in the order of configurations."""
    in_order = {str(own): kept[str(own)] for own in EVERY if str(own) in kept}
    TRACES.write_text(json.dumps(in_order, indent=1) + "\n", encoding="utf-8")


def test_frozen_games():
    """Check that seeds deal the games that they always did: one move by move, and one playout."""
    found = {str(own): [trace(own, 7), digest(random_game(own.program, 7, 3))] for own in ENTERING}
    frozen.hold(found, json.loads(TRACES.read_text(encoding="utf-8")), write)


def test_every_configuration_has_a_trace():
    """Check that every configuration has a trace, including those that are not played by day."""
    assert list(json.loads(TRACES.read_text(encoding="utf-8"))) == [*map(str, EVERY)]


@pytest.mark.parametrize("asked", ["", "1", "sushi_go-2p", "sushi_go-*"])
def test_what_is_frozen_is_written_only_if_it_is_named(monkeypatch, asked):
    """Check that frozen files are written only if named, and always with a failure that says what changed."""
    monkeypatch.setenv("DRAFTENGINE_WRITE", asked)
    kept, written = {"sushi_go-2p": 1, "sushi_go-3p": 1, "anniversary-2p": 1}, []
    with pytest.raises(AssertionError, match="3 differ from what is frozen"):
        frozen.hold({**dict.fromkeys(kept, 2), "new": 1} | {"anniversary-2p": 1}, kept, written.append)
    expected = {
        "": None,
        "1": None,
        "sushi_go-2p": {"sushi_go-2p": 2},
        "sushi_go-*": {"sushi_go-2p": 2, "sushi_go-3p": 2},
    }
    assert written == ([kept | expected[asked]] if expected[asked] else [])


@pytest.mark.parametrize("configuration", PAIRWISE[::24], ids=str)
def test_a_trace_depends_on_the_seed(configuration):
    assert trace(configuration, 1) == trace(configuration, 1) != trace(configuration, 2)


def test_python_s_own_chance_has_no_part_in_it():
    """Check that a process with another hash seed plays equal games."""
    program = "import json; from engine.test_determinism import stories; print(json.dumps(stories()))"
    printed = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}"},
        capture_output=True,
        check=True,
    ).stdout
    assert json.loads(printed) == stories()
