"""Limits of the specialised kernel, and whether a compiler is installed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from draftengine.model.flow import flow_bounds
from draftengine.model.language.tree import nodes_in

if TYPE_CHECKING:
    from draftengine.engine.program import Program

LANES = 63
"""Number of bits in a word that can hold cards."""


class UnsupportedError(ValueError):
    """A game that does not fit into machine words, or needs too large a table; the message says why."""


def can_compile() -> bool:
    """True if the compiler (llvmlite) is installed."""
    return find_spec("llvmlite") is not None


USUAL_WORK = 20_000
"""Work of a long game of usual rules, see `work_of`."""


def work_of(program: Program) -> int:
    """Return the work of a game: the number of nodes of formulas that are evaluated to score it."""
    times = dict(flow_bounds(program.model, program.players).scored)
    return program.seats * sum(
        times.get(rule.at, 0) * sum(1 for formula in rule.spec.inputs() for _ in nodes_in(formula.expr))
        for rule in program.model.scoring
    )
