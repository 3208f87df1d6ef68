"""Tallies of finished games. They hold only sums, so any worker can count games in any order.

A *tally* is one flat vector of integers; two tallies are merged by adding them. `draftengine.engine.kernel.playing`
adds the games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from draftengine.engine.program import Program

SHARES = 27720
"""The number of shares that the winners of a game split. Every number from 1 to 12 divides it."""
LOWEST, BINS = -200, 800
"""Lowest total of the histogram of totals, and its number of bins. End bins include outliers."""
MOST_TURNS = 48

DIGEST_FACTOR = 0x9E3779B97F4A7C15
"""The factor by which the digest (a checksum of all totals) is multiplied after each total."""

GAMES, DECISIVE, MARGIN, TIED, SHARED, DIGEST, STOPPED, HEAD = range(8)
"""Indices of the first entries of a tally, its *head*; `HEAD` is the number of these entries.

In order: games; games with one winner; the sum of their margins; ties for the best total; games with several winners;
the digest; games that could not go on.
"""
TOTAL, SQUARES, WON, WON_SQUARES, OUTRIGHT, SEAT_COLUMNS = range(6)
"""Columns for each seat; `SEAT_COLUMNS` is their number.

In order: the sum of totals, and of their squares; the sum of shares of wins, and of their squares; the number of
unshared wins.
"""
POINTS, TIMES, SOURCE_COLUMNS = range(3)
"""Columns for each seat and source of points; `SOURCE_COLUMNS` is their number.

In order: the sum of points; the number of games in which the source gave any points.
"""
TAKEN, TAKEN_WON, TAKEN_TOTAL, PLAY_COLUMNS = range(4)
"""Columns for each play and turn; `PLAY_COLUMNS` is their number.

In order: the number of times that a seat made the play; the shares of wins of these seats; their totals.
"""


def sources_of(program: Program) -> tuple[str, ...]:
    """Return the names of everything that gives points: the program's sources, then the piles of chips."""
    return (*program.sources_of_points, *(pile.id for pile in program.model.chips))


class TallyLayout(NamedTuple):
    """The layout of a tally: the index at which each section begins."""

    seats: int
    sources: int
    plays: int

    @classmethod
    def of(cls, program: Program, *, logged: bool) -> TallyLayout:
        """Return the layout for a program. With `logged`, it has entries for every play (see `PLAY_COLUMNS`)."""
        return cls(program.seats, len(sources_of(program)), len(program.plays) if logged else 0)

    @property
    def by_seat(self) -> int:
        return HEAD

    @property
    def by_source(self) -> int:
        """The index at which the entries for sources of points begin, in order of source, column and seat."""
        return self.by_seat + self.seats * SEAT_COLUMNS

    @property
    def margins(self) -> int:
        """The index of the margins: each source's points for a sole winner minus those for the runner-up."""
        return self.by_source + self.sources * self.seats * SOURCE_COLUMNS

    @property
    def histograms(self) -> int:
        """The index at which the histograms of totals begin, in order of seat and bin."""
        return self.margins + self.sources

    @property
    def by_play(self) -> int:
        """The index at which the entries for plays begin, in order of play, turn and column."""
        return self.histograms + self.seats * BINS

    @property
    def size(self) -> int:
        return self.by_play + self.plays * MOST_TURNS * PLAY_COLUMNS
