"""Cards that are not part of the game: the back, changes of a house rule, player aids."""

from __future__ import annotations

from itertools import chain
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


class TextCard(Struct, frozen=True):
    """A card of text, such as the changes of a house rule or the scores of cards."""

    title: str
    lead: str
    rows: tuple[tuple[str, str, str], ...]
    """Rows of subject, text before and text after. Long texts are printed below their subject."""


def dealt(content: TextCard, needed: int) -> list[TextCard]:
    """Return the cards that the first `needed` rows fill, with as many further rows as fit on these cards.

    The further rows are also printed elsewhere.
    """
    first, last = _room(content)
    pages: list[list[tuple[str, str, str]]] = [[]]
    y = first
    for row in content.rows:
        high = _change(*row, _LEFT, _RIGHT, y)[1]
        if pages[-1] and y + high - 3.5 > last:
            pages.append([])
            y = first
        pages[-1].append(row)
        y += high
    counts = [len(list(chain.from_iterable(pages[:end]))) for end in range(1, len(pages) + 1)]
    return [
        replace(content, rows=tuple(rows))
        for index, rows in enumerate(pages)
        if index == 0 or counts[index - 1] < needed
    ]


_STEP = 3.6
"""The distance between two lines of a text."""
_MOST = 13
"""The largest number of lines of a text on a card."""
_LEFT, _RIGHT = RIM + 3, WIDTH - RIM - 3


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
        drawn, high = _change(*row, _LEFT, _RIGHT, y)
        parts.append(drawn)
        y += high
    return "".join([*parts, *foot_of(foot), rect(RIM, RIM, WIDE, HIGH, 3, fill="none", stroke=INK, stroke_width=EDGE)])


def _change(about: str, before: str, after: str, left: float, right: float, y: float) -> tuple[str, float]:
    """Return the drawing of one change and its height. Numbers are next to the subject, sentences below."""
    old = width_of(before, 3.0) * BROAD
    new = width_of(after, 3.6) * BROAD * 1.1
    if old + new + width_of(about, LINE) * BROAD + 5 <= right - left:
        parts = [said(about, left, y, LINE, right - left, anchor="start")]
        parts.append(said(after, right, y, 3.6, new + 1, anchor="end", bold=True))
        if before:
            edge = right - new - 2
            parts.append(said(before, edge, y, 3.0, old + 1, anchor="end", fill="#555555"))
            parts.append(el("rect", x=edge - old / BROAD, y=y - 1.1, width=old / BROAD, height=0.25, fill="#555555"))
        return "".join(parts), 5.0
    lines = wrapped_to(after or before, LEAST, right - left)[:_MOST]
    heads = wrapped_to(about, LEAST, (right - left) / BOLD)
    parts = [
        said(head, left, y + _STEP * index, LINE, right - left, anchor="start", bold=True)
        for index, head in enumerate(heads)
    ]
    y += _STEP * len(heads)
    parts += [
        said(line, left, y + _STEP * index, LEAST, right - left, anchor="start", fill=INK if after else "#555555")
        for index, line in enumerate(lines)
    ]
    if not after:
        parts += [
            el("rect", x=left, y=y + _STEP * index - 1.0, width=width_of(line, LEAST), height=0.25, fill="#555555")
            for index, line in enumerate(lines)
        ]
    return "".join(parts), _STEP * (len(lines) + len(heads)) + 1.4
