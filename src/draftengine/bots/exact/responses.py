"""The best response to a fixed policy, and the points that the policy gives away, by induction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from draftengine.bots.exact.solvable import SEATS
from draftengine.bots.exact.tree import LIMIT, Tree

if TYPE_CHECKING:
    from draftengine.bots.exact.tree import EndValue, EquivalentMoves, Node
    from draftengine.engine.moves import Move
    from draftengine.engine.state import GameState

Policy = Callable[["GameState", int], Mapping["Move", float]]
"""Policy: maps a state and a seat to the probabilities of moves; moves left out have none."""

_ROUNDING = 1e-9


def best_response(
    state: GameState, policy: Policy, seat: int, *, limit: int = LIMIT, value: EndValue | None = None
) -> float:
    """Return the margin of seat 0 if `seat` plays a policy to the end and the other responds best.

    The policy is called once for every position that it can reach, and must not depend on the path there. It gets the
    state with everything that seats remember, so it can be a bot that makes an observation of it.

    `value`, `limit` and the errors are those of `draftengine.bots.exact.solve`. Raise `ValueError` if a policy does not
    return probabilities of legal moves.
    """
    start = state.clone()
    start.chosen = {}
    return _Answers(start, policy, seat, limit, value).value_of(start)


def exploitability(state: GameState, policy: Policy, *, limit: int = LIMIT, value: EndValue | None = None) -> float:
    """Return the points that a policy gives away to the best response, averaged over both seats.

    The result is 0 for an equilibrium and never negative.
    """
    least, most = (best_response(state, policy, seat, limit=limit, value=value) for seat in range(SEATS))
    return (most - least) / SEATS


class _Answers(Tree):
    """Positions in which one seat plays a policy and the other knows it."""

    def __init__(self, state: GameState, policy: Policy, seat: int, limit: int, value: EndValue | None) -> None:
        super().__init__(state, limit, value)
        self.policy = policy
        self.seat = seat

    def judge(self, node: Node) -> float:
        answers = self.pairs(node)[1 - self.seat]
        mixed = self._mixed(node)
        if self.seat == 0:
            return min(sum(weight * self.after(node, alike, answer) for alike, weight in mixed) for answer in answers)
        return max(sum(weight * self.after(node, answer, alike) for alike, weight in mixed) for answer in answers)

    def _mixed(self, node: Node) -> list[tuple[EquivalentMoves, float]]:
        """Return the classes of moves that the policy makes, with their probabilities."""
        classes = self.moves(node, self.seat)
        if self.seat not in node.state.pending:
            return [(classes[0], 1.0)]
        weights = dict(self.policy(node.state, self.seat))
        shares = [(alike, sum(weights.pop(move, 0.0) for move in alike.moves)) for alike in classes]
        if any(weights.values()) or abs(sum(weight for _, weight in shares) - 1) > _ROUNDING:
            raise ValueError("the policy gives no probabilities of legal moves")
        return [(alike, weight) for alike, weight in shares if weight]
