"""The bot protocol: an observation, a stream of chance and a budget in, a decision out; never a state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from draftengine.engine.chance import Stream
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation


class BotError(ValueError):
    """A seat that nobody can take as it is written: the message says why, and what could be meant."""


class Budget(Struct, frozen=True):
    """How long a bot may think about a decision; 0 = as long as it likes. What is reached first ends it."""

    iterations: int = 0
    """Of whatever the bot repeats. With this alone a decision is a function of the observation and the stream."""
    milliseconds: int = 0


class ScoredMove(Struct, frozen=True):
    """What a bot thinks of one legal move."""

    move: Move
    value: float
    """Points: see `Decision.unit`."""
    weight: float = 0.0
    """The share of its thoughts that the bot gave to this move: 0 to 1."""


class Decision(Struct, frozen=True):
    """A move and why."""

    move: Move
    considered: tuple[ScoredMove, ...] = ()
    """The legal moves that the bot has thought of, best first; empty if it compares none."""
    unit: str = ""
    """What the values are: ``gain`` (points at once) or ``margin`` (expected own points less the best opponent's)."""
    iterations: int = 0
    """How far the bot got."""


class Bot(Protocol):
    """Anything that can take a seat."""

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """One of ``seen.moves``. Everything random comes from the stream."""
        ...
