"""What players know of where cards lie, as `draftengine.engine.beliefs` and `draftengine.engine.observe` have it.

The game is played without that; where it is observed, everything that is done to cards is followed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.events import EVERYONE
from draftengine.engine.kernel.zones import card_at, zone_size, position
from draftengine.jit.primitives import dynamic_range, popcount

if TYPE_CHECKING:
    from draftengine.engine.cards import Deal, MoveAll
    from draftengine.engine.choose import Choice
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord

GONE = 0
"""Where in `StateRecord.known` the cards in tableaus are counted."""


def belief_slot(g: StateRecord, plan: Plan, zone: int, owner: int) -> int:
    """Where in `StateRecord.known` the cards of an owner in a zone are counted (see `engine.plan.belief_layout`)."""
    if plan.sights.travels(zone, owner):
        return g.belief_slot[plan.sights.number(zone, owner)]
    return plan.sights.first(zone, owner)


# ── what lies there ─────────────────────────────────────────────────────────────────────────────────────────────────


def begin_to_watch(g: StateRecord, plan: Plan) -> None:
    """Begin a game in which nobody remembers anything."""
    for at in dynamic_range(plan.sights.size):
        g.beliefs[at] = 0
    for number, (zone, owner) in enumerate(plan.sights.travelling):
        g.belief_slot[number] = plan.sights.first(zone, owner)
    for pile in plan.piles:
        for seat in plan.seats:
            g.chips[plan.sights.chips(pile, seat)] = 0
    for zone in plan.zones:
        count_again(g, plan, zone)


def count_again(g: StateRecord, plan: Plan, zone: int) -> None:
    """Count what lies in a zone, if anybody sees it."""
    if zone == plan.tableau:
        count_tableaus(g, plan)
    elif plan.sights.shows(zone):
        for owner in plan.owners(zone):
            first = belief_slot(g, plan, zone, owner)
            for column in dynamic_range(plan.sights.columns):
                g.beliefs[first + column] = 0
            for number in dynamic_range(zone_size(g, plan, zone, owner)):
                column = plan.sights.column[card_at(g, plan, zone, owner, position(plan, zone, number))]
                g.beliefs[first + column] += 1


def count_tableaus(g: StateRecord, plan: Plan) -> None:
    """Count what lies in the tableaus."""
    for column in dynamic_range(plan.sights.columns):
        g.beliefs[GONE + column] = 0
    for seat in plan.seats:
        for number in dynamic_range(zone_size(g, plan, plan.tableau, seat)):
            column = plan.sights.column[card_at(g, plan, plan.tableau, seat, number)]
            g.beliefs[GONE + column] += 1


def count_after_effects(g: StateRecord, plan: Plan) -> None:
    """Count the tableaus again if effects may have discarded cards of them."""
    if plan.sights.discards:
        count_tableaus(g, plan)
        count_again(g, plan, plan.discard)


def count_after_clearing(g: StateRecord, plan: Plan, zone: int, discard: int) -> None:
    """What lay in a zone that counts has gone to the discards."""
    count_again(g, plan, zone)
    count_again(g, plan, discard)


# ── what is remembered ──────────────────────────────────────────────────────────────────────────────────────────────


def arrive(g: StateRecord, plan: Plan, zone: int, owner: int, column: int, seen_by: int) -> None:
    """One card comes to a zone; the seats `seen_by` (bits) see which."""
    if zone == plan.tableau:
        g.beliefs[GONE + column] += 1
        return
    first = belief_slot(g, plan, zone, owner)
    if plan.sights.shows(zone):
        g.beliefs[first + column] += 1
    if plan.sights.remembers(zone):
        if seen_by == EVERYONE:
            for viewer in dynamic_range(len(plan.players)):
                g.beliefs[first + plan.sights.behind(zone, 0) + viewer * plan.sights.columns + column] += 1
        else:
            for viewer in plan.players:
                if seen_by >> viewer & 1:
                    g.beliefs[first + plan.sights.behind(zone, viewer) + column] += 1


def leave(g: StateRecord, plan: Plan, zone: int, owner: int, column: int, seen_by: int) -> None:
    """One card leaves a zone. Who does not see which loses one of every card that it remembers there."""
    if zone == plan.tableau:
        g.beliefs[GONE + column] -= 1
        return
    first = belief_slot(g, plan, zone, owner)
    if plan.sights.shows(zone):
        g.beliefs[first + column] -= 1
    if plan.sights.remembers(zone):
        if seen_by == EVERYONE:
            for viewer in dynamic_range(len(plan.players)):
                own = first + plan.sights.behind(zone, 0) + viewer * plan.sights.columns
                drop_known(g, own + column)
        else:
            for viewer in plan.players:
                own = first + plan.sights.behind(zone, viewer)
                if seen_by >> viewer & 1:
                    drop_known(g, own + column)
                else:
                    for other in dynamic_range(plan.sights.columns):
                        drop_known(g, own + other)


def drop_known(g: StateRecord, at: int) -> None:
    """Lower a count of known cards by one, if it is not 0."""
    g.beliefs[at] -= g.beliefs[at] > 0


def forget(g: StateRecord, plan: Plan, zone: int) -> None:
    """A zone is shuffled or emptied: nothing is known of it."""
    if plan.sights.remembers(zone):
        for owner in plan.owners(zone):
            first = belief_slot(g, plan, zone, owner) + plan.sights.behind(zone, 0)
            for at in dynamic_range(plan.sights.columns * len(plan.players)):
                g.beliefs[first + at] = 0


def look(g: StateRecord, plan: Plan, zone: int) -> None:
    """Owners look into a zone that is theirs to look into."""
    for owner in plan.sights.lookers(zone):
        first = belief_slot(g, plan, zone, owner)
        own = first + plan.sights.behind(zone, owner)
        for column in dynamic_range(plan.sights.columns):
            g.beliefs[own + column] = g.beliefs[first + column]


# ── what steps do ───────────────────────────────────────────────────────────────────────────────────────────────────


def before_deal(g: StateRecord, plan: Plan, step: Deal) -> None:
    """Note how many cards the owners of a zone have."""
    if plan.sights.is_plain(step.target):
        for owner in plan.owners(step.target):
            g.size_before_deal[owner] = zone_size(g, plan, step.target, owner)


def after_deal(g: StateRecord, plan: Plan, step: Deal) -> None:
    """Cards were dealt from one zone to another."""
    if plan.program.zones[step.target].layout:
        follow_layout(g, plan, step)
    elif plan.program.zones[step.target].per == "table":
        follow_deal(g, plan, step, 0)
    else:
        for owner in plan.players:
            if step.marker < 0 or g.markers[step.marker] == owner:
                follow_deal(g, plan, step, owner)


def follow_layout(g: StateRecord, plan: Plan, step: Deal) -> None:
    """Cards were laid to places, some of them face down."""
    if plan.sights.length(step.source) > 0:
        first = plan.first_place(step.target)
        for place in dynamic_range(popcount(g.lying[plan.layout(step.target)])):
            column = plan.sights.column[g.row[first + place]]
            if plan.tables.face_down(step.target) >> place & 1:
                leave(g, plan, step.source, 0, column, 0)
            else:
                leave(g, plan, step.source, 0, column, EVERYONE)


def follow_deal(g: StateRecord, plan: Plan, step: Deal, owner: int) -> None:
    """Note what is known of the cards that one owner was dealt."""
    giver = plan.owner(step.source, owner)
    seen_by = plan.sights.sight(step.target, owner)
    for number in dynamic_range(zone_size(g, plan, step.target, owner) - g.size_before_deal[owner]):
        card = card_at(g, plan, step.target, owner, position(plan, step.target, g.size_before_deal[owner] + number))
        leave(g, plan, step.source, giver, plan.sights.column[card], seen_by)
        arrive(g, plan, step.target, owner, plan.sights.column[card], seen_by)


def follow_all(g: StateRecord, plan: Plan, step: MoveAll, owner: int, receiver: int) -> None:
    """All cards of an owner will go to another zone: what was known of them, and all that lay open, is known there."""
    if plan.sights.remembers(step.target):
        if step.source in plan.counting:
            for number in dynamic_range(zone_size(g, plan, step.source, owner)):
                column = plan.sights.column[card_at(g, plan, step.source, owner, number)]
                arrive(g, plan, step.target, receiver, column, EVERYONE)
        elif plan.sights.remembers(step.source):
            giver = belief_slot(g, plan, step.source, owner) + plan.sights.behind(step.source, 0)
            taker = belief_slot(g, plan, step.target, receiver) + plan.sights.behind(step.target, 0)
            for at in dynamic_range(plan.sights.columns * len(plan.players)):
                g.beliefs[taker + at] += g.beliefs[giver + at]
    if plan.sights.remembers(step.source):
        giver = belief_slot(g, plan, step.source, owner) + plan.sights.behind(step.source, 0)
        for at in dynamic_range(plan.sights.columns * len(plan.players)):
            g.beliefs[giver + at] = 0


def after_gathering(g: StateRecord, plan: Plan) -> None:
    """Every card was brought back into one zone: count again."""
    count_tableaus(g, plan)
    for zone in plan.zones:
        forget(g, plan, zone)
        count_again(g, plan, zone)


def note_chips(g: StateRecord, plan: Plan, pile: int, seat: int, count: int) -> None:
    """A seat has drawn some chips of a pile."""
    g.chips[plan.sights.chips(pile, seat)] += count


# ── what players take ───────────────────────────────────────────────────────────────────────────────────────────────


def follow_move(g: StateRecord, plan: Plan, step: Choice, seat: int) -> None:
    """What one player has chosen will be laid down."""
    if step.actions:
        for index, way in enumerate(step.actions):
            if g.way[seat] == index:
                follow_move(g, plan, way.laying, seat)
        return
    for number in range(plan.max_own_picks(step)):
        if plan.takes_exactly_one(step) or g.own_picks[seat] > number:
            follow_pick(g, plan, step, seat, seat, plan.pick_index(seat, number))
    for number in range(plan.max_ability_picks(step)):
        if g.ability_picks[seat] > number:
            follow_pick(g, plan, step, seat, seat, plan.ability_pick_index(step, seat, number))
    for index, (other, marker, count) in enumerate(step.also):
        for number in range(count):
            if g.markers[marker] == seat and g.card[plan.other_pick_index(step, seat, index, number)] >= 0:
                follow_pick(g, plan, step, seat, other, plan.other_pick_index(step, seat, index, number))
    for own in step.abilities:
        if g.ability_picks[seat] > 0 and (len(step.abilities) == 1 or g.ability[seat] == own):
            follow_return(g, plan, step, seat, own)


def follow_pick(g: StateRecord, plan: Plan, step: Choice, seat: int, receiver: int, pick: int) -> None:
    """Note who sees a card go from where it lies to its receiver."""
    card = g.row[plan.first_place(step.source) + g.card[pick]] if step.layout else g.card[pick]
    column = plan.sights.column[card]
    owner = plan.owner(step.target, receiver)
    sight = EVERYONE if step.from_the_open(plan.program) else plan.sights.sight(step.target, owner)
    arrive(g, plan, step.target, owner, column, sight)
    if not step.layout:
        leave(g, plan, step.source, plan.owner(step.source, seat), column, sight)


def follow_exchange(g: StateRecord, plan: Plan, zone: int, giver: int, card: int, given: int) -> None:
    """Somebody gives a card of a zone to who asked for it, and gets another one there."""
    leave(g, plan, zone, giver, plan.sights.column[card], EVERYONE)
    arrive(g, plan, zone, giver, plan.sights.column[given], EVERYONE)


def follow_return(g: StateRecord, plan: Plan, step: Choice, seat: int, ability: int) -> None:
    """The cards of an ability go where they go."""
    use = plan.program.abilities[ability]
    for number in range(use.model.per_turn):
        if g.ability_picks[seat] > number * use.model.take and use.model.returns_to != "stays":
            g.beliefs[GONE + plan.sights.column[use.play]] -= 1
            if use.model.returns_to == "hand":
                arrive(g, plan, step.source, seat, plan.sights.column[use.card], EVERYONE)
            if use.model.returns_to == "discard" and plan.sights.shows(plan.discard):
                first = belief_slot(g, plan, plan.discard, 0)
                g.beliefs[first + plan.sights.column[use.card]] += 1
