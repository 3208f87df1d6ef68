"""Cards that are not part of the game: the back, changes of a house rule, player aids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.render.faces.elements import (
    BOLD,
    BROAD,
    EDGE,
    FOOT,
    HEIGHT,
    HIGH,
    INK,
    LEAST,
    LINE,
    MIDDLE,
    PAPER,
    RIM,
    ROOM,
    SERIF,
    SMALL,
    WIDE,
    WIDTH,
    CardFooter,
    beginning_of,
    fitted_lines,
    foot_of,
    named,
    rect,
    said,
    tile_of,
    wrapped_to,
)  # fmt: skip
from draftengine.render.svg import el, width_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def back(title: str, below: str) -> str:
    """Return the back of all cards: a woven pattern in ink, and the title."""
    rows = fitted_lines(title, 6.0, 26.0, most=3)
    step = 6.6
    first = HEIGHT / 2 - step * (len(rows) - 1) / 2 + 1.2
    return "".join(
        [
            rect(RIM, RIM, WIDE, HIGH, 3, fill=f"url(#{BACK})"),
            rect(RIM, RIM, WIDE, HIGH, 3, fill="none", stroke=INK, stroke_width=EDGE),
            el("circle", cx=MIDDLE, cy=HEIGHT / 2, r=17, fill=PAPER, stroke=INK, stroke_width=0.5),
            el("circle", cx=MIDDLE, cy=HEIGHT / 2, r=15.4, fill="none", stroke=INK, stroke_width=0.35),
            *(
                said(row, MIDDLE, first + step * index, 6.0, 27, bold=True, family=SERIF)
                for index, row in enumerate(rows)
            ),
            said(below, MIDDLE, first + step * len(rows) - 1.6, SMALL, 22),
        ]
    )


BACK = "weave-back"


def back_pattern() -> str:
    """Return the pattern of the back, for the definitions of a page."""
    lines = el("path", d=tile_of(1).path, fill="none", stroke="#8a817a", stroke_width=1.2)
    ground = el("rect", width=16, height=16, fill="#3a322e")
    tile = {"width": 16, "height": 16, "patternUnits": "userSpaceOnUse", "patternTransform": "scale(0.26)"}
    return el("pattern", ground, lines, id=BACK, **tile)


class TextRow(Struct, frozen=True):
    """A row of a card of text: its subject, its text, and a value at the right edge."""

    about: str
    text: str = ""
    """The text: a sentence is printed below the subject, other words after it if there is room."""
    before: str = ""
    """The value that `after` replaces."""
    after: str = ""
    struck: bool = False
    """True if the text is printed crossed out, because it no longer applies."""


class TextCard(Struct, frozen=True):
    """A card of text, such as the changes of a house rule or the scores of cards."""

    title: str
    lead: str
    rows: tuple[TextRow, ...]


def dealt(content: TextCard, needed: int) -> list[TextCard]:
    """Return the cards needed for the first `needed` rows, filled up with as many further rows as fit.

    The further rows are also printed elsewhere. A text that is longer than a card continues on the next card.
    """
    first, last = _room(content)
    pages: list[list[TextRow]] = [[]]
    y, pages_needed = first, 1
    for index, whole in enumerate(content.rows):
        # Values without room at the edge join the text of the row, which is then cut into parts that fit on a card.
        row = whole
        if row.text and width_of(row.after, 3.6) > _WHOLE / 3:
            row = replace(row, text=f"{row.text} → {row.after}", after="")
        elif not row.text and not _on_one_line(row):
            row = TextRow(row.about, row.after or row.before, struck=not row.after)
        most, parts = int((last - first) / _STEP) - len(_heads(row)), []
        while row.text != (beginning := beginning_of(row.text, LEAST, most, room=_WHOLE)):
            parts.append(replace(row, text=beginning))
            about, rest = f"… {row.about.removeprefix('… ')}", row.text[len(beginning) :].strip()
            row = replace(row, about=about, text=rest, after="")
        for part in (*parts, row):
            high = _drawn(part, y)[1]
            if pages[-1] and y + high - 3.5 > last:
                pages.append([])
                y = first
            pages[-1].append(part)
            y += high
        if index < needed:
            pages_needed = len(pages)
    return [replace(content, rows=tuple(rows)) for rows in pages[:pages_needed]]


_STEP = 3.6
"""The distance between two lines of a text."""
_LEFT, _RIGHT = RIM + 3, WIDTH - RIM - 3
_WHOLE = _RIGHT - _LEFT
_GREY = "#555555"


def _band(title: Sequence[str]) -> float:
    return 9.0 if len(title) == 1 else 12.6


def _room(content: TextCard) -> tuple[float, float]:
    """Return the height at which the first row starts, and the height at which the last row must end."""
    return RIM + _band(fitted_lines(content.title, 4.4, ROOM)) + 9.2, HEIGHT - RIM - FOOT - 4.0


def notice(content: TextCard, foot: CardFooter) -> str:
    """Return a card of text as a drawing."""
    title = fitted_lines(content.title, 4.4, ROOM)
    band = _band(title)
    parts = [
        rect(RIM, RIM, WIDE, HIGH, 3, fill=PAPER),
        rect(RIM, RIM, WIDE, band, 3, fill=INK),
        rect(RIM, RIM + 3, WIDE, band - 3, fill=INK),
        *named(title, RIM, size=4.4),
        said(content.lead, MIDDLE, RIM + band + 4.2, LEAST, ROOM),
    ]
    y, _ = _room(content)
    for row in content.rows:
        drawn, high = _drawn(row, y)
        parts.append(drawn)
        y += high
    return "".join([*parts, *foot_of(foot), rect(RIM, RIM, WIDE, HIGH, 3, fill="none", stroke=INK, stroke_width=EDGE)])


def _on_one_line(row: TextRow) -> bool:
    if row.text.endswith((".", "。")):
        return False
    values = width_of(row.before, 3.0) + width_of(row.after, 3.6) * 1.1
    return (values + width_of(_line(row), LINE)) * BROAD + (5 if values else 0) <= _WHOLE


def _line(row: TextRow) -> str:
    return f"{row.about}: {row.text}" if row.text else row.about


def _heads(row: TextRow) -> list[str]:
    """Return the lines of the subject, for a row whose text is below it."""
    room = _WHOLE - (width_of(row.after, 3.6) * BROAD * 1.1 + 2 if row.after else 0)
    return wrapped_to(row.about, LEAST, room / BOLD)


def _drawn(row: TextRow, y: float) -> tuple[str, float]:
    """Return the drawing of one row, and its height."""
    new = width_of(row.after, 3.6) * BROAD * 1.1
    value = said(row.after, _RIGHT, y, 3.6, new + 1, anchor="end", bold=True) if row.after else ""
    if _on_one_line(row):
        parts = [said(_line(row), _LEFT, y, LINE, _WHOLE, anchor="start"), value]
        if row.before:
            edge, old = _RIGHT - new - 2, width_of(row.before, 3.0)
            parts.append(said(row.before, edge, y, 3.0, old * BROAD + 1, anchor="end", fill=_GREY))
            parts.append(el("rect", x=edge - old, y=y - 1.1, width=old, height=0.25, fill=_GREY))
        return "".join(parts), 5.0
    heads, lines = _heads(row), wrapped_to(row.text, LEAST, _WHOLE)
    parts = [
        said(head, _LEFT, y + _STEP * index, LINE, _WHOLE, anchor="start", bold=True)
        for index, head in enumerate(heads)
    ]
    parts.append(value)
    y += _STEP * len(heads)
    for index, text in enumerate(lines):
        low, fill = y + _STEP * index, _GREY if row.struck else INK
        parts.append(said(text, _LEFT, low, LEAST, _WHOLE, anchor="start", fill=fill))
        if row.struck:
            parts.append(el("rect", x=_LEFT, y=low - 1.0, width=width_of(text, LEAST), height=0.25, fill=_GREY))
    return "".join(parts), _STEP * (len(heads) + len(lines)) + 1.4
