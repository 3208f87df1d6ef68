"""The names in a formula: their kinds, their ranges and how they are read.

A *scope* has the names that a formula may use. An *environment* makes, for each name, a function that reads its value
from a state for a seat.

The range of a result is computed from the ranges of the operands. A `Range` is (low, high), both included. Every
possible result is in the range, but a closer range may exist.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from msgspec import Struct

from draftengine.model.language.tree import MAX_INT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


Range = tuple[int, int]

TRUTH: Range = (0, 1)


def hull(ranges: Iterable[Range]) -> Range:
    """Return the smallest range that contains all the given ranges."""
    lows, highs = zip(*ranges, strict=True)
    return min(lows), max(highs)


def negated(value: Range) -> Range:
    return -value[1], -value[0]


def added(left: Range, right: Range) -> Range:
    return left[0] + right[0], left[1] + right[1]


def subtracted(left: Range, right: Range) -> Range:
    return left[0] - right[1], left[1] - right[0]


def multiplied(left: Range, right: Range) -> Range:
    corners = [a * b for a in left for b in right]
    return min(corners), max(corners)


def divided(left: Range, right: Range) -> Range:
    """Return the range of floor division. Its extremes occur at the ends of both ranges.

    `right` must not contain 0.
    """
    corners = [a // b for a in left for b in right]
    return min(corners), max(corners)


def remainder(left: Range, right: Range) -> Range:
    """Return the range of the remainder, which has the sign of the divisor. `right` must not contain 0."""
    low, high = right
    if low < 0:
        return negated(remainder(negated(left), negated(right)))
    if left[0] == left[1] and low == high:
        return left[0] % low, left[0] % low
    if left[0] >= 0 and left[1] < low:
        return left
    return 0, min(high - 1, left[1]) if left[0] >= 0 else high - 1


def absolute(value: Range) -> Range:
    low, high = value
    if low >= 0:
        return value
    return (0, max(-low, high)) if high > 0 else negated(value)


OPERATORS: Mapping[str, Callable[[Range, Range], Range]] = {
    "+": added,
    "-": subtracted,
    "*": multiplied,
    "//": divided,
    "%": remainder,
}


State = TypeVar("State")
_State_contra = TypeVar("_State_contra", contravariant=True)

Value = Callable[[State, int], int]
"""A function of a state and a seat. Conditions return a ``bool``."""


class Constants(Protocol):
    """The numbers that stay the same during a game."""

    @property
    def seat_count(self) -> int:
        """The number of seats. They are numbered from 0."""
        ...

    @property
    def player_count(self) -> int:
        """The number of players. They have the first seats and sit in a circle."""
        ...

    def constant(self, name: str, /) -> int | None:
        """Return the value of a name if it never changes, otherwise ``None``."""
        ...


class Environment(Constants, Protocol[_State_contra]):
    """Makes functions that read names. If a name belongs to the table, its function ignores the seat."""

    def value(self, name: str, /) -> Callable[[_State_contra, int], int]:
        """Return a function that reads a counter, a value of the table, or a parameter."""
        ...

    def gained(self, counter: str, /) -> Callable[[_State_contra, int], int]:
        """Return a function that returns how much a counter has risen in this turn."""
        ...

    def holds(self, marker: str, /) -> Callable[[_State_contra, int], int]:
        """Return a function that returns True for the seat that holds a marker."""
        ...

    def cards(self, zone: str, /) -> Callable[[_State_contra, int], int]:
        """Return a function that returns the number of cards in a zone."""
        ...

    def among(self, zone: str, what: str, /) -> Callable[[_State_contra, int], list[int]]:
        """Return a function that lists the values of an attribute, for the cards in a zone that have it."""
        ...

    def each(self, zone: str, value: Callable[[Any, int], int], /) -> Callable[[_State_contra, int], list[int]]:
        """Return a function that evaluates `value` for each card in a zone."""
        ...

    def best_of(self, what: str, /) -> Callable[[_State_contra, int], int]:
        """Return a function that returns the most points that any of the seat's scoring cards gives."""
        ...


class NameInfo(Struct, frozen=True):
    """The kind and range of what a name in a formula refers to."""

    kind: Literal["counter", "fact", "parameter", "marker", "zone", "scores", "anything"]
    """The kind. It is ``anything`` for a parameter of a definition, because its argument is not known."""
    low: int
    """The lower bound of the value or, for a zone, of its number of cards. `high` is the upper bound."""
    high: int
    per_seat: bool
    """True if each seat has a value of its own."""
    hidden: bool = False
    """For a zone: true if some seat may not see its cards."""
    together: int = MAX_INT
    """For a counter: the most that all seats together can have."""

    @property
    def is_thing(self) -> bool:
        """True if the name itself has no value, such as the name of a zone."""
        return self.kind in {"marker", "zone", "scores"}


class Scope(Struct, frozen=True):
    """The names that a formula can use, which depend on its place in the card set."""

    names: Mapping[str, NameInfo]
    seat: bool
    """True if the formula is evaluated for a seat."""
    max_seats: int
    min_seats: int = 1
    elsewhere: frozenset[str] = frozenset()
    """Names that can be used only in other places of the card set."""
    defined: bool = False
    """True for a definition, which may also be evaluated for other seats or for the cards of a zone."""
