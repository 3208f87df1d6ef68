"""What is counted of drafts: one vector of sums, so that the games of any chunks can be added in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.accounting import MOST_TURNS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.program import Program

GAMES, CHOICES = range(2)
"""At the head of a tally: games, and choices of seats."""
SEEN, TAKEN, ASIDE, ADDED, PASSED, BACK, DENIED, DENIALS = range(8)
"""Of each kind of card, by turn, in copies.

Of what a seat sees it takes some, puts some aside (for another seat, or to choose from again later), and passes the
rest on, with what is added to it in between (put back by an ability, drawn). ``SEEN + ADDED = TAKEN + ASIDE + PASSED``
where cards are passed; elsewhere what is left stays. `BACK`: so many of those passed in this turn were there when their
seat next saw these cards. `DENIALS`: so many left the cards before the rest was passed, and the next seat would have
gained `DENIED` points more with them than with the best of the rest.
"""
COLUMNS = 8
JUDGED, LOST, SQUARES = range(3)
"""Of each seat, by turn: choices that were judged, the points they lost (in parts of a point), and their squares."""
JUDGED_COLUMNS = 3


class DraftLayout(Struct, frozen=True):
    """Where things are in a tally."""

    faces: tuple[int, ...]
    """The kinds of cards, as they look in a hand: the first card of each."""
    players: int

    @classmethod
    def of(cls, program: Program) -> DraftLayout:
        return cls(tuple(sorted(set(program.face_of))), program.players)

    @property
    def duels(self) -> int:
        """Where it stands how often one kind was taken from beside another: a row for each that was taken."""
        return 2 + len(self.faces) * MOST_TURNS * COLUMNS

    @property
    def judged(self) -> int:
        """Where the tally counts what choices lost."""
        return self.duels + len(self.faces) ** 2

    @property
    def size(self) -> int:
        return self.judged + self.players * MOST_TURNS * JUDGED_COLUMNS

    def card(self, kind: int, turn: int) -> int:
        """Where the columns of a kind of card in a turn begin."""
        return 2 + (kind * MOST_TURNS + min(turn, MOST_TURNS - 1)) * COLUMNS

    def choice(self, seat: int, turn: int) -> int:
        """Where the columns of the judged choices of a seat in a turn begin."""
        return self.judged + (seat * MOST_TURNS + min(turn, MOST_TURNS - 1)) * JUDGED_COLUMNS

    def duel(self, taken: int, left: int) -> int:
        """Where it stands how often a kind was taken from beside another, once for every copy that was left."""
        return self.duels + taken * len(self.faces) + left


def merge(tally: Sequence[int], other: Sequence[int]) -> list[int]:
    """Two tallies as one."""
    return [one + two for one, two in zip(tally, other, strict=True)]
