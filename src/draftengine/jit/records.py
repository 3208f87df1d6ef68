"""Records: the state that kernel source works on, declared once as a class.

    class Game(Record):
        round: int = number("The round, from 1.")
        score: list[int] = fields("seat", "Points by seat.")
        heap: list[int] = array("u8", "heap", "The cards of piles.")

In Python a record is an object with slots that hold numbers and lists. In memory it is two blocks. The *split* block
holds single numbers, and rows whose indices are always static, with 8 bytes for each number; a compiler can keep these
in registers. The other block holds *cells*: rows whose indices are computed. A `Layout` defines the lengths of rows,
and makes records.
"""

from __future__ import annotations

import array as arrays
import ctypes
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, Literal, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Kind: TypeAlias = Literal["u8", "i8", "i16", "i32", "i64", "f32", "f64"]
"""The kind of cell: an unsigned byte, a signed integer of this many bits, or a float.

Whole numbers are stored in ``f32`` cells only if they have at most 32 bits.
"""
Way: TypeAlias = Literal["number", "split", "cells"]
PACKED: Literal["packed"] = "packed"
"""The dimension with the number of 64-bit words in a packed number; 1 if a layout does not define it."""
Packed: TypeAlias = Annotated[int, PACKED]
"""Annotation for a parameter or result that is a packed number (see `packed`)."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record."""

    way: Way
    kind: Kind
    dimension: str
    """The name of the dimension that sets the field's number of places; empty for a single number."""
    borrowed: bool
    """True if the field's cells are outside the record, which only points to them."""
    doc: str
    packed: bool = False
    """True if the field's numbers have as many words as the layout says."""


def number(doc: str, kind: Literal["i64", "f64"] = "i64") -> Any:
    """Declare a single number."""
    return Field("number", kind, "", borrowed=False, doc=doc)


def fields(dimension: str, doc: str, kind: Literal["i64", "f64"] = "i64") -> Any:
    """Declare a row of numbers. Wherever the row is used, the index must be static."""
    return Field("split", kind, dimension, borrowed=False, doc=doc)


def packed(dimension: str, doc: str) -> Any:
    """Declare a row, as `fields` does, whose numbers may need several words of 64 bits.

    The numbers can be added, subtracted, shifted, compared and combined bitwise. Masking a number to less than one word
    gives an ordinary number.
    """
    return Field("split", "i64", dimension, borrowed=False, doc=doc, packed=True)


def array(kind: Kind, dimension: str, doc: str, *, borrowed: bool = False) -> Any:
    """Declare a row of numbers that can be read and written at dynamic indices.

    Borrowed cells belong to somebody else: tables, tallies, rows of a batch. A record in memory borrows cells by
    `Memory.bind_array`, and a Python object by an assignment to its slot. Borrowed cells may be replaced between calls,
    and there may be any number of them.
    """
    return Field("cells", kind, dimension, borrowed=borrowed, doc=doc)


class RecordType(type):
    """The metaclass of records. It makes slots for the declared fields."""

    fields: Mapping[str, Field]

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> RecordType:
        inherited = {key: field for base in reversed(bases) for key, field in getattr(base, "fields", {}).items()}
        declared = {key: field for key, field in body.items() if isinstance(field, Field)}
        rest = {key: value for key, value in body.items() if key not in declared}
        made = super().__new__(mcs, name, bases, {**rest, "__slots__": tuple(declared)})
        made.fields = {**inherited, **declared}
        return made


class Record(metaclass=RecordType):
    """The base class of the records of kernel source. `Layout` makes objects of these classes."""

    fields: ClassVar[Mapping[str, Field]]


R = TypeVar("R", bound=Record)
WORD = 8
FORMATS: Mapping[Kind, Literal["B", "b", "h", "i", "q", "f", "d"]] = {
    "u8": "B", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "f32": "f", "f64": "d",
}  # fmt: skip
"""Codes of `memoryview` and `struct` for the kinds of cells."""
SIZES: Mapping[Kind, int] = {"u8": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f32": 4, "f64": 8}
"""The sizes of the kinds of cells, in bytes."""
_APART = 128
"""Bytes that are left free behind each block.

If blocks of two threads shared a line of the cache, each would wait for what the other writes.
"""
_WORD = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """The place of a field in memory."""

    field: Field
    offset: int
    """The offset within its block, in bytes. Of borrowed cells, only address and number are stored there."""
    count: int
    """The number of places; 1 for a single number. The number of borrowed cells is independent of it."""
    words: int = 1
    """The number of 64-bit words in each number. The lowest word comes first."""


@dataclass(frozen=True)
class Layout(Generic[R]):
    """A record, together with the sizes of its dimensions."""

    record: type[R]
    positions: Mapping[str, FieldPlace]
    split_size: int
    cells_size: int
    """The size of each of the two blocks, in bytes."""

    def fresh(self) -> R:
        """Return a zeroed record as a Python object. Borrowed arrays are empty."""
        made = self.record()
        for name, position in self.positions.items():
            zero: Any = 0.0 if position.field.kind == "f64" else 0
            if position.field.way != "number":
                zero = [] if position.field.borrowed else [zero] * position.count
            setattr(made, name, zero)
        return made

    def memory(self) -> Memory:
        """Return a zeroed record in memory. Borrowed arrays have no cells."""
        return Memory(self)


def layout(record: type[R], sizes: Mapping[str, int]) -> Layout[R]:
    """Lay out a record. `sizes` has the number of places by dimension.

    Raise `ValueError` for a dimension without a size.
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
        self._blocks = bytearray(layout.split_size + _APART), bytearray(layout.cells_size + _APART)
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
        """Addresses of the split block and of the cells, as passed to compiled functions."""

    def view(self, name: str) -> memoryview[Any]:
        """Return the places of a field for reading and writing. NumPy's `asarray` accepts the result.

        Numbers of several words appear word by word.
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
        """Return a field as a number or a list, in the form that a Python object has."""
        position = self.layout.positions[name]
        values = self.view(name).tolist()
        if position.words > 1:
            values = [joined(values[start : start + position.words]) for start in range(0, len(values), position.words)]
        return values[0] if position.field.way == "number" else values

    def set(self, name: str, value: Any) -> None:
        """Write a field: a number, or one number for each place. Raise `ValueError` for a wrong count.

        A word (see `primitives`) is stored with the same bits.
        """
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
        """Copy all numbers and split rows of a Python object, and some of its cells, into this memory."""
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
            self.view(name)[:] = arrays.array(FORMATS[self.layout.positions[name].field.kind], getattr(record, name))

    def bind_array(self, name: str, buffer: Any) -> None:
        """Point a field to cells elsewhere: an `array`, a NumPy array or a `memoryview`.

        The cells may belong to a field of another record, but not of this one. Raise `ValueError` if their items are of
        another kind, not contiguous or not writable.
        """
        position = self.layout.positions[name]
        view = memoryview(buffer)
        wanted = FORMATS[position.field.kind]
        fits = view.itemsize == SIZES[position.field.kind] and (view.format in "fd") == (wanted in "fd")
        if not position.field.borrowed or not fits or not view.contiguous or view.readonly:
            raise ValueError(f"{name} cannot borrow cells of format {view.format!r} (it wants {wanted!r})")
        view = self._cast(self._cast(view, "u8"), position.field.kind)
        self._lent[name] = view  # keeps a reference, so that the cells are not freed
        place = memoryview(self._blocks[1])[position.offset : position.offset + 2 * WORD].cast("q")
        place[0] = _address(view) if len(view) else 0
        place[1] = len(view)


def signed(value: int, words: int = 1) -> int:
    """Return the signed number whose bits are those of one word, or of several words."""
    sign = 1 << 64 * words - 1
    return (value + sign) % (2 * sign) - sign


def words_of(value: int, words: int) -> list[int]:
    """Return the words of a number as signed numbers, the lowest first."""
    return [signed(value >> 64 * index) for index in range(words)]


def joined(words: Sequence[int]) -> int:
    """Return the signed number that consists of these 64-bit words, the lowest word first."""
    return signed(sum((word & _WORD) << 64 * index for index, word in enumerate(words)), len(words))


def _address(buffer: Any) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(buffer))
