"""``random``: a uniformly random legal move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.bots.protocol import Decision

if TYPE_CHECKING:
    from draftengine.bots.protocol import Budget
    from draftengine.engine.chance import Stream
    from draftengine.engine.observe import Observation


class RandomBot:
    """Any legal move, each alike."""

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:  # noqa: ARG002 (the protocol)
        """Draw a move."""
        return Decision(seen.moves[stream.below(len(seen.moves))])
