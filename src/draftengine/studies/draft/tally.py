"""Counts of drafts as one vector of sums, so that chunks of games can be merged in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.accounting import MOST_TURNS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.program import Program

GAMES, CHOICES = range(2)
"""Positions at the head of a tally: games, and choices of seats."""
SEEN, TAKEN, ASIDE, ADDED, PASSED, BACK, DENIED, DENIALS = range(8)
"""Columns of each kind of card in each turn, in copies.

A seat takes some of the copies that it sees, puts some aside and passes the rest on. To put a card aside means to give
it to another seat, or to keep it to be chosen from again later. `ADDED` copies came in between: put back by an ability,
or drawn. If cards are passed, ``SEEN + ADDED = TAKEN + ASIDE + PASSED``; otherwise, the rest stays.

`BACK` counts copies passed in this turn that were present when their seat next saw these cards. `DENIALS` counts copies
that left before the rest was passed. In total, the next seat would have gained `DENIED` points more with them than with
the best of the rest.
"""
COLUMNS = 8
JUDGED, LOST, SQUARES = range(3)
"""Columns of each seat in each turn: judged choices, the points they lost, and the squares of these.

Points are in units of 1 / `SCALE`.
"""
JUDGED_COLUMNS = 3


class DraftLayout(Struct, frozen=True):
    """Layout of a tally: the indices of its columns."""

    faces: tuple[int, ...]
    """Kinds of cards, which are faces. Each is represented by its first card."""
    players: int

    @classmethod
    def of(cls, program: Program) -> DraftLayout:
        return cls(tuple(sorted(set(program.face_of))), program.players)

    @property
    def duels(self) -> int:
        """Start of the matrix of duels: how often the row's kind was taken while the column's kind was left."""
        return 2 + len(self.faces) * MOST_TURNS * COLUMNS

    @property
    def judged(self) -> int:
        """Start of the columns of judged choices."""
        return self.duels + len(self.faces) ** 2

    @property
    def size(self) -> int:
        return self.judged + self.players * MOST_TURNS * JUDGED_COLUMNS

    def card(self, kind: int, turn: int) -> int:
        """Return the start of the columns of a kind of card in a turn."""
        return 2 + (kind * MOST_TURNS + min(turn, MOST_TURNS - 1)) * COLUMNS

    def choice(self, seat: int, turn: int) -> int:
        """Return the start of the columns of the judged choices of a seat in a turn."""
        return self.judged + (seat * MOST_TURNS + min(turn, MOST_TURNS - 1)) * JUDGED_COLUMNS

    def duel(self, taken: int, left: int) -> int:
        """Return the index of the count of how often a kind was taken while another was left.

        Every copy that was left counts.
        """
        return self.duels + taken * len(self.faces) + left


def merge(tally: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return the sums of two tallies."""
    return [one + two for one, two in zip(tally, other, strict=True)]
