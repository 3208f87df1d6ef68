"""Matrix games: what two seats can expect that choose at once, one the row and one the column, for the same number.

The row seat wants much, the column seat little. Most games of a draft have a saddle point in pure moves, which is
looked for first; of the others, moves that are never better than another are struck out (iterated dominance), and what
is left is solved in closed form if it is two by two, or else as a linear programme (von Neumann 1928; Dantzig 1951).
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
"""How far apart, in points, what either seat can make sure of may lie in the result of a linear programme."""


class MissingExtraError(ImportError):
    """A game needs mixing beyond two by two moves, and SciPy is not installed."""

    def __init__(self) -> None:
        super().__init__(needed_for("positions in which more than two moves are mixed", "exact"))


class Equilibrium(Struct, frozen=True):
    """A value, and a probability for every row and every column with which each seat makes sure of it."""

    value: float
    rows: tuple[float, ...]
    columns: tuple[float, ...]


def game_value(matrix: Matrix) -> float:
    """What the game is worth to the row seat."""
    sure = max(map(min, matrix))
    return sure if sure == min(map(max, zip(*matrix, strict=True))) else _mixed(matrix).value


def equilibrium(matrix: Matrix) -> Equilibrium:
    """The value, and an equilibrium: in pure moves if there is one (the first rows and columns of them)."""
    worst = [min(row) for row in matrix]
    best = [max(column) for column in zip(*matrix, strict=True)]
    sure = max(worst)
    if sure == min(best):
        return Equilibrium(sure, _only(worst.index(sure), len(worst)), _only(best.index(sure), len(best)))
    return _mixed(matrix)


def _only(index: int, size: int) -> tuple[float, ...]:
    return tuple(float(other == index) for other in range(size))


def _mixed(matrix: Matrix) -> Equilibrium:
    """The equilibrium of a game without a saddle point."""
    rows, columns = undominated(matrix)
    small = [[matrix[row][column] for column in columns] for row in rows]
    solved = _two_by_two(small) if len(rows) == len(columns) == 2 else _by_programme(small)  # noqa: PLR2004 (its name)
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
    """The rows and columns that are left when, again and again, those are struck out that are never better."""
    rows, columns = list(range(len(matrix))), list(range(len(matrix[0])))
    size = 0
    while size != len(rows) + len(columns):
        size = len(rows) + len(columns)
        rows = _best([tuple(matrix[row][column] for column in columns) for row in rows], rows)
        columns = _best([tuple(-matrix[row][column] for row in rows) for column in columns], columns)
    return rows, columns


def _best(lines: list[tuple[float, ...]], names: list[int]) -> list[int]:
    """The names of the lines that no other line equals or beats everywhere; of equal ones the first."""
    kept: list[int] = []
    for index, line in enumerate(lines):
        if not any(
            all(map(ge, other, line)) and (other != line or rival < index)
            for rival, other in enumerate(lines)
            if rival != index
        ):
            kept.append(names[index])
    return kept


def _two_by_two(matrix: Matrix) -> Equilibrium:
    """Both seats mix so that the other one gains nothing by either move."""
    (a, b), (c, d) = matrix
    total = a + d - b - c
    row, column = (d - c) / total, (d - b) / total
    return Equilibrium((a * d - b * c) / total, (row, 1 - row), (column, 1 - column))


def _by_programme(matrix: Matrix) -> Equilibrium:
    """As a linear programme: the row seat's mixture, and as prices of its limits the column seat's."""
    try:
        from scipy.optimize import linprog  # noqa: PLC0415 (an optional package that few positions need)
    except ImportError:
        raise MissingExtraError from None
    rows, columns = len(matrix), len(matrix[0])
    limits = [[-matrix[row][column] for row in range(rows)] + [1.0] for column in range(columns)]
    solved = linprog(
        [0.0] * rows + [-1.0],
        A_ub=limits,
        b_ub=[0.0] * columns,
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    by_row = _weights(solved.x[:rows])
    by_column = _weights(-solved.ineqlin.marginals)
    sure = min(sum(map(mul, by_row, column)) for column in zip(*matrix, strict=True))
    most = max(sum(map(mul, by_column, row)) for row in matrix)
    assert abs(most - sure) <= GAP, f"the linear programme is off by {most - sure} points"
    return Equilibrium((sure + most) / 2, by_row, by_column)


def _weights(values: Sequence[float]) -> tuple[float, ...]:
    """Probabilities without what rounding left of them."""
    kept = [max(0.0, float(weight)) for weight in values]
    total = sum(kept)
    return tuple(weight / total for weight in kept)
