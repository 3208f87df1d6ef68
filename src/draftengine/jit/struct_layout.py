"""How long the rows of a record are, where its fields lie in memory, and records as objects and as memory."""

from __future__ import annotations

import ctypes
import struct
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast

from draftengine.jit.struct_type import PACKED, Field, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from draftengine.jit.struct_type import Kind

R = TypeVar("R", bound=Record)
WORD = 8
FORMATS: Mapping[Kind, Literal["B", "b", "h", "i", "q", "f", "d"]] = {
    "u8": "B", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "f32": "f", "f64": "d",
}  # fmt: skip
"""How `memoryview` and `struct` call the kinds of cells."""
SIZES: Mapping[Kind, int] = {"u8": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f32": 4, "f64": 8}
"""Bytes."""
_WORD = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """Where a field lies."""

    field: Field
    offset: int
    """Bytes from the beginning of its block. Of borrowed cells the address lies there, and behind it their number."""
    count: int
    """How many places it has; 1 for a single number. Borrowed cells may be more or fewer."""
    words: int = 1
    """Of how many words of 64 bits each number consists, the lowest first."""


@dataclass(frozen=True)
class Layout(Generic[R]):
    """A record with the sizes of its dimensions."""

    record: type[R]
    positions: Mapping[str, FieldPlace]
    split_size: int
    cells_size: int
    """Bytes of the two blocks."""

    def fresh(self) -> R:
        """A record as a Python object, all zeros. What it will borrow is empty."""
        made = self.record()
        for name, position in self.positions.items():
            zero: Any = 0.0 if position.field.kind == "f64" else 0
            if position.field.way != "number":
                zero = [] if position.field.borrowed else [zero] * position.count
            setattr(made, name, zero)
        return made

    def memory(self) -> Memory:
        """A record in memory, all zeros. What it will borrow has no places."""
        return Memory(self)


def layout(record: type[R], sizes: Mapping[str, int]) -> Layout[R]:
    """Lay out a record, given how many places each of its dimensions has.

    Raises `ValueError` for a dimension without a size.
    """
    positions = {}
    split_size = cells_size = 0
    for name, field in record.fields.items():
        if field.dimension not in sizes and field.dimension and not field.borrowed:
            raise ValueError(f"{record.__name__}.{name}: how many places has {field.dimension!r}?")
        count = sizes.get(field.dimension, 0) if field.dimension else 1
        if field.way == "cells":
            size = WORD if field.borrowed else SIZES[field.kind]
            cells_size = -(-cells_size // size) * size
            positions[name] = FieldPlace(field, cells_size, count)
            cells_size += 2 * WORD if field.borrowed else count * size
        else:
            words = sizes.get(PACKED, 1) if field.packed else 1
            positions[name] = FieldPlace(field, split_size, count, words)
            split_size += count * words * WORD
    return Layout(record, positions, split_size, -(-cells_size // WORD) * WORD)


class Memory:
    """A record as two blocks of memory."""

    def __init__(self, layout: Layout[Any]) -> None:
        self.layout = layout
        self._blocks = bytearray(layout.split_size or WORD), bytearray(layout.cells_size or WORD)
        self._split = [
            (name, position.field, position.words)
            for name, position in layout.positions.items()
            if position.field.way != "cells"
        ]
        kinds = [
            FORMATS[position.field.kind] * position.count * position.words
            for position in layout.positions.values()
            if position.field.way != "cells"
        ]
        self._packing = struct.Struct("".join(kinds))
        self._lent: dict[str, memoryview[Any]] = {}
        one, two = self._blocks
        self.addresses = _address(one), _address(two)
        """Of the split block and of the cells: what compiled functions are given for a record."""

    def view(self, name: str) -> memoryview[Any]:
        """The places of a field, to read and to write; NumPy's `asarray` takes it as it is.

        Of numbers of several words it has every word.
        """
        position = self.layout.positions[name]
        if position.field.borrowed:
            return self._lent.get(name) or self._cast(memoryview(b""), position.field.kind)
        block = self._blocks[position.field.way == "cells"]
        size = position.count * position.words * SIZES[position.field.kind]
        return self._cast(memoryview(block)[position.offset : position.offset + size], position.field.kind)

    @staticmethod
    def _cast(view: memoryview[Any], kind: Kind) -> memoryview[Any]:
        raw: Any = view
        return cast("memoryview[Any]", raw.cast(FORMATS[kind]))

    def get(self, name: str) -> Any:
        """A field as a number or a list, as a Python object has it."""
        position = self.layout.positions[name]
        values = self.view(name).tolist()
        if position.words > 1:
            values = [joined(values[start : start + position.words]) for start in range(0, len(values), position.words)]
        return values[0] if position.field.way == "number" else values

    def set(self, name: str, value: Any) -> None:
        """Write a field: a number, or as many numbers as it has places. Words are written as they are."""
        position = self.layout.positions[name]
        values = [value] if position.field.way == "number" else list(value)
        if position.words > 1:
            values = [word for one in values for word in words_of(one, position.words)]
        view = self.view(name)
        if len(values) != len(view):
            raise ValueError(f"{name} has {len(view)} places, not {len(values)}")
        for index, one in enumerate(values):
            view[index] = signed(one) if position.field.kind == "i64" else one

    def take(self, record: Record, cells: Iterable[str]) -> None:
        """Write all numbers and split rows of a record that is a Python object, and some of its cells."""
        numbers: list[int | float] = []
        for name, field, words in self._split:
            value = getattr(record, name)
            if field.way == "number":
                numbers.append(value)
            elif words == 1:
                numbers += value
            else:
                numbers += [word for one in value for word in words_of(one, words)]
        self._packing.pack_into(self._blocks[0], 0, *numbers)
        for name in cells:
            self.view(name)[:] = array(FORMATS[self.layout.positions[name].field.kind], getattr(record, name))

    def bind_array(self, name: str, buffer: Any) -> None:
        """Let a field point to cells that lie elsewhere: an `array`, a NumPy array or a `memoryview`.

        They may be those of another field, but not of the same record. Raises `ValueError` if their items are of
        another kind, or not one behind the other.
        """
        position = self.layout.positions[name]
        view = memoryview(buffer)
        wanted = FORMATS[position.field.kind]
        fits = view.itemsize == SIZES[position.field.kind] and (view.format in "fd") == (wanted in "fd")
        if not position.field.borrowed or not fits or not view.contiguous or view.readonly:
            raise ValueError(f"{name} cannot borrow cells of format {view.format!r} (it wants {wanted!r})")
        view = self._cast(self._cast(view, "u8"), position.field.kind)
        self._lent[name] = view  # which keeps the cells alive
        place = memoryview(self._blocks[1])[position.offset : position.offset + 2 * WORD].cast("q")
        place[0] = _address(view) if len(view) else 0
        place[1] = len(view)


def signed(value: int, words: int = 1) -> int:
    """One word, or several, as the number with a sign that has the same bits."""
    sign = 1 << 64 * words - 1
    return (value + sign) % (2 * sign) - sign


def words_of(value: int, words: int) -> list[int]:
    """The words of a number, the lowest first, each as a number with a sign."""
    return [signed(value >> 64 * index) for index in range(words)]


def joined(words: Sequence[int]) -> int:
    """The number with a sign of which these are the words."""
    return signed(sum((word & _WORD) << 64 * index for index, word in enumerate(words)), len(words))


def _address(buffer: Any) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(buffer))
