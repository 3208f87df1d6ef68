"""Sheets of cards as SVG for drawing programs, and as one page of HTML to print from any browser."""

from __future__ import annotations

from html import escape

from draftengine.render.faces.elements import HEIGHT, WIDTH
from draftengine.render.sheets.layout import Paper, Sheet, Sheets, around, places
from draftengine.render.svg.markup import el, number
from draftengine.render.svg.page import page, style_of

_SVG = "http://www.w3.org/2000/svg"
_INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"
_SODIPODI = "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
_APART = 10.0
"""Distance between the sheets of a drawing."""


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
    sheets = "".join(
        el(
            "svg",
            _drawn(sheet, paper),
            viewBox=f"0 0 {number(paper.width)} {number(paper.height)}",
            class_="sheet",
            role="img",
            aria_label=_said(document, sheet),
        )
        for sheet in document.sheets
    )
    size = f"{number(paper.width)}mm {number(paper.height)}mm"
    style = (
        f"@page{{size:{size};margin:0}}.sheet{{width:{number(paper.width)}mm}}{style_of('draftengine.render.sheets')}"
    )
    hidden = el("svg", _defined(document), width=0, height=0, class_="unseen", aria_hidden="true")
    foot = el("footer", escape(document.edition_line))
    body = f"{hidden}<header><h1>{escape(document.title)}</h1></header><main>{sheets}</main>{foot}"
    return page(document.title, style, body, language=document.language)


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


def _said(document: Sheets, sheet: Sheet) -> str:
    """Return the cards of a sheet in words."""
    counted: dict[str, int] = {}
    for card in sheet.cards:
        if card:
            counted[document.called[card]] = counted.get(document.called[card], 0) + 1
    cards = ", ".join(f"{copies} × {name}" for name, copies in counted.items())
    return f"{sheet.around.number}: {cards}"
