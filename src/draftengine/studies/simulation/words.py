"""Conclusions of a simulation in plain words, each as strong as the intervals support.

`course_of` plays additional games. It concludes how long a game lasts, and whether a bot that knows the rules wins
more often than bots that play at random.
"""

from __future__ import annotations

from functools import reduce
from math import ceil
from statistics import mean, median_low, stdev
from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.bots.catalogue import BUILT_IN, described
from draftengine.engine.plan.base import can_compile
from draftengine.studies.report import (
    FEW_WINS,
    Conclusion,
    about,
    bot_named,
    ordered,
    seat_named,
    share,
    shares,
)
from draftengine.studies.report.statistics import of_mean, widened
from draftengine.studies.runner.playing import Task, is_policy, play_chunk
from draftengine.studies.simulation.rows import choices_of
from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import decimal, said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.api.game import Game
    from draftengine.studies.report.statistics import SeatSummary, Summary
    from draftengine.support.locale.phrases import Phrase, Text

SHORTCOMINGS = MappingProxyType(
    {"random": "study.takes-any", "greedy": "study.looks-at-points", "easy": "study.looks-at-points"}
)


def caveat(bots: Iterable[str]) -> Text:
    """Return the warning to print with figures from games of these bots; empty if they play well enough."""
    weak = dict.fromkeys(name.partition(":")[0] for name in bots)
    phrases = tuple(said(SHORTCOMINGS[name], bot=name) for name in weak if name in SHORTCOMINGS)
    return said("study.caveat", bots=phrases) if phrases else ""


def who_played(bots: Iterable[str], language: str = "en") -> str:
    """Describe each bot in a sentence, for later readers of the figures."""
    known, words = described(), spoken(language)
    sentences = []
    for name in dict.fromkeys(bots):
        bot = name.partition(":")[0]
        text = words.phrase(f"bot.is.{bot}") if bot in BUILT_IN else known.get(bot, ("", ()))[0]
        sentences.append(f"{name}: {text[:1].lower()}{text[1:]}" if text else name)
    return " ".join(sentence if sentence.endswith((".", "。")) else f"{sentence}." for sentence in sentences)


def players_of(bots: Iterable[str]) -> Phrase:
    """Return a short phrase that names the bots."""
    return said("study.played-by", bots=", ".join(dict.fromkeys(bots)))


CLOSE_PARTS = 0.05
"""The largest difference of two rules' shares in the margin that counts as about equal."""


def sentences(summary: Summary, language: str = "en") -> list[str]:
    """Return the conclusions as sentences, with a warning if the bots are weak."""
    return [conclusion.sentence(spoken(language)) for conclusion in conclusions(summary)]


def conclusions(summary: Summary) -> list[Conclusion]:
    """Return conclusions on the margin, winning, stopped games and ties, and a warning if bots are weak."""
    warning = caveat(seat.bot for seat in summary.seats if seat.bot)
    tied = said("study.tied", tied=share(summary.tied, 1), shared=share(summary.shared, 1))
    ahead = said("study.winner-ahead", points=decimal(f"{summary.margin:.2f}"))
    has_points = any(total for totals in summary.histograms for total in totals)
    of_ties = Conclusion("measured", ahead, tied, "semicolon", "places")
    stops = said("study.stopped-games", share=share(summary.stopped, 1))
    return ordered(
        [
            *_of_margin(summary),
            *_of_winning(summary),
            *([Conclusion("certain", stops, said("study.why-stopped"))] if summary.stopped else []),
            *([of_ties] if has_points else []),
            *([Conclusion("care", warning, figure="validity")] if warning else []),
        ]
    )


def _of_margin(summary: Summary) -> list[Conclusion]:
    """Return a conclusion about the rule with the largest share in the winner's margin."""
    known = [(rule, rule.margin_share_ci95) for rule in summary.rules.values() if rule.margin_share_ci95]
    if len(known) < 2 or summary.margin <= 0:  # noqa: PLR2004 (one rule makes all of it)
        return []
    count = len(known)
    ranked = sorted(
        ((rule, widened(rule.margin_share, interval, count)) for rule, interval in known),
        key=lambda pair: -pair[0].margin_share,
    )
    (best, reach), (second, below) = ranked[:2]
    points = decimal(f"{summary.margin:.1f}")
    whole = said("study.of-margin", share=share(best.margin_share, 0), interval=shares(*reach, 0), points=points)
    if reach[0] > 0.5:  # noqa: PLR2004 (more than all others together)
        return [Conclusion("certain", said("study.most-of-margin", rule=best.label), whole, figure="margin")]
    if reach[0] > below[1]:
        return [Conclusion("certain", said("study.more-than-others", rule=best.label), whole, figure="margin")]
    # It is uncertain which of the two best rules has the larger share.
    names = tuple(
        said("study.rule-share", rule=rule.label, share=share(rule.margin_share, 0)) for rule in (best, second)
    )
    apart = best.margin_share - second.margin_share
    width = sum((high - low) / 2 for low, high in (reach, below))
    if apart + width <= CLOSE_PARTS:
        head = said("study.no-single-rule", points=points)
        return [Conclusion("certain", head, said("study.shares-of-it", shares=names), figure="margin")]
    needed = ceil(summary.games * (width / max(apart, CLOSE_PARTS / 2)) ** 2)
    more = about(needed - summary.games)
    text = said("study.may-be-chance", shares=names, games=more)
    return [Conclusion("unknown", said("study.which-rule", points=points), text, figure="margin")]


def _of_winning(summary: Summary) -> list[Conclusion]:
    """Return conclusions about players that win more or less often than an even share."""
    seats = [seat for seat in summary.seats if seat.bot]
    if len(seats) < 2:  # noqa: PLR2004 (one wins always)
        return []
    even, count = 1 / len(seats), len(seats)
    ends = {seat.seat: widened(seat.win_rate, seat.win_rate_ci95, count) for seat in seats}
    above = [seat for seat in seats if ends[seat.seat][0] > even]
    below = [seat for seat in seats if ends[seat.seat][1] < even]
    if above or below:
        phrases = [*_winning(above, "more"), *_winning(below, "less")]
        head = reduce(lambda first, second: said("study.both", first=first, second=second), phrases)
        return [Conclusion("certain", head, said("study.even", share=share(even, 1)), "stop", "seats")]
    # No player certainly differs from an even share: say a bound, or how many games would tell.
    most = max(max(high - even, even - low) for low, high in ends.values())
    if most <= FEW_WINS:
        text = said("study.no-player-over", points=decimal(f"{100 * most:.1f}"))
        first = Conclusion("certain", said("study.no-advantage"), text, figure="seats")
    else:
        half = max((high - low) / 2 for low, high in ends.values())
        games = max(summary.games + 1, ceil(summary.games * (2 * half / FEW_WINS) ** 2))
        text = said("study.games-to-tell", games=about(games - summary.games), points=decimal(f"{100 * FEW_WINS:g}"))
        first = Conclusion("unknown", said("study.who-wins-more"), text, "stop", "seats")
    # A player may still differ by a single interval, though not by the widened one.
    uneven = [seat for seat in seats if not seat.win_rate_ci95[0] <= even <= seat.win_rate_ci95[1]]
    if not uneven:
        return [first]
    farthest = max(uneven, key=lambda seat: abs(seat.win_rate - even))
    low, high = ends[farthest.seat]
    needed = summary.games * (((high - low) / 2 / abs(farthest.win_rate - even)) ** 2 - 1)
    way = "more" if farthest.win_rate > even else "less"
    text = said(
        "study.chance-shows-this",
        share=share(farthest.win_rate, 1),
        even=share(even, 1),
        players=len(seats),
        games=about(ceil(needed)),
    )
    return [first, Conclusion("probably", said(f"study.probably-{way}", player=farthest.named), text, figure="seats")]


def _winning(seats: list[SeatSummary], way: str) -> list[Phrase]:
    """Return a phrase that names the seats, the most extreme first. Empty without seats.

    `way` is ``more`` or ``less``: all these seats win more, or less, often than usual.
    """
    ranked = sorted(seats, key=lambda seat: -seat.win_rate if way == "more" else seat.win_rate)
    names = tuple(
        said(
            "study.player.share",
            player=seat_named(seat.seat, seat.name),
            bot=bot_named(seat.bot),
            share=share(seat.win_rate, 1),
        )
        for seat in ranked
    )
    return [said(f"study.wins-{way}", players=names, count=len(names))] if names else []


_WATCHED = 20
"""The number of games whose choices are counted."""
_AGAINST, _SLOWLY = 2_000, 200
"""The number of games against bots that play at random, if games can be compiled, and if they cannot."""
_LITTLE = 0.05
"""If knowing a game raises the win rate by less than this, it hardly helps."""
_KNOWS, _TAKES_ANY = "greedy", "random"


def course_of(game: Game, bot: str, seed: int | str) -> list[Conclusion]:
    """Return conclusions about the length of games, and about the wins of a bot that knows the game.

    The bot is `bot`, or the greedy bot if `bot` plays at random or is no policy, because other bots take too long.
    """
    knows = bot if is_policy(bot) and bot != _TAKES_ANY else _KNOWS
    counts, rounds = [[0] * game.players for _ in range(_WATCHED)], 0
    for row in choices_of(game, (_KNOWS,) * game.players, seed, 0, _WATCHED):
        counts[row.game][row.seat] += 1
        rounds = max(rounds, row.round)
    by_player = [count for seats in counts for count in seats]
    low, high = min(by_player), max(by_player)
    head = said("study.length.same")
    if len(set(map(sum, counts))) > 1:
        head = said("study.length.differs")
        text = said("study.length.differs.text", low=low, high=high, usual=median_low(by_player))
    elif low == high:
        text = said("study.length.same.text", choices=low, rounds=rounds)
    else:  # the seats differ: only the sum is the same in every game
        text = said("study.length.same.together", choices=sum(counts[0]), rounds=rounds)
    length = Conclusion("measured", head, text)
    if game.players == 1:
        return [length]
    # The bot's wins among players who take any card are compared with the wins of such a player in the same seat and
    # the same deals, because seats may differ.
    seat, any_card = 0, (_TAKES_ANY,) * game.players
    usual = _wins(game, any_card, seed, seat)
    if mean(usual) > 1 - _LITTLE:  # who wins anyway can gain nothing
        seat = game.players - 1
        usual = _wins(game, any_card, seed, seat)
    wins = _wins(game, (*any_card[:seat], knows, *any_card[seat + 1 :]), seed, seat)
    gains = [with_it - without for with_it, without in zip(wins, usual, strict=True)]
    least, most = of_mean(mean(gains), stdev(gains), len(gains))
    pays, little = least > _LITTLE, most < _LITTLE
    text = said(
        "study.knowing.text",
        bot=bot_named(knows),
        share=share(mean(wins), 0),
        others=game.players - 1,
        usual=share(mean(usual), 0),
    )
    head = said(f"study.knowing.{'pays' if pays else 'little' if little else 'unknown'}")
    return [length, Conclusion("certain" if pays or little else "unknown", head, text)]


def _wins(game: Game, bots: tuple[str, ...], seed: int | str, seat: int) -> list[float]:
    """Return the share of the victory that a seat has in each game."""
    games = _AGAINST if can_compile() else _SLOWLY
    rows = play_chunk(Task(game, bots, seed, 0, games, "compiled", rows=True)).rows
    winners = [row[game.program.seats] for row in rows]
    return [(won >> seat & 1) / won.bit_count() for won in winners]
