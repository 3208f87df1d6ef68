"""``random``: plays a uniformly random legal move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.bots.protocol import Decision
from draftengine.engine.plan.shortlist import any_of

if TYPE_CHECKING:
    from draftengine.bots.protocol import Budget
    from draftengine.engine.chance import Stream
    from draftengine.engine.observe import Observation


class RandomBot:
    """Any legal move, each alike."""

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:  # noqa: ARG002 (the protocol)
        """Draw a move."""
        return Decision(any_of(seen.moves, stream))
