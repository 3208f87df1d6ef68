"""The value of a position at the end of a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.provisional_scores import by_rounds
from draftengine.engine.plain import plan_of, record_of

if TYPE_CHECKING:
    from draftengine.engine.state import GameState


def margin(state: GameState) -> float:
    """Return the margin of seat 0 over seat 1, in points, at the end of a round or of the game.

    Before the last round is over, scoring at the end of the game counts as in searches
    (`draftengine.engine.kernel.provisional_scores`). Where the fewest points win, the margin is positive if seat 0 has
    fewer.
    """
    record, program = record_of(state), state.program
    mine, other = (by_rounds(record, plan_of(program), seat, state.over) for seat in range(2))
    # One division at the end: equal margins are equal floats.
    return program.direction * ((mine - other) / program.model.rounds)
