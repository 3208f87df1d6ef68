"""Games to play with."""

from __future__ import annotations

from pathlib import Path

import pytest

from draftengine.cardset.resolve import NOTHING_SELECTED, parse_selection
from draftengine.library import load_program, open_set
from draftengine.play.names import Names
from draftengine.play.session import Session
from draftengine.play.style import Style


@pytest.fixture(autouse=True)
def _unprepared(monkeypatch):
    """Whoever advises is the bot that needs no preparation, whatever was learnt on this machine."""
    monkeypatch.setattr("draftengine.play.advice.is_prepared", lambda _: False)


class Table:
    """A game ready to be played: card set, selection, seats."""

    def __init__(self, cardset, seats, variants=()):
        self.document = open_set(cardset).document
        self.selection = parse_selection(variants) if variants else NOTHING_SELECTED
        self.seats = tuple(seats)
        self.program = load_program(self.document, self.selection, len(self.seats))

    def session(self, seed=1):
        return Session.begin(self.program, self.seats, seed)

    def names(self, **style):
        return Names(self.program, self.seats, Style(**style))


@pytest.fixture
def table():
    return Table


@pytest.fixture
def soups():
    return str(Path(__file__).parents[1] / "cli" / "soups.yaml")
