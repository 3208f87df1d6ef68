"""What can be wrong with a game that somebody asks for."""

from __future__ import annotations

from draftengine.engine.moves import IllegalMove
from draftengine.engine.position import UnknownNameError, WrongPositionError

__all__ = ["IllegalMove", "SelectionError", "UnknownNameError", "WrongPositionError"]


class SelectionError(ValueError):
    """A game that cannot be played as it was asked for: an unknown variant, too many players. The message says why."""
