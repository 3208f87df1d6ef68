"""The conditions of a card set, and how often each held when a game asked it."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.checks.formula_uses import uses_of
from draftengine.model.checks.spans import inside
from draftengine.model.language.evaluate import conditions_in
from draftengine.model.language.tree import BooleanLiteral

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import CardSet
    from draftengine.model.checks.formula_uses import FormulaUse
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.values import Formula
    from draftengine.support.source import Span

Place = tuple[str, int, int]
"""The name of a file, and where something begins and ends there."""


class Condition(Struct, frozen=True):
    """A whole condition, such as `when`, or the one behind `if`."""

    use: FormulaUse
    expr: Expr
    span: Span

    @property
    def text(self) -> str:
        return self.use.formula.text[self.expr.start : self.expr.end]


def conditions_of(model: CardSet) -> Iterator[Condition]:
    """Yield every condition of a card set, in the order of `uses_of`."""
    for use in uses_of(model):
        for expr in conditions_in(use.formula.expr):
            if not isinstance(expr, BooleanLiteral):
                yield Condition(use, expr, inside(use.formula, expr.start, expr.end))


class HeardConditions:
    """Counts by place how often conditions held; `hear` is what `Ruleset.heard` wants."""

    def __init__(self) -> None:
        self.heard = 0
        self._values: dict[Place, Counter[int]] = defaultdict(Counter)
        self._known: dict[tuple[int, int], tuple[Formula, Expr, Counter[int]]] = {}
        """By identity a part of a formula, both kept so that this stays theirs, and its values."""

    def hear(self, formula: Formula, expr: Expr, value: int) -> None:
        """Count a condition that was evaluated, or what it compares."""
        self.heard += 1
        key = id(formula), id(expr)
        if key not in self._known:
            place = place_of(inside(formula, expr.start, expr.end))
            self._known[key] = formula, expr, self._values[place]
        self._known[key][2][value] += 1

    def held(self, condition: Condition) -> Counter[int]:
        """Return how often a condition held and did not hold."""
        return self.values(condition.use.formula, condition.expr)

    def values(self, formula: Formula, expr: Expr) -> Counter[int]:
        """Return how often a part of a formula that is compared had which value."""
        return self._values.get(place_of(inside(formula, expr.start, expr.end)), Counter())


def place_of(span: Span) -> Place:
    """Return the place of a span as a key."""
    return span.source.name, span.start, span.end
