"""Layouts: zones whose cards lie at places that may cover each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draftengine.engine.plain import AnyPlan, InterpreterPlan
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord


def lies_at(state: StateRecord, plan: AnyPlan, zone: int, place: int) -> int:
    """True if a card lies at a place."""
    if plan.plain:
        return plan.cards(state, zone, 0)[place] >= 0
    return state.lying[plan.layout(zone)] >> place & 1


def lay_at_place(state: StateRecord, plan: AnyPlan, zone: int, place: int, card: int, *, face_up: bool) -> None:
    """Lay a card at an empty place; unless it is laid `face_up`, face down if the layout says so."""
    if plan.plain:
        plan.lay_at_place(state, zone, place, card, face_up=face_up)
    else:
        state.row[plan.first_place(zone) + place] = card
        state.lying[plan.layout(zone)] |= 1 << place
        if not face_up:
            state.down[plan.layout(zone)] |= 1 << place & plan.tables.face_down(zone)


def open_places(plan: Plan, zone: int, lying: int) -> int:
    """Return the places of `lying` whose card nothing covers, as bits."""
    half, low, high = plan.tables.covered(zone)
    return lying & ~(low[lying & (1 << half) - 1] | high[lying >> half])


def turn_up(state: StateRecord, plan: AnyPlan, zone: int) -> None:
    """Turn up the face-down cards that nothing covers any more."""
    if plan.plain:
        turn_up_each(state, plan, zone)
    elif plan.tables.face_down(zone):
        layout = plan.layout(zone)
        state.down[layout] &= state.lying[layout] & ~open_places(plan, zone, state.lying[layout])


def turn_up_each(record: StateRecord, plan: InterpreterPlan, zone: int) -> None:
    """Turn up the uncovered cards of an interpreted game one by one, with an event for each."""
    state = plan.state(record)
    down, cards = state.down[zone], state.zones[zone][0]
    still_open = state.program.open_places(zone, cards) if down else ()
    for place in down[:]:
        if place in still_open or cards[place] < 0:
            down.remove(place)
            plan.observer.flipped(state, zone, place)
