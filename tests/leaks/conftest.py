"""Fast advisers for the tests of leaks: they do not search, and their worth tables are invented."""

from __future__ import annotations

from random import Random

import pytest

from bots import quick
from draftengine.bots import hints, simple
from draftengine.bots.search import bot as search
from draftengine.bots.worth.learning import GRAIN, Learned
from draftengine.engine.plan.base import distinguishing_counters
from draftengine.engine.policies import Worth, size_of

GRAINS = Random("worths").choices([GRAIN * count for count in range(-48, 48)], k=997)


def made_up(program, told=None):
    """Return an invented worth table for a game, filled by repeating a list of values."""
    size = size_of(program)
    return Learned(
        Worth(program, distinguishing_counters(program), tuple((GRAINS * (size // len(GRAINS) + 1))[:size])), quick.LEAD
    )


@pytest.fixture(autouse=True)
def _quick_bots(monkeypatch):
    for adviser in ("ADVISER", "SLOW_ADVISER"):
        monkeypatch.setattr(hints, adviser, "greedy:aim=win")
    for module in (search, simple):
        monkeypatch.setattr(module, "at_hand", made_up)
    for module in (hints, search):
        monkeypatch.setattr(module, "can_compile", lambda: False)
