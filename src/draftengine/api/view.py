"""What one seat may know: all that a bot, a client or a person at a screen is ever given."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from draftengine.api.description import describe_seen
from draftengine.api.moves import Moves, move_from, named

if TYPE_CHECKING:
    from draftengine.api.game import Game
    from draftengine.api.moves import Move, Written
    from draftengine.engine.events import Event
    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.moves import Move as Codes
    from draftengine.engine.observe import Observation


class View:
    """What a seat may know at a moment, and nothing else. Seat -1 is a spectator.

    There is no way back to the state from it: what is not shown cannot be found out.
    """

    def __init__(self, game: Game, seen: Observation, events: tuple[Event, ...]) -> None:
        self.game = game
        self.seen = seen
        """The observation as the engine keeps it: for bots that look ahead."""
        self.events = events
        """What the seat was told since the state before."""

    def __repr__(self) -> str:
        return f"<View of seat {self.seat} in {self.game.id}: round {self.seen.round}, turn {self.seen.turn}>"

    @property
    def seat(self) -> int:
        """The seat that sees this; -1 = a spectator."""
        return self.seen.seat

    @property
    def over(self) -> bool:
        """Is the game finished."""
        return bool(self.seen.winners)

    @property
    def _choice(self) -> Choice | None:
        return cast("Choice", self.game.program.code[self.seen.decision]) if self.seen.pending else None

    def name(self, codes: Codes) -> Move:
        """A move of the engine by name."""
        choice = self._choice
        assert choice is not None, "there are moves only while seats have to choose"
        return named(self.game.program, choice, codes)

    @cached_property
    def moves(self) -> Moves:
        """The seat's legal moves; empty if it has nothing to choose."""
        return Moves(self.game.program, self._choice, self.seen.moves)

    def next(self, chosen: Written = ()) -> tuple[Move, ...]:
        """The moves that go on with what the seat has chosen so far by one card (see `Moves.next`)."""
        return self.moves.next(move_from(chosen))

    @property
    def committed(self) -> Move | None:
        """The seat's own commitment, as long as it waits for those of others."""
        return None if self.seen.committed is None else self.name(self.seen.committed)

    @cached_property
    def observation(self) -> dict[str, Any]:
        """Everything the seat may know, by name, as plain data. Its moves and events stand beside it."""
        return describe_seen(self.seen)
