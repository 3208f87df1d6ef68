"""Bots that advise at once: whoever gives hints thinks for no time, and what cards are worth later is made up."""

from __future__ import annotations

import pytest

from bots import quick
from draftengine.bots import hints, search, table


@pytest.fixture(autouse=True)
def _quick_bots(monkeypatch):
    for adviser in ("ADVISER", "SLOW_ADVISER"):
        monkeypatch.setattr(hints, adviser, "greedy:aim=win")
    for module in (search, table):
        monkeypatch.setattr(module, "at_hand", quick.guessed)
    for module in (hints, search):
        monkeypatch.setattr(module, "can_compile", lambda: False)
