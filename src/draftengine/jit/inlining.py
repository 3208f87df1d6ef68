"""Inlining of calls in residual functions for CPython, with record fields held in variables.

An expression with calls is replaced by statements, followed by an expression without calls. The order of evaluation is
that of Python, because a value that a later statement could change is saved in a variable.
"""

from __future__ import annotations

import ast
from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

from draftengine.jit.optimize import without_unread
from draftengine.jit.residual import (
    all_statements,
    assigned_names,
    called_names,
    calls,
    ended,
    mentioned_names,
    rebuilt,
)
from draftengine.jit.source_functions import inside, parameters_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from draftengine.jit.residual import Program, Residual

Substitutes: TypeAlias = "Mapping[str, ast.expr]"
"""Expressions for the variables of an inlined function."""
Into: TypeAlias = "ast.Name | None"
"""The variable for the result of statements; ``None`` if the result is not used."""
Made: TypeAlias = "tuple[list[ast.stmt], ast.expr]"
"""Statements, and an expression to evaluate after them."""
LONGEST = 400
"""The largest size of a function, in statements, after its returns were moved to the ends."""
SHORT = 24
"""The largest size of a function inlined at several calls, in statements after inlining its own calls."""
_STAYS = ast.Name("return__")
"""Marker: the function returns within a loop, so its returns stay where they are."""


class Inliner:
    """Inlines the calls of a program."""

    def __init__(self, program: Program, stages: Collection[str]) -> None:
        """Prepare to inline a program whose `stages` are given (see `loops.py`)."""
        self.program = program
        self.stages = stages
        self._count = count()
        self._bodies: dict[str, list[ast.stmt] | None] = {}
        self._kept: set[str] = set()
        self._touched: dict[str, set[str]] = {}

    def whole(self, root: Residual) -> list[ast.FunctionDef]:
        """Return a function with its calls inlined, followed by the functions that it still has to call."""
        residuals = self.program.reachable([root])
        self._kept = {root.name, *self._functions_that_stay(residuals)}
        return [self._made(part) for part in residuals if part.name in self._kept]

    def _functions_that_stay(self, residuals: Sequence[Residual]) -> Iterator[str]:
        """Yield the functions that are not inlined.

        These are stages (which are passed as values), recursive functions, functions that return within a loop, and
        long functions with several callers.
        """
        functions = self.program.functions
        called = {part.name: [name for name in called_names(part.body) if name in functions] for part in residuals}
        often = Counter(name for names in called.values() for name in names)
        mentioned = Counter(name for part in residuals for name in mentioned_names(part.body))
        sizes: dict[str, int] = {}

        def measure(name: str) -> Iterator[str]:
            sizes[name] = -1
            for other in set(called[name]):
                if other not in sizes:
                    yield from measure(other)
                if sizes[other] < 0:  # the measurement of `other` has not finished, so it is recursive
                    yield other
            statements = sum(1 for _ in all_statements(functions[name].body))
            size = statements + sum(sizes[other] for other in called[name])
            stays = mentioned[name] > often[name] or (often[name] > 1 and size > SHORT)
            stays = stays or self._body_of(functions[name]) is None
            sizes[name] = 0 if stays else size
            if stays:
                yield name

        for part in residuals:
            if part.name not in sizes:
                yield from measure(part.name)

    def _made(self, residual: Residual) -> ast.FunctionDef:
        """Return the final form of a function that stays a function: the calls in it are inlined."""
        statements = self._body_of(residual)
        if statements is None:
            body = self.block(residual.body, {}, _STAYS)
        else:
            result = self._fresh("found")
            body = self.block(statements, {}, result)
            if residual.name in self.stages:
                stage = ast.Name(residual.name)
                again = ast.Compare(left=result, ops=[ast.Is()], comparators=[stage])
                body = [ast.Assign(targets=[result], value=stage), ast.While(test=again, body=body, orelse=[])]
            # Fields that are used by called functions and later stages stay in the record.
            touched: set[str] = set()
            for part in (part for statement in body for part in inside(statement) if isinstance(part, ast.Call)):
                for name in (each.id for each in (part.func, *part.args[:1]) if isinstance(each, ast.Name)):
                    if name in self.program.functions:
                        if name not in self._touched:
                            reached = self.program.reachable([self.program.functions[name]])
                            nodes = (node for each in reached for node in inside(each.tree()))
                            self._touched[name] = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
                        touched |= self._touched[name]
            body = _in_variables(residual, body, touched)
            body.append(ast.Return(value=result if result.id in assigned_names(body) else None))
            body = without_unread(body)
        parameters = parameters_of(residual.parameters)
        return ast.FunctionDef(name=residual.name, args=parameters, body=body or [ast.Pass()], decorator_list=[])

    def _body_of(self, residual: Residual) -> list[ast.stmt] | None:
        name = residual.name
        if name not in self._bodies:
            self._bodies[name] = with_returns_last(residual.body, [LONGEST])
        return self._bodies[name]

    def _fresh(self, name: str) -> ast.Name:
        return ast.Name(f"{name.partition('__')[0]}__i{next(self._count)}")

    # ── statements ──

    def block(self, statements: Sequence[ast.stmt], names: Substitutes, into: Into) -> list[ast.stmt]:
        """Return statements with their calls inlined."""
        out: list[ast.stmt] = []
        for statement in statements:
            out += self._statement(statement, names, into)
        return out

    def _statement(self, statement: ast.stmt, names: Substitutes, into: Into) -> list[ast.stmt]:  # noqa: PLR0911 (one for each kind)
        match statement:
            case ast.Assign() | ast.AugAssign():
                return self._assignment(statement, names)
            case ast.Expr(value=value):
                before, made = self.expression(value, names, wanted=False)
                return [*before, *([ast.Expr(value=made)] if calls(made) else [])]
            case ast.Assert(test=test):
                before, made = self.expression(test, names)
                return [*before, ast.Assert(test=made, msg=None)]
            case ast.If(test=test):
                before, made = self.expression(test, names)
                yes, no = self.block(statement.body, names, into), self.block(statement.orelse, names, into)
                if not yes and not no and not calls(made):
                    return before
                return [*before, ast.If(test=made, body=yes or [ast.Pass()], orelse=no)]
            case ast.While():
                before, test = self.expression(statement.test, names)
                inner = self.block(statement.body, names, into) or [ast.Pass()]
                if not before:
                    return [ast.While(test=test, body=inner, orelse=[])]
                leave = ast.If(test=ast.UnaryOp(op=ast.Not(), operand=test), body=[ast.Break()], orelse=[])
                return [ast.While(test=ast.Constant(1), body=[*before, leave, *inner], orelse=[])]
            case ast.For(target=target, iter=ast.Call(func=function, args=[bound])):
                before, made = self.expression(bound, names)
                numbers = ast.Call(func=function, args=[made], keywords=[])
                inner = self.block(statement.body, names, into) or [ast.Pass()]
                return [*before, ast.For(target=self._place(target, names)[1], iter=numbers, body=inner, orelse=[])]
            case ast.Return(value=None):
                return [statement] if into is _STAYS else []
            case ast.Return(value=ast.expr() as value):
                before, made = self.expression(value, names, wanted=into is not None)
                if into is _STAYS:
                    return [*before, ast.Return(value=made)]
                if into:
                    return [*before, ast.Assign(targets=[into], value=made)]
                return [*before, *([ast.Expr(value=made)] if calls(made) else [])]
        assert isinstance(statement, ast.Pass), "residual functions have no other statements"
        return []

    def _assignment(self, statement: ast.Assign | ast.AugAssign, names: Substitutes) -> list[ast.stmt]:
        """Inline calls in an assignment. As in Python, `+=` reads its target before the value is computed."""
        if isinstance(statement, ast.Assign):
            before, made = self.expression(statement.value, names)
            more, place = self._place(statement.targets[0], names)
            if more and not is_stable(made):
                held = self._fresh("held")
                before.append(ast.Assign(targets=[held], value=made))
                made = held
            return [*before, *more, ast.Assign(targets=[place], value=made)]
        first, target = self._place(statement.target, names)
        before, value = self.expression(statement.value, names)
        if not before:
            return [*first, ast.AugAssign(target=target, op=statement.op, value=value)]
        if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Constant):
            index = self._fresh("at")
            first.append(ast.Assign(targets=[index], value=target.slice))
            target = ast.Subscript(value=target.value, slice=index)
        old = self._fresh("old")
        first.append(ast.Assign(targets=[old], value=target))
        changed = ast.Assign(targets=[target], value=ast.BinOp(left=old, op=statement.op, right=value))
        return [*first, *before, changed]

    def _place(self, node: ast.expr, names: Substitutes) -> tuple[list[ast.stmt], Any]:
        if isinstance(node, ast.Subscript):
            before, place = self.expression(node.slice, names)
            return before, ast.Subscript(value=self._based(node.value, names), slice=place)
        return [], self._based(node, names)

    @staticmethod
    def _based(node: ast.expr, names: Substitutes) -> ast.expr:
        """Return a variable, table or field, with its name replaced by its substitute."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return ast.Attribute(value=names.get(node.value.id, node.value), attr=node.attr)
        return names.get(node.id, node) if isinstance(node, ast.Name) else node

    # ── expressions ──

    def expression(self, node: ast.expr, names: Substitutes, *, wanted: bool = True) -> Made:  # noqa: PLR0911 (one for each kind)
        """Return an expression with its calls inlined. If it is not `wanted`, only its effects matter."""
        match node:
            case ast.Call():
                return self._call(node, names, wanted=wanted)
            case ast.BoolOp(op=op, values=[operand, *others]):
                before, result = self.expression(operand, names)
                for operand in others:
                    more, value = self.expression(operand, names)
                    if more:
                        held = self._fresh("held")
                        goes_on = held if isinstance(op, ast.And) else ast.UnaryOp(op=ast.Not(), operand=held)
                        then = [*more, ast.Assign(targets=[held], value=value)]
                        before += [ast.Assign(targets=[held], value=result), ast.If(test=goes_on, body=then, orelse=[])]
                        result = held
                    else:
                        result = ast.BoolOp(op=op, values=[result, value])
                return before, result
            case ast.IfExp():
                before, asked = self.expression(node.test, names)
                (first, yes), (second, no) = self.expression(node.body, names), self.expression(node.orelse, names)
                if not first and not second:
                    return before, ast.IfExp(test=asked, body=yes, orelse=no)
                held = self._fresh("held")
                ways = [
                    [*statements, ast.Assign(targets=[held], value=value)]
                    for statements, value in ((first, yes), (second, no))
                ]
                return [*before, ast.If(test=asked, body=ways[0], orelse=ways[1])], held
            case ast.BinOp(left=left, op=op, right=right):
                before, (one, two) = self._several([left, right], names)
                return before, ast.BinOp(left=one, op=op, right=two)
            case ast.Compare(left=left, ops=ops, comparators=[right]):
                before, (one, two) = self._several([left, right], names)
                return before, ast.Compare(left=one, ops=ops, comparators=[two])
            case ast.UnaryOp(op=op, operand=operand):
                before, inner = self.expression(operand, names)
                return before, ast.UnaryOp(op=op, operand=inner)
            case ast.Subscript():
                return self._place(node, names)
        return [], self._based(node, names)

    def _call(self, node: ast.Call, names: Substitutes, *, wanted: bool) -> Made:
        (name, *_) = called_names([node])
        before, args = self._several(node.args, names)
        residual = self.program.functions.get(name)
        if residual is None or name in self._kept:
            return before, ast.Call(func=ast.Name(name), args=args, keywords=[])
        body = self._body_of(residual)
        assert body is not None, "what cannot be put in place stays"
        number = f"i{next(self._count)}"
        assigned = assigned_names(body)
        inner: dict[str, ast.expr] = {
            variable: ast.Name(f"{variable.replace('__', '_')}__{number}") for variable in assigned
        }
        for parameter, value in zip(residual.parameters, args, strict=True):
            if parameter in assigned or not is_stable(value):
                inner[parameter] = ast.Name(f"{parameter}__{number}")
                before.append(ast.Assign(targets=[inner[parameter]], value=value))
            else:
                inner[parameter] = value
        last = body[-1] if body else None
        if not wanted:
            return [*before, *self.block(body, inner, None)], ast.Constant(0)
        if isinstance(last, ast.Return) and last.value is not None:
            before += self.block(body[:-1], inner, None)
            more, value = self.expression(last.value, inner)
            return [*before, *more], value
        result = self._fresh("found")
        return [*before, *self.block(body, inner, result)], result

    def _several(self, nodes: Iterable[ast.expr], names: Substitutes) -> tuple[list[ast.stmt], list[ast.expr]]:
        """Return expressions that are evaluated one after another, with the statements to carry out before."""
        before: list[ast.stmt] = []
        values: list[ast.expr] = []
        for node in nodes:
            more, value = self.expression(node, names)
            if more:
                for index, old in enumerate(values):
                    if not is_stable(old):
                        held = self._fresh("held")
                        before.append(ast.Assign(targets=[held], value=old))
                        values[index] = held
            before += more
            values.append(value)
        return before, values


def is_stable(node: ast.expr) -> bool:
    """True if an expression keeps its value when any statement is inserted before it."""
    return isinstance(node, ast.Constant | ast.Name)


def with_returns_last(statements: list[ast.stmt], budget: list[int]) -> list[ast.stmt] | None:
    """Return statements with all returns at their ends; ``None`` if impossible or too long."""
    for index, statement in enumerate(statements):
        budget[0] -= 1
        if isinstance(statement, ast.While | ast.For) and _returns(statement):
            return None
        if isinstance(statement, ast.Return):
            return statements[: index + 1]
        if isinstance(statement, ast.If) and _returns(statement):
            rest = statements[index + 1 :]
            ways = []
            for way in (statement.body, statement.orelse):
                ways.append(with_returns_last(way if ended(way) else [*way, *rest], budget))
                if ways[-1] is None or budget[0] < 0:
                    return None
            yes, no = (way or [] for way in ways)
            return [*statements[:index], ast.If(test=statement.test, body=yes or [ast.Pass()], orelse=no)]
    return statements


def _returns(node: ast.stmt) -> bool:
    return any(isinstance(statement, ast.Return) for statement in all_statements([node]))


# ── fields in variables ──


def _in_variables(root: Residual, body: list[ast.stmt], touched: set[str]) -> list[ast.stmt]:
    """Read record fields into variables first, and write them back at the end.

    Fields in `touched` are left alone: other functions use them.
    """
    fields = {name: record.fields for name, record in root.text.records.items()}
    variables: dict[str, ast.expr] = {}

    def variable(node: Any) -> Any:
        match node:
            case ast.Attribute(value=ast.Name(id=record), attr=name) if fields[record][name].way != "split":
                if name in touched and fields[record][name].way == "number":
                    return node
                made = f"{record}__{name}"
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id=record), attr=name), slice=ast.Constant(value=index)
            ):
                if name in touched:
                    return node
                made = f"{record}__{name}__{index!r}"
            case _:
                return node
        variables.setdefault(made, node)
        return ast.Name(made)

    inner = rebuilt(body, variable)
    assigned = assigned_names(inner)
    reads = [ast.Assign(targets=[ast.Name(name)], value=place) for name, place in variables.items()]
    writes = [
        ast.Assign(targets=[place], value=ast.Name(name)) for name, place in variables.items() if name in assigned
    ]
    return [*reads, *inner, *writes]
