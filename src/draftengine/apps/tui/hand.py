"""Drawings of what can be chosen, as faces, a list or a layout, with the place of each on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.apps.tui.lines import between, blank, column, fitted, joined, wide, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from draftengine.apps.play.table_view import Card, TableView
    from draftengine.apps.tui.styles import Pen


class Spot(Struct, frozen=True):
    """Rectangle in which a card is drawn, in columns and lines from 0."""

    x: int
    y: int
    columns: int
    lines: int
    card: int

    def holds(self, x: int, y: int) -> bool:
        """True if a cell is inside."""
        return self.x <= x < self.x + self.columns and self.y <= y < self.y + self.lines


class Drawn(Struct, frozen=True):
    """The lines of a hand, with the places of its cards."""

    lines: list[Text]
    spots: tuple[Spot, ...] = ()


LARGE, USUAL, SMALL, TINY = 16, 15, 9, 7
"""The columns of a face, from faces with the card's text to faces with little more than its picture."""
_TEXT_LINES = (2, 5)
"""The fewest and most lines of a card's text; more than the fewest only where lines are left."""


def height_of(scene: TableView, columns: int, room: int, *, rich: bool = False) -> int:
    """Return the number of lines that the hand takes, at most `room`."""
    count = len(scene.hand)
    if scene.layout:
        rows = len(scene.layout)
        return next((height for height in (rows * 2 + 1, rows * 2, rows) if height <= room), room)
    if not count:
        return min(room, 1)
    if columns < _ROW:
        return min(room, count)
    size = _size(count, columns, room, rich=rich)
    if not size:
        return min(room, count)
    rows = -(-count // ((columns - 2) // size))
    return rows * _face_lines(size, room // rows)


_ROW = 70
"""The width from which a hand is drawn as faces, in columns; a narrower one is a list."""


def _face_lines(size: int, room: int = 0) -> int:
    """Return the lines of one face, at most `room`; only large ones show the text of the card."""
    fewest, most = _TEXT_LINES
    return _FRAME + (max(fewest, min(most, room - _FRAME)) if size == LARGE else 0)


_FRAME = 4
"""The lines of a face besides its text: edges, name, and what it would bring."""


def _size(count: int, columns: int, room: int, *, rich: bool) -> int:
    """Return the columns of the largest faces that fit; 0 if none do."""
    for size in (LARGE, USUAL, SMALL, TINY):
        if size == LARGE and not rich:
            continue
        each = (columns - 2) // size
        if each and -(-count // each) * _face_lines(size) <= room:
            return size
    return 0


def draw(scene: TableView, columns: int, height: int, cursor: int, pen: Pen, *, rich: bool = False) -> Drawn:
    """Draw what can be chosen in exactly `height` lines. Enter takes the card at `cursor`."""
    if scene.layout:
        return _layout(scene, columns, height, cursor, pen)
    if not scene.hand:
        return Drawn(column([], columns, height))
    size = _size(len(scene.hand), columns, height, rich=rich) if columns >= _ROW else 0
    return (
        _faces(scene.hand, size, columns, height, cursor, pen) if size else _list(scene, columns, height, cursor, pen)
    )


# ── faces ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _faces(cards: Sequence[Card], size: int, columns: int, height: int, cursor: int, pen: Pen) -> Drawn:
    each = (columns - 2) // size
    tall = _face_lines(size, height // -(-len(cards) // each))
    lines: list[Text] = []
    spots = []
    for begin in range(0, len(cards), each):
        row = [
            _face(card, size, tall, pen, current=begin + index == cursor)
            for index, card in enumerate(cards[begin : begin + each])
        ]
        spots += [Spot(1 + index * size, len(lines), size, tall, begin + index) for index in range(len(row))]
        lines += [joined(blank(1), *(face[line] for face in row)) for line in range(tall)]
    return Drawn(column(lines, columns, height), tuple(spots))


def _face(card: Card, size: int, tall: int, pen: Pen, *, current: bool) -> list[Text]:
    """Draw a face: key and family on top, picture and name, its text if large, what it would bring."""
    inner = size - 2
    frame = pen.palette.accent if card.order else pen.palette.focus if current else pen.palette.muted
    style = f"bold {frame}" if card.order or current else frame
    side, bottom, corners = ("┃", "━", "┏┓┗┛") if card.order else ("│", "─", "╭╮╰╯")
    key = card.key or " "
    badge = f"{card.order}✓" if card.order else ""
    edge = pen.text(pen.edge(card.family, max(0, inner - 1 - wide(badge))), pen.family(card.family))
    top = joined(
        pen.text(corners[0], style),
        pen.text(key, f"bold {'reverse ' if current else ''}{frame if card.order or current else pen.palette.text}"),
        edge,
        pen.accent(badge),
        pen.text(corners[1], style),
    )
    body = [_label(card, inner, pen)]
    if tall > _FRAME:
        room, text = tall - _FRAME, wrapped(pen.muted(card.text), inner - 1)
        if len(text) > room:
            text[room - 1] = joined(wrapped(text[room - 1], inner - 3)[0], pen.muted(" …"))
        body += [joined(pen.text(" "), line) for line in column(text, inner - 1, room)]
    body.append(effect(card, inner, pen))
    middle = [joined(pen.text(side, style), fitted(line, inner), pen.text(side, style)) for line in body]
    return [top, *middle, pen.text(corners[2] + bottom * inner + corners[3], style)]


def _label(card: Card, columns: int, pen: Pen) -> Text:
    write = pen.plain if card.open or card.order else pen.muted
    if columns < _NAMED:
        return fitted(joined(pen.text(" "), write(card.sign)), columns)
    return fitted(joined(pen.text(" "), write(f"{card.sign} {card.label}" if card.sign else card.label)), columns)


_NAMED = 10
"""The width from which a face has room for a name, in columns."""


def effect(card: Card, columns: int, pen: Pen) -> Text:
    """Return what a card would bring."""
    if not card.open:
        return blank(columns)
    amount = pen.points(card.points) if card.points else pen.text("")
    words = pen.muted(card.effect)
    gap = pen.text("  " if columns > _NAMED else " ") if amount.plain and words.plain else pen.text("")
    return fitted(joined(pen.text(" "), amount, gap, words), columns)


# ── a list ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _list(scene: TableView, columns: int, height: int, cursor: int, pen: Pen) -> Drawn:
    lines, spots = [], []
    first = max(0, min(cursor - height + 1, len(scene.hand) - height)) if cursor >= height else 0
    for index, card in enumerate(scene.hand[first : first + height], first):
        mark = "▌" if index == cursor else " "
        label = pen.accent if card.order else pen.plain if card.open else pen.muted
        left = joined(
            pen.focus(mark),
            pen.bold(f"{card.key or ' '}  "),
            label(fitted(pen.text(card.sign), 6).plain),
            label(card.label),
        )
        chosen = pen.accent(f" {card.order}✓ ") if card.order else pen.text("    ")
        wanted = min(24, columns // 2)
        lines.append(between(left, joined(effect(card, wanted, pen), chosen), columns))
        spots.append(Spot(0, index - first, columns, 1, index))
    return Drawn(column(lines, columns, height), tuple(spots))


# ── layouts ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _layout(scene: TableView, columns: int, height: int, cursor: int, pen: Pen) -> Drawn:
    """Draw the places of a layout row by row; uncovered cards have a key."""
    rows = scene.layout
    most = max(map(len, rows))
    cell = max(4, min(15, (columns - 2) // most))
    tall = 2 if height >= 2 * len(rows) else 1
    skipped = max(0, len(rows) - height // tall)
    numbers = {card.item: index for index, card in enumerate(scene.hand)}
    lines: list[Text] = []
    spots = []
    margin = max(1, (columns - most * cell) // 2)
    for row in rows[skipped:]:
        begin = margin + (most - len(row)) * cell // 2
        parts: list[list[Text]] = [[blank(begin)] for _ in range(tall)]
        for index, (face, card) in enumerate(row):
            number = numbers[card.item] if card is not None else -1
            drawn = _place(face, card, cell, tall, pen, current=number == cursor)
            for line, piece in zip(parts, drawn, strict=True):
                line.append(piece)
            if card is not None:
                spots.append(Spot(begin + index * cell, len(lines), cell, tall, number))
        lines += [joined(*part) for part in parts]
    return Drawn(column(lines, columns, height), tuple(spots))


def _place(face: str, card: Card | None, cell: int, tall: int, pen: Pen, *, current: bool) -> list[Text]:
    inner = cell - 1
    if face == "-":
        return [blank(cell)] * tall
    if not face:
        return [fitted(pen.muted("░" * inner), cell)] * tall
    if card is None:
        return [fitted(pen.muted(f"({face})"), cell), *[blank(cell)] * (tall - 1)]
    style = pen.palette.accent if card.order else pen.palette.focus if current else pen.palette.text
    key = pen.text(card.key, f"bold reverse {style}")
    name = f" {face} {card.label}" if inner >= _NAMED else f" {face}"
    below = joined(pen.text("  "), effect(card, inner - 2, pen)) if not card.order else pen.accent(f"   {card.order} ✓")
    return [fitted(joined(key, pen.text(name, f"bold {style}")), cell), fitted(below, cell)][:tall]
