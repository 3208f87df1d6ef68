"""Primitives of kernel source beyond Python's arithmetic. `llvm/function.py` has their machine code.

A *word* is a number from 0 to 2⁶⁴ − 1. Only `wrap` brings a result back into that range. Words are shifted right with
`shr`, and compared with each other only for equality. All other numbers are signed 64-bit integers.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

MASK = (1 << 64) - 1
T = TypeVar("T")


def wrap(number: int) -> int:
    """Return a sum, difference or product modulo 2⁶⁴, as a word."""
    return number & MASK


def shr(word: int, count: int) -> int:
    """Shift a word to the right by 0 to 63 bits."""
    return word >> count


def high_half(one: int, other: int) -> int:
    """Return the upper 64 bits of the product of two words."""
    return one * other >> 64


def trailing(word: int) -> int:
    """Return the number of trailing zeros of a word that is not 0."""
    return (word & -word).bit_length() - 1


def popcount(word: int) -> int:
    """Return the number of ones in a word."""
    return word.bit_count()


def as_packed(number: int) -> int:
    """Return a number converted to the width of packed numbers, so that it can be shifted into position."""
    return number


def square_root(number: float) -> float:
    """Return the square root."""
    return math.sqrt(number)


def truncated(number: float) -> int:
    """Return a number without its fraction."""
    return int(number)


def likely(test: T) -> T:
    """Return a test, with the hint that it is nearly always true."""
    return test


def unknown(number: int) -> int:
    """Return a number that the specialiser treats as dynamic, so that its code can be shared."""
    return number


def dynamic_range(count: int) -> range:
    """Return the numbers below `count`. A loop over them is not unrolled."""
    return range(count)


def row(length: int) -> list[int]:
    """Return a row of zeros. Its indices must be static, and each place becomes a variable."""
    return [0] * length


class Computed(dict[int, int]):
    """A static table whose entries are computed when they are first read. Compilers cannot use it."""

    def __init__(self, entry: Callable[[int], int]) -> None:
        self._entry = entry

    def __missing__(self, key: int) -> int:
        value = self[key] = self._entry(key)
        return value

    __hash__ = object.__hash__  # type: ignore[assignment]  # a table is equal only to itself


COMPUTING: dict[object, str] = {
    function: function.__name__
    for function in (wrap, shr, high_half, trailing, popcount, as_packed, square_root, truncated, likely, min, max, abs)
}
"""Primitives that compute, with their names in a residual program."""
STAYING = frozenset({unknown, dynamic_range, row})
"""Primitives for the specialiser, which are never evaluated early."""
