"""Reading and writing fields of records, and reading tables, in LLVM."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from draftengine.jit.llvm.arithmetic import Arithmetic
from draftengine.jit.llvm.instructions import INVARIANT, Term
from draftengine.jit.struct_layout import SIZES, WORD, Layout
from draftengine.jit.struct_type import PACKED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.jit.struct_type import Kind

    Stored = Kind | Literal["packed"]
    """Kind of a number in memory."""


class Cell(NamedTuple):
    """A number's pointer and kind in memory."""

    pointer: str
    kind: Stored


class Pointers(NamedTuple):
    """A record as pointers to its two blocks, with its layout."""

    split: str
    cells: str
    layout: Layout[Any]


_NARROW: Mapping[Stored, str] = {"u8": "zext", "i8": "sext", "i16": "sext", "i32": "sext"}
"""Instructions that widen a short cell to a number."""


class MemoryWriter(Arithmetic):
    """Writer of instructions that access memory."""

    def split_cell(self, record: Pointers, name: str, place: int) -> Cell:
        """Return the cell of a single number, or of a static place of a split row."""
        position = record.layout.positions[name]
        if place >= position.count:
            self.refuse(f"place {place} of {name}, which has {position.count}")
        kind: Stored = position.field.kind if position.words == 1 else PACKED
        return Cell(self._offset(record.split, position.offset + WORD * position.words * place), kind)

    def any_cell(self, record: Pointers, name: str, place: Term) -> Cell:
        """Return the cell at a dynamic place of a row, owned or borrowed."""
        position = record.layout.positions[name]
        base = self._offset(record.cells, position.offset)
        count = str(position.count)
        if position.field.borrowed:
            if self.checked:
                count = self.add(f"load i64, ptr {self._offset(base, WORD)}, align 8{INVARIANT}", "i64").text
            base = self.add(f"load ptr, ptr {base}, align 8{INVARIANT}", "ptr").text
        return self._element(base, position.field.kind, self.place_within(place, count, name))

    def table_cell(self, name: str, place: Term) -> Cell:
        """Return the cell at a place of a table of static numbers."""
        kind, count = self.module.tables[name]
        return self._element(f"@{name}", kind, self.place_within(place, str(count), "a table"))

    def _offset(self, base: str, offset: int) -> str:
        return self.add(f"getelementptr inbounds i8, ptr {base}, i64 {offset}", "ptr").text if offset else base

    def _element(self, base: str, kind: Stored, place: Term) -> Cell:
        type_ = self.module.stored_as(kind)
        return Cell(self.add(f"getelementptr inbounds {type_}, ptr {base}, i64 {place.text}", "ptr").text, kind)

    def load(self, cell: Cell) -> Term:
        """Write a load of the number in a cell."""
        type_ = self.module.stored_as(cell.kind)
        term = self.add(f"load {type_}, ptr {cell.pointer}, align {alignment(cell.kind)}", type_)
        if cell.kind == "f32":
            return self.add(f"fpext float {term.text} to double", "double")
        return self._widened(term, cell.kind) if cell.kind in _NARROW else term

    def _widened(self, value: Term, kind: Stored) -> Term:
        return self.add(f"{_NARROW[kind]} {value.type} {value.text} to i64", "i64")

    def store(self, cell: Cell, value: Term) -> None:
        """Write a store of a number into a cell; a shorter cell keeps its lowest bits."""
        type_ = self.module.stored_as(cell.kind)
        if cell.kind == "f32":
            how = "sitofp" if value.type == "i64" else "fptrunc"
            value = self.add(f"{how} {value.type} {value.text} to float", "float")
        else:
            value = self.converted(value, type_ if type_ in {"double", self.module.packed} else "i64")
        if cell.kind in _NARROW:
            narrow = self.add(f"trunc i64 {value.text} to {type_}", type_)
            if self.checked:
                same = self.compare(ast.Eq(), self._widened(narrow, cell.kind), value)
                self.check(same, f"too large for {cell.kind}")
            value = narrow
        self.do(f"store {type_} {value.text}, ptr {cell.pointer}, align {alignment(cell.kind)}")


def alignment(kind: Stored) -> int:
    """Return the alignment of a number, in bytes."""
    return WORD if kind == PACKED else SIZES[kind]
