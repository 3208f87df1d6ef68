"""Distribution of the screen's lines: small parts give way first, never hand, message and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.apps.tui.hand import height_of

if TYPE_CHECKING:
    from draftengine.apps.tui.scene import Scene

FEWEST = (50, 20)
"""The least columns and lines for a table."""
_SIDE_FROM = (110, 30)
_SIDE = (38, 56)
"""The fewest and most columns of the side pane, which otherwise takes a third."""
_MOST_OF_A_SEAT = 6


class Plan(Struct, frozen=True):
    """The lines of each part of the table; 0 = left out."""

    columns: int
    """The columns of seats and hand; the rest is the side pane."""
    side: int
    seats: int
    coming: int
    hand: int
    message: int
    log: int
    rich: bool
    """True if there is room for titles and card texts."""


def is_large_enough(columns: int, lines: int) -> bool:
    """True if there is room for a table."""
    return columns >= FEWEST[0] and lines >= FEWEST[1]


def planned(scene: Scene, columns: int, lines: int, *, hand_lines: int = 0) -> Plan:
    """Return the plan for a screen of this size. With `hand_lines`, the hand takes that many lines."""
    rich = columns >= _SIDE_FROM[0] and lines >= _SIDE_FROM[1]
    side = max(_SIDE[0], min(columns // 3, _SIDE[1])) if rich else 0
    left = columns - side
    message = 2 if lines >= _SIDE_FROM[1] else 1
    room = lines - 2 - message - 1  # without head, keys, message and the line above the hand
    count = len(scene.seats)
    wanted = [each * count for each in ((5, 4, 2) if rich else (2,))]
    hand = seats = 0
    for seats in (*wanted, count + 1, count):
        hand = hand_lines or height_of(scene, left, room - seats, rich=rich)
        if seats + hand <= room and hand >= (hand_lines or _least(scene, left)):
            break
    if side:  # the rest would stay empty
        seats = max(seats, min(room - hand, _MOST_OF_A_SEAT * count))
        hand = hand_lines or min(room - seats, height_of(scene, left, room - seats, rich=rich))
    rest = max(0, room - seats - hand)
    coming = 2 if scene.coming and not side and rest > _COMING_FROM else 0
    log = rest - coming if rest - coming > 1 else 0
    return Plan(left, side, seats, coming, hand, message, log, rich)


_COMING_FROM = 1


def _least(scene: Scene, columns: int) -> int:
    """Return the lines that a readable hand needs; as a list if faces do not fit."""
    if scene.layout:
        return len(scene.layout)
    count = len(scene.hand)
    if not count or columns < 70:  # noqa: PLR2004 (a list)
        return count
    return -(-count // ((columns - 2) // 15)) * 4
