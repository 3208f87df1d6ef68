"""Matrix games: one seat chooses a row, the other a column at the same time. The entry is the payoff.

The row seat maximises the payoff, the column seat minimises it. Most games in a draft have a saddle point in pure
moves, which is tried first. Otherwise dominated moves are removed repeatedly. What remains is solved in closed form if
it is two by two, otherwise as a linear program (von Neumann 1928; Dantzig 1951).
"""

from __future__ import annotations

from operator import ge, mul
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.support.optional import needed_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    Matrix = Sequence[Sequence[float]]

GAP = 1e-9
"""The largest accepted difference, in points, between what a linear program guarantees to both seats."""


class MissingExtraError(ImportError):
    """The error for an equilibrium that mixes more than two moves, if SciPy is not installed."""

    def __init__(self) -> None:
        super().__init__(str(needed_for("mixed", "exact")))


class Equilibrium(Struct, frozen=True):
    """The value of a game, and for each seat a mix of moves that guarantees this value."""

    value: float
    rows: tuple[float, ...]
    columns: tuple[float, ...]


def game_value(matrix: Matrix) -> float:
    """Return the value of the game to the row seat."""
    sure = max(map(min, matrix))
    return sure if sure == min(map(max, zip(*matrix, strict=True))) else _mixed(matrix).value


def equilibrium(matrix: Matrix) -> Equilibrium:
    """Return the value and an equilibrium: the first pure one or, if there is none, a mixed one."""
    worst = [min(row) for row in matrix]
    best = [max(column) for column in zip(*matrix, strict=True)]
    sure = max(worst)
    if sure == min(best):
        return Equilibrium(sure, _only(worst.index(sure), len(worst)), _only(best.index(sure), len(best)))
    return _mixed(matrix)


def _only(index: int, size: int) -> tuple[float, ...]:
    return tuple(float(other == index) for other in range(size))


def _mixed(matrix: Matrix) -> Equilibrium:
    """Return an equilibrium of a game that has no saddle point."""
    rows, columns = undominated(matrix)
    small = [[matrix[row][column] for column in columns] for row in rows]
    if len(rows) == len(columns) == 2:  # noqa: PLR2004 (two by two: neither seat gains by changing its move)
        (a, b), (c, d) = small
        total = a + d - b - c
        row, column = (d - c) / total, (d - b) / total
        solved = Equilibrium((a * d - b * c) / total, (row, 1 - row), (column, 1 - column))
    else:
        # The solution of a linear program is the mix of rows, and its dual variables are the mix of columns.
        try:
            from scipy.optimize import linprog  # noqa: PLC0415 (an optional package that few positions need)
        except ImportError:
            raise MissingExtraError from None
        programme = linprog(
            [0.0] * len(rows) + [-1.0],
            A_ub=[[-line[column] for line in small] + [1.0] for column in range(len(columns))],
            b_ub=[0.0] * len(columns),
            A_eq=[[1.0] * len(rows) + [0.0]],
            b_eq=[1.0],
            bounds=[(0, None)] * len(rows) + [(None, None)],
            method="highs",
        )
        by_row, by_column = _weights(programme.x[: len(rows)]), _weights(-programme.ineqlin.marginals)
        sure = min(sum(map(mul, by_row, line)) for line in zip(*small, strict=True))
        most = max(sum(map(mul, by_column, line)) for line in small)
        assert abs(most - sure) <= GAP, f"the linear programme is off by {most - sure} points"
        solved = Equilibrium((sure + most) / 2, by_row, by_column)
    return Equilibrium(
        solved.value,
        _spread(solved.rows, rows, len(matrix)),
        _spread(solved.columns, columns, len(matrix[0])),
    )


def _spread(weights: tuple[float, ...], places: list[int], size: int) -> tuple[float, ...]:
    spread = [0.0] * size
    for place, weight in zip(places, weights, strict=True):
        spread[place] = weight
    return tuple(spread)


def undominated(matrix: Matrix) -> tuple[list[int], list[int]]:
    """Return the indices of rows and columns that remain after removing dominated ones repeatedly."""
    rows, columns = list(range(len(matrix))), list(range(len(matrix[0])))
    size = 0
    while size != len(rows) + len(columns):
        size = len(rows) + len(columns)
        rows = _best([tuple(matrix[row][column] for column in columns) for row in rows], rows)
        columns = _best([tuple(-matrix[row][column] for row in rows) for column in columns], columns)
    return rows, columns


def _best(lines: list[tuple[float, ...]], names: list[int]) -> list[int]:
    """Return the names of the lines that no other line dominates. Of equal lines, the first is kept."""
    kept: list[int] = []
    for index, line in enumerate(lines):
        if not any(
            all(map(ge, other, line)) and (other != line or rival < index)
            for rival, other in enumerate(lines)
            if rival != index
        ):
            kept.append(names[index])
    return kept


def _weights(values: Sequence[float]) -> tuple[float, ...]:
    """Return the values as probabilities: negative rounding errors become 0, and the sum becomes 1."""
    kept = [max(0.0, float(weight)) for weight in values]
    total = sum(kept)
    return tuple(weight / total for weight in kept)
