"""Wild cards: which of them can be played now, and whether there are enough other cards.

A wild card that must be played in a form is *stuck* while none of its forms is allowed. It is played as itself only if
too few other cards can be taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.formulas import formula
from draftengine.engine.kernel.zones import card_at, is_lanes, lanes_without, zone_size
from draftengine.jit.primitives import dynamic_range, popcount, wrap

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.instructions import Value
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.plan import Plan
    from draftengine.engine.state import StateRecord


def own_count(state: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> int:
    """Compute the number of cards that a seat takes for itself, as the choice requires; 0 in an offer."""
    if step.offer:
        return 0
    return formula(state, plan, step.cards, seat)


def is_allowed(state: StateRecord, plan: AnyPlan, when: Value | None, seat: int) -> int:
    """True if the condition of a form holds, or if the form has no condition."""
    if when is None:
        return True
    return formula(state, plan, when, seat)


def cannot_be_played(state: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> int:
    """Return the wild cards without an allowed form, as bits; none if too few other cards can be played."""
    stuck = 0
    for card in plan.wild_in_forms_only:
        if not any(is_allowed(state, plan, form, seat) for form in plan.forms(card)[0]):
            stuck |= 1 << plan.wild_bit[card]
    if stuck and not enough(state, plan, step, seat, stuck):
        stuck = 0
    return stuck


def enough(state: StateRecord, plan: AnyPlan, step: Choice, seat: int, stuck: int) -> int:
    """True if a seat has enough cards that are not in `stuck` (bits of wild cards) for what it must take."""
    if seat not in plan.players:
        return 0
    count = min(own_count(state, plan, step, seat), zone_size(state, plan, step.source, plan.owner(step.source, seat)))
    return not_among(state, plan, step.source, seat, stuck) >= max(1, count)


def not_among(state: StateRecord, plan: AnyPlan, zone: int, owner: int, stuck: int) -> int:
    """Count the cards of a zone that are not in `stuck`, the wild cards that cannot be played (bits)."""
    if plan.plain:
        return sum([1 - is_stuck(plan, stuck, card) for card in plan.cards(state, zone, plan.owner(zone, owner))])
    if is_lanes(plan, zone):
        return popcount(lanes_not_among(state, plan, zone, owner, stuck))
    count = 0
    for number in dynamic_range(state.size[plan.size_index(zone, owner)]):
        count += 1 - is_stuck(plan, stuck, card_at(state, plan, zone, owner, number))
    return count


def lanes_not_among(state: StateRecord, plan: Plan, zone: int, owner: int, stuck: int) -> int:
    """Return, for each card of a packed zone that is not in `stuck`, the highest of its bits in the word."""
    lanes = wrap((1 << state.size[plan.size_index(zone, owner)] * plan.bits) - 1) & plan.ones << plan.bits - 1
    for card in plan.wild:
        if is_stuck(plan, stuck, card):
            lanes &= lanes_without(plan, state.hand[plan.hand(zone, owner)], card)
    return lanes


def is_stuck(plan: AnyPlan, stuck: int, card: int) -> int:
    """True if a card is in `stuck`, the wild cards that cannot be played now (bits)."""
    return stuck >> plan.wild_bit[card] & 1
