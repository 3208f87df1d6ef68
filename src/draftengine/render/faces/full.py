"""A card as it is printed: 63 by 88 millimetres, drawn in millimetres.

A border of three millimetres stays white, so that a crooked cut shows no colour. The corner is readable in a fanned
hand. The strip gives the rule without words, the line below it in words. Colour is never the only sign.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.render.faces.elements import (
    EDGE,
    FOOT,
    HEIGHT,
    HIGH,
    LEADING,
    LINE,
    MIDDLE,
    RIM,
    ROOM,
    TITLE,
    WIDE,
    block,
    cut,
    fitted_lines,
    foot_of,
    line,
    named,
    rect,
    said,
    wrapped_to,
)  # fmt: skip
from draftengine.render.faces.icon import INK, PAPER, placed
from draftengine.render.faces.rule_strip import Strip
from draftengine.render.faces.styles import families, hue_of, mixed, pattern, pattern_id
from draftengine.render.svg.markup import el

if TYPE_CHECKING:
    from draftengine.model.cardset.records import CardSet
    from draftengine.render.faces.content import Face, Piece
    from draftengine.render.faces.elements import CardFooter

_PICTURE, _LEAST_PICTURE = 40.0, 24.0
_NAME, _SECOND, _STRIP = 9.0, 3.4, 12.2
_MOST_PIPS = 6


class Printer:
    """Drawing of the cards of a card set."""

    def __init__(self, model: CardSet, names: dict[str, str]) -> None:
        self.names = names
        self.icons = {card.id: card.icon for card in model.cards}
        self.family = families(model)

    def definitions(self) -> str:
        """Return the patterns, which a page needs once."""
        return el("defs", *(pattern(family, 0.25) for family in sorted(set(self.family.values()))))

    def card(self, face: Face, foot: CardFooter, new: frozenset[Piece | tuple[str, str]] = frozenset()) -> str:
        """Return the front of a card; badges and table cells in `new` are ringed."""
        family = self.family[face.card]
        hue = hue_of(family)
        strip = Strip(face.strip, hue, self._sign, new)
        name = fitted_lines(face.name, TITLE, ROOM)
        lines = wrapped_to(face.line, LINE, ROOM)
        taken = FOOT + _NAME + _SECOND * (len(name) - 1) + (_STRIP if strip.rows else 0.0)
        picture = min(_PICTURE, max(_LEAST_PICTURE, HIGH - taken - len(lines) * LEADING - 3.2))
        lines = cut(lines, int((HIGH - picture - taken - 2.4) / LEADING))
        top = RIM + picture
        low = top + _NAME + _SECOND * (len(name) - 1)
        below = low + (_STRIP if strip.rows else 0.0)
        areas = [
            rect(RIM, top, WIDE, HIGH - picture - 3, fill=PAPER),
            rect(RIM, HEIGHT - RIM - 9, WIDE, 9, 3, fill=PAPER),
            rect(RIM, top, WIDE, low - top, fill=hue.deep),
            rect(RIM, low, WIDE, below - low, fill=mixed(hue.tint, PAPER, 0.38)) if strip.rows else "",
        ]
        parts = [
            rect(RIM, RIM, WIDE, HIGH, 3, fill=f"url(#{pattern_id(family)})"),
            *areas,
            line(RIM, top, hue.deep),
            line(RIM, below, hue.base) if strip.rows else "",
            self._medallion(face, picture, hue.base),
            self._corner(face),
            *named(name, top),
            strip.drawn((low + below) / 2) if strip.rows else "",
            *block(lines, below + 1.6, LINE),
            *foot_of(foot),
            rect(RIM, RIM, WIDE, HIGH, 3, fill="none", stroke=INK, stroke_width=EDGE),
        ]
        return "".join(parts)

    def _sign(self, card: str, size: float, x: float, y: float) -> str:
        tint = hue_of(self.family[card]).tint
        return placed(self.icons[card], self.names[card], tint, size, x, y)

    def _medallion(self, face: Face, picture: float, base: str) -> str:
        radius = min(17.5, picture / 2 - 1.5)
        middle = RIM + picture / 2
        size = radius * 1.3
        return (
            el("circle", cx=MIDDLE, cy=middle, r=radius, fill=PAPER, stroke=INK, stroke_width=EDGE)
            + el("circle", cx=MIDDLE, cy=middle, r=radius - 1.3, fill="none", stroke=base, stroke_width=0.35)
            + self._sign(face.card, size, MIDDLE - size / 2, middle - size / 2)
        )

    def _corner(self, face: Face) -> str:
        """Return the corner: the icon and the amount that the card adds, as dots or as a number if too large."""
        amount = face.adds[0][1] if len(face.adds) == 1 else 0
        dots = amount if 0 < amount <= _MOST_PIPS else 0
        high = 10.2 + (3.4 * dots if dots else 5.0 if amount else 0.0)
        x, y = RIM, RIM
        shape = f"M{x} {y + 3}a3 3 0 0 1 3 -3h7v{high - 2.5:.2f}a2.5 2.5 0 0 1 -2.5 2.5h-7.5z"
        parts = [
            el("path", d=shape, fill=PAPER, stroke=INK, stroke_width=EDGE),
            self._sign(face.card, 7, x + 1.5, y + 1.6),
            *(el("circle", cx=x + 5, cy=y + 10.4 + 3.4 * dot, r=1.25, fill=INK) for dot in range(dots)),
        ]
        if amount and not dots:
            parts.append(said(f"{amount:+}".replace("-", "−").lstrip("+"), x + 5, y + 13.2, 3.8, 8, bold=True))
        return "".join(parts)
