"""Conclusions of a tuning in plain words, as far as the intervals support them."""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING, Any

from draftengine.studies.report.conclusions import NOT_KNOWN, about, figure, join_list
from draftengine.studies.report.moments import MOST_GAMES
from draftengine.studies.simulation.words import caveat
from draftengine.studies.tune.tune import LOOK

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from draftengine.engine.program import Program
    from draftengine.studies.report.moments import Estimate
    from draftengine.studies.tune.targets import Number
    from draftengine.studies.tune.tune import Tried, Tuned


def sentences(tuned: Tuned, number: Number, program: Program) -> list[str]:
    """Return the answer first, then other values that reach the target, then open questions."""
    return [*_answer(tuned, number, program), *_others(tuned), *_open(tuned)]


def rows(tuned: Tuned) -> list[tuple[str, str, str, str, str, str]]:
    """Return a row for each value: value, figure, interval, change, games and verdict, as texts."""
    text_of = tuned.target.figure.shown
    return [
        (
            f"{candidate.value}{' (now)' if candidate.value == tuned.now else ''}",
            text_of(candidate.estimate.value),
            interval(tuned, candidate.estimate),
            _change(candidate) if candidate.value != tuned.now else "",
            f"{candidate.games:,}",
            {"reaches": "reaches it", "misses": "misses it", "unknown": NOT_KNOWN}[candidate.verdict],
        )
        for candidate in tuned.tried
    ]


def _change(candidate: Tried) -> str:
    """Format the change of the figure from its value under the present rules; empty if unknown."""
    if candidate.change is None or isinf(candidate.change.high):
        return ""
    return f"{figure(candidate.change.value, '+')} ± {figure(candidate.change.high - candidate.change.value)}"


def interval(tuned: Tuned, estimate: Estimate) -> str:
    """Format an interval: ``18.31 to 19.02``."""
    if isinf(estimate.high):
        return "nothing known"
    return f"{figure(estimate.low)} to {tuned.target.figure.shown(estimate.high)}"


def _said(tuned: Tuned, candidate: Tried) -> str:
    return f"{tuned.target.figure.shown(candidate.estimate.value)} ({interval(tuned, candidate.estimate)})"


def _answer(tuned: Tuned, number: Number, program: Program) -> Iterator[str]:
    target, best, name = tuned.target, tuned.best, number.name
    title = target.figure.title(program)
    if best is not None:
        kept = " As it is now, it is already there: nothing has to change." if best.value == tuned.now else ""
        yield f"With {name} = {best.value}, {title} is {_said(tuned, best)}: {target.band}.{kept}"
    elif tuned.unknown and all(isinf(candidate.estimate.high) for candidate in tuned.tried):
        yield (
            f"Which value of {name} brings {title} to {target.band} is {NOT_KNOWN}: so few games tell nothing. "
            f"{LOOK} with each value are the fewest."
        )
    elif tuned.unknown:
        left = join_list([f"{candidate.value}, with {_said(tuned, candidate)}" for candidate in tuned.unknown], "or")
        yield f"Which value of {name} brings {title} to {target.band} is {NOT_KNOWN}. It can only be {left}."
    else:
        near = tuned.nearest
        values = [candidate.value for candidate in tuned.tried]
        tried = f"{values[0]} to {values[-1]}" if len(values) > 1 else f"{values[0]}"
        yield (
            f"No value of {name} that was tried ({tried}) brings {title} to {target.band}; "
            f"the nearest is {near.value}, with {_said(tuned, near)}."
        )
        yield from _beyond(tuned, near, number)


def _beyond(tuned: Tuned, near: Tried, number: Number) -> Iterator[str]:
    """Yield advice about values to try next: between two values, or beyond the last one."""
    place, target = tuned.tried.index(near), tuned.target
    if len(tuned.tried) == 1:
        return
    if max(candidate.estimate.low for candidate in tuned.tried) <= min(
        candidate.estimate.high for candidate in tuned.tried
    ):
        yield "Between the values that were tried there is no difference that so many games can tell."
        return
    above = near.estimate.value > target.high
    for other in tuned.tried[max(0, place - 1) : place + 2]:
        if other is not near and (other.estimate.value > target.high) != above:
            low, high = sorted((near, other), key=lambda candidate: candidate.value)
            yield f"The target lies between {low.value} and {high.value}. Try {_between(tuned, low, high, other)}."
            return
    if near is tuned.tried[-1] and not number.values:
        step = tuned.tried[-1].value - tuned.tried[-2].value
        values = f"{near.value + step}-{near.value + 5 * step}{f'/{step}' if step > 1 else ''}"
        yield f"It is the largest that was tried. Try larger ones: --values {values}."


def _between(tuned: Tuned, low: Tried, high: Tried, other: Tried) -> str:
    """Return what to try if the target lies between two values."""
    if high.value - low.value == 1:
        return f"a wider target: with {other.value} it is {_said(tuned, other)}"
    if high.value - low.value == 2:  # noqa: PLR2004 (one value is left)
        return f"the value between them: --values {low.value + 1}"
    return f"values between them: --values {low.value + 1}-{high.value - 1}"


def _others(tuned: Tuned) -> Iterator[str]:
    others = [
        f"{candidate.value} ({tuned.target.figure.shown(candidate.estimate.value)})" for candidate in tuned.reached
    ]
    best = tuned.best
    if best is not None and len(others) > 1:
        others.remove(f"{best.value} ({tuned.target.figure.shown(best.estimate.value)})")
        why = "is nearest to the aim" if tuned.target.aim is not None else "changes least"
        yield f"So {'does' if len(others) == 1 else 'do'} {join_list(others)}; {best.value} {why}."


def _open(tuned: Tuned) -> Iterator[str]:
    if not tuned.unknown:
        return
    others = join_list([f"{candidate.value}" for candidate in tuned.unknown])
    if tuned.best is not None and tuned.settled:
        better = "changes less" if tuned.target.aim is None else "is nearer to the aim"
        yield f"Whether {others} would do it, too, is {NOT_KNOWN}; {tuned.best.value} {better} in any case."
        return
    if tuned.best is not None:
        yield f"Whether {others} would do it, too, is {NOT_KNOWN}."
    at_an_end = join_list(
        [f"{candidate.value}" for candidate in tuned.unknown if candidate.needed >= MOST_GAMES] or [""]
    )
    if tuned.games_needed:
        which = (
            f" of {join_list([f'{candidate.value}' for candidate in tuned.unknown if candidate.needed < MOST_GAMES])}"
            * bool(at_an_end)
        )
        yield f"About {about(tuned.games_needed - tuned.games)} more games would tell{which}."
    if at_an_end:
        yield f"Of {at_an_end} no number of games may tell: the figure lies at an end of what is asked for."


def notes(tuned: Tuned, program: Program, bots: Sequence[str]) -> list[str]:
    """Return notes on the validity of the figures: intervals, different bots, and weak bots."""
    intervals = (
        f"The intervals hold with 95 % for all {len(tuned.tried)} values together, and whenever one looks."
        if len(tuned.tried) > 1
        else "The interval holds with 95 %, and whenever one looks."
    )
    uneven = (
        "The players are different bots, so the seat advantage is theirs as well as that of their seats."
        if tuned.target.figure.kind == "advantage" and len(set(bots[: program.players])) > 1
        else ""
    )
    return [note for note in (intervals, uneven, caveat(bots)) if note]


def data(tuned: Tuned, number: Number, program: Program, refused: Mapping[int, str]) -> dict[str, Any]:
    """Return all results as plain data, with ``None`` for what is unknown or unlimited."""
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
    tried |= {value: {"value": value, "verdict": "refused", "problem": text} for value, text in refused.items()}
    return {
        "parameter": number.name,
        "now": tuned.now,
        "target": {
            "figure": target.figure.title(program),
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
