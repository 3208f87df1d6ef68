"""Cards in zones: taken out, put in, found and counted, wherever they lie.

A *spot* is where a card lies in a zone of an owner: the bit at which its lane begins, or its place in a list. A player
that chooses takes cards from a copy of its zone, its *stock*, whose zone is the complement of the zone (``~zone``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.jit.primitives import dynamic_range, shr, trailing, wrap

if TYPE_CHECKING:
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord
    from draftengine.jit.struct_type import Packed

FEW = 3
"""So many bits are skipped without a jump that the processor would have to guess."""


def is_lanes(plan: AnyPlan, zone: int) -> bool:
    """Do the cards of a zone, or of a stock, lie in words."""
    if plan.plain:
        return False
    return plan.is_lanes(zone if zone >= 0 else ~zone)


def zone_size(state: StateRecord, plan: AnyPlan, zone: int, owner: int) -> int:
    """How many cards lie there."""
    if plan.plain:
        return len(plan.cards(state, zone, owner))
    return state.size[plan.size_index(zone, owner)]


def is_empty(state: StateRecord, plan: AnyPlan, zone: int) -> int:
    """Lies nothing in a zone, before nobody."""
    if plan.program.zones[zone].layout:
        if plan.plain:
            return max(plan.cards(state, zone, 0)) < 0
        return state.lying[plan.layout(zone)] == 0
    if plan.plain:
        return not any(plan.state(state).zones[zone])
    return not any(state.size[lot] > 0 for lot in plan.lots_of(zone))


def position(plan: AnyPlan, zone: int, number: int) -> int:
    """The spot of the `number`-th card."""
    if plan.plain:
        return number
    return number * plan.bits if is_lanes(plan, zone) else number


def card_at(state: StateRecord, plan: AnyPlan, zone: int, owner: int, position: int) -> int:
    """The card at a spot."""
    if plan.plain:
        return plan.cards(state, zone, owner)[position]
    if is_lanes(plan, zone):
        return shr(state.hand[plan.hand(zone, owner)], position) & plan.mask
    return state.card_array[plan.first(zone, owner) + position]


def without(word: int, shift: int, bits: int) -> int:
    """A word of lanes without the one at a spot."""
    rest = shr(word, shift)
    return word - (rest - shr(rest, bits) << shift)


def remove_at(state: StateRecord, plan: Plan, zone: int, owner: int, position: int, size: int) -> None:
    """Take the card at a spot out of `size` cards; who calls this counts."""
    if is_lanes(plan, zone):
        hand = plan.hand(zone, owner)
        state.hand[hand] = without(state.hand[hand], position, plan.bits)
    else:
        first = plan.first(zone, owner)
        for place in dynamic_range(size - 1 - position):
            state.card_array[first + position + place] = state.card_array[first + position + place + 1]


def put_at_end(state: StateRecord, plan: Plan, zone: int, owner: int, size: int, card: int) -> None:
    """Put a card behind `size` others; who calls this counts."""
    if is_lanes(plan, zone):
        state.hand[plan.hand(zone, owner)] |= card << size * plan.bits
    else:
        state.card_array[plan.first(zone, owner) + size] = card


def push(state: StateRecord, plan: AnyPlan, zone: int, owner: int, card: int) -> None:
    """A card comes to lie on top, or at the end."""
    if plan.plain:
        plan.cards(state, zone, owner).append(card)
    elif plan.is_stored(zone):
        lot = plan.size_index(zone, owner)
        put_at_end(state, plan, zone, owner, state.size[lot], card)
        state.size[lot] += 1


def put_at(state: StateRecord, plan: AnyPlan, zone: int, owner: int, position: int, card: int) -> None:
    """A card takes the place of another one in a list."""
    if plan.plain:
        plan.cards(state, zone, owner)[position] = card
    else:
        state.card_array[plan.first(zone, owner) + position] = card


def truncate(state: StateRecord, plan: AnyPlan, zone: int, owner: int, count: int) -> None:
    """No more than so many cards of a list are left."""
    if plan.plain:
        del plan.cards(state, zone, owner)[count:]
    else:
        state.size[plan.size_index(zone, owner)] = count


def pop(state: StateRecord, plan: AnyPlan, zone: int, owner: int) -> int:
    """The top card is taken off."""
    if plan.plain:
        return plan.cards(state, zone, owner).pop()
    lot = plan.size_index(zone, owner)
    state.size[lot] -= 1
    where = position(plan, zone, state.size[lot])
    card = card_at(state, plan, zone, owner, where)
    remove_at(state, plan, zone, owner, where, state.size[lot] + 1)
    return card


def remove_nth(state: StateRecord, plan: AnyPlan, zone: int, owner: int, number: int) -> None:
    """The card at the `number`-th place leaves a list."""
    if plan.plain:
        plan.cards(state, zone, owner).pop(number)
    else:
        lot = plan.size_index(zone, owner)
        remove_at(state, plan, zone, owner, position(plan, zone, number), state.size[lot])
        state.size[lot] -= 1


def remove(state: StateRecord, plan: AnyPlan, zone: int, owner: int, card: int) -> None:
    """The first such card leaves a list; the last one, where it can matter which of them does."""
    if plan.plain:
        plan.take_from(plan.cards(state, zone, owner), zone, card)
    else:
        lot = plan.size_index(zone, owner)
        position = find(state, plan, zone, owner, card)
        remove_at(state, plan, zone, owner, position, state.size[lot])
        state.size[lot] -= 1


def find(state: StateRecord, plan: Plan, zone: int, owner: int, card: int) -> int:
    """The spot of the first such card, which has to be there; of the last one, where it can matter."""
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
    """Does such a card lie there."""
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
    """The spot of the first lane with a card."""
    return trailing(match_bits(plan, hand, card)) - plan.bits + 1


def match_bits(plan: Plan, hand: int, card: int) -> int:
    """The highest bit of each lane with a card, up to the first: a lane of zeros, the card taken away from each."""
    x = hand ^ card * plan.ones
    return wrap(x - plan.ones) & ~x & plan.ones << plan.bits - 1


def lanes_without(plan: Plan, hand: int, card: int) -> int:
    """The highest bit of each lane without a card: no lane of what is left without its highest bit carries."""
    x = hand ^ card * plan.ones
    low = plan.ones * ((1 << plan.bits - 1) - 1)
    return ((x & low) + low | x) & plan.ones << plan.bits - 1


def lane_alike(plan: Plan, hand: int, card: int) -> int:
    """The spot of the first lane with a card that looks like this one."""
    lanes = match_bits(plan, hand, card)
    for alike in plan.tables.alike:
        if sum(1 << other for other in alike) >> card & 1:
            for other in alike:
                lanes |= match_bits(plan, hand, other)
    return trailing(lanes) - plan.bits + 1


def find_same_face(state: StateRecord, plan: Plan, zone: int, owner: int, card: int) -> int:
    """The spot of the first card that looks like this one, which has to be there."""
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
    """What a play adds to the packed counters of a seat, with the modifiers that are open there."""
    if plan.plain:
        return plan.program.plays[play].increment_in(word)
    return plan.tables.rises[play + modified_by(plan, word)]


def modified_by(plan: Plan, word: Packed) -> int:
    """Where tables say of each play what it becomes with the modifiers that are open."""
    count = len(plan.program.plays)
    return sum((count << index) * (word & bits != 0) for index, bits in enumerate(plan.tables.modifiers))


def card_or_play(plan: AnyPlan, zone: int, play: int) -> int:
    """What lies in a zone when a play comes there: the play where cards count, elsewhere the card."""
    if (plan.wild or plan.program.pieces_of_play) and zone not in plan.counting:
        return plan.program.card_of[play]
    return play


def copy_stock(state: StateRecord, plan: Plan, zone: int, seat: int) -> None:
    """A player gets a copy of its zone to take cards from."""
    size = zone_size(state, plan, zone, seat)
    state.size[plan.size_index(~zone, seat)] = size
    if is_lanes(plan, zone):
        state.hand[plan.hand(~zone, seat)] = state.hand[plan.hand(zone, seat)]
    else:
        first, other = plan.first(zone, seat), plan.first(~zone, seat)
        for index in dynamic_range(size):
            state.card_array[other + index] = state.card_array[first + index]


def select_bit(bits: int, number: int) -> int:
    """The place of the `number`-th bit that is set."""
    left = bits
    for before in range(FEW):
        if number > before:
            left &= left - 1
    for _ in dynamic_range(number - FEW):
        left &= left - 1
    return trailing(left)
