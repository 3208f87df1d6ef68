"""Values of the specialiser, and its results: residual functions, as trees of Python's own `ast`.

A value is an `ast.expr` (dynamic, to be computed later) or any other object (static). An environment maps each local
name to its value. Special values are `DYNAMIC` for a variable of that name, `UNSET` for a name without a value on some
path, a record class for a record, and a `Row` for a local row.

In a residual tree, a call names a residual function or a primitive. A subscript reads a field of a record or a table.
Every loop is `while` or `for … in range(…)`. A statement has the line number of the source from which it was made.
Names made by the specialiser have two underscores, which names in the source never have.
"""

from __future__ import annotations

import ast
import operator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from draftengine.jit.primitives import COMPUTING, Computed
from draftengine.jit.records import RecordType
from draftengine.jit.source_functions import children, inside, parameters_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from draftengine.jit.source_functions import Text

_PURE = frozenset(COMPUTING.values())


@dataclass(eq=False)
class Residual:
    """A residual function: the part of a function that is left once its static arguments are used."""

    name: str
    text: Text
    """The function in kernel source from which it was made."""
    known: dict[str, object]
    """The value of each parameter of `text`; `DYNAMIC` for parameters that are not static."""
    parameters: tuple[str, ...]
    """The dynamic parameters, in order."""
    body: list[ast.stmt] = field(default_factory=list)
    finished: bool = False

    def tree(self) -> ast.FunctionDef:
        """Return the function as a syntax tree of Python."""
        body = self.body or [ast.Pass()]
        return ast.FunctionDef(name=self.name, args=parameters_of(self.parameters), body=body, decorator_list=[])


@dataclass
class Program:
    """Residual functions that call each other, and their tables."""

    functions: dict[str, Residual] = field(default_factory=dict)
    tables: dict[str, tuple[int, ...] | tuple[float, ...] | Computed] = field(default_factory=dict)

    def reachable(self, roots: Iterable[Residual]) -> list[Residual]:
        """Return `roots` and all functions that they call, directly or indirectly; callers first."""
        reached: dict[str, Residual] = {}
        wanted = [root.name for root in reversed(list(roots))]
        while wanted:
            name = wanted.pop()
            if name not in reached:
                reached[name] = residual = self.functions[name]
                wanted += [other for other in mentioned_names(residual.body) if other in self.functions]
        return list(reached.values())

    def source(self, roots: Iterable[Residual]) -> str:
        """Return the source of `roots` and of all functions that they call, for people to read."""
        return source_of(residual.tree() for residual in self.reachable(roots))


def source_of(functions: Iterable[ast.FunctionDef]) -> str:
    return "\n\n\n".join(ast.unparse(ast.fix_missing_locations(function)) for function in functions) + "\n"


def called_names(nodes: Iterable[ast.AST]) -> list[str]:
    """Return the names of all called functions, with repetitions."""
    return [
        part.func.id
        for node in nodes
        for part in inside(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)
    ]


def mentioned_names(nodes: Iterable[ast.AST]) -> list[str]:
    """Return all names in the nodes, with repetitions."""
    return [part.id for node in nodes for part in inside(node) if isinstance(part, ast.Name)]


def calls(node: ast.AST) -> bool:
    """True if an expression calls something that may have effects."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in _PURE:
        return True
    return not isinstance(node, ast.Name | ast.Constant) and any(map(calls, children(node)))


def ended(statements: list[ast.stmt]) -> bool:
    """True if every path through the statements reaches a `return`."""
    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, ast.If):
        return ended(last.body) and ended(last.orelse)
    return isinstance(last, ast.Return)


def is_truth(node: ast.expr) -> bool:
    """True if an expression is a truth value rather than a number."""
    if isinstance(node, ast.BoolOp):
        return all(map(is_truth, node.values))
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


def truth(node: ast.expr) -> ast.expr:
    """Return an expression that tests whether a number is not 0."""
    return node if is_truth(node) else ast.Compare(left=node, ops=[ast.NotEq()], comparators=[ast.Constant(0)])


def constant(number: float) -> ast.Constant:
    """Return a static number as a constant; truth values become 1 or 0."""
    return ast.Constant(number if type(number) is float else int(number))


def assigned_names(statements: Iterable[ast.stmt]) -> set[str]:
    """Return the variables that statements assign to."""
    names = set()
    for node in all_statements(statements):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]):
                names.add(name)
            case ast.AugAssign(target=ast.Name(id=name)) | ast.For(target=ast.Name(id=name)):
                names.add(name)
    return names


def all_statements(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements and all statements within them."""
    for statement in statements:
        yield statement
        if isinstance(statement, ast.If | ast.While | ast.For):
            yield from all_statements(statement.body)
            yield from all_statements(statement.orelse)


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return a copy of a tree in which `change` has replaced each node, inner nodes first."""
    if isinstance(node, list):
        return [rebuilt(part, change) for part in node]
    if not isinstance(node, ast.AST):
        return node
    kind = type(node)
    made = kind(**{name: rebuilt(value, change) for name, value in vars(node).items() if name in kind._fields})
    return change(ast.copy_location(made, node) if isinstance(node, ast.stmt) else made)


Value: TypeAlias = object
Env: TypeAlias = "dict[str, Value]"


class Mark:
    """A named marker value."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


DYNAMIC = Mark("DYNAMIC")
"""Marks a value that is not known before the residual program runs."""
UNSET = Mark("UNSET")
"""Marks a name that does not have a single value, static or dynamic, on every path."""


@dataclass(frozen=True)
class Row:
    """A local row of static length, with a variable for each place."""

    name: str
    length: int

    def variable(self, place: int) -> ast.Name:
        return ast.Name(f"{self.name}__p{range(self.length)[place]}")


MARKS = Mark | Row | RecordType
"""The types of values in an environment that do not represent a static value."""
OPERATORS: Mapping[type[ast.operator | ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
APPLIED: Mapping[object, type[ast.operator | ast.cmpop]] = {function: op for op, function in OPERATORS.items()}
"""The operator of each function in the module `operator`."""
COMPARISONS = ast.Eq | ast.NotEq | ast.Lt | ast.LtE | ast.Gt | ast.GtE
_RIGHT_NEUTRAL: Mapping[type[ast.operator], int] = {
    ast.Add: 0,
    ast.Sub: 0,
    ast.BitOr: 0,
    ast.BitXor: 0,
    ast.LShift: 0,
    ast.RShift: 0,
    ast.Mult: 1,
}
COMMUTING = ast.Add | ast.BitOr | ast.BitXor | ast.Mult
UNARY: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.Not: operator.not_,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}


def is_neutral(op: ast.operator, value: Value) -> bool:
    """True if a static number on the right side of an operator changes nothing."""
    return isinstance(value, int) and value == _RIGHT_NEUTRAL.get(type(op))


def key_of(value: Value) -> object:
    """Return a hashable key. Values with equal keys share a residual function."""
    if isinstance(value, tuple):
        return tuple(map(key_of, value))
    if isinstance(value, int | str | range | float) or value is None:
        return type(value), repr(value) if isinstance(value, float) else value
    return id(value)


def unfolded(residual: Residual, arguments: Mapping[str, ast.expr], *, valued: bool) -> Value:
    """Return a call of a function or, if that repeats no computation, the expression that it returns."""
    call = ast.Call(func=ast.Name(residual.name), args=list(arguments.values()), keywords=[])
    if not residual.finished or len(residual.body) > 1 or any(map(calls, arguments.values())):
        return call
    only = residual.body[0] if residual.body else None
    if not isinstance(only, ast.Return) or only.value is None:
        return call if valued or only is not None else None
    if isinstance(only.value, ast.Constant):
        return only.value.value
    if all(isinstance(argument, ast.Name) and argument.id == name for name, argument in arguments.items()):
        return only.value  # copying a formula with many parts would multiply it at each level
    simple = {name for name, argument in arguments.items() if isinstance(argument, ast.Name | ast.Constant)}
    used = [node.id for node in inside(only.value) if isinstance(node, ast.Name)]
    twice = {name for name in used if used.count(name) > 1}
    if (twice | (set(arguments) if calls(only.value) else set())) & set(arguments) - simple:
        return call
    return rebuilt(only.value, lambda node: arguments.get(node.id, node) if isinstance(node, ast.Name) else node)
