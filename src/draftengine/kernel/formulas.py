"""Formulas become operations on registers (see `draftengine.kernel.machine.expressions`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel import memory as at
from draftengine.language.builtins import BUILTINS, Reading
from draftengine.language.tree import Binary, Call, Compare, Conditional, Logic, Name, Number, Truth, Unary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.engine.compile.values import Meaning, Names
    from draftengine.engine.program import Field, Program, Value
    from draftengine.language.tree import Expr

_PAIRS: Mapping[str, int] = {
    "+": at.EX_ADD,
    "-": at.EX_SUBTRACT,
    "*": at.EX_TIMES,
    "//": at.EX_QUOTIENT,
    "%": at.EX_REMAINDER,
    "==": at.EX_EQUAL,
    "!=": at.EX_UNEQUAL,
    "<": at.EX_LESS,
    "<=": at.EX_AT_MOST,
    ">": at.EX_MORE,
    ">=": at.EX_AT_LEAST,
    "and": at.EX_AND,
    "or": at.EX_OR,
}
_AGGREGATES: Mapping[str, int] = {
    "most": at.EX_MOST,
    "fewest": at.EX_FEWEST,
    "total": at.EX_TOTAL,
    "seats_with": at.EX_TOTAL,
    "others_most": at.EX_OTHERS_MOST,
    "others_fewest": at.EX_OTHERS_FEWEST,
    "others_total": at.EX_OTHERS_TOTAL,
    "others_with": at.EX_OTHERS_TOTAL,
}
_FACTS: Mapping[str, int] = {"round": at.EX_ROUND, "turn": at.EX_TURN, "points": at.EX_POINTS}
_FOLDS: Mapping[str, int] = {"min": at.EX_MIN, "max": at.EX_MAX}


class UnsupportedError(Exception):
    """The kernel cannot play this game; the message says why. The reference engine can."""


class Expressions:
    """The expressions of a program, numbered as they are asked for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.rows: list[tuple[int, ...]] = []
        self.operations: list[tuple[int, ...]] = []
        self._known: dict[Value, int] = {}

    def number(self, value: Value | None) -> int:
        """The number of a function of the program as an expression; -1 for none."""
        if value is None:
            return -1
        if value not in self._known:
            self._known[value] = self._compile(self.program.meanings[value])
        return self._known[value]

    def amount(self, value: Value | None) -> int:
        """The same for an expression whose value is asked for one seat alone: numbers stand for themselves."""
        if value is not None:
            expr = self.program.meanings[value].expr
            if isinstance(expr, Number):
                return at.NUMBER + expr.value
        return self.number(value)

    def _compile(self, meaning: Meaning) -> int:
        start = len(self.operations)
        writer = _Writer(self.program, meaning.names, self.operations)
        register = writer.part(meaning.expr)
        if writer.used > at.MAX_REGISTERS:
            raise UnsupportedError("a formula is too long")
        self.rows.append((start, len(self.operations), register))
        return len(self.rows) - 1


class _Writer:
    """Writes the operations of one formula; each has a register of its own."""

    def __init__(self, program: Program, names: Names, operations: list[tuple[int, ...]]) -> None:
        self.program = program
        self.names = names
        self.operations = operations
        self.used = 0
        self._written: dict[tuple[int, ...], int] = {}

    def _put(self, operation: int, *operands: int) -> int:
        """Write an operation, unless the same was written before; its register."""
        what = (operation, *operands)
        if what not in self._written:
            self.operations.append((operation, self.used, *operands))
            self._written[what] = self.used
            self.used += 1
        return self._written[what]

    def _is_positive(self, expr: Expr) -> int:
        """Is a value more than none."""
        if isinstance(expr, Name) and self.names.constant(expr.id) is None and expr.id not in _FACTS:
            own = self._field(expr.id)
            return self._put(at.EX_HAS, own.shift, own.mask, own.bias)
        return self._put(at.EX_POSITIVE, self.part(expr))

    def part(self, expr: Expr) -> int:
        """Write an expression; the register of its value."""
        match expr:
            case Number() | Truth():
                return self._put(at.EX_NUMBER, int(expr.value))
            case Name():
                return self._name(expr.id)
            case Unary():
                return self._put(at.EX_NOT if expr.op == "not" else at.EX_NEGATE, self.part(expr.operand))
            case Binary() | Compare() | Logic():
                positive = expr.op == ">" and isinstance(expr.right, Number) and expr.right.value == 0
                return self._is_positive(expr.left) if positive else self._pair(expr)
            case Conditional():
                condition, then = self.part(expr.condition), self.part(expr.then)
                return self._put(at.EX_CHOICE, condition, then, self.part(expr.otherwise))
            case Call():
                return self._call(expr)

    def _pair(self, expr: Binary | Compare | Logic) -> int:
        leads = _taking_the_lead(expr)
        if leads is not None and leads not in self.names.alias:
            own = self._field(leads)
            return self._put(at.EX_LEADS, own.shift, own.mask)
        return self._put(_PAIRS[expr.op], self.part(expr.left), self.part(expr.right))

    def _name(self, name: str) -> int:
        constant = self.names.constant(name)
        if constant is not None:
            return self._put(at.EX_NUMBER, int(constant))
        if name in _FACTS:
            return self._put(_FACTS[name])
        own = self._field(name)
        return self._put(at.EX_FIELD, own.shift, own.mask, own.bias)

    def _field(self, name: str) -> Field:
        """The counter that a name stands for."""
        return self.names.fields.field(self.names.alias.get(name, name))

    def _call(self, expr: Call) -> int:
        if isinstance(BUILTINS[expr.function], Reading):
            (argument,) = expr.arguments
            assert isinstance(argument, Name)
            return self._reading(expr.function, argument.id)
        if expr.function == "kinds":
            found, *others = [self._is_positive(argument) for argument in expr.arguments]
            for other in others:
                found = self._put(at.EX_ADD, found, other)
            return found
        values = [self.part(argument) for argument in expr.arguments]
        if expr.function in _AGGREGATES:
            return self._put(_AGGREGATES[expr.function], values[0])
        if expr.function in _FOLDS:
            found = values[0]
            for value in values[1:]:
                found = self._put(_FOLDS[expr.function], found, value)
            return found
        if expr.function == "abs":
            return self._put(at.EX_ABS, values[0])
        raise UnsupportedError(f"the kernel does not know {expr.function}()")

    def _reading(self, function: str, name: str) -> int:
        if function == "gained":
            own = self.names.fields.field(name)
            return self._put(at.EX_GAINED, own.shift, own.mask)
        if function == "holds":
            return self._put(at.EX_HOLDS, [marker.id for marker in self.program.markers].index(name))
        if function == "cards":
            return self._put(at.EX_CARDS, self.program.zone_index(name))
        raise UnsupportedError(f"the kernel does not know {function}()")


def _taking_the_lead(expr: Expr) -> str | None:
    """The counter of which a seat has to get more and then have most: ``gained(x) > 0 and x == most(x)``."""
    match expr:
        case Logic(
            op="and",
            left=Compare(op=">", left=Call(function="gained", arguments=(Name() as risen,)), right=Number(value=0)),
            right=Compare(op="==", left=Name() as own, right=Call(function="most", arguments=(Name() as best,))),
        ) if risen.id == own.id == best.id:
            return own.id
    return None
