"""Backward induction over the rest of a round: a matrix game at every position, its entries the positions after it.

This is the textbook method for finite games of simultaneous moves (Buro 2003; Bošanský, Lisý, Lanctot, Čermák and
Winands, "Algorithms for computing strategies in two-player simultaneous move games", 2016), with a table of positions.
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
    """A position, solved."""

    value: float
    """Points that seat 0 is ahead by where the round ends, if both play an equilibrium."""
    moves: tuple[tuple[Move, ...], tuple[Move, ...]]
    """The legal moves of each seat, in ascending order; the empty move alone if it has nothing to choose."""
    strategies: tuple[tuple[float, ...], tuple[float, ...]]
    """An equilibrium: the probability of each move. There may be others; their value is the same."""
    matrix: tuple[tuple[float, ...], ...]
    """Margins by the move of seat 0 and the move of seat 1, if both go on with an equilibrium."""
    states: int
    """How many different positions with a choice were looked at, this one included."""


def solve(state: GameState, *, limit: int = LIMIT, value: EndValue | None = None) -> Solution:
    """The value of a position, and an equilibrium of it, up to the end of the round.

    `value` says what the end of the round is worth to seat 0, from the state after its scoring and before the next
    deal (or after the game); left out, it is `draftengine.bots.exact.horizon.margin`. It may look at what rules look
    at: points, counters, markers. Moves that seats have committed to are taken back first.

    Raises `NotSolvableError` where chance or hidden cards decide something before the round is over, where there are
    more than two players, and where there are more than `limit` positions; `MissingExtraError` where SciPy is needed.
    """
    return RoundSolver(state, limit=limit, value=value).solution(state)


class RoundSolver(Tree):
    """The rest of one round of one game: to solve several of its positions, it is quicker than `solve`."""

    def __init__(self, state: GameState, *, limit: int = LIMIT, value: EndValue | None = None) -> None:
        super().__init__(state, limit, value)

    def judge(self, node: Node) -> float:
        return game_value(self._games(node)[2])

    def solution(self, state: GameState) -> Solution:
        """The solution of the first position or one that comes later. Raises `NotSolvableError`."""
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
        """The moves of both seats and the matrix of what comes of them."""
        rows, columns = self.pairs(node)
        return rows, columns, [[self.after(node, row, column) for column in columns] for row in rows]


def _by_move(classes: tuple[EquivalentMoves, ...]) -> dict[Move, int]:
    """The place of its class for every move, in ascending order."""
    return dict(sorted((move, place) for place, alike in enumerate(classes) for move in alike.moves))


def _first_of_each(classes: tuple[EquivalentMoves, ...], weights: tuple[float, ...]) -> tuple[float, ...]:
    """The weights by move: of moves that come to the same, the first one is made."""
    by_move = {alike.moves[0]: weight for alike, weight in zip(classes, weights, strict=True)}
    return tuple(by_move.get(move, 0.0) for move in _by_move(classes))


def losses(solution: Solution, seat: int) -> tuple[float, ...]:
    """Points that each move of a seat loses against an opponent who plays the equilibrium of the solution.

    None is below 0 (but for rounding), and those of moves that the seat makes in the equilibrium are 0.
    """
    against = solution.strategies[1 - seat]
    lines = zip(*solution.matrix, strict=True) if seat else solution.matrix
    margins = [sum(map(mul, line, against)) for line in lines]
    return tuple(margin - solution.value if seat else solution.value - margin for margin in margins)
