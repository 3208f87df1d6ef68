"""Worlds: games that a seat cannot tell from the real one, dealt as `draftengine.engine.redeal.HiddenCards` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.chance import GOLDEN, SHARED_LIMIT
from draftengine.engine.kernel.chance import bot_word, draw_from, shuffle, shuffle_many
from draftengine.engine.kernel.chips import add_chip, chip_at, empty_pile
from draftengine.jit.primitives import dynamic_range, wrap

if TYPE_CHECKING:
    from draftengine.bots.search.plan import SearchPlan
    from draftengine.bots.search.state import Search
    from draftengine.engine.record import StateRecord

GROUP_INTS = 4
"""So many numbers say of a part where its pool begins, how many cards are in it, how many stretches of cells it fills,
and which part gets what is left."""


def lay_world(g: StateRecord, known: StateRecord, search: Search, plan: SearchPlan) -> None:
    """A new world, by the stream that policies draw from: what is `known`, and everything else dealt."""
    lay_open(g, known, plan)
    deal = bot_word(g)
    g.chance = bot_word(g)
    g.deal = wrap(g.bot - GOLDEN)
    lay_cards(g, known, search, plan)
    lay_chips(g, known, search, plan)
    draw_from(g, g.deal)
    g.deal = deal
    gather_cells(g, plan)


def lay_open(g: StateRecord, known: StateRecord, plan: SearchPlan) -> None:
    """Copy everything that is the same in every world but cards and chips."""
    g.pc = known.pc
    g.round = known.round
    g.turn = known.turn
    for depth in range(plan.most_depth):
        g.outer[depth] = known.outer[depth]
    g.over = 0
    for seat in plan.seats:
        g.words[seat] = known.words[seat]
        g.words_before_choice[seat] = known.words_before_choice[seat]
        g.scores[seat] = known.scores[seat]
        g.bonus[seat] = known.bonus[seat]
    for marker in plan.markers:
        g.markers[marker] = known.markers[marker]
    for zone in plan.zones:
        if plan.is_stored(zone):
            for lot in plan.lots_of(zone):
                g.size[lot] = known.size[lot]
        if plan.program.zones[zone].layout:
            g.lying[plan.layout(zone)] = known.lying[plan.layout(zone)]
            g.down[plan.layout(zone)] = known.down[plan.layout(zone)]


# ── cards ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def lay_cards(g: StateRecord, known: StateRecord, search: Search, plan: SearchPlan) -> None:
    """The cards that are certain, and full pools; then part by part what is dealt."""
    for number in dynamic_range(search.copies):
        first = search.copied[2 * number]
        for at in dynamic_range(search.copied[2 * number + 1]):
            g.card_array[first + at] = known.card_array[first + at]
    for number in dynamic_range(search.parts):
        search.now[number] = search.part[number * GROUP_INTS + 1]
    stretch = 0
    for number in dynamic_range(search.parts):
        stretch = deal_part(g, search, plan, number, stretch)
    for number in dynamic_range(search.stirs):
        stir(g, plan, search.reshuffled_zones[2 * number], search.reshuffled_zones[2 * number + 1])


def stir(g: StateRecord, plan: SearchPlan, first: int, count: int) -> None:
    """Shuffle `count` cells of the heap from `first` on."""
    if len(plan.program.deck) > SHARED_LIMIT:
        if count > SHARED_LIMIT:
            shuffle_many(g, first, count)
        else:
            shuffle(g, first, count, 0)
    else:
        shuffle(g, first, count, 0)


def deal_part(g: StateRecord, search: Search, plan: SearchPlan, number: int, stretch: int) -> int:
    """Deal the pool of a part to its stretches, and hand on what is left. Returns where the next stretches begin."""
    first = search.part[number * GROUP_INTS]
    count = search.now[number]
    stir(g, plan, first, count)
    dealt = 0
    for own in dynamic_range(search.part[number * GROUP_INTS + 2]):
        cell = search.filled[2 * (stretch + own)]
        size = search.filled[2 * (stretch + own) + 1]
        if cell >= 0:
            for at in dynamic_range(size):
                g.card_array[cell + at] = g.card_array[first + dealt + at]
        dealt += size
    into = search.part[number * GROUP_INTS + 3]
    if into != number:
        behind = search.part[into * GROUP_INTS] + search.now[into]
        for at in dynamic_range(count - dealt):
            g.card_array[behind + at] = g.card_array[first + dealt + at]
        search.now[into] += count - dealt
    return stretch + search.part[number * GROUP_INTS + 2]


def gather_cells(g: StateRecord, plan: SearchPlan) -> None:
    """Cards that lay side by side come to where the game looks for them."""
    for zone in plan.zones:
        if plan.program.zones[zone].layout:
            first, cell = plan.first_place(zone), plan.cells(zone, 0)
            for place in dynamic_range(len(plan.program.zones[zone].layout)):
                g.row[first + place] = g.card_array[cell + place]
        elif plan.is_lanes(zone):
            for owner in plan.owners(zone):
                g.hand[plan.hand(zone, owner)] = lanes_of(
                    g, plan, plan.cells(zone, owner), g.size[plan.size_index(zone, owner)]
                )


def lanes_of(g: StateRecord, plan: SearchPlan, cell: int, size: int) -> int:
    """The cards in `size` cells of the heap as lanes of one word."""
    found = 0
    for at in dynamic_range(size):
        found |= g.card_array[cell + at] << at * plan.bits
    return found


# ── chips ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def lay_chips(g: StateRecord, known: StateRecord, search: Search, plan: SearchPlan) -> None:
    """Lay out the chips, pile by pile: deal those that the seat does not know; what is left of them is the pile."""
    held = 0
    for pile in plan.piles:
        if search.hidden[pile] > 0:
            held = deal_chips(g, known, search, plan, pile, held)
        else:
            empty_pile(g, plan, pile)
            for at in dynamic_range(known.left[pile]):
                add_chip(g, plan, pile, chip_at(known, plan, pile, at))


def deal_chips(g: StateRecord, known: StateRecord, search: Search, plan: SearchPlan, pile: int, held: int) -> int:
    """Deal the chips of a pile to its holders, from `held` on. Returns where the holders of the next pile begin."""
    first = search.chip_pool[pile]
    count = search.hidden[pile]
    for at in dynamic_range(count):
        g.card_array[first + at] = known.card_array[first + at]
    stir(g, plan, first, count)
    dealt = 0
    while search.chip_holder[held + dealt] >= 0:
        for seat in plan.seats:
            if search.chip_holder[held + dealt] == seat:
                g.bonus[seat] += plan.program.chip_values[pile][g.card_array[first + dealt]]
        dealt += 1
    sort(g, first + dealt, count - dealt)
    empty_pile(g, plan, pile)
    for at in dynamic_range(count - dealt):
        add_chip(g, plan, pile, plan.program.chip_values[pile][g.card_array[first + dealt + at]])
    return held + dealt + 1


def sort(g: StateRecord, first: int, count: int) -> None:
    """Put `count` cells of the heap from `first` on into ascending order."""
    for number in dynamic_range(count):
        own = g.card_array[first + number]
        at = number
        while at > 0 and g.card_array[first + at - 1] > own:
            g.card_array[first + at] = g.card_array[first + at - 1]
            at -= 1
        g.card_array[first + at] = own
