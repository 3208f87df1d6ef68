"""Errors for wrong arguments, names and selections."""

from __future__ import annotations

from draftengine.engine.moves import IllegalMove
from draftengine.engine.position import UnknownNameError, WrongPositionError

__all__ = [
    "IllegalMove", "NotInGameError", "SelectionError", "UnknownNameError", "WrongArgumentError", "WrongPositionError",
]  # fmt: skip


class SelectionError(ValueError):
    """A selection or number of players that cannot be played. The message says why.

    `names` are the names and options at fault.
    """

    def __init__(self, message: str, *names: str) -> None:
        super().__init__(message)
        self.names = names


class NotInGameError(LookupError):
    """A seat, card, rule or moment that the game does not have. The message lists those that exist."""


class WrongArgumentError(TypeError, ValueError):
    """A wrong type or value of an argument. The message says what the function accepts."""
