"""What a copy of a card is worth to whoever plays it: points beside those of an average card.

Within each game the scores of the players are regressed on how many copies of every card each of them played, both less
their mean at that table. So a deal that is rich for everybody says nothing, and unlike how often who plays a card wins,
a card is not given what the cards in its company bring. This is the *within* estimator of fixed effects, with the game
as group. How sure it is comes from leaving out one of `GROUPS` parts of the games after the other (the delete-a-group
jackknife: Kott, *Journal of Official Statistics* 17, 2001), so games count as a whole, not each seat by itself.

The average card, by how often cards are played, is 0. All holds for players like those who played: what a card is worth
depends on what others do.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from draftengine.engine.accounting import sources_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.program import Program
    from draftengine.studies.runner.playing import Rows

SAMPLED = 5_000
"""So many games are looked at."""
GROUPS = 25
"""Into so many parts the games are dealt, one after the other."""
_T = 2.064
"""Student's t at 97.5 percent for one degree of freedom less than there are parts."""
_FEWEST = 4 * GROUPS
"""With fewer games nothing is said."""
_RIDGE = 1e-9
"""What is added to the equations, in parts of them, so that they have one solution where cards only go together."""

_LEVEL = 1e-6
"""What is added for the worth of all cards together, which nothing tells if everybody plays equally many."""

Worth = tuple[float, float, float]
"""What a copy is worth, and the ends of its interval of 95 percent."""


class _Sums:
    """Of some games, less the means at their tables: products of copies, and of copies and scores."""

    def __init__(self, size: int) -> None:
        self.squares = [[0.0] * size for _ in range(size)]
        self.products = [0.0] * size


class Worths:
    """Counts games, and says what cards are worth in them."""

    def __init__(self, program: Program) -> None:
        self.players = program.players
        self.size = len(program.plays)
        self.sign = program.direction
        self.first = program.seats * (1 + len(sources_of(program))) + 1
        self.seats = program.seats
        self.games = 0
        self.played = [0] * self.size
        self.groups = [_Sums(self.size) for _ in range(GROUPS)]

    def add(self, first: int, rows: Rows) -> None:
        """Look at the rows of games from number `first` on, with their plays; those beyond the sample are left out."""
        for number, row in enumerate(rows[: max(0, SAMPLED - first)], first):
            self._add(self.groups[number % GROUPS], row)

    def _add(self, sums: _Sums, row: list[int]) -> None:
        plays = row[self.first :]
        by_seat = [
            [(play, plays[play * self.seats + seat]) for play in range(self.size) if plays[play * self.seats + seat]]
            for seat in range(self.players)
        ]
        scores = [self.sign * row[seat] for seat in range(self.players)]
        mean = sum(scores) / self.players
        together: dict[int, int] = {}
        for copies, score in zip(by_seat, scores, strict=True):
            for play, count in copies:
                together[play] = together.get(play, 0) + count
                sums.products[play] += count * (score - mean)
                squares = sums.squares[play]
                for other, more in copies:
                    squares[other] += count * more
        for play, count in together.items():
            self.played[play] += count
            squares = sums.squares[play]
            for other, more in together.items():
                squares[other] -= count * more / self.players
        self.games += 1

    def found(self) -> list[Worth | None]:
        """What a copy of each play is worth; ``None`` if it was never made, or if there were too few games."""
        met = [play for play in range(self.size) if self.played[play]]
        if self.games < _FEWEST or self.players < 2 or len(met) < 2:  # noqa: PLR2004 (nobody or nothing to compare with)
            return [None] * self.size
        whole = self._solved(met, -1)
        parts = [self._solved(met, group) for group in range(GROUPS)]
        worths: list[Worth | None] = [None] * self.size
        for index, play in enumerate(met):
            mean = sum(part[index] for part in parts) / GROUPS
            spread = sum((part[index] - mean) ** 2 for part in parts) * (GROUPS - 1) / GROUPS
            half = _T * sqrt(spread)
            worths[play] = whole[index], whole[index] - half, whole[index] + half
        return worths

    def _solved(self, met: Sequence[int], without: int) -> list[float]:
        """The worth of the plays that were made, by all games but those of one group."""
        groups = [group for number, group in enumerate(self.groups) if number != without]
        square = [[sum(group.squares[one][other] for group in groups) for other in met] for one in met]
        product = [sum(group.products[one] for group in groups) for one in met]
        total = sum(self.played[play] for play in met)
        weights = [self.played[play] / total for play in met]
        scale = (
            max(square[index][index] for index in range(len(met))) or 1
        )  # nobody ever played more of anything than others
        for one, weight in enumerate(weights):
            square[one][one] += _RIDGE * scale
            for other, also in enumerate(weights):
                square[one][other] += _LEVEL * scale * weight * also
        worth = _solve(square, product)
        average = sum(weight * value for weight, value in zip(weights, worth, strict=True))
        return [value - average for value in worth]


def _solve(square: list[list[float]], product: list[float]) -> list[float]:
    """The solution of linear equations with a positive definite matrix, by Gauss's elimination."""
    size = len(product)
    rows = [[*square[index], product[index]] for index in range(size)]
    for index in range(size):
        best = max(range(index, size), key=lambda row: abs(rows[row][index]))
        rows[index], rows[best] = rows[best], rows[index]
        pivot = rows[index]
        for below in rows[index + 1 :]:
            factor = below[index] / pivot[index]
            if factor:
                for column in range(index, size + 1):
                    below[column] -= factor * pivot[column]
    solution = [0.0] * size
    for index in reversed(range(size)):
        known = sum(rows[index][column] * solution[column] for column in range(index + 1, size))
        solution[index] = (rows[index][size] - known) / rows[index][index]
    return solution
