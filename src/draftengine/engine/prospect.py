"""What the end of a round tells of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.flow.cards import Clear, Gather

if TYPE_CHECKING:
    from draftengine.engine.program import Program


def only_points_last(program: Program) -> bool:
    """Does nothing but points and chips last from one round to the next.

    The end of a round tells all then: how far seats are ahead, in rounds to come that are the same for everybody.
    """
    cleared = any(isinstance(own, Clear | Gather) for own in program.code)
    return cleared and not (program.keep_bits or program.markers or program.rules_at_end)
