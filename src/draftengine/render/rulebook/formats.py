"""A rulebook as plain text, as Markdown and as a page of HTML.

The page has two columns of A5 on landscape A4 paper, or one column on a phone.
"""

from __future__ import annotations

import re
from html import escape
from itertools import zip_longest
from typing import TYPE_CHECKING

from draftengine.render.rulebook import Box, Paragraph, Picture, Rule, Steps, Table
from draftengine.render.rulebook.picture import TIP
from draftengine.render.svg import el, page, style_of
from draftengine.support.locale import spoken
from draftengine.support.locale.catalogue import list_in, plain, rows_in_words
from draftengine.support.text import to_left, width_of, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.facts.box import Boxed
    from draftengine.render.faces.small import Deck
    from draftengine.render.rulebook import Block, Book, Example
    from draftengine.support.locale.catalogue import Catalogue


_WIDTH = 80
_NARROWEST = 24
"""The smallest width of the widest column of a table."""


def as_text(book: Book) -> str:
    """Return the rulebook as plain text, 80 columns wide."""
    lines = [book.title, "=" * width_of(book.title), ""]
    lines += [*_set(book.about), ""] if book.about else []
    lines += [" · ".join(map(plain, book.facts))]
    words = spoken(book.language)
    for part in book.parts:
        lines += ["", part.title, "-" * width_of(part.title)]
        for block in part.blocks:
            lines += ["", *_text(block, words)] if not isinstance(block, Picture) else []
    return "\n".join([*lines, "", *_set(book.edition_line)]) + "\n"


def _set(text: str, margin: str = "") -> list[str]:
    return wrapped(plain(text).split(), _WIDTH, margin, margin) if text else []


def _text(block: Block, words: Catalogue) -> Iterator[str]:
    match block:
        case Paragraph():
            yield from _set(_led(block, words))
        case Steps():
            for number, item in enumerate(block.items, start=1):
                before, listed, behind = list_in(item)
                first, *rest = _set(before, "    ")
                yield f"{number:2}. {first.strip()}"
                yield from rest
                for text in listed:
                    first, *rest = _set(text, "      ")
                    yield f"    – {first.strip()}"
                    yield from rest
                yield from _set(behind, "    ")
        case Table():
            if block.title:
                yield block.title
            yield from _columns_of([block.head, *block.rows] if any(block.head) else list(block.rows))
        case Box():
            for card in block.cards:
                first, *rest = _set(_named(card, words), " " * 7)
                yield from (f"{card.copies:4} × {first.strip()}", *rest)
        case Rule():
            yield block.title
            yield from _set(_led(block, words), "    ")
            rows = [_example(example) for example in block.examples]
            yield from (f"      {line}" for line in _columns_of(rows))


def _led(block: Paragraph | Rule, words: Catalogue, mark: str = "") -> str:
    """Return the lead of a block, enclosed in `mark`, followed by the text of the block."""
    return f"{mark}{block.lead}{mark}{words.phrase('space')}{block.text}" if block.lead else block.text


def _named(card: Boxed, words: Catalogue) -> str:
    return words.phrase("lies.with", card=card.label, note=card.text) if card.text else card.label


def _example(example: Example) -> tuple[str, ...]:
    return example.who, example.words, example.text, example.points


def _columns_of(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table with aligned columns, without empty ones.

    If it is too wide, the cells of the widest column are wrapped.
    """
    if not rows:
        return []
    filled = [column for column in zip(*rows, strict=True) if any(column)]
    widths = [max(map(width_of, column)) for column in filled]
    widest = widths.index(max(widths))
    room = _WIDTH - sum(widths) - 2 * (len(widths) - 1) + widths[widest]
    widths[widest] = min(widths[widest], max(room, _NARROWEST))
    lines: list[str] = []
    for row in zip(*filled, strict=True):
        cells = [wrapped(cell.split(), width) for cell, width in zip(row, widths, strict=True)]
        lines += ("  ".join(map(to_left, texts, widths)).rstrip() for texts in zip_longest(*cells, fillvalue=""))
    return lines


def as_markdown(book: Book) -> str:
    """Return the rulebook as Markdown."""
    lines = [f"# {_escaped(book.title)}", ""]
    lines += [_escaped(book.about), ""] if book.about else []
    lines += [" · ".join(map(_sentence, book.facts))]
    words = spoken(book.language)
    for part in book.parts:
        lines += ["", f"## {_escaped(part.title)}"]
        for block in part.blocks:
            lines += ["", *_marked(block, words)]
    return "\n".join([*lines, "", "---", "", _escaped(book.edition_line)]) + "\n"


def _marked(block: Block, words: Catalogue) -> Iterator[str]:
    match block:
        case Paragraph():
            yield _sentence(_led(block, words, "**"))
        case Steps():
            for number, item in enumerate(block.items, start=1):
                before, listed, behind = list_in(item)
                margin = " " * len(f"{number}. ")
                yield f"{number}. {_sentence(before)}"
                yield from (f"{margin}- {_sentence(line)}" for line in listed)
                yield from ("", f"{margin}{_sentence(behind)}") if behind else ()
        case Picture():
            yield f"*{_escaped(block.said)}*"
        case Table():
            if block.title:
                yield from (f"*{_escaped(block.title)}*", "")
            yield from _grid(block.head, block.rows)
        case Box():
            for card in block.cards:
                yield f"- {card.copies} × {_escaped(_named(card, words))}"
        case Rule():
            yield f"### {_escaped(block.title)}"
            yield ""
            lead = f"*{_escaped(block.lead)}*{words.phrase('space')}" if block.lead else ""
            yield f"{lead}{_sentence(block.text)}"
            if block.examples:
                yield ""
                yield from _grid(("", "", "", ""), [_example(example) for example in block.examples])


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(_cell(cell) for cell in head)} |"
    yield f"|{'|'.join([' --- '] + [' ---: '] * (len(head) - 1))}|"
    yield from (f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows)


def _cell(text: str) -> str:
    return _escaped(text).replace("|", "\\|")


def _sentence(text: str) -> str:
    """Return a sentence as Markdown. The marks for bold text are already those of Markdown."""
    return "**".join(_escaped(part) for part in rows_in_words(text).split("**"))


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\`*_<>#[]" else sign for sign in text)


# ── A page of HTML ────────────────────────────────────────────────────────────────────────────────────────────────────


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
        seal = el("span", self.deck.sign(self.book.sign, 64), class_="seal") if self.book.sign else ""
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
