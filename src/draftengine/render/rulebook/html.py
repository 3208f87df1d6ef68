"""A rulebook as one page of HTML: two columns of A5 on landscape A4 paper, one column on a phone."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from draftengine.render.rulebook.contents import Box, Paragraph, Picture, Rule, Steps, Table
from draftengine.render.rulebook.picture import TIP
from draftengine.render.svg import el, page, style_of
from draftengine.support.locale.catalogue import list_in

if TYPE_CHECKING:
    from draftengine.render.faces.small import Deck
    from draftengine.render.rulebook.contents import Block, Book

_ROW = re.compile("⟦([^⟧]*)⟧")
_NO_SIGN = el("svg", width=18, height=18, aria_hidden="true")
"""A placeholder in place of a missing icon, so that names stay aligned."""
_BOLD = re.compile(r"\*\*([^*]+)\*\*")


def as_html(book: Book, deck: Deck) -> str:
    """Return the rulebook as a page of HTML."""
    drawn = _Page(book, deck)
    return page(book.title, style_of("draftengine.render.rulebook"), drawn.body(), language=book.language)


class _Page:
    def __init__(self, book: Book, deck: Deck) -> None:
        self.book, self.deck = book, deck

    def body(self) -> str:
        definitions = el(
            "svg", self.deck.definitions(), el("defs", TIP), width=0, height=0, class_="unseen", aria_hidden="true"
        )
        parts = "".join(
            el("section", el("h2", escape(part.title)), *map(self._block, part.blocks)) for part in self.book.parts
        )
        foot = el("footer", escape(self.book.edition_line))
        kind = "book short" if self.book.short else "book"
        seal = el("span", self.deck.sign(self.book.sign, 64), class_="seal")
        about = el("p", escape(self.book.about)) if self.book.about else ""
        mast = el("div", el("div", el("h1", escape(self.book.title)), about), seal, class_="mast")
        facts = el("ul", *(el("li", marked(fact)) for fact in self.book.facts), class_="facts")
        cover = el("header", mast, facts)
        return f'{definitions}<main class="{kind}">{cover}{parts}{foot}</main>'

    def _block(self, block: Block) -> str:
        match block:
            case Paragraph():
                lead = el("b", escape(block.lead)) + " " if block.lead else ""
                return el("p", lead, marked(block.text))
            case Steps():
                steps = []
                for before, listed, behind in map(list_in, block.items):
                    ways = el("ul", *(el("li", marked(item)) for item in listed)) if listed else ""
                    steps.append(el("li", marked(before), ways, marked(behind)))
                return el("ol", *steps)
            case Picture():
                return el("div", block.svg, class_="scroll", tabindex=0)
            case Box():
                cards = []
                for card in block.cards:
                    note = el("small", escape(card.text)) if card.text else ""
                    name, copies = el("b", escape(card.label)), el("small", f"× {card.copies}")
                    cards.append(el("li", self.deck.little(card.card), name, copies, note))
                return el("ul", *cards, class_="box")
            case Table():
                heads = (el("th", escape(cell), scope="col") if cell else el("td") for cell in block.head)
                head = el("thead", el("tr", *heads)) if any(block.head) else ""
                rows = []
                for index, (name, *cells) in enumerate(block.rows):
                    icon = block.icons[index] if index < len(block.icons) else ""
                    sign = self.deck.sign(icon, 18) if icon else _NO_SIGN if block.icons else ""
                    data = (el("td", escape(cell)) for cell in cells)
                    rows.append(el("tr", el("th", sign, escape(name), scope="row"), *data))
                title = el("caption", escape(block.title)) if block.title else ""
                kind = "quick" if block.icons else "texts" if block.texts else "numbers"
                return el("table", title, head, el("tbody", *rows), class_=kind)
            case Rule():
                return self._rule(block)

    def _rule(self, rule: Rule) -> str:
        signs = "".join(self.deck.sign(card, 26) for card in rule.cards)
        lead = el("em", escape(rule.lead)) + " " if rule.lead else ""
        title = el("h3", el("span", signs, class_="signs"), escape(rule.title))
        text = el("p", lead, marked(rule.text))
        if rule.boxed:
            tint, deep = "#eee", "#444"
            if rule.cards:
                tint, deep = self.deck.tint(rule.cards[0]), self.deck.deep(rule.cards[0])
            return el("article", title, text, class_="boxed", style=f"--t:{tint};--d:{deep}")
        rows = []
        for example in rule.examples:
            chips = "".join(self.deck.chip(card) for card in example.cards)
            picture = el("i", escape(example.words))
            if chips:
                picture = el("span", chips, role="img", aria_label=example.words, class_="chips")
            how = el("td", escape(example.text), class_="how")
            points = el("td", escape(example.points), class_="points")
            rows.append(el("tr", el("th", escape(example.who), scope="row"), el("td", picture), how, points))
        examples = el("table", el("tbody", *rows), class_="examples") if rows else ""
        return el("article", title, el("div", text, examples), class_="rule")


def marked(text: str) -> str:
    """Return a sentence as HTML, including its bold words and its rows of boxes."""

    def boxes(row: re.Match[str]) -> str:
        cells = [cell.partition(" → ") for cell in row[1].split("‖")]
        return el("span", *(el("span", el("i", head), " ", value) for head, _, value in cells), class_="cells")

    return _ROW.sub(boxes, _BOLD.sub(lambda match: el("b", match[1]), escape(text)))
