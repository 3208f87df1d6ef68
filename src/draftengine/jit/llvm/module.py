"""Residual functions as a module of LLVM: its text, and the signatures of its entries.

source = emit(specialiser.program, [Entry("run", run, Split.OWN)], [layout(Game, sizes)])
code = machine.load(source)
code["run"](memory, 1, 100)
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from draftengine.jit.interpreter_settings import one_at_a_time
from draftengine.jit.llvm.function import FunctionWriter
from draftengine.jit.llvm.instructions import METADATA, TYPES, float_text
from draftengine.jit.llvm.operations import alignment
from draftengine.jit.llvm.source import Inline, Signature, Source, Split
from draftengine.jit.primitives import Computed
from draftengine.jit.records import PACKED, Layout, signed
from draftengine.jit.residual import called_names
from draftengine.jit.source_functions import NAME, Place, SpecialisationError, inside

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
        """Functions that call themselves, directly or through others."""
        self.names: dict[str, str] = {}
        """Name under which each function is called."""
        self.wanted: list[Residual] = []
        """Functions that are called and not yet written."""
        self.sites: dict[str, int] = {}
        """Number of each possible failure, by its text."""

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
    """Return the functions on cycles of last calls, and the functions on paths between such cycles."""
    following: dict[str, set[str]] = {}
    for function in functions:
        returns = [node.value for part in function.body for node in inside(part) if isinstance(node, ast.Return)]
        calls = [value for value in returns if isinstance(value, ast.Call)]
        following[function.name] = {name for call in calls for name in called_names([call])[:1]}
    while True:
        reached = set().union(*following.values())
        left = {name: called & following.keys() for name, called in following.items() if name in reached}
        left = {name: called for name, called in left.items() if called & left.keys()}
        if len(left) == len(following):
            return frozenset(left)
        following = left


MANY = 1 << 8
"""The number of entries above which a table uses the smallest cells that fit."""


@dataclass(frozen=True)
class Entry:
    """A function that can be called from outside."""

    name: str
    residual: Residual
    split: Split = Split.IN_MEMORY
    rows: frozenset[str] = frozenset()
    """Records that are passed as arrays of records.

    The last parameter then becomes two, the start and the end of a range. The function is called for every number in
    that range, with the records at that index. If the function does not return 0 for a number, the entry stops and
    returns that number; otherwise it returns the end.
    """


def emit(
    program: Program,
    entries: Sequence[Entry],
    layouts: Iterable[Layout[Any]],
    *,
    inline: Callable[[Residual], Inline] = lambda _: Inline.ALWAYS,
    checked: bool = False,
) -> Source:
    """Write residual functions as a module of LLVM.

    With `checked`, every index, shift, division and 64-bit result is checked. The first failure is recorded and ends
    the call. Raise `SpecialisationError` if floating-point numbers and integers are confused.
    """
    with one_at_a_time():
        shared = Shared(program, [entry.residual for entry in entries], layouts, inline, checked=checked)
        return Writer(shared, program, entries).source()


class Writer:
    """Writes a module of LLVM."""

    def __init__(self, shared: Shared, program: Program, entries: Sequence[Entry]) -> None:
        self.shared = shared
        self.entries = entries
        self._texts: list[str] = []
        for name, numbers in program.tables.items():
            assert not isinstance(numbers, Computed), "only Python has tables that are computed"
            kind = kind_of(numbers) if shared.packed == "i64" else kind_of_wide(numbers)
            type_ = shared.stored_as(kind)
            shared.tables[name] = kind, len(numbers)
            texts = (str(signed(number)) if isinstance(number, int) else float_text(number) for number in numbers)
            items = ", ".join(f"{type_} {text}" for text in (map(str, numbers) if kind == PACKED else texts))
            shape = f"[{len(numbers)} x {type_}] [{items}], align {alignment(kind)}"
            self._texts.append(f"@{name} = internal unnamed_addr constant {shape}")

    def source(self) -> Source:
        entries = []
        for entry in self.entries:
            if not NAME.fullmatch(entry.name):
                raise ValueError(f"{entry.name!r} is no name for an entry")
            called = self.shared.called(entry.residual)
            inner = called if entry.split is Split.IN_MEMORY else entry.residual.name
            entries.append(
                self._rows(entry, called)
                if entry.rows
                else self._around(f"entry__{entry.name}", entry.residual, inner, entry.split, "")
            )
        while self.shared.wanted:
            residual = self.shared.wanted.pop()
            how = self.shared.inline(residual)
            attributes = Inline.ALWAYS.value if how is Inline.COPY_IN_OUT else how.value
            self._texts.append(FunctionWriter(self.shared, residual).function(attributes))
            if how is Inline.COPY_IN_OUT:
                name = self.shared.names[residual.name]
                self._texts.append(self._around(name, residual, residual.name, Split.COPY_IN_OUT, "noinline"))
        functions = [*self._texts, *entries]
        failure = _FAILURE if self.shared.checked else ""
        declared = "\n".join(sorted({*self.shared.declared, *_COPIES}))
        parts = [declared, failure, *functions, METADATA]
        signatures = {}
        for entry in self.entries:
            residual, records = entry.residual, entry.residual.text.records
            kinds = (
                records[name].__name__ if name in records else self.shared.type_of(residual, name)
                for name in residual.parameters
            )
            number = ["i64"] if entry.rows else []
            signatures[entry.name] = Signature((*kinds, *number), self.shared.result_of(residual))
        return Source(
            text="\n".join(parts),
            entries=signatures,
            checked=self.shared.checked,
            sites=tuple(self.shared.sites),
            unfolded=unfolded(functions),
        )

    # ── tables and entries ──

    def _rows(self, entry: Entry, inner: str) -> str:
        """Return an entry that calls a function for every number in a range, until one call fails."""
        parameters, arguments, moved = [], [], []
        *before, number = entry.residual.parameters
        for parameter in before:
            if parameter not in entry.residual.text.records:
                parameters.append(f"{self.shared.type_of(entry.residual, parameter)} %{parameter}")
                arguments.append(parameters[-1])
                continue
            layout = self.shared.layout(entry.residual, parameter)
            for block, size in (("split", layout.split_size), ("cells", layout.cells_size)):
                parameters.append(f"ptr noalias align 8 %{parameter}_{block}")
                arguments.append(f"ptr %{parameter}_{block}")
                if parameter in entry.rows:
                    arguments[-1] = f"ptr %.{parameter}_{block}"
                    moved.append(f"  %.{parameter}_{block}_at = mul i64 %{number}, {size}")
                    base = f"ptr %{parameter}_{block}"
                    moved.append(f"  %.{parameter}_{block} = getelementptr i8, {base}, i64 %.{parameter}_{block}_at")
        arguments.append(f"i64 %{number}")
        lines = "\n".join(
            [
                "  br label %.head",
                ".head:",
                f"  %{number} = phi i64 [ %.first, %.start ], [ %.next, %.on ]",
                f"  %.more = icmp slt i64 %{number}, %.last",
                "  br i1 %.more, label %.body, label %.end",
                ".body:",
                *moved,
                f"  %.found = call i64 @{inner}({', '.join(arguments)})",
                "  %.fine = icmp eq i64 %.found, 0",
                "  br i1 %.fine, label %.on, label %.end",
                ".on:",
                f"  %.next = add i64 %{number}, 1",
                "  br label %.head",
                ".end:",
                f"  ret i64 %{number}",
            ]
        )
        given = ", ".join([*parameters, "i64 %.first", "i64 %.last"])
        return f"define i64 @entry__{entry.name}({given}) {{\n.start:\n{lines}\n}}\n"

    def _around(self, name: str, residual: Residual, inner: str, split: Split, attributes: str) -> str:
        """Return a function that calls another one, and provides memory for the split parts of its records."""
        arguments, before, after = [], [], []
        for parameter in residual.parameters:
            if parameter not in residual.text.records:
                arguments.append(f"{self.shared.type_of(residual, parameter)} %{parameter}")
                continue
            size = self.shared.layout(residual, parameter).split_size
            used = f"%{parameter}_split" if split is Split.IN_MEMORY else f"%.{parameter}_split"
            arguments += [f"ptr {used}", f"ptr %{parameter}_cells"]
            if split is not Split.IN_MEMORY:
                before.append(f"  {used} = alloca [{size} x i8], align 8")
            if (
                split is Split.LOCAL and self.shared.checked
            ):  # only then, because zeroing keeps values alive across iterations of a loop
                before.append(f"  call void @llvm.memset.p0.i64(ptr align 8 {used}, i8 0, i64 {size}, i1 false)")
            if split is Split.COPY_IN_OUT:
                before.append(_copied(used, f"%{parameter}_split", size))
                after.append(_copied(f"%{parameter}_split", used, size))
        result = self.shared.result_of(residual)
        call = f"  %.found = call {result} @{inner}({', '.join(arguments)})"
        lines = "\n".join([*before, call, *after, f"  ret {result} %.found"])
        linkage, parameters = "internal " if attributes else "", ", ".join(self.shared.parameters_of(residual))
        return f"define {linkage}{result} @{name}({parameters}) {attributes} {{\n{lines}\n}}\n"


_COPIES = (
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
)
_FAILURE = """@failed__ = global i64 0
define internal void @note__failure(i64 %site) noinline cold {
  %before = load i64, ptr @failed__
  %first = icmp eq i64 %before, 0
  %now = select i1 %first, i64 %site, i64 %before
  store i64 %now, ptr @failed__
  ret void
}
"""


def _copied(to: str, of: str, size: int) -> str:
    return f"  call void @llvm.memcpy.p0.p0.i64(ptr align 8 {to}, ptr align 8 {of}, i64 {size}, i1 false)"


def kind_of_wide(numbers: Sequence[int | float]) -> Stored:
    """Return the kind of cell for a table whose numbers may need several words."""
    word = 1 << 63
    return kind_of(numbers) if all(-word <= number < word for number in numbers) else PACKED


def kind_of(numbers: Sequence[int | float]) -> Stored:
    """Return the kind of cell for a table. Only long tables use bytes, because bytes are slower."""
    if isinstance(numbers[0], float):
        return "f64"
    low, high = int(min(numbers)), int(max(numbers))
    if low >= 0 and high < 1 << 8 and len(numbers) > MANY:
        return "u8"
    return "i32" if low >= -(1 << 31) and high < 1 << 31 else "i64"


def unfolded(functions: Iterable[str]) -> int:
    """Return the total number of lines after inlining all functions that are always inlined."""
    texts = {defined[1]: function for function in functions if (defined := _DEFINED.match(function))}
    in_place = {name for name, text in texts.items() if f" {Inline.ALWAYS.value} {{" in text}
    sizes: dict[str, int] = {}

    def unfold(name: str) -> int:
        if name not in sizes:
            sizes[name] = 0  # a recursive call adds no lines
            below = sum(unfold(other) for other in _CALLED.findall(texts[name]) if other in in_place)
            sizes[name] = texts[name].count("\n") + below
        return sizes[name]

    return sum(unfold(name) for name in texts.keys() - in_place)


_DEFINED = re.compile(r"define .*?@(\w+)\(")
_CALLED = re.compile(r" call .*?@(\w+)\(")
