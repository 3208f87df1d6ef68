"""Pages with small charts: histograms, intervals, shaded tables. No scripts, no files beside the page.

All text is the page's own, so that it can be read on a phone and by a screen reader; pictures hold lines and bars
alone, and every one says in words what it shows. Colours tell what is certain; they follow light, dark and print.
"""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.simulation.figures import figure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_TICKS = 6
"""About so many marks on an axis."""
_STRONG = 3
"""A shade has so many steps."""


class Point(Struct, frozen=True):
    """A value with its interval, as a line of a chart."""

    label: str
    value: float
    interval: tuple[float, float]
    certain: bool = True
    """Is it certainly something other than the reference; if not, the point is hollow."""

    def times(self, factor: float) -> Point:
        """The point in another unit."""
        ends = factor * self.interval[0], factor * self.interval[1]
        return Point(self.label, factor * self.value, ends, self.certain)


class Span(Struct, frozen=True):
    """What an axis reaches over."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """Where a value is, in percent of the width."""
        return 100 * (value - self.low) / ((self.high - self.low) or 1)

    def ticks(self) -> list[float]:
        """Round values to mark."""
        step = _step((self.high - self.low) / _TICKS)
        first = ceil(self.low / step)
        return [number * step for number in range(first, floor(self.high / step) + 1)]


def _step(width: float) -> float:
    """The next round number above: 1, 2 or 5 with zeros."""
    if width <= 0:
        return 1.0
    unit: float = 10.0 ** floor(log10(width))
    return next(factor * unit for factor in (1, 2, 5, 10) if factor * unit >= width)


def columns(counts: Mapping[int, int], label: str, span: Span | None = None, most: float = 0) -> str:
    """A histogram: how often there was which number.

    Pictures that are to be compared are given the same axes: their `span`, and `most`, the largest part of a whole.
    """
    if not counts:
        return ""
    every = sum(counts.values())
    low, high = (round(span.low), round(span.high)) if span else (min(counts), max(counts))
    most = most or max(counts.values()) / every
    width, bins = 100 / (high - low + 1), Span(low - 0.5, high + 0.5)
    bars = "".join(
        f'<rect x="{(value - low) * width:.2f}%" y="{100 - 100 * own / every / most:.2f}%" '
        f'width="{0.92 * width:.2f}%" height="{100 * own / every / most:.2f}%">'
        f"<title>{value}: {own:,} ({own / every:.1%})</title></rect>"
        for value, own in sorted(counts.items())
    )
    marks = [value for value in bins.ticks() if value == round(value)]
    said = f"{label}: {_in_words(counts)}. The highest column of all is {100 * most:.1f} %."
    return (
        f'<div class="columns"><span class="top">{100 * most:.1f} %</span>'
        f'<svg role="img" aria-label="{escape(said)}">{bars}</svg>{_axis(bins, marks, "{:.0f}".format)}</div>'
    )


def _in_words(counts: Mapping[int, int]) -> str:
    """How totals are spread, in words, for people who do not see the chart."""
    if len(counts) == 1:
        return f"always {next(iter(counts))}"
    low, high = _quantile(counts, 0.25), _quantile(counts, 0.75)
    return f"{min(counts)} to {max(counts)}, half of them between {low} and {high}"


def _quantile(counts: Mapping[int, int], share: float) -> int:
    left = share * sum(counts.values())
    for value, own in sorted(counts.items()):
        left -= own
        if left <= 0:
            return value
    return max(counts)


def intervals(points: Sequence[Point], reference: float, *, title: str, unit: str = "", sign: str = "") -> str:
    """Points with intervals, one line each, an axis, and a line at the reference: where nothing would differ."""
    if not points:
        return ""
    left = min([reference, *(own.interval[0] for own in points)])
    right = max([reference, *(own.interval[1] for own in points)])
    room = 0.06 * ((right - left) or 1.0)
    span = Span(left - room, right + room)
    grid = "".join(_line("tick", span.at(value)) for value in span.ticks()) + _line("middle", span.at(reference))
    rows = "".join(_row(own, span, grid, unit, sign) for own in points)
    places = max(0, -floor(log10(_step((span.high - span.low) / _TICKS))))

    def shown(value: float) -> str:
        text = f"{value:{sign}.{places}f}"
        return f"{text if float(text) else '0'}{unit}"

    about = f"{title}. The dashed line is at {reference:.4g}{unit}."
    return (
        f'<figure class="plot" aria-label="{escape(about)}">{rows}'
        f'<div class="row"><span></span>{_axis(span, span.ticks(), shown)}<span></span></div></figure>'
    )


def _row(own: Point, span: Span, grid: str, unit: str, sign: str) -> str:
    value, low, high = (figure(part, sign) for part in (own.value, *own.interval))
    said = f"{own.label}: {value}{unit}, interval {low} to {high}{unit}"
    state = "" if own.certain else ' class="unsure"'
    left, right = map(span.at, own.interval)
    return (
        f'<div class="row"><span class="name">{escape(own.label)}</span>'
        f'<svg role="img" aria-label="{escape(said)}"><title>{escape(said)}</title>{grid}'
        f'<line class="whisker" x1="{left:.2f}%" x2="{right:.2f}%" y1="50%" y2="50%"/>'
        f'<circle{state} cx="{span.at(own.value):.2f}%" cy="50%" r="4.5"/></svg>'
        f'<span class="value">{value}{escape(unit)}</span></div>'
    )


def _line(kind: str, x: float) -> str:
    return f'<line class="{kind}" x1="{x:.2f}%" x2="{x:.2f}%" y1="0" y2="100%"/>'


def _axis(span: Span, marks: Sequence[float], shown: Callable[[float], str]) -> str:
    """Round values below a chart, where they belong. What they say, every picture says itself."""
    told = "".join(f'<i style="left:{span.at(value):.2f}%">{escape(shown(value))}</i>' for value in marks)
    return f'<div class="axis" aria-hidden="true">{told}</div>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; the first column names the row."""
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
        for name, *cells in rows
    )
    return f'<div class="scroll"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


class Cell(Struct, frozen=True):
    """A cell of a shaded table."""

    text: str
    shade: str = ""
    """A class of the style sheet (see `tinted` and `graded`)."""
    about: str = ""


def shaded(head: Sequence[str], rows: Sequence[tuple[str, Sequence[Cell]]]) -> str:
    """A table whose cells are shaded."""
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join(f'<tr><th scope="row">{escape(name)}</th>{"".join(map(_cell, cells))}</tr>' for name, cells in rows)
    return f'<div class="scroll"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def _cell(own: Cell) -> str:
    shade = f' class="{own.shade}"' if own.shade else ""
    about = f' title="{escape(own.about)}"' if own.about else ""
    return f"<td{shade}{about}>{escape(own.text)}</td>"


def tinted(value: float, interval: tuple[float, float], reference: float, reach: float) -> str:
    """The shade of what is certainly more or less than a reference, by how much; nothing for what may be chance.

    The interval must hold for all cells of the table together. `reach` is the difference that gets the full colour.
    """
    low, high = interval
    if low <= reference <= high:
        return ""
    step = min(_STRONG, 1 + floor(_STRONG * abs(value - reference) / (reach or 1.0)))
    return f"{'more' if value > reference else 'less'}{step}"


def graded(value: float, low: float, high: float) -> str:
    """The shade of a number between the lowest and the highest of its table: one colour, from faint to full."""
    share = 0.0 if high <= low else (value - low) / (high - low)
    return f"more{ceil(_STRONG * max(0.0, min(1.0, share)))}" if share > 0 else ""


_STYLE = """
:root { color-scheme: light dark; --text: #1d2327; --soft: #5b656b; --line: #c9d0d4; --grid: #e4e8ea; --back: #fff;
  --ink: #1f6f8b; --mark: #8a5a00; --more: 31 111 139; --less: 190 105 0; font: 16px/1.5 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --text: #e6eaec; --soft: #a7b0b5; --line: #4a5358; --grid: #2b3236;
  --back: #14181a; --ink: #6bc1dd; --mark: #e0b15c; --more: 70 160 190; --less: 200 125 30; } }
body { max-width: 64rem; margin: 2rem auto; padding: 0 1rem; color: var(--text); background: var(--back); }
h1 { margin-bottom: 0; line-height: 1.2; } h2 { margin-top: 2.5rem; } .facts { color: var(--soft); }
.found { font-size: 1.2rem; margin: 1.2rem 0 .4rem; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: 1rem 2rem; }
figure { margin: 0; } figcaption { font-weight: 600; }
.columns { padding-top: 1.3rem; position: relative; }
.columns svg { width: 100%; height: 8rem; display: block; border-bottom: 1px solid var(--line); }
.columns rect { fill: var(--ink); } .columns .top { position: absolute; top: 0; left: 0; }
.axis { position: relative; height: 1.4rem; } .axis i { position: absolute; transform: translateX(-50%); }
.axis i, .top, .plot .value { font-style: normal; font-size: .85rem; color: var(--soft); white-space: nowrap; }
.plot { max-width: 46rem; margin: .5rem 0 1.5rem; }
.row { display: grid; grid-template-columns: minmax(5rem, 30%) 1fr 5rem; gap: .6rem; align-items: center; }
.row svg { width: 100%; height: 1.7rem; overflow: visible; display: block; }
.name { text-align: right; line-height: 1.15; overflow-wrap: anywhere; } .plot .value { color: var(--text); }
.tick { stroke: var(--grid); } .middle { stroke: var(--mark); stroke-width: 1.5; stroke-dasharray: 4 3; }
.whisker { stroke: var(--ink); stroke-width: 2; } circle { fill: var(--ink); stroke: var(--ink); stroke-width: 2; }
circle.unsure { fill: var(--back); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid var(--line); }
td { white-space: nowrap; } th:first-child { text-align: left; font-weight: 500; }
thead th { border-bottom: 2px solid var(--soft); }
.more1 { background: rgb(var(--more) / .15); } .more2 { background: rgb(var(--more) / .3); }
.more3 { background: rgb(var(--more) / .5); } .less1 { background: rgb(var(--less) / .15); }
.less2 { background: rgb(var(--less) / .3); } .less3 { background: rgb(var(--less) / .5); }
.scroll { overflow-x: auto; }
@media (max-width: 32rem) { .row { grid-template-columns: minmax(4.5rem, 32%) 1fr 4rem; } }
@media print { :root { color-scheme: light; --text: #000; --soft: #444; --line: #999; --grid: #ddd; --back: #fff;
  --ink: #1f6f8b; --mark: #8a5a00; --more: 31 111 139; --less: 190 105 0; font-size: 11pt; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { max-width: none; margin: 0; } .scroll { overflow: visible; }
  h2, h3 { break-after: avoid; } figure, tr, .row { break-inside: avoid; } thead { display: table-header-group; } }
"""


def page(title: str, facts: str, body: str) -> str:
    """A whole page that needs nothing else."""
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style>"
        f'<main><h1>{escape(title)}</h1><p class="facts">{escape(facts)}</p>{body}</main></html>\n'
    )
