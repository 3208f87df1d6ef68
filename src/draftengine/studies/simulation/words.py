"""Conclusions of a simulation in plain words, each as far as the intervals support it.

Figures from weak bots, which do not look beyond the card that they take, come with a warning.
"""

from __future__ import annotations

from math import ceil
from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.bots.catalogue import described
from draftengine.studies.report.conclusions import (
    FEW_WINS,
    NOT_KNOWN,
    Conclusion,
    about,
    join_list,
    ordered,
    percent,
    percents,
)
from draftengine.studies.report.statistics import widened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.studies.report.statistics import Interval, RuleSummary, SeatSummary, Summary

SHORTCOMINGS = MappingProxyType(
    {
        "random": "takes any card",
        "greedy": "looks at nothing but the points of the moment",
        "easy": "looks at nothing but the points of the moment",
    }
)


def caveat(bots: Iterable[str]) -> str:
    """Return the warning that goes with figures of these bots; empty if they play well enough."""
    weak = dict.fromkeys(name.partition(":")[0] for name in bots)
    phrases = [f"{name} {SHORTCOMINGS[name]}" for name in weak if name in SHORTCOMINGS]
    return (
        f"Mind who played: {', and '.join(phrases)}. Among better players the figures may be different."
        if phrases
        else ""
    )


def who_played(bots: Iterable[str]) -> str:
    """Describe each bot in a sentence, for later readers of the figures."""
    known = described()
    sentences = []
    for name in dict.fromkeys(bots):
        text, _ = known.get(name.partition(":")[0], ("", ()))
        sentences.append(f"{name}: {text[:1].lower()}{text[1:]}" if text else name)
    return " ".join(sentence if sentence.endswith(".") else f"{sentence}." for sentence in sentences)


def players_of(bots: Iterable[str]) -> str:
    """Return a short phrase that names the bots."""
    return f"played by {', '.join(dict.fromkeys(bots))}"


CLOSE_PARTS = 0.05
"""Largest difference of two rules' shares in the margin that counts as about equal."""


def sentences(summary: Summary) -> list[str]:
    """Return the conclusions as sentences, with a warning if the bots are weak."""
    return [conclusion.sentence for conclusion in conclusions(summary)]


def conclusions(summary: Summary) -> list[Conclusion]:
    """Return conclusions, each with its certainty: the margin, winning, stopped games, ties, a warning."""
    warning = caveat(seat.bot for seat in summary.seats if seat.bot)
    tied = f"{percent(summary.tied, 1)} of games are tied on points, {percent(summary.shared, 1)} shared"
    of_ties = Conclusion(
        "measured", f"The winner is {summary.margin:.2f} points ahead on average", tied, "; ", "places"
    )
    return ordered(
        [
            *_of_margin(summary),
            *_of_winning(summary),
            *_of_stops(summary),
            of_ties,
            *([Conclusion("care", warning[:-1], figure="validity")] if warning else []),
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
    part = f"{percent(best.margin_share, 0)} ({percents(*reach, 0)}) of the winner’s margin"
    whole = f"{part} of {summary.margin:.1f} points"
    if reach[0] > 0.5:  # noqa: PLR2004 (more than all others together)
        return [Conclusion("certain", f"{best.label} makes most of the difference", whole, figure="margin")]
    if reach[0] > below[1]:
        head = f"{best.label} makes more of the difference than any other rule"
        return [Conclusion("certain", head, whole, figure="margin")]
    return [_of_equals(summary, (best, reach), (second, below))]


def _of_equals(
    summary: Summary, best: tuple[RuleSummary, Interval], second: tuple[RuleSummary, Interval]
) -> Conclusion:
    """Return the conclusion if the order of the two rules with the largest shares is not certain."""
    names = [f"{rule.label} {percent(rule.margin_share, 0)}" for rule, _ in (best, second)]
    margin = f"the winner’s margin of {summary.margin:.1f} points"
    apart = best[0].margin_share - second[0].margin_share
    width = sum((high - low) / 2 for _, (low, high) in (best, second))
    if apart + width <= CLOSE_PARTS:
        head = f"No single rule makes most of {margin}"
        return Conclusion("certain", head, f"{join_list(names)} of it", figure="margin")
    needed = ceil(summary.games * (width / max(apart, CLOSE_PARTS / 2)) ** 2)
    more = about(max(1, needed - summary.games))
    return Conclusion(
        "unknown",
        f"Which rule makes most of {margin} is {NOT_KNOWN}",
        f"{join_list(names)} of it, which may be chance. About {more} more games would tell",
        figure="margin",
    )


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
        head = "; ".join([*_told(above, "more"), *_told(below, "less")])
        return [Conclusion("certain", head, f"Even is {percent(even, 1)}", ". ", "seats")]
    return [_of_nobody(summary, ends, even), *_of_maybe(summary, seats, even)]


def _of_nobody(summary: Summary, ends: dict[int, Interval], even: float) -> Conclusion:
    """Return the conclusion if no player certainly deviates from even: a bound, or the games still needed."""
    most = max(max(high - even, even - low) for low, high in ends.values())
    if most <= FEW_WINS:
        text = f"no player wins more or less often than even by over {100 * most:.1f} percentage points"
        return Conclusion("certain", "Nobody has much of an advantage", text, figure="seats")
    half = max((high - low) / 2 for low, high in ends.values())
    needed = max(summary.games + 1, ceil(summary.games * (2 * half / FEW_WINS) ** 2))
    more, small = about(needed - summary.games), f"{100 * FEW_WINS:g} percentage points"
    text = f"About {more} more games would tell whether anybody does by {small}"
    return Conclusion("unknown", f"Who wins more often is {NOT_KNOWN}", text, ". ", "seats")


def _of_maybe(summary: Summary, seats: list[SeatSummary], even: float) -> list[Conclusion]:
    """Return a conclusion about a player whose own interval excludes even, but not the widened one."""
    uneven = [seat for seat in seats if not seat.win_rate_ci95[0] <= even <= seat.win_rate_ci95[1]]
    if not uneven:
        return []
    farthest = max(uneven, key=lambda seat: abs(seat.win_rate - even))
    low, high = widened(farthest.win_rate, farthest.win_rate_ci95, len(seats))
    needed = summary.games * (((high - low) / 2 / abs(farthest.win_rate - even)) ** 2 - 1)
    way = "more" if farthest.win_rate > even else "less"
    text = (
        f"{percent(farthest.win_rate, 1)}, even is {percent(even, 1)}. With {len(seats)} players to look at, chance "
        f"shows this now and then. If it is real, about {about(max(1, ceil(needed)))} more games would make it certain"
    )
    return [
        Conclusion("probably", f"{farthest.title} probably wins a little {way} often than even", text, figure="seats")
    ]


def _with(title: str, share: str) -> str:
    """Add a share to the title of a seat: ``Player 1 (61.0 %)`` or ``Player 1 (table, 61.0 %)``."""
    return f"{title[:-1]}, {share})" if title.endswith(")") else f"{title} ({share})"


def _told(seats: list[SeatSummary], way: str) -> list[str]:
    """Return a phrase about the seats that win `way` often, the most extreme first, or no phrase."""
    ranked = sorted(seats, key=lambda seat: -seat.win_rate if way == "more" else seat.win_rate)
    names = [_with(seat.title, percent(seat.win_rate, 1)) for seat in ranked]
    return [f"{join_list(names)} {'wins' if len(names) == 1 else 'win'} {way} often than even"] if names else []


def _of_stops(summary: Summary) -> list[Conclusion]:
    """Return a conclusion about games that could not go on, if there were any."""
    if not summary.stopped:
        return []
    why = "turns without an end, or too few cards to deal: see what validate says"
    return [Conclusion("certain", f"{percent(summary.stopped, 1)} of games could not go on, and were ended", why)]
