"""Counters in packed words, and compiled formulas as functions of a state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

Value = Callable[[Any, int], int]
"""A function (state, seat) that evaluates a formula. Formulas about the table ignore the seat."""
ValuesOfCards = Callable[[Any, int], list[int]]
"""A function (state, seat) that returns a value for each card in one zone of the seat."""


class CounterField(Struct, frozen=True):
    """The position of a counter in a seat's packed word: ``(word >> shift & mask) - offset``."""

    name: str
    shift: int
    mask: int
    offset: int
    start: int
    shared: int = 0
    """The number of seats that share the counter; 0 if each seat has its own.

    A change for one of these seats is a change for all of them.
    """

    @property
    def one(self) -> int:
        return 1 << self.shift

    @property
    def field_mask(self) -> int:
        """The mask of the field's bits in the word."""
        return self.mask << self.shift

    def read(self, word: int) -> int:
        """Return the counter's value, read from a packed word."""
        return (word >> self.shift & self.mask) - self.offset
