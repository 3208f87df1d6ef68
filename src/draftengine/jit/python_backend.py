"""Residual functions as Python functions."""

from __future__ import annotations

import ast
import linecache
from itertools import count
from typing import TYPE_CHECKING, Any

from draftengine.jit.inlining import Inliner
from draftengine.jit.interpreter_settings import one_at_a_time
from draftengine.jit.loops import FOLLOW, follow, with_stages
from draftengine.jit.optimize import tidied, without_unread
from draftengine.jit.primitives import COMPUTING
from draftengine.jit.residual import rebuilt, source_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.jit.residual import Program, Residual

_numbers = count()


def whole(program: Program, root: Residual) -> tuple[Callable[..., Any], str]:
    """Return a residual function as a Python function, and its source.

    Calls are inlined, and fields of records are held in variables. Recursive functions, and long ones with several
    callers, stay functions. Raise `TooNestedError`.
    """
    with one_at_a_time():
        program, stages = with_stages(program, [root])
        trees = Inliner(program, stages).whole(program.functions[root.name])
        source = source_of(_tidied(with_expressions(tree)) for tree in trees)
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


def _tidied(tree: ast.FunctionDef) -> ast.FunctionDef:
    tree.body = without_unread(tidied(tree.body))
    return tree


class TooNestedError(ValueError):
    """Error: more nested blocks than CPython supports, which is twenty."""


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
    """Return a copy with expressions in place of primitives; a call costs CPython more than its work."""
    made: ast.FunctionDef = rebuilt(tree, _as_expression)
    return made


def _as_expression(node: Any) -> Any:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in _EXPRESSIONS:
        return node
    if node.func.id == "trailing" and not isinstance(node.args[0], ast.Name):  # it would be computed twice
        return node
    by = dict(zip("XY", node.args, strict=False))
    return rebuilt(_EXPRESSIONS[node.func.id], lambda part: by[part.id] if isinstance(part, ast.Name) else part)
