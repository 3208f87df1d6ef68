"""Proved bounds of the formulas of a game. All plans of a game share them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.cardset.facts import flow_scope, seat_scope
from draftengine.model.flow import flow_bounds
from draftengine.model.flow.counters import counters_of
from draftengine.model.language.check import check
from draftengine.model.language.evaluate import constant_value
from draftengine.support.identity import by_identity

if TYPE_CHECKING:
    from draftengine.engine.compile.formulas import FormulaNames
    from draftengine.engine.program import Program
    from draftengine.model.cardset.facts import CounterInfo
    from draftengine.model.language.environment import Scope
    from draftengine.model.language.tree import Expr


class Ranges:
    """The bounds of a game's formulas."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def range_of(self, names: FormulaNames, expr: Expr) -> tuple[int, int]:
        """Return the proved bounds of a formula as it is read in play."""
        known = constant_value(expr, names)
        if known is not None:
            return known, known
        checked = check(expr, self._scope(names, self._counters))
        if checked.mistakes:
            checked = check(expr, flow_scope(self.program.model, self.program.players))
        return int(checked.low), int(checked.high)

    def stored_range(self, names: FormulaNames, expr: Expr) -> tuple[int, int]:
        """Return the bounds of a formula for all counters that can be stored.

        They include the values that are assumed for cards which a seat cannot see.
        """
        checked = check(expr, self._scope(names, self._stored))
        return int(checked.low), int(checked.high)

    @cached_property
    def _counters(self) -> tuple[CounterInfo, ...]:
        """The counters of the game, with the bounds for any table."""
        return counters_of(self.program.model, self.program.players, any_table=True)

    @cached_property
    def _stored(self) -> tuple[CounterInfo, ...]:
        """The counters of the game, with the bounds of what their fields can store."""
        fields = {field.name: (-field.offset, field.mask - field.offset) for field in self.program.fields}
        return tuple(
            replace(counter, low=fields[counter.id][0], high=fields[counter.id][1]) if counter.id in fields else counter
            for counter in self._counters
        )

    def _scope(self, names: FormulaNames, counters: tuple[CounterInfo, ...]) -> Scope:
        """Return the scope of a formula: turns, and names with a fixed value, vary less in this game."""
        turns = flow_bounds(self.program.model, self.program.players).turns
        local = {"turn": (0, turns), **{name: (value, value) for name, value in names.local.items()}}
        return seat_scope(self.program.model, self.program.players, counters, **local)


@by_identity(8)
def ranges_of(program: Program) -> Ranges:
    return Ranges(program)
