"""Confidence sequences: intervals that hold at every moment of a simulation at once.

An interval for a fixed number of games is too narrow if somebody looks at it repeatedly and stops when it shows the
hoped-for result. A *confidence sequence* covers all numbers of games together: with 95 percent probability it contains
the true value at every moment. So a study can look at any time and stop at any time.

The boundary is Robbins' normal mixture (1970). Estimating the deviation from the games makes it an asymptotic
confidence sequence. Like every interval by the central limit theorem, it holds from a few hundred games on. Source:
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence
sequences", Annals of Statistics 52 (2024), Theorem 2.2.

The interval of a ratio of two means, such as a rule's share of the winner's margin, comes from linearising the ratio
(the delta method).
"""

from __future__ import annotations

from math import inf, log, sqrt

from msgspec import Struct

ERROR = 0.05
"""Probability that any of a study's intervals is wrong at any moment."""
BEST_AT = 5_000
"""Number of games for which the intervals are tuned; far from it they are a little too wide."""
MOST_GAMES = 20_000_000
"""Maximum number of games for any question."""


class Estimate(Struct, frozen=True):
    """Estimated figure with its interval."""

    value: float
    low: float
    high: float

    def within(self, low: float, high: float) -> bool:
        """True if the whole interval lies within these bounds."""
        return low <= self.low and self.high <= high

    def outside(self, low: float, high: float) -> bool:
        """True if the whole interval lies outside these bounds."""
        return self.high < low or high < self.low


def half_width(games: int, error: float) -> float:
    """Return half the width of a mean's interval, in standard deviations of one game."""
    if games < 1:
        return inf
    mixing = (-2 * log(error) + log(1 - 2 * log(error))) / BEST_AT
    grown = games * mixing + 1
    return sqrt(2 * grown / (games * games * mixing) * log(sqrt(grown) / error))


def games_for(deviation: float, half: float, error: float) -> int:
    """Return the number of games after which half the interval is at most `half`, up to `MOST_GAMES`."""
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
