"""The report of a comparison as one page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from draftengine.simulation.caveats import caveat, players_of
from draftengine.simulation.charts import Point, intervals, page, table
from draftengine.simulation.compare import SHARES_OF_ALL
from draftengine.simulation.comparison_words import PARTS, about_marks, row, sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.simulation.compare import Compared, Effect


def report(names: tuple[str, str], found: Compared, seed: int | str, bots: Sequence[str]) -> str:
    """The report as one HTML page."""
    facts = (
        f"A is {names[0]}, B is {names[1]}. {found.games:,} pairs of games with the same seeds, {players_of(bots)}; "
        f"seed {seed}. Differences are B − A, with 95 % intervals."
    )
    first, *rest = [*sentences(found, *names), *filter(None, [caveat(bots)])]
    said = f"<p class=found>{escape(first)}</p><ul>{''.join(f'<li>{escape(line)}</li>' for line in rest)}</ul>"
    parts = "".join(_part(found, title, kinds) for title, kinds in PARTS)
    return page(f"{names[0]} and {names[1]}: what changes", facts, f"{said}{parts}{_about(found)}")


def _part(found: Compared, title: str, kinds: tuple[str, ...]) -> str:
    effects = [own for own in found.effects if own.kind in kinds]
    if not effects:
        return ""
    shares = effects[0].kind in SHARES_OF_ALL
    points = [Point(own.label, own.difference, own.ci95, own.certain).times(100 if shares else 1) for own in effects]
    chart = intervals(points, 0.0, title=f"{title}: B − A", unit=" %" if shares else "", sign="+")
    listed = table(("", "A", "B", "B − A", "95 %"), [_marked(own) for own in effects])
    return f"<h2>{title}</h2>{chart}{listed}"


def _marked(own: Effect) -> tuple[str, ...]:
    *cells, interval = row(own)
    return (*cells, f"{interval} *" if own.certain else interval)


def _about(found: Compared) -> str:
    return f"<p class=facts>{escape(' '.join(about_marks(found)))} In the pictures what is not certain is hollow.</p>"
