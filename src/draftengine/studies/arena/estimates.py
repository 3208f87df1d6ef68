"""Findings of a tournament: means over units with 95 percent intervals, duels, ratings and times.

The model of ratings is that of Plackett and Luce as fitted by Weng and Lin (2011), from the package OpenSkill. A rating
is learned game by game, so it depends a little on the order of the games. The reported rating is therefore the mean
over several orders, each shuffled from the seed. Bots do not change, so no uncertainty is added over time (`tau` is 0).
Intervals come from a bootstrap over deals.

A bot may sit in several seats of a game: its rating then moves by the mean change of its copies. Only differences
between ratings have a meaning, so ratings are shifted to a mean of 25. In a game of n seats, a lead of 25/6 · √n means
odds of e to 1 of finishing before the other bot.
"""

from __future__ import annotations

from itertools import combinations
from math import ceil, sqrt
from statistics import NormalDist, fmean, stdev
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.studies.arena import by_pairing
from draftengine.studies.report.statistics import Z, of_mean, wilson
from draftengine.studies.simulation.rows import MissingExtraError
from draftengine.support.optional import needed_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.studies.arena import Ended, Pairing, TournamentResult, Unit
    from draftengine.studies.arena.sprt import Sequential, Verdict
    from draftengine.studies.report.statistics import Interval

FEWEST_DEALS = 10
"""The number of deals that are needed before anything is called certain."""
CLOSE = 0.02
"""Difference of win shares below which two bots count as about equally strong.

A win share that is known to this precision is usually known well enough.
"""
RULE_OF_THREE = 3
"""Rule of three: an event not seen in n deals has a rate of at most 3/n, with 95 percent confidence."""
POWER = NormalDist().inv_cdf(0.8)
"""The normal quantile for a power of 80 percent: the chance that `Duel.deals_needed` deals are enough."""


class Estimate(Struct, frozen=True):
    """A mean over deals, with its spread and its 95 percent interval."""

    mean: float
    sd: float
    """The standard deviation of the values of single deals."""
    units: int
    ci95: Interval


class Cell(Struct, frozen=True):
    """Results of a bot, the challenger, against copies of another bot."""

    share: Estimate
    """The share of victories, from 0 to 1. Ties are split."""
    margin: Estimate
    """The challenger's points minus those of the best other seat."""


class Duel(Struct, frozen=True):
    """Two bots that challenge each other on the same deals."""

    one: int
    two: int
    difference: Estimate
    """The win share of `one` among copies of `two`, minus the win share of `two` among copies of `one`."""
    certain: bool
    """True if one bot is better, with 95 percent confidence for all duels together (Bonferroni)."""
    deals_needed: int
    """The estimated number of deals that would show `difference` to be real; 0 if its mean is 0."""
    bound: float
    """Upper bound of the true difference, with 95 percent confidence for all duels together."""
    deals_to_tell: int
    """The total number of deals that either show which bot is better or limit the difference to `CLOSE`."""


def share_of(values: Sequence[float]) -> Estimate:
    """Estimate the mean of shares, with Wilson's interval.

    The interval uses an effective number of games, derived from the variance of units (Korn and Graubard 1998). So it
    agrees with the interval of the mean of units if the share is near one half, and never goes below 0 or above 1. If
    all units are equal, each counts as one game.
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
    """Return the number of deals after which an interval extends `half` to each side of its mean."""
    return ceil((Z * sd / half) ** 2)


def duels(paired: dict[Pairing, list[Unit]], bots: int) -> list[Duel]:
    """Return a duel for each pair of bots that have challenged each other on the same deals."""
    shares = {
        (pairing.challenger, pairing.opponent): {unit.deal: unit.share for unit in units}
        for pairing, units in paired.items()
    }
    known = []
    for one, two in combinations(range(bots), 2):
        mine, theirs = shares.get((one, two), {}), shares.get((two, one), {})
        differences = [share - theirs[deal] for deal, share in mine.items() if deal in theirs]
        if differences:
            known.append((one, two, differences))
    critical = NormalDist().inv_cdf(1 - 0.025 / max(len(known), 1))
    results = []
    for one, two, differences in known:
        estimate = mean_of(differences)
        half = critical * estimate.sd / sqrt(estimate.units)
        certain = estimate.units >= FEWEST_DEALS and abs(estimate.mean) > half
        needed = ceil(((critical + POWER) * estimate.sd / estimate.mean) ** 2) if estimate.mean else 0
        bound = abs(estimate.mean) + max(half, RULE_OF_THREE / estimate.units)
        to_tell = ceil(max((2 * critical * estimate.sd / CLOSE) ** 2, 2 * RULE_OF_THREE / CLOSE))
        results.append(Duel(one, two, estimate, certain, needed, bound, to_tell))
    return results


ORDERS = 5
"""Number of orders in which the games are rated."""
_WORK = 60_000
"""The approximate number of games to rate for the intervals, which takes a second or two.

More games are rated if the smallest number of samples in `_REPLICATES` requires it.
"""
_REPLICATES = (30, 100)
"""The smallest and the largest number of samples in the bootstrap."""
MIDDLE = 25.0
"""The mean of all ratings, which is also the rating of a bot before its first game."""

Told = tuple[tuple[int, ...], tuple[int, ...]]
"""A game: the bots by seat, then their ranks by seat (1 = first)."""


class Rating(Struct, frozen=True):
    """A bot's strength, on a scale where the mean of all bots is 25 (see the module)."""

    mu: float
    sigma: float
    """The uncertainty that the model gives. It assumes that games are independent."""
    ci95: Interval
    """The interval of `mu`, from bootstrap samples of deals."""


def rate(bots: int, units: Sequence[Unit], seed: int | str) -> list[Rating]:
    """Return the ratings of all bots. Mirror games say nothing about strength and are ignored.

    Raises `MissingExtraError` if OpenSkill is not installed.
    """
    try:
        from openskill.models import PlackettLuce  # noqa: PLC0415 (an extra)
    except ImportError:
        raise MissingExtraError(needed_for("ratings", "rating")) from None
    model = PlackettLuce(tau=0.0)
    deals: dict[int, list[Told]] = {}
    for unit in units:
        seats = range(len(unit.games))
        if not unit.pairing.is_mirror:
            deals.setdefault(unit.deal, []).extend(
                (tuple(unit.pairing.bot_at(seat, challenged) for seat in seats), ranks(game))
                for challenged, game in enumerate(unit.games)
            )
    games = list(deals.values())
    stream = Stream(key_of(root_of(seed), 0, "search"))
    runs = [_rated(model, bots, games, stream) for _ in range(ORDERS)]
    count = max(sum(map(len, games)), 1)
    fewest, most = _REPLICATES
    orders = max(1, min(ORDERS, _WORK // (fewest * count)))
    samples = []  # mean ratings of all bots for each bootstrap sample of the deals
    for _ in range(max(fewest, min(most, _WORK // (orders * count)))):
        sample = [games[stream.below(len(games))] for _ in games]
        rated = [_rated(model, bots, sample, stream) for _ in range(orders)]
        samples.append([fmean(run[bot][0] for run in rated) for bot in range(bots)])
    ratings = []
    for bot in range(bots):
        mu, sigma = (fmean(run[bot][which] for run in runs) for which in range(2))
        half = Z * stdev(sample[bot] for sample in samples)
        ratings.append(Rating(mu, sigma, (mu - half, mu + half)))
    return ratings


def ranks(game: Ended) -> tuple[int, ...]:
    """Return the rank of each seat: winners first, then by points. Equal seats share the better rank."""
    keys = [(seat in game.winners, points) for seat, points in enumerate(game.points)]
    return tuple(1 + sum(other > key for other in keys) for key in keys)


def _rated(model: Any, bots: int, deals: Sequence[Sequence[Told]], stream: Stream) -> list[tuple[float, float]]:
    """Return mu and sigma of every bot after rating all games in a shuffled order."""
    games = [game for deal in deals for game in deal]
    order = list(range(len(games)))
    stream.shuffle(order)
    now = [model.rating() for _ in range(bots)]
    for place in order:
        seated, ranked = games[place]
        after = model.rate([[now[bot]] for bot in seated], ranks=list(ranked))
        for bot in dict.fromkeys(seated):
            copies = [team[0] for team, sitting in zip(after, seated, strict=True) if sitting == bot]
            if len(copies) == 1:
                now[bot] = copies[0]
            else:
                mu, sigma = (fmean(getattr(rating, name) for rating in copies) for name in ("mu", "sigma"))
                now[bot] = model.rating(mu=mu, sigma=sigma)
    shift = MIDDLE - fmean(rating.mu for rating in now)
    return [(rating.mu + shift, rating.sigma) for rating in now]


class Meeting(Struct, frozen=True):
    """A bot, the challenger, that met copies of another bot or of itself, and its results."""

    bot: int
    against: int
    cell: Cell

    @property
    def is_mirror(self) -> bool:
        return self.bot == self.against


class Pace(Struct, frozen=True):
    """Thinking times of a bot, over the decisions in which it had more than one legal move."""

    decisions: int
    p50_ms: float
    p95_ms: float
    max_ms: float
    """The longest time. It is often that of a first decision: a bot prepares things once per process."""
    iterations: float
    """The mean number of iterations for a decision; 0 for bots that do not iterate."""


class Findings(Struct, frozen=True):
    """All results of a tournament that reports and texts use."""

    seats: int
    bots: tuple[str, ...]
    deals: int
    games: int
    meetings: list[Meeting]
    duels: list[Duel]
    ratings: list[Rating]
    """Ratings by bot; empty if OpenSkill, which computes them, is not installed."""
    why_no_ratings: str
    paces: list[Pace]
    verdict: Verdict | None
    games_per_second: float
    interrupted: bool

    @property
    def even(self) -> float:
        """The win share of each bot if all bots are equally strong."""
        return 1 / self.seats

    def met(self, bot: int, against: int) -> Cell | None:
        """Return the results of `bot` among copies of `against`, or ``None`` if they did not meet."""
        return next(
            (meeting.cell for meeting in self.meetings if (meeting.bot, meeting.against) == (bot, against)), None
        )


def findings_of(held: TournamentResult, seed: int | str, test: Sequential | None = None) -> Findings:
    """Compute the findings of a tournament. The seed decides the orders in which games are rated."""
    paired = by_pairing(held.units)
    meetings = [Meeting(pairing.challenger, pairing.opponent, cell_of(units)) for pairing, units in paired.items()]
    ratings: list[Rating] = []
    why = ""
    if not all(unit.pairing.is_mirror for unit in held.units):
        try:
            ratings = rate(len(held.bots), held.units, seed)
        except MissingExtraError as error:
            why = str(error)
    return Findings(
        seats=held.seats,
        bots=held.bots,
        deals=len({unit.deal for unit in held.units}),
        games=sum(len(unit.games) for unit in held.units),
        meetings=sorted(meetings, key=lambda meeting: (meeting.bot, meeting.against)),
        duels=duels(paired, len(held.bots)),
        ratings=ratings,
        why_no_ratings=why,
        paces=[
            Pace(
                thinking.decisions,
                thinking.percentile(0.5),
                thinking.percentile(0.95),
                1000 * thinking.longest,
                thinking.mean_iterations,
            )
            for thinking in held.think_time
        ],
        verdict=test.verdict() if test else None,
        games_per_second=held.games_per_second,
        interrupted=held.interrupted,
    )
