"""Results of a tournament as sentences, as tables for the terminal, and as an HTML page."""

from __future__ import annotations

from functools import reduce
from html import escape
from typing import TYPE_CHECKING

from draftengine.studies.arena.estimates import CLOSE, FEWEST_DEALS, deals_for
from draftengine.studies.report import Conclusion, about, between, charts, figure, ordered, percent, share, shares
from draftengine.studies.report.charts import in_figures, language_of_page, say, worded
from draftengine.studies.report.statistics import widened
from draftengine.studies.simulation.words import who_played
from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import decimal, either, said
from draftengine.support.text import to_left, to_right, width_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.studies.arena.estimates import Cell, Duel, Estimate, Findings
    from draftengine.studies.arena.sprt import Verdict
    from draftengine.studies.report import Sure
    from draftengine.studies.report.charts import Study
    from draftengine.support.locale.catalogue import Catalogue
    from draftengine.support.locale.phrases import Phrase, Text

    CellText = Callable[[Cell, Catalogue], str]


def sentences(findings: Findings, language: str = "en") -> list[str]:
    """Return the conclusions as sentences: the best bot, open questions, controls and the test."""
    return [conclusion.sentence(spoken(language)) for conclusion in conclusions(findings)]


def conclusions(findings: Findings) -> list[Conclusion]:
    """Return conclusions: best bot or test, open questions, controls, and bots with a time limit."""
    clocked = tuple(text for text in findings.bots if ":ms=" in text)
    widest = max((meeting.cell.share for meeting in findings.meetings), key=lambda share: share.sd, default=None)
    statements = [_of_test(findings.verdict, findings) if findings.verdict else _of_best(findings)]
    statements += [_of_doubt(duel, findings) for duel in findings.duels if not duel.certain and not findings.verdict]
    if widest and widest.units >= FEWEST_DEALS and not findings.verdict:
        needed = deals_for(widest.sd, CLOSE)
        head = said("study.more-deals", points=decimal(f"{100 * CLOSE:g}"))
        if needed > findings.deals:
            statements.append(_shown("measured", head, said("study.in-all", deals=about(needed))))
    for meeting in findings.meetings:
        if meeting.is_mirror:
            mean, (low, high) = meeting.cell.share.mean, meeting.cell.share.ci95
            head = said(
                "study.control",
                bot=findings.bots[meeting.bot],
                share=share(mean, 1),
                interval=shares(low, high, 1),
                even=share(findings.even, 1),
            )
            fits = low <= findings.even <= high
            text = said("study.control-fits" if fits else "study.control-off")
            statements.append(_shown("measured" if fits else "care", head, text))
    return [*statements, *([Conclusion("care", said("study.by-the-clock", bots=clocked))] if clocked else [])]


def _of_best(findings: Findings) -> Conclusion:
    beaten = {_better(duel)[1] for duel in findings.duels if duel.certain}
    beats = [
        {_better(duel)[1] for duel in findings.duels if duel.certain and _better(duel)[0] == bot}
        for bot in _all(findings)
    ]
    best = next((bot for bot in _all(findings) if len(beats[bot]) == len(findings.bots) - 1), None)
    if not findings.duels:
        return Conclusion("unknown", said("study.nothing-of-best"), said("study.none-met"))
    if best is not None:
        text = said("study.better-than", others=len(findings.bots) - 1)
        return _shown("certain", said("study.is-best", bot=findings.bots[best]), text)
    unbeaten = [findings.bots[bot] for bot in _all(findings) if bot not in beaten]
    if not unbeaten:
        return _shown("certain", said("study.nobody-best"), said("study.each-beaten"))
    if len(unbeaten) == len(findings.bots):
        return _shown("unknown", said("study.nobody-better"))
    return _shown("unknown", said("study.best-uncertain"), either(unbeaten))


def _shown(sure: Sure, head: Phrase, text: Text = "") -> Conclusion:
    return Conclusion(sure, head, text, figure="shares")


def _of_doubt(duel: Duel, findings: Findings) -> Conclusion:
    one, two = findings.bots[duel.one], findings.bots[duel.two]
    cells = findings.met(duel.one, duel.two), findings.met(duel.two, duel.one)
    won: list[Text] = [share(cell.share.mean, 1) for cell in cells if cell]
    both = reduce(lambda first, second: said("study.against", one=first, other=second), won)
    doubt = said("study.doubt", shares=both)
    head = said("study.one-or-other", one=one, two=two)
    if duel.difference.units < FEWEST_DEALS:
        return _shown("unknown", head, said("study.doubt-few", doubt=doubt, deals=FEWEST_DEALS))
    if duel.bound <= CLOSE:
        text = said("study.neither-over", points=decimal(f"{100 * duel.bound:.1f}"))
        return _shown("certain", said("study.equally-strong", one=one, two=two), text)
    units = duel.difference.units
    more, points = about(duel.deals_to_tell - units), decimal(f"{100 * CLOSE:g}")
    text = said("study.doubt-more", doubt=doubt, deals=more, points=points)
    if units < duel.deals_needed < duel.deals_to_tell:
        text = said("study.doubt-as-large", doubt=text, deals=about(duel.deals_needed - units))
    return _shown("unknown", head, text)


def _of_test(verdict: Verdict, findings: Findings) -> Conclusion:
    one, two = findings.bots
    low, high = (f"{end:+.0f}" for end in verdict.elo_ci95)
    measured = said(
        "study.llr-beyond" if verdict.decided else "study.llr-within",
        llr=decimal(f"{verdict.llr:.2f}"),
        bound=decimal(f"{verdict.bound:.2f}"),
        deals=decimal(f"{verdict.units:,}"),
        pairs=said("study.llr-pairs", pairs=" ".join(map(str, verdict.pairs))) if verdict.pairs else "",
        elo=decimal(f"{verdict.elo:+.0f}"),
        interval=between(low, high),
    )
    key = f"study.sprt-{verdict.decided.replace(' ', '-') or 'open'}"
    lead, other = decimal(f"{verdict.elo1:g}"), decimal(f"{verdict.elo0:g}")
    head = said(key, one=one, two=two, lead=lead, other=other)
    text = said(f"{key}.why", lead=lead, other=other, measured=measured)
    return _shown("certain" if verdict.decided else "unknown", head, text)


def _better(duel: Duel) -> tuple[int, int]:
    return (duel.one, duel.two) if duel.difference.mean > 0 else (duel.two, duel.one)


def _all(findings: Findings) -> range:
    return range(len(findings.bots))


def share_text(cell: Cell, words: Catalogue) -> str:
    """Format a win share with its interval, in percent."""
    mean, low, high = (f"{100 * share:.1f}" for share in (cell.share.mean, *cell.share.ci95))
    return words.decimal(f"{mean} ({words.phrase('range.to', low=low, high=high)})")


def margin_text(cell: Cell, words: Catalogue) -> str:
    """Format a margin with its interval, in points."""
    low, high = (figure(end, "+") for end in cell.margin.ci95)
    return words.decimal(f"{figure(cell.margin.mean, '+')} ({words.phrase('range.to', low=low, high=high)})")


def tables(findings: Findings, language: str = "en") -> list[str]:
    """Return lines of tables: win shares, margins, and then the rating and thinking times of every bot."""
    words = spoken(language)
    even = words.decimal(f"{100 * findings.even:.1f}")
    head = [words.phrase(f"study.column.{key}") for key in ("bot", "rating", "thinks", "p95", "longest", "iterations")]
    rows = [head]
    for bot, name in enumerate(names(findings)):
        pace = findings.paces[bot]
        rating = findings.ratings[bot] if findings.ratings else None
        low, high = (f"{end:.1f}" for end in (rating.ci95 if rating else (0, 0)))
        rows.append(
            [
                name,
                words.decimal(f"{rating.mu:.1f} ({words.phrase('range.to', low=low, high=high)})") if rating else "–",
                *(words.decimal(f"{value:.2f}") for value in (pace.p50_ms, pace.p95_ms, pace.max_ms)),
                words.decimal(f"{pace.iterations:,.0f}") if pace.iterations else "–",
            ]
        )
    return [
        *_matrix(findings, words.phrase("study.win-share", even=even), share_text, words),
        "",
        *_matrix(findings, words.phrase("study.points-ahead"), margin_text, words),
        "",
        *_aligned(rows),
    ]


def letters(findings: Findings) -> list[str]:
    """Return a short name for each bot: a letter, or a number after the first 26."""
    return [chr(ord("A") + bot) if bot < 26 else str(bot) for bot in _all(findings)]  # noqa: PLR2004 (the alphabet)


def names(findings: Findings) -> list[str]:
    """Return the names of all bots, each preceded by its letter or number (see `letters`)."""
    return [f"{letter}  {text}" for letter, text in zip(letters(findings), findings.bots, strict=True)]


def _matrix(findings: Findings, title: str, text_of: CellText, words: Catalogue) -> list[str]:
    def cell(bot: int, other: int) -> str:
        met = findings.met(bot, other)
        return text_of(met, words) if met else "–"

    rows = [[name, *(cell(bot, other) for other in _all(findings))] for bot, name in enumerate(names(findings))]
    head = [title, *(words.phrase("study.among", bot=letter) for letter in letters(findings))]
    return _aligned([head, *rows])


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return lines with aligned columns. The first column is left-aligned, the others are right-aligned."""
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    return [
        f"  {to_left(row[0], widths[0])}"
        + "".join(f"  {to_right(cell, width)}" for cell, width in zip(row[1:], widths[1:], strict=True))
        for row in rows
    ]


def report(study: Study, findings: Findings) -> str:
    """Return the HTML page for the findings of a tournament."""
    end = charts.validity(
        say("arena.worth"),
        rules=study.rules,
        games=say("arena.games", deals=in_figures(f"{findings.deals:,}"), seed=str(study.seed)),
        bots=who_played(findings.bots, language_of_page()),
        holds_for=say("arena.holds"),
        intervals=say("arena.intervals"),
        again=study.again,
    )
    lines = [
        (
            text,
            f"{pace.decisions:,}",
            *(f"{milliseconds:.2f}" for milliseconds in (pace.p50_ms, pace.p95_ms, pace.max_ms)),
            f"{pace.iterations:,.1f}" if pace.iterations else "–",
        )
        for text, pace in zip(names(findings), findings.paces, strict=True)
    ]
    head = (
        _column("bot"), say("column.decisions"), "p50 ms", "p95 ms", say("column.longest"), _column("iterations")
    )  # fmt: skip
    paces = charts.part(say("thinking"), f"<p>{escape(say('thinking.about'))}</p>", charts.table(head, lines))
    body = f"{_meetings(findings)}{_ratings(findings)}{_test(findings)}{paces}{end}"
    heads = [
        say("head.deals", deals=in_figures(f"{findings.deals:,}"), count=findings.deals),
        say("head.games", games=in_figures(f"{findings.games:,}"), count=findings.games),
        say("head.players", count=findings.seats),
        say("head.seed", seed=str(study.seed)),
    ]
    top = charts.listed(say("arena.who"), ordered(conclusions(findings)), body)
    return charts.page(say("tournament"), say("arena.title", game=study.title), heads, f"{top}{body}")


def _meetings(findings: Findings) -> str:
    """Return two sections of the page, on win shares and on margins, for every pair of bots."""
    about = say("arena.shares", even=in_figures(percent(findings.even, 1)))
    grid = _grid(findings, share_text, lambda cell: cell.share, findings.even)
    axis = charts.Axis(say("axis.share"), 100 * findings.even, " %", places=1)
    drawn = _whiskers(findings, lambda cell: cell.share, axis)
    title = next(
        (worded(conclusion.head) for conclusion in conclusions(findings) if conclusion.figure == "shares"),
        say("arena.whom"),
    )
    wins = charts.part(worded(said("study.part.wins")), charts.framed("shares", title, about, f"{grid}{drawn}"))
    grid = _grid(findings, margin_text, lambda cell: cell.margin, 0.0)
    drawn = _whiskers(findings, lambda cell: cell.margin, charts.Axis(say("axis.ahead"), sign="+"))
    ahead = charts.framed("ahead", say("arena.how-much"), say("arena.margins"), drawn, numbers=grid)
    return wins + charts.part(say("arena.ahead"), ahead)


def _grid(findings: Findings, text_of: CellText, of: Callable[[Cell], Estimate], reference: float) -> str:
    reach = max((abs(of(meeting.cell).mean - reference) for meeting in findings.meetings), default=0.0)

    def cell(bot: int, other: int) -> charts.Cell:
        met = findings.met(bot, other)
        if met is None:
            return charts.Cell("–")
        estimate = of(met)
        interval = widened(estimate.mean, estimate.ci95, len(findings.meetings))
        text, shade = text_of(met, spoken(language_of_page())), charts.tinted(estimate.mean, interval, reference, reach)
        return charts.Cell(text, shade, printed=True)

    bots = range(len(findings.bots))
    lines = [(text, [cell(bot, other) for other in bots]) for bot, text in enumerate(names(findings))]
    return charts.shaded(("", *(worded(said("study.among", bot=letter)) for letter in letters(findings))), lines)


def _whiskers(findings: Findings, of: Callable[[Cell], Estimate], axis: charts.Axis) -> str:
    points = []
    scale = 100 if axis.unit else 1
    for meeting in findings.meetings:
        short = letters(findings)
        name = say("arena.meeting", one=short[meeting.bot], two=short[meeting.against])
        estimate = of(meeting.cell)
        state = charts.state_of(
            widened(estimate.mean, estimate.ci95, len(findings.meetings)), (axis.reference or 0.0) / scale
        )
        points.append(charts.Point(name, estimate.mean, estimate.ci95, state).times(scale))
    return charts.rows(points, axis, (say("column.meeting"), say("column.mean")))


def _ratings(findings: Findings) -> str:
    if not findings.ratings:
        why = findings.why_no_ratings
        return charts.part(say("arena.ratings"), f"<p>{escape(worded(why))}</p>") if why else ""
    points = [
        charts.Point(text, rating.mu, rating.ci95)
        for text, rating in zip(names(findings), findings.ratings, strict=True)
    ]
    middle = sum(rating.mu for rating in findings.ratings) / len(findings.ratings)
    ranked = sorted(points, key=lambda point: -point.value)
    drawn = charts.rows(
        ranked, charts.Axis(say("axis.rating"), middle, places=1), (_column("bot"), say("column.rating"))
    )
    figure = charts.framed("ratings", say("arena.ratings.first"), say("arena.ratings.about"), drawn)
    return charts.part(say("arena.ratings"), figure)


def _column(key: str) -> str:
    return worded(said(f"study.column.{key}"))


def _test(findings: Findings) -> str:
    verdict = findings.verdict
    if not verdict:
        return ""
    low, high = (f"{end:+.1f}" for end in verdict.elo_ci95)
    lines = [
        (say("test.llr"), f"{verdict.llr:.2f}"),
        (say("test.bound"), f"±{verdict.bound:.2f}"),
        (say("test.hypotheses"), say("test.elo", low=f"{verdict.elo0:g}", high=f"{verdict.elo1:g}")),
        (say("test.measured"), f"{verdict.elo:+.1f} ({say('interval', low=low, high=high)})"),
        (say("test.deals"), f"{verdict.units:,}"),
    ]
    if verdict.pairs:
        lines.append((say("test.pairs"), " · ".join(map(str, verdict.pairs))))
    return charts.part(say("test"), charts.table(("", ""), lines))
