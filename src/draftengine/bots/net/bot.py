"""``network``: plays by a learnt network alone, without looking ahead."""

from __future__ import annotations

from functools import cache
from math import log
from typing import TYPE_CHECKING

from draftengine.bots.net.kept import opinion_of
from draftengine.bots.net.network import ONE
from draftengine.bots.protocol import Decision, ScoredMove
from draftengine.bots.simple import TableBot
from draftengine.engine.policies import best_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.bots.protocol import Budget
    from draftengine.bots.worth.tables import Told
    from draftengine.engine.chance import Stream
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program

_DRAWS = 1 << 12


class NetworkBot(TableBot):
    """The move that a learnt network thinks best; without a network, the move of ``table``."""

    def __init__(self, noise: float = 0.0) -> None:
        """Set the noise: near-equal moves are confused the more often, the larger it is."""
        self.noise = noise

    def prepare(self, program: Program, progress: Told) -> None:
        """Learn the cards if there is no network."""
        if opinion_of(program) is None:
            super().prepare(program, progress)

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """Return the move that the network thinks best, or draw one by its opinion if there is noise."""
        if seen.moves.total == 1:
            return Decision(seen.moves[0])
        opinion = opinion_of(seen.program)
        if opinion is None:
            return super().decide(seen, stream, budget)
        outputs, noise = opinion.outputs(seen), round(self.noise * ONE)

        def rate(some: Sequence[Move]) -> list[int]:
            return [opinion.value(outputs, move) for move in some]

        best = best_of(seen.moves, rate, stream)
        values = [value + noise * _gumbel()[stream.below(_DRAWS)] // ONE for value in best.values] if noise else []
        move = best.moves[values.index(max(values))] if values else best.move
        considered = [ScoredMove(each, value / ONE) for each, value in zip(best.moves, best.values, strict=True)]
        considered.sort(key=lambda each: (-each.value, each.move != move))
        return Decision(move, tuple(considered), unit="preference")


@cache
def _gumbel() -> list[int]:
    """Return quantiles of the Gumbel distribution: with it, the largest sum is a draw from the softmax."""
    return [round(-log(-log((draw + 0.5) / _DRAWS)) * ONE) for draw in range(_DRAWS)]
