"""The picture of an invitation: what a link to a table shows in a chat, 1200 by 630 pixels.

It shows the words that it is given beside some cards of the game and the back of one; it knows no table.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from draftengine.render.faces.elements import BOLD, BROAD, INK, PAPER, SANS
from draftengine.render.svg import el, fitted, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.render.faces.small import Deck

WIDTH, HEIGHT = 1200, 630
_LEFT, _ROOM = 72, 590 / BROAD / BOLD
"""Left edge and width of the words, as wide as fallback fonts need it."""
_SIZES, _TEXT, _MOST_LINES = (62.0, 52.0, 44.0), 31, 4
"""Font sizes of the title, the largest at which it fits, and of the text."""
_CARD = (165, 214)
_TURN, _STEP = 9, 100
"""Degrees and pixels from one card of the fan to the next."""
_BACK, _BACK_LINE, _GROUND, _CAPTION = "#2f4a57", "#3c5b6a", "#ece5d6", "#5c584f"


def invitation(deck: Deck, title: str, text: str, cards: Iterable[str]) -> str:
    """Return the picture as SVG: a title and a text, and a fan of cards that ends in one face down."""
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
    fan = [*map(deck.little, cards), _back()]
    ground = el("rect", width=WIDTH, height=HEIGHT, fill=_GROUND)
    placed = (_turned(card, place - (len(fan) - 1) / 2) for place, card in enumerate(fan))
    sheet = {"width": WIDTH, "height": HEIGHT, "viewBox": f"0 0 {WIDTH} {HEIGHT}"}
    return el("svg", deck.definitions(), ground, *words, *placed, xmlns="http://www.w3.org/2000/svg", **sheet)


def _lines(lines: Iterable[str], y: float, size: float, colour: str, weight: int) -> Iterable[str]:
    style = {"font_family": SANS, "font_size": size, "font_weight": weight, "fill": colour}
    for number, line in enumerate(lines):
        yield el("text", escape(line), x=_LEFT, y=y + number * size * 1.15, **style)


def _back() -> str:
    wide, high = _CARD
    shape = {"width": wide - 4, "height": high - 4, "x": 2, "y": 2, "rx": 18}
    stripes = (
        el("path", d=f"M{x} {high}l{high} {-high}", stroke=_BACK_LINE, stroke_width=9) for x in range(-high, wide, 26)
    )
    clip = el("clipPath", el("rect", **shape), id="back")
    inside = el("g", el("rect", width=wide, height=high, fill=_BACK), *stripes, clip_path="url(#back)")
    return clip + inside + el("rect", **shape, fill="none", stroke=PAPER, stroke_width=3)


def _turned(card: str, place: float) -> str:
    """Return a card at its place in the fan, counted from the middle."""
    wide, high = _CARD
    x, y = 930 + place * _STEP, HEIGHT / 2 + abs(place) * 12
    card = el("svg", card, width=wide, height=high)
    return el("g", card, transform=f"translate({x} {y}) rotate({place * _TURN}) translate({-wide / 2} {-high / 2})")
