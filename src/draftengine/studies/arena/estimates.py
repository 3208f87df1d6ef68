"""Means over units with 95 percent intervals, and which of two bots is certainly better."""

from __future__ import annotations

from math import ceil, sqrt
from statistics import NormalDist, fmean, stdev
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.studies.report.statistics import Z, of_mean, wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.studies.arena.deals import Pairing, Unit
    from draftengine.studies.report.statistics import Interval

FEWEST_DEALS = 10
"""Number of deals before which nothing is called certain."""
CLOSE = 0.02
"""Difference of win shares below which two bots count as about equally strong.

It is also the precision at which a win share is usually known well enough.
"""
RULE_OF_THREE = 3
"""Rule of three: an event not seen in n deals has a rate of at most 3/n, with 95 percent confidence."""
POWER = NormalDist().inv_cdf(0.8)
"""Normal quantile for the power, 80 percent: the chance that `Duel.deals_needed` deals are enough."""


class Estimate(Struct, frozen=True):
    """A mean over units."""

    mean: float
    sd: float
    """Standard deviation between units."""
    units: int
    ci95: Interval


class Cell(Struct, frozen=True):
    """Results of a challenger in a pairing."""

    share: Estimate
    """Share of victories, from 0 to 1, ties split."""
    margin: Estimate
    """Own points minus those of the best other seat."""


class Duel(Struct, frozen=True):
    """Two bots, each as challenger of the other on the same deals."""

    one: int
    two: int
    difference: Estimate
    """Win share of `one` among copies of `two`, minus that of `two` among copies of `one`."""
    certain: bool
    """True if one bot is better, with 95 percent confidence for all duels together (Bonferroni)."""
    deals_needed: int
    """Estimated number of deals that show the difference, if it is the true one; 0 if the mean is zero."""
    bound: float
    """Upper bound of the true difference, with 95 percent confidence for all duels together."""
    deals_to_tell: int
    """Total number of deals that either show the better bot or bound the difference by `CLOSE`."""


def share_of(values: Sequence[float]) -> Estimate:
    """Estimate the mean of shares, with Wilson's interval.

    Its number of games is an effective one, derived from the variance of units (Korn and Graubard 1998). So the
    interval agrees with that of the mean of units near one half, and never passes 0 or 1. If all units are equal, each
    counts as one game.
    """
    mean, sd = _moments(values)
    games = mean * (1 - mean) * len(values) / sd**2 if sd else len(values)
    return Estimate(mean, sd, len(values), wilson(mean, games))


def mean_of(values: Sequence[float]) -> Estimate:
    """Estimate the mean of unbounded values, with a normal interval."""
    mean, sd = _moments(values)
    return Estimate(mean, sd, len(values), of_mean(mean, sd, len(values)))


def _moments(values: Sequence[float]) -> tuple[float, float]:
    return fmean(values), stdev(values) if len(values) > 1 else 0.0


def cell_of(units: Sequence[Unit]) -> Cell:
    """Return win share and margin of the challenger over the units of one pairing."""
    return Cell(share_of([unit.share for unit in units]), mean_of([unit.margin for unit in units]))


def deals_for(sd: float, half: float) -> int:
    """Return the number of deals at which an interval extends `half` to either side."""
    return ceil((Z * sd / half) ** 2)


def duels(paired: dict[Pairing, list[Unit]], bots: int) -> list[Duel]:
    """Return a duel for each pair of bots that have challenged each other on common deals."""
    met = [
        (one, two, _differences(paired, one, two)) for one in range(bots) for two in range(one + 1, bots)
    ]  # fmt: skip
    known = [(one, two, values) for one, two, values in met if values]
    critical = NormalDist().inv_cdf(1 - 0.025 / max(len(known), 1))
    return [_duel(one, two, mean_of(values), critical) for one, two, values in known]


def _differences(paired: dict[Pairing, list[Unit]], one: int, two: int) -> list[float]:
    """Return differences of win shares, one for each deal on which both bots were challengers."""
    mine = {unit.deal: unit.share for pairing, units in paired.items() if _is(pairing, one, two) for unit in units}
    theirs = {unit.deal: unit.share for pairing, units in paired.items() if _is(pairing, two, one) for unit in units}
    return [share - theirs[deal] for deal, share in mine.items() if deal in theirs]


def _is(pairing: Pairing, challenger: int, opponent: int) -> bool:
    return (pairing.challenger, pairing.opponent) == (challenger, opponent)


def _duel(one: int, two: int, estimate: Estimate, critical: float) -> Duel:
    half = critical * estimate.sd / sqrt(estimate.units)
    certain = estimate.units >= FEWEST_DEALS and abs(estimate.mean) > half
    needed = ceil(((critical + POWER) * estimate.sd / estimate.mean) ** 2) if estimate.mean else 0
    bound = abs(estimate.mean) + max(half, RULE_OF_THREE / estimate.units)
    to_tell = ceil(max((2 * critical * estimate.sd / CLOSE) ** 2, 2 * RULE_OF_THREE / CLOSE))
    return Duel(one, two, estimate, certain, needed, bound, to_tell)
