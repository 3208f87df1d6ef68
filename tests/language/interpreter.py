"""A slow, plain interpreter of formulas that counts the visited nodes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from draftengine.model.language.tree import (
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
from language.world import cards_in

if TYPE_CHECKING:
    from language.world import State, World


@dataclass
class Interpreter:
    """An interpreter for one state; `visits` counts the nodes."""

    world: World
    state: State
    visits: int = 0
    asking: int | None = None
    """The seat for which the whole formula is evaluated."""

    def value(self, expr: Expr, seat: int) -> int:  # noqa: PLR0911 - one for each kind of node
        self.visits += 1
        if self.asking is None:
            self.asking = seat
        match expr:
            case Number() | BooleanLiteral():
                return expr.value
            case Name():
                fixed = self.world.constant(expr.id)
                return self.world.value(expr.id)(self.state, seat) if fixed is None else fixed
            case Unary():
                value = self.value(expr.operand, seat)
                return (not value) if expr.op == "not" else -value
            case LogicalOp(op="and"):
                return self.value(expr.left, seat) and self.value(expr.right, seat)
            case LogicalOp():
                return self.value(expr.left, seat) or self.value(expr.right, seat)
            case Conditional():
                chosen = expr.then if self.value(expr.condition, seat) else expr.otherwise
                return self.value(chosen, seat)
            case Binary() | Comparison():
                return self._pair(expr.op, self.value(expr.left, seat), self.value(expr.right, seat))
            case Call():
                return self._call(expr, seat)

    @staticmethod
    def _pair(op: str, left: int, right: int) -> int:
        if op in {"//", "%"}:
            quotient = floor(Fraction(left, right))
            return quotient if op == "//" else left - quotient * right
        table = {
            "+": left + right,
            "-": left - right,
            "*": left * right,
            "==": left == right,
            "!=": left != right,
            "<": left < right,
            "<=": left <= right,
            ">": left > right,
            ">=": left >= right,
        }
        return table[op]

    def _call(self, expr: Call, seat: int) -> int:  # noqa: PLR0911 - one for each kind of function
        first = expr.arguments[0]
        if expr.function in {"cards", "highest", "lowest", "sum", "on_top"} and len(expr.arguments) > 1:
            return self._among(expr, seat)
        if expr.function in {"gained", "holds", "cards", "best_of"}:
            assert isinstance(first, Name)
            by_seat = self.state[f"{expr.function}({first.id})"]
            value = by_seat[seat if len(by_seat) > 1 else 0]
            return bool(value) if expr.function == "holds" else value
        if expr.function in {"min", "max", "abs", "kinds", "top"}:
            values = [self.value(argument, seat) for argument in expr.arguments]
            if expr.function == "top":
                count, *rest = values
                while len(rest) > max(0, count):
                    rest.remove(min(rest))
                return sum(rest)
            if expr.function == "kinds":
                return len([value for value in values if value > 0])
            return max(values[0], -values[0]) if expr.function == "abs" else self._extreme(expr.function, values)
        if expr.function in {"left", "right", "my", "of"}:
            return self._at_another(expr, seat)
        return self._over_seats(expr.function, first, seat)

    def _among(self, expr: Call, seat: int) -> int:
        zone, what, *otherwise = expr.arguments
        assert isinstance(zone, Name)
        if isinstance(what, Name):
            found = self.state[f"in({zone.id}, {what.id.removeprefix('its.')})"]
            self.visits += len(found)
        else:
            found, outside = (), self.state
            for own in cards_in(outside, zone.id):
                self.state = {**outside, **own}
                found = (*found, self.value(what, seat))
            self.state = outside
        if expr.function in {"cards", "sum"}:
            return sum(found)
        if expr.function == "on_top":
            return found[-1] if found else 0
        return (
            self._extreme({"highest": "max", "lowest": "min"}[expr.function], [*found])
            if found
            else self.value(otherwise[0], seat)
        )

    def _at_another(self, expr: Call, seat: int) -> int:
        count, argument = self.world.seat_count, expr.arguments[-1]
        if expr.function == "my":
            return self.value(argument, self.asking or 0)
        if expr.function == "of":
            assert isinstance(expr.arguments[0], Name)
            holders = [own for own, held in enumerate(self.state[f"holds({expr.arguments[0].id})"]) if held]
        else:
            holders = [] if count == 1 else [(seat + 1 if expr.function == "left" else seat + count - 1) % count]
        return self.value(argument, holders[0]) if holders else 0

    def _over_seats(self, function: str, argument: Expr, seat: int) -> int:
        seats = [other for other in range(self.world.seat_count) if other != seat or not function.startswith("others_")]
        values = [self.value(argument, other) for other in seats]
        if function.endswith(("total", "with")):
            return sum(values)
        return self._extreme("max" if function.endswith("most") else "min", values)

    @staticmethod
    def _extreme(which: str, values: list[int]) -> int:
        in_order = sorted(values) or [0]
        return in_order[-1 if which == "max" else 0]
