"""What a game is worth to each seat where a round ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.flow.cards import Clear, Gather
from draftengine.engine.flow.control import total
from draftengine.verbs import score

if TYPE_CHECKING:
    from draftengine.engine.program import Program
    from draftengine.engine.state import State


def rules_at_end(program: Program) -> tuple[int, ...]:
    """The rules that are scored after the last round."""
    labels = {step.label for step in program.model.finish if isinstance(step, score.Spec)}
    return tuple(index for index, rule in enumerate(program.rules) if rule.model.at in labels)


def only_points_last(program: Program) -> bool:
    """Does nothing but points and chips last from one round to the next.

    The end of a round tells all then: how far seats are ahead, in rounds to come that are the same for everybody.
    """
    cleared = any(isinstance(own, Clear | Gather) for own in program.code)
    return cleared and not (program.keep_bits or program.markers or rules_at_end(program))


def prospects_by_rounds(state: State) -> list[int]:
    """The total of every seat, in points times the number of rounds: a whole number without rounding.

    Before the last round is over, what would be scored at the end counts, a chip as the mean of its pile: whole if it
    mostly lasts (`OneSeatRule.lasts`), otherwise with the part of the rounds that are played. It is a guess, and a
    better one the later it is.
    """
    program = state.program
    rounds = program.model.rounds
    found = [rounds * total(state, seat) for seat in range(program.seats)]
    if not state.over:
        for index in rules_at_end(program):
            rule = program.rules[index]
            weight = rounds if rule.lasts else state.round
            for seat in range(program.seats):
                found[seat] += weight * rule.standing(state, seat)
    return found
