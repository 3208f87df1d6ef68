"""Moments of a figure: mergeable sums over games, from which its value and interval are computed.

A figure has one or several *parts*. A part is a ratio of two means, *top* over *bottom*; the bottom is 1 in every game
if the part is no ratio. Each part has four columns: top and bottom under the tried rules and, in paired games, under
the present rules (*now*). Their sums and the sums of all products of two columns are counted. So the difference between
the rules is known far more precisely than either value.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import inf, sqrt
from operator import mul
from typing import TYPE_CHECKING

from draftengine.engine.accounting import SHARES, sources_of
from draftengine.studies.report.confidence_sequences import Estimate, half_width

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.engine.program import Program
    from draftengine.studies.runner.playing import Rows
    from draftengine.studies.tune.targets import Figure

Part = tuple[list[int], list[int]]
"""Top and bottom of a ratio, each by game."""

TOP, BOTTOM, TOP_NOW, BOTTOM_NOW = range(4)
PAIRS = list(combinations_with_replacement(range(4), 2))
"""Pairs of columns whose products are summed."""
SIZE = 4 + len(PAIRS)
"""Number of sums of a part."""


def parts_of(program: Program, figure: Figure, rows: Rows) -> list[Part]:
    """Return the parts of a figure, with their values in every game."""
    return _PARTS[figure.kind](_Games(program, rows), figure.of)


def unit_of(program: Program, figure: Figure) -> float:
    """Return the factor that turns the ratio of the sums into the figure that people read."""
    if figure.kind in {"wins", "advantage"}:
        return 100 / SHARES
    if figure.kind in {"score", "points"}:
        return 1 / program.seats
    return 100 if figure.percent else 1


def sums_of(parts: Sequence[Part], now: Sequence[Part]) -> list[int]:
    """Return the sums of all parts, `SIZE` for each."""
    sums: list[int] = []
    for (top, bottom), (top_now, bottom_now) in zip(parts, now, strict=True):
        columns = (top, bottom, top_now, bottom_now)
        sums += map(sum, columns)
        sums += (sum(map(mul, columns[one], columns[two])) for one, two in PAIRS)
    return sums


class _Games:
    """Rows of some games, with one method for each kind of figure."""

    def __init__(self, program: Program, rows: Rows) -> None:
        self.program = program
        self.rows = rows
        self.once = [1] * len(rows)
        self.winners = [row[program.seats] for row in rows]

    def wins(self, seat: int) -> Part:
        return [SHARES // bits.bit_count() if bits >> seat & 1 else 0 for bits in self.winners], self.once

    def every_seat(self) -> list[Part]:
        return [self.wins(seat) for seat in range(self.program.players)]

    def score(self) -> Part:
        return [sum(row[: self.program.seats]) for row in self.rows], self.once

    def score_of(self, seat: int) -> Part:
        return [row[seat] for row in self.rows], self.once

    def winning(self) -> Part:
        return [row[_first(bits)] for row, bits in zip(self.rows, self.winners, strict=True)], self.once

    def shared(self) -> Part:
        return [int(bits.bit_count() > 1) for bits in self.winners], self.once

    def points(self, rule: str) -> Part:
        return [sum(row[column] for column in self._columns(rule)) for row in self.rows], self.once

    def margin(self) -> Part:
        ahead = [self._ahead(row, bits) for row, bits in zip(self.rows, self.winners, strict=True)]
        return [self._lead(row, who, 0) for row, who in zip(self.rows, ahead, strict=True)], [
            int(who is not None) for who in ahead
        ]

    def share(self, rule: str) -> Part:
        seats = self.program.seats
        firsts = [column for column in self._columns(rule) if (column - 1) % seats == 0]
        tops, bottoms = [], []
        for row, bits in zip(self.rows, self.winners, strict=True):
            who = self._ahead(row, bits)
            tops.append(sum(self._lead(row, who, first) for first in firsts))
            bottoms.append(self._lead(row, who, 0))
        return tops, bottoms

    def _columns(self, rule: str) -> list[int]:
        """Return the columns of a row with the points of a rule, seat by seat for each of its sources."""
        seats, names = self.program.seats, sources_of(self.program)
        starts = [seats + 1 + place * seats for place, name in enumerate(names) if name == rule]
        return [start + seat for start in starts for seat in range(seats)]

    def _ahead(self, row: list[int], winners: int) -> tuple[int, int] | None:
        """Return the only winner and the next best seat, or ``None`` for several winners or a single seat."""
        if winners.bit_count() != 1 or self.program.seats == 1:
            return None
        winner = _first(winners)
        others = (seat for seat in range(self.program.seats) if seat != winner)
        return winner, max(others, key=lambda seat: self.program.direction * row[seat])

    def _lead(self, row: list[int], who: tuple[int, int] | None, first: int) -> int:
        """Return the winner's lead over the next seat in columns from `first` on; 0 without a winner."""
        return 0 if who is None else self.program.direction * (row[first + who[0]] - row[first + who[1]])


def _first(winners: int) -> int:
    return (winners & -winners).bit_length() - 1


_PARTS: dict[str, Callable[[_Games, str], list[Part]]] = {
    "score": lambda games, _: [games.score()],
    "score_of": lambda games, seat: [games.score_of(int(seat))],
    "winning": lambda games, _: [games.winning()],
    "margin": lambda games, _: [games.margin()],
    "advantage": lambda games, _: games.every_seat(),
    "wins": lambda games, seat: [games.wins(int(seat))],
    "shared": lambda games, _: [games.shared()],
    "points": lambda games, rule: [games.points(rule)],
    "share": lambda games, rule: [games.share(rule)],
}


class Moments:
    """Value, interval and change of a figure from its sums.

    `error` is the probability that its intervals are wrong at any moment, shared among the parts.
    """

    def __init__(self, program: Program, figure: Figure, games: int, sums: Sequence[int], error: float) -> None:
        self.figure = figure
        self.games = games
        self.unit = unit_of(program, figure)
        self.most = SHARES if figure.kind in {"wins", "advantage"} else 1
        self.even = 100 / program.players
        count = len(sums) // SIZE
        self.parts = [sums[SIZE * part : SIZE * (part + 1)] for part in range(count)]
        self.half = half_width(games, error / max(count, 1))

    def estimate(self) -> Estimate:
        """Return the figure with its interval. A seat advantage is the largest deviation from an even share."""
        estimates = [self._ratio(part) for part in self.parts]
        if self.figure.kind != "advantage":
            return estimates[0]
        away = [(abs(estimate.value - self.even), estimate.high - estimate.value) for estimate in estimates]
        return Estimate(
            max(far for far, _ in away),
            max(0.0, *(far - half for far, half in away)),
            max(far + half for far, half in away),
        )

    def deviation(self) -> float:
        """Return the standard deviation of the figure in one game; with several parts the largest."""
        return max(_spread(self._weights(part), part, self.games) for part in self.parts) * self.unit

    def change(self) -> Estimate | None:
        """Return the difference of the figure from its value under the present rules, in paired games.

        Figures of several parts have none: the result is ``None``.
        """
        if len(self.parts) != 1:
            return None
        (part,) = self.parts
        if not part[BOTTOM] or not part[BOTTOM_NOW]:
            return Estimate(0.0, -inf, inf)
        weights = [weight - now for weight, now in zip(self._weights(part), _now(part, self.games), strict=True)]
        value = (part[TOP] / part[BOTTOM] - part[TOP_NOW] / part[BOTTOM_NOW]) * self.unit
        half = self.half * _spread(weights, part, self.games, self._otherwise(part)) * self.unit
        return Estimate(value, value - half, value + half)

    def _ratio(self, part: Sequence[int]) -> Estimate:
        if not part[BOTTOM]:
            return Estimate(0.0, -inf, inf)
        value = part[TOP] / part[BOTTOM] * self.unit
        half = self.half * _spread(self._weights(part), part, self.games, self._otherwise(part)) * self.unit
        low, high = value - half, value + half
        return Estimate(value, max(low, 0.0), min(high, 100.0)) if self.figure.shares else Estimate(value, low, high)

    def _otherwise(self, part: Sequence[int]) -> float:
        """Return the deviation of an assumed further game, which widens the interval.

        Something that never happened in a few hundred games may still happen, and their spread alone ignores that.
        """
        return self.most if self.figure.shares else max(1.0, abs(part[TOP]) / self.games)

    def _weights(self, part: Sequence[int]) -> list[float]:
        """Return the weights of the four columns in the linearised ratio of top to bottom."""
        if not part[BOTTOM]:
            return [0.0] * 4
        bottom = part[BOTTOM] / self.games
        return [1 / bottom, -part[TOP] / part[BOTTOM] / bottom, 0.0, 0.0]


def _now(part: Sequence[int], games: int) -> list[float]:
    bottom = part[BOTTOM_NOW] / games
    return [0.0, 0.0, 1 / bottom, -part[TOP_NOW] / part[BOTTOM_NOW] / bottom]


def _spread(weights: Sequence[float], part: Sequence[int], games: int, otherwise: float = 0.0) -> float:
    """Return the standard deviation of a weighted sum of the four columns in one game.

    It includes one assumed game more whose top deviates by `otherwise`.
    """
    if games < 2:  # noqa: PLR2004 (one game varies by nothing)
        return inf
    squares = sum(
        weights[one] * weights[two] * product * (1 if one == two else 2)
        for (one, two), product in zip(PAIRS, part[4:], strict=True)
    )
    return sqrt((max(squares, 0.0) + (weights[TOP] * otherwise) ** 2) / (games - 1))
