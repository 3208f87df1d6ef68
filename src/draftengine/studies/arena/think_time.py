"""How long bots think, and how far they get: counts that can be merged, so that no list of all decisions is kept."""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterable

_STEP = 0.04
"""Times are counted in bins this wide (as a share of the time), so percentiles are good to two percent."""
_SHORTEST = 1e-7


class Thinking(Struct):
    """The decisions of one bot in which it had a choice."""

    decisions: int = 0
    iterations: int = 0
    longest: float = 0.0
    """Seconds."""
    bins: dict[int, int] = field(default_factory=dict)
    """Decisions by the logarithm of their seconds."""

    def note(self, seconds: float, iterations: int) -> None:
        """Count a decision."""
        self.decisions += 1
        self.iterations += iterations
        self.longest = max(self.longest, seconds)
        place = round(log(max(seconds, _SHORTEST)) / _STEP)
        self.bins[place] = self.bins.get(place, 0) + 1

    def add(self, other: Thinking) -> None:
        """Count the decisions of another."""
        self.decisions += other.decisions
        self.iterations += other.iterations
        self.longest = max(self.longest, other.longest)
        for place, count in other.bins.items():
            self.bins[place] = self.bins.get(place, 0) + count

    def percentile(self, share: float) -> float:
        """The milliseconds within which a share of the decisions was made."""
        left = share * self.decisions
        for place in sorted(self.bins):
            left -= self.bins[place]
            if left <= 0:
                return min(1000 * exp(_STEP * place), 1000 * self.longest)
        return 1000 * self.longest

    @property
    def mean_iterations(self) -> float:
        """For a decision; 0 for bots that repeat nothing."""
        return self.iterations / max(self.decisions, 1)


def merged(parts: Iterable[Thinking]) -> Thinking:
    """The thinking of several workers as one."""
    total = Thinking()
    for part in parts:
        total.add(part)
    return total
