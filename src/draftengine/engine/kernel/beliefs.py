"""Beliefs of compiled games: counts of cards that players know, as in `draftengine.engine.beliefs`.

They are kept only in games with observation vectors. This module updates them after each change of zones. Cards are
counted by *column*, which stands for a face (see `draftengine.engine.plan.observations`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.events import EVERYONE
from draftengine.engine.kernel.zones import card_at, position, zone_size
from draftengine.jit.primitives import dynamic_range, popcount

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.instructions import Deal, MoveAll
    from draftengine.engine.plan import Plan
    from draftengine.engine.state import StateRecord

GONE = 0
"""The index in `StateRecord.beliefs` at which the counts for cards in all tableaus are stored."""


def belief_slot(state: StateRecord, plan: Plan, zone: int, owner: int) -> int:
    """Return the index in `StateRecord.beliefs` at which the counts for an owner's zone begin."""
    if plan.sights.travels(zone, owner):
        return state.belief_slot[plan.sights.number(zone, owner)]
    return plan.sights.first(zone, owner)


# ── the cards that seats see ────────────────────────────────────────────────────────────────────────────────────────


def begin_to_watch(state: StateRecord, plan: Plan) -> None:
    """Start a game in which nobody knows anything yet: clear all counts, then count the visible cards."""
    for index in dynamic_range(plan.sights.size):
        state.beliefs[index] = 0
    for number, (zone, owner) in enumerate(plan.sights.travelling):
        state.belief_slot[number] = plan.sights.first(zone, owner)
    for pile in plan.piles:
        for seat in plan.seats:
            state.chips[plan.sights.chips(pile, seat)] = 0
    for zone in plan.zones:
        count_again(state, plan, zone)


def count_again(state: StateRecord, plan: Plan, zone: int) -> None:
    """Count anew the cards in a zone, if any seat sees them."""
    if zone == plan.tableau:
        count_tableaus(state, plan)
    elif plan.sights.shows(zone):
        for owner in plan.owners(zone):
            first = belief_slot(state, plan, zone, owner)
            for column in dynamic_range(plan.sights.columns):
                state.beliefs[first + column] = 0
            for number in dynamic_range(zone_size(state, plan, zone, owner)):
                column = plan.sights.column[card_at(state, plan, zone, owner, position(plan, zone, number))]
                state.beliefs[first + column] += 1


def count_tableaus(state: StateRecord, plan: Plan) -> None:
    """Count anew the cards in all tableaus."""
    for column in dynamic_range(plan.sights.columns):
        state.beliefs[GONE + column] = 0
    for seat in plan.seats:
        for number in dynamic_range(zone_size(state, plan, plan.tableau, seat)):
            column = plan.sights.column[card_at(state, plan, plan.tableau, seat, number)]
            state.beliefs[GONE + column] += 1


def count_after_effects(state: StateRecord, plan: Plan) -> None:
    """Count anew the tableaus and the discard, if effects can discard cards."""
    if plan.sights.discards:
        count_tableaus(state, plan)
        count_again(state, plan, plan.discard)


def count_after_clearing(state: StateRecord, plan: Plan, zone: int, discard: int) -> None:
    """Count anew the cleared zone and the discard."""
    count_again(state, plan, zone)
    count_again(state, plan, discard)


# ── what is remembered ──────────────────────────────────────────────────────────────────────────────────────────────


def arrive(state: StateRecord, plan: Plan, zone: int, owner: int, column: int, seen_by: int) -> None:
    """Count a card that comes to a zone. Only the seats in `seen_by` (bits) see which card it is."""
    if zone == plan.tableau:
        state.beliefs[GONE + column] += 1
        return
    first = belief_slot(state, plan, zone, owner)
    if plan.sights.shows(zone):
        state.beliefs[first + column] += 1
    if plan.sights.remembers(zone):
        if seen_by == EVERYONE:
            for viewer in dynamic_range(len(plan.players)):
                state.beliefs[first + plan.sights.behind(zone, 0) + viewer * plan.sights.columns + column] += 1
        else:
            for viewer in plan.players:
                if seen_by >> viewer & 1:
                    state.beliefs[first + plan.sights.behind(zone, viewer) + column] += 1


def leave(state: StateRecord, plan: Plan, zone: int, owner: int, column: int, seen_by: int) -> None:
    """Subtract a card that leaves a zone. Only the seats in `seen_by` (bits) see which card it is.

    For any other viewer, it may be any card that the viewer knew there, so one copy of each is subtracted.
    """
    if zone == plan.tableau:
        state.beliefs[GONE + column] -= 1
        return
    first = belief_slot(state, plan, zone, owner)
    if plan.sights.shows(zone):
        state.beliefs[first + column] -= 1
    if plan.sights.remembers(zone):
        if seen_by == EVERYONE:
            for viewer in dynamic_range(len(plan.players)):
                start = first + plan.sights.behind(zone, 0) + viewer * plan.sights.columns
                drop_known(state, start + column)
        else:
            for viewer in plan.players:
                start = first + plan.sights.behind(zone, viewer)
                if seen_by >> viewer & 1:
                    drop_known(state, start + column)
                else:
                    for other in dynamic_range(plan.sights.columns):
                        drop_known(state, start + other)


def drop_known(state: StateRecord, index: int) -> None:
    """Lower a count of known cards by one, but not below 0."""
    state.beliefs[index] -= state.beliefs[index] > 0


def forget(state: StateRecord, plan: Plan, zone: int) -> None:
    """Forget everything that players know about a zone that is shuffled or emptied."""
    if plan.sights.remembers(zone):
        for owner in plan.owners(zone):
            first = belief_slot(state, plan, zone, owner) + plan.sights.behind(zone, 0)
            for index in dynamic_range(plan.sights.columns * len(plan.players)):
                state.beliefs[first + index] = 0


def look(state: StateRecord, plan: Plan, zone: int) -> None:
    """Let each owner see its own cards in a zone that only owners see."""
    for owner in plan.sights.lookers(zone):
        first = belief_slot(state, plan, zone, owner)
        start = first + plan.sights.behind(zone, owner)
        for column in dynamic_range(plan.sights.columns):
            state.beliefs[start + column] = state.beliefs[first + column]


def see_all(state: StateRecord, plan: Plan, zone: int) -> None:
    """Let all players see the cards of a zone that is open to everyone, after the cards have changed."""
    if plan.sights.remembers(zone):
        for owner in plan.owners(zone):
            first = belief_slot(state, plan, zone, owner)
            for viewer in plan.players:
                for column in dynamic_range(plan.sights.columns):
                    state.beliefs[first + plan.sights.behind(zone, viewer) + column] = state.beliefs[first + column]


# ── steps that move cards ───────────────────────────────────────────────────────────────────────────────────────────


def before_deal(state: StateRecord, plan: Plan, step: Deal) -> None:
    """Store, before a deal, the number of cards that each owner has in the zone that gets cards."""
    if plan.sights.is_plain(step.target):
        for owner in plan.owners(step.target):
            state.size_before_deal[owner] = zone_size(state, plan, step.target, owner)


def after_deal(state: StateRecord, plan: Plan, step: Deal) -> None:
    if plan.program.zones[step.target].layout:
        follow_layout(state, plan, step)
    elif plan.program.zones[step.target].per == "table":
        follow_deal(state, plan, step, 0)
    else:
        for owner in plan.players:
            if step.marker < 0 or state.markers[step.marker] == owner:
                follow_deal(state, plan, step, owner)


def follow_layout(state: StateRecord, plan: Plan, step: Deal) -> None:
    """Update beliefs about the zone from which cards were laid at places of a layout."""
    if plan.sights.length(step.source) > 0:
        first = plan.first_place(step.target)
        for place in dynamic_range(popcount(state.lying[plan.layout(step.target)])):
            column = plan.sights.column[state.row[first + place]]
            if plan.tables.face_down(step.target) >> place & 1:
                leave(state, plan, step.source, 0, column, 0)
            else:
                leave(state, plan, step.source, 0, column, EVERYONE)


def follow_deal(state: StateRecord, plan: Plan, step: Deal, owner: int) -> None:
    """Update beliefs about the cards that were dealt to one owner."""
    giver = plan.owner(step.source, owner)
    seen_by = plan.sights.sight(step.target, owner)
    for number in dynamic_range(zone_size(state, plan, step.target, owner) - state.size_before_deal[owner]):
        card = card_at(
            state, plan, step.target, owner, position(plan, step.target, state.size_before_deal[owner] + number)
        )
        leave(state, plan, step.source, giver, plan.sights.column[card], seen_by)
        arrive(state, plan, step.target, owner, plan.sights.column[card], seen_by)


def follow_all(state: StateRecord, plan: Plan, step: MoveAll, owner: int, receiver: int) -> None:
    """Move the beliefs about the cards of an owner, just before all these cards move to another zone.

    Cards that come from an open zone are known to all.
    """
    if plan.sights.remembers(step.target):
        if step.source in plan.counting:
            for number in dynamic_range(zone_size(state, plan, step.source, owner)):
                column = plan.sights.column[card_at(state, plan, step.source, owner, number)]
                arrive(state, plan, step.target, receiver, column, EVERYONE)
        elif plan.sights.remembers(step.source):
            giver = belief_slot(state, plan, step.source, owner) + plan.sights.behind(step.source, 0)
            taker = belief_slot(state, plan, step.target, receiver) + plan.sights.behind(step.target, 0)
            for index in dynamic_range(plan.sights.columns * len(plan.players)):
                state.beliefs[taker + index] += state.beliefs[giver + index]
    if plan.sights.remembers(step.source):
        giver = belief_slot(state, plan, step.source, owner) + plan.sights.behind(step.source, 0)
        for index in dynamic_range(plan.sights.columns * len(plan.players)):
            state.beliefs[giver + index] = 0


def after_gathering(state: StateRecord, plan: Plan) -> None:
    """Forget all known cards and count anew, after all cards were brought back to their zones."""
    count_tableaus(state, plan)
    for zone in plan.zones:
        forget(state, plan, zone)
        count_again(state, plan, zone)


def note_chips(state: StateRecord, plan: Plan, pile: int, seat: int, count: int) -> None:
    """Record the number of chips that a seat has drawn from a pile."""
    state.chips[plan.sights.chips(pile, seat)] += count


# ── cards that players take ─────────────────────────────────────────────────────────────────────────────────────────


def follow_move(state: StateRecord, plan: Plan, step: Choice, seat: int) -> None:
    """Update beliefs before one player's move is laid down."""
    if step.actions:
        for index, way in enumerate(step.actions):
            if state.way[seat] == index:
                follow_move(state, plan, way.laying, seat)
        return
    for number in range(plan.max_own_picks(step)):
        if plan.takes_exactly_one(step) or state.own_picks[seat] > number:
            follow_pick(state, plan, step, seat, seat, plan.pick_index(seat, number))
    for number in range(plan.max_ability_picks(step)):
        if state.ability_picks[seat] > number:
            follow_pick(state, plan, step, seat, seat, plan.ability_pick_index(step, seat, number))
    for index, (other, marker, count) in enumerate(step.also):
        for number in range(count):
            if state.markers[marker] == seat and state.card[plan.other_pick_index(step, seat, index, number)] >= 0:
                follow_pick(state, plan, step, seat, other, plan.other_pick_index(step, seat, index, number))
    for ability in step.abilities:
        if state.ability_picks[seat] > 0 and (len(step.abilities) == 1 or state.ability[seat] == ability):
            follow_return(state, plan, step, seat, ability)


def follow_stock(state: StateRecord, plan: Plan, step: Choice, seat: int) -> None:
    """Update beliefs before all cards of a player's stock are laid down."""
    for number in dynamic_range(state.size[plan.size_index(~step.source, seat)]):
        card = card_at(state, plan, ~step.source, seat, position(plan, step.source, number))
        follow_card(state, plan, step, seat, seat, card)


def follow_pick(state: StateRecord, plan: Plan, step: Choice, seat: int, receiver: int, pick: int) -> None:
    """Update beliefs when a picked card moves to `receiver`, the seat that gets it."""
    card = state.row[plan.first_place(step.source) + state.card[pick]] if step.layout else state.card[pick]
    follow_card(state, plan, step, seat, receiver, card)


def follow_card(state: StateRecord, plan: Plan, step: Choice, seat: int, receiver: int, card: int) -> None:
    """Update beliefs when a card moves to `receiver`, the seat that gets it."""
    column = plan.sights.column[card]
    owner = plan.owner(step.target, receiver)
    sight = EVERYONE if step.from_the_open(plan.program) else plan.sights.sight(step.target, owner)
    arrive(state, plan, step.target, owner, column, sight)
    if not step.layout:
        leave(state, plan, step.source, plan.owner(step.source, seat), column, sight)


def follow_exchange(state: StateRecord, plan: Plan, zone: int, giver: int, card: int, given: int) -> None:
    """Update beliefs when `giver` exchanges a card that another player asked for."""
    leave(state, plan, zone, giver, plan.sights.column[card], EVERYONE)
    arrive(state, plan, zone, giver, plan.sights.column[given], EVERYONE)


def follow_return(state: StateRecord, plan: Plan, step: Choice, seat: int, ability: int) -> None:
    """Update beliefs when the cards of a used ability go to their zone."""
    use = plan.program.abilities[ability]
    for number in range(use.model.per_turn):
        if state.ability_picks[seat] > number * use.model.take and use.model.returns_to != "stays":
            state.beliefs[GONE + plan.sights.column[use.play]] -= 1
            if use.model.returns_to == "hand":
                arrive(state, plan, step.source, seat, plan.sights.column[use.card], EVERYONE)
            if use.model.returns_to == "discard" and plan.sights.shows(plan.discard):
                first = belief_slot(state, plan, plan.discard, 0)
                state.beliefs[first + plan.sights.column[use.card]] += 1
