"""A card as it is printed: 63 by 88 millimetres, drawn in millimetres.

A border of three millimetres stays white, so that a crooked cut shows no colour. The corner is readable in a fanned
hand. The *strip* shows the rule in signs, and the line below the strip says the rule in words. Colour is never the only
difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.render.faces import elements
from draftengine.render.faces.content import Arrow, Cells, PointsBadge, Sign, Words
from draftengine.render.faces.elements import EDGE, HEIGHT, HIGH, INK, MIDDLE, PAPER, RIM, ROOM, WIDE, rect, said
from draftengine.render.svg import el, width_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from draftengine.model.cardset.records import CardSet
    from draftengine.render.faces.content import Face, Piece, Row

    New = frozenset[Piece | tuple[str, str]]

_SIGN, _BALL, _CELL, _GAP = 6.4, 7.4, 8.4, 0.9
_STEP = _SIGN * 0.96
_WORDS = 15.0
_BAR = 3.45
"""The width of the bar between two rules."""


class Strip:
    """The strip of a card: all of its rules in signs, side by side on as many lines as they need."""

    def __init__(
        self,
        rows: Sequence[Row],
        hue: elements.Hue,
        sign: Callable[[str, float, float, float], str],
        new: New = frozenset(),
    ) -> None:
        self.lines: list[list[Row]] = []
        self.hue, self.sign, self.new = hue, sign, new
        for row in (part for whole in rows for part in _parted(whole)):
            if self.lines and _wide([*self.lines[-1], row]) <= ROOM:
                self.lines[-1].append(row)
            else:
                self.lines.append([row])
        self.more = self.lines[_MOST_LINES:]
        """The lines that are left out, because a strip has room for only a few legible ones."""
        self.lines = self.lines[:_MOST_LINES]
        self.least = _LEGIBLE * _STRIP * len(self.lines)

    def height(self, room: float) -> float:
        """Return the height of all lines. With less room they become lower, as long as they are legible."""
        return min(_STRIP * len(self.lines), _MOST_STRIP, max(self.least, room))

    def drawn(self, top: float, height: float) -> str:
        """Return the drawing of the strip, centred on the card, from `top` down to `top + height`."""
        high, drawn = height / max(1, len(self.lines)), ""
        for at, rows in enumerate(self.lines):
            wide = _wide(rows)
            scale = min(high / _STRIP, ROOM / wide)
            x, parts = 0.0, []
            for index, row in enumerate(rows):
                if index:
                    parts.append(el("rect", x=x + _BAR / 2, y=-3.0, width=0.25, height=6.0, fill=self.hue.base))
                    x += _BAR
                for piece in row:
                    parts.append(self._piece(piece, x))
                    x += _width_of(piece) + _GAP
                x -= _GAP
            to = f"translate({MIDDLE - wide * scale / 2:.3f} {top + high * (at + 0.5):.3f})"
            to = to if scale == 1 else f"{to} scale({scale:.3f})"
            drawn += el("g", *parts, transform=to, class_="strip")
        return drawn

    def _piece(self, piece: Piece, x: float) -> str:
        match piece:
            case Sign():
                places = (x + _STEP * index for index in range(piece.copies))
                return "".join(self.sign(piece.card, _SIGN, place, -_SIGN / 2) for place in places)
            case PointsBadge():
                wide, out, round_ = _width_of(piece), _BALL / 2 + 0.8, _BALL / 2
                ring = rect(x - 0.8, -out, wide + 1.6, 2 * out, out, fill=PAPER, stroke=INK, stroke_width=0.5)
                points = said(piece.text, x + wide / 2, 1.35, 3.8, wide - 1, bold=True, fill=PAPER)
                ball = rect(x, -round_, wide, _BALL, round_, fill=INK)
                return f"{ring if piece in self.new else ''}{ball}{points}"
            case Arrow():
                path = f"M{x + 0.4:.2f} 0h3.2M{x + 2.4:.2f} -1.2l1.2 1.2l-1.2 1.2"
                return el("path", d=path, fill="none", stroke=INK, stroke_width=0.4, stroke_linecap="round")
            case Words():
                lines = elements.wrapped_to(piece.text, elements.LEAST, _WORDS)
                top = 1.0 - 1.55 * (len(lines) - 1)
                drawn = [
                    said(line, x, top + 3.1 * index, elements.LEAST, _WORDS, anchor="start")
                    for index, line in enumerate(lines)
                ]
                return "".join(drawn)
            case Cells():
                return _cells(piece.cells, x, elements.mixed(self.hue.tint, PAPER, 0.75), self.new)


def _parted(row: Row) -> Iterator[Row]:
    """Yield a row; a table wider than a card is yielded in parts that fit."""
    match row:
        case (Cells(cells=cells),) if len(cells) > 1 and _wide([row]) > ROOM:
            fits = next((many for many in range(len(cells) - 1, 1, -1) if _wide([(Cells(cells[:many]),)]) <= ROOM), 1)
            yield (Cells(cells[:fits]),)
            yield from _parted((Cells(cells[fits:]),))
        case _:
            yield row


def _wide(rows: Sequence[Row]) -> float:
    """Return the width of rows next to each other, including the bars between them."""
    pieces = sum(_width_of(piece) for row in rows for piece in row)
    return pieces + _GAP * sum(len(row) - 1 for row in rows) + _BAR * (len(rows) - 1)


def _width_of(piece: Piece) -> float:
    match piece:
        case Sign():
            return _SIGN + _STEP * (piece.copies - 1)
        case PointsBadge():
            return max(_BALL, width_of(piece.text, 3.8) * elements.BROAD + 2.4)
        case Arrow():
            return 4.0
        case Words():
            size = elements.LEAST
            return max(width_of(line, size) for line in elements.wrapped_to(piece.text, size, _WORDS)) * elements.BROAD
        case Cells():
            return _cell(piece.cells) * len(piece.cells)


def _cell(cells: Iterable[tuple[str, str]]) -> float:
    """Return the width that each cell of a table gets."""
    columns = list(cells)
    heads = max(width_of(head, 2.4) for head, _ in columns) * elements.BROAD + 2
    points = max(width_of(value, 3.7) for _, value in columns) * elements.BROAD + 2
    return max(_CELL if len(columns) > 3 else 12.0, heads, points)  # noqa: PLR2004 (a few look better wide)


def _cells(cells: Sequence[tuple[str, str]], x: float, tint: str, new: New) -> str:
    each = _cell(cells)
    wide, top, high, head = each * len(cells), -4.3, 8.6, 3.4
    corners = f"a1.2 1.2 0 0 1 1.2 -1.2h{wide - 2.4:.2f}a1.2 1.2 0 0 1 1.2 1.2"
    headed = f"M{x:.2f} {top + 1.2:.2f}{corners}v{head - 1.2:.2f}h{-wide:.2f}z"
    parts = [
        rect(x, top, wide, high, 1.2, fill=PAPER),
        el("path", d=headed, fill=tint),
        rect(x, top, wide, high, 1.2, fill="none", stroke=INK, stroke_width=0.3),
        el("rect", x=x, y=top + head - 0.12, width=wide, height=0.24, fill=INK),
    ]
    for index, (title, points) in enumerate(cells):
        left = x + each * index
        if index:
            parts.append(el("rect", x=left - 0.12, y=top, width=0.24, height=high, fill=INK))
        parts += [
            said(title, left + each / 2, top + 2.55, 2.4, each - 1),
            said(points, left + each / 2, top + 7.35, 3.7, each - 1, bold=True),
        ]
        if (title, points) in new:
            y, tall = top + head + 0.45, high - head - 0.9
            parts.append(rect(left + 0.5, y, each - 1, tall, 0.8, fill="none", stroke=INK, stroke_width=0.7))
    return "".join(parts)


_PICTURE, _LEAST_PICTURE = 40.0, 16.0
_LEGIBLE = 0.75
"""The smallest scale of a strip: its smallest text is then 5 points high."""
_NAME, _SECOND, _STRIP, _MOST_STRIP, _MOST_LINES = 9.0, 3.4, 12.2, 30.0, 3
_MOST_PIPS = 7


class Printer:
    """Draws the cards of a card set."""

    def __init__(self, model: CardSet, names: dict[str, str], more: str) -> None:
        """Draw the cards of `model`. `more` follows a text that is too long for a card."""
        self.names, self.more = names, more
        self.icons = {card.id: card.icon for card in model.cards}
        self.family = elements.families(model)

    def definitions(self) -> str:
        """Return the patterns of all cards. A page needs them once."""
        return el("defs", *(elements.pattern(family, 0.25) for family in sorted(set(self.family.values()))))

    def card(self, face: Face, foot: elements.CardFooter, new: New = frozenset()) -> str:
        """Return the front of a card. A ring is drawn around badges and table cells that are in `new`."""
        family = self.family[face.card]
        hue = elements.hue_of(family)
        strip = Strip(face.strip, hue, self._sign, new)
        name = elements.fitted_lines(face.name, elements.TITLE, ROOM)
        taken = elements.FOOT + _NAME + _SECOND * (len(name) - 1)
        text = f"{face.line}{self.more if strip.more else ''}"
        room = HIGH - taken - 3.2
        size, lines = elements.text_of(text, room - strip.least - _LEAST_PICTURE, self.more)
        room -= len(lines) * elements.LEADING * size
        high = strip.height(room - _LEAST_PICTURE)
        picture = min(_PICTURE, room - high)
        top = RIM + picture
        low = top + _NAME + _SECOND * (len(name) - 1)
        below = low + high
        areas = [
            rect(RIM, top, WIDE, HIGH - picture - 3, fill=PAPER),
            rect(RIM, HEIGHT - RIM - 9, WIDE, 9, 3, fill=PAPER),
            rect(RIM, top, WIDE, low - top, fill=hue.deep),
            rect(RIM, low, WIDE, below - low, fill=elements.mixed(hue.tint, PAPER, 0.38)) if high else "",
        ]
        radius = min(17.5, picture / 2 - 1.5)
        middle = RIM + picture / 2
        wide = radius * 1.3
        medallion = (
            el("circle", cx=MIDDLE, cy=middle, r=radius, fill=PAPER, stroke=INK, stroke_width=EDGE)
            + el("circle", cx=MIDDLE, cy=middle, r=radius - 1.3, fill="none", stroke=hue.base, stroke_width=0.35)
            + self._sign(face.card, wide, MIDDLE - wide / 2, middle - wide / 2)
        )
        parts = [
            rect(RIM, RIM, WIDE, HIGH, 3, fill=f"url(#{elements.pattern_id(family)})"),
            *areas,
            elements.line(RIM, top, hue.deep),
            elements.line(RIM, below, hue.base) if high else "",
            medallion,
            self._corner(face, picture),
            *elements.named(name, top),
            strip.drawn(low, high) if high else "",
            *elements.block(lines, below + 1.6, size),
            *elements.foot_of(foot),
            rect(RIM, RIM, WIDE, HIGH, 3, fill="none", stroke=INK, stroke_width=EDGE),
        ]
        return "".join(parts)

    def _sign(self, card: str, size: float, x: float, y: float) -> str:
        tint = elements.hue_of(self.family[card]).tint
        return elements.placed(self.icons[card], self.names[card], tint, size, x, y)

    def _corner(self, face: Face, room: float) -> str:
        """Return the corner: the icon, and the amount that the card adds.

        The amount is dots in one column or two. It is a number if it is large, or if the dots need more than `room`.
        """
        amount = face.adds[0][1] if len(face.adds) == 1 else 0
        dots = range(amount if 0 < amount <= _MOST_PIPS else 0)
        high = 10.2 + 3.4 * len(dots)
        spots = [(5.0, 10.4 + 3.4 * dot) for dot in dots]
        if high > room:
            high = 9.6 + 3.0 * ((len(dots) + 1) // 2)
            spots = [(3.4 + 3.2 * (dot % 2), 10.4 + 3.0 * (dot // 2)) for dot in dots]
        if high > room or (amount and not spots):
            high, spots = 15.2, []
        x, y = RIM, RIM
        shape = f"M{x} {y + 3}a3 3 0 0 1 3 -3h7v{high - 2.5:.2f}a2.5 2.5 0 0 1 -2.5 2.5h-7.5z"
        parts = [
            el("path", d=shape, fill=PAPER, stroke=INK, stroke_width=EDGE),
            self._sign(face.card, 7, x + 1.5, y + 1.6),
            *(el("circle", cx=x + right, cy=y + down, r=1.25, fill=INK) for right, down in spots),
        ]
        if amount and not spots:
            parts.append(said(f"{amount:+}".replace("-", "−").lstrip("+"), x + 5, y + 13.2, 3.8, 8, bold=True))
        return "".join(parts)
