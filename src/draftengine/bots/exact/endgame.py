"""Decisions near the end of a two-seat round: solved exactly instead of searched.

Once both seats have seen all cards, only the other's simultaneous move is hidden.
"""

from __future__ import annotations

from math import prod
from operator import mul
from typing import TYPE_CHECKING, cast

from draftengine.bots.exact import MissingExtraError, NotSolvableError, solve
from draftengine.bots.protocol import Decision, ScoredMove
from draftengine.engine.chance import Stream
from draftengine.engine.moves import legal_moves

if TYPE_CHECKING:
    from draftengine.bots.exact import Solution
    from draftengine.engine.choose import Choice
    from draftengine.engine.observe import Observation
    from draftengine.engine.redeal import HiddenCards

LIMIT = 1500
"""Limit of positions: they are solved before a person gets impatient."""
MOST_PAIRS = 200
"""Limit of pairs of moves in the first choice.

With more pairs, `LIMIT` does not bound the time, because every position has many pairs.
"""
_SEATS = 2


def solved(seen: Observation, knowledge: HiddenCards, cards: int, stream: Stream) -> Decision | None:
    """Return a decision drawn from an equilibrium; ``None`` if the position is too large or not known.

    No seat may have more than `cards` cards, and the seat must know all of them.
    """
    if seen.program.players != _SEATS or not _known(seen, cards):
        return None
    world = knowledge.world(Stream(0))
    if prod(legal_moves(world, seat).total for seat in world.pending) > MOST_PAIRS:
        return None
    try:
        solution = solve(world, limit=LIMIT)
    except (NotSolvableError, MissingExtraError):
        return None
    return _decision(seen, solution, stream)


def _known(seen: Observation, cards: int) -> bool:
    """True if the seat knows all cards to choose from and every seat has at most `cards` of them."""
    choice = cast("Choice", seen.program.code[seen.decision])
    name = seen.program.zones[choice.source].id
    views = [view for view in seen.zones if view.zone == name]
    return all(view.size <= cards and sum(copies for _, copies in view.cards) == view.size for view in views)


def _decision(seen: Observation, solution: Solution, stream: Stream) -> Decision:
    """Draw a move by its weight in the equilibrium; values are margins against the other's equilibrium."""
    seat, other = seen.seat, 1 - seen.seat
    sign = 1 - 2 * seat
    lines = solution.matrix if seat == 0 else tuple(zip(*solution.matrix, strict=True))
    values = [sign * sum(map(mul, line, solution.strategies[other])) for line in lines]
    weights = solution.strategies[seat]
    considered = [
        ScoredMove(move, value, weight)
        for move, value, weight in zip(solution.moves[seat], values, weights, strict=True)
    ]
    considered.sort(key=lambda each: (-each.weight, -each.value))
    return Decision(_drawn(considered, stream), tuple(considered), "margin")


def _drawn(considered: list[ScoredMove], stream: Stream) -> tuple[int, ...]:
    left = stream.below(1 << 30) / (1 << 30)
    for each in considered:
        left -= each.weight
        if left < 0:
            return each.move
    return considered[0].move
