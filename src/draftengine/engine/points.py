"""What rules give, as things lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.program import RankedRule

if TYPE_CHECKING:
    from draftengine.engine.program import CompiledRule
    from draftengine.engine.state import GameState


def points_of(state: GameState, rule: CompiledRule) -> tuple[int, ...]:
    """The points (or chips) of each seat under one rule, as things lie."""
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
    """What a ranking compares, by seat that is ranked."""
    return tuple([rule.measure(state, seat) for seat in range(state.program.ranked)])
