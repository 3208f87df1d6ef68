"""The names in formulas: their kinds, their ranges, and the functions that read their values.

A *scope* lists the names that a formula may use. An *environment* makes a function for each name, which reads the
name's value at a seat from a state.

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
    """Return the smallest range that contains all these ranges."""
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
    """Return the range of floor division. Its lowest and highest value occur at the ends of both ranges.

    `right` must not contain 0.
    """
    corners = [a // b for a in left for b in right]
    return min(corners), max(corners)


def remainder(left: Range, right: Range) -> Range:
    """Return the range of the remainder, which has the divisor's sign. `right` must not contain 0."""
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
"""A compiled formula: a function of a state and a seat. A condition returns a ``bool``."""


class Constants(Protocol):
    """The names whose values stay the same during a game."""

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
    """Makes functions that read names from a state. If a name belongs to the table, the seat is ignored."""

    def value(self, name: str, /) -> Callable[[_State_contra, int], int]:
        """Return a function that reads a counter, a value of the table or a parameter."""
        ...

    def gained(self, counter: str, /) -> Callable[[_State_contra, int], int]:
        """Return a function for the amount by which a counter has risen in this turn."""
        ...

    def holds(self, marker: str, /) -> Callable[[_State_contra, int], int]:
        """Return a function that is true for the seat that holds a marker."""
        ...

    def cards(self, zone: str, /) -> Callable[[_State_contra, int], int]:
        """Return a function for the number of cards in a zone."""
        ...

    def among(self, zone: str, what: str, /) -> Callable[[_State_contra, int], list[int]]:
        """Return a function that lists an attribute's values, for the cards in a zone that have the attribute."""
        ...

    def each(self, zone: str, value: Callable[[Any, int], int], /) -> Callable[[_State_contra, int], list[int]]:
        """Return a function that lists the results of `value`, which is called for each card in a zone."""
        ...

    def best_of(self, what: str, /) -> Callable[[_State_contra, int], int]:
        """Return a function for the most points that one of the seat's scoring cards gives."""
        ...


class NameInfo(Struct, frozen=True):
    """The kind and range of a name in a formula."""

    kind: Literal["counter", "fact", "parameter", "marker", "zone", "scores", "anything"]
    """The kind; ``anything`` for a parameter of a definition, whose argument can be of any kind."""
    low: int
    """The lowest value or, for a zone, the lowest number of cards. `high` is the highest."""
    high: int
    per_seat: bool
    """True if the value can differ between seats."""
    hidden: bool = False
    """For a zone: true if there is a seat that may not see its cards."""
    ordered: bool = True
    """For a zone: false if its cards have no order, because they count or lie in a layout."""
    together: int = MAX_INT
    """For a counter: its largest total over all seats."""

    @property
    def is_thing(self) -> bool:
        """True if the name has no value of its own, such as the name of a zone."""
        return self.kind in {"marker", "zone", "scores"}


class Scope(Struct, frozen=True):
    """The names that a formula may use. They depend on where in the card set the formula is."""

    names: Mapping[str, NameInfo]
    seat: bool
    """True if the formula is evaluated for a certain seat."""
    max_seats: int
    min_seats: int = 1
    elsewhere: frozenset[str] = frozenset()
    """Names that exist, but may be used only by formulas in other parts of the card set."""
    defined: bool = False
    """True for a definition, which can also be evaluated for other seats or for the cards of a zone."""
