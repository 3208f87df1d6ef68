"""Bots that neither compile nor learn: the worth of cards is made up."""

from __future__ import annotations

import pytest

from bots import quick
from draftengine.bots import simple
from draftengine.bots.search import bot as search
from draftengine.bots.worth import tables
from draftengine.engine.plan import base


@pytest.fixture(autouse=True)
def cache_folder(monkeypatch, tmp_path):
    """Forget all learnt tables, ship none, and keep new ones in a temporary folder."""
    folder = tmp_path / "caches"
    folder.mkdir()
    monkeypatch.setattr(tables, "_known", {})
    monkeypatch.setattr(tables, "_borrowed", {})
    monkeypatch.setattr(tables, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setattr(tables, "_file", lambda program: folder / f"worth-{program.players}.table")
    return folder


@pytest.fixture
def uncompiled(monkeypatch):
    """Switch compiling off, and forget what was specialised."""
    monkeypatch.setattr(base, "can_compile", lambda: False)
    monkeypatch.setattr(search, "can_compile", lambda: False)
    search._texts.cache_clear()


@pytest.fixture
def guessing(monkeypatch, uncompiled):
    """Give bots made-up worth tables."""
    for module in (search, simple):
        monkeypatch.setattr(module, "at_hand", quick.guessed)


@pytest.fixture
def unlearned(monkeypatch, uncompiled):
    """Give bots worth tables that value every card at zero."""
    for module in (search, simple):
        monkeypatch.setattr(module, "at_hand", quick.nothing)
