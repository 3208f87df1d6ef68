"""What a position is worth where the round ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.flow.control import total
from draftengine.engine.prospect import pending_points

if TYPE_CHECKING:
    from draftengine.engine.state import State


def margin(state: State) -> float:
    """How many points seat 0 is ahead of seat 1 when a round, or the game, is over.

    Before the last round is over, the rules that are scored after it count with the part of the rounds that are
    played: what they would give now is a guess at what they will give, and a better one the later it is. Where the
    fewest points win, being ahead is having fewer.
    """
    program = state.program
    ahead = float(total(state, 0) - total(state, 1))
    if not state.over:
        rounds = program.model.rounds
        own, other, *_ = pending_points(state)
        # One division: the same margin is always the same float.
        ahead = (rounds * ahead + state.round * (own - other)) / rounds
    return program.direction * ahead
