"""Sheets of nine cards: their positions, cut marks and texts, as SVG and as one page of HTML."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.render.faces.elements import HEIGHT, INK, WIDTH, said, wrapped_to
from draftengine.render.svg import el, number, page, style_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COLUMNS, ROWS = 3, 3
_OFF, _LONG = 1.5, 4.5
"""The distance of the cut marks from the cards, and their length."""
_SMALL, _GREY = 2.2, "#444444"


class Paper(Struct, frozen=True):
    """A size of paper, in millimetres."""

    name: str
    width: float
    height: float

    @property
    def left(self) -> float:
        return (self.width - COLUMNS * WIDTH) / 2

    @property
    def top(self) -> float:
        return (self.height - ROWS * HEIGHT) / 2


PAPERS = {paper.name.lower(): paper for paper in (Paper("A4", 210.0, 297.0), Paper("Letter", 215.9, 279.4))}


class SheetMargins(Struct, frozen=True):
    """The texts printed around the cards of a sheet."""

    title: str
    how: str
    number: str
    notes: tuple[str, ...]
    """At most two lines about the owners of the game."""


class Sheet(Struct, frozen=True):
    """A sheet: the names of cards, row by row, from left to right. An empty name leaves a gap."""

    cards: tuple[str, ...]
    around: SheetMargins


class Sheets(Struct, frozen=True):
    """Everything that is printed: the sheets, and the drawings to which they refer."""

    title: str
    language: str
    paper: Paper
    definitions: str
    """The patterns to which the cards refer, as markup."""
    cards: dict[str, str]
    """The drawings of the cards by name, in millimetres."""
    called: dict[str, str]
    """The titles of the cards by name, for screen readers."""
    sheets: tuple[Sheet, ...]
    edition_line: str


def places(sheet: Sheet, paper: Paper) -> Iterator[tuple[str, float, float]]:
    """Yield each card of a sheet, with the position of its corner."""
    for index, card in enumerate(sheet.cards):
        if card:
            row, column = divmod(index, COLUMNS)
            yield card, paper.left + column * WIDTH, paper.top + row * HEIGHT


def around(sheet: Sheet, paper: Paper) -> str:
    """Return the cut marks, the ruler and the texts of a sheet."""
    right, bottom = paper.width - paper.left, paper.height - paper.top
    lines = []
    for index in range(COLUMNS + 1):
        x = paper.left + index * WIDTH
        lines += [f"M{x:.2f} {paper.top - _OFF:.2f}v{-_LONG}", f"M{x:.2f} {bottom + _OFF:.2f}v{_LONG}"]
    for row in range(ROWS + 1):
        y = paper.top + row * HEIGHT
        lines += [f"M{paper.left - _OFF:.2f} {y:.2f}h{-_LONG}", f"M{right + _OFF:.2f} {y:.2f}h{_LONG}"]
    marks = el("path", d="".join(lines), fill="none", stroke=INK, stroke_width=0.2)
    frame, column = sheet.around, WIDTH - 3
    left = [paper.left + WIDTH * index + 1.5 for index in range(COLUMNS)]
    high, low = paper.top - 3.0, paper.height - paper.top + 4.6
    texts = [
        said(frame.title, left[0], high, _SMALL + 0.3, column, anchor="start", bold=True, fill=_GREY),
        *_small(frame.how, left[1], high),
        said(frame.number, left[2] + column, high, _SMALL, column, anchor="end", fill=_GREY),
    ]
    # A ruler of 50 mm shows whether the printer has kept the size.
    x = left[0]
    ticks = "".join(f"M{x + 10 * tick:.2f} {low - 1:.2f}v2" for tick in range(6))
    texts.append(el("path", d=f"M{x:.2f} {low:.2f}h50{ticks}", fill="none", stroke=INK, stroke_width=0.25))
    texts.append(said("50 mm", x + 51.5, low + 0.8, _SMALL, 9, anchor="start", bold=True, fill=_GREY))
    for note, x in zip(frame.notes, left[1:], strict=False):
        texts += _small(note, x, low + 0.8)
    return "".join([marks, *texts])


def _small(text: str, x: float, y: float) -> Iterator[str]:
    """Yield a text above or below the cards, on two lines if it is too long for one."""
    lines = wrapped_to(text, _SMALL, WIDTH - 3)
    lines = lines if len(lines) <= 2 else [lines[0], " ".join(lines[1:])]  # noqa: PLR2004 (more do not fit)
    for index, line in enumerate(lines):
        yield said(line, x, y + 2.6 * index - 1.3 * (len(lines) - 1), _SMALL, WIDTH - 3, anchor="start", fill=_GREY)


def laid_out(cards: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the cards divided into sheets."""
    each = COLUMNS * ROWS
    return [tuple(cards[start : start + each]) for start in range(0, len(cards), each)]


def mirrored(cards: tuple[str, ...], back: str) -> tuple[str, ...]:
    """Return the backs for the cards of a sheet that is turned over like a page of a book."""
    backs: list[str] = []
    for start in range(0, len(cards), COLUMNS):
        row = len(cards[start : start + COLUMNS])
        backs += [""] * (COLUMNS - row) + [back] * row
    return tuple(backs)


_SVG = "http://www.w3.org/2000/svg"
_INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"
_SODIPODI = "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
_APART = 10.0
"""The distance between the sheets of a drawing."""


def as_svg(document: Sheets) -> str:
    """Return one drawing with the sheets below each other, as pages for Inkscape."""
    paper = document.paper
    high = len(document.sheets) * (paper.height + _APART) - _APART
    tops = [index * (paper.height + _APART) for index in range(len(document.sheets))]
    pages = [
        f'<inkscape:page x="0" y="{number(top)}" width="{number(paper.width)}" height="{number(paper.height)}"/>'
        for top in tops
    ]
    white = "".join(el("rect", y=top, width=paper.width, height=paper.height, fill="#ffffff") for top in tops)
    body = "".join(
        el("g", _drawn(sheet, paper), transform=f"translate(0 {number(top)})")
        for top, sheet in zip(tops, document.sheets, strict=True)
    )
    return (
        f'<svg xmlns="{_SVG}" xmlns:inkscape="{_INKSCAPE}" xmlns:sodipodi="{_SODIPODI}" '
        f'width="{number(paper.width)}mm" height="{number(high)}mm" viewBox="0 0 {number(paper.width)} {number(high)}">'
        f"<title>{escape(document.title)}</title><desc>{escape(document.edition_line)}</desc>"
        f"<sodipodi:namedview>{''.join(pages)}</sodipodi:namedview>"
        f"{_defined(document)}{white}{body}</svg>\n"
    )


def as_html(document: Sheets) -> str:
    """Return a self-contained page of HTML, which prints one sheet on each page of paper."""
    paper = document.paper
    box = f"0 0 {number(paper.width)} {number(paper.height)}"
    sheets = ""
    for sheet in document.sheets:
        counted = Counter(document.called[card] for card in sheet.cards if card)
        cards = ", ".join(f"{copies} × {name}" for name, copies in counted.items())
        label = f"{sheet.around.number}: {cards}"
        sheets += el("svg", _drawn(sheet, paper), viewBox=box, class_="sheet", role="img", aria_label=label)
    size = f"{number(paper.width)}mm {number(paper.height)}mm"
    style = (
        f"@page{{size:{size};margin:0}}.sheet{{width:{number(paper.width)}mm}}{style_of('draftengine.render.sheets')}"
    )
    hidden = el("svg", _defined(document), width=0, height=0, class_="unseen", aria_hidden="true")
    foot = el("footer", escape(document.edition_line))
    body = f"{hidden}<header><h1>{escape(document.title)}</h1></header><main>{sheets}</main>{foot}"
    return page(document.title, style, body, language=document.language)


def as_pictures(document: Sheets) -> Iterator[tuple[str, str]]:
    """Yield the name of each card with a drawing of this card alone."""
    box = f"0 0 {number(WIDTH)} {number(HEIGHT)}"
    for name, drawn in document.cards.items():
        yield name, f'<svg xmlns="{_SVG}" viewBox="{box}">{document.definitions}{drawn}</svg>'


def _defined(document: Sheets) -> str:
    symbols = "".join(
        el("symbol", drawn, id=f"card-{name}", viewBox=f"0 0 {number(WIDTH)} {number(HEIGHT)}")
        for name, drawn in document.cards.items()
    )
    return document.definitions + el("defs", symbols)


def _drawn(sheet: Sheet, paper: Paper) -> str:
    cards = "".join(
        el("use", href=f"#card-{card}", x=x, y=y, width=WIDTH, height=HEIGHT) for card, x, y in places(sheet, paper)
    )
    return cards + around(sheet, paper)
