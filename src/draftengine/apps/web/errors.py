"""What a table or the server refuses, by name."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

REASONS = MappingProxyType(
    {
        "bad-message": "This message has a form that the server does not know.",
        "bad-version": "This page is of another version: load it again.",
        "no-such-table": "There is no such table.",
        "no-such-set": "There is no such card set here.",
        "no-uploads": "This server plays its own card sets alone.",
        "wrong-card-set": "There is something wrong with the card set.",
        "no-such-game": "There is no such game.",
        "held-elsewhere": "Another process is serving this table.",
        "lost-table": "Another process has taken this table over.",
        "other-rules": "This version of draftengine cannot go on with this table.",
        "damaged": "What was kept of this is damaged: its beginning cannot be read any more.",
        "wrong-token": "This link does not belong to a seat of this table.",
        "not-yours": "Only whoever sits there may do that.",
        "bot-plays": "A bot plays here for you: open the table again to play on yourself.",
        "not-the-host": "Only the host may do that.",
        "seat-taken": "Somebody sits there already.",
        "table-full": "There is no free seat.",
        "not-started": "The game has not begun.",
        "already-started": "The game has begun.",
        "not-over": "The game is not over.",
        "game-over": "The game is over.",
        "late": "This choice is over.",
        "not-your-turn": "You have nothing to choose now.",
        "illegal-move": "This move is not allowed.",
        "nothing-to-take-back": "There is nothing to take back.",
        "somebody-is-there": "Somebody is playing there.",
        "hints-are-off": "There are no hints at this table.",
        "cannot-be-played": "This cannot be played.",
        "too-many": "There are too many tables: try again later.",
        "too-fast": "Too many messages: wait a moment.",
        "too-often": "This was changed too often: go on with the game first.",
        "too-large": "This is larger than the server takes.",
        "too-slow": "This came too slowly: try again.",
        "too-many-here": "There are too many connections from your network: close other pages and try again.",
        "busy": "The server has much to do: try again in a moment.",
        "takes-too-long": "This takes too long to work out, and was given up.",
        "went-wrong": "This went wrong on the server: nothing has happened.",
        "not-saved": "The disk refuses to keep this: nothing has happened.",
    }
)
"""Why something is refused: a closed list, each with its sentence."""


class RefusedError(Exception):
    """Something is refused, and nothing has changed. `code` is one of `REASONS`."""

    def __init__(self, code: str, message: str = "") -> None:
        self.code = code
        self.message = message or REASONS[code]
        super().__init__(self.message)

    @property
    def answer(self) -> dict[str, str]:
        """The answer to a request that is refused."""
        return {"error": self.code, "message": self.message}

    def message_for(self, key: Any) -> dict[str, Any]:
        """Return the message to a page whose request with this key is refused."""
        return {"type": "refused", "key": key, "code": self.code, "message": self.message}

    def __reduce__(self) -> tuple[Any, ...]:
        return RefusedError, (self.code, self.message)
