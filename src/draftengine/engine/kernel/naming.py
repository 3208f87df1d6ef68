"""Moves named card by card, one action for each: what a player can name next.

What is named so far is the beginning of a move; `draftengine.engine.kernel.listing` finds what continues it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.lanes import bit_field, own_lane
from draftengine.engine.kernel.listing import count_kinds, list_longer
from draftengine.engine.kernel.wild_cards import own_count
from draftengine.engine.plan.base_items import FURTHER, OTHER, OWN
from draftengine.jit.primitives import dynamic_range

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.kernel.arrays import Arrays
    from draftengine.engine.kernel.options import MoveScratch
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord


def name(state: StateRecord, plan: Plan, step: Choice, seat: int, action: int) -> None:
    """Add the card of an action to a player's move, in the first free lane of its channel."""
    code = plan.views.channel[action] if step.abilities or step.also else 0
    taken = plan.views.item[action] + 1
    if step.actions:
        if state.named[seat] > 0:
            taken = taken % step.items_per_action
    for place, ability in enumerate(step.abilities):
        if code == 1 + ability:
            taken |= place << plan.items.bits
    free = True
    for position, channel, _ in plan.items.packed_zones(step):
        if free and is_channel(step, code, channel) and bit_field(plan, state.named[seat], position) == 0:
            state.named[seat] |= taken << position
            free = False


def is_channel(step: Choice, code: int, channel: int) -> int:
    """True if a code's channel is this channel of lanes, which is one for all abilities.

    Channels of codes: see `draftengine.engine.moves`.
    """
    if channel == FURTHER:
        return code > 0 and code < step.first_other
    return code == (0 if channel == OWN else step.first_other + channel - OTHER)


def needs_no_more(state: StateRecord, plan: Plan, step: Choice, seat: int) -> int:
    """True if the move is certainly whole: own cards named, no ability ready, nobody to choose for."""
    if step.also or step.actions:
        return 0
    bits = sum({plan.program.abilities[ability].field.field_mask for ability in step.abilities})
    return own_named(state, plan, step, seat) >= own_count(state, plan, step, seat) and not state.words[seat] & bits


def own_named(state: StateRecord, plan: Plan, step: Choice, seat: int) -> int:
    """Count the cards that a player has named for itself."""
    return sum(own_lane(plan, state.named[seat], number) > 0 for number in range(plan.max_own_picks(step)))


def list_actions(
    state: StateRecord, options: MoveScratch, arrays: Arrays, plan: Plan, step: Choice, seat: int, first: int
) -> int:
    """Set the mask, from `first` on, to 1 for each action that continues a player's move.

    The mask is all zeros before. *Done* is set if nothing can be added, or if the move is legal as it is. Returns True
    if nothing can be added, so that the move is whole.
    """
    if plan.views.at_a_glance(step):
        if own_named(state, plan, step, seat) < min(
            plan.range_of(step.cards)[0], state.size[plan.size_index(step.source, seat)]
        ):
            list_kinds(state, options, arrays, plan, step, seat, first + plan.views.first_action)
            return 0
    count = list_longer(state, options, plan, step, seat, state.named[seat], 0)
    for number in dynamic_range(count):
        arrays.mask[first + options.move[number]] = 1
    if options.whole or count == 0:
        arrays.mask[first + plan.views.done] = 1
    return count == 0


def list_kinds(
    state: StateRecord, options: MoveScratch, arrays: Arrays, plan: Plan, step: Choice, seat: int, first: int
) -> None:
    """Set the mask, from `first` on, to 1 for each kind with a card that is not yet named.

    The player still has to name a card for itself.
    """
    count_kinds(state, options, plan, step, seat)
    for number in range(plan.max_own_picks(step) - 1):
        if own_lane(plan, state.named[seat], number) > 0:
            options.copies[own_lane(plan, state.named[seat], number) - 1] -= 1
    for kind in dynamic_range(len(plan.items.faces)):
        arrays.mask[first + kind] = options.copies[kind] > 0
