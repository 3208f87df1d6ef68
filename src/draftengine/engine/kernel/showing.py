"""Observation vectors: everything that a player may know, as numbers.

`draftengine.engine.encoding` describes the vectors. Values that belong to seats are first written to the *image*, whose
rows list the players twice. So the values in the order that any player sees are consecutive entries of a row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.beliefs import GONE, belief_slot
from draftengine.engine.kernel.formulas import read
from draftengine.engine.kernel.zones import card_at, position, zone_size
from draftengine.jit.primitives import dynamic_range, popcount, row

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.plan import Plan
    from draftengine.engine.plan.observations import VectorPart
    from draftengine.engine.state import Arrays, StateRecord


def put(arrays: Arrays, plan: Plan, index: int, value: int) -> None:
    """Write one entry of an observation vector."""
    if plan.views.cells.array == "tiny":
        arrays.tiny[index] = value
    elif plan.views.cells.array == "narrow":
        arrays.narrow[index] = value
    else:
        arrays.wide[index] = value


def show(state: StateRecord, arrays: Arrays, plan: Plan, table: int) -> None:
    """Write the observation vectors of all actors of a table."""
    draw_image(state, arrays, plan)
    count_left(state, arrays, plan)
    for number in dynamic_range(len(plan.actors)):
        viewer = plan.actors[number] if plan.others else number
        first = (table * len(plan.actors) + number) * plan.views.length
        for part in plan.views.parts:
            PARTS[part.kind](state, arrays, plan, part, viewer, first + part.start)


def show_taken(arrays: Arrays, plan: Plan, vector: int, action: int) -> None:
    """Mark an action that a player has named so far in the observation vector with the number `vector`."""
    if action != plan.views.done and plan.views.start_of("taken") >= 0:
        index = vector * plan.views.length + plan.views.start_of("taken") + action
        if plan.views.cells.array == "tiny":
            arrays.tiny[index] += 1
        elif plan.views.cells.array == "narrow":
            arrays.narrow[index] += 1
        else:
            arrays.wide[index] += 1


# ── values that all observers share ─────────────────────────────────────────────────────────────────────────────────


def draw(arrays: Arrays, plan: Plan, first: int, seat: int, value: int) -> None:
    """Write a value of a seat into a row of `Arrays.image`. Rows list the players twice."""
    for place in plan.views.seats_at(seat):
        arrays.image[first + place] = value


def draw_image(state: StateRecord, arrays: Arrays, plan: Plan) -> None:
    """Write all values that belong to seats into `Arrays.image`, from which vectors are copied."""
    for zone in plan.views.own_zones:
        for seat in plan.seats:
            if seat in plan.owners(zone):
                draw(arrays, plan, plan.views.row_of_sizes(zone), seat, zone_size(state, plan, zone, seat))
                if plan.sights.travels(zone, seat):
                    draw(arrays, plan, plan.views.row_of_shelves(zone), seat, belief_slot(state, plan, zone, seat))
    _, least, most = plan.views.cells
    for seat in plan.seats:
        draw(arrays, plan, plan.views.row_of_points, seat, max(least, min(state.scores[seat], most)))
        for pile in plan.piles:
            source = len(plan.program.sources_of_points) + pile
            worth = state.points[source * len(plan.seats) + seat]
            draw(arrays, plan, plan.views.row_of_chips(pile), seat, state.chips[plan.sights.chips(pile, seat)])
            draw(arrays, plan, plan.views.row_of_worths(pile), seat, worth)
    for seat in plan.players:
        draw(arrays, plan, plan.views.row_of_pending, seat, state.pending >> seat & 1)
    draw_counters(state, arrays, plan)


def draw_counters(state: StateRecord, arrays: Arrays, plan: Plan) -> None:
    """Write all counters of the seats into `Arrays.image`, those of players twice."""
    first, count = plan.views.row_of_counters, len(plan.program.fields)
    for seat in plan.seats:
        place = plan.views.seats_at(seat)[0]
        for number, field in enumerate(plan.program.fields):
            arrays.image[first + place * count + number] = read(state.words[seat], field)
    for number in dynamic_range(len(plan.players) * count):
        arrays.image[first + len(plan.players) * count + number] = arrays.image[first + number]


def count_left(state: StateRecord, arrays: Arrays, plan: Plan) -> None:
    """Count, by face, the cards of the box that are not visible to everyone."""
    if plan.program.has_sides:  # no box says how many things show a side now
        count_covered(state, arrays, plan)
        return
    for column in dynamic_range(plan.sights.columns):
        arrays.left[column] = plan.sights.copies[column] - state.beliefs[GONE + column]
    for zone in plan.zones:
        if plan.program.zones[zone].layout:
            places = state.lying[plan.layout(zone)] & ~state.down[plan.layout(zone)]
            for place in range(len(plan.program.zones[zone].layout)):
                if places >> place & 1:
                    arrays.left[plan.sights.column[state.row[plan.first_place(zone) + place]]] -= 1
        elif plan.sights.shows(zone) and plan.program.zones[zone].seen_by == "everyone":
            for owner in plan.owners(zone):
                first = belief_slot(state, plan, zone, owner)
                for column in dynamic_range(plan.sights.columns):
                    arrays.left[column] -= state.beliefs[first + column]


def count_covered(state: StateRecord, arrays: Arrays, plan: Plan) -> None:
    """Count, by face, the cards that are not visible to everyone, one by one."""
    for column in dynamic_range(plan.sights.columns):
        arrays.left[column] = 0
    for zone in plan.zones:
        if plan.program.zones[zone].layout:
            covered = state.lying[plan.layout(zone)] & state.down[plan.layout(zone)]
            for place in range(len(plan.program.zones[zone].layout)):
                if covered >> place & 1:
                    arrays.left[plan.sights.column[state.row[plan.first_place(zone) + place]]] += 1
        elif plan.program.zones[zone].seen_by != "everyone":
            for owner in plan.owners(zone):
                for number in dynamic_range(zone_size(state, plan, zone, owner)):
                    card = card_at(state, plan, zone, owner, position(plan, zone, number))
                    arrays.left[plan.sights.column[card]] += 1


# ── parts ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def show_round(state: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, start: int) -> None:
    put(arrays, plan, start, state.round)


def show_turn(state: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, start: int) -> None:
    put(arrays, plan, start, state.turn)


def show_choice(state: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, start: int) -> None:
    for number, step in enumerate(plan.choices):
        put(arrays, plan, start + number, state.pc == step)


def show_choosing(state: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, start: int) -> None:
    for place in dynamic_range(part.length):
        put(arrays, plan, start + place, arrays.image[plan.views.row_of_pending + viewer + place])


def show_nothing_taken(
    state: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, start: int
) -> None:
    for action in dynamic_range(part.length):
        put(arrays, plan, start + action, 0)


def in_row(plan: Plan, part: VectorPart, viewer: int) -> int:
    """Return the position, in a row of `Arrays.image`, of the seat that a part of the vector describes."""
    if part.place >= len(plan.players):
        return plan.views.place_in_row(part.place)
    return viewer + part.place


def has_owner(plan: Plan, part: VectorPart) -> bool:
    """True if the seat that a part of the vector describes owns cards in the part's zone."""
    return part.place in plan.owners(part.about)


def show_size(state: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, start: int) -> None:
    if plan.program.zones[part.about].layout:
        put(arrays, plan, start, popcount(state.lying[plan.layout(part.about)]))
    elif plan.program.zones[part.about].per != "seat":
        put(arrays, plan, start, zone_size(state, plan, part.about, 0))
    elif has_owner(plan, part):
        put(arrays, plan, start, arrays.image[plan.views.row_of_sizes(part.about) + in_row(plan, part, viewer)])


def show_cards(state: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, start: int) -> None:
    if is_known(plan, part):
        first = known_at(state, arrays, plan, part, viewer)
        for column in dynamic_range(part.length):
            put(arrays, plan, start + column, state.beliefs[first + column])


def is_known(plan: Plan, part: VectorPart) -> bool:
    """True if a viewer can know any of the cards that a part of the vector describes."""
    zone = part.about
    return part.place in plan.owners(zone) and (is_seen(plan, part) or plan.sights.remembers(zone))


def is_seen(plan: Plan, part: VectorPart) -> bool:
    """True if the viewer sees the cards that a part of the vector describes."""
    seen_by = plan.program.zones[part.about].seen_by
    return seen_by == "everyone" or (seen_by == "owner" and part.place == 0 and part.about in plan.views.own_zones)


def known_at(state: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int) -> int:
    """Return the index in `StateRecord.beliefs` of what a viewer knows about the cards of a part."""
    zone = part.about
    first = plan.sights.first(zone, part.place if zone in plan.views.own_zones else 0)
    if zone in plan.views.own_zones and part.place in plan.players:
        if plan.sights.travels(zone, part.place):
            first = arrays.image[plan.views.row_of_shelves(zone) + in_row(plan, part, viewer)]
        else:
            owner = viewer + part.place
            if owner >= len(plan.players):
                owner -= len(plan.players)
            first = plan.sights.first(zone, 0) + owner * plan.sights.length(zone)
    if is_seen(plan, part):
        return first
    return first + plan.sights.behind(zone, 0) + viewer * plan.sights.columns


def show_places(state: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, start: int) -> None:
    for entry in dynamic_range(part.length):
        put(arrays, plan, start + entry, 0)
    layout = plan.layout(part.about)
    for place in range(len(plan.program.zones[part.about].layout)):
        if state.lying[layout] >> place & 1:
            entry = 0
            if not state.down[layout] >> place & 1:
                entry = 1 + plan.sights.column[state.row[plan.first_place(part.about) + place]]
            put(arrays, plan, start + place * (1 + plan.sights.columns) + entry, 1)


def show_counters(state: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, start: int) -> None:
    first = plan.views.row_of_counters + in_row(plan, part, viewer) * part.length
    for number in dynamic_range(part.length):
        put(arrays, plan, start + number, arrays.image[first + number])


def show_scores(state: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, start: int) -> None:
    players = len(plan.players)
    for place in dynamic_range(players):
        put(arrays, plan, start + place, arrays.image[plan.views.row_of_points + viewer + place])
    for place in dynamic_range(part.length - players):
        put(arrays, plan, start + players + place, arrays.image[plan.views.row_of_points + 2 * players + place])


def show_unseen(state: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, start: int) -> None:
    hidden = hidden_parts(plan)
    first = row(len(hidden))
    for number, other in enumerate(hidden):
        first[number] = known_at(state, arrays, plan, other, viewer)
    for column in dynamic_range(part.length):
        left = arrays.left[column] - sum(state.beliefs[first[number] + column] for number in range(len(hidden)))
        put(arrays, plan, start + column, left)


def hidden_parts(plan: Plan) -> list[VectorPart]:
    """Return the parts for cards that not everyone sees, if a viewer may know some of these cards."""
    return [
        part
        for part in plan.views.parts
        if part.kind == "cards" and plan.program.zones[part.about].seen_by != "everyone" and is_known(plan, part)
    ]


def show_marker(state: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, start: int) -> None:
    holder = state.markers[part.about]
    for place in dynamic_range(part.length):
        put(arrays, plan, start + place, 0)
    place = 0
    if holder >= len(plan.players):
        place = 1 + holder
    elif holder >= viewer:
        place = 1 + holder - viewer
    elif holder >= 0:
        place = 1 + holder - viewer + len(plan.players)
    put(arrays, plan, start + place, 1)


def show_chips_left(state: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, start: int) -> None:
    for pile in plan.piles:
        put(arrays, plan, start + pile, state.left[pile])


def show_chips(state: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, start: int) -> None:
    for pile in plan.piles:
        put(arrays, plan, start + pile, arrays.image[plan.views.row_of_chips(pile) + in_row(plan, part, viewer)])


def show_worths(state: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, start: int) -> None:
    if part.place == 0:
        for pile in plan.piles:
            put(arrays, plan, start + pile, arrays.image[plan.views.row_of_worths(pile) + viewer])


PARTS: dict[str, Callable[..., None]] = {
    "round": show_round, "turn": show_turn, "choice": show_choice, "choosing": show_choosing,
    "taken": show_nothing_taken, "size": show_size, "cards": show_cards, "places": show_places,
    "counters": show_counters, "scores": show_scores, "unseen": show_unseen, "marker": show_marker,
    "chips_left": show_chips_left, "chips": show_chips, "chips_worth": show_worths,
}  # fmt: skip
"""The function that writes the entries of a part of a vector, for each kind of part."""
