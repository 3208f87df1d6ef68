"""Records: the state that kernel source works on, declared once as a class.

    class Game(Record):
        round: int = number("The round, from 1.")
        score: list[int] = fields("seat", "Points by seat.")
        heap: list[int] = array("u8", "heap", "The cards of piles.")

In Python a record is an object with slots that hold numbers and lists. In memory it is two blocks. The *split* block
holds single numbers and rows whose places are always static, 8 bytes each; a compiler can keep them in registers. The
other block holds *cells*: rows whose places are computed. A layout defines the lengths of rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind: TypeAlias = Literal["u8", "i8", "i16", "i32", "i64", "f32", "f64"]
"""Kind of a cell: an unsigned byte, a signed integer of this number of bits, or a float."""
Way: TypeAlias = Literal["number", "split", "cells"]
PACKED: Literal["packed"] = "packed"
"""Dimension for the number of 64-bit words of a packed number; 1 if a layout does not define it."""
Packed: TypeAlias = Annotated[int, PACKED]
"""Annotation for a parameter or a result that is a packed number, see `packed`."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record."""

    way: Way
    kind: Kind
    dimension: str
    """Name of the number of its places; empty for a single number."""
    borrowed: bool
    """True if its cells are outside the record, which only points to them."""
    doc: str
    packed: bool = False
    """True if its numbers have several words when the layout says so."""


def number(doc: str, kind: Literal["i64", "f64"] = "i64") -> Any:
    """Declare a single number."""
    return Field("number", kind, "", borrowed=False, doc=doc)


def fields(dimension: str, doc: str, kind: Literal["i64", "f64"] = "i64") -> Any:
    """Declare a row of numbers whose place is static wherever it is used."""
    return Field("split", kind, dimension, borrowed=False, doc=doc)


def packed(dimension: str, doc: str) -> Any:
    """Declare a row like `fields`, of numbers that may need several words of 64 bits.

    They can be added, subtracted, shifted, compared and combined bitwise. A mask of less than a word selects an
    ordinary number.
    """
    return Field("split", "i64", dimension, borrowed=False, doc=doc, packed=True)


def array(kind: Kind, dimension: str, doc: str, *, borrowed: bool = False) -> Any:
    """Declare a row of numbers that can be read and written at dynamic places.

    Borrowed cells belong to another owner: tables, tallies, rows of a batch. They are lent to a record in memory
    (`Memory.bind_array`) and assigned to the slot of a Python object. They may change between calls and have any
    length.
    """
    return Field("cells", kind, dimension, borrowed=borrowed, doc=doc)


class RecordType(type):
    """Metaclass that makes slots of the declared fields."""

    fields: Mapping[str, Field]

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> RecordType:
        inherited = {key: field for base in reversed(bases) for key, field in getattr(base, "fields", {}).items()}
        declared = {key: field for key, field in body.items() if isinstance(field, Field)}
        rest = {key: value for key, value in body.items() if key not in declared}
        made = super().__new__(mcs, name, bases, {**rest, "__slots__": tuple(declared)})
        made.fields = {**inherited, **declared}
        return made


class Record(metaclass=RecordType):
    """Base class of the records of kernel source; `struct_layout.py` makes objects of them."""

    fields: ClassVar[Mapping[str, Field]]
