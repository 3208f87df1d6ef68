"""Thinking times and iterations of bots, as mergeable counts, so that no list of decisions is kept."""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterable

_STEP = 0.04
"""Width of the bins of times, relative to the time; percentiles are accurate to two percent."""
_SHORTEST = 1e-7


class Thinking(Struct):
    """Counts over the decisions of one bot in which it had more than one legal move."""

    decisions: int = 0
    iterations: int = 0
    longest: float = 0.0
    """Longest time of a decision, in seconds."""
    bins: dict[int, int] = field(default_factory=dict)
    """Number of decisions by bin: the logarithm of their seconds, divided by `_STEP` and rounded."""

    def note(self, seconds: float, iterations: int) -> None:
        """Count one decision by its time and its iterations."""
        self.decisions += 1
        self.iterations += iterations
        self.longest = max(self.longest, seconds)
        place = round(log(max(seconds, _SHORTEST)) / _STEP)
        self.bins[place] = self.bins.get(place, 0) + 1

    def add(self, other: Thinking) -> None:
        """Add the counts of `other` to these."""
        self.decisions += other.decisions
        self.iterations += other.iterations
        self.longest = max(self.longest, other.longest)
        for place, count in other.bins.items():
            self.bins[place] = self.bins.get(place, 0) + count

    def percentile(self, share: float) -> float:
        """Return the time in milliseconds within which a share (0 to 1) of the decisions was made."""
        left = share * self.decisions
        for place in sorted(self.bins):
            left -= self.bins[place]
            if left <= 0:
                return min(1000 * exp(_STEP * place), 1000 * self.longest)
        return 1000 * self.longest

    @property
    def mean_iterations(self) -> float:
        """Iterations for each decision on average, or 0 without decisions."""
        return self.iterations / max(self.decisions, 1)


def merged(parts: Iterable[Thinking]) -> Thinking:
    """Merge the counts of several workers."""
    total = Thinking()
    for part in parts:
        total.add(part)
    return total
