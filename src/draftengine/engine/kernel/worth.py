"""Values of moves: the rise of the provisional score and, with a table, the worth of cards.

They equal those of `engine.public_state.rises` and `engine.worth_tables`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.expected_gain import expect_of_move, expect_of_play, expect_of_reveal
from draftengine.engine.kernel.provisional_scores import provisional_score
from draftengine.engine.kernel.worth_tables import SCALE, worth_of, worth_of_move
from draftengine.engine.kernel.zones import increment_of
from draftengine.jit.primitives import row

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.kernel.options import MoveScratch
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord


# ── one card that is known ──────────────────────────────────────────────────────────────────────────────────────────


def value_of_item(
    state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, first: int, item: int, by_table: int
) -> int:
    """Compute the value of taking a known item and nothing else."""
    gain = 0
    if step.plays or plan.program.cards_count_elsewhere:
        gain = gain_of_play(state, plan, step, seat, plan.items.representative_play[item])
    if by_table:
        worth = worth_of(state, options, plan, seat, first, plan.items.representative_play[item])
        return SCALE * plan.program.direction * gain + worth
    return gain


def gain_of_play(state: StateRecord, plan: Plan, step: Choice, seat: int, play: int) -> int:
    """Compute the rise of a seat's provisional score by a known play, or a card put elsewhere."""
    was = row(len(plan.seats))
    for each in plan.touched(seat):
        was[each] = state.words[each]
    gain = 0
    for index in plan.items.rules_behind(play):
        gain -= provisional_score(state, plan, index, seat)
    if plan.program.cards_count_elsewhere and not (step.plays and step.target == plan.tableau):
        state.words[seat] += plan.rises[step.source][step.target][play]
    elif plan.program.plays[play].modifiers:
        state.words[seat] += increment_of(plan, state.words[seat], play)
    else:
        state.words[seat] += plan.program.increments[play]
    if step.plays:
        if plan.program.plays[play].effects:
            gain += expect_of_play(state, plan, play, seat)
        gain += expect_of_reveal(state, plan, seat, plan.items.changes(play))
    for index in plan.items.rules_behind(play):
        gain += provisional_score(state, plan, index, seat)
    for each in plan.touched(seat):
        state.words[each] = was[each]
    return gain


# ── any move ────────────────────────────────────────────────────────────────────────────────────────────────────────


def value_of_move(
    state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, first: int, move: int, by_table: int
) -> int:
    """Compute the value of a move, or of its beginning."""
    gain = 0
    if step.plays or plan.program.cards_count_elsewhere or step.actions:
        gain = gain_of_move(state, options, plan, step, seat, move)
    if by_table:
        return SCALE * plan.program.direction * gain + worth_of_move(state, options, plan, step, seat, first, move)
    return gain


def gain_of_move(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, move: int) -> int:
    """Compute the rise of a seat's provisional score by a move.

    Only rules that read changed bits of the packed words are evaluated.
    """
    was = row(len(plan.seats))
    for each in plan.seats:
        was[each] = state.words[each]
    gain = expect_of_move(state, plan, step, seat, move)
    bits = 0
    for each in plan.seats:
        bits |= was[each] ^ state.words[each]
    for index in range(len(plan.program.rules)):
        if bits & plan.program.rules[index].reads:
            gain += provisional_score(state, plan, index, seat) - options.provisional_score[index]
    for each in plan.seats:
        state.words[each] = was[each]
    return gain
