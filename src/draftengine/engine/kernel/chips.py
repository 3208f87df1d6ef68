"""Chips in piles: the lanes of a word where these are few, otherwise a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.zones import without
from draftengine.jit.primitives import dynamic_range

if TYPE_CHECKING:
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord


def empty_pile(g: StateRecord, plan: Plan, pile: int) -> None:
    """Leave no chips in a pile."""
    g.left[pile] = 0
    if plan.is_short(pile):
        g.pile[pile] = 0


def add_chip(g: StateRecord, plan: Plan, pile: int, value: int) -> None:
    """Put a chip of a value into a pile, behind the others."""
    if plan.is_short(pile):
        g.pile[pile] |= (value - plan.lowest_chip(pile)) << g.left[pile] * plan.chip_bits(pile)
    else:
        g.chip[plan.first_chip(pile) + g.left[pile]] = value
    g.left[pile] += 1


def chips_left(g: StateRecord, plan: AnyPlan, pile: int) -> int:
    """How many chips are left in a pile."""
    if plan.plain:
        return len(plan.state(g).piles[pile])
    return g.left[pile]


def chip_at(g: StateRecord, plan: Plan, pile: int, at: int) -> int:
    """What the chip behind `at` others is worth."""
    if plan.is_short(pile):
        bits = plan.chip_bits(pile)
        return (g.pile[pile] >> at * bits & (1 << bits) - 1) + plan.lowest_chip(pile)
    return g.chip[plan.first_chip(pile) + at]


def take_chip(g: StateRecord, plan: Plan, pile: int, at: int) -> int:
    """Take a chip out of a pile. Returns its value."""
    value = chip_at(g, plan, pile, at)
    g.left[pile] -= 1
    if plan.is_short(pile):
        g.pile[pile] = without(g.pile[pile], at * plan.chip_bits(pile), plan.chip_bits(pile))
    else:
        first = plan.first_chip(pile)
        for place in dynamic_range(g.left[pile] - at):
            g.chip[first + at + place] = g.chip[first + at + place + 1]
    return value
