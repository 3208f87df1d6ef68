"""``greedy``: plays the move that raises its own provisional score most, in any card set.

The provisional score is the score if the round and the game were scored now, with the other seats' counters as they
are. Ties are broken at random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.bots.protocol import BotError, Decision, ScoredMove
from draftengine.engine.plan.shortlist import best_of
from draftengine.engine.public_state import gains

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.bots.protocol import Budget
    from draftengine.engine.chance import Stream
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.plan.shortlist import BestMoves


_AIMS = ("points", "win")


class GreedyBot:
    """The move that gains most at once."""

    def __init__(self, aim: str = "points") -> None:
        """Set the aim: ``points``, or ``win``, which differs where the fewest points win."""
        if aim not in _AIMS:
            raise BotError(f"aim is {' or '.join(_AIMS)}, not “{aim}”.")
        self.to_win = aim == _AIMS[1]

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:  # noqa: ARG002 (the protocol)
        """Return a move of largest gain, with the moves that were compared."""
        sign = seen.program.direction if self.to_win else 1

        def rate(some: Sequence[Move]) -> list[int]:
            return [sign * gain for gain in gains(seen, some)]

        return decided(best_of(seen.moves, rate, stream))


def decided(best: BestMoves, scale: int = 1) -> Decision:
    """Return a decision for a best move, with all compared moves, best first.

    A value is divided by `scale`, the number of its units in a point.
    """
    considered = [ScoredMove(move, value / scale) for move, value in zip(best.moves, best.values, strict=True)]
    considered.sort(key=lambda each: (-each.value, each.move != best.move))
    return Decision(best.move, tuple(considered), unit="gain")
