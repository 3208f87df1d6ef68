"""What a tuning found, in plain words: only what the intervals carry, and what it would take to know more."""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING, Any

from draftengine.studies.report.confidence_sequences import MOST_GAMES
from draftengine.studies.report.numbers import NOT_KNOWN, about, figure, join_list
from draftengine.studies.simulation.caveats import caveat
from draftengine.studies.tune.tune import LOOK

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from draftengine.engine.program import Program
    from draftengine.studies.report.confidence_sequences import Estimate
    from draftengine.studies.tune.candidates import Number
    from draftengine.studies.tune.tune import Tried, Tuned


def sentences(found: Tuned, number: Number, program: Program) -> list[str]:
    """The answer first; then what else is known, and what is not known yet."""
    return [*_answer(found, number, program), *_others(found), *_open(found)]


def rows(found: Tuned) -> list[tuple[str, str, str, str, str, str]]:
    """A line of a table for each value: the value, the figure, its interval, the change, the games, the verdict."""
    shown = found.target.figure.shown
    return [
        (
            f"{own.value}{' (now)' if own.value == found.now else ''}",
            shown(own.estimate.value),
            interval(found, own.estimate),
            _change(own) if own.value != found.now else "",
            f"{own.games:,}",
            {"reaches": "reaches it", "misses": "misses it", "unknown": NOT_KNOWN}[own.verdict],
        )
        for own in found.tried
    ]


def _change(own: Tried) -> str:
    """How much more the figure is than with the number as it is."""
    if own.change is None or isinf(own.change.high):
        return ""
    return f"{figure(own.change.value, '+')} ± {figure(own.change.high - own.change.value)}"


def interval(found: Tuned, own: Estimate) -> str:
    """An interval in print: ``18.31 to 19.02``."""
    if isinf(own.high):
        return "nothing known"
    return f"{figure(own.low)} to {found.target.figure.shown(own.high)}"


def _said(found: Tuned, own: Tried) -> str:
    return f"{found.target.figure.shown(own.estimate.value)} ({interval(found, own.estimate)})"


def _answer(found: Tuned, number: Number, program: Program) -> Iterator[str]:
    target, best, name = found.target, found.best, number.name
    title = target.figure.title(program)
    if best is not None:
        kept = " As it is now, it is already there: nothing has to change." if best.value == found.now else ""
        yield f"With {name} = {best.value}, {title} is {_said(found, best)}: {target.band}.{kept}"
    elif found.unknown and all(isinf(own.estimate.high) for own in found.tried):
        yield (
            f"Which value of {name} brings {title} to {target.band} is {NOT_KNOWN}: so few games tell nothing. "
            f"{LOOK} with each value are the fewest."
        )
    elif found.unknown:
        left = join_list([f"{own.value}, with {_said(found, own)}" for own in found.unknown], "or")
        yield f"Which value of {name} brings {title} to {target.band} is {NOT_KNOWN}. It can only be {left}."
    else:
        near = found.nearest
        tried = _span([own.value for own in found.tried])
        yield (
            f"No value of {name} that was tried ({tried}) brings {title} to {target.band}; "
            f"the nearest is {near.value}, with {_said(found, near)}."
        )
        yield from _beyond(found, near, number)


def _beyond(found: Tuned, near: Tried, number: Number) -> Iterator[str]:
    """Where else the target may lie: between two values, or beyond the last one."""
    place, target = found.tried.index(near), found.target
    if len(found.tried) == 1:
        return
    if max(own.estimate.low for own in found.tried) <= min(own.estimate.high for own in found.tried):
        yield "Between the values that were tried there is no difference that so many games can tell."
        return
    above = near.estimate.value > target.high
    for other in found.tried[max(0, place - 1) : place + 2]:
        if other is not near and (other.estimate.value > target.high) != above:
            low, high = sorted((near, other), key=lambda own: own.value)
            yield f"The target lies between {low.value} and {high.value}. Try {_between(found, low, high, other)}."
            return
    if near is found.tried[-1] and not number.values:
        step = found.tried[-1].value - found.tried[-2].value
        values = f"{near.value + step}-{near.value + 5 * step}{f'/{step}' if step > 1 else ''}"
        yield f"It is the largest that was tried. Try larger ones: --values {values}."


def _between(found: Tuned, low: Tried, high: Tried, other: Tried) -> str:
    """What to try where the target lies between two values."""
    if high.value - low.value == 1:
        return f"a wider target: with {other.value} it is {_said(found, other)}"
    if high.value - low.value == 2:  # noqa: PLR2004 (one value is left)
        return f"the value between them: --values {low.value + 1}"
    return f"values between them: --values {low.value + 1}-{high.value - 1}"


def _span(values: Sequence[int]) -> str:
    return f"{values[0]} to {values[-1]}" if len(values) > 1 else f"{values[0]}"


def _others(found: Tuned) -> Iterator[str]:
    others = [f"{own.value} ({found.target.figure.shown(own.estimate.value)})" for own in found.reached]
    best = found.best
    if best is not None and len(others) > 1:
        others.remove(f"{best.value} ({found.target.figure.shown(best.estimate.value)})")
        why = "is nearest to the aim" if found.target.aim is not None else "changes least"
        yield f"So {'does' if len(others) == 1 else 'do'} {join_list(others)}; {best.value} {why}."


def _open(found: Tuned) -> Iterator[str]:
    if not found.unknown:
        return
    others = join_list([f"{own.value}" for own in found.unknown])
    if found.best is not None and found.settled:
        better = "changes less" if found.target.aim is None else "is nearer to the aim"
        yield f"Whether {others} would do it, too, is {NOT_KNOWN}; {found.best.value} {better} in any case."
        return
    if found.best is not None:
        yield f"Whether {others} would do it, too, is {NOT_KNOWN}."
    at_an_end = join_list([f"{own.value}" for own in found.unknown if own.needed >= MOST_GAMES] or [""])
    if found.games_needed:
        which = f" of {join_list([f'{own.value}' for own in found.unknown if own.needed < MOST_GAMES])}" * bool(at_an_end)
        yield f"About {about(found.games_needed - found.games)} more games would tell{which}."
    if at_an_end:
        yield f"Of {at_an_end} no number of games may tell: the figure lies at an end of what is asked for."


def notes(found: Tuned, program: Program, bots: Sequence[str]) -> list[str]:
    """What has to be known about the figures: how sure they are, and who played."""
    intervals = (
        f"The intervals hold with 95 % for all {len(found.tried)} values together, and whenever one looks."
        if len(found.tried) > 1
        else "The interval holds with 95 %, and whenever one looks."
    )
    uneven = (
        "The players are different bots, so the seat advantage is theirs as well as that of their seats."
        if found.target.figure.kind == "advantage" and len(set(bots[: program.players])) > 1
        else ""
    )
    return [own for own in (intervals, uneven, caveat(bots)) if own]


def data(found: Tuned, number: Number, program: Program, refused: Mapping[int, str]) -> dict[str, Any]:
    """What was found as plain data. What is not known or not limited is ``null``."""
    target = found.target
    tried: dict[int, dict[str, Any]] = {
        own.value: {
            "value": own.value,
            "figure": own.estimate.value,
            "ci95": _ends(own.estimate),
            "verdict": own.verdict,
            "games": own.games,
            "change": own.change.value if own.change else None,
            "change_ci95": _ends(own.change) if own.change else None,
        }
        for own in found.tried
    }
    tried |= {value: {"value": value, "verdict": "refused", "problem": text} for value, text in refused.items()}
    return {
        "parameter": number.name,
        "now": found.now,
        "target": {
            "figure": target.figure.title(program),
            "low": _finite(target.low),
            "high": _finite(target.high),
            "near": target.aim,
        },
        "best": found.best.value if found.best else None,
        "reached": [own.value for own in found.reached],
        "games": found.games,
        "games_needed": found.games_needed,
        "interrupted": found.interrupted,
        "summary": sentences(found, number, program),
        "tried": [tried[value] for value in sorted(tried)],
    }


def _ends(own: Estimate) -> tuple[float | None, float | None]:
    return _finite(own.low), _finite(own.high)


def _finite(value: float) -> float | None:
    return None if isinf(value) else value
