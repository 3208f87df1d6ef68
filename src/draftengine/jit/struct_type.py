"""Records: the state that kernel source works on, declared once as a class.

    class Game(Record):
        round: int = number("The round, from 1.")
        score: list[int] = fields("seat", "Points by seat.")
        heap: list[int] = array("u8", "heap", "The cards of piles.")

In Python a record is an object with slots that hold numbers and lists. In memory it is two blocks: the *split* one
holds numbers and rows whose places are always known, 8 bytes each, which a compiler can keep in registers; the other
one holds *cells*, rows whose places are computed. How long rows are is said by a layout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind: TypeAlias = Literal["u8", "i8", "i16", "i32", "i64", "f32", "f64"]
"""What a cell is: an unsigned byte, a number with a sign of so many bits, or a floating-point number."""
Way: TypeAlias = Literal["number", "split", "cells"]
PACKED: Literal["packed"] = "packed"
"""The dimension that says of how many words of 64 bits a packed number consists; 1 if nobody says it."""
Packed: TypeAlias = Annotated[int, PACKED]
"""A parameter or a result that is a packed number, see `packed`."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record."""

    way: Way
    kind: Kind
    dimension: str
    """What its places stand for; empty for a single number."""
    borrowed: bool
    """Whether its cells lie outside of the record, which only points to them."""
    doc: str
    packed: bool = False
    """Whether its numbers are of several words, if the layout says so."""


def number(doc: str, kind: Literal["i64", "f64"] = "i64") -> Any:
    """Declare a single number."""
    return Field("number", kind, "", borrowed=False, doc=doc)


def fields(dimension: str, doc: str, kind: Literal["i64", "f64"] = "i64") -> Any:
    """Declare a row of numbers whose place is known wherever it is used."""
    return Field("split", kind, dimension, borrowed=False, doc=doc)


def packed(dimension: str, doc: str) -> Any:
    """Declare a row like `fields`, of numbers that may need several words of 64 bits.

    They are added, subtracted, shifted, compared, and put together bit by bit; what is cut out of them with a mask of
    less than a word is an ordinary number.
    """
    return Field("split", "i64", dimension, borrowed=False, doc=doc, packed=True)


def array(kind: Kind, dimension: str, doc: str, *, borrowed: bool = False) -> Any:
    """Declare a row of numbers of any place.

    Borrowed cells belong to somebody else: tables, tallies, rows of a batch. They are lent to a record in memory
    (`Memory.bind_array`) and put into the slot of a Python object; they may be others in every call, and of any length.
    """
    return Field("cells", kind, dimension, borrowed=borrowed, doc=doc)


class RecordType(type):
    """Makes slots of the fields that a class declares."""

    fields: Mapping[str, Field]

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> RecordType:
        inherited = {key: field for base in reversed(bases) for key, field in getattr(base, "fields", {}).items()}
        declared = {key: field for key, field in body.items() if isinstance(field, Field)}
        rest = {key: value for key, value in body.items() if key not in declared}
        made = super().__new__(mcs, name, bases, {**rest, "__slots__": tuple(declared)})
        made.fields = {**inherited, **declared}
        return made


class Record(metaclass=RecordType):
    """What kernel source works on; `struct_layout.py` makes objects of it."""

    fields: ClassVar[Mapping[str, Field]]
