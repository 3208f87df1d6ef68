"""Residual functions as a module of LLVM: its text, and the signatures of its entries.

source = emit(specialiser.program, [Entry("run", run, Split.OWN)], [layout(Game, sizes)])
code = machine.load(source)
code["run"](memory, 1, 100)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from draftengine.jit.interpreter_settings import one_at_a_time
from draftengine.jit.llvm import LONG_UNFOLDED, Inline, Signature, Source, Split
from draftengine.jit.llvm.copies import merged, unfolded, with_few_copies
from draftengine.jit.llvm.function import FunctionWriter
from draftengine.jit.llvm.instructions import METADATA, float_text
from draftengine.jit.llvm.operations import alignment
from draftengine.jit.llvm.shared import Shared
from draftengine.jit.primitives import Computed
from draftengine.jit.records import PACKED, Layout, signed
from draftengine.jit.source_functions import NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from draftengine.jit.llvm.operations import Stored
    from draftengine.jit.residual import Program, Residual


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
    longest: int = LONG_UNFOLDED,
    checked: bool = False,
) -> Source:
    """Write residual functions as a module of LLVM.

    If the module has more than `longest` lines after inlining, functions that differ only in constants are merged.

    With `checked`, every index, shift, division and 64-bit result is checked. The first failure is recorded and ends
    the call. Raise `SpecialisationError` if floating-point numbers and integers are confused.
    """
    with one_at_a_time():
        shared = Shared(program, [entry.residual for entry in entries], layouts, inline, checked=checked)
        return Writer(shared, program, entries, longest).source()


class Writer:
    """Writes a module of LLVM."""

    def __init__(self, shared: Shared, program: Program, entries: Sequence[Entry], longest: int) -> None:
        self.shared = shared
        self.entries = entries
        self._longest = longest
        self._tables: list[str] = []
        for name, numbers in program.tables.items():
            assert not isinstance(numbers, Computed), "only Python has tables that are computed"
            kind = kind_of(numbers) if shared.packed == "i64" else kind_of_wide(numbers)
            type_ = shared.stored_as(kind)
            shared.tables[name] = kind, len(numbers)
            texts = (str(signed(number)) if isinstance(number, int) else float_text(number) for number in numbers)
            items = ", ".join(f"{type_} {text}" for text in (map(str, numbers) if kind == PACKED else texts))
            shape = f"[{len(numbers)} x {type_}] [{items}], align {alignment(kind)}"
            self._tables.append(f"@{name} = internal unnamed_addr constant {shape}")

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
        functions: list[str] = []
        while self.shared.wanted:
            residual = self.shared.wanted.pop()
            how = self.shared.inline(residual)
            attributes = Inline.ALWAYS.value if how is Inline.COPY_IN_OUT else how.value
            functions.append(FunctionWriter(self.shared, residual).function(attributes))
            if how is Inline.COPY_IN_OUT:
                name = self.shared.names[residual.name]
                functions.append(self._around(name, residual, residual.name, Split.COPY_IN_OUT, "noinline"))
        functions += entries
        if unfolded(functions) > self._longest:
            functions = merged(functions)
        functions = with_few_copies(functions)
        failure = _FAILURE if self.shared.checked else ""
        declared = "\n".join(sorted({*self.shared.declared, *_COPIES}))
        parts = [declared, failure, *self._tables, *functions, METADATA]
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
