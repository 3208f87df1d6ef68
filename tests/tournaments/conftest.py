"""Fixtures for small tournaments."""

from __future__ import annotations

from pathlib import Path

import pytest

from draftengine.api.ruleset import load
from draftengine.studies.arena import Match, estimates, hold, pairings

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def _quick_intervals(monkeypatch):
    """Compute ratings with as few resamples as possible."""
    monkeypatch.setattr(estimates, "_WORK", 0)


@pytest.fixture
def match_of():
    """Return a function that sets up a match: ``match_of("sushi_go", ("greedy", "random"), deals=20)``."""

    def make(cardset, bots, *, players=2, deals=20, mirrors=(), seed="arena", variants=()):
        game = load(str(HERE / cardset) if cardset.endswith(".yaml") else cardset, players, variants)
        meet = pairings(len(bots), players, mirrors)
        return Match(game, tuple(bots), meet, seed, 0, deals * len(meet))

    return make


@pytest.fixture
def held(match_of):
    """Return a function that plays a match and returns its result."""

    def play(*arguments, jobs=1, test=None, **more):
        return hold(match_of(*arguments, **more), jobs=jobs, test=test)

    return play
