"""Exact solutions of two-seat rounds: values, equilibria, and the points that a policy gives away.

In a draft of two seats that pass their hands on, both know all cards after the first pass. The rest of the round is
then a finite game of simultaneous moves for the margin. The solver assumes that both seats know where all cards lie.
"""

from draftengine.bots.exact.induction import RoundSolver, Solution, losses, solve
from draftengine.bots.exact.matrix import MissingExtraError
from draftengine.bots.exact.responses import Policy, best_response, exploitability
from draftengine.bots.exact.unsolvable import NotSolvableError

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
