"""Intervals that hold at every moment of a simulation at once, so that one may look as often as one likes and stop.

An interval of 95 percent for a fixed number of games does not keep its promise if somebody looks again and again, and
stops when it shows what was hoped for. Here the promise is about all numbers of games together: with 95 percent the
true value is never outside, whenever one looks (a confidence sequence). The boundary is Robbins' normal mixture (1970);
that the deviation may be estimated as the games go on is the asymptotic confidence sequence of Waudby-Smith, Arbour,
Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics
52 (2024), Theorem 2.2. What is promised holds from some hundred games on, as for every interval by the central limit
theorem.

A ratio of two means (a rule's share of the winner's margin) has the interval of what it is made of, linearly (the delta
method).
"""

from __future__ import annotations

from math import inf, log, sqrt

from msgspec import Struct

ERROR = 0.05
"""How often all that is said together may be wrong."""
BEST_AT = 5_000
"""For about so many games the intervals are as narrow as they can be; far from it they are a little wider."""
MOST_GAMES = 20_000_000
"""No question is worth more games."""


class Estimate(Struct, frozen=True):
    """A figure, and the interval in which it lies."""

    value: float
    low: float
    high: float

    def within(self, low: float, high: float) -> bool:
        """Does it lie there for certain."""
        return low <= self.low and self.high <= high

    def outside(self, low: float, high: float) -> bool:
        """Does it lie elsewhere for certain."""
        return self.high < low or high < self.low


def half_width(games: int, error: float) -> float:
    """Half an interval, in standard deviations of one game, of a mean that is looked at again and again."""
    if games < 1:
        return inf
    mixing = (-2 * log(error) + log(1 - 2 * log(error))) / BEST_AT
    grown = games * mixing + 1
    return sqrt(2 * grown / (games * games * mixing) * log(sqrt(grown) / error))


def games_for(deviation: float, half: float, error: float) -> int:
    """After how many games half an interval is as narrow as this; `MOST_GAMES` if that takes longer."""
    few, many = 0, 1
    while deviation * half_width(many, error) > half:
        few, many = many, 2 * many
        if many > MOST_GAMES:
            return MOST_GAMES
    while many - few > 1:
        middle = (few + many) // 2
        if deviation * half_width(middle, error) > half:
            few = middle
        else:
            many = middle
    return many
