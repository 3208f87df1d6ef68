"""What a game is worth to each seat where a round ends, and playing up to there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.flow.cards import Clear, Gather
from draftengine.engine.flow.control import EndRound, total

if TYPE_CHECKING:
    from draftengine.engine.program import Program
    from draftengine.engine.state import State

_TWO = 2


def rules_at_end(program: Program) -> tuple[int, ...]:
    """The rules that are scored after the last round."""
    labels = {step.label for step in program.model.finish if step.verb == "score"}
    return tuple(index for index, rule in enumerate(program.rules) if rule.model.at in labels)


def leads_last(program: Program) -> bool:
    """Does who is ahead in what is scored at the end of the game mostly stay so.

    With several opponents searches that count it whole are stronger, in every card set that was tried but those with a
    kept die: it may be rolled anew, and what it showed is lost then. At two seats it makes no difference that could be
    measured, and the exact solver counts by the part of the rounds that are played.
    """
    return program.players > _TWO and all(own.die is None for own in program.model.counters)


def only_points_last(program: Program) -> bool:
    """Does nothing but points and chips last from one round to the next.

    The end of a round tells all then: how far seats are ahead, in rounds to come that are the same for everybody.
    """
    cleared = any(isinstance(own, Clear | Gather) for own in program.code)
    return cleared and not (program.keep_bits or program.markers or rules_at_end(program))


def pending_points(state: State) -> list[int]:
    """What those rules would give each seat if the game ended now, a chip as the mean of its pile."""
    rules = [state.program.rules[index] for index in rules_at_end(state.program)]
    return [sum([rule.standing(state, seat) for rule in rules]) for seat in range(state.program.seats)]


def prospects(state: State, scale: int) -> list[int]:
    """The total of every seat, in parts of a point, where a round or the game is over.

    Before the last round is over, what would be scored at the end counts: whole if leads last (`leads_last`),
    otherwise with the part of the rounds that are played. It is a guess, and a better one the later it is.
    """
    program = state.program
    totals = [scale * total(state, seat) for seat in range(program.seats)]
    if state.over:
        return totals
    played, rounds = scale * state.round, program.model.rounds
    if leads_last(program):
        played = scale * rounds
    return [own + played * more // rounds for own, more in zip(totals, pending_points(state), strict=True)]


def advance_in_round(state: State) -> bool:
    """Run instructions until seats have to choose; True if the round (not the last) or the game ends first."""
    code, rounds = state.program.code, state.program.model.rounds
    at = state.pc
    while at < len(code):
        own = code[at]
        if isinstance(own, EndRound) and state.round < rounds:
            break
        following = own.run(state, None)
        if following < 0:
            state.pc = at
            return False
        at = following
    state.pc = at
    return True
