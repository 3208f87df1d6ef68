"""Ratings of bots from all games, with intervals by a bootstrap over deals.

The model is that of Plackett and Luce as fitted by Weng and Lin (2011), from the package OpenSkill. A rating is
learned game by game, so it depends a little on the order of the games. The reported rating is therefore the mean over
several orders, each shuffled from the seed. Bots do not change, so no uncertainty is added over time (``tau = 0``).

A bot may sit in several seats of a game: its rating then moves by the mean change of its copies. Only differences
between ratings have a meaning, so ratings are shifted to a mean of 25. In a game of n seats, a lead of 25/6 · √n means
odds of e to 1 of finishing before the other bot.
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
"""Number of orders in which the games are rated."""
_WORK = 60_000
"""Number of games to rate for the intervals, which takes a second or two.

More are rated if the fewest samples of `_REPLICATES` need more.
"""
_REPLICATES = (30, 100)
"""Fewest and most samples of the bootstrap."""
MIDDLE = 25.0
"""Mean of all ratings, and the rating of a bot before its first game."""

Told = tuple[tuple[int, ...], tuple[int, ...]]
"""A game by seat: the bots, and their ranks (1 = first)."""


class Rating(Struct, frozen=True):
    """Rating of a bot, on the scale that the module describes."""

    mu: float
    sigma: float
    """Uncertainty as the model states it, which assumes that games are independent."""
    ci95: Interval
    """Interval of `mu`, from bootstrap samples of deals."""


def rate(bots: int, units: Sequence[Unit], seed: int | str) -> list[Rating]:
    """Return the ratings of all bots, ignoring mirror games, which say nothing about strength.

    Raises `MissingExtraError` if OpenSkill is not installed.
    """
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
    """Return mean ratings of all bots for each bootstrap sample of the deals.

    The number of samples, and of orders for each, follow from `_WORK`.
    """
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
    """Return the rank of each seat: winners first, then by points; equal seats share the better rank."""
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
            now[bot] = copies[0] if len(copies) == 1 else _mean(model, copies)
    shift = MIDDLE - fmean(rating.mu for rating in now)
    return [(rating.mu + shift, rating.sigma) for rating in now]


def _mean(model: Any, ratings: Sequence[Any]) -> Any:
    return model.rating(mu=fmean(rating.mu for rating in ratings), sigma=fmean(rating.sigma for rating in ratings))


def _rating(runs: Sequence[tuple[float, float]], samples: Sequence[float]) -> Rating:
    mu, half = fmean(mean for mean, _ in runs), Z * stdev(samples)
    return Rating(mu, fmean(sigma for _, sigma in runs), (mu - half, mu + half))
