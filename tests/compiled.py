"""Compiled games for tests that look into the engine."""

from __future__ import annotations

from draftengine.api.game import Ruleset


def load_program(document, selection, players):
    """Return the compiled game of a document. Raise what `Ruleset` and `Ruleset.game` raise."""
    return Ruleset(document, selection).game(players).program
