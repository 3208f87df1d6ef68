"""A game is a function of card set, variants, players, seed and moves: on every machine, whatever Python's own chance.

``traces.json`` holds the hashes of whole games. A change of them is a change of the games that seeds deal, which people
have saved and published: it needs a line in the changelog. ``DRAFTENGINE_WRITE=1`` writes the file again.
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
from draftengine.api.description import digest
from draftengine.api.moves import named
from draftengine.engine.moves import choice_of
from draftengine.engine.playout import random_game
from engine import gates
from engine.configurations import CONFIGURATIONS

ROOT = Path(__file__).parents[2]
TRACES = Path(__file__).parent / "traces.json"
SEEDS = 1_000 if NIGHTLY else 2


def trace(configuration, seed):
    """A hash of everything that happens in a game, and of every state in it, all by name."""
    found = hashlib.sha256()
    for before, seat, move, state, events in gates.steps(configuration.program, seed):
        name = named(configuration.program, choice_of(before), move).to_json() if seat >= 0 else None
        found.update(f"{seat} {json.dumps(name)} {digest(state)} {gates.story_for(events, 0)}".encode())
    return found.hexdigest()


def traces():
    """Of one game of every configuration, and of quiet playouts."""
    return {
        str(configuration): [trace(configuration, 7), digest(random_game(configuration.program, 7, 3))]
        for configuration in CONFIGURATIONS
    }


def test_frozen_games():
    """The games that seeds have always dealt. A configuration without a trace is a failure."""
    found = traces()
    if os.environ.get("DRAFTENGINE_WRITE"):
        TRACES.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    assert json.loads(TRACES.read_text(encoding="utf-8")) == found


@pytest.mark.parametrize("configuration", CONFIGURATIONS[::5], ids=str)
def test_the_same_seed_is_the_same_game(configuration):
    for seed in range(SEEDS):
        assert trace(configuration, seed) == trace(configuration, seed)
    assert trace(configuration, 1) != trace(configuration, 2)


def test_python_s_own_chance_has_no_part_in_it():
    """Other processes with other hash seeds play the same games."""
    program = "import json; from engine.test_determinism import CONFIGURATIONS, trace; "
    program += "print(json.dumps([trace(own, 7) for own in CONFIGURATIONS[::6]]))"
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert [json.loads(own) for own in printed] == [[trace(own, 7) for own in CONFIGURATIONS[::6]]]
