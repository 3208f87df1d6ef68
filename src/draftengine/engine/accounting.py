"""What is counted of finished games: sums only, so that games can be counted in any order and anywhere.

A tally is one flat vector of whole numbers, and two are merged by adding them. `draftengine.engine.kernel.tally`
counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from draftengine.engine.program import Program

SHARES = 27720
"""A win, in units that 2 to 12 seats can share."""
LOWEST, BINS = -200, 800
"""The histogram of totals: its first bin, and how many there are; totals beyond count in the bins at its ends."""
MOST_TURNS = 48

DIGEST_FACTOR = 0x9E3779B97F4A7C15
"""What the digest of a game is multiplied by after every total."""

GAMES, DECISIVE, MARGIN, TIED, SHARED, DIGEST, STOPPED, HEAD = range(8)
"""Where the first numbers stand: games; games with one winner, and by how many points in all; games with several best
totals; games with several winners; the digest; games that could not go on. `HEAD` is how many these are."""
TOTAL, SQUARES, WON, WON_SQUARES, OUTRIGHT, SEAT_COLUMNS = range(6)
"""Columns of a seat: sums of totals and of their squares, of shares of wins and of their squares, wins unshared."""
POINTS, TIMES, SOURCE_COLUMNS = range(3)
"""For a source of points, a column for each seat of: the sum of points, and the games in which it gave any."""
TAKEN, TAKEN_WON, TAKEN_TOTAL, PLAY_COLUMNS = range(4)
"""Columns of a play in a turn: how often it was made, shares of wins, and totals of who made it."""


def sources_of(program: Program) -> tuple[str, ...]:
    """Everything that gives points: the program's sources, then the piles of chips."""
    return (*program.sources_of_points, *(pile.id for pile in program.model.chips))


class TallyLayout(NamedTuple):
    """How large a tally is, and where its parts begin."""

    seats: int
    sources: int
    plays: int

    @classmethod
    def of(cls, program: Program, *, logged: bool) -> TallyLayout:
        """The layout of the tallies of a program; `logged`: every play is counted, too."""
        return cls(program.seats, len(sources_of(program)), len(program.plays) if logged else 0)

    @property
    def by_seat(self) -> int:
        return HEAD

    @property
    def by_source(self) -> int:
        """Where the columns of the sources of points begin: by source, column and seat."""
        return self.by_seat + self.seats * SEAT_COLUMNS

    @property
    def margins(self) -> int:
        """Where it stands, by source, how much more the only winners had from it than the runners-up."""
        return self.by_source + self.sources * self.seats * SOURCE_COLUMNS

    @property
    def histograms(self) -> int:
        """Where the histograms of totals begin: by seat and bin."""
        return self.margins + self.sources

    @property
    def by_play(self) -> int:
        """Where the columns of plays begin: by play, turn and column."""
        return self.histograms + self.seats * BINS

    @property
    def size(self) -> int:
        return self.by_play + self.plays * MOST_TURNS * PLAY_COLUMNS
