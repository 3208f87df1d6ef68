"""Choices of players: at random, or by the value of moves as each player sees the table.

The random policy takes each possible card with equal probability, then each of its forms. It uses the same random words
as `draftengine.engine.policies`.

Values of moves do not depend on the seat, so one function serves all players. It reads a second state record, the
*view*: the table rotated so that the deciding player is player 0, with all parts that matter for choosing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.best_moves import any_legal_move, best_move
from draftengine.engine.kernel.chance import bot_below, bot_choice, bot_word, draw_as
from draftengine.engine.kernel.choices import can_go, cards_for, for_others, free_places, open_ways, uses
from draftengine.engine.kernel.formulas import formula
from draftengine.engine.kernel.learning import note_choice
from draftengine.engine.kernel.options import take_move
from draftengine.engine.kernel.wild_cards import (
    cannot_be_played,
    is_allowed,
    is_stuck,
    lanes_not_among,
    not_among,
    own_count,
)
from draftengine.engine.kernel.zones import (
    card_at,
    copy_stock,
    is_lanes,
    open_places,
    position,
    remove_at,
    select_bit,
    without,
)
from draftengine.engine.plan import GREEDY, PLAYOUT, RANDOM
from draftengine.engine.plan.base import EXPLORE
from draftengine.jit.primitives import dynamic_range, high_half, popcount, wrap

if TYPE_CHECKING:
    from draftengine.engine.choose import Action, Choice
    from draftengine.engine.plan import Plan
    from draftengine.engine.state import MoveScratch, StateRecord


def draw_for_all(state: StateRecord, plan: Plan, step: Choice) -> None:
    """Draw the position of a card in the hand of every player, if all hold equally many cards.

    Up to four draws share a random word.
    """
    size = state.size[plan.size_index(step.source, 0)]
    for seats in plan.by_fours:
        word = bot_word(state)
        for seat in seats:
            state.at[plan.pick_index(seat, 0)] = position(plan, step.source, high_half(word, size))
            if seat != seats[-1]:
                word = wrap(word * size)
    for seat in plan.players:
        state.own_picks[seat] = 1
        state.ability_picks[seat] = 0
    if step.abilities and size > 1:
        for seat in plan.players:
            if any(state.words[seat] & plan.program.abilities[ability].field.field_mask for ability in step.abilities):
                if bot_below(state, 2):
                    draw_further(state, plan, step, seat, size)


def draw_further(state: StateRecord, plan: Plan, step: Choice, seat: int, size: int) -> None:
    """Draw the position of one more card in a player's hand, for the first ability that it can use now."""
    state.ability_picks[seat] = 1
    state.ability[seat] = first_ready(state, plan, step, seat)
    state.at[plan.ability_pick_index(step, seat, 0)] = position(plan, step.source, bot_below(state, size - 1))


def first_ready(state: StateRecord, plan: Plan, step: Choice, seat: int) -> int:
    """Return the first ability that a seat can use because its card is in front of the seat; -1 if none."""
    for ability in step.abilities:
        if state.words[seat] & plan.program.abilities[ability].field.field_mask:
            return ability
    return -1


def hold_equally_many(state: StateRecord, plan: Plan, step: Choice) -> int:
    """True if all players have equally many cards to choose from, and at least one."""
    first = state.size[plan.size_index(step.source, 0)]
    return first > 0 and all(state.size[plan.size_index(step.source, seat)] == first for seat in plan.players)


def random_move(state: StateRecord, plan: Plan, step: Choice, seat: int) -> None:
    """Draw the picks of one player."""
    state.ability_picks[seat] = 0
    state.ability[seat] = -1
    if step.actions:
        random_way(state, plan, step, seat)
    else:
        draw_cards(state, plan, step, seat)


# ── from a zone of cards, or a layout ───────────────────────────────────────────────────────────────────────────────


def draw_cards(state: StateRecord, plan: Plan, step: Choice, seat: int) -> None:
    """Draw the player's cards at random, one by one, from a copy of the zone or from open places."""
    if step.layout:
        state.free = free_places(state, plan, step)
    elif not plan.takes_one(step):
        copy_stock(state, plan, step.source, seat)
    count = min(own_count(state, plan, step, seat), left_to_draw(state, plan, step, seat))
    state.own_picks[seat] = max(count, 0)
    for number in range(plan.max_own_picks(step)):
        if plan.takes_exactly_one(step) or count > number:
            draw(state, plan, step, seat, seat, plan.pick_index(seat, number))
    decided = 0
    for ability in step.abilities:
        if not decided and is_ready(state, plan, step, ability, seat):
            decided = 1
            if bot_below(state, 2):
                draw_with(state, plan, step, seat, ability)
    for index, (other, marker, cards) in enumerate(step.also):
        if state.markers[marker] == seat:
            for number in range(cards):
                state.card[plan.other_pick_index(step, seat, index, number)] = -1
                if left_to_draw(state, plan, step, seat) > 0:
                    draw(state, plan, step, seat, other, plan.other_pick_index(step, seat, index, number))


def left_to_draw(state: StateRecord, plan: Plan, step: Choice, seat: int) -> int:
    """Count the cards, or open places, from which a player's random move can still draw."""
    return popcount(state.free) if step.layout else state.size[plan.size_index(plan.draw_copy(step), seat)]


def uncovered(state: StateRecord, plan: Plan, step: Choice, seat: int) -> int:
    """Return the places that are open after the player's own picks are gone, as bits."""
    gone = 0
    for number in range(plan.max_own_picks(step)):
        if state.own_picks[seat] > number:
            gone |= 1 << state.card[plan.pick_index(seat, number)]
    return open_places(plan, step.source, state.lying[plan.layout(step.source)] & ~gone)


def is_ready(state: StateRecord, plan: Plan, step: Choice, ability: int, seat: int) -> int:
    """True if an ability may be used, and enough cards are left for it."""
    left = popcount(uncovered(state, plan, step, seat)) if step.layout else left_to_draw(state, plan, step, seat)
    take = plan.program.abilities[ability].model.take
    return uses(state, plan, step, ability, seat) > 0 and left - for_others(state, step, seat) >= take


def draw_with(state: StateRecord, plan: Plan, step: Choice, seat: int, ability: int) -> None:
    """Draw the cards for one use of an ability. Cancel the use if no remaining card can be played."""
    state.ability[seat] = ability
    state.ability_picks[seat] = plan.program.abilities[ability].model.take
    if step.layout:
        state.free = uncovered(state, plan, step, seat)
    for number in range(plan.program.abilities[ability].model.take):
        if can_draw(state, plan, step, seat):
            if state.ability_picks[seat] > 0:
                draw(state, plan, step, seat, seat, plan.ability_pick_index(step, seat, number))
        else:
            state.ability_picks[seat] = 0


def can_draw(state: StateRecord, plan: Plan, step: Choice, seat: int) -> int:
    """True if the cards from which a player still draws (its stock) include one that can be played."""
    if plan.wild and step.plays and not step.layout:
        return usable(state, plan, step, seat, seat) > 0
    return True


def draw(state: StateRecord, plan: Plan, step: Choice, seat: int, receiver: int, pick: int) -> None:
    """Draw a remaining card, and the form in which `receiver` plays it; in a layout, an open place."""
    if step.layout:
        state.card[pick] = select_bit(state.free, bot_below(state, popcount(state.free)))
        state.free ^= 1 << state.card[pick]
        return
    zone = plan.draw_copy(step)
    size = state.size[plan.size_index(zone, seat)]
    position = spot_to_draw(state, plan, step, seat, receiver, size)
    card = card_at(state, plan, zone, seat, position)
    state.at[pick] = position
    state.card[pick] = card
    if plan.wild:
        state.play[pick] = form_of(state, plan, step, receiver, card)
    if not plan.takes_one(step):
        remove_at(state, plan, zone, seat, position, size)
        state.size[plan.size_index(zone, seat)] = size - 1


def spot_to_draw(state: StateRecord, plan: Plan, step: Choice, seat: int, receiver: int, size: int) -> int:
    """Draw the position of one of the remaining cards that can be played. All are equally likely."""
    if plan.wild and step.plays:
        stuck = cannot_be_played(state, plan, step, receiver)
        if stuck:
            number = bot_below(state, usable(state, plan, step, seat, receiver))
            return spot_among(state, plan, step, seat, stuck, number)
    return position(plan, step.source, bot_below(state, size))


def spot_among(state: StateRecord, plan: Plan, step: Choice, seat: int, stuck: int, number: int) -> int:
    """Return the position of the `number`-th card, among those left to choose from, that can be played."""
    zone = plan.draw_copy(step)
    if is_lanes(plan, zone):
        return select_bit(lanes_not_among(state, plan, zone, seat, stuck), number) - plan.bits + 1
    position = 0
    left = number
    while is_stuck(plan, stuck, card_at(state, plan, zone, seat, position)) or left > 0:
        left -= 1 - is_stuck(plan, stuck, card_at(state, plan, zone, seat, position))
        position += 1
    return position


def usable(state: StateRecord, plan: Plan, step: Choice, seat: int, receiver: int) -> int:
    """Count the cards left to choose from that can be played."""
    stuck = cannot_be_played(state, plan, step, receiver)
    return not_among(state, plan, plan.draw_copy(step), seat, stuck)


def form_of(state: StateRecord, plan: Plan, step: Choice, seat: int, card: int) -> int:
    """Draw one of the allowed forms of a card, as a play; -1 = the card itself."""
    if step.plays:
        for wild in plan.wild:
            if card == wild:
                forms = sum(
                    (is_allowed(state, plan, form, seat) != 0) << index
                    for index, form in enumerate(plan.forms(wild)[0])
                )
                if forms:
                    which = select_bit(forms, bot_choice(state, popcount(forms)), len(plan.forms(wild)[0]))
                    return plan.forms(wild)[1][which]
    return -1


# ── with an action ──────────────────────────────────────────────────────────────────────────────────────────────────


def random_way(state: StateRecord, plan: Plan, step: Choice, seat: int) -> None:
    """Draw an open action, and cards that it accepts."""
    opened = open_ways(state, plan, step, seat)
    state.way[seat] = select_bit(opened, bot_choice(state, popcount(opened)), len(step.actions))
    if plan.draws_alike(step):
        draw_for_any_way(state, plan, step, seat)
        return
    state.own_picks[seat] = 0
    for index, way in enumerate(step.actions):
        if plan.max_own_picks(way.laying) > 0:
            if state.way[seat] == index:
                draw_for_way(state, plan, step, way, seat)


def draw_for_any_way(state: StateRecord, plan: Plan, step: Choice, seat: int) -> None:
    """Draw the card that the chosen action takes, if all actions take one from the same zone.

    That needs no branch by action, which a processor could only guess.
    """
    source = step.actions[0].laying.source
    accepted = 0
    for index, way in enumerate(step.actions):
        bits = (1 << state.size[plan.size_index(source, seat)]) - 1 if plan.admits_all(way) else state.accepted[index]
        accepted |= bits * (state.way[seat] == index)
    number = select_bit(accepted, bot_below(state, popcount(accepted)), plan.capacity(source))
    state.own_picks[seat] = 1
    pick = plan.pick_index(seat, 0)
    state.at[pick] = position(plan, source, number)
    state.card[pick] = card_at(state, plan, source, plan.owner(source, seat), state.at[pick])


def draw_for_way(state: StateRecord, plan: Plan, step: Choice, way: Action, seat: int) -> None:
    """Draw, one after another, the cards that an action takes from a seat."""
    copy_stock(state, plan, way.laying.source, seat)
    left = cards_that_fit(state, plan, step, way, seat)
    state.own_picks[seat] = max(0, min(formula(state, plan, way.cards, seat), left))
    for number in range(plan.max_own_picks(way.laying)):
        if state.own_picks[seat] > number:
            draw_one(state, plan, step, way, seat, plan.pick_index(seat, number), left - number)


def cards_that_fit(state: StateRecord, plan: Plan, step: Choice, way: Action, seat: int) -> int:
    """Count the cards that an open action accepts.

    They were noted when the action was found to be open.
    """
    if plan.notes_accepted(way):
        return popcount(state.accepted[plan.index_of(step, way)])
    return cards_for(state, plan, step, way, seat)


def draw_one(state: StateRecord, plan: Plan, step: Choice, way: Action, seat: int, pick: int, left: int) -> None:
    """Draw one of the `left` remaining cards that an action accepts."""
    zone = ~way.laying.source
    size = state.size[plan.size_index(zone, seat)]
    position = spot_of_one(state, plan, step, way, seat, bot_below(state, left))
    state.at[pick] = position
    state.card[pick] = card_at(state, plan, zone, seat, position)
    if plan.wild:
        state.play[pick] = form_of(state, plan, way.laying, seat, state.card[pick])
    remove_at(state, plan, zone, seat, position, size)
    state.size[plan.size_index(zone, seat)] = size - 1


def spot_of_one(state: StateRecord, plan: Plan, step: Choice, way: Action, seat: int, number: int) -> int:
    """Return the position of the `number`-th remaining card that an action accepts, which is then taken."""
    source = way.laying.source
    if plan.admits_all(way):
        return position(plan, source, number)
    if plan.notes_accepted(way):
        index = plan.index_of(step, way)
        place = select_bit(state.accepted[index], number, plan.capacity(source))
        if plan.max_own_picks(way.laying) > 1:
            state.accepted[index] = without(state.accepted[index], place, 1)
        return position(plan, source, place)
    where = position(plan, source, -1)
    left = number
    while left >= 0:
        where += position(plan, source, 1)
        left -= can_go(state, plan, way, seat, card_at(state, plan, ~source, seat, where))
    return where


def look(state: StateRecord, view: StateRecord, plan: Plan, step: Choice, seat: int) -> None:
    """Write the table as a player sees it into `view`, with the random stream for policies."""
    draw_as(view, state)
    view.round = state.round
    view.turn = state.turn
    for each in plan.seats:
        view.words[plan.seen_as(seat, each)] = state.words[each]
        view.scores[plan.seen_as(seat, each)] = state.scores[each]
    if plan.reads_previous_words:
        for each in plan.seats:
            view.words_before_choice[plan.seen_as(seat, each)] = state.words_before_choice[each]
    for marker in plan.markers:
        view.markers[marker] = seen_holder(plan, seat, state.markers[marker])
    for zone, owner in plan.seen_lots(step, seat):
        view.size[plan.size_index(zone, plan.owner(zone, plan.seen_as(seat, owner)))] = state.size[
            plan.size_index(zone, owner)
        ]
    for layout in range(plan.sizes["layout"]):
        view.lying[layout] = state.lying[layout]
    view.hand[plan.hand(step.source, 0)] = state.hand[plan.hand(step.source, seat)]
    for zone in plan.looked_into:
        look_into(state, view, plan, zone, seat)


def look_into(state: StateRecord, view: StateRecord, plan: Plan, zone: int, seat: int) -> None:
    """Copy the cards in a zone, as far as formulas read them, into the view that a player decides from."""
    if plan.program.zones[zone].layout:
        for place in range(len(plan.program.zones[zone].layout)):
            view.row[plan.first_place(zone) + place] = state.row[plan.first_place(zone) + place]
    else:
        for owner in plan.owners(zone):
            seen = plan.owner(zone, plan.seen_as(seat, owner))
            view.size[plan.size_index(zone, seen)] = state.size[plan.size_index(zone, owner)]
            for mine, gauge in zip(plan.gauges_of(zone, seen), plan.gauges_of(zone, owner), strict=True):
                view.gauge[mine] = state.gauge[gauge]
                view.gauged[mine] = state.gauged[gauge]
            if plan.is_lanes(zone):
                view.hand[plan.hand(zone, seen)] = state.hand[plan.hand(zone, owner)]
            elif plan.is_heap(zone):
                for index in dynamic_range(state.size[plan.size_index(zone, owner)]):
                    view.card_array[plan.first(zone, seen) + index] = state.card_array[plan.first(zone, owner) + index]


def seen_holder(plan: Plan, seat: int, holder: int) -> int:
    """Return the holder of a marker, numbered from the deciding player as 0; -1 = nobody."""
    if seat == 0:
        return holder
    if holder < 0 or holder >= len(plan.players):
        return holder
    return (holder - seat) % len(plan.players)


def decide(state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, step: Choice, who: int) -> None:
    """Make the moves of the players in `who` (bits). Players do not see each other's moves."""
    if plan.draws_places(step):
        if plan.all_choose_equally(step):
            draw_for_all(state, plan, step)
        else:
            state.placed = hold_equally_many(state, plan, step)
            if state.placed:
                draw_for_all(state, plan, step)
            else:
                decide_each(state, view, options, plan, step, who)
    else:
        decide_each(state, view, options, plan, step, who)


def decide_each(
    state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, step: Choice, who: int
) -> None:
    """Make the moves of the players in `who` (bits), one after another."""
    for seat in plan.players:
        if who >> seat & 1:
            decide_seat(state, view, options, plan, step, seat)


def decide_seat(
    state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int
) -> None:
    """Set the picks of one player by its policy."""
    if plan.learning:
        move_to_learn_from(state, view, options, plan, step, seat)
    elif plan.policies[seat] == RANDOM:
        random_move(state, plan, step, seat)
    else:
        take_move(state, plan, step, seat, chosen_move(state, view, options, plan, step, seat, plan.policies[seat]))


def move_to_learn_from(
    state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int
) -> None:
    """Let a player choose by the policy drawn for it. If that is the worth table, record the choice."""
    if state.policy[seat] == GREEDY:
        take_move(state, plan, step, seat, chosen_move(state, view, options, plan, step, seat, GREEDY))
    else:
        move = chosen_move(state, view, options, plan, step, seat, plan.policies[seat])
        note_choice(state, options, plan, step, seat, move)
        take_move(state, plan, step, seat, move)


def chosen_move(
    state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, policy: int
) -> int:
    """Return the move that a player's policy chooses.

    If the kernel has one function for all players, that function reads a view of the table rotated to seat 0.
    """
    if plan.items.from_any_seat(step):
        look(state, view, plan, step, seat)
        move = move_by_value(view, options, plan, plan.first_like(step), 0, policy)
        draw_as(state, view)
        return move
    return move_by_value(state, options, plan, step, seat, policy)


def move_by_value(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, policy: int) -> int:
    """Return a best move by value. In playouts, one move in `EXPLORE` is a random legal move instead."""
    if policy == PLAYOUT:
        if bot_below(state, EXPLORE) == 0:
            return any_legal_move(state, options, plan, step, seat)
    return best_move(state, options, plan, step, seat, policy != GREEDY)
