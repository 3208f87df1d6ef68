"""Optimising functions for CPython: repeated computations and copies of variables are removed.

A compiler for machine code does this anyway. It also helps in CPython, where every operation makes an object. Only
operations on variables are considered, never operations on memory.
"""

from __future__ import annotations

import ast
from collections import ChainMap
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from draftengine.jit.residual import assigned_names, calls, is_truth, rebuilt
from draftengine.jit.source_functions import children, inside

if TYPE_CHECKING:
    from collections.abc import Iterable

Key: TypeAlias = tuple[object, ...]
"""The key of a computation: its operators, and the versions of its values."""


def tidied(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return shorter statements that have the same effects."""
    body = _Renaming().block(_joined(rebuilt(body, _simplified)))
    seeing = _Seeing()
    seeing.block(body)
    return _Sharing(seeing.often).block(body)


# ── simplifying nodes ───────────────────────────────────────────────────────────────────────────────────────────────


def _simplified(node: Any) -> Any:
    match node:
        case ast.BinOp(left=ast.Constant(value=int()) as one, op=ast.Mult(), right=test) if is_truth(test):
            return ast.IfExp(test=_test(test), body=one, orelse=ast.Constant(0))
        case ast.If() | ast.IfExp() | ast.While():
            node.test = _test(node.test)
    if isinstance(node, ast.If | ast.While | ast.For):
        node.body, node.orelse = _joined(node.body), _joined(node.orelse)
    match node:
        case ast.If(test=test, body=[ast.If(test=same, body=body, orelse=[])], orelse=[]) if _alike(test, same):
            node.body = body
    return node


def _test(node: ast.expr) -> ast.expr:
    """Return a simpler expression that is true in the same cases."""
    match node:
        case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[ast.Constant(value=0)]):
            return left
        case ast.UnaryOp(op=ast.Not(), operand=ast.UnaryOp(op=ast.Not(), operand=operand)):
            return _test(operand)
    return node


def _joined(statements: Iterable[ast.stmt]) -> list[ast.stmt]:
    """Merge adjacent `if` statements with the same test, unless the first changes what the test reads."""
    out: list[ast.stmt] = []
    for statement in statements:
        match out[-1:], statement:
            case [ast.If() as last], ast.If(test=test) if _alike(last.test, test) and _stays(test, last):
                yes, no = _joined(last.body + statement.body), _joined(last.orelse + statement.orelse)
                out[-1] = ast.If(test=test, body=yes, orelse=no)
            case _:
                out.append(statement)
    return out


def _alike(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)


def _stays(node: ast.expr, behind: ast.stmt) -> bool:
    """True if the value of an expression stays the same when a statement is carried out."""
    parts = list(inside(node))
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    return names.isdisjoint(assigned_names([behind])) and not any(
        isinstance(part, ast.Call | ast.Attribute | ast.Subscript) for part in parts
    )


# ── statements, in the order in which they run ──────────────────────────────────────────────────────────────────────


class Known(NamedTuple):
    """A place where the value of an expression can be read, so that it is not computed again."""

    node: ast.expr
    """A variable or a constant; if there is none, the first expression that computes the value."""
    version: int
    """The version of the variable."""


class _Pass:
    """A pass through statements that knows, for each expression, where its value can be found."""

    def __init__(self) -> None:
        self.known: ChainMap[Key, Known] = ChainMap()
        self.before: list[ast.stmt] = []
        """Statements to insert before the current one."""
        self._versions: dict[str, int] = {}
        """Version of each variable; an assignment starts a new one and invalidates its expressions."""
        self._count = count(1)

    def value(self, node: ast.expr, *, certain: bool = True, whole: bool = False) -> ast.expr:
        """Return the replacement of an expression.

        `certain` is true if the expression is always evaluated, `whole` if a variable gets exactly its value.
        """
        raise NotImplementedError

    def key(self, node: ast.expr) -> Key | None:
        """Return the key of an expression; ``None`` if it contains anything but variables and numbers."""
        match node:
            case ast.Name(id=name):
                return name, self.version(name)
            case ast.Constant(value=value):
                return type(value), value
            case ast.BinOp(left=left, op=op, right=right):
                one, two = self.key(left), self.key(right)
                return (type(op), one, two) if one and two else None
        return None

    def version(self, name: str) -> int:
        return self._versions.get(name, 0)

    def found(self, key: Key | None) -> ast.expr | None:
        """Return a variable, constant or expression with the value of `key`; ``None`` if none is known."""
        known = self.known.get(key) if key else None
        if known is None or (isinstance(known.node, ast.Name) and self.version(known.node.id) != known.version):
            return None
        return known.node

    def block(self, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for statement in statements:
            before: list[ast.stmt] = []
            made, names = statement, assigned_names([statement])
            match statement:
                case ast.Assign(targets=[target], value=value):
                    key = self.key(value)
                    made = ast.Assign(targets=[self._place(target)], value=self.value(value, whole=_is_name(target)))
                    self._gives(target, key, made.value)
                case ast.AugAssign(target=target, op=op, value=value):
                    made = ast.AugAssign(target=self._place(target), op=op, value=self.value(value))
                    self._gives(target, None, None)
                case ast.If(test=test, body=body, orelse=orelse):
                    test, before = self.value(test), self._first()
                    made = ast.If(test=test, body=self._inner(body), orelse=self._inner(orelse))
                    self._changed(names)
                case ast.While(test=test, body=body):
                    self._changed(names)
                    made = ast.While(test=self.value(test, certain=False), body=self._inner(body), orelse=[])
                    self._changed(names)
                case ast.For(target=target, iter=numbers, body=body):
                    numbers, before = self.value(numbers), self._first()
                    self._changed(names)
                    made = ast.For(target=target, iter=numbers, body=self._inner(body), orelse=[])
                    self._changed(names)
                case ast.Return(value=ast.expr() as value) | ast.Expr(value=value):
                    made = type(statement)(value=self.value(value))
                case ast.Assert():
                    made = ast.Assert(test=self.value(statement.test), msg=None)
            out += [*before, *self._first(), made]
        return out

    def _first(self) -> list[ast.stmt]:
        before, self.before = self.before, []
        return before

    def _place(self, target: Any) -> Any:
        if isinstance(target, ast.Subscript):
            return ast.Subscript(value=target.value, slice=self.value(target.slice))
        return target

    def _gives(self, target: ast.expr, key: Key | None, value: ast.expr | None) -> None:
        """Record that a target has been assigned a value."""
        if isinstance(target, ast.Name):
            version = self.version(value.id) if isinstance(value, ast.Name) else 0
            self._changed([target.id])
            if isinstance(value, ast.Name | ast.Constant):
                self.known[target.id, self.version(target.id)] = Known(value, version)
            elif key:
                self.known[key] = Known(target, self.version(target.id))

    def _changed(self, names: Iterable[str]) -> None:
        for name in names:
            self._versions[name] = next(self._count)

    def _inner(self, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
        """Return rewritten statements. What becomes known within them is forgotten afterwards."""
        self.known = self.known.new_child()
        made = self.block(statements)
        self.known = self.known.parents
        return made


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name)


class _Renaming(_Pass):
    """A pass that replaces a variable by the variable or constant from which it was copied."""

    def value(self, node: ast.expr, *, certain: bool = True, whole: bool = False) -> ast.expr:  # noqa: ARG002
        made: ast.expr = rebuilt(node, lambda part: (self.found(self.key(part)) if _is_name(part) else None) or part)
        return made


class _Seeing(_Pass):
    """A pass that finds expressions that are computed several times."""

    def __init__(self) -> None:
        super().__init__()
        self.often: set[int] = set()
        """The identity (`id`) of the first node of each expression that is computed again later."""

    def value(self, node: ast.expr, *, certain: bool = True, whole: bool = False) -> ast.expr:
        key = self.key(node) if isinstance(node, ast.BinOp) else None
        if key:
            earlier = self.found(key)
            if earlier:
                self.often |= {id(earlier)} if not _is_name(earlier) else set()
                return node
            if certain and not whole:
                self.known[key] = Known(node, 0)
        for index, child in enumerate(part for part in children(node) if isinstance(part, ast.expr)):
            self.value(child, certain=certain and (index == 0 or not isinstance(node, ast.BoolOp | ast.IfExp)))
        return node


class _Sharing(_Pass):
    """A pass that keeps repeated computations in variables."""

    def __init__(self, often: set[int]) -> None:
        super().__init__()
        self._often = often

    def value(self, node: ast.expr, *, certain: bool = True, whole: bool = False) -> ast.expr:  # noqa: ARG002
        key = self.key(node) if isinstance(node, ast.BinOp) else None
        earlier = self.found(key)
        if earlier:
            return earlier
        parts = {name: self._part(value) for name, value in vars(node).items() if name in node._fields}
        made: ast.expr = type(node)(**parts)
        if key is None or id(node) not in self._often:
            return made
        held = ast.Name(f"held__s{next(self._count)}")
        self.before.append(ast.Assign(targets=[held], value=made))
        self.known[key] = Known(held, 0)
        return held

    def _part(self, part: Any) -> Any:
        if isinstance(part, list):
            return list(map(self._part, part))
        return self.value(part) if isinstance(part, ast.expr) else part


# ── unread variables ──────────────────────────────────────────────────────────────────────────────────────────────────


def without_unread(body: list[ast.stmt]) -> list[ast.stmt]:
    """Remove assignments to variables that are never read."""
    while True:
        names: set[str] = set()
        wanted: list[ast.AST] = list(body)
        while wanted:
            match wanted.pop():
                case ast.Assign(targets=[ast.Name()], value=value) | ast.AugAssign(target=ast.Name(), value=value):
                    wanted.append(value)
                case ast.Name(id=name):
                    names.add(name)
                case node:
                    wanted += children(node)
        unread = assigned_names(body) - names
        if not unread:
            return body
        body = _kept(body, unread)


def _kept(statements: list[ast.stmt], unread: set[str]) -> list[ast.stmt]:
    """Return statements without assignments to the variables in `unread`."""
    out: list[ast.stmt] = []
    for statement in statements:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AugAssign(target=ast.Name(id=name), value=value)
            ) if name in unread:
                out += [ast.Expr(value=value)] if calls(value) else []
            case ast.If(test=test, body=body, orelse=orelse):
                yes, no = _kept(body, unread), _kept(orelse, unread)
                if yes or no or calls(test):
                    out.append(ast.If(test=test, body=yes or [ast.Pass()], orelse=no))
            case ast.While(test=test, body=body):
                out.append(ast.While(test=test, body=_kept(body, unread) or [ast.Pass()], orelse=[]))
            case ast.For(target=target, iter=numbers, body=body):
                inner = _kept(body, unread) or [ast.Pass()]
                out.append(ast.For(target=target, iter=numbers, body=inner, orelse=[]))
            case _:
                out.append(statement)
    return out
