"""HTML page that reports a comparison: conclusions, changed rules, figures of effects, facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.studies.compare.compare import SHARES_OF_ALL
from draftengine.studies.compare.conclusions import PARTS, about_marks, row
from draftengine.studies.compare.conclusions import conclusions as found_in
from draftengine.studies.report.charts import (
    Axis,
    Point,
    State,
    changes,
    conclusions,
    framed,
    page,
    part,
    rows,
    table,
    validity,
)
from draftengine.studies.report.conclusions import Conclusion, ordered
from draftengine.studies.report.numbers import figure, join_list
from draftengine.studies.simulation.caveats import caveat, who_played

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.studies.compare.compare import ComparisonResult, Effect

_SIDES = frozenset({"rule", "round", "card"})
"""Kinds of effects drawn with both values; other kinds are drawn as differences."""


class Pairing(Struct, frozen=True):
    """Description of what was compared, as texts for the report."""

    title: str
    names: tuple[str, str]
    """Names of A and B."""
    rules: str
    """Names of the rules, with their hashes."""
    seed: int | str
    bots: tuple[str, ...]
    again: str
    changes: tuple[tuple[str, str, str], ...] = ()
    """Differences of the rules: subject, text in A, text in B."""


def report(pairing: Pairing, compared: ComparisonResult) -> str:
    """Return the HTML page for the result of a comparison."""
    one, two = pairing.names
    changed = part("What is changed", changes(("", one, two), pairing.changes)) if pairing.changes else ""
    figures = "".join(_part(compared, title, kinds, pairing.names) for title, kinds in PARTS)
    end = validity("What was compared, and what that is worth", _facts(pairing, compared))
    body = f"{changed}{figures}{end}"
    statements = found_in(compared, one, two)
    warning = caveat(pairing.bots)
    statements += [Conclusion("care", warning[:-1], figure="validity")] if warning else []
    statements += [Conclusion("care", _LEARNT, _ADAPTED, figure="validity")] if _learn(pairing.bots) else []
    who = join_list(list(dict.fromkeys(pairing.bots)))
    facts = [f"*{compared.games:,}* pairs of games", f"*{who}* in the seats", f"seed *{pairing.seed}*"]
    top = conclusions("What the change does", ordered(statements), body)
    return page("Comparison", pairing.title, facts, f"{top}{body}")


_LEARNT = "These bots learnt each of the games for itself"
_ADAPTED = "what changes is the rule and how they adapt to it; greedy shows the rule alone"
_ALIKE = "These bots play both games alike, so this is what the rule does by itself."


def _learn(bots: Sequence[str]) -> bool:
    """True if one of the bots learns a game before it plays it."""
    return any(name.partition(":")[0] not in {"random", "greedy", "easy"} for name in bots)


def _facts(pairing: Pairing, compared: ComparisonResult) -> list[tuple[str, str]]:
    games = f"{compared.games:,} pairs, both of a pair with the same seed; differences are taken pair by pair."
    return [
        ("Rules", pairing.rules),
        ("Games", f"{games} Seed {pairing.seed}."),
        ("Bots", who_played(pairing.bots)),
        ("Holds for", f"{_LEARNT}: {_ADAPTED}." if _learn(pairing.bots) else _ALIKE),
        ("Intervals", " ".join(about_marks(compared))),
        ("Again", pairing.again),
    ]


def _part(compared: ComparisonResult, title: str, kinds: tuple[str, ...], names: tuple[str, str]) -> str:
    effects = [effect for effect in compared.effects if effect.kind in kinds]
    if not effects:
        return ""
    shares = effects[0].kind in SHARES_OF_ALL
    sides = effects[0].kind in _SIDES
    effects = sorted(effects, key=lambda effect: -abs(effect.difference)) if sides else effects
    points = [_point(effect, shares=shares, sides=sides) for effect in effects]
    if sides:
        axis = Axis("share of games won", None, " %", places=1) if shares else Axis("points")
        about = f"{names[0]} (ring) and {names[1]} (dot), the largest change first."
    else:
        axis = Axis("percentage points" if shares else "points", sign="+")
        about = f"{names[1]} less {names[0]}, pair by pair, with intervals of 95 %."
    about += " Blue and orange: certainly more or less, for all lines of the report together; grey: not certain."
    numbers = table(("", *names, "Change", "95 %"), [_marked(effect) for effect in effects])
    drawn = rows(points, axis, ("Of what", "Change"))
    return part(title, framed(kinds[0], _title(effects, sides=sides), about, drawn, numbers=numbers))


def _point(effect: Effect, *, shares: bool, sides: bool) -> Point:
    state: State = "none" if not effect.certain else "up" if effect.difference > 0 else "down"
    factor = 100 if shares else 1
    half = f"± {figure(factor * effect.half)}"
    value = figure(factor * effect.difference, "+")
    if sides:
        return Point(effect.label, effect.b, None, state, value, half, effect.a).times(factor)
    return Point(effect.label, effect.difference, effect.ci95, state, value, half).times(factor)


def _title(effects: Sequence[Effect], *, sides: bool) -> str:
    """Return the title of a figure: its two largest certain changes, if there are any."""
    certain = sorted((effect for effect in effects if effect.certain), key=lambda effect: -abs(effect.difference))
    if not certain:
        return "No certain change"
    phrases = []
    for effect in certain[:2]:
        change = 100 * effect.difference if effect.kind in SHARES_OF_ALL else effect.difference
        phrases.append(f"{effect.label} {figure(change, '+')}")
    more = f" and {len(certain) - 2} more" if len(certain) > 2 else ""  # noqa: PLR2004 (as many are named)
    return f"{'Most changed' if sides else 'Certainly changed'}: {', '.join(phrases)}{more}"


def _marked(effect: Effect) -> tuple[str, ...]:
    *cells, interval = row(effect)
    return (*cells, f"{interval} *" if effect.certain else interval)
