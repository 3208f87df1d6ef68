"""Ratings from all games: the Plackett–Luce model of Weng and Lin (2011), by OpenSkill, with a bootstrap over deals.

Such a rating is learned game by game, so it depends a little on their order. Bots do not change, so nothing is
forgotten (``tau = 0``), and what is told is the mean over several orders, each shuffled from the seed.

A bot may sit at a table several times: it learns from a game the mean of what its copies learn. Only differences mean
something, so ratings are shifted to a mean of 25. In a game of n a lead of 25/6 · √n makes the odds e to 1 of coming in
before the other.
"""

from __future__ import annotations

from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.studies.report.statistics import Z
from draftengine.studies.simulation.rows import MissingExtraError
from draftengine.support.optional import needed_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.studies.arena.deals import Ended, Unit
    from draftengine.studies.report.statistics import Interval

ORDERS = 5
"""In so many orders the games are rated."""
_WORK = 60_000
"""About so many games are rated for the intervals: a second or two; of very many games, each as often as need be."""
_REPLICATES = (30, 100)
"""The fewest and the most samples of the bootstrap."""
MIDDLE = 25.0
"""The mean of all ratings, and what somebody new has."""

Told = tuple[tuple[int, ...], tuple[int, ...]]
"""A game: who sat where, and who came in where (1 = first)."""


class Rating(Struct, frozen=True):
    """How strong a bot is; see above for the scale."""

    mu: float
    sigma: float
    """The uncertainty that the model itself states; it takes games for independent."""
    ci95: Interval
    """Of `mu`, from samples of deals (bootstrap)."""


def rate(bots: int, units: Sequence[Unit], seed: int | str) -> list[Rating]:
    """The ratings of all bots. Mirror games say nothing of strength. Raises `MissingExtraError`."""
    model = _model()
    deals: dict[int, list[Told]] = {}
    for unit in units:
        if not unit.pairing.is_mirror:
            deals.setdefault(unit.deal, []).extend(_told(unit))
    games = list(deals.values())
    stream = Stream(key_of(root_of(seed), 0, "search"))
    runs = [_rated(model, bots, games, stream) for _ in range(ORDERS)]
    samples = _samples(model, bots, games, stream)
    return [_rating([run[bot] for run in runs], [sample[bot] for sample in samples]) for bot in range(bots)]


def _samples(model: Any, bots: int, deals: Sequence[Sequence[Told]], stream: Stream) -> list[list[float]]:
    """Means of all bots in samples of the deals, each over as many orders as there is time for."""
    count = max(sum(map(len, deals)), 1)
    fewest, most = _REPLICATES
    orders = max(1, min(ORDERS, _WORK // (fewest * count)))
    means = []
    for _ in range(max(fewest, min(most, _WORK // (orders * count)))):
        sample = [deals[stream.below(len(deals))] for _ in deals]
        runs = [_rated(model, bots, sample, stream) for _ in range(orders)]
        means.append([fmean(run[bot][0] for run in runs) for bot in range(bots)])
    return means


def _model() -> Any:
    try:
        from openskill.models import PlackettLuce  # noqa: PLC0415 (an extra)
    except ImportError:
        raise MissingExtraError(needed_for("ratings", "rating")) from None
    return PlackettLuce(tau=0.0)


def _told(unit: Unit) -> list[Told]:
    seats = range(len(unit.games))
    return [
        (tuple(unit.pairing.bot_at(seat, index) for seat in seats), ranks(game))
        for index, game in enumerate(unit.games)
    ]


def ranks(game: Ended) -> tuple[int, ...]:
    """Who came in where: the winners first, the others by points; equal ones share the better place."""
    keys = [(seat in game.winners, points) for seat, points in enumerate(game.points)]
    return tuple(1 + sum(other > key for other in keys) for key in keys)


def _rated(model: Any, bots: int, deals: Sequence[Sequence[Told]], stream: Stream) -> list[tuple[float, float]]:
    """Mean and deviation of every bot after all games in a shuffled order."""
    games = [game for deal in deals for game in deal]
    order = list(range(len(games)))
    stream.shuffle(order)
    now = [model.rating() for _ in range(bots)]
    for place in order:
        seated, ranked = games[place]
        after = model.rate([[now[bot]] for bot in seated], ranks=list(ranked))
        for bot in dict.fromkeys(seated):
            copies = [team[0] for team, sitting in zip(after, seated, strict=True) if sitting == bot]
            now[bot] = copies[0] if len(copies) == 1 else _mean(model, copies)
    shift = MIDDLE - fmean(rating.mu for rating in now)
    return [(rating.mu + shift, rating.sigma) for rating in now]


def _mean(model: Any, ratings: Sequence[Any]) -> Any:
    return model.rating(mu=fmean(rating.mu for rating in ratings), sigma=fmean(rating.sigma for rating in ratings))


def _rating(runs: Sequence[tuple[float, float]], samples: Sequence[float]) -> Rating:
    mu, half = fmean(mean for mean, _ in runs), Z * stdev(samples)
    return Rating(mu, fmean(sigma for _, sigma in runs), (mu - half, mu + half))
