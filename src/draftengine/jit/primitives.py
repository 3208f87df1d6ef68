"""What kernel source may do besides Python's arithmetic, as Python. `llvm/function.py` has the same as machine code.

A *word* is a number from 0 to 2⁶⁴ − 1. Only `wrap` brings a result back into that range; a word is shifted to the right
with `shr`, and compared with another one for equality only. All other numbers are within 64 bits with a sign.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

MASK = (1 << 64) - 1
T = TypeVar("T")


def wrap(number: int) -> int:
    """The word that a sum, difference or product is, modulo 2⁶⁴."""
    return number & MASK


def shr(word: int, count: int) -> int:
    """Shift a word to the right by 0 to 63 bits."""
    return word >> count


def high_half(one: int, other: int) -> int:
    """The upper 64 bits of the product of two words."""
    return one * other >> 64


def trailing(word: int) -> int:
    """How many zeros follow the lowest one of a word, which is not 0."""
    return (word & -word).bit_length() - 1


def popcount(word: int) -> int:
    """How many ones a word has."""
    return word.bit_count()


def as_packed(number: int) -> int:
    """A number, as wide as packed ones are, so that it can be shifted to a place among them."""
    return number


def square_root(number: float) -> float:
    """The square root."""
    return math.sqrt(number)


def truncated(number: float) -> int:
    """A number without its fraction."""
    return int(number)


def likely(test: T) -> T:
    """A test that is nearly always true."""
    return test


def unknown(number: int) -> int:
    """A number that the specialiser forgets, so that what depends on it is made once for all its values."""
    return number


def dynamic_range(count: int) -> range:
    """The numbers below `count`; the loop over them stays a loop."""
    return range(count)


def row(length: int) -> list[int]:
    """As many zeros; every place is known when it is used, and becomes a variable."""
    return [0] * length


class Computed(dict[int, int]):
    """A known table whose entries are made when they are looked up. Only Python has such tables."""

    def __init__(self, entry: Callable[[int], int]) -> None:
        self._entry = entry

    def __missing__(self, key: int) -> int:
        value = self[key] = self._entry(key)
        return value

    __hash__ = object.__hash__  # type: ignore[assignment]  # one table is itself


COMPUTING: dict[object, str] = {
    function: function.__name__
    for function in (wrap, shr, high_half, trailing, popcount, as_packed, square_root, truncated, likely, min, max, abs)
}
"""Primitives that compute, with their names in a residual program."""
STAYING = frozenset({unknown, dynamic_range, row})
"""Primitives that are there for the specialiser, and are never carried out beforehand."""
