"""Specialising statements and calls: static ones are executed, static branches and loops disappear.

All others stay in the residual function.
"""

from __future__ import annotations

import ast
from types import BuiltinFunctionType, FunctionType
from typing import TYPE_CHECKING, Any

from draftengine.jit.expressions import Expressions
from draftengine.jit.primitives import COMPUTING, dynamic_range, row, unknown
from draftengine.jit.records import RecordType
from draftengine.jit.residual import (
    APPLIED,
    DYNAMIC,
    UNSET,
    Env,
    Row,
    Value,
    calls,
    constant,
    ended,
    is_neutral,
    key_of,
    rebuilt,
    truth,
)
from draftengine.jit.source_functions import inside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from draftengine.jit.residual import Residual
    from draftengine.jit.source_functions import Text
    from draftengine.jit.specializer import Specialiser


GATHERING: Mapping[Any, str] = {function: function.__name__ for function in (sum, min, max, any, all)}


class Calls(Expressions):
    """Specialiser of the expressions of one function, including calls."""

    def call(self, node: ast.Call, env: Env, *, valued: bool = True) -> Value:
        """Specialise a call; `valued`: its result is used."""
        known, function = self.known(node.func, env)
        if not known:
            self.refuse("an unknown function", node)
        if not isinstance(function, FunctionType | BuiltinFunctionType):
            self.refuse("a function that is not in kernel source, of what is not known", node)
        if function in self.whole.texts:
            return self._text_call(self.whole.texts[function], node, env, valued=valued)
        if function in GATHERING and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return self._gathered(GATHERING[function], node, node.args[0], env)
        if function in APPLIED and len(node.args) == 2 and not node.keywords:  # noqa: PLR2004 (a binary operator)
            # A function of `operator` is the operator itself.
            op, (one, two) = APPLIED[function](), (self.value(arg, env) for arg in node.args)
            return self.compared(op, one, two, node) if isinstance(op, ast.cmpop) else self.binary(op, one, two, node)
        return self._primitive(function, node, env)

    def _primitive(self, function: Callable[..., object], node: ast.Call, env: Env) -> Value:
        if function not in COMPUTING and function is not unknown:
            self.refuse("a function that is not in kernel source, of what is not known", node)
        if node.keywords:
            self.refuse("a primitive takes no keywords", node)
        values = [self.value(arg, env) for arg in node.args]
        if function is unknown:
            return self.number(values[0], node)
        if not any(isinstance(value, ast.expr) for value in values):
            return self.whole.computed(self, node, function, *values)
        arguments = [self.number(value, node) for value in values]
        return ast.Call(func=ast.Name(COMPUTING[function]), args=arguments, keywords=[])

    def _text_call(self, text: Text, node: ast.Call, env: Env, *, valued: bool) -> Value:
        given = {name: self._argument(text, name, argument, env) for name, argument in self._arguments(text, node)}
        values = {name: given[name] if name in given else text.defaults.get(name, UNSET) for name in text.parameters}
        if UNSET in values.values():
            self.refuse("an argument is missing", node)
        known = {name: DYNAMIC if isinstance(value, ast.expr) else value for name, value in values.items()}
        residual = self.whole.residual(text, known, self.text.place(node))
        arguments = {name: self.number(values[name], node) for name in residual.parameters}
        acting = [name for name in given if name in arguments and calls(arguments[name])]
        if acting and [name for name in given if name in arguments] != [*arguments]:
            self.refuse("arguments that act, not in the order of the parameters", node)
        records = [
            argument.id
            for name, argument in arguments.items()
            if name in text.records and isinstance(argument, ast.Name)
        ]
        if len(set(records)) < len(records):
            self.refuse("one record under two names", node)
        if valued:
            self.whole.valued.append((residual, self, node, tuple(self.whole.calls)))
        return unfolded(residual, arguments, valued=valued)

    def _arguments(self, text: Text, node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
        """Yield the parameters of a call with their arguments as written, in the order of the arguments."""
        only_by_name = {argument.arg for argument in text.tree.args.kwonlyargs}
        positional = [name for name in text.parameters if name not in only_by_name]
        if len(node.args) > len(positional):
            self.refuse(f"{text.name} takes {len(positional)} arguments", node)
        seen = positional[: len(node.args)]
        for name, arg in zip(positional, node.args, strict=False):
            if isinstance(arg, ast.Starred):
                self.refuse("any number of arguments", node)
            yield name, arg
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg not in text.parameters or keyword.arg in seen:
                self.refuse(f"{text.name} has no such parameter left", node)
            yield keyword.arg, keyword.value

    def _argument(self, text: Text, name: str, node: ast.expr, env: Env) -> Value:
        given = env.get(node.id) if isinstance(node, ast.Name) else None
        if name in text.records:
            if not isinstance(node, ast.Name) or given is not text.records[name]:
                self.refuse(f"{text.name} wants a record {text.records[name].__name__} for {name}", node)
            return ast.Name(node.id)
        if isinstance(given, RecordType):
            self.refuse(f"{text.name} declares no record for {name}", node)
        return self.value(node, env)

    # ── sum, min, max, any and all of generators ──

    def _gathered(self, how: str, node: ast.Call, made: ast.GeneratorExp, env: Env) -> Value:
        items = self._items(made, env)
        if how in {"any", "all"}:
            values = (truth(item) if isinstance(item, ast.expr) else item for item in items)
            result = self.logic(node, ast.Or() if how == "any" else ast.And(), values, tested=True)
            return truth(result) if isinstance(result, ast.expr) else bool(result)
        values_found = list(items)
        if how == "sum":
            total: Value = 0
            for value in values_found:
                total = self.binary(ast.Add(), total, value, node)
            return total
        if not values_found:
            self.refuse("nothing to choose from", node)
        best = values_found[0]
        for value in values_found[1:]:
            if isinstance(best, ast.expr) or isinstance(value, ast.expr):
                both = [self.number(best, node), self.number(value, node)]
                best = ast.Call(func=ast.Name(how), args=both, keywords=[])
            else:
                best = self.whole.computed(self, node, min if how == "min" else max, best, value)
        return best

    def _items(self, made: ast.GeneratorExp, env: Env) -> Iterator[Value]:
        if len(made.generators) != 1:
            self.refuse("one loop inside another", made)
        (loop,) = made.generators
        for item in self.known_items(loop.iter, env, "an unknown bound of an unrolled loop"):
            inner = dict(env)
            self.bind(loop.target, item, inner)
            tests = [self.test(condition, inner) for condition in loop.ifs]
            if any(isinstance(test, ast.expr) for test in tests):
                self.refuse("an unknown choice of what is gathered", made)
            if all(tests):
                yield self.value(made.elt, inner)


class Statements(Calls):
    """Specialiser of the statements of one function, for its static arguments."""

    def __init__(self, whole: Specialiser, text: Text) -> None:
        super().__init__(whole, text)
        self._objects: list[tuple[ast.Return, Value]] = []
        """Returns of static values that are not numbers."""

    def whole_body(self, env: Env) -> list[ast.stmt]:
        """Return the residual body. Only a function that does nothing else may return a static object."""
        out = self.body(self.text.tree.body, env)
        alone = len(out) == 1 and isinstance(out[0], ast.Return)
        for node, value in [] if alone else self._objects:
            self.number(value, node)
        return out

    def body(self, statements: Sequence[ast.stmt], env: Env) -> list[ast.stmt]:
        """Return the residual statements, and update `env` to the values after them."""
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
                self.refuse("several targets", statement)
            case ast.AnnAssign(target=target, value=value):
                return [] if value is None else self._assigned(target, value, env)
            case ast.AugAssign():
                return self._aug_assign(statement, env)
            case ast.If():
                return self._if(statement, env)
            case ast.While():
                return self._while(statement, env)
            case ast.For():
                return self._for(statement, env)
            case ast.Return():
                return self._return(statement, env)
            case ast.Expr(value=ast.Call() as call):
                made = self.call(call, env, valued=False)
                return [ast.Expr(value=made)] if isinstance(made, ast.expr) and calls(made) else []
            case ast.Expr() if not isinstance(statement.value, ast.Constant):
                self.refuse("an expression that does nothing", statement)
            case ast.Assert():
                test = self.test(statement.test, env)
                if isinstance(test, ast.expr):
                    return [ast.Assert(test=test, msg=None)]
                if not test:
                    self.refuse("this does not hold", statement)
            case _ if not isinstance(statement, ast.Pass | ast.Expr):
                self.refuse(f"the dialect has no {type(statement).__name__}", statement)
        return []

    def _return(self, statement: ast.Return, env: Env) -> list[ast.stmt]:
        if statement.value is None:
            return [ast.Return(value=None)]
        value = self.value(statement.value, env)
        if isinstance(value, ast.expr | int | float):
            return [ast.Return(value=self.number(value, statement))]
        self._objects.append((statement, value))
        known: Any = value
        return [ast.Return(value=ast.Constant(known))]

    # ── assignments ──

    def _assigned(self, target: ast.expr, value: ast.expr, env: Env) -> list[ast.stmt]:
        if isinstance(value, ast.Call) and isinstance(target, ast.Name) and self.known(value.func, env) == (True, row):
            known, length = self.known(value.args[0], env)
            if not known or not isinstance(length, int):
                self.refuse("a row of unknown length", value)
            made = env[target.id] = Row(target.id, length)
            return [ast.Assign(targets=[made.variable(index)], value=ast.Constant(0)) for index in range(length)]
        if isinstance(target, ast.Tuple):
            return self._unpacked(target, value, env)
        return self._put(target, self.value(value, env), env)

    def _unpacked(self, target: ast.Tuple, value: ast.expr, env: Env) -> list[ast.stmt]:
        """Assign several values at once; dynamic ones are saved until all are computed."""
        if not isinstance(value, ast.Tuple) or len(value.elts) != len(target.elts):
            self.bind(target, self.known_items(value, env, "several values from what is not known"), env)
            return []
        out: list[ast.stmt] = []
        values = [self.value(element, env) for element in value.elts]
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
            self.bind(target, value, env)
            return []
        if isinstance(target, ast.Name):
            if isinstance(env.get(target.id), RecordType):
                self.refuse("another value for a record", target)
            env[target.id] = DYNAMIC if isinstance(value, ast.expr) else value
            return [ast.Assign(targets=[ast.Name(target.id)], value=value)] if isinstance(value, ast.expr) else []
        return [ast.Assign(targets=[self._target(target, env)], value=self.number(value, target))]

    def _aug_assign(self, statement: ast.AugAssign, env: Env) -> list[ast.stmt]:
        value = self.value(statement.value, env)
        if isinstance(statement.target, ast.Name):
            new = self.binary(
                statement.op,
                self.value(ast.copy_location(ast.Name(statement.target.id, ast.Load()), statement.target), env),
                value,
                statement,
            )
            if isinstance(new, ast.Name) and new.id == statement.target.id:
                return []
            return self._put(statement.target, new, env)
        target = self._target(statement.target, env)
        if is_neutral(statement.op, value) and not calls(target):
            return []
        return [ast.AugAssign(target=target, op=statement.op, value=self.number(value, statement))]

    def _target(self, node: ast.expr, env: Env) -> Any:
        """Return the place that a value is written to."""
        known = isinstance(node, ast.Subscript | ast.Attribute) and self.known(node.value, env)[0]
        if known or not isinstance(node, ast.Attribute | ast.Subscript):
            self.refuse("an assignment to this", node)
        return self.value(node, env)

    # ── branches ──

    def _if(self, statement: ast.If, env: Env) -> list[ast.stmt]:
        test = self.test(statement.test, env)
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
        """Return the value of a name after two branches; where they differ, each sets a variable."""
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

    def _while(self, statement: ast.While, env: Env) -> list[ast.stmt]:
        if statement.orelse:
            self.refuse("an `else` of a loop", statement)
        before = self._freed(self.text.stored(statement), env)
        test = self.test(statement.test, env)
        if not isinstance(test, ast.expr):
            if not test:
                return before
            test = ast.Constant(1)
        return [*before, ast.While(test=test, body=self._repeated(statement, env), orelse=[])]

    def _for(self, statement: ast.For, env: Env) -> list[ast.stmt]:
        if statement.orelse:
            self.refuse("an `else` of a loop", statement)
        if isinstance(statement.iter, ast.Call) and self.known(statement.iter.func, env) == (True, dynamic_range):
            # Specialise a loop over the numbers below a bound, which stays a loop.
            if not isinstance(statement.target, ast.Name):
                self.refuse("several targets", statement)
            count = self.number(self.value(statement.iter.args[0], env), statement.iter)
            before = self._freed([name for name in self.text.stored(statement) if name != statement.target.id], env)
            env[statement.target.id] = DYNAMIC
            numbers = ast.Call(func=ast.Name("range"), args=[count], keywords=[])
            body = self._repeated(statement, env)
            env[statement.target.id] = UNSET
            return [*before, ast.For(target=ast.Name(statement.target.id), iter=numbers, body=body, orelse=[])]
        out: list[ast.stmt] = []
        for value in self.known_items(statement.iter, env, "an unknown bound of an unrolled loop"):
            self.bind(statement.target, value, env)
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
        """Return the body of a residual loop; static values are written to variables at its end."""
        inner = dict(env)
        out = self.body(statement.body, inner)
        for name in self.text.stored(statement):
            value = inner.get(name, UNSET)
            if env.get(name) is DYNAMIC and value is not DYNAMIC and not ended(out):
                if not isinstance(value, int | float):
                    self.refuse(f"{name} has no value, or not the same known one, on every way", statement)
                out.append(_variable(name, value))
        return out or [ast.Pass()]


def _variable(name: str, value: float) -> ast.Assign:
    return ast.Assign(targets=[ast.Name(name)], value=constant(value))


def unfolded(residual: Residual, arguments: Mapping[str, ast.expr], *, valued: bool) -> Value:
    """Return a call, or in its place the function's only expression if that repeats no computation."""
    call = ast.Call(func=ast.Name(residual.name), args=list(arguments.values()), keywords=[])
    if not residual.finished or len(residual.body) > 1 or any(map(calls, arguments.values())):
        return call
    only = residual.body[0] if residual.body else None
    if not isinstance(only, ast.Return) or only.value is None:
        return call if valued or only is not None else None
    if isinstance(only.value, ast.Constant):
        return only.value.value
    if all(isinstance(argument, ast.Name) and argument.id == name for name, argument in arguments.items()):
        return only.value  # copying a formula of many parts would multiply it at each level
    simple = {name for name, argument in arguments.items() if isinstance(argument, ast.Name | ast.Constant)}
    used = [node.id for node in inside(only.value) if isinstance(node, ast.Name)]
    twice = {name for name in used if used.count(name) > 1}
    if (twice | (set(arguments) if calls(only.value) else set())) & set(arguments) - simple:
        return call
    return rebuilt(only.value, lambda node: arguments.get(node.id, node) if isinstance(node, ast.Name) else node)
