"""What is counted of finished games: sums only, so that games can be counted in any order and anywhere.

A tally is one flat vector of whole numbers, and two are merged by adding them. `account` runs as it stands under the
reference engine; `draftengine.compiled.tally` counts the same where games are compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence

SEAT_STRIDE = 16
SHARES = 27720
"""A win, in units that 2 to 12 seats can share."""
LOWEST, BINS = -200, 800
"""The histogram of totals: its first bin, and how many there are; totals beyond count in the bins at its ends."""
MOST_TURNS = 48

DIGEST_FACTOR = 0x9E3779B97F4A7C15
"""What the digest of a game is multiplied by after every total."""

GAMES, DECISIVE, MARGIN, TIED, SHARED, DIGEST, HEAD = range(7)
"""Games; games with one winner, and by how many points in all; games with several best totals, with several winners."""
TOTAL, SQUARES, WON, WON_SQUARES, OUTRIGHT, SEAT_COLUMNS = range(6)
"""Columns of a seat: sums of totals and of their squares, of shares of wins and of their squares, wins unshared."""
POINTS, TIMES, SOURCE_COLUMNS = range(3)
"""For a source of points, a column for each seat of: the sum of points, and the games in which it gave any."""
TAKEN, TAKEN_WON, TAKEN_TOTAL, PLAY_COLUMNS = range(4)
"""Columns of a play in a turn: how often it was made, shares of wins, and totals of who made it."""


class Shape(NamedTuple):
    """How large a tally is, and where its parts begin."""

    seats: int
    sources: int
    plays: int

    @property
    def by_seat(self) -> int:
        return HEAD

    @property
    def by_source(self) -> int:
        """By source, column and seat."""
        return self.by_seat + self.seats * SEAT_COLUMNS

    @property
    def margins(self) -> int:
        """By source: how much the winner had from it more than the runner-up, in games with one winner."""
        return self.by_source + self.sources * self.seats * SOURCE_COLUMNS

    @property
    def histograms(self) -> int:
        """By seat and total."""
        return self.margins + self.sources

    @property
    def by_play(self) -> int:
        """By play and turn."""
        return self.histograms + self.seats * BINS

    @property
    def size(self) -> int:
        return self.by_play + self.plays * MOST_TURNS * PLAY_COLUMNS


def parts_of(shape: Shape, *, most_wins: bool) -> tuple[int, ...]:
    """What `account` has to be told of a tally and the game."""
    sign = 1 if most_wins else -1
    return shape.by_seat, shape.by_source, shape.margins, shape.histograms, shape.by_play, sign


def account(
    tally: MutableSequence[int],
    shape: Sequence[int],
    parts: Sequence[int],
    game: Sequence[int],
    totals: int,
    points: int,
    winners: int,
    log: int,
    logged: int,
) -> None:
    """Count a finished game. `winners` has a bit for each seat that won.

    In `game` the seats' totals begin at `totals`, their points at `points`, a row of `SEAT_STRIDE` for each source, and
    the plays that were logged at `log`.
    `parts` says where the parts of the tally begin, and whether most (1) or fewest points (-1) win (see `parts_of`).
    """
    seats, sources = shape[0], shape[1]
    sign = parts[5]
    count, best, tied, winner = 0, -(1 << 40), 0, 0
    for seat in range(seats):
        count += winners >> seat & 1
        if winners >> seat & 1:
            winner = seat
        if sign * game[totals + seat] == best:
            tied += 1
        elif sign * game[totals + seat] > best:
            best, tied = sign * game[totals + seat], 0
    share = SHARES // max(count, 1)
    tally[GAMES] += 1
    tally[TIED] += tied > 0
    tally[SHARED] += count > 1
    for seat in range(seats):
        row = parts[0] + seat * SEAT_COLUMNS
        total = game[totals + seat]
        tally[row + TOTAL] += total
        tally[row + SQUARES] += total * total
        tally[parts[3] + seat * BINS + max(0, min(BINS - 1, total - LOWEST))] += 1
        if winners >> seat & 1:
            tally[row + WON] += share
            tally[row + WON_SQUARES] += share * share
            tally[row + OUTRIGHT] += count == 1
    second = winner
    if count == 1 and seats > 1:
        second = 1 if winner == 0 else 0
        for seat in range(seats):
            if seat != winner and sign * game[totals + seat] > sign * game[totals + second]:
                second = seat
        tally[DECISIVE] += 1
        tally[MARGIN] += sign * (game[totals + winner] - game[totals + second])
    row = parts[1]
    for source in range(sources):
        first = points + source * SEAT_STRIDE
        for seat in range(seats):
            tally[row + seat] += game[first + seat]
            tally[row + seats + seat] += game[first + seat] != 0
        row += seats * SOURCE_COLUMNS
        tally[parts[2] + source] += sign * (game[first + winner] - game[first + second])
    for number in range(logged):
        seat, turn, play = game[log + number] >> 32, game[log + number] >> 16 & 0xFFFF, game[log + number] & 0xFFFF
        row = parts[4] + (play * MOST_TURNS + min(turn, MOST_TURNS - 1)) * PLAY_COLUMNS
        tally[row + TAKEN] += 1
        tally[row + TAKEN_TOTAL] += game[totals + seat]
        if winners >> seat & 1:
            tally[row + TAKEN_WON] += share
