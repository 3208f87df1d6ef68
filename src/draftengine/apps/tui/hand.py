"""Drawings of the hand as *faces* (card-shaped boxes), a list or a layout, and the plan of the screen.

If there is too little room, small parts are left out first, but never the hand, the message and the keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from rich.text import Text

from draftengine.apps.play.review import in_bars
from draftengine.apps.tui import widgets as drawing
from draftengine.apps.tui.styles import between, blank, column, cropped, fitted, joined, wide, wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from draftengine.apps.tui.scene import Card, Scene
    from draftengine.apps.tui.styles import Pen


class Spot(Struct, frozen=True):
    """The rectangle in which a card is drawn, in columns and lines from 0, and the index of the card."""

    x: int
    y: int
    columns: int
    lines: int
    card: int

    def holds(self, x: int, y: int) -> bool:
        """True if the character cell at (x, y) is inside."""
        return self.x <= x < self.x + self.columns and self.y <= y < self.y + self.lines


class Drawn(Struct, frozen=True):
    """The lines of a drawn hand, with the rectangles of its cards."""

    lines: list[Text]
    spots: tuple[Spot, ...] = ()


LARGE, USUAL, SMALL, TINY = 16, 15, 9, 7
"""Widths of a face in columns: with the card's text, usual, small, and with only the card's picture."""
_WIDEST = 26
"""The largest number of columns of a face with the card's text."""
_TEXT_LINES = (2, 9)
"""The smallest and largest number of lines for a card's text on a face."""
_FRAME = 4
"""The number of lines of a face besides the text: edges, name, and the gain from the card."""
_ROW = 70
"""The smallest number of columns in which a hand is drawn as faces. On fewer columns, it is a list."""


def height_of(scene: Scene, columns: int, room: int, *, rich: bool) -> int:
    """Return the number of lines that the drawn hand takes, at most `room`."""
    count = len(scene.hand)
    if scene.layout:
        rows = len(scene.layout)
        return next((height for height in (rows * 2 + 1, rows) if height <= room), room)
    if not count:
        return min(room, 1)
    size = _size(count, columns, room, rich=rich) if columns >= _ROW else 0
    if not size:
        return min(room, count)
    rows = -(-count // ((columns - 2) // size))
    return rows * _face_lines(scene.hand, size, room // rows)


def _face_lines(cards: Sequence[Card], size: int, room: int) -> int:
    """Return the number of lines of a face, at most `room`. Only large faces show the texts of cards."""
    if size < LARGE:
        return _FRAME
    fewest, most = _TEXT_LINES
    needed = max((len(wrapped(Text(card.text), size - 3)) for card in cards), default=0)
    return _FRAME + max(fewest, min(needed, most, room - _FRAME))


def _size(count: int, columns: int, room: int, *, rich: bool) -> int:
    """Return the width in columns of the largest faces that fit; 0 if none fit.

    Only a `rich` screen has faces with texts.
    """
    with_text = _FRAME + _TEXT_LINES[0]
    in_one_row = min(_WIDEST, (columns - 2) // count)
    if rich and in_one_row >= LARGE and with_text <= room:
        return in_one_row
    for size in (LARGE, USUAL, SMALL, TINY) if rich else (USUAL, SMALL, TINY):
        each = (columns - 2) // size
        if each and -(-count // each) * (with_text if size == LARGE else _FRAME) <= room:
            return size
    return 0


def draw(scene: Scene, columns: int, height: int, cursor: int, pen: Pen, *, rich: bool = False) -> Drawn:
    """Draw the hand or layout in exactly `height` lines. The card with the index `cursor` is highlighted."""
    if scene.layout:
        return _layout(scene, columns, height, cursor, pen)
    if not scene.hand:
        return Drawn(column([], columns, height))
    size = _size(len(scene.hand), columns, height, rich=rich) if columns >= _ROW else 0
    if not size:
        rows, spots = [], []
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
            rows.append(between(left, joined(effect(card, wanted, pen), chosen), columns))
            spots.append(Spot(0, index - first, columns, 1, index))
        return Drawn(column(rows, columns, height), tuple(spots))
    each = (columns - 2) // size
    tall = _face_lines(scene.hand, size, height // -(-len(scene.hand) // each))
    lines: list[Text] = []
    spots = []
    for begin in range(0, len(scene.hand), each):
        row = [
            _face(card, size, tall, pen, current=begin + index == cursor)
            for index, card in enumerate(scene.hand[begin : begin + each])
        ]
        spots += [Spot(1 + index * size, len(lines), size, tall, begin + index) for index in range(len(row))]
        lines += [joined(blank(1), *(face[line] for face in row)) for line in range(tall)]
    return Drawn(column(lines, columns, height), tuple(spots))


# ── faces ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _face(card: Card, size: int, tall: int, pen: Pen, *, current: bool) -> list[Text]:
    """Draw a face: key and family in the top edge, picture, name, text if large, and the card's gain."""
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
    write = pen.plain if card.open or card.order else pen.muted
    named = inner >= _NAMED
    sign = "" if named and card.sign[:1].isalnum() else card.sign  # the name says more than its own letters
    words = filter(None, (sign, card.label if named else ""))
    body = [fitted(joined(pen.text(" "), write(" ".join(words))), inner)]
    if tall > _FRAME:
        room, text = tall - _FRAME, wrapped(pen.muted(card.text), inner - 1)
        if len(text) > room:
            text[room - 1] = joined(wrapped(text[room - 1], inner - 3)[0], pen.muted(" …"))
        body += [joined(pen.text(" "), line) for line in column(text, inner - 1, room)]
    body.append(effect(card, inner, pen))
    middle = [joined(pen.text(side, style), fitted(line, inner), pen.text(side, style)) for line in body]
    return [top, *middle, pen.text(corners[2] + bottom * inner + corners[3], style)]


_NAMED = 10
"""The smallest width in columns of a face that shows the card's name."""


def effect(card: Card, columns: int, pen: Pen) -> Text:
    """Return a short text about what choosing a card brings."""
    return fitted(joined(pen.text(" "), _gain(card, pen, wide_gap=columns > _NAMED)), columns)


def _gain(card: Card, pen: Pen, *, wide_gap: bool = False) -> Text:
    """Return the adviser's rating of a card as bars, and its immediate gain."""
    if not card.open:
        return pen.text("")
    if card.bars:
        rest = _gain(replace(card, bars=0), pen, wide_gap=wide_gap)
        return joined(pen.plain(in_bars(card.bars)), pen.text(" " if rest.plain else ""), rest)
    amount = pen.points(card.points) if card.points else pen.text("")
    gap = "" if not card.points or not card.effect else "  " if wide_gap else " "
    return joined(amount, pen.text(gap), pen.muted(card.effect))


# ── layouts ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _layout(scene: Scene, columns: int, height: int, cursor: int, pen: Pen) -> Drawn:
    """Draw a layout as overlapping cards or, without room, with one line per row. Free cards have a key."""
    most = max(map(len, scene.layout))
    cell = max(4, min(18, (columns - 2) // most))
    step = 2 if height > 2 * len(scene.layout) and cell >= _CARD else 1
    numbers = {card.item: index for index, card in enumerate(scene.hand)}
    lines: list[Text] = []
    spots = []
    edges: dict[int, Text] = {}
    for row in scene.layout[max(0, len(scene.layout) - height // step) :]:
        begin = max(1, (columns - most * cell) // 2) + (most - len(row)) * cell // 2
        drawn: dict[int, list[Text]] = {}
        for x, (face, card) in enumerate(row):
            number = numbers[card.item] if card is not None else -1
            if face != "-":
                draw_place = _card if step > 1 else _place
                drawn[begin + x * cell] = draw_place(face, card, cell - 1, pen, current=number == cursor)
            if card is not None:
                spots.append(Spot(begin + x * cell, len(lines), cell, step, number))
        for line, under in enumerate((edges, {})[:step]):
            lines += [_over(under, {x: parts[line] for x, parts in drawn.items()}, columns)]
        edges = {}  # letter by letter
        for x, parts in drawn.items():
            letters = (letter for part in parts[step:] for letter in part.divide(range(1, len(part))))
            edges |= {x + at: letter for at, letter in enumerate(letters)}
    return Drawn(column([*lines, _over(edges, {}, columns)], columns, height), tuple(spots))


_CARD = 8
"""The smallest width in columns at which a place of a layout is drawn as a card."""


def _over(under: Mapping[int, Text], parts: Mapping[int, Text], columns: int) -> Text:
    """Return a line with `parts` at their columns. Between them, the line `under` of the row above shows."""
    line, x = blank(), 0
    while x < columns:
        part = parts.get(x) or under.get(x) or blank(1)
        line, x = joined(line, part), x + wide(part)
    return line


def _card(face: str, card: Card | None, columns: int, pen: Pen, *, current: bool) -> list[Text]:
    """Draw a place of a layout as a card: top edge with key and gain, name, and bottom edge."""
    inner = columns - 2
    if card is None:
        style, key, gain = pen.palette.muted, pen.text(""), pen.text("")
        name = pen.muted(face) if face else pen.muted("░" * inner)
    else:
        style = pen.palette.accent if card.order else pen.palette.focus if current else pen.palette.text
        key, name = pen.text(card.key, f"bold reverse {style}"), pen.text(face, f"bold {style}")
        gain = pen.accent(f"{card.order} ✓") if card.order else cropped(_gain(card, pen), inner - 2)
    line = pen.text("─" * (inner - wide(key) - wide(gain)), style)
    side = pen.text("│", style)
    return [
        joined(pen.text("╭", style), key, line, gain, pen.text("╮", style)),
        joined(side, fitted(name, inner), side),
        pen.text(f"╰{'─' * inner}╯", style),
    ]


def _place(face: str, card: Card | None, columns: int, pen: Pen, *, current: bool) -> list[Text]:
    """Draw a place of a layout in one line."""
    if card is None:
        return [fitted(pen.muted(f"({face})" if face else "░" * columns), columns)]
    style = pen.palette.accent if card.order else pen.palette.focus if current else pen.palette.text
    key = pen.text(card.key, f"bold reverse {style}")
    return [fitted(joined(key, pen.text(f" {face}", f"bold {style}")), columns)]


FEWEST = (50, 20)
"""The smallest number of columns, and of lines, of a screen with a table."""
_SIDE_FROM = (110, 30)
_SIDE = (38, 56)
"""The smallest and largest width of the side pane in columns. In between, it is a third of the screen."""
_MOST_OF_A_SEAT = 6


class Plan(Struct, frozen=True):
    """The number of lines for each part of the screen; 0 for a part that is left out."""

    columns: int
    """The number of columns for seats and hand. The side pane takes the others."""
    side: int
    seats: int
    piles: int
    coming: int
    hand: int
    message: int
    log: int
    rich: bool
    """True if there is room for titles and card texts."""


def is_large_enough(columns: int, lines: int) -> bool:
    """True if there is room for a table."""
    return columns >= FEWEST[0] and lines >= FEWEST[1]


def planned(scene: Scene, columns: int, lines: int, *, hand_lines: int = 0, tip_lines: int = 0) -> Plan:
    """Return the plan for a screen of this size. With `hand_lines`, the hand takes that many lines.

    `tip_lines` is the number of lines of a tip below the message.
    """
    rich = columns >= _SIDE_FROM[0] and lines >= _SIDE_FROM[1]
    side = max(_SIDE[0], min(columns // 3, _SIDE[1])) if rich else 0
    left = columns - side
    message = (2 if lines >= _SIDE_FROM[1] else 1) + tip_lines
    room = lines - 2 - message - 1  # without head, keys, message and the line above the hand
    piles = 0 if side else min(len(drawing.piles(scene, left)), room // 3)
    room -= piles
    # The lines that a readable hand needs; as a list if faces do not fit.
    least = len(scene.layout) or len(scene.hand)
    if scene.hand and not scene.layout and left >= _ROW:
        least = -(-len(scene.hand) // ((left - 2) // USUAL)) * _FRAME
    count = len(scene.seats)
    wanted = [each * count for each in ((5, 4, 2) if rich else (2,))]
    if not rich and any(drawing.is_crowded(seat, left) for seat in scene.seats):
        wanted.insert(0, 3 * count)
    hand = seats = 0
    for seats in (*wanted, count + 1, count):
        hand = hand_lines or height_of(scene, left, room - seats, rich=rich)
        free = _NEWEST if seats > 2 * count and not rich else 0  # a third line must not cost the newest entries
        if seats + hand + free <= room and hand >= (hand_lines or least):
            break
    if side:  # the rest would stay empty
        seats = max(seats, min(room - hand, _MOST_OF_A_SEAT * count))
        hand = hand_lines or min(room - seats, height_of(scene, left, room - seats, rich=rich))
    rest = max(0, room - seats - hand)
    coming = 2 if scene.coming and not side and rest > _COMING_FROM else 0
    log = rest - coming if rest - coming > 1 else 0
    return Plan(left, side, seats, piles, coming, hand, message, log, rich)


_NEWEST = 4
"""The number of lines that must remain for the log if seats take three lines each."""
_COMING_FROM = 1
