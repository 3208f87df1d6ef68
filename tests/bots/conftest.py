"""Bots that compile nothing and learn nothing: what they know of cards is made up."""

from __future__ import annotations

import pytest

from bots import quick
from draftengine.bots import learning, search, sharing, table, tables
from draftengine.compiled.limits import UnsupportedError
from draftengine.searching import searcher


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
def by_reference(monkeypatch):
    """Nothing is specialised or compiled."""

    def refuse(*_given, **_named):
        raise UnsupportedError

    monkeypatch.setattr(searcher, "searcher_of", refuse)
    for module in (learning, sharing):
        monkeypatch.setattr(module, "learner_of", lambda _: None)
    search._compiler.cache_clear()


@pytest.fixture
def guessing(monkeypatch, by_reference):
    """Bots know made-up worths."""
    for module in (search, table):
        monkeypatch.setattr(module, "at_hand", quick.guessed)


@pytest.fixture
def unlearned(monkeypatch, by_reference):
    """Bots know of no card what it is worth later."""
    for module in (search, table):
        monkeypatch.setattr(module, "at_hand", quick.nothing)
