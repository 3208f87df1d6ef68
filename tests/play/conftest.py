"""Shared fixtures: games to play at the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from draftengine.api.game import Game
from draftengine.api.ruleset import rules_named
from draftengine.apps.play.labels import Names
from draftengine.apps.play.session import Session
from draftengine.apps.play.terminal_style import Style


@pytest.fixture(autouse=True)
def _quick_adviser(monkeypatch):
    """Replace the adviser of hints by a greedy one, which is quick."""
    for adviser in ("ADVISER", "SLOW_ADVISER"):
        monkeypatch.setattr(f"draftengine.bots.hints.{adviser}", "greedy:aim=win")


class Table:
    """A game ready to be played: card set, selection and seats."""

    def __init__(self, cardset, seats, variants=()):
        self.rules = rules_named(cardset, variants)
        self.document, self.selection = self.rules.document, self.rules.selection
        self.seats = tuple(seats)
        self.game = self.rules.game(len(self.seats))
        self.program = self.game.program

    def session(self, seed=1):
        return Session.begin(self.game, self.seats, seed)

    def names(self, **style):
        return Names(self.game, self.seats, Style(**style))


def game_of(configuration):
    """Return the game of a configuration of the engine's tests."""
    return Game(None, configuration.program)


@pytest.fixture
def table():
    return Table


@pytest.fixture
def soups():
    return str(Path(__file__).parents[1] / "cli" / "soups.yaml")
