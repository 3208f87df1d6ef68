"""Means with intervals from units, and what is certain between two bots. All intervals are of 95 percent."""

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
"""Nothing is certain before so many deals."""
CLOSE = 0.02
"""Bots of which neither wins more often by this much are about equally strong; a share so precise is usually enough."""
RULE_OF_THREE = 3
"""What never happened in n deals happens, with 95 percent, in at most 3/n of them."""
POWER = NormalDist().inv_cdf(0.8)
"""A difference is to be found with a chance of 80 percent by the deals that are said to be needed."""


class Estimate(Struct, frozen=True):
    """A mean over units."""

    mean: float
    sd: float
    """Between units."""
    units: int
    ci95: Interval


class Cell(Struct, frozen=True):
    """What a challenger gets out of a pairing."""

    share: Estimate
    """Of victories: 0 to 1, ties split."""
    margin: Estimate
    """Own points less those of the best other, in points."""


class Duel(Struct, frozen=True):
    """Two bots, each as challenger of the other on the same deals."""

    one: int
    two: int
    difference: Estimate
    """The win share of the first among copies of the second less that of the second among copies of the first."""
    certain: bool
    """Is one of them better, with 95 percent for all duels together (Bonferroni)."""
    deals_needed: int
    """About so many deals would show such a difference, if it is the true one; 0 if nothing can be said."""
    bound: float
    """How far apart both can be at most, with 95 percent for all duels together."""
    deals_to_tell: int
    """So many deals in all either show who is better or show that they are no further apart than `CLOSE`."""


def share_of(values: Sequence[float]) -> Estimate:
    """The mean of shares: Wilson's interval for as many independent games as the variance of units is worth.

    With that effective number of games (Korn and Graubard 1998) the interval is that of the mean of units in the
    middle, and never passes 0 or 1. Units that are all alike count as one game each.
    """
    mean, sd = _moments(values)
    games = mean * (1 - mean) * len(values) / sd**2 if sd else len(values)
    return Estimate(mean, sd, len(values), wilson(mean, games))


def mean_of(values: Sequence[float]) -> Estimate:
    """The mean of values without bounds; the interval is the normal one."""
    mean, sd = _moments(values)
    return Estimate(mean, sd, len(values), of_mean(mean, sd, len(values)))


def _moments(values: Sequence[float]) -> tuple[float, float]:
    return fmean(values), stdev(values) if len(values) > 1 else 0.0


def cell_of(units: Sequence[Unit]) -> Cell:
    """What the units of one pairing say."""
    return Cell(share_of([unit.share for unit in units]), mean_of([unit.margin for unit in units]))


def deals_for(sd: float, half: float) -> int:
    """How many deals make an interval of so much to either side."""
    return ceil((Z * sd / half) ** 2)


def duels(paired: dict[Pairing, list[Unit]], bots: int) -> list[Duel]:
    """The duel of every two bots of which each has challenged the other."""
    met = [
        (one, two, _differences(paired, one, two)) for one in range(bots) for two in range(one + 1, bots)
    ]  # fmt: skip
    known = [(one, two, values) for one, two, values in met if values]
    critical = NormalDist().inv_cdf(1 - 0.025 / max(len(known), 1))
    return [_duel(one, two, mean_of(values), critical) for one, two, values in known]


def _differences(paired: dict[Pairing, list[Unit]], one: int, two: int) -> list[float]:
    """By deal; deals that only one of both has played are left out."""
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
