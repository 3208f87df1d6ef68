"""The conditions of a card set, and how often each was true when a game evaluated it."""

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
"""The name of a file, and the start and end of a span in it."""


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
    """Counts of condition values by place; `hear` is the callback for `Ruleset.heard`."""

    def __init__(self) -> None:
        self.heard = 0
        self._values: dict[Place, Counter[int]] = defaultdict(Counter)
        self._known: dict[tuple[int, int], tuple[Formula, Expr, Counter[int]]] = {}
        """Formula, part and value counts, by the ids of formula and part.

        Both objects are kept so that their ids are not reused.
        """

    def hear(self, formula: Formula, expr: Expr, value: int) -> None:
        """Count the value of an evaluated condition, or of a number that it compares."""
        self.heard += 1
        key = id(formula), id(expr)
        if key not in self._known:
            place = place_of(inside(formula, expr.start, expr.end))
            self._known[key] = formula, expr, self._values[place]
        self._known[key][2][value] += 1

    def held(self, condition: Condition) -> Counter[int]:
        """Return how often a condition was true and false, as counts by value."""
        return self.values(condition.use.formula, condition.expr)

    def values(self, formula: Formula, expr: Expr) -> Counter[int]:
        """Return how often a compared part of a formula had each value."""
        return self._values.get(place_of(inside(formula, expr.start, expr.end)), Counter())


def place_of(span: Span) -> Place:
    """Return the place of a span, as a key."""
    return span.source.name, span.start, span.end
