"""Exact solutions of two-seat rounds: values, equilibria, and the points that a policy loses.

If two seats pass their hands on in a draft, both know all cards after the first pass. The rest of the round is then a
finite game of simultaneous moves for the margin. The solver assumes that both seats know where all cards lie.

It works by backward induction, with a matrix game at every position. An entry of the matrix is the value of the
position to which a pair of moves leads. This is the textbook method for finite games of simultaneous moves. A table of
positions ensures that each is evaluated only once. `best_response` does the same against a fixed policy;
`exploitability` says how many points a policy loses.

Literature: Buro 2003. Bošanský, Lisý, Lanctot, Čermák and Winands, "Algorithms for computing strategies in two-player
simultaneous move games", 2016.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import accumulate
from math import prod
from operator import mul
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from draftengine.bots.exact.matrix import MissingExtraError, equilibrium, game_value
from draftengine.bots.exact.solvable import SEATS, NotSolvableError, SolvableRound, margin
from draftengine.bots.protocol import Decision, ScoredMove
from draftengine.engine.chance import Stream
from draftengine.engine.moves import legal_moves

if TYPE_CHECKING:
    from draftengine.bots.exact.solvable import Side
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.redeal import HiddenCards
    from draftengine.engine.state import GameState

    EndValue = Callable[[GameState], float]


__all__ = [
    "MissingExtraError",
    "NotSolvableError",
    "Policy",
    "RoundSolver",
    "Solution",
    "best_response",
    "exploitability",
    "losses",
    "solve",
]  # fmt: skip

LIMIT = 200_000
"""The largest number of evaluated positions: about ten seconds, for hands of seven or eight cards."""

PAIRS = 1_000_000
"""The largest number of pairs of moves that are compared in one position."""

NOTHING: tuple[Move, ...] = ((),)
"""The moves of a seat that has no choice: only the empty move."""


class EquivalentMoves(Struct, frozen=True):
    """Moves of a seat that have the same effect."""

    moves: tuple[Move, ...]
    side: Side | None
    """The key of the seat's side after any of the moves; ``None`` if moves must be evaluated in pairs."""


class Node(Struct, frozen=True):
    """A position with a choice, and the keys that identify it in the table of values."""

    state: GameState
    table: tuple[object, ...]
    sides: tuple[Side, ...]


class Tree:
    """Positions and their values to seat 0. Subclasses define how the seats play."""

    def __init__(self, state: GameState, limit: int, value: EndValue | None) -> None:
        self.solvable = SolvableRound(state)
        self.limit = limit
        self._end_value: EndValue = value or margin
        self._known: dict[object, float] = {}
        """The value of each evaluated position, by the position's key."""
        self._after: dict[object, float] = {}
        """The value of each position right after cards were laid down, by the position's key."""
        self._alike: dict[object, tuple[EquivalentMoves, ...]] = {}
        """Groups of equivalent moves, by choice, seat and the seat's counters and cards (see `Side`)."""

    def judge(self, node: Node) -> float:
        """Return the value to seat 0 of a position that is not in the table of values yet."""
        raise NotImplementedError

    @property
    def states(self) -> int:
        """The number of different positions with a choice that were evaluated."""
        return len(self._known)

    def node(self, state: GameState) -> Node:
        """Return a position with a choice as a node, with its keys."""
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
        """Return the legal moves of a seat, grouped by effect. Raise `NotSolvableError` if there are too many."""
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
        """Return the moves of seats 0 and 1. Raise `NotSolvableError` if there are too many pairs."""
        rows, columns = (self.moves(node, seat) for seat in range(SEATS))
        if len(rows) * len(columns) > PAIRS:
            raise NotSolvableError(f"there are more than {PAIRS} pairs of moves in one position")
        return rows, columns

    def after(self, node: Node, row: EquivalentMoves, column: EquivalentMoves) -> float:
        """Return the value to seat 0 of the position after seat 0 has moved `row` and seat 1 `column`."""
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


class Solution(Struct, frozen=True):
    """The value and an equilibrium of a position."""

    value: float
    """The margin of seat 0 at the end of the round, in points, if both play the equilibrium."""
    moves: tuple[tuple[Move, ...], tuple[Move, ...]]
    """The legal moves of each seat, in ascending order. A seat without a choice has only the empty move."""
    strategies: tuple[tuple[float, ...], tuple[float, ...]]
    """The probability of each move in an equilibrium. All equilibria have the same value."""
    matrix: tuple[tuple[float, ...], ...]
    """The margin for each move of seat 0 (rows) and seat 1 (columns), if both then play an equilibrium."""
    states: int
    """Number of different positions with a choice that were evaluated, including this one."""


def solve(state: GameState, *, limit: int = LIMIT, value: EndValue | None = None) -> Solution:
    """Return the value of a position and an equilibrium, up to the end of the round.

    `value` rates the end of the round for seat 0. Its argument is the state after scoring and before the next deal, or
    after the game. It may read what rules read: points, counters, markers. The default is
    `draftengine.bots.exact.solvable.margin`. Commitments that seats have already made are ignored.

    Raise `NotSolvableError` if chance or hidden cards decide something before the round is over, if there are not two
    players, or if there are more than `limit` positions. Raise `MissingExtraError` if SciPy is needed but missing.
    """
    return RoundSolver(state, limit=limit, value=value).solution(state)


class RoundSolver(Tree):
    """A solver for one round of one game. For several positions of the round, it is quicker than `solve`."""

    def __init__(self, state: GameState, *, limit: int = LIMIT, value: EndValue | None = None) -> None:
        super().__init__(state, limit, value)

    def judge(self, node: Node) -> float:
        return game_value(self._games(node)[2])

    def solution(self, state: GameState) -> Solution:
        """Return the solution of a position in this round. Raise `NotSolvableError` if there is none."""
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
        """Return the groups of equivalent moves of both seats, and the matrix of their values."""
        rows, columns = self.pairs(node)
        return rows, columns, [[self.after(node, row, column) for column in columns] for row in rows]


def _by_move(classes: tuple[EquivalentMoves, ...]) -> dict[Move, int]:
    """Return, for every move in ascending order, the index of its group."""
    return dict(sorted((move, place) for place, alike in enumerate(classes) for move in alike.moves))


def _first_of_each(classes: tuple[EquivalentMoves, ...], weights: tuple[float, ...]) -> tuple[float, ...]:
    """Return the weight of every move. The first move of each group gets the group's weight, others 0."""
    by_move = {alike.moves[0]: weight for alike, weight in zip(classes, weights, strict=True)}
    return tuple(by_move.get(move, 0.0) for move in _by_move(classes))


def losses(solution: Solution, seat: int) -> tuple[float, ...]:
    """Return the number of points that each move of a seat loses against the opponent's equilibrium.

    Losses are not negative, except by rounding. Moves that the seat's equilibrium uses lose 0.
    """
    against = solution.strategies[1 - seat]
    lines = zip(*solution.matrix, strict=True) if seat else solution.matrix
    margins = [sum(map(mul, line, against)) for line in lines]
    return tuple(margin - solution.value if seat else solution.value - margin for margin in margins)


Policy = Callable[["GameState", int], Mapping["Move", float]]
"""A policy: a function from a state and a seat to the probabilities of moves.

Missing moves have probability 0.
"""

_ROUNDING = 1e-9


def best_response(
    state: GameState, policy: Policy, seat: int, *, limit: int = LIMIT, value: EndValue | None = None
) -> float:
    """Return the margin of seat 0 if `seat` follows a policy to the end and the other seat responds best.

    The policy is called once for every position that it can reach, and must not depend on the way there. The state
    includes all that seats remember, so a bot can make its observation from the state.

    `value`, `limit` and the errors are those of `draftengine.bots.exact.solve`. Raise `ValueError` if a policy does
    not return probabilities of legal moves.
    """
    start = state.clone()
    start.chosen = {}
    return _Answers(start, policy, seat, limit, value).value_of(start)


def exploitability(state: GameState, policy: Policy, *, limit: int = LIMIT, value: EndValue | None = None) -> float:
    """Return the number of points that a policy loses to the best response, averaged over both seats.

    The result is 0 for an equilibrium and never negative.
    """
    least, most = (best_response(state, policy, seat, limit=limit, value=value) for seat in range(SEATS))
    return (most - least) / SEATS


class _Answers(Tree):
    """A tree in which one seat follows a policy, and the other seat responds best to it."""

    def __init__(self, state: GameState, policy: Policy, seat: int, limit: int, value: EndValue | None) -> None:
        super().__init__(state, limit, value)
        self.policy = policy
        self.seat = seat

    def judge(self, node: Node) -> float:
        answers = self.pairs(node)[1 - self.seat]
        # The groups of equivalent moves that the policy makes, with their probabilities.
        classes = self.moves(node, self.seat)
        mixed = [(classes[0], 1.0)]
        if self.seat in node.state.pending:
            weights = dict(self.policy(node.state, self.seat))
            shares = [(alike, sum(weights.pop(move, 0.0) for move in alike.moves)) for alike in classes]
            if any(weights.values()) or abs(sum(weight for _, weight in shares) - 1) > _ROUNDING:
                raise ValueError("the policy gives no probabilities of legal moves")
            mixed = [(alike, weight) for alike, weight in shares if weight]
        if self.seat == 0:
            return min(sum(weight * self.after(node, alike, answer) for alike, weight in mixed) for answer in answers)
        return max(sum(weight * self.after(node, answer, alike) for alike, weight in mixed) for answer in answers)


# ── Instead of a search ───────────────────────────────────────────────────────────────────────────────────────────────

QUICK = 1500
"""The largest number of positions to solve for a bot, so that nobody has to wait long."""
MOST_PAIRS = 200
"""The largest number of pairs of moves in the first choice.

With more pairs, `QUICK` does not bound the time, because every position has many pairs, too.
"""


def solved(seen: Observation, knowledge: HiddenCards, cards: int, stream: Stream) -> Decision | None:
    """Return a move that is drawn at random from an equilibrium, or ``None`` if the round is not solved.

    The rest of a round is solved if it has few positions, and if the deciding seat knows all hands. No hand may
    have more than `cards` cards.
    """
    if seen.program.players != SEATS:
        return None
    choice = cast("Choice", seen.program.code[seen.decision])
    hands = [view for view in seen.zones if view.zone == seen.program.zones[choice.source].id]
    if any(hand.size > cards or sum(copies for _, copies in hand.cards) < hand.size for hand in hands):
        return None
    world = knowledge.world(Stream(0))
    if prod(legal_moves(world, seat).total for seat in world.pending) > MOST_PAIRS:
        return None
    try:
        solution = solve(world, limit=QUICK)
    except (NotSolvableError, MissingExtraError):
        return None
    # Values are margins against the other seat's equilibrium.
    seat, other = seen.seat, 1 - seen.seat
    sign = 1 - 2 * seat
    lines = solution.matrix if seat == 0 else tuple(zip(*solution.matrix, strict=True))
    values = [sign * sum(map(mul, line, solution.strategies[other])) for line in lines]
    considered = [
        ScoredMove(move, value, weight)
        for move, value, weight in zip(solution.moves[seat], values, solution.strategies[seat], strict=True)
    ]
    considered.sort(key=lambda each: (-each.weight, -each.value))
    draw = stream.below(1 << 30) / (1 << 30)
    limits = accumulate(each.weight for each in considered)
    drawn = next((each for each, limit in zip(considered, limits, strict=True) if draw < limit), considered[0])
    return Decision(drawn.move, tuple(considered), "margin")
