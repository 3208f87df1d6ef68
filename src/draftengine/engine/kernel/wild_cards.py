"""Wild cards: which of them can be played now, and are there others enough that none has to be played as itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.formulas import formula
from draftengine.engine.kernel.zones import card_at, zone_size, is_lanes, lanes_without
from draftengine.jit.primitives import dynamic_range, popcount, wrap

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.program import Value
    from draftengine.engine.record import StateRecord


def own_count(g: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> int:
    """How many cards a seat takes for itself, if there are enough."""
    if step.offer:
        return 0
    return formula(g, plan, step.cards, seat)


def is_allowed(g: StateRecord, plan: AnyPlan, when: Value | None, seat: int) -> int:
    """May a form be used."""
    if when is None:
        return True
    return formula(g, plan, when, seat)


def cannot_be_played(g: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> int:
    """Wild cards of which no form is allowed, as bits; none if too few other cards could be played."""
    stuck = 0
    for card in plan.wild:
        if not any(is_allowed(g, plan, own, seat) for own in plan.forms(card)[0]):
            stuck |= 1 << plan.wild_bit[card]
    if stuck and not enough(g, plan, step, seat, stuck):
        stuck = 0
    return stuck


def enough(g: StateRecord, plan: AnyPlan, step: Choice, seat: int, stuck: int) -> int:
    """Are there as many cards that can be played as the seat has to take."""
    if seat not in plan.players:
        return 0
    count = min(own_count(g, plan, step, seat), zone_size(g, plan, step.source, plan.owner(step.source, seat)))
    return not_among(g, plan, step.source, seat, stuck) >= max(1, count)


def not_among(g: StateRecord, plan: AnyPlan, zone: int, owner: int, stuck: int) -> int:
    """How many cards of a zone are not stuck."""
    if plan.plain:
        return sum([1 - is_stuck(plan, stuck, card) for card in plan.cards(g, zone, plan.owner(zone, owner))])
    if is_lanes(plan, zone):
        return popcount(lanes_not_among(g, plan, zone, owner, stuck))
    found = 0
    for number in dynamic_range(g.size[plan.size_index(zone, owner)]):
        found += 1 - is_stuck(plan, stuck, card_at(g, plan, zone, owner, number))
    return found


def lanes_not_among(g: StateRecord, plan: Plan, zone: int, owner: int, stuck: int) -> int:
    """The highest bit of each lane with a card that is not stuck."""
    found = wrap((1 << g.size[plan.size_index(zone, owner)] * plan.bits) - 1) & plan.ones << plan.bits - 1
    for card in plan.wild:
        if is_stuck(plan, stuck, card):
            found &= lanes_without(plan, g.hand[plan.hand(zone, owner)], card)
    return found


def is_stuck(plan: AnyPlan, stuck: int, card: int) -> int:
    """Is a card one of some wild cards, which are given as bits."""
    return stuck >> plan.wild_bit[card] & 1
