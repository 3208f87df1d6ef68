"""Listing of a seat's legal moves, in the order of `draftengine.engine.moves.legal_moves`.

Moves are found card by card. `listed` selects what is listed: whole moves that begin with `begun`; beginnings that are
one card longer; or, in an observed game, the actions that add this card. Functions that list entries get the number of
entries listed so far, `count`, and return the new number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.beliefs import belief_slot
from draftengine.engine.kernel.choices import can_go, cards_taken, for_others, free_places, uses, way_is_open
from draftengine.engine.kernel.expected_gain import bit_field, own_lane
from draftengine.engine.kernel.options import hidden_faces, is_open
from draftengine.engine.kernel.wild_cards import own_count
from draftengine.engine.kernel.zones import card_at, open_places, position
from draftengine.engine.offer import MANY, MANY_LONG, SHORT
from draftengine.engine.plan.base import FURTHER, OTHER, OWN
from draftengine.jit.primitives import dynamic_range, trailing

if TYPE_CHECKING:
    from draftengine.engine.choose import Action, Choice
    from draftengine.engine.plan import Plan
    from draftengine.engine.plan.items import PickPosition
    from draftengine.engine.state import MoveScratch, StateRecord

WHOLE, LONGER, ACTIONS = range(3)
"""Kinds of entries to list: whole moves, moves that are one card longer, or actions that add one card."""


def list_moves(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int) -> int:
    """List the legal moves of a seat in ascending order, up to `MoveScratch.most`. Return their number."""
    left = list_stock(state, options, plan, step, seat, WHOLE)
    if not plan.items.are_few(step):
        options.most = MANY if longest(state, plan, step, seat, left) <= SHORT else MANY_LONG
    return list_after(state, options, plan, step, seat, left, 0, 0, WHOLE)


def list_longer(
    state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, begun: int, count: int, listed: int
) -> int:
    """List the longer moves, or the actions, that add one card to the unfinished move `begun`.

    `count` of them are listed already. `MoveScratch.whole` is set if `begun` is a legal move itself. There is room
    for the continuations of all moves that a beam search keeps.
    """
    options.whole = 0
    options.most = plan.items.most
    left = list_stock(state, options, plan, step, seat, listed)
    return list_after(state, options, plan, step, seat, left, begun, count, listed)


def list_after(
    state: StateRecord,
    options: MoveScratch,
    plan: Plan,
    step: Choice,
    seat: int,
    left: int,
    begun: int,
    count: int,
    listed: int,
) -> int:
    """List the moves that begin with `begun`, if `left` cards can still be taken."""
    if step.actions:
        return list_ways(state, options, plan, step, seat, begun, count, listed)
    wanted = min(own_count(state, plan, step, seat), left)
    place = plan.items.place(step, OWN, 0, 0)
    return list_own(state, options, plan, step, place, seat, wanted, left, begun, count, listed)


def longest(state: StateRecord, plan: Plan, step: Choice, seat: int, left: int) -> int:
    """Compute the number of cards in a seat's longest moves, if it can take `left` cards."""
    if step.actions:
        return max(
            cards_taken(state, plan, step, way, seat) * way_is_open(state, plan, step, way, seat)
            for way in step.actions
        )
    main = min(own_count(state, plan, step, seat), left)
    others = for_others(state, step, seat)
    most = main + min(others, left - main)
    for ability in step.abilities:
        take = plan.program.abilities[ability].model.take
        often = uses(state, plan, step, ability, seat)
        if not step.layout:
            often = min(often, (left - main - others) // take)
        if often > 0:
            most = max(most, main + often * take + others)
    return most


def add(options: MoveScratch, count: int, move: int) -> int:
    """Append a move to the list, at index `count`. Return the new number of moves."""
    options.move[count] = move
    return count + 1


def end(options: MoveScratch, plan: Plan, step: Choice, begun: int, count: int, listed: int) -> int:
    """List `begun` as a complete move. Unless whole moves are listed, only record that it is complete."""
    if listed != WHOLE:
        options.whole = 1
        return count
    if plan.items.are_few(step) or count <= options.most:
        return add(options, count, begun)
    return count


# ── the cards that can be taken ──


def list_stock(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, listed: int) -> int:
    """Store the items that can be named and the copies of each kind of card. Return the number of cards."""
    if step.layout:
        lay_open(options, free_places(state, plan, step))
        return options.items[0]
    if listed == ACTIONS and plan.views.are_counted(step):
        count_kinds(state, options, plan, step, seat)
    else:
        for kind in dynamic_range(len(plan.items.options if step.as_they_lie else plan.items.faces)):
            options.copies[kind] = 0
        for number in dynamic_range(state.size[plan.size_index(step.source, seat)]):
            card = card_at(state, plan, step.source, seat, position(plan, step.source, number))
            options.copies[card if step.as_they_lie else plan.items.kind_of_card[card]] += 1
    options.items[0] = list_items(state, options, plan, step, seat, 0)
    for index, (receiver, _, _) in enumerate(step.also):
        if plan.items.taker(index) > 0:
            options.items[1 + index] = list_items(state, options, plan, step, receiver, 1 + index)
    return state.size[plan.size_index(step.source, seat)]


def count_kinds(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int) -> None:
    """Copy the number of copies of each kind of card from the beliefs, in a game that keeps them."""
    lying = belief_slot(state, plan, step.source, plan.owner(step.source, seat))
    for kind in dynamic_range(len(plan.items.faces)):
        options.copies[kind] = state.beliefs[lying + plan.views.column_of_kind[kind]]


def list_items(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, taker: int) -> int:
    """Store the items that a seat can name with the available cards. Return the number of items."""
    hidden = hidden_faces(state, plan, step, seat)
    first = taker * plan.items.named
    count = 0
    # An item that cannot be named is overwritten by the next, which is cheaper than a branch.
    for item in dynamic_range(len(plan.items.faces)):
        options.item[first + count] = item
        count += (options.copies[item] > 0) * (1 - (hidden >> plan.items.wild[item] & 1))
    for item in plan.items.options[len(plan.items.faces) :]:
        if options.copies[kind_of(plan, step, item)] > 0:
            if is_open(state, plan, step, seat, hidden, item):
                options.item[first + count] = item
                count += 1
    return count


def lay_open(options: MoveScratch, places: int) -> None:
    """Make these places of a layout (bits) the only possible items."""
    count = 0
    left = places
    while left != 0:
        place = trailing(left)
        left &= left - 1
        options.item[count] = place
        options.copies[place] = 1
        count += 1
    options.items[0] = count


def kind_of(plan: Plan, step: Choice, item: int) -> int:
    """Return the kind of card that an item names or, in a layout, its place.

    In zones whose cards add to counters, each play is a separate kind.
    """
    return item if step.layout or step.as_they_lie else plan.items.kind[item]


def to_name(options: MoveScratch, plan: Plan, step: Choice) -> int:
    """Count the remaining cards that a seat can take for itself, in any form."""
    count = 0
    last = -1
    for index in dynamic_range(options.items[0]):
        kind = kind_of(plan, step, options.item[index])
        if kind != last:
            count += options.copies[kind]
        last = kind
    return count


# ── card by card ──


def list_from(
    state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, place: PickPosition, seat: int, due: int, left:
    int, begun: int, count: int, listed: int,
) -> int:  # fmt: skip
    """List moves that continue at a position, if `left` cards can still be taken.

    `due` is the number of cards that the seat takes for itself. At positions of abilities, it is the number of
    cards that the seat must choose for others.
    """
    if place.channel == OWN:
        return list_own(state, options, plan, step, place, seat, due, left, begun, count, listed)
    if place.channel == FURTHER:
        return list_further(state, options, plan, step, place, seat, due, left, begun, count, listed)
    return list_for_others(state, options, plan, step, place, seat, left, begun, count, listed)


def with_card(
    state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, place: PickPosition, seat: int, due: int, left:
    int, begun: int, count: int, listed: int,
) -> int:  # fmt: skip
    """List moves with a card at a position: the card already named there, or each possible card."""
    if listed != WHOLE:
        filled = bit_field(plan, begun, place.bit_field)
        if filled > 0:
            options.copies[kind_of(plan, step, filled - 1 - place.base)] -= 1
            return list_from(
                state, options, plan, step, plan.items.behind(step, place), seat, due, left - 1, begun, count, listed
            )  # fmt: skip
    for number in dynamic_range(options.items[place.taker]):
        item = options.item[place.taker * plan.items.named + number]
        if goes_on(state, options, plan, step, place.way, seat, item, count):
            more = begun | place.base + item + 1 << place.bit_field
            if listed == WHOLE:
                options.copies[kind_of(plan, step, item)] -= 1
                count = list_from(
                    state, options, plan, step, plan.items.behind(step, place), seat, due, left - 1, more, count, listed
                )  # fmt: skip
                options.copies[kind_of(plan, step, item)] += 1
            elif listed == ACTIONS:
                count = add(options, count, plan.views.actions_at(step, place)[item])
            else:
                count = add(options, count, more)
    return count


def goes_on(
    state: StateRecord,
    options: MoveScratch,
    plan: Plan,
    step: Choice,
    way: Action | None,
    seat: int,
    item: int,
    count: int,
) -> int:
    """True if an item's card is left, the action accepts it, and the list has room for more moves."""
    if options.copies[kind_of(plan, step, item)] == 0:
        return False
    if not plan.items.are_few(step):
        if count > options.most:
            return False
    if way is not None:
        return can_go(state, plan, way, seat, item if step.as_they_lie else plan.items.card[item])
    return True


def list_own(
    state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, place: PickPosition, seat: int, due: int, left:
    int, begun: int, count: int, listed: int,
) -> int:  # fmt: skip
    """List moves that continue at a position where the seat takes a card for itself."""
    if place.number < plan.max_own_picks(step):
        if (plan.takes_exactly_one(step) and listed == WHOLE) or due > place.number:
            return with_card(state, options, plan, step, place, seat, due, left, begun, count, listed)
    if place.way is not None:
        return end(options, plan, step, begun, count, listed)
    return list_behind(state, options, plan, step, seat, left, begun, count, listed)


def list_ways(
    state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, begun: int, count: int, listed: int
) -> int:
    """List moves of a choice with actions, action by action."""
    for index, way in enumerate(step.actions):
        if begun == 0 or (own_lane(plan, begun, 0) - 1) // step.items_per_action == index:
            if way_is_open(state, plan, step, way, seat):
                wanted = cards_taken(state, plan, step, way, seat)
                if wanted == 0:
                    if listed == WHOLE or begun > 0:
                        count = end(options, plan, step, (index + 1) * step.items_per_action, count, listed)
                    elif listed == ACTIONS:
                        count = add(options, count, plan.views.actions(0)[(index + 1) * step.items_per_action - 1])
                    else:
                        count = add(options, count, (index + 1) * step.items_per_action)
                elif listed == WHOLE and plan.items.is_of_one_kind(way):
                    same = as_often(plan, plan.items.going(way)[0] + 1, wanted)
                    count = end(options, plan, step, same + index * step.items_per_action, count, listed)
                else:
                    if len(step.sources) > 1:
                        list_stock(state, options, plan, way.laying, seat, listed)
                    elif plan.wild:
                        options.items[0] = list_items(state, options, plan, way.laying, seat, 0)
                    place = plan.items.place(step, OWN, index, 0)
                    count = list_own(state, options, plan, step, place, seat, wanted, 0, begun, count, listed)
    return count


def as_often(plan: Plan, taken: int, wanted: int) -> int:
    """Return a move that takes the same card, given by its lane (bits), `wanted` times."""
    move = taken
    for number in dynamic_range(wanted - 1):
        move |= taken << plan.items.first_bits + number * plan.items.lane_bits
    return move


def list_behind(
    state: StateRecord,
    options: MoveScratch,
    plan: Plan,
    step: Choice,
    seat: int,
    left: int,
    begun: int,
    count: int,
    listed: int,
) -> int:
    """List what can follow the seat's own cards: nothing, an ability's cards, then cards for other seats."""
    others = for_others(state, step, seat)
    more = 0
    for_other = 0
    if listed != WHOLE:
        if step.abilities:
            more = bit_field(plan, begun, plan.items.further_lane(step, 0))
        if step.also:
            for_other = begun >> plan.items.other_lane(step, 0, 0)
    if others == 0 and more == 0:
        count = end(options, plan, step, begun, count, listed)
    if step.abilities and (more > 0 or for_other == 0):
        wide = left
        if step.layout:
            wide = uncover(state, options, plan, step, begun)
        for index in range(len(step.abilities)):
            if more == 0 or more >> plan.items.bits == index:
                place = plan.items.place(step, FURTHER, index, 0)
                count = list_further(state, options, plan, step, place, seat, others, wide, begun, count, listed)
        if step.layout:
            lay_open(options, free_places(state, plan, step))
            for number in range(plan.max_own_picks(step)):
                if own_lane(plan, begun, number) > 0:
                    options.copies[own_lane(plan, begun, number) - 1] = 0
    if others > 0 and more == 0:
        place = plan.items.place(step, OTHER, 0, 0)
        count = list_for_others(state, options, plan, step, place, seat, left, begun, count, listed)
    return count


def uncover(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, begun: int) -> int:
    """Leave as possible items only the places that are open once the seat's own cards are gone.

    Returns the number of these places.
    """
    gone = 0
    for number in range(plan.max_own_picks(step)):
        gone |= 1 << own_lane(plan, begun, number) >> 1
    lay_open(options, open_places(plan, step.source, state.lying[plan.layout(step.source)] & ~gone))
    return options.items[0]


def list_further(
    state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, place: PickPosition, seat: int, others: int,
    left: int, begun: int, count: int, listed: int,
) -> int:  # fmt: skip
    """List moves that may continue with an ability, which has taken `PickPosition.number` cards so far."""
    ability = step.abilities[place.index]
    take = plan.program.abilities[ability].model.take
    most = take * plan.program.abilities[ability].model.per_turn
    if place.number < most and listed != WHOLE:
        if bit_field(plan, begun, place.bit_field) > 0:
            return with_card(state, options, plan, step, place, seat, others, left, begun, count, listed)
    if place.number > 0 and place.number % take == 0 and others == 0:
        count = end(options, plan, step, begun, count, listed)
    if place.number < most:
        if place.number % take > 0 or can_use(
            state, options, plan, step, ability, seat, place.number // take, others, left
        ):
            if listed == WHOLE or not step.also or begun >> plan.items.other_lane(step, 0, 0) == 0:
                count = with_card(state, options, plan, step, place, seat, others, left, begun, count, listed)
    if place.number > 0 and place.number % take == 0 and others > 0:
        place = plan.items.place(step, OTHER, 0, 0)
        count = list_for_others(state, options, plan, step, place, seat, left, begun, count, listed)
    return count


def can_use(
    state: StateRecord,
    options: MoveScratch,
    plan: Plan,
    step: Choice,
    ability: int,
    seat: int,
    used: int,
    others: int,
    left: int,
) -> int:
    """True if an ability can be used once more, and leaves enough cards for other seats."""
    take = plan.program.abilities[ability].model.take
    if uses(state, plan, step, ability, seat) <= used or left < take + others:
        return False
    if plan.wild and not step.layout and take > 1:
        return to_name(options, plan, step) >= take
    return True


def list_for_others(
    state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, place: PickPosition, seat: int, left: int,
    begun: int, count: int, listed: int,
) -> int:  # fmt: skip
    """List moves that continue at a position where the seat takes a card for an extra seat."""
    if place.index == len(step.also):
        return end(options, plan, step, begun, count, listed)
    if place.number < step.also[place.index][2]:
        if state.markers[step.also[place.index][1]] == seat and left > 0:
            return with_card(state, options, plan, step, place, seat, 0, left, begun, count, listed)
    following = plan.items.place(step, OTHER, place.index + 1, 0)
    return list_for_others(state, options, plan, step, following, seat, left, begun, count, listed)
