"""The positions of the rest of a round; each is evaluated once, however it is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.bots.exact.horizon import margin
from draftengine.bots.exact.solvable import SEATS, SolvableRound
from draftengine.bots.exact.unsolvable import NotSolvableError
from draftengine.engine.moves import legal_moves

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.bots.exact.solvable import Side
    from draftengine.engine.moves import Move
    from draftengine.engine.state import GameState

    EndValue = Callable[[GameState], float]

LIMIT = 200_000
"""Limit of evaluated positions: about ten seconds, enough for hands of seven or eight cards."""

PAIRS = 1_000_000
"""Limit of pairs of moves that are compared in one position."""

NOTHING: tuple[Move, ...] = ((),)
"""The moves of a seat that has no choice: only the empty move."""


class EquivalentMoves(Struct, frozen=True):
    """Moves of a seat that have equal results."""

    moves: tuple[Move, ...]
    side: Side | None
    """The seat's side after any of the moves; ``None`` if moves cannot be evaluated separately."""


class Node(Struct, frozen=True):
    """A position with a choice, and the parts of its key."""

    state: GameState
    table: tuple[object, ...]
    sides: tuple[Side, ...]


class Tree:
    """Positions and their values to seat 0; subclasses define how seats play."""

    def __init__(self, state: GameState, limit: int, value: EndValue | None) -> None:
        self.solvable = SolvableRound(state)
        self.limit = limit
        self._end_value: EndValue = value or margin
        self._known: dict[object, float] = {}
        """Values by key of position."""
        self._after: dict[object, float] = {}
        """Values by the key after all moves are made and before anything else happens."""
        self._alike: dict[object, tuple[EquivalentMoves, ...]] = {}
        """Moves of a seat, grouped, by its side."""

    def judge(self, node: Node) -> float:
        """Return the value to seat 0 of a position that has not been evaluated yet."""
        raise NotImplementedError

    @property
    def states(self) -> int:
        """The number of different positions with a choice that were evaluated."""
        return len(self._known)

    def node(self, state: GameState) -> Node:
        """Return the node of a state."""
        solvable = self.solvable
        return Node(
            state, solvable.table(state), tuple(solvable.side(state, seat) for seat in range(state.program.seats))
        )

    def value_of(self, state: GameState) -> float:
        """Return the value of a position to seat 0. Raise `NotSolvableError` if there are too many positions."""
        node = self.node(state)
        key = (node.table, node.sides)
        known = self._known.get(key)
        if known is None:
            known = self.judge(node)
            if len(self._known) >= self.limit:
                raise NotSolvableError(f"there are more than {self.limit} positions before the round is over")
            self._known[key] = known
        return known

    def moves(self, node: Node, seat: int) -> tuple[EquivalentMoves, ...]:
        """Return the legal moves of a seat, grouped by result. Raise `NotSolvableError` for too many."""
        state = node.state
        if seat not in state.pending:
            return (EquivalentMoves(NOTHING, node.sides[seat]),)
        legal = legal_moves(state, seat)
        if not legal.few:
            raise NotSolvableError(f"a seat has {legal.total} moves, and that is too many to compare")
        if state.pc not in self.solvable.apart:
            return tuple(EquivalentMoves((move,), None) for move in legal)
        key = (state.pc, seat, node.sides[seat])
        known = self._alike.get(key)
        if known is None:
            groups: dict[Side, list[Move]] = {}
            for move in legal:
                groups.setdefault(self.solvable.side_after(state, seat, move), []).append(move)
            known = self._alike[key] = tuple(EquivalentMoves(tuple(moves), side) for side, moves in groups.items())
        return known

    def pairs(self, node: Node) -> tuple[tuple[EquivalentMoves, ...], tuple[EquivalentMoves, ...]]:
        """Return the moves of both seats. Raise `NotSolvableError` if there are too many pairs."""
        rows, columns = (self.moves(node, seat) for seat in range(SEATS))
        if len(rows) * len(columns) > PAIRS:
            raise NotSolvableError(f"there are more than {PAIRS} pairs of moves in one position")
        return rows, columns

    def after(self, node: Node, row: EquivalentMoves, column: EquivalentMoves) -> float:
        """Return the value to seat 0 after seat 0 and seat 1 have made these moves."""
        if row.side is None or column.side is None:
            return self._step(node, row, column)
        before = tuple(node.state.words) if self.solvable.looks_back else None
        key = (node.table, before, row.side, column.side, node.sides[SEATS:])
        known = self._after.get(key)
        if known is None:
            known = self._after[key] = self._step(node, row, column)
        return known

    def _step(self, node: Node, row: EquivalentMoves, column: EquivalentMoves) -> float:
        twin = node.state.clone()
        chosen = (row, column)
        ended = self.solvable.lay_down(twin, {seat: chosen[seat].moves[0] for seat in twin.pending})
        return float(self._end_value(twin)) if ended else self.value_of(twin)
