"""HTML page that reports a tournament."""

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
    """Description of the played tournament, as texts for its report."""

    title: str
    rules: str
    seed: int | str
    again: str


def report(played: Played, findings: Findings) -> str:
    """Return the HTML page for the findings of a tournament."""
    end = validity("What was played, and what that is worth", _facts(played, findings))
    body = f"{_shares(findings)}{_margins(findings)}{_ratings(findings)}{_test(findings)}{_paces(findings)}{end}"
    facts = [
        f"*{findings.deals:,}* deals",
        f"*{findings.games:,}* games",
        f"*{findings.seats}* players",
        f"seed *{played.seed}*",
    ]
    top = conclusions("Who is strong", ordered(found_in(findings)), body)
    return page("Tournament", f"{played.title}: how strong bots are", facts, f"{top}{body}")


def _facts(played: Played, findings: Findings) -> list[tuple[str, str]]:
    return [
        ("Rules", played.rules),
        ("Games", f"{findings.deals:,} deals, seed {played.seed}. {_GAMES}"),
        ("Bots", who_played(findings.bots)),
        ("Holds for", "this game with so many players, and these bots at the table."),
        ("Intervals", _INTERVALS),
        ("Again", played.again),
    ]


def _shares(findings: Findings) -> str:
    about = (
        "The win share of the bot of each row among copies of the bot of each column, in per cent with intervals of "
        f"95 %; equals have {percent(findings.even, 1)}. A cell is coloured only if the share is certainly another, "
        "for all cells together."
    )
    grid = _grid(findings, share_text, lambda cell: cell.share, findings.even)
    axis = Axis("share of games won", 100 * findings.even, " %", places=1)
    drawn = _whiskers(findings, lambda cell: cell.share, axis)
    title = next(
        (conclusion.head for conclusion in found_in(findings) if conclusion.figure == "shares"), "Who wins against whom"
    )
    return part("Who wins", framed("shares", title, about, f"{grid}{drawn}"))


def _margins(findings: Findings) -> str:
    about = "Own points less those of the best other, on average, with intervals of 95 %."
    grid = _grid(findings, margin_text, lambda cell: cell.margin, 0.0)
    drawn = _whiskers(findings, lambda cell: cell.margin, Axis("points ahead", sign="+"))
    return part("Points ahead", framed("ahead", "By how much", about, drawn, numbers=grid))


def _grid(findings: Findings, text_of: Callable[[Cell], str], of: Callable[[Cell], Estimate], reference: float) -> str:
    reach = max((abs(of(meeting.cell).mean - reference) for meeting in findings.meetings), default=0.0)

    def cell(bot: int, other: int) -> Shown:
        met = findings.met(bot, other)
        if met is None:
            return Shown("–")
        estimate = of(met)
        interval = widened(estimate.mean, estimate.ci95, len(findings.meetings))
        return Shown(text_of(met), tinted(estimate.mean, interval, reference, reach))

    bots = range(len(findings.bots))
    lines = [(text, [cell(bot, other) for other in bots]) for bot, text in enumerate(names(findings))]
    return shaded(("", *(f"among {letter}" for letter in letters(findings))), lines)


def _whiskers(findings: Findings, of: Callable[[Cell], Estimate], axis: Axis) -> str:
    points = []
    scale = 100 if axis.unit else 1
    for meeting in findings.meetings:
        name = f"{letters(findings)[meeting.bot]} among {letters(findings)[meeting.against]}"
        estimate = of(meeting.cell)
        state = state_of(widened(estimate.mean, estimate.ci95, len(findings.meetings)), (axis.reference or 0.0) / scale)
        points.append(Point(name, estimate.mean, estimate.ci95, state).times(scale))
    return rows(points, axis, ("Meeting", "Mean (interval)"))


def _ratings(findings: Findings) -> str:
    if not findings.ratings:
        return part("Ratings", f"<p>{escape(findings.why_no_ratings)}</p>") if findings.why_no_ratings else ""
    points = [
        Point(text, rating.mu, rating.ci95) for text, rating in zip(names(findings), findings.ratings, strict=True)
    ]
    middle = sum(rating.mu for rating in findings.ratings) / len(findings.ratings)
    about = (
        "Plackett–Luce ratings of all games (OpenSkill; their mean is 25), with intervals from samples of the deals. A "
        "rating is one number for each bot: who beats whom is in the matrix alone."
    )
    ranked = sorted(points, key=lambda point: -point.value)
    drawn = rows(ranked, Axis("rating", middle, places=1), ("Bot", "Rating (interval)"))
    return part("Ratings", framed("ratings", "Ratings, the highest first", about, drawn))


def _test(findings: Findings) -> str:
    verdict = findings.verdict
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


def _paces(findings: Findings) -> str:
    lines = [
        (
            text, f"{pace.decisions:,}", f"{pace.p50_ms:.2f}", f"{pace.p95_ms:.2f}", f"{pace.max_ms:.2f}",
            f"{pace.iterations:,.1f}" if pace.iterations else "–",
        )
        for text, pace in zip(names(findings), findings.paces, strict=True)
    ]  # fmt: skip
    head = ("Bot", "Decisions", "p50 ms", "p95 ms", "Longest ms", "Iterations")
    about = "<p>Decisions with a choice, in the processes that played; iterations are the mean of a decision.</p>"
    return part("Thinking", about, table(head, lines))
