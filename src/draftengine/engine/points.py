"""The points that scoring rules give for a state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.program import RankedRule

if TYPE_CHECKING:
    from draftengine.engine.program import CompiledRule
    from draftengine.engine.state import GameState


def points_of(state: GameState, rule: CompiledRule) -> tuple[int, ...]:
    """Compute the points (or chips) of each seat under one rule; unranked seats get 0."""
    program = state.program
    if isinstance(rule, RankedRule):
        points = rule.points(measures(state, rule))
    else:
        values = [tuple([value(state, seat) for value in rule.inputs]) for seat in range(program.ranked)]
        points = tuple(map(rule.points, values))
    if rule.copies is not None:
        points = tuple([value and value * rule.copies(state, seat) for seat, value in enumerate(points)])
    return points + (0,) * (program.seats - program.ranked)


def measures(state: GameState, rule: RankedRule) -> tuple[int, ...]:
    """Compute the measure of each ranked seat."""
    return tuple([rule.measure(state, seat) for seat in range(state.program.ranked)])
