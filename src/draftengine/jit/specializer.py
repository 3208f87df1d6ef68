"""The specialiser: evaluates kernel source on its static arguments and leaves residual functions.

    specialiser = Specialiser([flow, choices])
    run = specialiser.function(flow.simulate, [DYNAMIC, plan, DYNAMIC])

Static expressions are evaluated at once. Every call is specialised for its static arguments, once for each combination
of their values. This is called *polyvariant* specialisation. Static statements are executed, so static branches and
loops disappear; all other statements stay in the residual function. Code outside the dialect raises
`SpecialisationError`.
"""

from __future__ import annotations

import ast
from itertools import count
from typing import TYPE_CHECKING, Any

from draftengine.jit.expressions import Expressions
from draftengine.jit.interpreter_settings import one_at_a_time
from draftengine.jit.primitives import Computed, dynamic_range, row
from draftengine.jit.records import RecordType
from draftengine.jit.residual import (
    DYNAMIC,
    UNSET,
    Env,
    Program,
    Residual,
    Row,
    Value,
    all_statements,
    calls,
    constant,
    ended,
    is_neutral,
    key_of,
)
from draftengine.jit.source_functions import CodeTooLarge, Place, SpecialisationError, Text, texts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import ModuleType


__all__ = ["DYNAMIC", "SpecialisationError", "Specialiser"]

MOST_FUNCTIONS, MOST_STATEMENTS = 40_000, 70_000
"""Limits of a residual program. If there are more functions, recursion is assumed to be endless.

A long formula becomes a function for nearly every node and seat. A search of a game with a hundred scoring cards and
six players has 26,000 functions and 51,000 statements. Compiling it takes some ten seconds.
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


class Statements:
    """The specialiser of the statements of one function, for given static arguments."""

    def __init__(self, whole: Specialiser, text: Text) -> None:
        self.whole, self.text = whole, text
        self.inside = Expressions(whole, text)
        """Specialiser of the expressions inside the statements."""
        self._objects: list[tuple[ast.Return, Value]] = []
        """The `return` statements of the function whose static values are not numbers, with these values."""

    def whole_body(self, env: Env) -> list[ast.stmt]:
        """Return the residual body.

        A function may return a static object only if its residual body is nothing but this return.
        """
        out = self.body(self.text.tree.body, env)
        alone = len(out) == 1 and isinstance(out[0], ast.Return)
        for node, value in [] if alone else self._objects:
            self.inside.number(value, node)
        return out

    def body(self, statements: Sequence[ast.stmt], env: Env) -> list[ast.stmt]:
        """Return the residual statements. Update `env` to the values after the statements."""
        out: list[ast.stmt] = []
        for statement in statements:
            for made in self._statement(statement, env):
                made.lineno = statement.lineno if not hasattr(made, "lineno") else made.lineno
                out.append(made)
            if ended(out):
                break
        return out

    def _statement(self, statement: ast.stmt, env: Env) -> list[ast.stmt]:  # noqa: PLR0911, PLR0912, C901 (one for each kind)
        match statement:
            case ast.Assign(targets=[target], value=value):
                return self._assigned(target, value, env)
            case ast.Assign():
                self.inside.refuse("several targets", statement)
            case ast.AnnAssign(target=target, value=value):
                return [] if value is None else self._assigned(target, value, env)
            case ast.AugAssign():
                return self._aug_assign(statement, env)
            case ast.If():
                return self._if(statement, env)
            case ast.While():
                if statement.orelse:
                    self.inside.refuse("an `else` of a loop", statement)
                before = self._freed(self.text.stored(statement), env)
                test = self.inside.test(statement.test, env)
                if not isinstance(test, ast.expr):
                    if not test:
                        return before
                    test = ast.Constant(1)
                return [*before, ast.While(test=test, body=self._repeated(statement, env), orelse=[])]
            case ast.For():
                return self._for(statement, env)
            case ast.Return(value=None):
                return [ast.Return(value=None)]
            case ast.Return(value=ast.expr() as value):
                result = self.inside.value(value, env)
                if isinstance(result, ast.expr | int | float):
                    return [ast.Return(value=self.inside.number(result, statement))]
                self._objects.append((statement, result))
                known: Any = result
                return [ast.Return(value=ast.Constant(known))]
            case ast.Expr(value=ast.Call() as call):
                made = self.inside.call(call, env, valued=False)
                return [ast.Expr(value=made)] if isinstance(made, ast.expr) and calls(made) else []
            case ast.Expr() if not isinstance(statement.value, ast.Constant):
                self.inside.refuse("an expression that does nothing", statement)
            case ast.Assert():
                test = self.inside.test(statement.test, env)
                if isinstance(test, ast.expr):
                    return [ast.Assert(test=test, msg=None)]
                if not test:
                    self.inside.refuse("this does not hold", statement)
            case _ if not isinstance(statement, ast.Pass | ast.Expr):
                self.inside.refuse(f"the dialect has no {type(statement).__name__}", statement)
        return []

    # ── assignments ──

    def _assigned(self, target: ast.expr, value: ast.expr, env: Env) -> list[ast.stmt]:
        if (
            isinstance(value, ast.Call)
            and isinstance(target, ast.Name)
            and self.inside.known(value.func, env) == (True, row)
        ):
            known, length = self.inside.known(value.args[0], env)
            if not known or not isinstance(length, int):
                self.inside.refuse("a row of unknown length", value)
            made = env[target.id] = Row(target.id, length)
            return [ast.Assign(targets=[made.variable(index)], value=ast.Constant(0)) for index in range(length)]
        if isinstance(target, ast.Tuple):
            return self._unpacked(target, value, env)
        return self._put(target, self.inside.value(value, env), env)

    def _unpacked(self, target: ast.Tuple, value: ast.expr, env: Env) -> list[ast.stmt]:
        """Assign several values at once. Dynamic values are saved until all are computed."""
        if not isinstance(value, ast.Tuple) or len(value.elts) != len(target.elts):
            self.inside.bind(target, self.inside.known_items(value, env, "several values from what is not known"), env)
            return []
        out: list[ast.stmt] = []
        values = [self.inside.value(element, env) for element in value.elts]
        for index, item in enumerate(values):
            if isinstance(item, ast.expr) and not isinstance(item, ast.Constant):
                held = ast.Name(self.whole.fresh_name("held"))
                out.append(ast.Assign(targets=[held], value=item))
                values[index] = held
        for one, item in zip(target.elts, values, strict=True):
            out += self._put(one, item, env)
        return out

    def _put(self, target: ast.expr, value: Value, env: Env) -> list[ast.stmt]:
        if isinstance(target, ast.Tuple) and not isinstance(value, ast.expr):
            self.inside.bind(target, value, env)
            return []
        if isinstance(target, ast.Name):
            if isinstance(env.get(target.id), RecordType):
                self.inside.refuse("another value for a record", target)
            env[target.id] = DYNAMIC if isinstance(value, ast.expr) else value
            return [ast.Assign(targets=[ast.Name(target.id)], value=value)] if isinstance(value, ast.expr) else []
        return [ast.Assign(targets=[self._target(target, env)], value=self.inside.number(value, target))]

    def _aug_assign(self, statement: ast.AugAssign, env: Env) -> list[ast.stmt]:
        target, value = statement.target, self.inside.value(statement.value, env)
        if isinstance(target, ast.Name):
            old = self.inside.value(ast.copy_location(ast.Name(target.id, ast.Load()), target), env)
            new = self.inside.binary(statement.op, old, value, statement)
            return [] if isinstance(new, ast.Name) and new.id == target.id else self._put(target, new, env)
        target = self._target(target, env)
        if is_neutral(statement.op, value) and not calls(target):
            return []
        return [ast.AugAssign(target=target, op=statement.op, value=self.inside.number(value, statement))]

    def _target(self, node: ast.expr, env: Env) -> Any:
        """Return the residual expression to which a value is assigned."""
        known = isinstance(node, ast.Subscript | ast.Attribute) and self.inside.known(node.value, env)[0]
        if known or not isinstance(node, ast.Attribute | ast.Subscript):
            self.inside.refuse("an assignment to this", node)
        return self.inside.value(node, env)

    # ── branches ──

    def _if(self, statement: ast.If, env: Env) -> list[ast.stmt]:
        test = self.inside.test(statement.test, env)
        if not isinstance(test, ast.expr):
            return self.body(statement.body if test else statement.orelse, env)
        one, two = dict(env), dict(env)
        yes, no = self.body(statement.body, one), self.body(statement.orelse, two)
        if ended(yes) or ended(no):
            env.update(two if ended(yes) else one)
        else:
            for name in self.text.stored(statement):
                env[name] = self._joined(name, (one.get(name, UNSET), yes), (two.get(name, UNSET), no))
        if not yes and not no and not calls(test):
            return []
        return [ast.If(test=test, body=yes or [ast.Pass()], orelse=no)]

    def _joined(self, name: str, *ways: tuple[Value, list[ast.stmt]]) -> Value:
        """Return the value of a name after two branches. If the values differ, each branch sets a variable."""
        (one, _), (two, _) = ways
        if one is two or key_of(one) == key_of(two):
            return one
        if not all(value is DYNAMIC or isinstance(value, int | float) for value, _ in ways):
            return UNSET
        for value, statements in ways:
            if isinstance(value, int | float):
                statements.append(_variable(name, value))
        return DYNAMIC

    # ── loops ──

    def _for(self, statement: ast.For, env: Env) -> list[ast.stmt]:
        if statement.orelse:
            self.inside.refuse("an `else` of a loop", statement)
        if isinstance(statement.iter, ast.Call) and self.inside.known(statement.iter.func, env) == (
            True,
            dynamic_range,
        ):
            # Specialise a loop over the numbers below a bound, which is not unrolled.
            if not isinstance(statement.target, ast.Name):
                self.inside.refuse("several targets", statement)
            count = self.inside.number(self.inside.value(statement.iter.args[0], env), statement.iter)
            before = self._freed([name for name in self.text.stored(statement) if name != statement.target.id], env)
            env[statement.target.id] = DYNAMIC
            numbers = ast.Call(func=ast.Name("range"), args=[count], keywords=[])
            body = self._repeated(statement, env)
            env[statement.target.id] = UNSET
            return [*before, ast.For(target=ast.Name(statement.target.id), iter=numbers, body=body, orelse=[])]
        out: list[ast.stmt] = []
        for value in self.inside.known_items(statement.iter, env, "an unknown bound of an unrolled loop"):
            self.inside.bind(statement.target, value, env)
            out += self.body(statement.body, env)
            if ended(out):
                break
        return out

    def _freed(self, names: Iterable[str], env: Env) -> list[ast.stmt]:
        """Turn the names that a residual loop assigns into variables before it."""
        before: list[ast.stmt] = []
        for name in names:
            value = env.get(name, UNSET)
            if isinstance(value, int | float):
                before.append(_variable(name, value))
                env[name] = DYNAMIC
            elif value is not DYNAMIC:
                env[name] = UNSET
        return before

    def _repeated(self, statement: ast.While | ast.For, env: Env) -> list[ast.stmt]:
        """Return the body of a residual loop. At its end, static values are written to variables."""
        inner = dict(env)
        out = self.body(statement.body, inner)
        for name in self.text.stored(statement):
            value = inner.get(name, UNSET)
            if env.get(name) is DYNAMIC and value is not DYNAMIC and not ended(out):
                if not isinstance(value, int | float):
                    self.inside.refuse(f"{name} has no value, or not the same known one, on every way", statement)
                out.append(_variable(name, value))
        return out or [ast.Pass()]


def _variable(name: str, value: float) -> ast.Assign:
    return ast.Assign(targets=[ast.Name(name)], value=constant(value))
