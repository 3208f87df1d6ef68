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
    """An error in a text that names a bot, or in a bot that plays. The message may suggest a name."""


class Budget(Struct, frozen=True):
    """Limits for one decision. 0 means no limit. The first limit that is reached ends the decision."""

    iterations: int = 0
    """The number of iterations.

    If this is the only limit, a decision depends only on the observation and the stream.
    """
    milliseconds: int = 0


class ScoredMove(Struct, frozen=True):
    """A bot's opinion of one legal move."""

    move: Move
    value: float
    """The value in the unit of `Decision.unit`."""
    weight: float = 0.0
    """The share of the bot's iterations that went to this move, from 0 to 1."""


class Decision(Struct, frozen=True):
    """A move, and the moves with which it was compared."""

    move: Move
    considered: tuple[ScoredMove, ...] = ()
    """Legal moves that the bot compared, best first; empty if the bot compares none."""
    unit: str = ""
    """The unit of the values.

    ``gain`` is immediate points; ``margin`` is the expected difference to the best opponent, in points.
    """
    iterations: int = 0
    """The number of iterations that the bot completed."""


class Bot(Protocol):
    """Protocol of everything that can play for a seat."""

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """Return one of ``seen.moves``. All randomness comes from the stream."""
        ...


class NamedBot(Protocol):
    """Protocol of a bot that can be named by a text, as in `draftengine.bots.public.PublicBot`."""

    text: str
