"""The context of checks: a game with a number of players."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.cardset.facts import constant_scope, flow_scope, seat_scope, table_scope
from draftengine.model.flow import flow_bounds
from draftengine.model.flow.counters import counters_of
from draftengine.model.language.check import check

if TYPE_CHECKING:
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.flow import FlowBounds
    from draftengine.model.flow.counters import CounterInfo
    from draftengine.model.language.check import CheckResult, Scope
    from draftengine.model.records.values import Formula


class CheckContext(Struct, frozen=True, dict=True):
    """A game with a number of players; everything is computed on first use.

    Ranges of counters can be computed only if the formulas are sound.
    """

    model: CardSet
    players: int

    def checked(self, formula: Formula) -> CheckResult:
        """Return type and range of a formula about one seat; cached."""
        known = self._checked.get(id(formula))
        if known is None:
            known = self._checked[id(formula)] = check(formula.expr, self.seat)
        return known

    @cached_property
    def _checked(self) -> dict[int, CheckResult]:
        return {}

    @cached_property
    def plan(self) -> FlowBounds:
        return flow_bounds(self.model, self.players)

    @cached_property
    def counters(self) -> tuple[CounterInfo, ...]:
        return counters_of(self.model, self.players, self.plan)

    @cached_property
    def most(self) -> dict[str, int]:
        """Highest value of each counter."""
        return {counter.id: counter.high for counter in self.counters}

    @cached_property
    def seat(self) -> Scope:
        return seat_scope(self.model, self.players, self.counters)

    @cached_property
    def whole(self) -> Scope:
        return table_scope(self.model, self.players, self.counters)

    @cached_property
    def flow(self) -> Scope:
        return flow_scope(self.model, self.players)

    @cached_property
    def constant(self) -> Scope:
        return constant_scope(self.model, self.players)
