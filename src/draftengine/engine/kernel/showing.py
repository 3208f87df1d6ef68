"""Observation vectors: all that a player may know, as `draftengine.studies.environments.encoding` has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.beliefs import GONE, belief_slot
from draftengine.engine.kernel.formulas import read
from draftengine.engine.kernel.zones import zone_size
from draftengine.jit.primitives import dynamic_range, popcount, row

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.kernel.arrays import Arrays
    from draftengine.engine.plan.observations import VectorPart
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord


def put(arrays: Arrays, plan: Plan, at: int, value: int) -> None:
    """Write one entry of an observation vector."""
    if plan.views.narrow:
        arrays.narrow[at] = value
    else:
        arrays.wide[at] = value


def show(g: StateRecord, arrays: Arrays, plan: Plan, table: int) -> None:
    """What all players of a table see."""
    draw_image(g, arrays, plan)
    count_left(g, arrays, plan)
    for viewer in dynamic_range(len(plan.players)):
        first = (table * len(plan.players) + viewer) * plan.views.length
        for part in plan.views.parts:
            PARTS[part.kind](g, arrays, plan, part, viewer, first + part.start)


def show_taken(arrays: Arrays, plan: Plan, table: int, viewer: int, action: int) -> None:
    """Show a player one more action that it has named of its move."""
    if action != plan.views.done and plan.views.start_of("taken") >= 0:
        at = (table * len(plan.players) + viewer) * plan.views.length + plan.views.start_of("taken") + action
        if plan.views.narrow:
            arrays.narrow[at] += 1
        else:
            arrays.wide[at] += 1


# ── the same for all who look ───────────────────────────────────────────────────────────────────────────────────────


def draw(arrays: Arrays, plan: Plan, first: int, seat: int, value: int) -> None:
    """A number of a seat in a row of the image."""
    for place in plan.views.seats_at(seat):
        arrays.image[first + place] = value


def draw_image(g: StateRecord, arrays: Arrays, plan: Plan) -> None:
    """What is told seat by seat."""
    for zone in plan.views.own_zones:
        for seat in plan.seats:
            if seat in plan.owners(zone):
                draw(arrays, plan, plan.views.row_of_sizes(zone), seat, zone_size(g, plan, zone, seat))
                if plan.sights.travels(zone, seat):
                    draw(arrays, plan, plan.views.row_of_shelves(zone), seat, belief_slot(g, plan, zone, seat))
    most = plan.views.most
    for seat in plan.seats:
        draw(arrays, plan, plan.views.row_of_points, seat, max(-most, min(g.scores[seat], most)))
        for pile in plan.piles:
            source = len(plan.program.sources_of_points) + pile
            worth = g.points[source * len(plan.seats) + seat]
            draw(arrays, plan, plan.views.row_of_chips(pile), seat, g.chips[plan.sights.chips(pile, seat)])
            draw(arrays, plan, plan.views.row_of_worths(pile), seat, worth)
    for seat in plan.players:
        draw(arrays, plan, plan.views.row_of_pending, seat, g.pending >> seat & 1)
    draw_counters(g, arrays, plan)


def draw_counters(g: StateRecord, arrays: Arrays, plan: Plan) -> None:
    """All counters of the seats, those of players twice."""
    first, count = plan.views.row_of_counters, len(plan.program.fields)
    for seat in plan.seats:
        place = plan.views.seats_at(seat)[0]
        for number, field in enumerate(plan.program.fields):
            arrays.image[first + place * count + number] = read(g.words[seat], field)
    for number in dynamic_range(len(plan.players) * count):
        arrays.image[first + len(plan.players) * count + number] = arrays.image[first + number]


def count_left(g: StateRecord, arrays: Arrays, plan: Plan) -> None:
    """The cards of the box without those that everybody sees."""
    for column in dynamic_range(plan.sights.columns):
        arrays.left[column] = plan.sights.copies[column] - g.beliefs[GONE + column]
    for zone in plan.zones:
        if plan.program.zones[zone].layout:
            places = g.lying[plan.layout(zone)] & ~g.down[plan.layout(zone)]
            for place in range(len(plan.program.zones[zone].layout)):
                if places >> place & 1:
                    arrays.left[plan.sights.column[g.row[plan.first_place(zone) + place]]] -= 1
        elif plan.sights.shows(zone) and plan.program.zones[zone].seen_by == "everyone":
            for owner in plan.owners(zone):
                first = belief_slot(g, plan, zone, owner)
                for column in dynamic_range(plan.sights.columns):
                    arrays.left[column] -= g.beliefs[first + column]


# ── parts ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def show_round(g: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, at: int) -> None:
    put(arrays, plan, at, g.round)


def show_turn(g: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, at: int) -> None:
    put(arrays, plan, at, g.turn)


def show_choice(g: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, at: int) -> None:
    for number, step in enumerate(plan.choices):
        put(arrays, plan, at + number, g.pc == step)


def show_choosing(g: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, at: int) -> None:
    for place in dynamic_range(part.length):
        put(arrays, plan, at + place, arrays.image[plan.views.row_of_pending + viewer + place])


def show_nothing_taken(g: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, at: int) -> None:
    for action in dynamic_range(part.length):
        put(arrays, plan, at + action, 0)


def in_row(plan: Plan, part: VectorPart, viewer: int) -> int:
    """Where in a row of the image the seat stands that a part is about."""
    if part.place >= len(plan.players):
        return plan.views.place_in_row(part.place)
    return viewer + part.place


def has_owner(plan: Plan, part: VectorPart) -> bool:
    """Can there be cards where a part looks."""
    return part.place in plan.owners(part.about)


def show_size(g: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, at: int) -> None:
    if plan.program.zones[part.about].layout:
        put(arrays, plan, at, popcount(g.lying[plan.layout(part.about)]))
    elif plan.program.zones[part.about].per != "seat":
        put(arrays, plan, at, zone_size(g, plan, part.about, 0))
    elif has_owner(plan, part):
        put(arrays, plan, at, arrays.image[plan.views.row_of_sizes(part.about) + in_row(plan, part, viewer)])


def show_cards(g: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, at: int) -> None:
    if is_known(plan, part):
        first = known_at(g, arrays, plan, part, viewer)
        for column in dynamic_range(part.length):
            put(arrays, plan, at + column, g.beliefs[first + column])


def is_known(plan: Plan, part: VectorPart) -> bool:
    """Can anything be known of the cards that a part is about."""
    zone = part.about
    return part.place in plan.owners(zone) and (is_seen(plan, part) or plan.sights.remembers(zone))


def is_seen(plan: Plan, part: VectorPart) -> bool:
    """Does a player see the cards that a part is about."""
    seen_by = plan.program.zones[part.about].seen_by
    return seen_by == "everyone" or (seen_by == "owner" and part.place == 0 and part.about in plan.views.own_zones)


def known_at(g: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int) -> int:
    """Where that is counted."""
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


def show_places(g: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, at: int) -> None:
    for entry in dynamic_range(part.length):
        put(arrays, plan, at + entry, 0)
    layout = plan.layout(part.about)
    for place in range(len(plan.program.zones[part.about].layout)):
        if g.lying[layout] >> place & 1:
            entry = 0
            if not g.down[layout] >> place & 1:
                entry = 1 + plan.sights.column[g.row[plan.first_place(part.about) + place]]
            put(arrays, plan, at + place * (1 + plan.sights.columns) + entry, 1)


def show_counters(g: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, at: int) -> None:
    first = plan.views.row_of_counters + in_row(plan, part, viewer) * part.length
    for number in dynamic_range(part.length):
        put(arrays, plan, at + number, arrays.image[first + number])


def show_scores(g: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, at: int) -> None:
    players = len(plan.players)
    for place in dynamic_range(players):
        put(arrays, plan, at + place, arrays.image[plan.views.row_of_points + viewer + place])
    for place in dynamic_range(part.length - players):
        put(arrays, plan, at + players + place, arrays.image[plan.views.row_of_points + 2 * players + place])


def show_unseen(g: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, at: int) -> None:
    hidden = hidden_parts(plan)
    first = row(len(hidden))
    for number, own in enumerate(hidden):
        first[number] = known_at(g, arrays, plan, own, viewer)
    for column in dynamic_range(part.length):
        left = arrays.left[column] - sum(g.beliefs[first[number] + column] for number in range(len(hidden)))
        put(arrays, plan, at + column, left)


def hidden_parts(plan: Plan) -> list[VectorPart]:
    """The parts that show cards that not everybody sees, but somebody can know."""
    return [
        own
        for own in plan.views.parts
        if own.kind == "cards" and plan.program.zones[own.about].seen_by != "everyone" and is_known(plan, own)
    ]


def show_marker(g: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, at: int) -> None:
    holder = g.markers[part.about]
    for place in dynamic_range(part.length):
        put(arrays, plan, at + place, 0)
    place = 0
    if holder >= len(plan.players):
        place = 1 + holder
    elif holder >= viewer:
        place = 1 + holder - viewer
    elif holder >= 0:
        place = 1 + holder - viewer + len(plan.players)
    put(arrays, plan, at + place, 1)


def show_chips_left(g: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, at: int) -> None:
    for pile in plan.piles:
        put(arrays, plan, at + pile, g.left[pile])


def show_chips(g: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, at: int) -> None:
    for pile in plan.piles:
        put(arrays, plan, at + pile, arrays.image[plan.views.row_of_chips(pile) + in_row(plan, part, viewer)])


def show_worths(g: StateRecord, arrays: Arrays, plan: Plan, part: VectorPart, viewer: int, at: int) -> None:
    if part.place == 0:
        for pile in plan.piles:
            put(arrays, plan, at + pile, arrays.image[plan.views.row_of_worths(pile) + viewer])


PARTS: dict[str, Callable[..., None]] = {
    "round": show_round, "turn": show_turn, "choice": show_choice, "choosing": show_choosing,
    "taken": show_nothing_taken, "size": show_size, "cards": show_cards, "places": show_places,
    "counters": show_counters, "scores": show_scores, "unseen": show_unseen, "marker": show_marker,
    "chips_left": show_chips_left, "chips": show_chips, "chips_worth": show_worths,
}  # fmt: skip
"""What writes a part of a vector, by its kind."""
