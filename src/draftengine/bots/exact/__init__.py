"""Exact solutions of two-seat rounds: values, equilibria, and the points that a policy loses.

If two seats pass their hands on in a draft, both know all cards after the first pass. The rest of the round is then a
finite game of simultaneous moves for the margin. The solver assumes that both seats know where all cards lie.
"""

from draftengine.bots.exact.matrix import MissingExtraError
from draftengine.bots.exact.solvable import NotSolvableError
from draftengine.bots.exact.tree import Policy, RoundSolver, Solution, best_response, exploitability, losses, solve

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
