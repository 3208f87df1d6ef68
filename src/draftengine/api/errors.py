"""What can be wrong with what somebody asks of a game."""

from __future__ import annotations

from draftengine.engine.moves import IllegalMove
from draftengine.engine.position import UnknownNameError, WrongPositionError

__all__ = [
    "IllegalMove", "NotInGameError", "SelectionError", "UnknownNameError", "WrongArgumentError", "WrongPositionError",
]  # fmt: skip


class SelectionError(ValueError):
    """A game that cannot be played as it was asked for: an unknown variant, too many players. The message says why.

    `names` are the names and options that it is about.
    """

    def __init__(self, message: str, *names: str) -> None:
        super().__init__(message)
        self.names = names


class NotInGameError(LookupError):
    """A seat, card, rule or moment that the game does not have. The message says which it has."""


class WrongArgumentError(TypeError, ValueError):
    """A function was given something that it does not take. The message says what it takes."""
