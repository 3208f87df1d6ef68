"""Moves as numbers: reading the items of a move, lane by lane (see `draftengine.engine.plan.items`).

An interpreted game has tuples of codes instead; each code is turned into the value of a lane when it is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.record import StateRecord


def bit_field(plan: AnyPlan, move: int, position: int) -> int:
    """Return the value of the lane at a bit position; 0 for none.

    An interpreted game passes the value in place of the position.
    """
    if plan.plain:
        return position
    return move >> position & (1 << (plan.items.lane_bits if position else plan.items.first_bits)) - 1


def own_lane(plan: AnyPlan, move: int, number: int) -> int:
    """Return the lane value of the `number`-th card that a seat takes for itself; 0 for none."""
    if plan.plain:
        return plan.own_lane(move, number)
    return bit_field(plan, move, plan.items.own_lane(number))


def shown_play(state: StateRecord, plan: AnyPlan, step: Choice, item: int) -> int:
    """Return the play that an item is assumed to be; -1 for a card that lies face down."""
    if step.layout:
        if plan.plain:
            return plan.face_at(state, step.source, item)
        if state.down[plan.layout(step.source)] >> item & 1:
            return -1
        return plan.program.typical[state.row[plan.first_place(step.source) + item]]
    return plan.items.representative_play[item]


def play_of(state: StateRecord, plan: AnyPlan, step: Choice, taken: int) -> int:
    """Return the play that the item of a lane is assumed to be; -1 for none."""
    if taken > 0:
        return shown_play(state, plan, step, taken - 1)
    return -1
