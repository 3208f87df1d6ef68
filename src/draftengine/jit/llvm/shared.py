"""The context that all functions of one module of LLVM share: layouts, types, names and tables."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from draftengine.jit.llvm import Inline
from draftengine.jit.llvm.instructions import TYPES
from draftengine.jit.records import PACKED, Layout
from draftengine.jit.residual import called_names
from draftengine.jit.source_functions import Place, SpecialisationError, inside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from draftengine.jit.llvm.operations import Stored
    from draftengine.jit.residual import Program, Residual


class Shared:
    """The layouts, types, names and tables of one module."""

    def __init__(
        self,
        program: Program,
        entries: Sequence[Residual],
        layouts: Iterable[Layout[Any]],
        inline: Callable[[Residual], Inline],
        *,
        checked: bool,
    ) -> None:
        self.functions = program.functions
        self.checked = checked
        self.inline = inline
        self.layouts = {layout.record: layout for layout in layouts}
        places = (place for layout in self.layouts.values() for place in layout.positions.values())
        self.packed = f"i{64 * max((place.words for place in places), default=1)}"
        """LLVM type of packed numbers."""
        self.tables: dict[str, tuple[Stored, int]] = {}
        """Kind of number and length of each table."""
        self.declared: set[str] = set()
        """Declarations of the functions of LLVM that are called."""
        self.circle = in_circles(program.reachable(entries))
        """The functions that call themselves by a last call, directly or through other functions."""
        self.names: dict[str, str] = {}
        """Name under which each function is called."""
        self.wanted: list[Residual] = []
        """Functions that are called and not yet written."""
        self.sites: dict[str, int] = {}
        """The number under which each possible failure is recorded, by its place and reason."""

    def layout(self, residual: Residual, parameter: str) -> Layout[Any]:
        record: Any = residual.text.records[parameter]
        if record not in self.layouts:
            raise SpecialisationError(f"{record.__name__} has no layout", residual.text.place(residual.text.tree))
        return self.layouts[record]

    def stored_as(self, kind: Stored) -> str:
        """Return the type of a number in memory."""
        return self.packed if kind == PACKED else TYPES[kind]

    def type_of(self, residual: Residual, parameter: str) -> str:
        """Return the type of a parameter that is a number."""
        if parameter in residual.text.packed:
            return self.packed
        return "double" if parameter in residual.text.floats else "i64"

    def result_of(self, residual: Residual) -> str:
        """Return the type of a function's result."""
        if residual.text.gives_packed:
            return self.packed
        return "double" if residual.text.gives_float else "i64"

    def parameters_of(self, residual: Residual) -> list[str]:
        """Return the parameters of a function of LLVM: two pointers for each record."""
        parameters: list[str] = []
        for name in residual.parameters:
            if name in residual.text.records:
                parameters += [f"ptr noalias align 8 %{name}_split", f"ptr noalias align 8 %{name}_cells"]
            else:
                parameters.append(f"{self.type_of(residual, name)} %{name}")
        return parameters

    def called(self, residual: Residual) -> str:
        """Return the name by which a function is called, and ensure that the function is written."""
        name = residual.name
        if name not in self.names:
            self.names[name] = f"{name}__copied" if self.inline(residual) is Inline.COPY_IN_OUT else name
            self.wanted.append(residual)
        return self.names[name]

    def site(self, place: Place, reason: str) -> int:
        """Return the number of a possible failure, counted from 1."""
        return self.sites.setdefault(f"{place}: {reason}", len(self.sites) + 1)


def in_circles(functions: Sequence[Residual]) -> frozenset[str]:
    """Return the functions on cycles of last calls, and the functions on paths between such cycles.

    Each function that others call otherwise is written with all of these as its blocks. So if there are several, the
    functions that lead to them by last calls belong to them, too.
    """
    following: dict[str, set[str]] = {}
    for function in functions:
        returns = [node.value for part in function.body for node in inside(part) if isinstance(node, ast.Return)]
        calls = [value for value in returns if isinstance(value, ast.Call)]
        following[function.name] = {name for call in calls for name in called_names([call])[:1]}
    left = following
    while True:
        reached = set().union(*left.values())
        fewer = {name: called & left.keys() for name, called in left.items() if name in reached}
        fewer = {name: called for name, called in fewer.items() if called & fewer.keys()}
        if len(fewer) == len(left):
            break
        left = fewer
    circle = set(left)
    while len(_called_from_outside(functions, circle)) > 1:
        more = {name for name, called in following.items() if called & circle} - circle
        if not more:
            break
        circle |= more
    return frozenset(circle)


def _called_from_outside(functions: Sequence[Residual], circle: set[str]) -> set[str]:
    """Return the functions of a circle that functions outside it call."""
    return {
        name for function in functions if function.name not in circle for name in called_names(function.body)
    } & circle
