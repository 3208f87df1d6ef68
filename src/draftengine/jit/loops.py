"""Functions that come back to themselves by last calls. In CPython they are *stages*, so that no frames pile up.

A step of a flow ends by calling the next one, and after some steps the first one comes again. LLVM makes jumps of such
calls. Here a last call of a stage gives the stage itself back, unfollowed; whoever called the first of these functions
goes on from stage to stage until something else is given.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from types import FunctionType
from typing import TYPE_CHECKING, Any

from draftengine.jit.residual import Program, all_statements, rebuilt

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from draftengine.jit.residual import Residual

    Graph = Mapping[str, list[str]]

FOLLOW = "follow__"


def follow(stage: Any, *records: Any) -> Any:
    """What stages give in the end, from one of them on."""
    result = stage(*records)
    while type(result) is FunctionType:
        result = result(*records)
    return result


def with_stages(program: Program, roots: Iterable[Residual]) -> tuple[Program, frozenset[str]]:
    """The program written so that no function comes back to itself by last calls, and the names of its stages."""
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
    """The functions that it calls last, with the same records and nothing else."""
    for node in all_statements(residual.body):
        match node:
            case ast.Return(value=ast.Call(func=ast.Name(id=name), args=args)) if name in program.functions:
                if _goes_on(residual, program.functions[name], args):
                    yield name


def _goes_on(residual: Residual, called: Residual, args: Iterable[ast.expr]) -> bool:
    """Does a call hand on the records of the function in which it stands, and nothing else."""
    given = tuple(one.id if isinstance(one, ast.Name) else "" for one in args)
    return given == residual.parameters == called.parameters and set(given) <= {*residual.text.records}


def _targets_behind(graph: Graph) -> Iterable[str]:
    """The functions that are called again while they still run."""
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
    """A function's body in which last calls in a circle give a stage, and other calls into one follow the stages."""
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
