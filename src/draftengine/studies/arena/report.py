"""The report of a tournament as one page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.studies.arena.words import conclusions as found_in
from draftengine.studies.arena.words import letters, margin_text, names, share_text
from draftengine.studies.report.charts import (
    Axis,
    Point,
    conclusions,
    framed,
    page,
    part,
    rows,
    shaded,
    state_of,
    table,
    tinted,
    validity,
)
from draftengine.studies.report.charts import Cell as Shown
from draftengine.studies.report.conclusions import ordered
from draftengine.studies.report.numbers import percent
from draftengine.studies.report.statistics import widened
from draftengine.studies.simulation.caveats import who_played

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.studies.arena.estimates import Cell, Estimate
    from draftengine.studies.arena.findings import Findings


_GAMES = "On each deal a bot plays every seat in turn, so luck of the deal and of the seat cancels out."
_INTERVALS = (
    "95 %, by deals, because games of one deal are not independent. What is coloured or filled holds for all meetings "
    "together (Bonferroni)."
)


class Played(Struct, frozen=True):
    """What was played, as a report says it."""

    title: str
    rules: str
    seed: int | str
    again: str


def report(own: Played, found: Findings) -> str:
    """The report as one HTML page."""
    end = validity("What was played, and what that is worth", _facts(own, found))
    body = f"{_shares(found)}{_margins(found)}{_ratings(found)}{_test(found)}{_paces(found)}{end}"
    facts = [f"*{found.deals:,}* deals", f"*{found.games:,}* games", f"*{found.seats}* players", f"seed *{own.seed}*"]
    top = conclusions("Who is strong", ordered(found_in(found)), body)
    return page("Tournament", f"{own.title}: how strong bots are", facts, f"{top}{body}")


def _facts(own: Played, found: Findings) -> list[tuple[str, str]]:
    return [
        ("Rules", own.rules),
        ("Games", f"{found.deals:,} deals, seed {own.seed}. {_GAMES}"),
        ("Bots", who_played(found.bots)),
        ("Holds for", "this game with so many players, and these bots at the table."),
        ("Intervals", _INTERVALS),
        ("Again", own.again),
    ]


def _shares(found: Findings) -> str:
    about = (
        "The win share of the bot of each row among copies of the bot of each column, in per cent with intervals of "
        f"95 %; equals have {percent(found.even, 1)}. A cell is coloured only if the share is certainly another, for "
        "all cells together."
    )
    grid = _grid(found, share_text, lambda cell: cell.share, found.even)
    axis = Axis("share of games won", 100 * found.even, " %", places=1)
    drawn = _whiskers(found, lambda cell: cell.share, axis)
    title = next((own.head for own in found_in(found) if own.figure == "shares"), "Who wins against whom")
    return part("Who wins", framed("shares", title, about, f"{grid}{drawn}"))


def _margins(found: Findings) -> str:
    about = "Own points less those of the best other, on average, with intervals of 95 %."
    grid = _grid(found, margin_text, lambda cell: cell.margin, 0.0)
    drawn = _whiskers(found, lambda cell: cell.margin, Axis("points ahead", sign="+"))
    return part("Points ahead", framed("ahead", "By how much", about, drawn, numbers=grid))


def _grid(found: Findings, said: Callable[[Cell], str], of: Callable[[Cell], Estimate], reference: float) -> str:
    reach = max((abs(of(own.cell).mean - reference) for own in found.meetings), default=0.0)

    def cell(bot: int, other: int) -> Shown:
        met = found.met(bot, other)
        if met is None:
            return Shown("–")
        own = of(met)
        interval = widened(own.mean, own.ci95, len(found.meetings))
        return Shown(said(met), tinted(own.mean, interval, reference, reach))

    bots = range(len(found.bots))
    lines = [(text, [cell(bot, other) for other in bots]) for bot, text in enumerate(names(found))]
    return shaded(("", *(f"among {letter}" for letter in letters(found))), lines)


def _whiskers(found: Findings, of: Callable[[Cell], Estimate], axis: Axis) -> str:
    points = []
    scale = 100 if axis.unit else 1
    for own in found.meetings:
        name = f"{letters(found)[own.bot]} among {letters(found)[own.against]}"
        estimate = of(own.cell)
        state = state_of(widened(estimate.mean, estimate.ci95, len(found.meetings)), (axis.reference or 0.0) / scale)
        points.append(Point(name, estimate.mean, estimate.ci95, state).times(scale))
    return rows(points, axis, ("Meeting", "Mean (interval)"))


def _ratings(found: Findings) -> str:
    if not found.ratings:
        return part("Ratings", f"<p>{escape(found.why_no_ratings)}</p>") if found.why_no_ratings else ""
    points = [Point(text, own.mu, own.ci95) for text, own in zip(names(found), found.ratings, strict=True)]
    middle = sum(own.mu for own in found.ratings) / len(found.ratings)
    about = (
        "Plackett–Luce ratings of all games (OpenSkill; their mean is 25), with intervals from samples of the deals. A "
        "rating is one number for each bot: who beats whom is in the matrix alone."
    )
    ranked = sorted(points, key=lambda own: -own.value)
    drawn = rows(ranked, Axis("rating", middle, places=1), ("Bot", "Rating (interval)"))
    return part("Ratings", framed("ratings", "Ratings, the highest first", about, drawn))


def _test(found: Findings) -> str:
    verdict = found.verdict
    if not verdict:
        return ""
    lines = [
        ("Log-likelihood ratio", f"{verdict.llr:.2f}"),
        ("Decides beyond", f"±{verdict.bound:.2f}"),
        ("Hypotheses", f"{verdict.elo0:g} and {verdict.elo1:g} normalised Elo"),
        ("Measured", f"{verdict.elo:+.1f} ({verdict.elo_ci95[0]:+.1f} to {verdict.elo_ci95[1]:+.1f})"),
        ("Deals", f"{verdict.units:,}"),
    ]
    if verdict.pairs:
        lines.append(("Pairs of games, from both lost to both won", " · ".join(map(str, verdict.pairs))))
    return part("Sequential test", table(("", ""), lines))


def _paces(found: Findings) -> str:
    lines = [
        (
            text, f"{own.decisions:,}", f"{own.p50_ms:.2f}", f"{own.p95_ms:.2f}", f"{own.max_ms:.2f}",
            f"{own.iterations:,.1f}" if own.iterations else "–",
        )
        for text, own in zip(names(found), found.paces, strict=True)
    ]  # fmt: skip
    head = ("Bot", "Decisions", "p50 ms", "p95 ms", "Longest ms", "Iterations")
    about = "<p>Decisions with a choice, in the processes that played; iterations are the mean of a decision.</p>"
    return part("Thinking", about, table(head, lines))
