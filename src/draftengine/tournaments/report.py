"""The report of a tournament as one page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from draftengine.simulation.charts import Cell as Shown
from draftengine.simulation.charts import Point, intervals, page, shaded, table, tinted
from draftengine.simulation.figures import percent
from draftengine.simulation.statistics import widened
from draftengine.tournaments.words import letters, margin_text, names, sentences, share_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.tournaments.estimates import Cell, Estimate
    from draftengine.tournaments.findings import Findings


def report(title: str, facts: str, found: Findings) -> str:
    """The report as one HTML page."""
    first, *rest = sentences(found)
    said = f"<p class=found>{escape(first)}</p><ul>{''.join(f'<li>{escape(line)}</li>' for line in rest)}</ul>"
    return page(title, facts, f"{said}{_shares(found)}{_ratings(found)}{_margins(found)}{_test(found)}{_paces(found)}")


def _shares(found: Findings) -> str:
    about = (
        "<p>The win share of the bot of each row among copies of the bot of each column, in percent with 95 % "
        f"intervals; equals have {percent(found.even, 1)}. The bot plays every seat of the same deal, and intervals "
        "count deals, not games. A cell is coloured only if the share is certainly another, for all cells together."
        "</p>"
    )
    grid = _grid(found, share_text, lambda cell: cell.share, found.even)
    chart = _whiskers(found, lambda cell: cell.share, found.even, "Win shares with 95 % intervals", " %")
    return f"<h2>Who wins</h2>{about}{grid}{chart}"


def _margins(found: Findings) -> str:
    about = "<p>Own points less those of the best other, on average.</p>"
    grid = _grid(found, margin_text, lambda cell: cell.margin, 0.0)
    chart = _whiskers(found, lambda cell: cell.margin, 0.0, "Points ahead, with 95 % intervals", "")
    return f"<h2>Points ahead</h2>{about}{grid}{chart}"


def _certain(found: Findings, own: Estimate, reference: float) -> bool:
    """Is a mean certainly another than the reference, for all meetings together."""
    low, high = widened(own.mean, own.ci95, len(found.meetings))
    return not low <= reference <= high


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
    rows = [(text, [cell(bot, other) for other in bots]) for bot, text in enumerate(names(found))]
    return shaded(("", *(f"among {letter}" for letter in letters(found))), rows)


def _whiskers(found: Findings, of: Callable[[Cell], Estimate], reference: float, title: str, unit: str) -> str:
    points = []
    scale = 100 if unit else 1
    for own in found.meetings:
        name = f"{letters(found)[own.bot]} among {letters(found)[own.against]}"
        certain = _certain(found, of(own.cell), reference)
        points.append(Point(name, of(own.cell).mean, of(own.cell).ci95, certain).times(scale))
    return intervals(points, scale * reference, title=title, unit=unit, sign="" if unit else "+")


def _ratings(found: Findings) -> str:
    if not found.ratings:
        return f"<h2>Ratings</h2><p>{escape(found.why_no_ratings)}</p>" if found.why_no_ratings else ""
    points = [Point(text, own.mu, own.ci95) for text, own in zip(names(found), found.ratings, strict=True)]
    middle = sum(own.mu for own in found.ratings) / len(found.ratings)
    about = (
        "<p>Plackett–Luce ratings of all games (OpenSkill; their mean is 25), with intervals from samples of the "
        "deals. A rating is one number for each bot: who beats whom is in the matrix alone.</p>"
    )
    ranked = sorted(points, key=lambda own: -own.value)
    return f"<h2>Ratings</h2>{about}{intervals(ranked, middle, title='Ratings, with intervals from samples of deals')}"


def _test(found: Findings) -> str:
    verdict = found.verdict
    if not verdict:
        return ""
    rows = [
        ("Log-likelihood ratio", f"{verdict.llr:.2f}"),
        ("Decides beyond", f"±{verdict.bound:.2f}"),
        ("Hypotheses", f"{verdict.elo0:g} and {verdict.elo1:g} normalised Elo"),
        ("Measured", f"{verdict.elo:+.1f} ({verdict.elo_ci95[0]:+.1f} to {verdict.elo_ci95[1]:+.1f})"),
        ("Deals", f"{verdict.units:,}"),
    ]
    if verdict.pairs:
        rows.append(("Pairs of games, from both lost to both won", " · ".join(map(str, verdict.pairs))))
    return f"<h2>Sequential test</h2>{table(('', ''), rows)}"


def _paces(found: Findings) -> str:
    rows = [
        (
            text, f"{own.decisions:,}", f"{own.p50_ms:.2f}", f"{own.p95_ms:.2f}", f"{own.max_ms:.2f}",
            f"{own.iterations:,.1f}" if own.iterations else "–",
        )
        for text, own in zip(names(found), found.paces, strict=True)
    ]  # fmt: skip
    head = ("Bot", "Decisions", "p50 ms", "p95 ms", "Longest ms", "Iterations")
    about = "<p>Decisions with a choice, in the processes that played; iterations are the mean of a decision.</p>"
    return f"<h2>Thinking</h2>{about}{table(head, rows)}"
