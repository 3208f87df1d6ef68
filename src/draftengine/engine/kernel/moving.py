"""Steps that move cards without a choice: shuffle, deal, pass, move, clear, gather."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.chance import SHARED_LIMIT
from draftengine.engine.kernel.beliefs import (
    after_deal,
    after_gathering,
    before_deal,
    count_after_clearing,
    count_again,
    follow_all,
    forget,
    look,
    see_all,
)
from draftengine.engine.kernel.chance import below, shuffle, shuffle_many
from draftengine.engine.kernel.formulas import formula, read
from draftengine.engine.kernel.turns import players_of
from draftengine.engine.kernel.zones import (
    card_at,
    card_or_play,
    disturb,
    empty_lot,
    empty_zone,
    exchange_at,
    fill,
    is_lanes,
    lay_at_place,
    lies_at,
    pop,
    position,
    push,
    put_at,
    put_at_end,
    remove,
    remove_nth,
    truncate,
    zone_size,
)
from draftengine.jit.primitives import as_packed, dynamic_range, row

if TYPE_CHECKING:
    from draftengine.engine.instructions import Clear, Deal, Flip, Gather, MoveAll, Pass, Shuffle, Value
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.plan import Plan
    from draftengine.engine.state import StateRecord


def shuffle_zone(state: StateRecord, plan: AnyPlan, step: Shuffle) -> None:
    """Shuffle the cards of a zone, separately for each owner."""
    for owner in plan.owners(step.zone):
        if plan.plain:
            plan.state(state).deal.shuffle(plan.cards(state, step.zone, owner))
        else:
            shuffle_cards(state, plan, step.zone, owner)
    if plan.watched:
        plan.observer.shuffled(plan.state(state), step.zone)
    if plan.observed:
        forget(state, plan, step.zone)


def shuffle_cards(state: StateRecord, plan: Plan, zone: int, owner: int) -> None:
    """Shuffle the cards of one owner in a zone of a compiled game."""
    first, lot = plan.first(zone, owner), plan.size_index(zone, owner)
    disturb(state, plan, zone, owner)
    if plan.capacity(zone) > SHARED_LIMIT:
        if state.size[lot] > SHARED_LIMIT:
            shuffle_many(state, first, state.size[lot])
        else:
            shuffle(state, first, state.size[lot], 0)
    else:
        shuffle(state, first, state.size[lot], plan.irrelevant_cards(zone))


def deal(state: StateRecord, plan: AnyPlan, step: Deal) -> None:
    """Deal cards from the top of a zone to each owner of another zone, until the source is empty."""
    if plan.observed:
        before_deal(state, plan, step)
    deal_cards(state, plan, step)
    if plan.observed:
        after_deal(state, plan, step)


def deal_cards(state: StateRecord, plan: AnyPlan, step: Deal) -> None:
    """Deal the cards, without updating beliefs."""
    if step.by_seat:
        deal_by_seat(state, plan, step)
        return
    count = formula(state, plan, step.cards, 0)
    if plan.program.zones[step.target].layout:
        lay_out(state, plan, step, count)
    elif plan.program.zones[step.target].per == "table":
        deal_to(state, plan, step, 0, count)
    elif plan.has_equal_sizes(step.target) and plan.is_lanes(step.target):
        assert not plan.plain
        deal_evenly(state, plan, step, count)
    else:
        who = players_of(state, plan, step)
        for seat in plan.players_in(step):
            if who >> seat & 1:
                deal_to(state, plan, step, seat, count)


def deal_by_seat(state: StateRecord, plan: AnyPlan, step: Deal) -> None:
    """Deal cards to several seats. A formula gives the number for each seat.

    All numbers are computed first.
    """
    who = players_of(state, plan, step)
    counts = row(len(plan.players))
    for seat in plan.players_in(step):
        if who >> seat & 1:
            counts[seat] = formula(state, plan, step.cards, seat)
    for seat in plan.players_in(step):
        if who >> seat & 1:
            deal_to(state, plan, step, plan.owner(step.target, seat), counts[seat])


def deal_count(state: StateRecord, plan: AnyPlan, step: Deal, owner: int, count: int) -> int:
    """Compute the number of cards to deal to an owner: `count`, or all that the source has."""
    if step.exact and not plan.can_run_short:
        return count
    return max(0, min(count, zone_size(state, plan, step.source, plan.owner(step.source, owner))))


def deal_to(state: StateRecord, plan: AnyPlan, step: Deal, owner: int, count: int) -> None:
    """Deal `count` cards to one owner, or fewer if the source runs out."""
    if step.admits:
        number = deal_matching(state, plan, step, owner, count)
    else:
        number = deal_count(state, plan, step, owner, count)
        if plan.plain:
            plan.move_top(state, (step.source, plan.owner(step.source, owner)), (step.target, owner), number)
        elif plan.deals_one_or_none(step):
            deal_one_or_none(state, plan, step, owner, number)
        else:
            for _ in dynamic_range(number):
                push(state, plan, step.target, owner, pop(state, plan, step.source, plan.owner(step.source, owner)))
    if plan.watched:
        plan.observer.dealt(plan.state(state), step, owner, number)


def deal_one_or_none(state: StateRecord, plan: Plan, step: Deal, owner: int, number: int) -> None:
    """Deal one card or none, without a branch, because a processor could only guess which."""
    giver = plan.owner(step.source, owner)
    source, target = plan.size_index(step.source, giver), plan.size_index(step.target, owner)
    card = state.card_array[plan.first(step.source, giver) + max(state.size[source] - 1, 0)]
    place = plan.first(step.target, owner) + min(state.size[target], plan.capacity(step.target) - 1)
    before = state.card_array[place]
    state.card_array[place] = card if number else before
    disturb(state, plan, step.source, giver)
    state.size[source] -= number
    state.size[target] += number


def deal_matching(state: StateRecord, plan: AnyPlan, step: Deal, owner: int, count: int) -> int:
    """Deal to one owner up to `count` cards that the step accepts, top card first. Return their number.

    If the cards keep their order, the top card is last. The other cards stay where they are.
    """
    giver = plan.owner(step.source, owner)
    size = zone_size(state, plan, step.source, giver)
    picked = 0
    for number in dynamic_range(size):
        if picked < count:
            place = number - picked if step.in_order else size - 1 - number
            card = card_at(state, plan, step.source, giver, position(plan, step.source, place))
            if step.admits[card] and is_such(state, plan, step, owner, card):
                remove_nth(state, plan, step.source, giver, place)
                push(state, plan, step.target, owner, card)
                picked += 1
    return picked


def is_such(state: StateRecord, plan: AnyPlan, step: Deal, seat: int, card: int) -> bool:
    """True if a card meets the step's condition for dealt cards. `seat` is the seat that gets the card."""
    if step.such is None:
        return True
    before = state.formula_zone_card
    state.formula_zone_card = card
    holds = formula(state, plan, step.such, seat) != 0
    state.formula_zone_card = before
    return holds


def deal_evenly(state: StateRecord, plan: Plan, step: Deal, count: int) -> None:
    """Deal `count` cards to each player, in a zone in which all players always hold equally many cards."""
    size = state.size[plan.size_index(step.target, 0)]
    if plan.program.zones[step.source].per == "table":
        lot, first = plan.size_index(step.source, 0), plan.first(step.source, 0)
        disturb(state, plan, step.source, 0)
        for seat in plan.players:
            state.size[lot] -= count
            dealt = 0
            for index in dynamic_range(count):
                dealt = dealt << plan.bits | state.card_array[first + state.size[lot] + index]
            state.hand[plan.hand(step.target, seat)] |= dealt << size * plan.bits
    else:
        left = state.size[plan.size_index(step.source, 0)]
        for seat in plan.players:
            disturb(state, plan, step.source, seat)
            for index in dynamic_range(count):
                card = card_at(state, plan, step.source, seat, position(plan, step.source, left - 1 - index))
                put_at_end(state, plan, step.target, seat, size + index, card)
            if is_lanes(plan, step.source):
                state.hand[plan.hand(step.source, seat)] &= (1 << (left - count) * plan.bits) - 1
        for lot in plan.lots_of(step.source):
            state.size[lot] -= count
    state.size[plan.size_index(step.target, 0)] = size + count


def lay_out(state: StateRecord, plan: AnyPlan, step: Deal, count: int) -> None:
    """Lay cards at the empty places of a layout, in the order of places, until the source is empty."""
    left = deal_count(state, plan, step, 0, count)
    laid = 0
    for place in dynamic_range(len(plan.program.zones[step.target].layout)):
        if left > 0 and not lies_at(state, plan, step.target, place):
            lay_at_place(state, plan, step.target, place, pop(state, plan, step.source, 0), face_up=False)
            left -= 1
            if plan.watched:
                plan.observer.laid_out(plan.state(state), step, place)
                laid += 1
    if plan.watched:
        plan.observer.dealt_out(plan.state(state), step, laid)


def pass_on(state: StateRecord, plan: AnyPlan, step: Pass) -> None:
    """Pass every player's cards in a zone, such as its hand, to a neighbour simultaneously."""
    if len(set(step.steps)) == 1:
        rotate(state, plan, step.zone, step.steps[0])
    elif plan.rounds_to_the_left(step) >> state.round % len(step.steps) & 1:
        rotate(state, plan, step.zone, 1)
    else:
        rotate(state, plan, step.zone, -1)
    if plan.observed:
        look(state, plan, step.zone)


def rotate(state: StateRecord, plan: AnyPlan, zone: int, by: int) -> None:
    """Move each player's cards in a zone to the next seat: to the left (1) or to the right (-1)."""
    if plan.watched:
        plan.observer.passes(plan.state(state), zone, by)
    if plan.plain:
        owners = plan.state(state).zones[zone]
        owners[: len(plan.players)] = [owners[(seat - by) % len(plan.players)] for seat in plan.players]
    else:
        rotate_lots(state, plan, zone, by)
    if plan.watched:
        plan.observer.passed(plan.state(state), zone, by)
    if plan.observed:
        pass_beliefs(state, plan, zone, by)


def rotate_lots(state: StateRecord, plan: Plan, zone: int, by: int) -> None:
    """Move each player's cards in a compiled game, and their number, to the next seat in a direction."""
    count = len(plan.players)
    for seat in plan.players:
        disturb(state, plan, zone, seat)
    if plan.is_lanes(zone):
        old = row(count)
        for seat in plan.players:
            old[seat] = state.hand[plan.hand(zone, seat)]
        for seat in plan.players:
            state.hand[plan.hand(zone, seat)] = old[(seat - by) % count]
    else:
        for index in dynamic_range(plan.capacity(zone)):
            row_of_cards = row(count)
            for seat in plan.players:
                row_of_cards[seat] = state.card_array[plan.first(zone, seat) + index]
            for seat in plan.players:
                state.card_array[plan.first(zone, seat) + index] = row_of_cards[(seat - by) % count]
    if not plan.has_equal_sizes(zone):
        sizes = row(count)
        for seat in plan.players:
            sizes[seat] = state.size[plan.size_index(zone, seat)]
        for seat in plan.players:
            state.size[plan.size_index(zone, seat)] = sizes[(seat - by) % count]


def pass_beliefs(state: StateRecord, plan: Plan, zone: int, by: int) -> None:
    """Move the beliefs about the cards of a passed zone along with the cards."""
    if plan.sights.travels(zone, 0):
        count = len(plan.players)
        old = row(count)
        for seat in plan.players:
            old[seat] = state.belief_slot[plan.sights.number(zone, seat)]
        for seat in plan.players:
            state.belief_slot[plan.sights.number(zone, seat)] = old[(seat - by) % count]


def move_all(state: StateRecord, plan: AnyPlan, step: MoveAll) -> None:
    """Move all cards in a zone to another zone of the same owner, or to a shared zone."""
    for owner in plan.owners(step.source):
        if is_for_owner(state, plan, step.who, step.source, owner):
            if plan.watched:
                plan.observer.moves(plan.state(state), step, owner, plan.owner(step.target, owner))
            if plan.observed:
                follow_all(state, plan, step, owner, plan.owner(step.target, owner))
            move_from(state, plan, step, owner, plan.owner(step.target, owner))
    if plan.has_equal_sizes(step.source):
        assert not plan.plain
        moved = state.size[plan.size_index(step.source, 0)]
        state.size[plan.size_index(step.source, 0)] = 0
        if plan.is_stored(step.target) and plan.has_equal_sizes(step.target):
            state.size[plan.size_index(step.target, 0)] += moved
    if plan.observed:
        count_again(state, plan, step.source)
        count_again(state, plan, step.target)


def is_for_owner(state: StateRecord, plan: AnyPlan, who: Value | None, zone: int, owner: int) -> int:
    """True if a step that is limited by the condition `who` applies to the owner's cards in a zone."""
    if who is None or plan.program.zones[zone].per != "seat":
        return True
    return owner in plan.players and formula(state, plan, who, owner) != 0


def move_from(state: StateRecord, plan: AnyPlan, step: MoveAll, owner: int, target: int) -> None:
    """Move the cards of one owner, in order, and adjust counters. ``gained`` ignores this change."""
    size, before = zone_size(state, plan, step.source, owner), state.words[owner]
    if plan.program.cards_count_elsewhere and plan.program.zones[step.source].per == "seat":
        for index in dynamic_range(size):
            card = card_at(state, plan, step.source, owner, position(plan, step.source, index))
            state.words[owner] += plan.rises[step.source][step.target][card]
    elif step.target == plan.tableau:
        for index in dynamic_range(size):
            state.words[owner] += plan.program.increments[
                card_at(state, plan, step.source, owner, position(plan, step.source, index))
            ]
    if step.target in plan.counting and step.source not in plan.counting:
        for field in plan.program.gains:
            risen = read(state.words[owner], field) - read(before, field)
            state.words_before_choice[owner] += as_packed(risen) << field.shift
    if plan.plain:
        lying = [card_or_play(plan, step.target, card) for card in plan.cards(state, step.source, owner)]
        plan.cards(state, step.target, target).extend(lying)
        plan.cards(state, step.source, owner).clear()
    else:
        move_cards(state, plan, step, owner, target, size)


def move_cards(state: StateRecord, plan: Plan, step: MoveAll, owner: int, target: int, size: int) -> None:
    """Move `size` cards of an owner to another zone, as bits of a packed word or one by one."""
    if plan.is_stored(step.target):
        lot = plan.size_index(step.target, target)
        if is_lanes(plan, step.source) and is_lanes(plan, step.target):
            state.hand[plan.hand(step.target, target)] |= (
                state.hand[plan.hand(step.source, owner)] << state.size[lot] * plan.bits
            )
        else:
            for index in dynamic_range(size):
                card = card_at(state, plan, step.source, owner, position(plan, step.source, index))
                put_at_end(
                    state, plan, step.target, target, state.size[lot] + index, card_or_play(plan, step.target, card)
                )
        if not plan.has_equal_sizes(step.target):
            state.size[lot] += size
    empty_lot(state, plan, step.source, owner)


def flip(state: StateRecord, plan: AnyPlan, step: Flip) -> None:
    """Turn over the cards or roll the dice in a zone, in the order in which they lie."""
    for owner in plan.owners(step.zone):
        if is_for_owner(state, plan, step.who, step.zone, owner):
            turned = flip_cards(state, plan, step, owner)
            if plan.watched:
                plan.observer.turned(plan.state(state), step, owner, turned)
    if plan.observed:
        count_again(state, plan, step.zone)
        see_all(state, plan, step.zone)


def flip_cards(state: StateRecord, plan: AnyPlan, step: Flip, owner: int) -> int:
    """Turn over the cards or roll the dice of one owner. Return the positions of those turned, as bits."""
    turned = 0
    for index in dynamic_range(zone_size(state, plan, step.zone, owner)):
        spot = position(plan, step.zone, index)
        card = card_at(state, plan, step.zone, owner, spot)
        if step.number[card] > 0:
            drawn = below(state, plan, step.number[card]) if step.rolled else 0
            exchange_at(state, plan, step.zone, owner, spot, step.shows[step.first[card] + drawn])
            if plan.watched:
                turned |= 1 << index
    return turned


def clear(state: StateRecord, plan: AnyPlan, step: Clear) -> None:
    """Discard the cards of a zone except kept ones, and subtract what they added to counters."""
    if plan.watched:
        plan.observer.cleared(plan.state(state), step.zone)
    clear_zone(state, plan, step.zone, step.discard)
    if plan.observed:
        count_after_clearing(state, plan, step.zone, step.discard)


def clear_zone(state: StateRecord, plan: AnyPlan, zone: int, discard: int) -> None:
    """Move the cards in a zone to `discard`, except kept cards. For the tableau, also reset its counters."""
    if plan.is_stored(zone):
        for seat in plan.seats:
            clear_cards(state, plan, zone, seat, discard)
    if zone == plan.tableau:
        reset(state, plan)


def reset(state: StateRecord, plan: AnyPlan) -> None:
    """Reset the counters that are cleared with tableaus, then add what the remaining cards add."""
    program = plan.program
    for seat in plan.seats:
        state.words[seat] = (state.words[seat] & program.keep_bits) + program.keep_word
        for zone in plan.counting:
            if zone != plan.tableau:
                for spot in dynamic_range(zone_size(state, plan, zone, seat)):
                    state.words[seat] += program.added_again[zone][card_at(state, plan, zone, seat, spot)]
    if program.mixed:
        for seat in plan.seats:
            for spot in dynamic_range(zone_size(state, plan, plan.tableau, seat)):
                state.words[seat] += plan.mixed[card_at(state, plan, plan.tableau, seat, spot)]


def clear_cards(state: StateRecord, plan: AnyPlan, zone: int, seat: int, discard: int) -> None:
    """Discard those cards of a seat that do not stay, in the order of play."""
    kept = 0
    for spot in dynamic_range(zone_size(state, plan, zone, seat)):
        play = card_at(state, plan, zone, seat, spot)
        if plan.stays[play]:
            put_at(state, plan, zone, seat, kept, play)
            kept += 1
        else:
            if zone != plan.tableau:
                state.words[seat] -= plan.program.added[zone][play]
            push(state, plan, discard, 0, plan.program.card_of[play])
    truncate(state, plan, zone, seat, kept)


def gather(state: StateRecord, plan: AnyPlan, step: Gather) -> None:
    """Return all cards to the zones in which they begin, except cards that stay in tableaus."""
    for zone in step.counting:
        clear_zone(state, plan, zone, step.target)
    empty_zones(state, plan)
    for pile, cards in step.piles:
        fill(state, plan, pile, cards)
    if plan.program.kept_plays:
        for zone in step.counting:
            for seat in plan.seats:
                for spot in dynamic_range(zone_size(state, plan, zone, seat)):
                    stays = plan.program.card_of[card_at(state, plan, zone, seat, spot)]
                    for pile, _ in step.piles:
                        if plan.is_stored(pile) and step.home[stays] == pile:
                            remove(state, plan, pile, 0, plan.program.thing_of[stays])
    if plan.watched:
        plan.observer.gathered(plan.state(state), step.target)
    if plan.observed:
        after_gathering(state, plan)


def empty_zones(state: StateRecord, plan: AnyPlan) -> None:
    """Empty all zones except those whose cards add to counters."""
    for zone in plan.zones:
        if zone not in plan.counting:
            empty_zone(state, plan, zone)
