"""Results of a tournament as sentences, as tables for the terminal, and as an HTML page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.studies.arena.estimates import CLOSE, FEWEST_DEALS, deals_for
from draftengine.studies.report.charts import (
    Axis,
    Facts,
    Point,
    framed,
    listed,
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
from draftengine.studies.report.conclusions import Conclusion, about, figure, join_list, ordered, percent, percents
from draftengine.studies.report.statistics import widened
from draftengine.studies.simulation.words import who_played

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.studies.arena.estimates import Cell, Duel, Estimate
    from draftengine.studies.arena.sprt import Verdict
    from draftengine.studies.arena.tournament import Findings, Meeting
    from draftengine.studies.report.conclusions import Sure


def sentences(findings: Findings) -> list[str]:
    """Return the conclusions as sentences: the best bot, open questions, controls and the test."""
    return [conclusion.sentence for conclusion in conclusions(findings)]


def conclusions(findings: Findings) -> list[Conclusion]:
    """Return conclusions with their certainty: best bot or test, open questions, controls, clocks."""
    return [
        _of_test(findings.verdict, findings) if findings.verdict else _of_best(findings),
        *(_of_doubt(duel, findings) for duel in findings.duels if not duel.certain and not findings.verdict),
        *_of_precision(findings),
        *(_of_mirror(meeting, findings) for meeting in findings.meetings if meeting.is_mirror),
        *_of_clocks(findings),
    ]


def _of_best(findings: Findings) -> Conclusion:
    beaten = {_better(duel)[1] for duel in findings.duels if duel.certain}
    beats = [
        {_better(duel)[1] for duel in findings.duels if duel.certain and _better(duel)[0] == bot}
        for bot in _all(findings)
    ]
    best = next((bot for bot in _all(findings) if len(beats[bot]) == len(findings.bots) - 1), None)
    if not findings.duels:
        return Conclusion("unknown", "Nothing is said of who is best", "no two bots met")
    if best is not None:
        others = "the other" if len(findings.bots) == 2 else "every other"  # noqa: PLR2004 (one is the other)
        return _shown("certain", f"{findings.bots[best]} is the best", f"it is certainly better than {others}")
    unbeaten = [findings.bots[bot] for bot in _all(findings) if bot not in beaten]
    if not unbeaten:
        return _shown("certain", "Nobody is the best", "each is beaten by another")
    if len(unbeaten) == len(findings.bots):
        return _shown("unknown", "Nobody is certainly better than anybody else yet")
    return _shown("unknown", "Who is best is not certain yet", join_list(unbeaten, "or"))


def _shown(sure: Sure, head: str, text: str = "") -> Conclusion:
    return Conclusion(sure, head, text, figure="shares")


def _of_doubt(duel: Duel, findings: Findings) -> Conclusion:
    one, two = findings.bots[duel.one], findings.bots[duel.two]
    cells = findings.met(duel.one, duel.two), findings.met(duel.two, duel.one)
    shares = [percent(cell.share.mean, 1) for cell in cells if cell]
    doubt = f"not known yet ({' against '.join(shares)})"
    if duel.difference.units < FEWEST_DEALS:
        return _shown("unknown", f"{one} or {two}", f"{doubt}; nothing is certain before {FEWEST_DEALS} deals")
    if duel.bound <= CLOSE:
        points = f"{100 * duel.bound:.1f} percentage points"
        text = f"neither wins more often than the other by over {points}"
        return _shown("certain", f"{one} and {two} are about equally strong", text)
    units = duel.difference.units
    more = about(max(1, duel.deals_to_tell - units))
    doubt += f". About {more} more deals would tell whether one wins more often by {100 * CLOSE:g} percentage points"
    if units < duel.deals_needed < duel.deals_to_tell:
        doubt += f"; if the difference is as large as it looks, about {about(duel.deals_needed - units)} would show it"
    return _shown("unknown", f"{one} or {two}", doubt)


def _of_precision(findings: Findings) -> list[Conclusion]:
    widest = max((meeting.cell.share for meeting in findings.meetings), key=lambda share: share.sd, default=None)
    if not widest or widest.units < FEWEST_DEALS or findings.verdict:
        return []
    needed = deals_for(widest.sd, CLOSE)
    if needed <= findings.deals:
        return []
    head = f"More deals would tell every win share to ±{100 * CLOSE:g} percentage points"
    return [_shown("measured", head, f"it takes about {about(needed)} in all")]


def _of_mirror(meeting: Meeting, findings: Findings) -> Conclusion:
    low, high = meeting.cell.share.ci95
    fits = low <= findings.even <= high
    head = (
        f"Control: {findings.bots[meeting.bot]} against itself wins {percent(meeting.cell.share.mean, 1)} "
        f"({percents(*meeting.cell.share.ci95, 1)}), even is {percent(findings.even, 1)}"
    )
    if fits:
        return _shown("measured", head, "nothing speaks against it")
    return _shown("care", head, "that is more than chance explains (once in twenty it is chance)")


def _of_clocks(findings: Findings) -> list[Conclusion]:
    clocked = [text for text in findings.bots if ":ms=" in text]
    if not clocked:
        return []
    return [
        Conclusion("care", f"{join_list(clocked, 'and')} by the clock, so the same seed need not give the same games")
    ]


def _of_test(verdict: Verdict, findings: Findings) -> Conclusion:
    one, two = findings.bots
    where = "beyond" if verdict.decided else "within"
    pairs = f"; pairs from both lost to both won {' '.join(map(str, verdict.pairs))}" if verdict.pairs else ""
    measured = (
        f"LLR {verdict.llr:.2f}, {where} ±{verdict.bound:.2f}, after {verdict.units:,} deals{pairs}; measured "
        f"{verdict.elo:+.0f} normalised Elo, {verdict.elo_ci95[0]:+.0f} to {verdict.elo_ci95[1]:+.0f}"
    )
    leads = f"a lead of {verdict.elo1:g}", f"one of {verdict.elo0:g}"
    head, text = {
        "better": (f"{one} is better than {two}", f"{leads[0]} explains the games better than {leads[1]}"),
        "not better": (
            f"{one} is not better than {two} by {verdict.elo1:g}",
            f"a lead of {verdict.elo0:g} explains the games better",
        ),
        "": (
            f"Not decided between a lead of {verdict.elo0:g} and one of {verdict.elo1:g}",
            "more deals, --deals",
        ),
    }[verdict.decided]
    return _shown("certain" if verdict.decided else "unknown", head, f"{text} ({measured})")


def _better(duel: Duel) -> tuple[int, int]:
    return (duel.one, duel.two) if duel.difference.mean > 0 else (duel.two, duel.one)


def _all(findings: Findings) -> range:
    return range(len(findings.bots))


def share_text(cell: Cell) -> str:
    """Format a win share with its interval, in percent."""
    mean, low, high = (f"{100 * share:.1f}" for share in (cell.share.mean, *cell.share.ci95))
    return f"{mean} ({low} to {high})"


def margin_text(cell: Cell) -> str:
    """Format a margin with its interval, in points."""
    low, high = (figure(end, "+") for end in cell.margin.ci95)
    return f"{figure(cell.margin.mean, '+')} ({low} to {high})"


def tables(findings: Findings) -> list[str]:
    """Return lines of tables: win shares, margins, then ratings and thinking times of every bot."""
    about = f"even is {100 * findings.even:.1f}"
    return [
        *_matrix(findings, f"Win share in %, {about}", share_text),
        "",
        *_matrix(findings, "Points ahead of the best other", margin_text),
        "",
        *_bots(findings),
    ]


def letters(findings: Findings) -> list[str]:
    """Return a short name for each bot: a letter, or a number after the first 26."""
    return [chr(ord("A") + bot) if bot < 26 else str(bot) for bot in _all(findings)]  # noqa: PLR2004 (the alphabet)


def names(findings: Findings) -> list[str]:
    """Return each bot's text with its letter before it."""
    return [f"{letter}  {text}" for letter, text in zip(letters(findings), findings.bots, strict=True)]


def _matrix(findings: Findings, title: str, text_of: Callable[[Cell], str]) -> list[str]:
    def cell(bot: int, other: int) -> str:
        met = findings.met(bot, other)
        return text_of(met) if met else "–"

    rows = [[name, *(cell(bot, other) for other in _all(findings))] for bot, name in enumerate(names(findings))]
    return _aligned([[title, *(f"among {letter}" for letter in letters(findings))], *rows])


def _bots(findings: Findings) -> list[str]:
    head = ["Bot", "Rating", "Thinks ms (p50", "p95", "max)", "Iterations"]
    rows = [head]
    for bot, name in enumerate(names(findings)):
        pace = findings.paces[bot]
        rating = findings.ratings[bot] if findings.ratings else None
        rows.append(
            [
                name,
                f"{rating.mu:.1f} ({rating.ci95[0]:.1f} to {rating.ci95[1]:.1f})" if rating else "–",
                *(f"{value:.2f}" for value in (pace.p50_ms, pace.p95_ms, pace.max_ms)),
                f"{pace.iterations:,.0f}" if pace.iterations else "–",
            ]
        )
    return _aligned(rows)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return lines with aligned columns: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        f"  {row[0]:<{widths[0]}}"
        + "".join(f"  {cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))
        for row in rows
    ]


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
    facts = Facts(
        rules=played.rules,
        games=f"{findings.deals:,} deals, seed {played.seed}. {_GAMES}",
        bots=who_played(findings.bots),
        holds_for="this game with so many players, and these bots at the table.",
        intervals=_INTERVALS,
        again=played.again,
    )
    end = validity("What was played, and what that is worth", facts)
    body = f"{_shares(findings)}{_margins(findings)}{_ratings(findings)}{_test(findings)}{_paces(findings)}{end}"
    heads = [
        f"*{findings.deals:,}* deals",
        f"*{findings.games:,}* games",
        f"*{findings.seats}* players",
        f"seed *{played.seed}*",
    ]
    top = listed("Who is strong", ordered(conclusions(findings)), body)
    return page("Tournament", f"{played.title}: how strong bots are", heads, f"{top}{body}")


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
        (conclusion.head for conclusion in conclusions(findings) if conclusion.figure == "shares"),
        "Who wins against whom",
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
