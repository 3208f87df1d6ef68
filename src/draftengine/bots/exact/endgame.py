"""Decisions near the end of a two-seat round: solved exactly instead of searched.

After both seats have seen all cards, only the simultaneous move of the other seat is hidden.
"""

from __future__ import annotations

from itertools import accumulate
from math import prod
from operator import mul
from typing import TYPE_CHECKING, cast

from draftengine.bots.exact import MissingExtraError, NotSolvableError, solve
from draftengine.bots.protocol import Decision, ScoredMove
from draftengine.engine.chance import Stream
from draftengine.engine.moves import legal_moves

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.observe import Observation
    from draftengine.engine.redeal import HiddenCards

LIMIT = 1500
"""The largest number of positions to solve, so that nobody has to wait long."""
MOST_PAIRS = 200
"""The largest number of pairs of moves in the first choice.

With more pairs, `LIMIT` does not bound the time, because every position has many pairs, too.
"""
_SEATS = 2


def solved(seen: Observation, knowledge: HiddenCards, cards: int, stream: Stream) -> Decision | None:
    """Return a move that is drawn at random from an equilibrium, or ``None`` if the round is not solved.

    It is solved only if it has few positions, and the deciding seat knows all hands. No hand may have more than `cards`
    cards.
    """
    if seen.program.players != _SEATS:
        return None
    choice = cast("Choice", seen.program.code[seen.decision])
    hands = [view for view in seen.zones if view.zone == seen.program.zones[choice.source].id]
    if any(hand.size > cards or sum(copies for _, copies in hand.cards) < hand.size for hand in hands):
        return None
    world = knowledge.world(Stream(0))
    if prod(legal_moves(world, seat).total for seat in world.pending) > MOST_PAIRS:
        return None
    try:
        solution = solve(world, limit=LIMIT)
    except (NotSolvableError, MissingExtraError):
        return None
    # Values are margins against the other seat's equilibrium.
    seat, other = seen.seat, 1 - seen.seat
    sign = 1 - 2 * seat
    lines = solution.matrix if seat == 0 else tuple(zip(*solution.matrix, strict=True))
    values = [sign * sum(map(mul, line, solution.strategies[other])) for line in lines]
    considered = [
        ScoredMove(move, value, weight)
        for move, value, weight in zip(solution.moves[seat], values, solution.strategies[seat], strict=True)
    ]
    considered.sort(key=lambda each: (-each.weight, -each.value))
    draw = stream.below(1 << 30) / (1 << 30)
    limits = accumulate(each.weight for each in considered)
    drawn = next((each for each, limit in zip(considered, limits, strict=True) if draw < limit), considered[0])
    return Decision(drawn.move, tuple(considered), "margin")
