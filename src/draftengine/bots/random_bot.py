"""``random``: a uniformly random legal move."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draftengine.engine.chance import Stream
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation


def random_move(seen: Observation, stream: Stream) -> Move:
    """Any legal move, each alike."""
    return seen.moves[stream.below(len(seen.moves))]
