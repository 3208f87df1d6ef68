"""Moves encoded as numbers: the items that they consist of, and their conversion to the picked cards.

`draftengine.engine.plan.items` describes items and the encoding. A *pick* is one card of a move as it is stored in the
state record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.choices import for_others, uses
from draftengine.engine.kernel.expected_gain import bit_field, own_lane
from draftengine.engine.kernel.wild_cards import cannot_be_played, is_allowed
from draftengine.engine.kernel.zones import card_at, position
from draftengine.jit.primitives import dynamic_range

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.plan import Plan
    from draftengine.engine.state import StateRecord


def take_move(state: StateRecord, plan: Plan, step: Choice, seat: int, move: int) -> None:
    """Turn a move into the picks of a seat."""
    state.own_picks[seat] = 0
    state.ability_picks[seat] = 0
    state.ability[seat] = -1
    if step.actions:
        state.way[seat] = (own_lane(plan, move, 0) - 1) // step.items_per_action
    for number in range(plan.max_own_picks(step)):
        item = own_lane(plan, move, number) - 1
        if plan.takes_exactly_one(step) or item >= 0:
            if not step.actions or item % step.items_per_action < step.items_per_action - 1:
                pick_item(
                    state,
                    plan,
                    step,
                    plan.pick_index(seat, number),
                    item % step.items_per_action if step.actions else item,
                )
                state.own_picks[seat] = number + 1
    for number in range(plan.max_ability_picks(step)):
        more = bit_field(plan, move, plan.items.further_lane(step, number))
        if more > 0:
            state.ability_picks[seat] = number + 1
            for place, ability in enumerate(step.abilities):
                if more >> plan.items.bits == place:
                    state.ability[seat] = ability
            pick_item(state, plan, step, plan.ability_pick_index(step, seat, number), (more & plan.items.mask) - 1)
    for index, (_, _, cards) in enumerate(step.also):
        for number in range(cards):
            state.card[plan.other_pick_index(step, seat, index, number)] = -1
            other = bit_field(plan, move, plan.items.other_lane(step, index, number))
            if other > 0:
                pick_item(state, plan, step, plan.other_pick_index(step, seat, index, number), other - 1)


def pick_item(state: StateRecord, plan: Plan, step: Choice, pick: int, item: int) -> None:
    """Store an item as a pick: a place, or a card with the item's face and the play that it becomes."""
    if step.layout:
        state.card[pick] = item
    elif step.as_they_lie:
        state.card[pick] = item
        state.play[pick] = -1
    else:
        state.card[pick] = plan.items.card[item]
        state.play[pick] = plan.items.play[item]


# ── one card of a small hand ────────────────────────────────────────────────────────────────────────────────────────


def takes_one(state: StateRecord, plan: Plan, step: Choice, seat: int) -> int:
    """True if a seat takes one card and nothing else."""
    if any(uses(state, plan, step, ability, seat) > 0 for ability in step.abilities):
        return False
    return for_others(state, step, seat) == 0


def kinds_in_hand(state: StateRecord, plan: Plan, step: Choice, seat: int) -> int:
    """Return the kinds of card that a seat holds, as bits."""
    kinds = 0
    for number in dynamic_range(state.size[plan.size_index(step.source, seat)]):
        kinds |= (
            1 << plan.items.kind_of_card[card_at(state, plan, step.source, seat, position(plan, step.source, number))]
        )
    return kinds


def items_of(state: StateRecord, plan: Plan, step: Choice, seat: int, kinds: int) -> int:
    """Return the items that a seat can name for some kinds of cards, as bits."""
    if plan.wild:
        hidden = hidden_faces(state, plan, step, seat)
        items = 0
        for item in plan.items.options:
            if kinds >> plan.items.kind[item] & 1:
                if is_open(state, plan, step, seat, hidden, item):
                    items |= 1 << item
        return items
    return kinds


def is_open(state: StateRecord, plan: Plan, step: Choice, seat: int, hidden: int, item: int) -> int:
    """True if a seat can name an item, provided that it has a card for the item."""
    if step.as_they_lie:
        return True
    if item in plan.items.pieces:
        return False
    if item in plan.items.faces:
        return not hidden >> plan.items.wild[item] & 1
    if not step.plays:
        return False
    return is_allowed(state, plan, plan.program.options[item].condition, seat)


def hidden_faces(state: StateRecord, plan: Plan, step: Choice, seat: int) -> int:
    """Return the wild cards that cannot be named as themselves, as bits from bit 1 on.

    Either a form of such a card is allowed, or the card cannot be played at all.
    """
    hidden = 0
    if plan.wild and step.plays:
        stuck = cannot_be_played(state, plan, step, seat)
        for number, card in enumerate(plan.wild):
            if stuck >> number & 1 or any(is_allowed(state, plan, form, seat) for form in plan.forms(card)[0]):
                hidden |= 2 << number
    return hidden
