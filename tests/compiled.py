"""Compiled games for tests that look into the engine."""

from __future__ import annotations

from draftengine.api.ruleset import Ruleset


def load_program(document, selection, players):
    """The compiled game of a document. Raises as `Ruleset` and `Ruleset.game` do."""
    return Ruleset(document, selection).game(players).program
