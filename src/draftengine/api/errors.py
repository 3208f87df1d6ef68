"""What can be wrong with a game that somebody asks for."""

from __future__ import annotations


class SelectionError(ValueError):
    """A game that cannot be played as it was asked for: an unknown variant, too many players. The message says why."""


class RecordError(ValueError):
    """A record of a game that cannot be played again: it was damaged, or made under other rules."""
