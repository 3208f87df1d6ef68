"""The bot protocol: a bot gets an observation, a random stream and a budget, never a state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from draftengine.support.locale.phrases import ReasonedError

if TYPE_CHECKING:
    from draftengine.engine.chance import Stream
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation


class BotError(ReasonedError, ValueError):
    """Error in the text of a seat, or of a bot that plays; it may suggest a name."""


class Budget(Struct, frozen=True):
    """Limits of the time for one decision, where 0 means no limit; the first one reached ends it."""

    iterations: int = 0
    """Iterations of the bot. With this limit alone a decision depends only on observation and stream."""
    milliseconds: int = 0


class ScoredMove(Struct, frozen=True):
    """A bot's opinion of one legal move."""

    move: Move
    value: float
    """Value in points (see `Decision.unit`)."""
    weight: float = 0.0
    """Share of the bot's iterations that this move got, from 0 to 1."""


class Decision(Struct, frozen=True):
    """A move, and the moves that it was compared with."""

    move: Move
    considered: tuple[ScoredMove, ...] = ()
    """Legal moves that the bot has compared, best first; empty if it compares none."""
    unit: str = ""
    """Unit of the values.

    ``gain`` is points at once; ``margin`` is the expected own points less those of the best opponent.
    """
    iterations: int = 0
    """Iterations that the bot has completed."""


class Bot(Protocol):
    """Protocol of everything that can take a seat."""

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """Return one of ``seen.moves``. All randomness comes from the stream."""
        ...


class NamedBot(Protocol):
    """Protocol of a bot that a text names, as `draftengine.bots.public.PublicBot`."""

    text: str
