"""What a specialiser leaves: functions of what is not known, as trees of Python's own `ast`.

In such a tree a call names a residual function or a primitive, a subscript is into a field of a record or into a table,
and every loop is `while` or `for … in range(…)`. The line of a statement is that of the text which it came from. Names
that the specialiser makes have two underscores, which those of a text never have.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from draftengine.jit.primitives import COMPUTING, Computed
from draftengine.jit.source_functions import children, inside, parameters_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from draftengine.jit.source_functions import Text

_PURE = frozenset(COMPUTING.values())


@dataclass(eq=False)
class Residual:
    """One function of what is not known."""

    name: str
    text: Text
    """What it came from."""
    known: dict[str, object]
    """By parameter of that: the value that was known, or `DYNAMIC`."""
    parameters: tuple[str, ...]
    """The parameters that are left, in their order."""
    body: list[ast.stmt] = field(default_factory=list)
    finished: bool = False

    def tree(self) -> ast.FunctionDef:
        """The function as Python."""
        body = self.body or [ast.Pass()]
        return ast.FunctionDef(name=self.name, args=parameters_of(self.parameters), body=body, decorator_list=[])


@dataclass
class Program:
    """Residual functions that call each other, and what they use."""

    functions: dict[str, Residual] = field(default_factory=dict)
    tables: dict[str, tuple[int, ...] | tuple[float, ...] | Computed] = field(default_factory=dict)

    def reachable(self, roots: Iterable[Residual]) -> list[Residual]:
        """The functions that these call, and they themselves, callers first."""
        reached: dict[str, Residual] = {}
        wanted = [root.name for root in reversed(list(roots))]
        while wanted:
            name = wanted.pop()
            if name not in reached:
                reached[name] = residual = self.functions[name]
                wanted += [other for other in mentioned_names(residual.body) if other in self.functions]
        return list(reached.values())

    def source(self, roots: Iterable[Residual]) -> str:
        """Their text, for people to read."""
        return source_of(residual.tree() for residual in self.reachable(roots))


def source_of(functions: Iterable[ast.FunctionDef]) -> str:
    return "\n\n\n".join(ast.unparse(ast.fix_missing_locations(function)) for function in functions) + "\n"


def called_names(nodes: Iterable[ast.AST]) -> list[str]:
    """The names of all functions that are called there."""
    return [
        part.func.id
        for node in nodes
        for part in inside(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)
    ]


def mentioned_names(nodes: Iterable[ast.AST]) -> list[str]:
    """All names that stand there, each as often as it does."""
    return [part.id for node in nodes for part in inside(node) if isinstance(part, ast.Name)]


def calls(node: ast.AST) -> bool:
    """Does an expression call anything that may act."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in _PURE:
        return True
    return not isinstance(node, ast.Name | ast.Constant) and any(map(calls, children(node)))


def ended(statements: list[ast.stmt]) -> bool:
    """Does every way through end in a return."""
    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, ast.If):
        return ended(last.body) and ended(last.orelse)
    return isinstance(last, ast.Return)


def is_truth(node: ast.expr) -> bool:
    """Is an expression's value true or false, rather than a number."""
    if isinstance(node, ast.BoolOp):
        return all(map(is_truth, node.values))
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


def truth(node: ast.expr) -> ast.expr:
    """Whether a number is not 0."""
    return node if is_truth(node) else ast.Compare(left=node, ops=[ast.NotEq()], comparators=[ast.Constant(0)])


def constant(number: float) -> ast.Constant:
    """A known number; what is true or false is 1 or 0."""
    return ast.Constant(number if type(number) is float else int(number))


def assigned_names(statements: Iterable[ast.stmt]) -> set[str]:
    """The variables that statements give a value to."""
    names = set()
    for node in all_statements(statements):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]):
                names.add(name)
            case ast.AugAssign(target=ast.Name(id=name)) | ast.For(target=ast.Name(id=name)):
                names.add(name)
    return names


def all_statements(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements, and those inside of them."""
    for statement in statements:
        yield statement
        if isinstance(statement, ast.If | ast.While | ast.For):
            yield from all_statements(statement.body)
            yield from all_statements(statement.orelse)


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A copy of a tree in which each node is what `change` makes of it, the inner ones first."""
    if isinstance(node, list):
        return [rebuilt(part, change) for part in node]
    if not isinstance(node, ast.AST):
        return node
    kind = type(node)
    made = kind(**{name: rebuilt(value, change) for name, value in vars(node).items() if name in kind._fields})
    return change(ast.copy_location(made, node) if isinstance(node, ast.stmt) else made)
