"""Residual functions as Python functions.

A step of a flow ends by calling the next step, and after some steps the first one comes again. LLVM turns such calls
into jumps. In CPython, frames would pile up. So the functions that such cycles call last become *stages*: instead of
calling a stage, a function returns it. The caller outside the cycle then calls one stage after another, until something
else is returned.
"""

from __future__ import annotations

import ast
import linecache
from dataclasses import replace
from itertools import count
from types import FunctionType
from typing import TYPE_CHECKING, Any

from draftengine.jit.inlining import Inliner
from draftengine.jit.interpreter_settings import one_at_a_time
from draftengine.jit.optimize import tidied, without_unread
from draftengine.jit.primitives import COMPUTING
from draftengine.jit.residual import Program, all_statements, rebuilt, source_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from draftengine.jit.residual import Residual

    Graph = Mapping[str, list[str]]
    from collections.abc import Callable


FOLLOW = "follow__"


def follow(stage: Any, *records: Any) -> Any:
    """Call `stage`, then each stage that the last call returned, until a result is not a stage.

    Returns that result.
    """
    result = stage(*records)
    while type(result) is FunctionType:
        result = result(*records)
    return result


def with_stages(program: Program, roots: Iterable[Residual]) -> tuple[Program, frozenset[str]]:
    """Return the program without cycles of last calls, and the names of its stages."""
    residuals = program.reachable(roots)
    graph = {part.name: list(dict.fromkeys(_last_calls(part, program))) for part in residuals}
    circles: dict[str, set[str]] = {}
    stages = sorted(set(_targets_behind(graph)))
    against: dict[str, list[str]] = {name: [] for name in graph}
    for name, called in graph.items():
        for other in called:
            against[other].append(name)
    for stage in stages:
        circle = _reached(graph, stage) & _reached(against, stage)
        circles |= dict.fromkeys(circle, circle)
    made = Program(tables=program.tables)
    for part in residuals:
        body = _followed(part, program, stages, circles) if circles else part.body
        made.functions[part.name] = replace(part, body=body)
    return made, frozenset(stages)


def _last_calls(residual: Residual, program: Program) -> Iterable[str]:
    """Yield the functions that a function calls last, with only its records as arguments."""
    for node in all_statements(residual.body):
        match node:
            case ast.Return(value=ast.Call(func=ast.Name(id=name), args=args)) if name in program.functions:
                if _goes_on(residual, program.functions[name], args):
                    yield name


def _goes_on(residual: Residual, called: Residual, args: Iterable[ast.expr]) -> bool:
    """True if a call passes on exactly the records of the calling function, and nothing else."""
    given = tuple(one.id if isinstance(one, ast.Name) else "" for one in args)
    return given == residual.parameters == called.parameters and set(given) <= {*residual.text.records}


def _targets_behind(graph: Graph) -> Iterable[str]:
    """Yield the functions that are called again before they have returned."""
    done: dict[str, bool] = {}
    for first in graph:
        wanted = [(first, iter(graph[first]))] if first not in done else []
        done.setdefault(first, False)
        while wanted:
            name, others = wanted[-1]
            other = next(others, None)
            if other is None:
                done[name] = True
                wanted.pop()
            elif other not in done:
                done[other] = False
                wanted.append((other, iter(graph[other])))
            elif not done[other]:
                yield other


def _reached(graph: Graph, first: str) -> set[str]:
    reached: set[str] = set()
    wanted = [first]
    while wanted:
        name = wanted.pop()
        if name not in reached:
            reached.add(name)
            wanted += graph[name]
    return reached


def _followed(
    residual: Residual, program: Program, stages: Iterable[str], circles: Mapping[str, set[str]]
) -> list[ast.stmt]:
    """Return a body in which last calls on a cycle return a stage; other calls run all stages to the end."""
    circle = circles.get(residual.name, set())

    def change(node: Any) -> Any:
        match node:
            case ast.Call(func=ast.Name(id=name), args=args) if name in circles:
                return ast.Call(func=ast.Name(FOLLOW), args=[ast.Name(name), *args], keywords=[])
            case ast.Return(value=ast.Call(func=ast.Name(id="follow__"), args=[ast.Name(id=name), *args])):
                if name in circle and _goes_on(residual, program.functions[name], args):
                    stage = name in stages
                    return ast.Return(value=ast.Name(name) if stage else ast.Call(ast.Name(name), args, keywords=[]))
        return node

    made: list[ast.stmt] = rebuilt(residual.body, change)
    return made


_numbers = count()


def whole(program: Program, root: Residual) -> tuple[Callable[..., Any], str]:
    """Return a residual function as a Python function, and its source.

    Calls are inlined, and fields of records are held in variables. Recursive functions, and long functions with several
    callers, are not inlined. Raise `TooNestedError` if blocks are nested too deeply.
    """
    with one_at_a_time():
        program, stages = with_stages(program, [root])
        trees = Inliner(program, stages).whole(program.functions[root.name])
        trees = [*map(with_expressions, trees)]
        for tree in trees:
            tree.body = without_unread(tidied(tree.body))
        source = source_of(trees)
    scope: dict[str, Any] = {
        FOLLOW: follow,
        **{name: function for function, name in COMPUTING.items()},
        **program.tables,
    }
    file = f"<residual {next(_numbers)}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    try:
        code = compile(source, file, "exec")
    except SyntaxError as error:
        if "nested" in str(error):
            raise TooNestedError from error
        raise
    exec(code, scope)  # noqa: S102 (every name in it is checked, see `source_functions.py`)
    return scope[root.name], source


class TooNestedError(ValueError):
    """Raised for more nested blocks than CPython supports, which is twenty."""


_EXPRESSIONS = {
    name: ast.parse(text, mode="eval").body
    for name, text in {
        "wrap": "X & 0xFFFFFFFFFFFFFFFF",
        "shr": "X >> Y",
        "high_half": "X * Y >> 64",
        "popcount": "X.bit_count()",
        "trailing": "(X & -X).bit_length() - 1",
        "likely": "X",
        "as_packed": "X",
    }.items()
}


def with_expressions(tree: ast.FunctionDef) -> ast.FunctionDef:
    """Return a copy in which expressions replace calls of primitives, because calls cost CPython more."""

    def as_expression(node: Any) -> Any:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in _EXPRESSIONS:
            return node
        if node.func.id == "trailing" and not isinstance(node.args[0], ast.Name):  # else it would be computed twice
            return node
        by = dict(zip("XY", node.args, strict=False))
        return rebuilt(_EXPRESSIONS[node.func.id], lambda part: by[part.id] if isinstance(part, ast.Name) else part)

    made: ast.FunctionDef = rebuilt(tree, as_expression)
    return made
