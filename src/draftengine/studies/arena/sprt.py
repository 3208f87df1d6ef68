"""A sequential test: is the first bot better than the second, asked after every deal, stopping when that is known.

Two hypotheses are held against each other: the strength of the first is `elo0`, or `elo1`. Strength is in normalised
Elo, as in fishtest (Van den Bergh, "Normalized Elo", cantate.be/Fishtest/normalized_elo_practical.pdf): how far the
mean result of a game is from an even one, in standard deviations of a game, times 800 / ln 10. It is the measure that
says how many games a decision takes, and it means the same at any number of seats.

At two seats a unit is one of five results, from both games lost to both won (pentanomial), and the likelihood ratio is
that of the most likely distributions of these five with each strength. At more seats results are many, and the ratio is
that of normal distributions with the mean and variance of units (the generalised ratio of section 4.2 there).
"""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.studies.arena.deals import PAIR
from draftengine.studies.report.statistics import Z

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.studies.report.statistics import Interval

ELO = 800 / log(10)
"""Normalised Elo for each standard deviation of a game."""
ERROR = 0.05
"""The chance of either wrong answer (alpha = beta)."""
BOUND = log((1 - ERROR) / ERROR)
"""A log-likelihood ratio beyond this, up or down, decides (Wald 1945)."""
FEWEST_UNITS = 20
"""No decision before so many units: a variance has to be known."""

RESULTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Win shares of a pair of games."""
_NEVER = 1e-3
"""So often a result counts that has not come yet."""
_STEADIEST = 0.5
"""The least deviation of a game that is believed, in those of an even one: where a bot wins all games so far, none."""
_ROUNDS = 50
_HALVINGS = 80


class Verdict(Struct, frozen=True):
    """What the test says."""

    elo0: float
    elo1: float
    llr: float
    """The log-likelihood ratio: above 0 the results are more likely with `elo1`."""
    bound: float
    """It decides beyond this, up or down."""
    decided: str
    """``better`` (`elo1` is accepted), ``not better`` (`elo0` is), or empty."""
    units: int
    elo: float
    """The strength that was measured, in normalised Elo."""
    elo_ci95: Interval
    """As if the number of deals had been fixed: a test that stops early overstates a little."""
    pairs: tuple[int, ...]
    """At two seats how often the first lost both games ... won both (five counts); else empty."""


class Sequential:
    """The test while games come in."""

    def __init__(self, elo0: float, elo1: float, seats: int) -> None:
        self.elo0, self.elo1, self.seats = elo0, elo1, seats
        self.shares: list[float] = []
        self.counts = [0] * len(RESULTS)
        self._sum = self._squares = 0.0

    def add(self, share: float) -> bool:
        """Count a unit by the first bot's win share; is that enough."""
        self.shares.append(share)
        self._sum += share
        self._squares += share * share
        if self.seats == PAIR:
            self.counts[round(share * (len(RESULTS) - 1))] += 1
        return len(self.shares) >= FEWEST_UNITS and abs(self.llr()) >= BOUND

    def llr(self) -> float:
        """The log-likelihood ratio of both hypotheses."""
        if self.seats == PAIR:
            return pentanomial_llr(self.counts, self.elo0, self.elo1)
        return normal_llr(*self._moments(), self.seats, self.elo0, self.elo1)

    def verdict(self) -> Verdict:
        """What the test says of the games that have come in so far."""
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
    """The log-likelihood ratio for units with a mean and a standard deviation of the first bot's win share."""
    strength = _strength(mean, sd, seats)
    miss0, miss1 = strength - elo0 / ELO, strength - elo1 / ELO
    return units * seats / 2 * log((1 + miss0 * miss0) / (1 + miss1 * miss1))


def _strength(mean: float, sd: float, seats: int) -> float:
    """How many standard deviations of a game the first bot is above an even share."""
    even = sqrt(1 / seats * (1 - 1 / seats))
    return (mean - 1 / seats) / max(sqrt(seats) * sd, _STEADIEST * even)


def pentanomial_llr(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio for counts of pairs of games, from both lost to both won."""
    seen = [count or _NEVER for count in counts]
    units = sum(seen)
    shares = [count / units for count in seen]
    likely0, likely1 = (_most_likely(shares, elo * sqrt(PAIR) / ELO) for elo in (elo0, elo1))
    return units * sum(share * log(one / two) for share, one, two in zip(shares, likely1, likely0, strict=True))


def _most_likely(shares: Sequence[float], strength: float) -> list[float]:
    """The most likely distribution of results whose mean is so many of its standard deviations above one half.

    The condition ``mean - 1/2 - strength * sd = 0`` is not linear in the probabilities. Its tangent at the last guess
    is, and for a linear condition ``sum(p * slope) = 0`` the most likely distribution is ``share / (1 + x * slope)``.
    """
    guess = [1 / len(RESULTS)] * len(RESULTS)
    for _ in range(_ROUNDS):
        mean = sum(probability * result for probability, result in zip(guess, RESULTS, strict=True))
        sd = sqrt(sum(probability * (result - mean) ** 2 for probability, result in zip(guess, RESULTS, strict=True)))
        slopes = [result - 0.5 - strength * (sd * sd + (result - mean) ** 2) / (2 * sd) for result in RESULTS]
        x = _multiplier(shares, slopes)
        better = [share / (1 + x * slope) for share, slope in zip(shares, slopes, strict=True)]
        change = max(abs(one - two) for one, two in zip(guess, better, strict=True))
        guess = better
        if change < 1e-12:  # noqa: PLR2004 (nothing changes any more)
            break
    return guess


def _multiplier(shares: Sequence[float], slopes: Sequence[float]) -> float:
    """The x for which the slopes have the mean 0 under ``share / (1 + x * slope)``."""

    def mean(x: float) -> float:
        return sum(share * slope / (1 + x * slope) for share, slope in zip(shares, slopes, strict=True))

    return _root(mean, -1 / max(slopes), -1 / min(slopes))


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function is zero, by bisection between two poles."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
