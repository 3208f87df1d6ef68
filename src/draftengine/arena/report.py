"""The report of a tournament as one page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from draftengine.arena.words import letters, margin_text, names, sentences, share_text
from draftengine.simulate.charts import heat, intervals, page, table

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.arena.estimates import Cell, Estimate
    from draftengine.arena.findings import Findings

_ROOM = 23
"""So many letters fit beside a chart."""


def report(title: str, facts: str, found: Findings) -> str:
    """The page."""
    said = "".join(f"<li>{escape(line)}</li>" for line in sentences(found))
    return page(
        title, facts, f"<ul>{said}</ul>{_shares(found)}{_ratings(found)}{_margins(found)}{_test(found)}{_paces(found)}"
    )


def _shares(found: Findings) -> str:
    about = (
        "<p>The win share of the bot of each row among copies of the bot of each column, in percent with 95 % "
        f"intervals; equals have {100 * found.even:.1f}. The bot plays every seat of the same deal, and intervals "
        "count deals, not games.</p>"
    )
    means = [own.cell.share.mean for own in found.meetings]
    reach = max((abs(mean - found.even) for mean in means), default=0.0)
    grid = _grid(found, share_text, lambda cell: heat(cell.share.mean, found.even - reach, found.even + reach))
    return f"<h2>Who wins</h2>{about}{grid}{_whiskers(found, lambda cell: cell.share, 100, 100 * found.even, ' %')}"


def _margins(found: Findings) -> str:
    about = "<p>Own points less those of the best other, on average.</p>"
    reach = max((abs(own.cell.margin.mean) for own in found.meetings), default=0.0)
    grid = _grid(found, margin_text, lambda cell: heat(cell.margin.mean, -reach, reach))
    return f"<h2>Points ahead</h2>{about}{grid}{_whiskers(found, lambda cell: cell.margin, 1, 0.0, '')}"


def _grid(found: Findings, said: Callable[[Cell], str], colour: Callable[[Cell], str]) -> str:
    head = "".join(f"<th>among {letter}</th>" for letter in letters(found))
    rows = ""
    for bot, text in enumerate(names(found)):
        met = [found.met(bot, other) for other in range(len(found.bots))]
        cells = "".join(f'<td style="{colour(own)}">{said(own)}</td>' if own else "<td>–</td>" for own in met)
        rows += f"<tr><th>{escape(text)}</th>{cells}</tr>"
    return f"<div class=scroll><table><thead><tr><th></th>{head}</tr></thead><tbody>{rows}</tbody></table></div>"


def _whiskers(found: Findings, of: Callable[[Cell], Estimate], scale: int, reference: float, unit: str) -> str:
    rows = []
    for own in found.meetings:
        low, high = of(own.cell).ci95
        name = f"{letters(found)[own.bot]} among {letters(found)[own.against]}"
        rows.append((name, scale * of(own.cell).mean, scale * low, scale * high))
    return intervals(rows, reference, unit)


def _ratings(found: Findings) -> str:
    if not found.ratings:
        return f"<h2>Ratings</h2><p>{escape(found.why_no_ratings)}</p>" if found.why_no_ratings else ""
    rows = [(_shortened(text), own.mu, *own.ci95) for text, own in zip(names(found), found.ratings, strict=True)]
    middle = sum(own.mu for own in found.ratings) / len(found.ratings)
    about = (
        "<p>Plackett–Luce ratings of all games (OpenSkill; their mean is 25), with intervals from samples of the "
        "deals. A rating is one number for each bot: who beats whom is in the matrix alone.</p>"
    )
    return f"<h2>Ratings</h2>{about}{intervals(sorted(rows, key=lambda row: -row[1]), middle)}"


def _shortened(text: str) -> str:
    return text if len(text) <= _ROOM else f"{text[: _ROOM - 1]}…"


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
    return f"<h2>Thinking</h2>{about}<div class=scroll>{table(head, rows)}</div>"
