"""Saved games of any version, and the errors that they can have."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.api.errors import SelectionError
from draftengine.api.moves import Move
from draftengine.api.ruleset import Ruleset, rules_in_json
from draftengine.apps.play.session import Session
from draftengine.bots import BotError
from draftengine.model.library.library import CardSetError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MARK = "draftengine saved game"
"""The mark that identifies a file as a saved game."""
OPEN, STOPPED, OVER = "open", "stopped", "over"
"""Status of a saved game: being played (or interrupted), put aside, or finished."""


class SaveError(ValueError):
    """Saved game that cannot be used: `code` names the reason, the message explains it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Entry(Struct, frozen=True):
    """Move of a saved game."""

    seat: int
    move: Move
    state: str = ""
    """The hash of the state after the move; empty if it was not stored."""


class Saved(Struct):
    """Game with its rules; `entries` are its moves as they are, or will be, in the file."""

    rules: Ruleset
    session: Session
    start: str
    """The hash of the state before the first move."""
    entries: list[Entry]
    status: str = OPEN
    """The status that the file gives."""

    @classmethod
    def of(cls, rules: Ruleset, session: Session) -> Saved:
        """Return a game that has not been saved yet."""
        return cls(rules, session, session.game.start(session.seed).digest, [])

    def catch_up(self) -> int:
        """Update the entries to the moves of the session. Return the number of entries that stayed."""
        moves = self.session.moves
        same = 0
        while same < min(len(moves), len(self.entries)) and _move_of(self.entries[same]) == moves[same]:
            same += 1
        del self.entries[same:]
        self.entries += [Entry(seat, move) for seat, move in moves[same:]]
        if len(self.entries) > same:
            seat, move = moves[-1]
            self.entries[-1] = Entry(seat, move, self.session.state.digest)
        return same


def _move_of(entry: Entry) -> tuple[int, Move]:
    return entry.seat, entry.move


def rules_in(data: dict[str, Any]) -> Ruleset:
    """Return the rules in the data of a saved game. Raises `SaveError`."""
    try:
        return rules_in_json(data)
    except (CardSetError, SelectionError) as error:
        message = f"This version of draftengine refuses the rules of the saved game: {error}"
        raise SaveError("other-rules", message) from error


def begun(rules: Ruleset, data: dict[str, Any]) -> Session:
    """Start the game of a file, without its moves. Raises `SaveError`."""
    seats: Sequence[str] = tuple(data["seats"])
    try:
        return Session.begin(rules.game(len(seats)), seats, data["seed"], tuple(data.get("names", ())))
    except (CardSetError, SelectionError) as error:
        message = f"This version of draftengine refuses the rules of the saved game: {error}"
        raise SaveError("other-rules", message) from error
    except BotError as error:
        raise SaveError("unknown-bot", f"A seat of the saved game cannot be taken: {error}") from error


@contextmanager
def named_damage() -> Iterator[None]:
    """Turn errors about data that does not fit into `SaveError`."""
    try:
        yield
    except SaveError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise SaveError("damaged-save", "The saved game is damaged: a part of it is missing or wrong.") from error
