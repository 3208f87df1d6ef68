"""Interval arithmetic of integers: the range of a result is computed from the ranges of the operands.

A `Range` is (low, high), both included. Every possible result is in the range, but a closer range may exist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

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
