"""Things on the table: cards in zones and in layouts, and chips in piles.

A *spot* is the position of a card in an owner's zone: the first bit of its lane, or its index in an array. When a
player draws cards, it takes them from a copy of its zone, its *stock*; the copy has the number ``~zone``. In a
*layout*, cards lie at places that may cover each other. A short pile of chips is stored as lanes of one word; other
piles are lists.
"""

from __future__ import annotations

from functools import cache
from operator import add
from typing import TYPE_CHECKING

from draftengine.engine.plan.base import NOTHING
from draftengine.jit.primitives import dynamic_range, shr, trailing, wrap

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.plain import AnyPlan, InterpreterPlan
    from draftengine.engine.plan import Plan
    from draftengine.engine.state import StateRecord
    from draftengine.jit.records import Packed

TABULATED = 8
"""The largest number of bits among which a table selects one."""
SHORT = 16
"""The capacity of arrays in which a card is removed without a loop, whose end nobody could guess."""
FEW = 3
"""The number of bits to skip without a loop, because processors predict the end of a loop badly."""


def is_lanes(plan: AnyPlan, zone: int) -> bool:
    """True if packed words hold the cards of a zone (or of its stock), each in a few bits, its *lane*."""
    return plan.is_lanes(zone if zone >= 0 else ~zone)


def zone_size(state: StateRecord, plan: AnyPlan, zone: int, owner: int) -> int:
    """Return the number of cards of an owner in a zone."""
    if plan.plain:
        return len(plan.cards(state, zone, owner))
    return state.size[plan.size_index(zone, owner)]


def is_empty(state: StateRecord, plan: AnyPlan, zone: int) -> int:
    if plan.plain:
        return plan.is_empty(state, zone)
    if plan.program.zones[zone].layout:
        return state.lying[plan.layout(zone)] == 0
    return not any(state.size[lot] > 0 for lot in plan.lots_of(zone))


def position(plan: AnyPlan, zone: int, number: int) -> int:
    """Return the position of the `number`-th card in a zone: its first bit in a word, or its index."""
    return number * plan.bits if is_lanes(plan, zone) else number


def card_at(state: StateRecord, plan: AnyPlan, zone: int, owner: int, position: int) -> int:
    """Return the card at a position, which is a bit of a packed word or the index in an array."""
    if plan.plain:
        return plan.cards(state, zone, owner)[position]
    if is_lanes(plan, zone):
        return shr(state.hand[plan.hand(zone, owner)], position) & plan.mask
    return state.card_array[plan.first(zone, owner) + position]


def without(word: int, shift: int, bits: int) -> int:
    """Return a packed word without the card whose bits begin at `shift`. Higher cards move down."""
    rest = shr(word, shift)
    return word - (rest - shr(rest, bits) << shift)


def disturb(state: StateRecord, plan: Plan, zone: int, owner: int) -> None:
    """Reset the gauges of an owner's zone, because cards changed other than by adding one at the end."""
    if plan.keeps_gauges(zone):  # then the zone is empty now
        for gauge, function, _ in plan.kept_gauges(zone, owner):
            state.gauge[gauge] = NOTHING[function]
    else:
        for gauge in plan.gauges_of(zone, owner):
            state.gauged[gauge] = 0


def last(before: int, value: int) -> int:
    """Combine the numbers of cards to that of the last card, which lies on top."""
    return value


COMBINE: dict[str, Callable[..., int]] = {"cards": add, "sum": add, "highest": max, "lowest": min, "on_top": last}
"""The operation by which a function of the cards in a zone combines numbers."""


def remove_at(state: StateRecord, plan: Plan, zone: int, owner: int, position: int, size: int) -> None:
    """Remove the card at a position in a zone with `size` cards. The caller updates the size."""
    disturb(state, plan, zone, owner)
    if is_lanes(plan, zone):
        hand = plan.hand(zone, owner)
        state.hand[hand] = without(state.hand[hand], position, plan.bits)
    elif plan.in_words and plan.capacity(zone if zone >= 0 else ~zone) <= SHORT:
        first = plan.first(zone, owner)
        for place in range(plan.capacity(zone if zone >= 0 else ~zone) - 1):
            state.card_array[first + place] = state.card_array[first + place + (place >= position)]
    else:
        first = plan.first(zone, owner)
        for place in dynamic_range(size - 1 - position):
            state.card_array[first + position + place] = state.card_array[first + position + place + 1]


def put_at_end(state: StateRecord, plan: Plan, zone: int, owner: int, size: int, card: int) -> None:
    """Put a card at the end of a zone that has `size` cards. The caller updates the size."""
    if is_lanes(plan, zone):
        state.hand[plan.hand(zone, owner)] |= card << size * plan.bits
    elif plan.is_heap(zone):
        state.card_array[plan.first(zone, owner) + size] = card
    if plan.keeps_gauges(zone):
        for gauge, function, numbers in plan.kept_gauges(zone, owner):
            state.gauge[gauge] = COMBINE[function](state.gauge[gauge], numbers[card])


def push(state: StateRecord, plan: AnyPlan, zone: int, owner: int, card: int) -> None:
    """Add a card on top of a pile, which is the end of a zone."""
    if plan.plain:
        plan.cards(state, zone, owner).append(card)
    elif plan.is_stored(zone):
        lot = plan.size_index(zone, owner)
        put_at_end(state, plan, zone, owner, state.size[lot], card)
        state.size[lot] += 1


def put_at(state: StateRecord, plan: AnyPlan, zone: int, owner: int, position: int, card: int) -> None:
    """Replace the card at an index in a zone whose cards are an array."""
    if plan.plain:
        plan.cards(state, zone, owner)[position] = card
    else:
        disturb(state, plan, zone, owner)
        state.card_array[plan.first(zone, owner) + position] = card


def exchange_at(state: StateRecord, plan: AnyPlan, zone: int, owner: int, position: int, card: int) -> None:
    """Replace the card at a position of a zone."""
    if not plan.plain and plan.is_lanes(zone):
        old = card_at(state, plan, zone, owner, position)
        disturb(state, plan, zone, owner)
        state.hand[plan.hand(zone, owner)] ^= (old ^ card) << position
    else:
        put_at(state, plan, zone, owner, position, card)


def truncate(state: StateRecord, plan: AnyPlan, zone: int, owner: int, count: int) -> None:
    """Keep only the first `count` cards of a zone whose cards are an array."""
    if plan.plain:
        del plan.cards(state, zone, owner)[count:]
    else:
        disturb(state, plan, zone, owner)
        state.size[plan.size_index(zone, owner)] = count


def pop(state: StateRecord, plan: AnyPlan, zone: int, owner: int) -> int:
    """Remove the top card and return it."""
    if plan.plain:
        return plan.cards(state, zone, owner).pop()
    lot = plan.size_index(zone, owner)
    state.size[lot] -= 1
    where = position(plan, zone, state.size[lot])
    card = card_at(state, plan, zone, owner, where)
    if is_lanes(plan, zone):
        remove_at(state, plan, zone, owner, where, state.size[lot] + 1)
    else:
        disturb(state, plan, zone, owner)
    return card


def empty_lot(state: StateRecord, plan: Plan, zone: int, owner: int) -> None:
    """Remove an owner's cards from a zone.

    If all owners always have equally many cards, the caller updates the number.
    """
    disturb(state, plan, zone, owner)
    if is_lanes(plan, zone):
        state.hand[plan.hand(zone, owner)] = 0
    if not plan.has_equal_sizes(zone):
        state.size[plan.size_index(zone, owner)] = 0


def empty_zone(state: StateRecord, plan: AnyPlan, zone: int) -> None:
    """Remove the cards of all owners from a zone, or all cards from a layout."""
    if plan.plain:
        plan.empty_zone(state, zone)
    elif plan.program.zones[zone].layout:
        state.lying[plan.layout(zone)] = 0
        state.down[plan.layout(zone)] = 0
    elif plan.is_stored(zone):
        for lot in plan.lots_of(zone):
            state.size[lot] = 0
        for owner in plan.owners(zone):
            disturb(state, plan, zone, owner)
            if plan.is_lanes(zone):
                state.hand[plan.hand(zone, owner)] = 0


def fill(state: StateRecord, plan: AnyPlan, zone: int, contents: tuple[int, ...]) -> None:
    """Replace the cards in a shared zone by `contents`."""
    if plan.plain:
        plan.cards(state, zone, 0)[:] = contents
    elif plan.is_stored(zone):
        first = plan.first(zone, 0)
        disturb(state, plan, zone, 0)
        for index in dynamic_range(len(contents)):
            state.card_array[first + index] = contents[index]
        state.size[plan.size_index(zone, 0)] = len(contents)


def remove_nth(state: StateRecord, plan: AnyPlan, zone: int, owner: int, number: int) -> None:
    if plan.plain:
        plan.cards(state, zone, owner).pop(number)
    else:
        lot = plan.size_index(zone, owner)
        remove_at(state, plan, zone, owner, position(plan, zone, number), state.size[lot])
        state.size[lot] -= 1


def remove(state: StateRecord, plan: AnyPlan, zone: int, owner: int, card: int) -> None:
    """Remove the first copy of a card from a zone, or the last one if copies can be different pieces."""
    if plan.plain:
        plan.take_from(plan.cards(state, zone, owner), zone, card)
    else:
        lot = plan.size_index(zone, owner)
        position = find(state, plan, zone, owner, card)
        remove_at(state, plan, zone, owner, position, state.size[lot])
        state.size[lot] -= 1


def find(state: StateRecord, plan: Plan, zone: int, owner: int, card: int) -> int:
    """Return the position of the first copy of a card, or of the last if copies can be different pieces."""
    if is_lanes(plan, zone):
        return first_match(plan, state.hand[plan.hand(zone, owner)], card)
    first = plan.first(zone, owner)
    if plan.takes_last(zone):
        position = state.size[plan.size_index(zone, owner)] - 1
        while state.card_array[first + position] != card:
            position -= 1
        return position
    position = 0
    while state.card_array[first + position] != card:
        position += 1
    return position


def contains(state: StateRecord, plan: AnyPlan, zone: int, owner: int, card: int) -> int:
    """True if an owner has a copy of a card in a zone."""
    if plan.plain:
        return card in plan.cards(state, zone, owner)
    size = state.size[plan.size_index(zone, owner)]
    if is_lanes(plan, zone):
        return match_bits(plan, state.hand[plan.hand(zone, owner)], card) & (1 << size * plan.bits) - 1 != 0
    present = 0
    first = plan.first(zone, owner)
    for index in dynamic_range(size):
        present |= state.card_array[first + index] == card
    return present


def first_match(plan: Plan, hand: int, card: int) -> int:
    """Return the position in a packed hand of the first copy of a card."""
    return trailing(match_bits(plan, hand, card)) - plan.bits + 1


def match_bits(plan: Plan, hand: int, card: int) -> int:
    """Return the highest bit of each lane (a card's bits) that holds `card`. Only the lowest one is sure.

    Lanes with the card become 0, and subtracting 1 from each lane borrows. A borrow can mark higher lanes wrongly.
    """
    x = hand ^ card * plan.ones
    return wrap(x - plan.ones) & ~x & plan.ones << plan.bits - 1


def lanes_without(plan: Plan, hand: int, card: int) -> int:
    """Return the highest bit of each lane (a card's bits) in a packed hand that does not hold `card`.

    This is exact for all lanes: because highest bits are cleared first, no lane carries into the next.
    """
    x = hand ^ card * plan.ones
    low = plan.ones * ((1 << plan.bits - 1) - 1)
    return ((x & low) + low | x) & plan.ones << plan.bits - 1


def lane_alike(plan: Plan, hand: int, card: int) -> int:
    """Return the position in a packed hand of the first card with the same face as `card`."""
    lanes = match_bits(plan, hand, card)
    for alike in plan.tables.alike:
        if sum(1 << other for other in alike) >> card & 1:
            for other in alike:
                lanes |= match_bits(plan, hand, other)
    return trailing(lanes) - plan.bits + 1


def find_same_face(state: StateRecord, plan: Plan, zone: int, owner: int, card: int) -> int:
    """Return the position of the first card with the same face as `card`. There must be one."""
    if not plan.tables.share_faces:
        return find(state, plan, zone, owner, card)
    if is_lanes(plan, zone):
        return lane_alike(plan, state.hand[plan.hand(zone, owner)], card)
    where = 0
    face = plan.program.face_of[card]
    while plan.program.face_of[card_at(state, plan, zone, owner, where)] != face:
        where += position(plan, zone, 1)
    return where


def increment_of(plan: AnyPlan, word: Packed, play: int) -> Packed:
    """Return what a play adds to a packed word, given the modifiers that are open in the word."""
    if plan.plain:
        return plan.program.plays[play].increment_in(word)
    return plan.tables.rises[play + modified_by(plan, word)]


def modified_by(plan: AnyPlan, word: Packed) -> int:
    """Return the index at which the entries for a word's open modifiers begin, in tables by modifiers."""
    count = len(plan.program.plays)
    return sum((count << index) * (word & bits != 0) for index, bits in enumerate(plan.tables.modifiers))


def card_or_play(plan: AnyPlan, zone: int, play: int) -> int:
    """Return the play if a zone stores plays, because its cards add to counters; otherwise its card."""
    if (plan.wild or plan.program.pieces_of_play) and zone not in plan.counting:
        return plan.program.card_of[play]
    return play


def copy_stock(state: StateRecord, plan: Plan, zone: int, seat: int) -> None:
    """Copy a player's zone to its stock, the cards from which its random moves are drawn."""
    size = zone_size(state, plan, zone, seat)
    state.size[plan.size_index(~zone, seat)] = size
    if is_lanes(plan, zone):
        state.hand[plan.hand(~zone, seat)] = state.hand[plan.hand(zone, seat)]
    else:
        first, other = plan.first(zone, seat), plan.first(~zone, seat)
        for index in dynamic_range(size):
            state.card_array[other + index] = state.card_array[first + index]


def select_bit(bits: int, number: int, width: int = 64) -> int:
    """Return the position of the `number`-th set bit, from 0. `bits` has `width` bits."""
    if width <= TABULATED:
        return selected(width)[bits * width + number]
    left = bits
    for before in range(FEW):
        if number > before:
            left &= left - 1
    for _ in dynamic_range(number - FEW):
        left &= left - 1
    return trailing(left)


@cache
def selected(width: int) -> tuple[int, ...]:
    """Return the table of `select_bit`: the position of each set bit, by bits and number of the bit."""
    return tuple(
        ([where for where in range(width) if bits >> where & 1] + [0] * width)[number]
        for bits in range(1 << width)
        for number in range(width)
    )


def lies_at(state: StateRecord, plan: AnyPlan, zone: int, place: int) -> int:
    if plan.plain:
        return plan.cards(state, zone, 0)[place] >= 0
    return state.lying[plan.layout(zone)] >> place & 1


def lay_at_place(state: StateRecord, plan: AnyPlan, zone: int, place: int, card: int, *, face_up: bool) -> None:
    """Lay a card at an empty place. Without `face_up`, the layout decides whether it lies face down."""
    if plan.plain:
        plan.lay_at_place(state, zone, place, card, face_up=face_up)
    else:
        state.row[plan.first_place(zone) + place] = card
        state.lying[plan.layout(zone)] |= 1 << place
        if not face_up:
            state.down[plan.layout(zone)] |= 1 << place & plan.tables.face_down(zone)


def open_places(plan: Plan, zone: int, lying: int) -> int:
    """Return those places of `lying` whose card nothing covers, as bits."""
    half, low, high = plan.tables.covered(zone)
    return lying & ~(low[lying & (1 << half) - 1] | high[lying >> half])


def turn_up(state: StateRecord, plan: AnyPlan, zone: int) -> None:
    """Turn up the face-down cards that no card covers any more."""
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


def empty_pile(state: StateRecord, plan: Plan, pile: int) -> None:
    state.left[pile] = 0
    if plan.is_short(pile):
        state.pile[pile] = 0


def add_chip(state: StateRecord, plan: Plan, pile: int, value: int) -> None:
    if plan.is_short(pile):
        state.pile[pile] |= (value - plan.lowest_chip(pile)) << state.left[pile] * plan.chip_bits(pile)
    else:
        state.chip[plan.first_chip(pile) + state.left[pile]] = value
    state.left[pile] += 1


def chips_left(state: StateRecord, plan: AnyPlan, pile: int) -> int:
    return state.left[pile]


def chip_at(state: StateRecord, plan: Plan, pile: int, index: int) -> int:
    if plan.is_short(pile):
        bits = plan.chip_bits(pile)
        return (state.pile[pile] >> index * bits & (1 << bits) - 1) + plan.lowest_chip(pile)
    return state.chip[plan.first_chip(pile) + index]


def take_chip(state: StateRecord, plan: Plan, pile: int, index: int) -> int:
    """Remove the chip at an index in a pile, and return its value. Later chips move up."""
    value = chip_at(state, plan, pile, index)
    state.left[pile] -= 1
    if plan.is_short(pile):
        state.pile[pile] = without(state.pile[pile], index * plan.chip_bits(pile), plan.chip_bits(pile))
    else:
        first = plan.first_chip(pile)
        for place in dynamic_range(state.left[pile] - index):
            state.chip[first + index + place] = state.chip[first + index + place + 1]
    return value
