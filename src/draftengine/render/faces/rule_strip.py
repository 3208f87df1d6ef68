"""The strip of a card: its rules without words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.render.faces.content import Arrow, Cells, PointsBadge, Sign, Words
from draftengine.render.faces.elements import BROAD, LEAST, MIDDLE, ROOM, rect, said, wrapped_to
from draftengine.render.faces.icon import INK, PAPER
from draftengine.render.faces.styles import mixed
from draftengine.render.svg.markup import el, width_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from draftengine.render.faces.content import Piece, Row
    from draftengine.render.faces.styles import Hue

    New = frozenset[Piece | tuple[str, str]]

_SIGN, _BALL, _CELL, _GAP = 6.4, 7.4, 8.4, 0.9
_STEP = _SIGN * 0.96
_WORDS = 15.0
_MOST = 5
"""Limit of copies of an icon beside each other."""
_BAR = 3.45
"""Width of the bar between two rules."""


class Strip:
    """The strip of a card: as many of its rules as fit, at least one."""

    def __init__(
        self, rows: Sequence[Row], hue: Hue, sign: Callable[[str, float, float, float], str], new: New = frozenset()
    ) -> None:
        self.rows: list[Row] = []
        self.hue, self.sign, self.new = hue, sign, new
        for row in rows:
            if not self.rows or _wide([*self.rows, row]) <= ROOM:
                self.rows.append(row)

    def drawn(self, middle: float) -> str:
        """Return the strip, centred on the card at height `middle`."""
        wide = _wide(self.rows)
        scale = min(1.0, ROOM / wide)
        x, parts = 0.0, []
        for index, row in enumerate(self.rows):
            if index:
                parts.append(el("rect", x=x + _BAR / 2, y=-3.0, width=0.25, height=6.0, fill=self.hue.base))
                x += _BAR
            for piece in row:
                parts.append(self._piece(piece, x))
                x += _width_of(piece) + _GAP
            x -= _GAP
        to = f"translate({MIDDLE - wide * scale / 2:.3f} {middle:.3f})"
        return el("g", *parts, transform=to if scale == 1 else f"{to} scale({scale:.3f})")

    def _piece(self, piece: Piece, x: float) -> str:
        match piece:
            case Sign():
                places = (x + _STEP * index for index in range(min(piece.copies, _MOST)))
                return "".join(self.sign(piece.card, _SIGN, place, -_SIGN / 2) for place in places)
            case PointsBadge():
                return _ball(piece.text, x, ringed=piece in self.new)
            case Arrow():
                path = f"M{x + 0.4:.2f} 0h3.2M{x + 2.4:.2f} -1.2l1.2 1.2l-1.2 1.2"
                return el("path", d=path, fill="none", stroke=INK, stroke_width=0.4, stroke_linecap="round")
            case Words():
                lines = wrapped_to(piece.text, LEAST, _WORDS)
                top = 1.0 - 1.55 * (len(lines) - 1)
                drawn = [
                    said(line, x, top + 3.1 * index, LEAST, _WORDS, anchor="start") for index, line in enumerate(lines)
                ]
                return "".join(drawn)
            case Cells():
                return _cells(piece.cells, x, mixed(self.hue.tint, PAPER, 0.75), self.new)


def _wide(rows: Sequence[Row]) -> float:
    """Return the width of rows beside each other, including the bars between them."""
    pieces = sum(_width_of(piece) for row in rows for piece in row)
    return pieces + _GAP * sum(len(row) - 1 for row in rows) + _BAR * (len(rows) - 1)


def _width_of(piece: Piece) -> float:
    match piece:
        case Sign():
            return _SIGN + _STEP * (min(piece.copies, _MOST) - 1)
        case PointsBadge():
            return max(_BALL, width_of(piece.text, 3.8) * BROAD + 2.4)
        case Arrow():
            return 4.0
        case Words():
            return max(width_of(line, LEAST) for line in wrapped_to(piece.text, LEAST, _WORDS)) * BROAD
        case Cells():
            return _cell(piece.cells) * len(piece.cells)


def _cell(cells: Iterable[tuple[str, str]]) -> float:
    """Return the width of each cell of a table."""
    columns = list(cells)
    heads = max(width_of(head, 2.4) for head, _ in columns) * BROAD + 2
    points = max(width_of(value, 3.7) for _, value in columns) * BROAD + 2
    return max(_CELL if len(columns) > 3 else 12.0, heads, points)  # noqa: PLR2004 (a few look better wide)


def _cells(cells: Sequence[tuple[str, str]], x: float, tint: str, new: New) -> str:
    each = _cell(cells)
    wide, top, high, head = each * len(cells), -4.3, 8.6, 3.4
    parts = [
        rect(x, top, wide, high, 1.2, fill=PAPER),
        el("path", d=_headed(x, top, wide, head), fill=tint),
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


def _headed(x: float, y: float, wide: float, high: float) -> str:
    corners = f"a1.2 1.2 0 0 1 1.2 -1.2h{wide - 2.4:.2f}a1.2 1.2 0 0 1 1.2 1.2"
    return f"M{x:.2f} {y + 1.2:.2f}{corners}v{high - 1.2:.2f}h{-wide:.2f}z"


def _ball(text: str, x: float, *, ringed: bool) -> str:
    wide = _width_of(PointsBadge(text))
    ring = rect(
        x - 0.8, -_BALL / 2 - 0.8, wide + 1.6, _BALL + 1.6, _BALL / 2 + 0.8, fill=PAPER, stroke=INK, stroke_width=0.5
    )
    drawn = rect(x, -_BALL / 2, wide, _BALL, _BALL / 2, fill=INK)
    return (ring if ringed else "") + drawn + said(text, x + wide / 2, 1.35, 3.8, wide - 1, bold=True, fill=PAPER)
