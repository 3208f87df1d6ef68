"""What a position is worth where the round ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.provisional_scores import by_rounds
from draftengine.engine.plain import record_of

if TYPE_CHECKING:
    from draftengine.engine.state import GameState


def margin(state: GameState) -> float:
    """How many points seat 0 is ahead of seat 1 when a round, or the game, is over.

    Before the last round is over, what would be scored at the end of the game counts as searches count it
    (`draftengine.engine.kernel.provisional_scores`). Where the fewest points win, being ahead is having fewer.
    """
    record, program = record_of(state), state.program
    mine, other = (by_rounds(record, program.plain, seat, state.over) for seat in range(2))
    # One division: the same margin is always the same float.
    return program.direction * ((mine - other) / program.model.rounds)
