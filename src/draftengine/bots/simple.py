"""Bots that play at random, or compare moves by their points at once and by what is learnt of later.

The points of a move are the rise of the provisional score. That is the score if the round and the game were scored now,
with the other seats' counters as they are. Ties are broken at random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from draftengine.bots.protocol import BotError, Decision, ScoredMove
from draftengine.bots.worth.tables import at_hand, learn_cards
from draftengine.engine.kernel.expected_gain import SCALE
from draftengine.engine.policies import any_of, best_of, values_of
from draftengine.engine.public_state import PublicState, gains

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.bots.protocol import Budget
    from draftengine.bots.worth.tables import Told
    from draftengine.engine.chance import Stream
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.policies import BestMoves
    from draftengine.engine.program import Program

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


class RandomBot:
    """Any legal move, each alike."""

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:  # noqa: ARG002 (the protocol)
        """Draw a move."""
        return Decision(any_of(seen.moves, stream))


class TableBot:
    """The move that gains most at once and later, as learnt in self-play."""

    def prepare(self, program: Program, progress: Told) -> None:
        """Learn the cards, unless they are known."""
        learn_cards(program, progress)

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:  # noqa: ARG002 (the protocol)
        """Return the move of largest value, with the moves that were compared."""
        choice = cast("Choice", seen.program.code[seen.decision])
        public, worth = PublicState.of_observation(seen), at_hand(seen.program).worth
        best = best_of(seen.moves, lambda some: values_of(public, choice, seen.seat, some, worth), stream)
        return decided(best, SCALE)
