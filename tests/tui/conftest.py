"""What all tests of the table share."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _quick_adviser(monkeypatch):
    """Whoever advises thinks for no time."""
    for adviser in ("ADVISER", "SLOW_ADVISER"):
        monkeypatch.setattr(f"draftengine.bots.hints.hints.{adviser}", "greedy:aim=win")
