"""The bounds of a formula: its lowest and highest value, computed from the ranges of its names.

Truth values are 0 and 1, so a condition that always holds has the bounds (1, 1). Every possible value is within the
bounds, but closer bounds may exist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from draftengine.model.language.builtins import (
    BUILTINS,
    Aggregate,
    MacroFunction,
    NumericFunction,
    OtherSeatFunction,
    StateFunction,
    ZoneAggregate,
)
from draftengine.model.language.environment import OPERATORS, Range, hull, negated
from draftengine.model.language.tree import (
    MAX_INT,
    MIN_INT,
    Binary,
    BooleanLiteral,
    Call,
    Comparison,
    Conditional,
    Expr,
    LogicalOp,
    Name,
    Number,
    Unary,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

UNKNOWN: Range = (MIN_INT, MAX_INT)


class Facts(Protocol):
    """The ranges of the names in formulas, and the numbers of seats and players."""

    @property
    def seat_count(self) -> int:
        """The number of seats that functions such as ``most`` compare."""
        ...

    @property
    def player_count(self) -> int:
        """The number of players, who sit in a circle. They have the first seats."""
        ...

    def range_of(self, function: str, name: str, seat: int, /) -> Range:
        """Return the range of a function's values: ``holds``, ``cards`` or ``gained`` of the name.

        With the function ``name``, return the range of the name's own value.
        """
        ...


def bounds(expr: Expr, facts: Facts, seat: int = 0) -> Range:
    """Return the lowest and highest value that a formula can have at a seat. The formula has no mistakes."""
    return _Bounds(facts, seat).of(expr, seat)


class _Bounds(Struct, frozen=True):
    facts: Facts
    asking: int
    """The seat for which the whole formula is evaluated: ``my(x)`` is the value of ``x`` at this seat."""

    def of(self, expr: Expr, seat: int) -> Range:  # noqa: PLR0911 - one for each kind of node
        match expr:
            case Number() | BooleanLiteral():
                return int(expr.value), int(expr.value)
            case Name():
                return self.facts.range_of("name", expr.id, seat)
            case Unary():
                low, high = self.of(expr.operand, seat)
                return (1 - high, 1 - low) if expr.op == "not" else negated((low, high))
            case Binary():
                left, right = self.of(expr.left, seat), self.of(expr.right, seat)
                if expr.op in {"//", "%"} and right[0] <= 0 <= right[1]:
                    return UNKNOWN
                return OPERATORS[expr.op](left, right)
            case Comparison():
                return _COMPARED[expr.op](self.of(expr.left, seat), self.of(expr.right, seat))
            case LogicalOp():
                extreme = min if expr.op == "and" else max
                left, right = self.of(expr.left, seat), self.of(expr.right, seat)
                return extreme(left[0], right[0]), extreme(left[1], right[1])
            case Conditional():
                low, high = self.of(expr.condition, seat)
                if low == high:
                    return self.of(expr.then if low else expr.otherwise, seat)
                return hull((self.of(expr.then, seat), self.of(expr.otherwise, seat)))
            case Call():
                return self._call(expr, seat)

    def _call(self, expr: Call, seat: int) -> Range:  # noqa: PLR0911 - one for each kind of function
        match BUILTINS[expr.function]:
            case NumericFunction() as plain:
                return plain.range([self.of(argument, seat) for argument in expr.arguments])
            case Aggregate() as aggregate:
                seats = [other for other in range(self.facts.seat_count) if not (aggregate.others and other == seat)]
                ranges = [self.of(expr.arguments[0], other) for other in seats]
                # All aggregates are monotonic: if one of the values rises, the result does not fall.
                return aggregate.value([low for low, _ in ranges]), aggregate.value([high for _, high in ranges])
            case StateFunction():
                return self.facts.range_of(expr.function, name_in(expr), seat)
            case ZoneAggregate() as among:
                there = self.facts.range_of("cards", name_in(expr), seat)
                ranges = [self.of(argument, seat) for argument in expr.arguments[1:]]
                return hull([among.range(ranges[0], there[1]), *ranges[1:]]) if ranges else there
            case OtherSeatFunction() as elsewhere:
                argument, players = expr.arguments[-1], self.facts.player_count
                if elsewhere.whose == "asking":
                    return self.of(argument, self.asking)
                if elsewhere.whose == "holder":
                    return hull([(0, 0), *(self.of(argument, other) for other in range(self.facts.seat_count))])
                if players < 2 or seat >= players:  # noqa: PLR2004 (alone, or not at the table)
                    return 0, 0
                return self.of(argument, (seat + (1 if elsewhere.whose == "left" else -1)) % players)
            case MacroFunction():
                return UNKNOWN


def name_in(expr: Call) -> str:
    """Return the name that is the first argument of a call."""
    (name, *_) = expr.arguments
    assert isinstance(name, Name)
    return name.id


def _equal(left: Range, right: Range) -> Range:
    return int(left[0] == left[1] == right[0] == right[1]), int(left[0] <= right[1] and right[0] <= left[1])


def _negated(compared: Callable[[Range, Range], Range]) -> Callable[[Range, Range], Range]:
    def negation(left: Range, right: Range) -> Range:
        low, high = compared(left, right)
        return 1 - high, 1 - low

    return negation


def _less(left: Range, right: Range) -> Range:
    return int(left[1] < right[0]), int(left[0] < right[1])


def _more(left: Range, right: Range) -> Range:
    return _less(right, left)


_COMPARED: Mapping[str, Callable[[Range, Range], Range]] = {
    "==": _equal,
    "!=": _negated(_equal),
    "<": _less,
    "<=": _negated(_more),
    ">": _more,
    ">=": _negated(_less),
}
"""For each comparison operator, a function that compares two ranges.

It returns (1, 1) for true, (0, 0) for false, or (0, 1) if undecided.
"""
