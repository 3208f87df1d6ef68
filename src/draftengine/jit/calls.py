"""Specialising calls: of functions of kernel source, of primitives, and of `sum`, `min` and others."""

from __future__ import annotations

import ast
from types import BuiltinFunctionType, FunctionType
from typing import TYPE_CHECKING, Any

from draftengine.jit.expressions import Expressions
from draftengine.jit.primitives import COMPUTING, unknown
from draftengine.jit.records import RecordType
from draftengine.jit.residual import APPLIED, DYNAMIC, UNSET, Env, Value, calls, rebuilt, truth
from draftengine.jit.source_functions import inside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from draftengine.jit.residual import Residual
    from draftengine.jit.source_functions import Text

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
            return self._applied(APPLIED[function](), node, env)
        return self._primitive(function, node, env)

    def _applied(self, op: ast.operator | ast.cmpop, node: ast.Call, env: Env) -> Value:
        """Specialise a call of a function of `operator` as the operator itself."""
        one, two = (self.value(arg, env) for arg in node.args)
        return self.compared(op, one, two, node) if isinstance(op, ast.cmpop) else self.binary(op, one, two, node)

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
            values = (self._as_truth(item) for item in items)
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

    @staticmethod
    def _as_truth(value: Value) -> Value:
        return truth(value) if isinstance(value, ast.expr) else value

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
