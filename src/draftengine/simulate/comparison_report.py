"""The report of a comparison as one page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from draftengine.simulate.charts import figure, intervals, page, table
from draftengine.simulate.compare import PERCENTAGES, sentences

if TYPE_CHECKING:
    from draftengine.simulate.compare import Compared, Effect

_PARTS = (
    ("win", "Who wins", 100, " %"),
    ("score", "Scores", 1, ""),
    ("rule", "Rules", 1, ""),
    ("card", "Cards: how often who plays one wins", 100, " %"),
)


def report(names: tuple[str, str], found: Compared, seed: int | str) -> str:
    """The page."""
    title = f"{names[0]} and {names[1]}"
    facts = (
        f"{found.games:,} pairs of games with the same seeds; seed {seed}. Differences are B − A, with 95 % intervals."
    )
    said = "".join(f"<li>{escape(line)}</li>" for line in sentences(found, *names))
    parts = "".join(_part(found, *part) for part in _PARTS)
    return page(f"{title}: what changes", facts, f"<ul>{said}</ul>{parts}{_table(names, found)}")


def _part(found: Compared, kind: str, title: str, scale: int, unit: str) -> str:
    own = [effect for effect in found.effects if effect.kind == kind]
    rows = [(effect.label, scale * effect.difference, scale * effect.ci95[0], scale * effect.ci95[1]) for effect in own]
    return f"<h2>{title}</h2>{intervals(rows, 0.0, unit)}"


def _table(names: tuple[str, str], found: Compared) -> str:
    rows = [_row(effect) for effect in found.effects]
    return f"<h2>All figures</h2><div class=scroll>{table(('', *names, 'Difference', '95 %'), rows)}</div>"


def _row(own: Effect) -> tuple[str, ...]:
    scale, unit = (100, " %") if own.kind in PERCENTAGES else (1, "")
    low, high = (figure(scale * end, "+") for end in own.ci95)
    return (
        own.label,
        f"{scale * own.a:.2f}{unit}",
        f"{scale * own.b:.2f}{unit}",
        figure(scale * own.difference, "+"),
        f"{low} to {high}",
    )
