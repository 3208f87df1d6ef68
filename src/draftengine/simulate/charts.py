"""Small charts as SVG inside a page: columns, and points with intervals. No scripts, no files beside the page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WIDTH, _HEIGHT = 420, 150


def columns(counts: Mapping[int, int], label: str) -> str:
    """A histogram: how many games by total."""
    if not counts:
        return ""
    low, high = min(counts), max(counts)
    most, width = max(counts.values()), _WIDTH / (high - low + 1)
    bars = "".join(
        f'<rect x="{(value - low) * width:.1f}" y="{_HEIGHT * (1 - count / most):.1f}" '
        f'width="{max(width - 0.5, 0.5):.1f}" height="{_HEIGHT * count / most:.1f}">'
        f"<title>{value}: {count}</title></rect>"
        for value, count in sorted(counts.items())
    )
    return (
        f'<svg viewBox="0 -4 {_WIDTH} {_HEIGHT + 24}" role="img" aria-label="{escape(label)}">'
        f'<g class="bars">{bars}</g>'
        f'<text x="0" y="{_HEIGHT + 16}">{low}</text>'
        f'<text x="{_WIDTH}" y="{_HEIGHT + 16}" text-anchor="end">{high}</text></svg>'
    )


def intervals(rows: Sequence[tuple[str, float, float, float]], reference: float, unit: str = "") -> str:
    """Points with intervals, one line each: (name, value, low, high), and a line where nothing would differ."""
    if not rows:
        return ""
    left = min([reference, *(low for _, _, low, _ in rows)])
    right = max([reference, *(high for _, _, _, high in rows)])
    spread = (right - left) or 1.0
    left, spread = left - 0.06 * spread, 1.12 * spread
    names, plot, line = 170, 400, 24

    def at(value: float) -> float:
        return names + plot * (value - left) / spread

    def drawn(index: int, name: str, value: float, low: float, high: float) -> str:
        middle, said = line * index + 12, f"{value:+.2f}" if reference == 0 else f"{value:.2f}"
        return (
            f'<text x="{names - 8}" y="{middle + 5}" text-anchor="end">{escape(name)}</text>'
            f'<line class="whisker" x1="{at(low):.1f}" x2="{at(high):.1f}" y1="{middle}" y2="{middle}"/>'
            f'<circle cx="{at(value):.1f}" cy="{middle}" r="4">'
            f"<title>{value:.3f} ({low:.3f} to {high:.3f})</title></circle>"
            f'<text x="{names + plot + 8}" y="{middle + 5}">{said}{escape(unit)}</text>'
        )

    lines = "".join(drawn(index, *row) for index, row in enumerate(rows))
    height = line * len(rows) + 6
    middle = f'<line class="middle" x1="{at(reference):.1f}" x2="{at(reference):.1f}" y1="0" y2="{height}"/>'
    return f'<svg class="wide" viewBox="0 0 {names + plot + 90} {height}" role="img">{middle}{lines}</svg>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; the first column names the row."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(
        "<tr><th>" + escape(name) + "</th>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
        for name, *cells in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def figure(value: float, sign: str = "") -> str:
    """A number in print, with `sign` ``+`` for differences; never a negative nothing."""
    return f"{value:{sign}.2f}" if round(value, 2) else "0.00"


def heat(value: float, low: float, high: float) -> str:
    """A background between red (low) and green (high)."""
    share = 0.5 if high <= low else (value - low) / (high - low)
    return f"background: hsl({120 * max(0.0, min(1.0, share)):.0f} 60% 85%)"


_STYLE = """
:root { color-scheme: light; font: 15px/1.5 system-ui, sans-serif; color: #222; }
body { max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 2.5rem; } .facts { color: #666; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); gap: 1rem 2rem; }
figure { margin: 0; } figcaption { font-weight: 600; }
svg { width: 100%; height: auto; font-size: 13px; } svg.wide { max-width: 46rem; }
.bars rect { fill: #3b7a8c; } circle { fill: #3b7a8c; } .whisker { stroke: #3b7a8c; stroke-width: 2; }
.middle { stroke: #b33; stroke-dasharray: 4 3; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #ddd; }
td { white-space: nowrap; } th:first-child { text-align: left; font-weight: 500; }
thead th { border-bottom: 2px solid #999; }
.scroll { overflow-x: auto; }
"""


def page(title: str, facts: str, body: str) -> str:
    """A whole page that needs nothing else."""
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style>"
        f'<h1>{escape(title)}</h1><p class="facts">{escape(facts)}</p>{body}</html>\n'
    )
