"""The table rotated so that the deciding player is player 0, and the others follow in order.

The values of moves do not depend on the seat, so one function serves all players. It reads a second state record, the
*view*, which holds the parts of the table that choosing reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.chance import draw_as
from draftengine.jit.primitives import dynamic_range

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord


def look(state: StateRecord, view: StateRecord, plan: Plan, step: Choice, seat: int) -> None:
    """Write the table as a player sees it into `view`, with the random stream for policies."""
    draw_as(view, state)
    view.round = state.round
    view.turn = state.turn
    for each in plan.seats:
        view.words[plan.seen_as(seat, each)] = state.words[each]
        view.scores[plan.seen_as(seat, each)] = state.scores[each]
    if plan.reads_previous_words:
        for each in plan.seats:
            view.words_before_choice[plan.seen_as(seat, each)] = state.words_before_choice[each]
    for marker in plan.markers:
        view.markers[marker] = seen_holder(plan, seat, state.markers[marker])
    for zone, owner in plan.seen_lots(step, seat):
        view.size[plan.size_index(zone, plan.owner(zone, plan.seen_as(seat, owner)))] = state.size[
            plan.size_index(zone, owner)
        ]
    for layout in range(plan.sizes["layout"]):
        view.lying[layout] = state.lying[layout]
    view.hand[plan.hand(step.source, 0)] = state.hand[plan.hand(step.source, seat)]
    for zone in plan.looked_into:
        look_into(state, view, plan, zone, seat)


def look_into(state: StateRecord, view: StateRecord, plan: Plan, zone: int, seat: int) -> None:
    """Copy the cards of a zone that formulas read into the view."""
    if plan.program.zones[zone].layout:
        for place in range(len(plan.program.zones[zone].layout)):
            view.row[plan.first_place(zone) + place] = state.row[plan.first_place(zone) + place]
    else:
        for owner in plan.owners(zone):
            seen = plan.owner(zone, plan.seen_as(seat, owner))
            view.size[plan.size_index(zone, seen)] = state.size[plan.size_index(zone, owner)]
            if plan.is_lanes(zone):
                view.hand[plan.hand(zone, seen)] = state.hand[plan.hand(zone, owner)]
            else:
                for index in dynamic_range(state.size[plan.size_index(zone, owner)]):
                    view.card_array[plan.first(zone, seen) + index] = state.card_array[plan.first(zone, owner) + index]


def seen_holder(plan: Plan, seat: int, holder: int) -> int:
    """Return the holder of a marker as a player sees it; -1 = nobody."""
    if seat == 0:
        return holder
    if holder < 0 or holder >= len(plan.players):
        return holder
    return (holder - seat) % len(plan.players)
