"""Bots that do not look ahead: they choose at random, by immediate points, or by learnt values.

The immediate points of a move are the rise of the provisional score. That is the score if the round and the game were
scored now, with the counters of other seats as they are. Ties are broken at random. Learnt values are in a worth table
or a network.
"""

from __future__ import annotations

from functools import cache
from math import log
from typing import TYPE_CHECKING, cast

from draftengine.bots.net import ONE
from draftengine.bots.net.kept import opinion_of
from draftengine.bots.protocol import BotError, Decision, ScoredMove
from draftengine.bots.worth.tables import at_hand, learn_cards
from draftengine.engine.kernel.expected_gain import SCALE
from draftengine.engine.policies import BestMoves, any_of, best_of, values_of
from draftengine.engine.public_state import PublicState, gains
from draftengine.support.locale.phrases import either, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.bots.protocol import Budget
    from draftengine.bots.worth.tables import Told
    from draftengine.engine.chance import Stream
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program

_AIMS = ("points", "win")


class GreedyBot:
    """The move that gains most at once."""

    def __init__(self, aim: str = "points") -> None:
        """Set the aim: ``points``, or ``win``. They differ if the fewest points win."""
        if aim not in _AIMS:
            raise BotError(said("bot.choice", key="aim", names=either(_AIMS), value=aim))
        self.to_win = aim == _AIMS[1]

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:  # noqa: ARG002 (the protocol)
        """Return a move with the largest gain, and the moves with which it was compared."""
        sign = seen.program.direction if self.to_win else 1

        def rate(some: Sequence[Move]) -> list[int]:
            return [sign * gain for gain in gains(seen, some)]

        return decided(best_of(seen.moves, rate, stream))


def decided(best: BestMoves, scale: int = 1, unit: str = "gain") -> Decision:
    """Return a decision for a best move, with all compared moves, best first.

    The values of the moves are divided by `scale`, to convert them to `unit`.
    """
    considered = [ScoredMove(move, value / scale) for move, value in zip(best.moves, best.values, strict=True)]
    considered.sort(key=lambda each: (-each.value, each.move != best.move))
    return Decision(best.move, tuple(considered), unit)


class RandomBot:
    """Any legal move, all equally likely."""

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:  # noqa: ARG002 (the protocol)
        return Decision(any_of(seen.moves, stream))


class TableBot:
    """The move that gains most at once and later, as learnt in self-play."""

    def prepare(self, program: Program, progress: Told) -> None:
        """Learn the worth table of the game, unless there is one."""
        learn_cards(program, progress)

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:  # noqa: ARG002 (the protocol)
        """Return a move of largest value, and the moves with which it was compared."""
        choice = cast("Choice", seen.program.code[seen.decision])
        public, worth = PublicState.of_observation(seen), at_hand(seen.program).worth
        best = best_of(seen.moves, lambda some: values_of(public, choice, seen.seat, some, worth), stream)
        return decided(best, SCALE)


_DRAWS = 1 << 12


class NetworkBot(TableBot):
    """The move that a learnt network thinks best; without a network, the move of ``table``."""

    def __init__(self, noise: float = 0.0) -> None:
        """Set the noise. With more noise, moves of similar value are confused more often."""
        self.noise = noise

    def prepare(self, program: Program, progress: Told) -> None:
        """Learn the worth table of the game if there is no network."""
        if opinion_of(program) is None:
            super().prepare(program, progress)

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """Return the move that the network rates best. With noise, draw a move by the network's values."""
        if seen.moves.total == 1:
            return Decision(seen.moves[0])
        opinion = opinion_of(seen.program)
        if opinion is None:
            return super().decide(seen, stream, budget)
        outputs, noise = opinion.outputs(seen), round(self.noise * ONE)

        def rate(some: Sequence[Move]) -> list[int]:
            return [opinion.value(outputs, move) for move in some]

        best = best_of(seen.moves, rate, stream)
        if noise:
            values = [value + noise * _gumbel()[stream.below(_DRAWS)] // ONE for value in best.values]
            best = BestMoves(best.moves[values.index(max(values))], best.moves, best.values)
        return decided(best, ONE, "preference")


@cache
def _gumbel() -> list[int]:
    """Return quantiles of the Gumbel distribution, in units of 1 / `ONE`.

    If a random quantile is added to each value, taking the largest sum draws from the softmax of the values.
    """
    return [round(-log(-log((draw + 0.5) / _DRAWS)) * ONE) for draw in range(_DRAWS)]
