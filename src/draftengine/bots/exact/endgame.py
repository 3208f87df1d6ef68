"""The last cards of a round of two seats: solved instead of searched.

Once both have seen all cards, nothing is hidden but what the other takes at the same time.
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
"""So many positions are solved in less time than a person waits."""
MOST_PAIRS = 200
"""With more pairs of moves in the first choice, a limit of positions does not keep the time short: all have many."""
_SEATS = 2


def solved(seen: Observation, knowledge: HiddenCards, cards: int, stream: Stream) -> Decision | None:
    """An equilibrium's decision, if no seat has more than so many cards and all are known; else ``None``."""
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
    """Does the seat know what everybody can take, and is it little enough."""
    choice = cast("Choice", seen.program.code[seen.decision])
    name = seen.program.zones[choice.source].id
    views = [view for view in seen.zones if view.zone == name]
    return all(view.size <= cards and sum(copies for _, copies in view.cards) == view.size for view in views)


def _decision(seen: Observation, solution: Solution, stream: Stream) -> Decision:
    """A move of the equilibrium, drawn by its weights; values are margins against the other's equilibrium."""
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
