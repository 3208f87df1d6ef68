"""``greedy``: the move with the largest rise of the own provisional score, in any card set.

Where the fewest points win, it is the smallest rise. Provisional means: as if the round and the game were scored now.
The rules are the compiled ones; the others' counters are taken as they lie. Equal moves are decided by chance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.bots.protocol import Considered, Decision
from draftengine.engine.preview import gains

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.bots.protocol import Budget
    from draftengine.engine.chance import Stream
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation


class GreedyBot:
    """The move that gains most at once."""

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:  # noqa: ARG002 (the protocol)
        """A move of largest gain."""
        rises = [seen.program.direction * gain for gain in gains(seen)]
        best = max(rises)
        moves = [move for move, value in zip(seen.moves, rises, strict=True) if value == best]
        move = moves[stream.below(len(moves))]
        return Decision(move, ranked(seen.moves, rises, move), unit="gain")


def ranked(moves: Sequence[Move], values: Sequence[float], chosen: Move) -> tuple[Considered, ...]:
    """The moves with their values, best first; of equal ones first the one that was chosen."""
    found = [Considered(move, value) for move, value in zip(moves, values, strict=True)]
    return tuple(sorted(found, key=lambda own: (-own.value, own.move != chosen)))
