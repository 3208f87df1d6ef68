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


def zone_size(g: StateRecord, plan: AnyPlan, zone: int, owner: int) -> int:
    """How many cards lie there."""
    if plan.plain:
        return len(plan.cards(g, zone, owner))
    return g.size[plan.size_index(zone, owner)]


def is_empty(g: StateRecord, plan: AnyPlan, zone: int) -> int:
    """Lies nothing in a zone, before nobody."""
    if plan.program.zones[zone].layout:
        if plan.plain:
            return max(plan.cards(g, zone, 0)) < 0
        return g.lying[plan.layout(zone)] == 0
    if plan.plain:
        return not any(plan.state(g).zones[zone])
    return not any(g.size[lot] > 0 for lot in plan.lots_of(zone))


def position(plan: AnyPlan, zone: int, number: int) -> int:
    """The spot of the `number`-th card."""
    if plan.plain:
        return number
    return number * plan.bits if is_lanes(plan, zone) else number


def card_at(g: StateRecord, plan: AnyPlan, zone: int, owner: int, at: int) -> int:
    """The card at a spot."""
    if plan.plain:
        return plan.cards(g, zone, owner)[at]
    if is_lanes(plan, zone):
        return shr(g.hand[plan.hand(zone, owner)], at) & plan.mask
    return g.card_array[plan.first(zone, owner) + at]


def without(word: int, at: int, bits: int) -> int:
    """A word of lanes without the one at a spot."""
    rest = shr(word, at)
    return word - (rest - shr(rest, bits) << at)


def remove_at(g: StateRecord, plan: Plan, zone: int, owner: int, at: int, size: int) -> None:
    """Take the card at a spot out of `size` cards; who calls this counts."""
    if is_lanes(plan, zone):
        own = plan.hand(zone, owner)
        g.hand[own] = without(g.hand[own], at, plan.bits)
    else:
        first = plan.first(zone, owner)
        for place in dynamic_range(size - 1 - at):
            g.card_array[first + at + place] = g.card_array[first + at + place + 1]


def put_at_end(g: StateRecord, plan: Plan, zone: int, owner: int, size: int, card: int) -> None:
    """Put a card behind `size` others; who calls this counts."""
    if is_lanes(plan, zone):
        g.hand[plan.hand(zone, owner)] |= card << size * plan.bits
    else:
        g.card_array[plan.first(zone, owner) + size] = card


def push(g: StateRecord, plan: AnyPlan, zone: int, owner: int, card: int) -> None:
    """A card comes to lie on top, or at the end."""
    if plan.plain:
        plan.cards(g, zone, owner).append(card)
    elif plan.is_stored(zone):
        lot = plan.size_index(zone, owner)
        put_at_end(g, plan, zone, owner, g.size[lot], card)
        g.size[lot] += 1


def put_at(g: StateRecord, plan: AnyPlan, zone: int, owner: int, at: int, card: int) -> None:
    """A card takes the place of another one in a list."""
    if plan.plain:
        plan.cards(g, zone, owner)[at] = card
    else:
        g.card_array[plan.first(zone, owner) + at] = card


def truncate(g: StateRecord, plan: AnyPlan, zone: int, owner: int, count: int) -> None:
    """No more than so many cards of a list are left."""
    if plan.plain:
        del plan.cards(g, zone, owner)[count:]
    else:
        g.size[plan.size_index(zone, owner)] = count


def pop(g: StateRecord, plan: AnyPlan, zone: int, owner: int) -> int:
    """The top card is taken off."""
    if plan.plain:
        return plan.cards(g, zone, owner).pop()
    lot = plan.size_index(zone, owner)
    g.size[lot] -= 1
    at = position(plan, zone, g.size[lot])
    card = card_at(g, plan, zone, owner, at)
    remove_at(g, plan, zone, owner, at, g.size[lot] + 1)
    return card


def remove_nth(g: StateRecord, plan: AnyPlan, zone: int, owner: int, number: int) -> None:
    """The card at the `number`-th place leaves a list."""
    if plan.plain:
        plan.cards(g, zone, owner).pop(number)
    else:
        lot = plan.size_index(zone, owner)
        remove_at(g, plan, zone, owner, position(plan, zone, number), g.size[lot])
        g.size[lot] -= 1


def remove(g: StateRecord, plan: AnyPlan, zone: int, owner: int, card: int) -> None:
    """The first such card leaves a list; the last one, where it can matter which of them does."""
    if plan.plain:
        plan.take_from(plan.cards(g, zone, owner), zone, card)
    else:
        lot = plan.size_index(zone, owner)
        at = find(g, plan, zone, owner, card)
        remove_at(g, plan, zone, owner, at, g.size[lot])
        g.size[lot] -= 1


def find(g: StateRecord, plan: Plan, zone: int, owner: int, card: int) -> int:
    """The spot of the first such card, which has to be there; of the last one, where it can matter."""
    if is_lanes(plan, zone):
        return first_match(plan, g.hand[plan.hand(zone, owner)], card)
    first = plan.first(zone, owner)
    if plan.takes_last(zone):
        at = g.size[plan.size_index(zone, owner)] - 1
        while g.card_array[first + at] != card:
            at -= 1
        return at
    at = 0
    while g.card_array[first + at] != card:
        at += 1
    return at


def contains(g: StateRecord, plan: AnyPlan, zone: int, owner: int, card: int) -> int:
    """Does such a card lie there."""
    if plan.plain:
        return card in plan.cards(g, zone, owner)
    size = g.size[plan.size_index(zone, owner)]
    if is_lanes(plan, zone):
        return match_bits(plan, g.hand[plan.hand(zone, owner)], card) & (1 << size * plan.bits) - 1 != 0
    found = 0
    first = plan.first(zone, owner)
    for at in dynamic_range(size):
        found |= g.card_array[first + at] == card
    return found


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
    found = match_bits(plan, hand, card)
    for alike in plan.tables.alike:
        if sum(1 << own for own in alike) >> card & 1:
            for own in alike:
                found |= match_bits(plan, hand, own)
    return trailing(found) - plan.bits + 1


def find_same_face(g: StateRecord, plan: Plan, zone: int, owner: int, card: int) -> int:
    """The spot of the first card that looks like this one, which has to be there."""
    if not plan.tables.share_faces:
        return find(g, plan, zone, owner, card)
    if is_lanes(plan, zone):
        return lane_alike(plan, g.hand[plan.hand(zone, owner)], card)
    at = 0
    face = plan.program.face_of[card]
    while plan.program.face_of[card_at(g, plan, zone, owner, at)] != face:
        at += position(plan, zone, 1)
    return at


def increment_of(plan: AnyPlan, word: Packed, play: int) -> Packed:
    """What a play adds to the packed counters of a seat, with the modifiers that are open there."""
    if plan.plain:
        return plan.program.plays[play].increment_in(word)
    return plan.tables.rises[play + modified_by(plan, word)]


def modified_by(plan: Plan, word: Packed) -> int:
    """Where tables say of each play what it becomes with the modifiers that are open."""
    count = len(plan.program.plays)
    return sum((count << at) * (word & bits != 0) for at, bits in enumerate(plan.tables.modifiers))


def card_or_play(plan: AnyPlan, zone: int, play: int) -> int:
    """What lies in a zone when a play comes there: the play where cards count, elsewhere the card."""
    if (plan.wild or plan.program.pieces_of_play) and zone not in plan.counting:
        return plan.program.card_of[play]
    return play


def copy_stock(g: StateRecord, plan: Plan, zone: int, seat: int) -> None:
    """A player gets a copy of its zone to take cards from."""
    size = zone_size(g, plan, zone, seat)
    g.size[plan.size_index(~zone, seat)] = size
    if is_lanes(plan, zone):
        g.hand[plan.hand(~zone, seat)] = g.hand[plan.hand(zone, seat)]
    else:
        first, other = plan.first(zone, seat), plan.first(~zone, seat)
        for at in dynamic_range(size):
            g.card_array[other + at] = g.card_array[first + at]


def select_bit(bits: int, number: int) -> int:
    """The place of the `number`-th bit that is set."""
    left = bits
    for before in range(FEW):
        if number > before:
            left &= left - 1
    for _ in dynamic_range(number - FEW):
        left &= left - 1
    return trailing(left)
