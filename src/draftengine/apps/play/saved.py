"""A saved game, whatever version of the program wrote it, and what can be wrong with one."""

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
"""What every saved game says it is."""
OPEN, STOPPED, OVER = "open", "stopped", "over"
"""Is a game being played (or was cut off), was it put aside, or is it finished."""


class SaveError(ValueError):
    """A saved game that cannot be used. `code` says why, as a name; the message says it as a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Entry(Struct, frozen=True):
    """A move of a saved game."""

    seat: int
    move: Move
    state: str = ""
    """The hash of the state that it led to; empty where nobody looked."""


class Saved(Struct):
    """A game with what it was made from. `entries` are its moves as they were written, or will be."""

    rules: Ruleset
    session: Session
    start: str
    """The hash of the state before the first move."""
    entries: list[Entry]
    status: str = OPEN
    """What the file says about it."""

    @classmethod
    def of(cls, rules: Ruleset, session: Session) -> Saved:
        """A game that was not saved yet."""
        return cls(rules, session, session.game.start(session.seed).digest, [])

    def catch_up(self) -> int:
        """Make the entries those of the game as it stands; how many of them stay as they were."""
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
    """The rules of a saved game. Raises `SaveError`."""
    try:
        return rules_in_json(data)
    except (CardSetError, SelectionError) as error:
        message = f"This version of draftengine refuses the rules of the saved game: {error}"
        raise SaveError("other-rules", message) from error


def begun(rules: Ruleset, data: dict[str, Any]) -> Session:
    """The game of a file before its first move. Raises `SaveError`."""
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
    """Whatever does not fit together here is damage. Raises `SaveError`."""
    try:
        yield
    except SaveError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise SaveError("damaged-save", "The saved game is damaged: a part of it is missing or wrong.") from error
