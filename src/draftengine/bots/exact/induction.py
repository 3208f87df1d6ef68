"""Backward induction over the rest of a round, with a matrix game at every position.

An entry of the matrix is the value of the position that the pair of moves leads to. This is the textbook method for
finite games of simultaneous moves (Buro 2003; Bošanský, Lisý, Lanctot, Čermák and Winands, "Algorithms for computing
strategies in two-player simultaneous move games", 2016), with a table of positions.
"""

from __future__ import annotations

from operator import mul
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.bots.exact.matrix import equilibrium, game_value
from draftengine.bots.exact.tree import LIMIT, Tree

if TYPE_CHECKING:
    from draftengine.bots.exact.tree import EndValue, EquivalentMoves, Node
    from draftengine.engine.moves import Move
    from draftengine.engine.state import GameState


class Solution(Struct, frozen=True):
    """Value and equilibrium of a position."""

    value: float
    """Margin of seat 0 at the end of the round, in points, if both play an equilibrium."""
    moves: tuple[tuple[Move, ...], tuple[Move, ...]]
    """Legal moves of each seat, in ascending order; only the empty move if the seat has no choice."""
    strategies: tuple[tuple[float, ...], tuple[float, ...]]
    """Probability of each move in one equilibrium. All equilibria have one value."""
    matrix: tuple[tuple[float, ...], ...]
    """Margins by the move of seat 0 and the move of seat 1, if both continue with an equilibrium."""
    states: int
    """Number of different positions with a choice that were evaluated, including this one."""


def solve(state: GameState, *, limit: int = LIMIT, value: EndValue | None = None) -> Solution:
    """Return the value of a position and an equilibrium, up to the end of the round.

    `value` rates the end of the round for seat 0. It gets the state after scoring and before the next deal, or after
    the game. It may read what rules read: points, counters, markers. The default is
    `draftengine.bots.exact.horizon.margin`. Pending commitments of seats are ignored.

    Raise `NotSolvableError` where chance or hidden cards decide something before the round is over, with any number of
    players but two, and above `limit` positions. Raise `MissingExtraError` where SciPy is needed.
    """
    return RoundSolver(state, limit=limit, value=value).solution(state)


class RoundSolver(Tree):
    """Solver for one round of one game; quicker than `solve` for several positions of the round."""

    def __init__(self, state: GameState, *, limit: int = LIMIT, value: EndValue | None = None) -> None:
        super().__init__(state, limit, value)

    def judge(self, node: Node) -> float:
        return game_value(self._games(node)[2])

    def solution(self, state: GameState) -> Solution:
        """Return the solution of the first position or of a later one. Raise `NotSolvableError`."""
        self.solvable.check(state)
        start = state.clone()
        start.chosen = {}
        start.memory = None
        self.value_of(start)
        rows, columns, small = self._games(self.node(start))
        solved = equilibrium(small)
        by_row, by_column = _by_move(rows), _by_move(columns)
        return Solution(
            value=solved.value,
            moves=(tuple(by_row), tuple(by_column)),
            strategies=(_first_of_each(rows, solved.rows), _first_of_each(columns, solved.columns)),
            matrix=tuple(tuple(small[row][column] for column in by_column.values()) for row in by_row.values()),
            states=self.states,
        )

    def _games(self, node: Node) -> tuple[tuple[EquivalentMoves, ...], tuple[EquivalentMoves, ...], list[list[float]]]:
        """Return the classes of moves of both seats, and the matrix of their values."""
        rows, columns = self.pairs(node)
        return rows, columns, [[self.after(node, row, column) for column in columns] for row in rows]


def _by_move(classes: tuple[EquivalentMoves, ...]) -> dict[Move, int]:
    """Return the index of the class of every move, with the moves in ascending order."""
    return dict(sorted((move, place) for place, alike in enumerate(classes) for move in alike.moves))


def _first_of_each(classes: tuple[EquivalentMoves, ...], weights: tuple[float, ...]) -> tuple[float, ...]:
    """Return the weight of every move: the first move of a class gets the weight of the class."""
    by_move = {alike.moves[0]: weight for alike, weight in zip(classes, weights, strict=True)}
    return tuple(by_move.get(move, 0.0) for move in _by_move(classes))


def losses(solution: Solution, seat: int) -> tuple[float, ...]:
    """Return the points that each move of a seat loses against the opponent's equilibrium.

    None is below 0, except for rounding. Moves that the seat makes in the equilibrium lose 0.
    """
    against = solution.strategies[1 - seat]
    lines = zip(*solution.matrix, strict=True) if seat else solution.matrix
    margins = [sum(map(mul, line, against)) for line in lines]
    return tuple(margin - solution.value if seat else solution.value - margin for margin in margins)
