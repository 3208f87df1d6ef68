"""``greedy``: the move with the largest rise of the own provisional score, in any card set.

Provisional means: as if the round and the game were scored now. The rules are the compiled ones; the others' counters
are taken as they lie. Equal moves are decided by chance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.preview import gains

if TYPE_CHECKING:
    from draftengine.engine.chance import Stream
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation


def greedy(seen: Observation, stream: Stream) -> Move:
    """A move of largest immediate gain."""
    rises = gains(seen)
    best = max(rises)
    moves = [move for move, value in zip(seen.moves, rises, strict=True) if value == best]
    return moves[stream.below(len(moves))]
