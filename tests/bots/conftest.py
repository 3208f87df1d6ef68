"""Bots that compile nothing and learn nothing: what they know of cards is made up."""

from __future__ import annotations

import pytest

from bots import quick
from draftengine.bots import table
from draftengine.bots.search import bot as search
from draftengine.bots.worth import tables
from draftengine.engine.plan import limits


@pytest.fixture(autouse=True)
def cache_folder(monkeypatch, tmp_path):
    """Nothing that was learnt before is known, and nothing is kept in the user's folder; no tables are shipped."""
    folder = tmp_path / "caches"
    folder.mkdir()
    monkeypatch.setattr(tables, "_known", {})
    monkeypatch.setattr(tables, "_borrowed", {})
    monkeypatch.setattr(tables, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setattr(tables, "_file", lambda program: folder / f"worth-{program.players}.table")
    return folder


@pytest.fixture
def uncompiled(monkeypatch):
    """Nothing is compiled, and nothing is ready."""
    monkeypatch.setattr(limits, "can_compile", lambda: False)
    monkeypatch.setattr(search, "can_compile", lambda: False)
    search._texts.cache_clear()


@pytest.fixture
def guessing(monkeypatch, uncompiled):
    """Bots know made-up worths."""
    for module in (search, table):
        monkeypatch.setattr(module, "at_hand", quick.guessed)


@pytest.fixture
def unlearned(monkeypatch, uncompiled):
    """Bots know of no card what it is worth later."""
    for module in (search, table):
        monkeypatch.setattr(module, "at_hand", quick.nothing)
