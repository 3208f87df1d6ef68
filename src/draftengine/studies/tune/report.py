"""Results of a tuning, in sentences and as a page. No sentence claims more than its interval supports."""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING, Any

from draftengine.studies.report import Conclusion, about, between, charts, figure
from draftengine.studies.report.charts import in_figures, language_of_page, say, worded
from draftengine.studies.report.moments import MOST_GAMES
from draftengine.studies.simulation.words import caveat, who_played
from draftengine.studies.tune import LOOK
from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import decimal, either, said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from draftengine.engine.program import Program
    from draftengine.studies.public import Tuning
    from draftengine.studies.report.charts import State, Study
    from draftengine.studies.report.moments import Estimate
    from draftengine.studies.tune import Tried, Tuned, Verdict
    from draftengine.studies.tune.targets import Number
    from draftengine.support.locale.phrases import Phrase, Text, Value


def sentences(tuned: Tuned, number: Number, program: Program, language: str = "en") -> list[str]:
    """Return the answer first, then other values that reach the target, then open questions."""
    words = spoken(language)
    answer: list[Phrase] = []
    target, best, name = tuned.target, tuned.best, number.name
    about_it: dict[str, Value] = {"name": name, "figure": target.figure.title(program, language), "band": target.band}
    if best is not None:
        key = "study.tuned.already" if best.value == tuned.now else "study.tuned"
        answer.append(said(key, value=best.value, estimate=_estimated(tuned, best), **about_it))
    elif tuned.unknown and all(isinf(candidate.estimate.high) for candidate in tuned.tried):
        answer.append(said("study.tuned.too-few", games=LOOK, **about_it))
    elif tuned.unknown:
        left = [
            said("study.value-with", value=candidate.value, estimate=_estimated(tuned, candidate))
            for candidate in tuned.unknown
        ]
        answer.append(said("study.tuned.only", values=either(left), **about_it))
    else:
        near = tuned.nearest
        values = [candidate.value for candidate in tuned.tried]
        tried: Text = said("range.to", low=values[0], high=values[-1]) if len(values) > 1 else f"{values[0]}"
        answer.append(
            said("study.tuned.none", tried=tried, near=near.value, estimate=_estimated(tuned, near), **about_it)
        )
        answer += _beyond(tuned, near, number)
    phrases = [*answer, *_others(tuned)]
    return [phrase.within(words) for phrase in phrases]


def rows(tuned: Tuned) -> list[tuple[Text, ...]]:
    """Return a row for each value: value, figure, interval, change, games and verdict."""
    as_text = tuned.target.figure.shown
    cells: list[tuple[Text, ...]] = []
    for candidate in tuned.tried:
        is_now, change, change_text = candidate.value == tuned.now, candidate.change, ""
        if not (is_now or change is None or isinf(change.high)):
            change_text = f"{figure(change.value, '+')} ± {figure(change.high - change.value)}"
        cells.append(
            (
                said("study.now", value=candidate.value) if is_now else f"{candidate.value}",
                decimal(as_text(candidate.estimate.value)),
                interval(tuned, candidate.estimate),
                decimal(change_text) if change_text else "",
                decimal(f"{candidate.games:,}"),
                said(f"study.verdict.{candidate.verdict}"),
            )
        )
    return cells


def interval(tuned: Tuned, estimate: Estimate) -> Phrase:
    """Return an interval: ``18.31 to 19.02``."""
    if isinf(estimate.high):
        return said("study.nothing-known")
    return between(figure(estimate.low), tuned.target.figure.shown(estimate.high))


def _estimated(tuned: Tuned, candidate: Tried) -> Phrase:
    value = decimal(tuned.target.figure.shown(candidate.estimate.value))
    return said("study.estimated", value=value, interval=interval(tuned, candidate.estimate))


def _beyond(tuned: Tuned, near: Tried, number: Number) -> Iterator[Phrase]:
    """Yield advice on values to try next: between two tried values, or beyond the last one."""
    place, target = tuned.tried.index(near), tuned.target
    if len(tuned.tried) == 1:
        return
    if max(candidate.estimate.low for candidate in tuned.tried) <= min(
        candidate.estimate.high for candidate in tuned.tried
    ):
        yield said("study.tuned.no-difference")
        return
    above = near.estimate.value > target.high
    for other in tuned.tried[max(0, place - 1) : place + 2]:
        if other is not near and (other.estimate.value > target.high) != above:
            low, high = sorted((near.value, other.value))
            advice = said("study.try.values", values=f"{low + 1}-{high - 1}")
            if high - low == 1:
                advice = said("study.try.wider", value=other.value, estimate=_estimated(tuned, other))
            elif high - low == 2:  # noqa: PLR2004 (one value is left)
                advice = said("study.try.value", value=low + 1)
            yield said("study.tuned.between", low=low, high=high, advice=advice)
            return
    if near is tuned.tried[-1] and not number.values:
        step = tuned.tried[-1].value - tuned.tried[-2].value
        values = f"{near.value + step}-{near.value + 5 * step}{f'/{step}' if step > 1 else ''}"
        yield said("study.tuned.larger", values=values)


def _others(tuned: Tuned) -> Iterator[Phrase]:
    """Yield the other values that reach the target, then those that may reach it."""
    best = tuned.best
    also = [candidate for candidate in tuned.reached if candidate is not best]
    if best is not None and also:
        key = "study.so-do.nearest" if tuned.target.aim is not None else "study.so-do.least"
        values = tuple(
            said("study.value", value=it.value, figure=decimal(tuned.target.figure.shown(it.estimate.value)))
            for it in also
        )
        yield said(key, values=values, count=len(values), best=best.value)
    if not tuned.unknown:
        return
    others = tuple(f"{candidate.value}" for candidate in tuned.unknown)
    if tuned.best is not None and tuned.settled:
        key = "study.would-others.less" if tuned.target.aim is None else "study.would-others.nearer"
        yield said(key, values=others, best=tuned.best.value)
        return
    if tuned.best is not None:
        yield said("study.would-others", values=others)
    at_an_end = tuple(f"{candidate.value}" for candidate in tuned.unknown if candidate.needed >= MOST_GAMES)
    if tuned.games_needed:
        games = about(tuned.games_needed - tuned.games)
        which = tuple(f"{candidate.value}" for candidate in tuned.unknown if candidate.needed < MOST_GAMES)
        yield said("study.more-games.of" if at_an_end else "study.more-games", games=games, values=which)
    if at_an_end:
        yield said("study.at-an-end", values=at_an_end)


def notes(tuned: Tuned, program: Program, bots: Sequence[str]) -> list[Phrase]:
    """Return notes about how far the figures are valid: intervals, different bots, and weak bots."""
    values, warning = len(tuned.tried), caveat(bots)
    uneven = tuned.target.figure.kind == "advantage" and len(set(bots[: program.players])) > 1
    return [
        said("study.intervals-hold" if values > 1 else "study.interval-holds", values=values),
        *([said("study.different-bots")] if uneven else []),
        *([said("list.sentence", text=warning)] if warning else []),
    ]


def data(tuned: Tuned, number: Number, program: Program, refused: Mapping[int, Text]) -> dict[str, Any]:
    """Return all results as plain data. ``None`` means unknown or unlimited."""
    target = tuned.target
    tried: dict[int, dict[str, Any]] = {
        candidate.value: {
            "value": candidate.value,
            "figure": candidate.estimate.value,
            "ci95": _ends(candidate.estimate),
            "verdict": candidate.verdict,
            "games": candidate.games,
            "change": candidate.change.value if candidate.change else None,
            "change_ci95": _ends(candidate.change) if candidate.change else None,
        }
        for candidate in tuned.tried
    }
    tried |= {value: {"value": value, "verdict": "refused", "problem": str(text)} for value, text in refused.items()}
    return {
        "parameter": number.name,
        "now": tuned.now,
        "target": {
            "figure": str(target.figure.title(program)),
            "low": _finite(target.low),
            "high": _finite(target.high),
            "near": target.aim,
        },
        "best": tuned.best.value if tuned.best else None,
        "reached": [candidate.value for candidate in tuned.reached],
        "games": tuned.games,
        "games_needed": tuned.games_needed,
        "interrupted": tuned.interrupted,
        "summary": sentences(tuned, number, program),
        "tried": [tried[value] for value in sorted(tried)],
    }


def _ends(estimate: Estimate) -> tuple[float | None, float | None]:
    return _finite(estimate.low), _finite(estimate.high)


def _finite(value: float) -> float | None:
    return None if isinf(value) else value


_STATES: dict[Verdict, State] = {"reaches": "up", "misses": "down", "unknown": "none"}


def report(study: Study, tuning: Tuning) -> str:
    """Return the HTML page for the result of a tuning."""
    tuned, number, program = tuning.found, tuning.question.number, tuning.question.game.program
    figure = worded(tuned.target.figure.title(program, language_of_page()))
    title = say("tuned.by", figure=f"{figure[:1].upper()}{figure[1:]}", name=number.name)
    keys = ("value", "figure", "interval", "change", "games")
    head = [*(worded(said(f"study.column.{key}")) for key in keys), ""]
    numbers = charts.table(head, [[worded(cell) for cell in row] for row in rows(tuned)])
    points = []
    for candidate in tuned.tried:
        estimate, verdict = candidate.estimate, worded(said(f"study.verdict.{candidate.verdict}"))
        now = candidate.value == tuned.now
        label = worded(said("study.now", value=candidate.value)) if now else candidate.value
        if not isinf(estimate.high):
            ends = (estimate.low, estimate.high)
            points.append(charts.Point(f"{label}, {verdict}", estimate.value, ends, _STATES[candidate.verdict]))
    drawn = charts.rows(points, charts.Axis(figure, tuned.target.aim), (number.name, head[1]))
    wanted, about = say("tuned.wanted", band=tuned.target.band), say("tuned.about", name=number.name)
    refused = [said("study.tuned.refused", value=it, why=why) for it, why in tuning.question.refused.items()]
    body = charts.part(title, charts.framed("values", wanted, about, drawn, numbers=numbers))
    body += charts.validity(
        say("tuned.tried"),
        rules=study.rules,
        games=say("tuned.games", games=in_figures(f"{tuned.games:,}"), seed=str(study.seed)),
        bots=who_played(tuning.bots, language_of_page()),
        holds_for=" ".join(map(worded, (*notes(tuned, program, tuning.bots), *refused))),
        again=study.again,
    )
    answers = sentences(tuned, number, program, language_of_page())
    known = tuned.best is not None or not tuned.unknown
    statements = [
        Conclusion("certain" if known and not place else "measured" if known else "unknown", text.rstrip(".。"))
        for place, text in enumerate(answers)
    ]
    bots = tuple(dict.fromkeys(tuning.bots))
    heads = [say("head.values", count=len(tuned.tried)), say("head.bots", bots=bots)]
    return charts.page(
        say("tuning"), study.title, heads, f"{charts.listed(say('tuned.which'), statements, body)}{body}"
    )
