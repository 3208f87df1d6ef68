"""Sequential test of whether the first bot is better than the second, evaluated after every deal.

The test compares two hypotheses: the strength of the first bot is `elo0`, or it is `elo1`. Strength is *normalised
Elo*, as in fishtest. It is the distance of the mean result of a game from an even result, in standard deviations of a
game, times 800 / ln 10. It determines how many games a decision takes, and its meaning does not depend on the number of
seats. Source: Van den Bergh, "Normalized Elo", cantate.be/Fishtest/normalized_elo_practical.pdf.

At two seats a unit has one of five results, from both games lost to both won (pentanomial). The likelihood ratio
compares the most likely distributions over these five results, one for each strength. With more seats, there are too
many different results. The ratio then compares normal distributions with the mean and variance of units (section 4.2 of
the source).
"""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.studies.arena import PAIR
from draftengine.studies.report.statistics import Z

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.studies.report.statistics import Interval

ELO = 800 / log(10)
"""Normalised Elo for each standard deviation of a game."""
ERROR = 0.05
"""The probability of either wrong answer (alpha = beta)."""
BOUND = log((1 - ERROR) / ERROR)
"""The absolute log-likelihood ratio at which the test decides (Wald 1945)."""
FEWEST_UNITS = 20
"""The number of units before the first decision, so that the variance is known well enough."""

RESULTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The possible win shares of a pair of games."""
_NEVER = 1e-3
"""The count assumed for a result that has not occurred, so that no logarithm is infinite."""
_STEADIEST = 0.5
"""The smallest standard deviation assumed for a game, as a share of the deviation of an even game.

A bot that has won all games so far would otherwise have a deviation of zero.
"""
_ROUNDS = 50
_HALVINGS = 80


class Verdict(Struct, frozen=True):
    """State of the sequential test after some units."""

    elo0: float
    elo1: float
    llr: float
    """The log-likelihood ratio. If it is above 0, the results are more likely with `elo1`."""
    bound: float
    """Absolute value of `llr` at which the test decides."""
    decided: str
    """The decision: ``better`` if `elo1` is accepted, ``not better`` if `elo0` is, empty while undecided."""
    units: int
    elo: float
    """Measured strength of the first bot, in normalised Elo."""
    elo_ci95: Interval
    """The interval of `elo` for a fixed number of deals.

    After an early stop, `elo` is a little too extreme.
    """
    pairs: tuple[int, ...]
    """The counts of units by result, from both games lost to both won; empty except at two seats."""


class Sequential:
    """A sequential test to which units are added one by one."""

    def __init__(self, elo0: float, elo1: float, seats: int) -> None:
        self.elo0, self.elo1, self.seats = elo0, elo1, seats
        self.shares: list[float] = []
        self.counts = [0] * len(RESULTS)
        self._sum = self._squares = 0.0

    def add(self, share: float) -> bool:
        """Add a unit, given as the first bot's win share. Return True if the test decides."""
        self.shares.append(share)
        self._sum += share
        self._squares += share * share
        if self.seats == PAIR:
            self.counts[round(share * (len(RESULTS) - 1))] += 1
        return len(self.shares) >= FEWEST_UNITS and abs(self.llr()) >= BOUND

    def llr(self) -> float:
        """Return the log-likelihood ratio of `elo1` over `elo0` for the units added so far."""
        if self.seats == PAIR:
            return pentanomial_llr(self.counts, self.elo0, self.elo1)
        return normal_llr(*self._moments(), self.seats, self.elo0, self.elo1)

    def verdict(self) -> Verdict:
        """Return the state of the test for the units added so far."""
        units, mean, sd = self._moments()
        llr = self.llr() if units else 0.0
        decided = "" if units < FEWEST_UNITS or abs(llr) < BOUND else "better" if llr > 0 else "not better"
        elo = ELO * _strength(mean, sd, self.seats) if units else 0.0
        half = Z * ELO / sqrt(max(units, 1) * self.seats)
        pairs = tuple(self.counts) if self.seats == PAIR else ()
        return Verdict(self.elo0, self.elo1, llr, BOUND, decided, units, elo, (elo - half, elo + half), pairs)

    def _moments(self) -> tuple[int, float, float]:
        units = max(len(self.shares), 1)
        mean = self._sum / units
        return len(self.shares), mean, sqrt(max(self._squares / units - mean * mean, 0.0))


def normal_llr(units: int, mean: float, sd: float, seats: int, elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio for normally distributed win shares of the first bot.

    `mean` and `sd` are the mean and standard deviation of the bot's win share over `units` units.
    """
    strength = _strength(mean, sd, seats)
    miss0, miss1 = strength - elo0 / ELO, strength - elo1 / ELO
    return units * seats / 2 * log((1 + miss0 * miss0) / (1 + miss1 * miss1))


def _strength(mean: float, sd: float, seats: int) -> float:
    """Return the first bot's distance from an even win share, in standard deviations of a game."""
    even = sqrt(1 / seats * (1 - 1 / seats))
    return (mean - 1 / seats) / max(sqrt(seats) * sd, _STEADIEST * even)


def pentanomial_llr(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio for five counts of pairs of games, from both lost to both won."""
    seen = [count or _NEVER for count in counts]
    units = sum(seen)
    shares = [count / units for count in seen]
    likely0, likely1 = (_most_likely(shares, elo * sqrt(PAIR) / ELO) for elo in (elo0, elo1))
    return units * sum(share * log(one / two) for share, one, two in zip(shares, likely1, likely0, strict=True))


def _most_likely(shares: Sequence[float], strength: float) -> list[float]:
    """Return the most likely distribution of results whose mean is `strength` deviations above one half.

    The condition ``mean - 1/2 - strength * sd = 0`` is not linear in the probabilities. It is therefore replaced by its
    tangent at the last guess, again and again. For a linear condition ``sum(p * slope) = 0``, the most likely
    distribution is ``share / (1 + x * slope)``.
    """
    guess = [1 / len(RESULTS)] * len(RESULTS)
    for _ in range(_ROUNDS):
        mean = sum(probability * result for probability, result in zip(guess, RESULTS, strict=True))
        sd = sqrt(sum(probability * (result - mean) ** 2 for probability, result in zip(guess, RESULTS, strict=True)))
        slopes = [result - 0.5 - strength * (sd * sd + (result - mean) ** 2) / (2 * sd) for result in RESULTS]
        # Bisect for the x at which the slopes have mean 0. The mean falls between two poles.
        low, high = -1 / max(slopes), -1 / min(slopes)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if sum(share * slope / (1 + middle * slope) for share, slope in zip(shares, slopes, strict=True)) > 0:
                low = middle
            else:
                high = middle
        x = (low + high) / 2
        better = [share / (1 + x * slope) for share, slope in zip(shares, slopes, strict=True)]
        change = max(abs(one - two) for one, two in zip(guess, better, strict=True))
        guess = better
        if change < 1e-12:  # noqa: PLR2004 (nothing changes any more)
            break
    return guess
