"""Fixtures of all tests of the full screen."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _quick_adviser(monkeypatch):
    """Replace the adviser of hints by a quick one."""
    for adviser in ("ADVISER", "SLOW_ADVISER"):
        monkeypatch.setattr(f"draftengine.bots.hints.{adviser}", "greedy:aim=win")
