"""Small cards: in the list of the box, in a row of an example, on a table in the browser.

This module also draws the picture of an invitation, a fan of small cards. Chats show it for a link to a table.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from draftengine.model.cardset.facts import card_points
from draftengine.model.cardset.pieces import as_played, card_in
from draftengine.render.faces import elements
from draftengine.render.faces.elements import BOLD, BROAD, INK, PAPER, families, hue_of, icon, pattern, pattern_id, rect
from draftengine.render.svg import el, fitted, wrapped
from draftengine.support.text import initials

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.model.cardset.records import CardSet

_MOST_PIPS = 7


class Deck:
    """The cards of a card set as small drawings with family, icon and *pips*: dots for a small amount."""

    def __init__(self, model: CardSet, names: dict[str, str]) -> None:
        self.cards = {card.id: card for card in model.cards}
        self.names = names
        self.family = families(model)
        scored = card_points(model)
        self.points = scored[1] if scored is not None else {}
        # Letters for cards whose picture is the same as that of an earlier card.
        alike: dict[tuple[str, int], list[str]] = {}
        for card in self.cards.values():
            alike.setdefault((icon(card.icon, self.names[card.id], "", 1), self._pips(card.id)), []).append(card.id)
        marks: dict[str, str] = {}
        for first, *others in alike.values():
            labels = [self.names[card] for card in (first, *others)]
            marks |= {card: initials(self.names[card], labels) for card in others}
        self._marks = marks

    def definitions(self) -> str:
        """Return the patterns of small cards. A page needs them once."""
        numbers = {pattern_id(number): number for number in sorted(set(self.family.values()))}
        return el("defs", *(pattern(number, 0.9) for number in numbers.values()))

    def tint(self, card: str) -> str:
        return hue_of(self.family[card_in(card)]).tint

    def deep(self, card: str) -> str:
        return hue_of(self.family[card_in(card)]).deep

    def sign(self, card: str, size: float, x: float = 0, y: float = 0) -> str:
        """Return the icon of a card. A wild card in a form has the icon of the form."""
        shown_name = as_played(card).partition("@")[2] or card
        shown_card = self.cards[card_in(shown_name)]
        return icon(shown_card.icon, self.names[shown_card.id], self.tint(card), size, x=x, y=y)

    def little(self, card: str) -> str:
        """Return a card as wide as a finger: its pattern, its icon, and pips in the corner."""
        family = self.family[card_in(card)]
        parts = [
            rect(0.6, 0.6, 38.8, 50.8, 4, fill=f"url(#{pattern_id(family)})", stroke=INK, stroke_width=1.2),
            el("circle", cx=20, cy=26, r=13.5, fill=PAPER, stroke=INK, stroke_width=1.1),
            self.sign(card, 19, 10.5, 16.5),
            self._corner(card_in(card)),
            self._badge(card, 31.5, 9),
        ]
        return el("svg", *parts, viewBox="0 0 40 52", class_="little", aria_hidden="true", data_family=f"c{family}")

    def _pips(self, card: str) -> int:
        """Return the number of pips: the card's points or the amount that it adds; 0 if that is not small."""
        amounts = [amount for _, amount in self.cards[card].adds]
        amount = self.points.get(card) or (amounts[0] if len(amounts) == 1 else 0)
        return amount if 0 < amount <= _MOST_PIPS else 0

    def _badge(self, card: str, x: float, y: float) -> str:
        """Return a badge that distinguishes a card from others with the same picture; empty if there are none.

        It is a few letters or, for a wild card in a form, the icon of the wild card.
        """
        wild = card_in(card)
        mark = self._marks.get(wild, "")
        if as_played(card).partition("@")[2]:
            inside = self.sign(wild, 9, x - 4.5, y - 4.5)
        elif mark:
            style = {"font_family": elements.SANS, "font_weight": 700, "fill": INK, "text_anchor": "middle"}
            size = fitted(mark, 8.5, 8.5)
            inside = el("text", escape(mark), x=x, y=y + size * 0.36, font_size=size, **style)
        else:
            return ""
        return el("circle", cx=x, cy=y, r=6, fill=PAPER, stroke=INK, stroke_width=1) + inside

    def _corner(self, card: str) -> str:
        amount = self._pips(card)
        if not amount:
            return ""
        high = 4.0 + 4.2 * amount
        back = el(
            "path",
            d=f"M.6 5a4 4 0 0 1 4-4.400h4.400v{high - 3:.1f}a2.500 2.500 0 0 1-2.500 2.500H.6z",
            fill=PAPER,
            stroke=INK,
            stroke_width=1,
        )
        return back + "".join(el("circle", cx=4.8, cy=5.2 + 4.2 * pip, r=1.5, fill=INK) for pip in range(amount))

    def panel(self, card: str) -> str:
        """Return the picture of a card for an area of any shape.

        The pattern fills the area, and the icon is centred. A card in a form has the icon of the form, and a face has
        the icon of its first card.
        """
        shown_card = self.cards.get(card_in(card)) or next(it for it in self.cards.values() if it.face == card)
        family = self.family[shown_card.id]
        face = card == shown_card.face
        if face:
            sign = icon(shown_card.icon, self.names[card], self.tint(shown_card.id), 20, x=10, y=10)
        else:
            sign = self.sign(card, 20, 10, 10)
        medal = el("circle", cx=20, cy=20, r=14.5, fill=PAPER, stroke=INK, stroke_width=1)
        middle = {"width": "100%", "height": "100%", "viewBox": "0 0 40 40"}
        return el(
            "svg",
            el("defs", pattern(family, 0.9)),
            el("rect", width="100%", height="100%", fill=f"url(#{pattern_id(family)})"),
            el("svg", medal, sign, **middle),
            "" if face else el("svg", self._corner(shown_card.id), preserveAspectRatio="xMinYMin meet", **middle),
            xmlns="http://www.w3.org/2000/svg",
            class_="drawn",
            aria_hidden="true",
        )

    def chip(self, card: str) -> str:
        """Return a card for a row of an example: its icon on the tint of the family, with the pips below."""
        amount, badge = self._pips(card_in(card)), self._badge(card, 19, 7)
        step = min(4, 20 / max(1, amount - 1))
        parts = [
            rect(0.7, 0.7, 24.6, 30.6, 3, fill=self.tint(card), fill_opacity=0.55, stroke=INK, stroke_width=1.3),
            self.sign(card, 17, 4.5, 5 if amount else 11 if badge else 7),
            *(el("circle", cx=13 + step * (pip - (amount - 1) / 2), cy=27.5, r=1.4, fill=INK) for pip in range(amount)),
            badge,
        ]
        return el("svg", *parts, viewBox="0 0 26 32", class_="chip", aria_hidden="true")


WIDTH, HEIGHT = 1200, 630
_LEFT, _ROOM = 72, 590 / BROAD / BOLD
"""The left edge and the width of the words. The width leaves room for fallback fonts."""
_SIZES, _TEXT, _MOST_LINES = (62.0, 52.0, 44.0), 31, 4
"""The font sizes of the title (the largest that fits is used), and of the text; the most lines."""
_CARD = (165, 214)
_TURN, _STEP = 9, 100
"""Between neighbouring cards of the fan: the angle in degrees, and the distance in pixels."""
_BACK, _BACK_LINE, _GROUND, _CAPTION = "#2f4a57", "#3c5b6a", "#ece5d6", "#5c584f"


def invitation(deck: Deck, title: str, text: str, cards: Iterable[str]) -> str:
    """Return the picture as SVG: a title, a text, and a fan of cards; the last card is face down."""
    size = next((size for size in _SIZES if len(wrapped(title, size, _ROOM)) <= _MOST_LINES), _SIZES[-1])
    lines = wrapped(title, size, _ROOM)[:_MOST_LINES]
    size = min(fitted(line, size, _ROOM) for line in lines)
    top = HEIGHT / 2 - (len(lines) - 1) * size * 0.6
    below = top + (len(lines) - 1) * size * 1.15 + 2 * _TEXT
    words = [
        *_lines(["draftengine"], top - size * 1.3, _TEXT, INK, 700),
        *_lines(lines, top, size, INK, 700),
        *_lines(wrapped(text, _TEXT, _ROOM), below, _TEXT, _CAPTION, 400),
    ]
    wide, high = _CARD
    shape = {"width": wide - 4, "height": high - 4, "x": 2, "y": 2, "rx": 18}
    stripes = (
        el("path", d=f"M{x} {high}l{high} {-high}", stroke=_BACK_LINE, stroke_width=9) for x in range(-high, wide, 26)
    )
    clip = el("clipPath", el("rect", **shape), id="back")
    inside = el("g", el("rect", width=wide, height=high, fill=_BACK), *stripes, clip_path="url(#back)")
    back = clip + inside + el("rect", **shape, fill="none", stroke=PAPER, stroke_width=3)
    placed = []
    for place, card in enumerate(fan := [*map(deck.little, cards), back]):
        from_middle = place - (len(fan) - 1) / 2
        x, y = 930 + from_middle * _STEP, HEIGHT / 2 + abs(from_middle) * 12
        turn = f"translate({x} {y}) rotate({from_middle * _TURN}) translate({-wide / 2} {-high / 2})"
        placed.append(el("g", el("svg", card, width=wide, height=high), transform=turn))
    ground = el("rect", width=WIDTH, height=HEIGHT, fill=_GROUND)

    sheet = {"width": WIDTH, "height": HEIGHT, "viewBox": f"0 0 {WIDTH} {HEIGHT}"}
    return el("svg", deck.definitions(), ground, *words, *placed, xmlns="http://www.w3.org/2000/svg", **sheet)


def _lines(lines: Iterable[str], y: float, size: float, colour: str, weight: int) -> Iterable[str]:
    style = {"font_family": elements.SANS, "font_size": size, "font_weight": weight, "fill": colour}
    for number, line in enumerate(lines):
        yield el("text", escape(line), x=_LEFT, y=y + number * size * 1.15, **style)
