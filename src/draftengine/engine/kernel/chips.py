"""Chips in piles: lanes of one word for short piles, lists for others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.zones import without
from draftengine.jit.primitives import dynamic_range

if TYPE_CHECKING:
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord


def empty_pile(state: StateRecord, plan: Plan, pile: int) -> None:
    """Empty a pile of chips."""
    state.left[pile] = 0
    if plan.is_short(pile):
        state.pile[pile] = 0


def add_chip(state: StateRecord, plan: Plan, pile: int, value: int) -> None:
    """Append a chip of a value to a pile."""
    if plan.is_short(pile):
        state.pile[pile] |= (value - plan.lowest_chip(pile)) << state.left[pile] * plan.chip_bits(pile)
    else:
        state.chip[plan.first_chip(pile) + state.left[pile]] = value
    state.left[pile] += 1


def chips_left(state: StateRecord, plan: AnyPlan, pile: int) -> int:
    """Return the number of chips left in a pile."""
    return state.left[pile]


def chip_at(state: StateRecord, plan: Plan, pile: int, index: int) -> int:
    """Return the value of the chip at an index of a pile."""
    if plan.is_short(pile):
        bits = plan.chip_bits(pile)
        return (state.pile[pile] >> index * bits & (1 << bits) - 1) + plan.lowest_chip(pile)
    return state.chip[plan.first_chip(pile) + index]


def take_chip(state: StateRecord, plan: Plan, pile: int, index: int) -> int:
    """Remove the chip at an index of a pile; later ones move up. Return its value."""
    value = chip_at(state, plan, pile, index)
    state.left[pile] -= 1
    if plan.is_short(pile):
        state.pile[pile] = without(state.pile[pile], index * plan.chip_bits(pile), plan.chip_bits(pile))
    else:
        first = plan.first_chip(pile)
        for place in dynamic_range(state.left[pile] - index):
            state.chip[first + index + place] = state.chip[first + index + place + 1]
    return value
