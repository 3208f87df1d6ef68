"""Lookups in a worth table: the worth of cards beyond their points at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.lanes import bit_field, own_lane, play_of
from draftengine.engine.plan.base_items import FURTHER, LEVELS, ROUNDS_LEFT, TURNS

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.kernel.options import MoveScratch
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.record import StateRecord

SCALE = 1024
"""The number of parts of a point in which worths are counted."""


def start_of(state: StateRecord, plan: AnyPlan, step: Choice) -> int:
    """Compute the index at which the worths of a decision begin in the table."""
    left = min(plan.rounds - state.round, ROUNDS_LEFT - 1)
    aside = not step.plays
    return ((2 * left + aside) * TURNS + min(state.turn, TURNS - 1)) * len(plan.program.plays) * LEVELS


def worth_of(state: StateRecord, options: MoveScratch, plan: AnyPlan, seat: int, first: int, play: int) -> int:
    """Look up the worth of a play for the counters of a seat."""
    return options.worth[first + play * LEVELS + level_of(state, plan, seat, play)]


def level_of(state: StateRecord, plan: AnyPlan, seat: int, play: int) -> int:
    """Return the value of the counter that selects the worth of a play, from 0 to `LEVELS - 1`."""
    level = (state.words[seat] >> plan.items.shift[play] & plan.items.field_mask[play]) - plan.items.offset[play]
    return min(max(level, 0), LEVELS - 1)


def worth_of_move(
    state: StateRecord, options: MoveScratch, plan: AnyPlan, step: Choice, seat: int, first: int, move: int
) -> int:
    """Add up the worths of cards that a seat takes for itself, less the ability cards that it gives up."""
    worth = 0
    if step.actions:
        for index, way in enumerate(step.actions):
            if (own_lane(plan, move, 0) - 1) // step.items_per_action == index:
                for number in range(plan.count(move)) if plan.plain else range(plan.max_own_picks(way.laying)):
                    option = own_lane(plan, move, number) % step.items_per_action
                    worth += worth_of_lane(state, options, plan, step, seat, start_of(state, plan, way.laying), option)
        return worth
    for position, channel, number in plan.lanes_of(step, move) if plan.plain else plan.items.packed_zones(step):
        if channel <= FURTHER:
            taken = bit_field(plan, move, position)
            worth += worth_of_lane(state, options, plan, step, seat, first, taken & plan.items.mask)
            for place, ability in enumerate(step.abilities):
                if channel == FURTHER and plan.items.gives_up(ability, number):
                    if taken > 0 and taken >> plan.items.bits == place:
                        worth -= worth_of(state, options, plan, seat, first, plan.program.abilities[ability].play)
    return worth


def worth_of_lane(
    state: StateRecord, options: MoveScratch, plan: AnyPlan, step: Choice, seat: int, first: int, taken: int
) -> int:
    """Look up the worth of the card of a lane; 0 for none."""
    play = play_of(state, plan, step, taken)
    if play >= 0:
        return worth_of(state, options, plan, seat, first, play)
    return 0
