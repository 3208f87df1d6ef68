"""Formulas once more, as slowly and plainly as possible, counting every node that is visited."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from draftengine.language.tree import (
    Binary,
    Call,
    Compare,
    Conditional,
    Expr,
    Logic,
    Name,
    Number,
    Truth,
    Unary,
)

if TYPE_CHECKING:
    from language.world import State, World


@dataclass
class Interpreter:
    """Evaluates formulas in one state; `visits` counts the nodes."""

    world: World
    state: State
    visits: int = 0

    def value(self, expr: Expr, seat: int) -> int:  # noqa: PLR0911 - one for each kind of node
        self.visits += 1
        match expr:
            case Number() | Truth():
                return expr.value
            case Name():
                fixed = self.world.constant(expr.id)
                return self.world.value(expr.id)(self.state, seat) if fixed is None else fixed
            case Unary():
                value = self.value(expr.operand, seat)
                return (not value) if expr.op == "not" else -value
            case Logic(op="and"):
                return self.value(expr.left, seat) and self.value(expr.right, seat)
            case Logic():
                return self.value(expr.left, seat) or self.value(expr.right, seat)
            case Conditional():
                chosen = expr.then if self.value(expr.condition, seat) else expr.otherwise
                return self.value(chosen, seat)
            case Binary() | Compare():
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

    def _call(self, expr: Call, seat: int) -> int:
        first = expr.arguments[0]
        if expr.function in {"gained", "holds", "cards"}:
            assert isinstance(first, Name)
            by_seat = self.state[f"{expr.function}({first.id})"]
            value = by_seat[seat if len(by_seat) > 1 else 0]
            return bool(value) if expr.function == "holds" else value
        if expr.function in {"min", "max", "abs", "kinds"}:
            values = [self.value(argument, seat) for argument in expr.arguments]
            if expr.function == "kinds":
                return len([value for value in values if value > 0])
            return max(values[0], -values[0]) if expr.function == "abs" else self._extreme(expr.function, values)
        return self._over_seats(expr.function, first, seat)

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
