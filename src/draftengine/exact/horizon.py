"""What a position is worth where the round ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.effects import points_of
from draftengine.engine.flow.control import total
from draftengine.engine.program import RankedRule

if TYPE_CHECKING:
    from draftengine.engine.state import State


def margin(state: State) -> float:
    """How many points seat 0 is ahead of seat 1 when a round, or the game, is over.

    Before the last round is over, the rules that are scored after it count with the part of the rounds that are
    played: what they would give now is a guess at what they will give, and a better one the later it is. Where the
    fewest points win, being ahead is having fewer.
    """
    program = state.program
    ahead = float(total(state, 0) - total(state, 1))
    if not state.over:
        rounds = program.model.rounds
        # One division: the same margin is always the same float.
        ahead = (rounds * ahead + state.round * _pending(state)) / rounds
    return ahead if program.model.winner.order == "most" else -ahead


def _pending(state: State) -> int:
    """The difference that the rules of the end of the game would make if it were now; not those that give chips."""
    labels = {step.label for step in state.program.model.finish if step.verb == "score"}
    found = 0
    for rule in state.program.rules:
        if rule.model.at not in labels or (isinstance(rule, RankedRule) and rule.chip >= 0):
            continue
        if rule.when is None or rule.when(state, 0):
            own, other, *_ = points_of(state, rule)
            found += own - other
    return found
