"""HTML pages for reports: conclusions first, then figures. A page needs no scripts and no other files.

A figure of rows is a table. Its first column names the row, the last has the value and its interval, and the column
between shows them as a drawing. So a screen reader can read the table, and on a phone each row takes two lines. Other
figures have a text that says what they show. Colours and shapes mark what is certain; the colours adapt to light, dark
and print.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from contextvars import ContextVar
from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from draftengine.render import svg as drawing
from draftengine.render.svg import el
from draftengine.support.locale import spoken
from draftengine.support.locale.catalogue import in_print
from draftengine.support.locale.phrases import in_language, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from draftengine.studies.report import Conclusion
    from draftengine.support.locale.phrases import Text, Value

_LANGUAGE = ContextVar("_LANGUAGE", default="en")
"""The language of the page that is being written."""


@contextmanager
def written_in(language: str) -> Iterator[None]:
    """Write pages in a language until the ``with`` block ends."""
    before = _LANGUAGE.set(language)
    try:
        yield
    finally:
        _LANGUAGE.reset(before)


def say(key: str, /, **given: Value) -> str:
    """Return a message of reports in the language of the page."""
    return worded(said(f"report.{key}", **given))


def language_of_page() -> str:
    """Return the language of the page that is being made."""
    return _LANGUAGE.get()


def worded(text: Text) -> str:
    """Return a text in the language of the page."""
    return in_language(text, spoken(language_of_page()))


def in_figures(number: str) -> str:
    """Return a number with the decimal and thousands signs of the language of the page."""
    return spoken(language_of_page()).decimal(number)


_TICKS = 6
"""The approximate number of marks on an axis."""
_STRONG = 3
"""The number of shades, from light to full colour, that a table cell can have."""
_SERIES = 8
"""The number of colours for the parts of a bar. Further parts repeat the colours, but are hatched."""

State = Literal["up", "down", "none"]
"""Relation of a value to a reference: certainly more (``up``), certainly less (``down``), or neither."""


class Point(Struct, frozen=True):
    """A row of a figure: a value with its interval."""

    label: str
    value: float
    interval: tuple[float, float] | None = None
    state: State = "none"
    shown: str = ""
    """The text of the value; if empty, the axis formats the value."""
    small: str = ""
    """A small text next to the value; if empty, the interval is shown."""
    before: float | None = None
    """An earlier value, drawn as a ring with a line to the present value."""

    def times(self, factor: float) -> Point:
        """Return the point with its value, interval and earlier value multiplied by `factor`."""
        ends = None if self.interval is None else (factor * self.interval[0], factor * self.interval[1])
        before = None if self.before is None else factor * self.before
        return Point(self.label, factor * self.value, ends, self.state, self.shown, self.small, before)


def state_of(interval: tuple[float, float], reference: float) -> State:
    """Return the state of an interval: entirely above a reference, entirely below it, or neither."""
    low, high = interval
    return "up" if low > reference else "down" if high < reference else "none"


class Span(Struct, frozen=True):
    """The range of an axis."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """Return the position of a value, in percent of the width."""
        return 100 * (value - self.low) / ((self.high - self.low) or 1)

    def ticks(self) -> list[float]:
        """Return the round values to mark on the axis."""
        step = _step((self.high - self.low) / _TICKS)
        first = ceil(self.low / step)
        return [number * step for number in range(first, floor(self.high / step) + 1)]

    def places(self) -> int:
        """Return the number of decimals that the marks need."""
        return max(0, -floor(log10(_step((self.high - self.low) / _TICKS))))


def _step(width: float) -> float:
    """Return the next larger round number: 1, 2 or 5 times a power of ten."""
    if width <= 0:
        return 1.0
    unit: float = 10.0 ** floor(log10(width))
    return next(factor * unit for factor in (1, 2, 5, 10) if factor * unit >= width)


class Axis(Struct, frozen=True):
    """The axis of a figure, on which all of its rows are drawn, and the number format of its values."""

    title: str
    """The quantity and its unit."""
    reference: float | None = 0.0
    """The value that means no difference, drawn as a line; ``None`` if there is none."""
    unit: str = ""
    sign: str = ""
    """The sign in the number format: ``+`` for differences."""
    places: int = 2
    """The number of decimals in the values next to the rows."""
    bars: bool = False
    """True if values are drawn as bars from the reference."""

    def shown(self, value: float, places: int | None = None) -> str:
        """Format a value with its unit, without a sign if it rounds to zero."""
        digits = self.places if places is None else places
        text = f"{value:{self.sign}.{digits}f}"
        return in_figures(in_print(f"{text if float(text) else f'{0:.{digits}f}'}{self.unit}"))


# ── Figures of rows ───────────────────────────────────────────────────────────────────────────────────────────────────


def rows(points: Sequence[Point], axis: Axis, head: tuple[str, str]) -> str:
    """Draw points with their intervals on one axis, one in each row.

    `head` names the first and the last column. Returns an empty text if there are no points.
    """
    if not points:
        return ""
    reach = [] if axis.reference is None else [axis.reference]
    for point in points:
        reach += [point.value, *(point.interval or ()), *([] if point.before is None else [point.before])]
    room = 0.05 * ((max(reach) - min(reach)) or 1.0)
    span = Span(min(reach) - (0 if axis.bars and min(reach) == axis.reference else room), max(reach) + room)
    grid = "".join(f'<i class="g" style="left:{span.at(value):.2f}%"></i>' for value in span.ticks())
    if axis.reference is not None:
        grid += f'<i class="g z" style="left:{span.at(axis.reference):.2f}%"></i>'
    lines: list[str] = []
    for point in points:
        small = point.small
        if not small and point.interval is not None:
            low, high = (axis.shown(end).removesuffix(axis.unit) for end in point.interval)
            small = say("interval", low=low, high=high)
        value = (
            f"<b>{escape(in_figures(point.shown) or axis.shown(point.value))}</b>"
            f"{f' <small>{escape(in_figures(small) if point.small else small)}</small>' if small else ''}"
        )
        dot, parts = span.at(point.value), []
        if axis.bars and axis.reference is not None:
            zero = span.at(axis.reference)
            parts.append(f'<b class="bar" style="left:{min(zero, dot):.2f}%;width:{abs(dot - zero):.2f}%"></b>')
        if point.before is not None:
            was = span.at(point.before)
            parts.append(f'<b class="ln" style="left:{min(was, dot):.2f}%;width:{abs(dot - was):.2f}%"></b>')
            parts.append(f'<b class="da" style="left:{was:.2f}%"></b>')
        if point.interval is not None and point.before is None:
            left, right = map(span.at, point.interval)
            parts.append(f'<b class="ci" style="left:{left:.2f}%;width:{right - left:.2f}%"></b>')
        marks = "".join([*parts, f'<b class="dot" style="left:{dot:.2f}%"></b>'])
        drawn = el("div", grid, marks, class_="tr", aria_hidden="true")
        lines.append(_line(point.label, drawn, value, point.state))
    return _plot("", _head(head, axis, span), lines)


def _plot(kind: str, head: str, body: Iterable[str]) -> str:
    """Return a table of a figure: the headings, and rows that each contain a drawing.

    Roles are explicit, because on phones the style turns the table into blocks, and browsers then drop its roles.
    """
    parts = el("thead", head, role="rowgroup"), el("tbody", *body, role="rowgroup")
    return el("table", *parts, role="table", class_=f"plot{kind}")


def _line(name: str, drawn: str, value: str, state: str | None = None) -> str:
    """Return a table row of a name, a drawing and a value."""
    return el(
        "tr",
        el("th", escape(name), role="rowheader", scope="row"),
        el("td", drawn, role="cell", class_="t"),
        el("td", value, role="cell", class_="v"),
        role="row",
        class_=state,
    )


def _top(names: tuple[str, str], axis: str, title: str) -> str:
    """Return the row of headings, with the axis in the middle."""
    column = {"role": "columnheader", "scope": "col"}
    return el(
        "tr",
        el("th", escape(names[0]), **column),
        el("th", axis, el("span", escape(title), class_="at"), **column, class_="t"),
        el("th", escape(names[1]), **column, class_="v"),
        role="row",
    )


def _head(head: tuple[str, str], axis: Axis, span: Span) -> str:
    marks = "".join(
        f'<span style="left:{span.at(value):.2f}%">{escape(axis.shown(value, span.places()))}</span>'
        for value in span.ticks()
    )
    return _top(head, el("div", marks, class_="ax", aria_hidden="true"), axis.title)


class Bar(Struct, frozen=True):
    """A bar with several parts. Negative parts are left of zero."""

    label: str
    parts: tuple[float, ...]


def stacked(bars: Sequence[Bar], series: Sequence[str], axis: Axis, head: tuple[str, str]) -> str:
    """Draw bars of several parts on one axis, with a legend of the parts."""
    reach = [sum(part for part in bar.parts if sign * part > 0) for bar in bars for sign in (1, -1)]
    span = Span(min(0.0, *reach), max(reach) * 1.02 or 1.0)
    grid = "".join(f'<i class="g" style="left:{span.at(value):.2f}%"></i>' for value in span.ticks())
    legend = "".join(f'<li><i class="r{_series(index)}"></i>{escape(name)}</li>' for index, name in enumerate(series))
    body = []
    for bar in bars:
        words = ", ".join(f"{name} {axis.shown(part)}" for name, part in zip(series, bar.parts, strict=True))
        right = left = 0.0
        parts = []
        for index, part in enumerate(bar.parts):
            if part >= 0:
                begin, right = right, right + part
            else:
                left += part
                begin = left
            x, wide = span.at(begin), span.at(begin + abs(part)) - span.at(begin)
            text = f"<em>{escape(axis.shown(part))}</em>" if wide >= _WIDE else ""
            kind = f"sb r{_series(index)}{' neg' if part < 0 else ''}"
            parts.append(f'<b class="{kind}" style="left:{x:.2f}%;width:{wide:.2f}%">{text}</b>')
        drawn = el("div", grid, "".join(parts), class_="tr", aria_hidden="true")
        drawn += el("span", escape(words), class_="vh")
        body.append(_line(bar.label, drawn, f"<b>{escape(axis.shown(sum(bar.parts)))}</b>"))
    return el("ul", legend, class_="lg", aria_hidden="true") + _plot(" stack", _head(head, axis, span), body)


def _series(index: int) -> str:
    return f"{index % _SERIES}{' again' if index >= _SERIES else ''}"


_WIDE = 6.0
"""The smallest width of a bar's part in which its value is written, in percent of the axis."""


# ── Columns ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def columns(counts: Mapping[int, int], label: str, span: Span | None = None, most: float = 0) -> str:
    """Draw a histogram from the counts of numbers, with a mark at the median.

    Histograms that are to be compared need the same `span` and the same `most`, the largest share of one number.
    """
    if not counts:
        return ""
    every = sum(counts.values())
    low, high = (round(span.low), round(span.high)) if span else (min(counts), max(counts))
    most = most or max(counts.values()) / every
    width, bins = 100 / (high - low + 1), Span(low - 0.5, high + 0.5)
    bars = "".join(
        f'<rect x="{(value - low) * width:.2f}%" y="{100 - 100 * count / every / most:.2f}%" '
        f'width="{0.92 * width:.2f}%" height="{100 * count / every / most:.2f}%"/>'
        for value, count in sorted(counts.items())
    )
    marks = "".join(
        f'<span style="left:{bins.at(value):.2f}%">{value:.0f}</span>'
        for value in bins.ticks()
        if value == round(value)
    )
    middle = quantile(counts, 0.5)
    words = say("histogram", label=label, spread=spread_in_words(counts), most=in_figures(f"{100 * most:.1f}"))
    return (
        f'<div class="hp"><svg role="img" aria-label="{escape(words)}">{bars}</svg>'
        f'<i class="med" style="left:{bins.at(middle):.2f}%"><em>{middle}</em></i></div>'
        f'<div class="ax" aria-hidden="true">{marks}</div>'
    )


def spread_in_words(counts: Mapping[int, int]) -> str:
    """Describe the spread of numbers in words, for people who do not see the chart."""
    if len(counts) == 1:
        return say("spread.one", number=next(iter(counts)))
    low, high = quantile(counts, 0.25), quantile(counts, 0.75)
    return say("spread", least=min(counts), most=max(counts), low=low, high=high)


def quantile(counts: Mapping[int, int], share: float) -> int:
    """Return the smallest number such that at least `share` of the counts are at or below it."""
    left = share * sum(counts.values())
    for value, count in sorted(counts.items()):
        left -= count
        if left <= 0:
            return value
    return max(counts)


def by_turn(shares: Sequence[tuple[str, Sequence[float], str]], turns: Sequence[int], head: tuple[str, str]) -> str:
    """Draw the shares of each row by turn, with the same scale for all rows."""
    most = max((part for _, parts, _ in shares for part in parts), default=0) or 1.0
    body = []
    for label, parts, value in shares:
        bars = "".join(
            f'<i style="height:{100 * part / most:.1f}%">{f"<em>{100 * part:.0f}</em>" if part >= most / 3 else ""}</i>'
            for part in parts
        )
        words = ", ".join(
            say("turn.share", turn=turn, share=f"{100 * part:.0f}") for turn, part in zip(turns, parts, strict=True)
        )
        drawn = el("div", bars, class_="spark", aria_hidden="true", style=f"--n:{len(turns)}")
        body.append(_line(label, drawn + el("span", words, class_="vh"), f"<b>{escape(in_figures(value))}</b>"))
    marks = "".join(f"<span>{turn}</span>" for turn in turns)
    axis = el("div", marks, class_="cols", aria_hidden="true", style=f"--n:{len(turns)}")
    return _plot(" turns", _top(head, axis, say("turn.axis")), body)


# ── Tables ────────────────────────────────────────────────────────────────────────────────────────────────────────────


class Cell(Struct, frozen=True):
    """A cell of a shaded table."""

    text: str
    shade: str = ""
    """The class of its shade in the style sheet (see `tinted` and `graded`)."""
    about: str = ""
    printed: bool = False
    """True if the numbers in the text are already written as the language of the page requires."""


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table from its head and rows. The first cell of each row is the name of the row."""
    return shaded(head, [(name, [Cell(cell) for cell in cells]) for name, *cells in rows])


def in_notebook(title: str, sentences: Iterable[str], head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a result as a notebook shows it: its title, its sentences and a table."""
    statements = el("ul", *(el("li", escape(sentence)) for sentence in sentences))
    return el("div", el("b", escape(title)), statements, table(head, rows))


def shaded(head: Sequence[str], rows: Sequence[tuple[str, Sequence[Cell]]]) -> str:
    """Return a table of shaded cells; each row is its name and its cells."""
    top = "".join(map(_heading, head))
    body = "".join(
        el(
            "tr",
            el("th", escape(name), scope="row"),
            *(
                el(
                    "td",
                    escape(cell.text if cell.printed else in_figures(cell.text)),
                    class_=cell.shade or None,
                    title=cell.about or None,
                )
                for cell in cells
            ),
        )
        for name, cells in rows
    )
    inner = f'<table class="num"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'
    return el("div", inner, class_="scroll", tabindex=0, role="group", aria_label=say("table"))


def _heading(text: str) -> str:
    """Return a column heading; for an empty text a plain cell, so that nothing is read aloud."""
    return el("th", escape(text), scope="col") if text else el("td")


def tinted(value: float, interval: tuple[float, float], reference: float, reach: float) -> str:
    """Return the shade for a value's difference from a reference; empty if that may be chance.

    The interval must hold for all cells of the table together. `reach` is the difference that gets the full colour.
    """
    low, high = interval
    if low <= reference <= high:
        return ""
    step = min(_STRONG, 1 + floor(_STRONG * abs(value - reference) / (reach or 1.0)))
    return f"{'more' if value > reference else 'less'}{step}"


def graded(value: float, low: float, high: float) -> str:
    """Return the shade of a number: empty for `low`, the full colour for `high`."""
    share = 0.0 if high <= low else (value - low) / (high - low)
    return f"more{ceil(_STRONG * max(0.0, min(1.0, share)))}" if share > 0 else ""


def changes(head: Sequence[str], rows: Sequence[tuple[str, str, str]]) -> str:
    """Return a table of differences: a name, and the text on each side."""
    top = "".join(map(_heading, head))
    body = "".join(
        el("tr", el("th", escape(name), scope="row"), *(el("td", escape(side) or "–") for side in sides))
        for name, *sides in rows
    )
    return el("table", el("thead", el("tr", top)), el("tbody", body), class_="num diff")


_BOLD = re.compile(r"\*([^*]+)\*")

# ── Pages ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

_TAGS = {
    "certain": "M3 8l3.5 3.5L13 4.5",
    "probably": "M3 10c2-5 4-5 5-2s3 3 5-2",
    "measured": "M3.5 8h9",
    "unknown": "M5 5.5c0-4 6-4 6 0 0 2.5-3 2.5-3 5M8 13v.3",
    "care": "M8 3v6.5M8 13v.3",
}
"""The SVG path of the mark for each certainty of a conclusion."""


def listed(title: str, statements: Iterable[Conclusion], figures: str) -> str:
    """Return the section of conclusions, each with its certainty.

    `figures` is the rest of the page. If it contains the figure of a conclusion, the conclusion links to the figure.
    """
    items = []
    for statement in statements:
        text = worded(statement.text)
        text = in_print(worded(said("list.sentence", text=f"{text[:1].upper()}{text[1:]}"))) if text else ""
        more = say("see.games" if statement.figure == "validity" else "see.figure")
        linked = statement.figure and f'id="{statement.figure}"' in figures
        link = f' <a href="#{statement.figure}">{more}</a>' if linked else ""
        drawn = el("svg", el("path", d=_TAGS[statement.sure]), viewBox="0 0 16 16", aria_hidden="true")
        head = worded(said("list.sentence", text=statement.head))
        words = f"<strong>{escape(head)}</strong> <span>{escape(text)}</span>{link}"
        items.append(
            el(
                "li",
                el("span", drawn, say(f"sure.{statement.sure}"), class_="tag"),
                el("div", words),
                class_=f"f {statement.sure}",
            )
        )
    return f'<section><h2>{escape(title)}</h2><ol class="finds">{"".join(items)}</ol></section>'


def framed(name: str, title: str, about: str, drawn: str, *, note: str = "", numbers: str = "") -> str:
    """Return a figure with title and description. `numbers` is a table that readers can unfold.

    Returns an empty text if nothing is drawn.
    """
    if not drawn:
        return ""
    below = f'<p class="note">{escape(note)}</p>' if note else ""
    more = f"<details><summary>{say('numbers')}</summary>{numbers}</details>" if numbers else ""
    return (
        f'<figure id="{name}" aria-labelledby="{name}-t"><figcaption><h3 id="{name}-t">{escape(title)}</h3>'
        f"<p>{escape(about)}</p></figcaption>{drawn}{below}{more}</figure>"
    )


def panels(drawn: Iterable[tuple[str, str]]) -> str:
    """Return small pictures side by side, each with a title. Their axes should be the same."""
    return (
        f'<div class="sm">{"".join(f"<div><h4>{escape(title)}</h4>{picture}</div>" for title, picture in drawn)}</div>'
    )


def part(title: str, *figures: str) -> str:
    """Return a section of a report: a title and figures; an empty text if there are no figures."""
    inner = "".join(figures)
    return f"<h2>{escape(title)}</h2>{inner}" if inner else ""


class Study(Struct, frozen=True):
    """The texts that describe a study at the head and the end of its report."""

    title: str
    rules: str
    """Names of the rules, with variants and hashes."""
    seed: int | str
    again: str
    """Command that repeats the study."""


def validity(title: str, **facts: str) -> str:
    """Return the section with facts about the games of a study, in this order. Empty facts are left out."""
    named = ((say(f"fact.{name}"), text) for name, text in facts.items())
    entries = "".join(f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in named if text)
    return f'<section id="validity"><h2>{escape(title)}</h2><dl class="facts">{entries}</dl></section>'


def page(kind: str, title: str, facts: Sequence[str], body: str) -> str:
    """Return a complete HTML page. Text between asterisks in `facts` becomes bold."""
    meta = "".join(el("li", _BOLD.sub(r"<b>\1</b>", escape(fact))) for fact in facts)
    head = f'<header><p class="kick">{escape(kind)}</p><h1>{escape(title)}</h1><ul class="meta">{meta}</ul></header>'
    style = drawing.style_of("draftengine.studies.simulation")
    return drawing.page(title, style, f"<main>{head}{body}</main>", language=language_of_page())
