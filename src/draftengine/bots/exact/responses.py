"""What a fixed way of playing gives away: the best answer to it, by the same backward induction."""

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
"""How a seat chooses in a position: the probability of each legal move; one that is left out is never made."""

_ROUNDING = 1e-9


def best_response(
    state: GameState, policy: Policy, seat: int, *, limit: int = LIMIT, value: EndValue | None = None
) -> float:
    """The margin of seat 0 if `seat` plays a policy to the end of the round and the other seat answers best.

    The policy is asked once for every position that it can come to, and must not depend on how it came there. It is
    given the state with all that seats remember, so that it can be a bot that makes an observation of it. `value` and
    `limit` are those of `draftengine.bots.exact.solve`, and so is what is raised; also `ValueError` for a policy whose
    probabilities are none.
    """
    start = state.clone()
    start.chosen = {}
    return _Answers(start, policy, seat, limit, value).value_of(start)


def exploitability(state: GameState, policy: Policy, *, limit: int = LIMIT, value: EndValue | None = None) -> float:
    """Points that a policy gives away to the best answer, on average of both seats: 0 for equilibria, never below."""
    least, most = (best_response(state, policy, seat, limit=limit, value=value) for seat in range(SEATS))
    return (most - least) / SEATS


class _Answers(Tree):
    """Positions in which one seat plays a policy, and the other one knows it."""

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
        """What the policy does, without what it never does."""
        classes = self.moves(node, self.seat)
        if self.seat not in node.state.pending:
            return [(classes[0], 1.0)]
        weights = dict(self.policy(node.state, self.seat))
        shares = [(alike, sum(weights.pop(move, 0.0) for move in alike.moves)) for alike in classes]
        if any(weights.values()) or abs(sum(weight for _, weight in shares) - 1) > _ROUNDING:
            raise ValueError("the policy gives no probabilities of legal moves")
        return [(alike, weight) for alike, weight in shares if weight]
