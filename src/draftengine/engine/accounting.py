"""Tallies of finished games. They hold only sums, so any worker can count games in any order.

A *tally* is one flat vector of integers; two are merged by adding them. `draftengine.engine.kernel.playing` adds the
games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from draftengine.engine.program import Program

SHARES = 27720
"""The number of shares in a win. All of 1 to 12 divide it, so that tied seats get whole numbers."""
LOWEST, BINS = -200, 800
"""The first bin of the histogram of totals, and the number of bins; outliers count in the end bins."""
MOST_TURNS = 48

DIGEST_FACTOR = 0x9E3779B97F4A7C15
"""The digest of a game is multiplied by this factor after each total."""

GAMES, DECISIVE, MARGIN, TIED, SHARED, DIGEST, STOPPED, HEAD = range(8)
"""Indices of the head of a tally; `HEAD` is its length.

In order: games; games with one winner; the sum of their margins; games with several best totals; games with several
winners; the digest; games that could not go on.
"""
TOTAL, SQUARES, WON, WON_SQUARES, OUTRIGHT, SEAT_COLUMNS = range(6)
"""Columns of a seat.

In order: the sum of totals, and of their squares; the sum of shares of wins, and of their squares; wins that were not
shared.
"""
POINTS, TIMES, SOURCE_COLUMNS = range(3)
"""Columns of a source of points, each by seat.

The sum of points, and the number of games in which it gave any.
"""
TAKEN, TAKEN_WON, TAKEN_TOTAL, PLAY_COLUMNS = range(4)
"""Columns of a play in a turn.

The number of times it was made, and the shares of wins and the totals of the seats that made it.
"""


def sources_of(program: Program) -> tuple[str, ...]:
    """Return the names of everything that gives points: the program's sources, then the piles of chips."""
    return (*program.sources_of_points, *(pile.id for pile in program.model.chips))


class TallyLayout(NamedTuple):
    """Layout of a tally: the index at which each part begins."""

    seats: int
    sources: int
    plays: int

    @classmethod
    def of(cls, program: Program, *, logged: bool) -> TallyLayout:
        """Return the layout for a program. With `logged`, every play is counted too."""
        return cls(program.seats, len(sources_of(program)), len(program.plays) if logged else 0)

    @property
    def by_seat(self) -> int:
        return HEAD

    @property
    def by_source(self) -> int:
        """The start of the columns of sources of points: by source, column and seat."""
        return self.by_seat + self.seats * SEAT_COLUMNS

    @property
    def margins(self) -> int:
        """The start of the margins. By source: its points for a sole winner, minus those for the runner-up."""
        return self.by_source + self.sources * self.seats * SOURCE_COLUMNS

    @property
    def histograms(self) -> int:
        """The start of the histograms of totals: by seat and bin."""
        return self.margins + self.sources

    @property
    def by_play(self) -> int:
        """The start of the columns of plays: by play, turn and column."""
        return self.histograms + self.seats * BINS

    @property
    def size(self) -> int:
        return self.by_play + self.plays * MOST_TURNS * PLAY_COLUMNS
