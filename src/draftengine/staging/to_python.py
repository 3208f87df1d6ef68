"""Residual functions as Python functions: as they are, or one of them with all its calls put in place.

CPython has faster ways to do some things than the text has. A `Native` stands for a function of the text in both forms.
"""

from __future__ import annotations

import ast
import linecache
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from draftengine.staging.inlining import Inliner
from draftengine.staging.primitives import COMPUTING
from draftengine.staging.residual import rebuilt, source_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from draftengine.staging.residual import Program, Residual

_NO_NATIVES: Mapping[Any, Native] = {}
_numbers = count()


@dataclass(frozen=True)
class Native:
    """What CPython does instead of a function of the text."""

    make: Callable[..., Callable[..., Any]]
    """Called with the text function's arguments (`LATER` for what is not known), it gives a function of the others."""
    touches: frozenset[str] = frozenset()
    """The numbers and split fields of records that this function reads or writes."""


def functions(
    program: Program, roots: Sequence[Residual], natives: Mapping[Any, Native] = _NO_NATIVES
) -> list[Callable[..., Any]]:
    """Residual functions as they are, for debuggers and profilers; their source can be read there."""
    own = [part for part in program.reachable(roots) if part.text.function not in natives]
    source = source_of(with_expressions(part.tree()) for part in own)
    scope = _run(source, program, natives)
    return [scope[root.name] for root in roots]


def whole(
    program: Program, root: Residual, natives: Mapping[Any, Native] = _NO_NATIVES
) -> tuple[Callable[..., Any], str]:
    """A residual function with all its calls in place and its records' fields in variables; and its source.

    It is the fastest form in CPython. Functions that come back to themselves stay functions.
    """
    own = (part for part in program.functions.values() if part.text.function in natives)
    touched = {part.name: natives[part.text.function].touches for part in own}
    trees = Inliner(program, touched).whole(root)
    source = source_of(map(with_expressions, trees))
    return _run(source, program, natives)[root.name], source


def _run(source: str, program: Program, natives: Mapping[Any, Native]) -> dict[str, Any]:
    scope: dict[str, Any] = {
        **{name: own for own, name in COMPUTING.items()},
        **program.tables,
        **program.hooks,
    }
    for own in program.functions.values():
        if own.text.function in natives:
            scope[own.name] = natives[own.text.function].make(*own.known.values())
    file = f"<residual {next(_numbers)}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    exec(compile(source, file, "exec"), scope)  # noqa: S102 (every name in it is checked, see `text.py`)
    return scope


_EXPRESSIONS = {
    name: ast.parse(text, mode="eval").body
    for name, text in {
        "wrap": "X & 0xFFFFFFFFFFFFFFFF",
        "shr": "X >> Y",
        "high_half": "X * Y >> 64",
        "popcount": "X.bit_count()",
        "trailing": "(X & -X).bit_length() - 1",
        "likely": "X",
    }.items()
}


def with_expressions(tree: ast.FunctionDef) -> ast.FunctionDef:
    """A copy in which expressions stand for the calls of primitives, which cost CPython more than what they do."""
    made: ast.FunctionDef = rebuilt(tree, _as_expression)
    return made


def _as_expression(node: Any) -> Any:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in _EXPRESSIONS:
        return node
    if node.func.id == "trailing" and not isinstance(node.args[0], ast.Name):  # it would be computed twice
        return node
    by = dict(zip("XY", node.args, strict=False))
    return rebuilt(_EXPRESSIONS[node.func.id], lambda own: by[own.id] if isinstance(own, ast.Name) else own)
