"""The specialiser: evaluates kernel source on its static arguments and leaves residual functions.

    specialiser = Specialiser([flow, choices])
    run = specialiser.function(flow.simulate, [DYNAMIC, plan, DYNAMIC])

Static expressions are evaluated at once. Every call is specialised for its static arguments, once for each combination
of their values. This is called *polyvariant* specialisation. Code outside the dialect raises `SpecialisationError`.
"""

from __future__ import annotations

import ast
from itertools import count
from typing import TYPE_CHECKING, Any

from draftengine.jit.interpreter_settings import one_at_a_time
from draftengine.jit.primitives import Computed
from draftengine.jit.residual import DYNAMIC, Program, Residual, Value, all_statements, ended, key_of
from draftengine.jit.source_functions import CodeTooLarge, Place, SpecialisationError, Text, texts_of
from draftengine.jit.statements import Statements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import ModuleType

    from draftengine.jit.expressions import Expressions

__all__ = ["DYNAMIC", "SpecialisationError", "Specialiser"]

MOST_FUNCTIONS, MOST_STATEMENTS = 40_000, 50_000
"""Limits of a residual program. If there are more functions, recursion is assumed to be endless.

A long formula becomes a function for nearly every node and seat: 24,000 in the largest known game. Specialising 50,000
statements takes some ten seconds and 300 MB, and LLVM needs as much again.
"""


class Specialiser:
    """Specialises the functions of some modules of kernel source."""

    def __init__(self, modules: Iterable[ModuleType]) -> None:
        with one_at_a_time():
            self.texts: dict[object, Text] = {text.function: text for part in modules for text in texts_of(part)}
        self.program = Program()
        self.calls: list[Place] = []
        """Calls through which the specialiser came to the current function."""
        self.valued: list[tuple[Residual, Expressions, ast.AST, tuple[Place, ...]]] = []
        """Calls whose value is used, to be checked once the called functions are finished."""
        self._made: dict[object, Residual] = {}
        self._statements = 0
        """Number of statements in the finished functions."""
        self._numbers = count()
        self._tables: dict[int, str] = {}
        self._alive: list[object] = []

    def function(self, function: Callable[..., object], arguments: Sequence[Value]) -> Residual:
        """Return the residual function for arguments that are static values or `DYNAMIC`.

        Records are always dynamic. Raise `SpecialisationError` for code outside the dialect.
        """
        text = self.texts.get(function)
        if text is None:
            raise ValueError(f"{function!r} is no function of these modules")
        known = dict(zip(text.parameters, arguments, strict=True))
        self.calls.clear()
        self.valued.clear()
        with one_at_a_time():
            made = self.residual(text, known, None)
            # A function whose result is used must return a value on every path.
            for residual, where, node, calls in self.valued:
                returns = [part for part in all_statements(residual.body) if isinstance(part, ast.Return)]
                if not ended(residual.body) or any(part.value is None for part in returns):
                    self.calls[:] = calls
                    where.refuse("the value of a function that does not return one on every way", node)
            self.valued.clear()
        return made

    def residual(self, text: Text, known: dict[str, Value], called_from: Place | None) -> Residual:
        """Return the residual function for given static arguments. It is made at most once."""
        known = {**known, **dict.fromkeys(text.records, DYNAMIC)}
        key = text, tuple(value if value is DYNAMIC else key_of(value) for value in known.values())
        if key in self._made:
            return self._made[key]
        for number, most, what in (
            (len(self._made), MOST_FUNCTIONS, "functions"),
            (self._statements, MOST_STATEMENTS, "statements"),
        ):
            if number >= most:
                raise CodeTooLarge(f"more than {most} {what}", text.place(text.tree), "", tuple(self.calls[-20:]))
        left = tuple(name for name, value in known.items() if value is DYNAMIC)
        made = self._made[key] = Residual(f"{text.name}__{next(self._numbers)}", text, known, left)
        self.program.functions[made.name] = made
        self.calls += [called_from] if called_from else []
        try:
            made.body = Statements(self, text).whole_body({**known, **text.records})
        except SpecialisationError:
            del self._made[key], self.program.functions[made.name]
            raise
        self.calls[-1:] = []
        self._statements += sum(1 for _ in all_statements(made.body))
        made.finished = True
        return made

    # ── services for the specialisers of functions ──

    def carried_out(self, where: Expressions, node: ast.expr, values: Sequence[Value]) -> Value:
        """Evaluate an expression of static names."""
        try:
            return where.text.code(node)(*values)
        except SpecialisationError:
            raise
        except Exception as error:  # noqa: BLE001 (any error of kernel source gets its place)
            where.refuse(f"{type(error).__name__}: {error}", node)

    def computed(self, where: Expressions, node: ast.AST, function: Callable[..., object], *values: Value) -> Value:
        """Evaluate a primitive or an operator on static values."""
        try:
            return function(*values)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            where.refuse(f"{type(error).__name__}: {error}", node)

    def table(self, where: Expressions, items: Any, node: ast.AST) -> str:
        """Return the name of a table of static numbers. Equal tables share one name."""
        if id(items) in self._tables:
            return self._tables[id(items)]
        if isinstance(items, Computed):
            name = self._tables[id(items)] = f"table__t{len(self.program.tables)}"
            self.program.tables[name] = items
            return name
        if not isinstance(items, tuple | list | range | bytes) or not all(
            isinstance(item, int | float) for item in items
        ):
            where.refuse("no table of numbers", node)
        if not items:
            where.refuse("a place of an empty table", node)
        numbers = tuple(item if isinstance(item, float) else int(item) for item in items)
        numbers = tuple(map(float, numbers)) if any(isinstance(number, float) for number in numbers) else numbers
        same = (
            name
            for name, other in self.program.tables.items()
            if other == numbers and type(other[0]) is type(numbers[0])
        )
        name = next(same, f"table__t{len(self.program.tables)}")
        self.program.tables[name] = numbers
        self._tables[id(items)] = name
        self._alive.append(items)
        return name

    def fresh_name(self, of: str) -> str:
        return f"{of}__v{next(self._numbers)}"
