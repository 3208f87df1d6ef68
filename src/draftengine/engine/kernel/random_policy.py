"""The random policy: every card that can be taken is alike, and so is each of its forms.

It draws as `draftengine.engine.policies.random_move` and `draftengine.engine.playout` do, word by word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.actions import can_go, cards_for, cards_taken, open_ways
from draftengine.engine.kernel.chance import bot_below, bot_word
from draftengine.engine.kernel.choices import for_others, free_places, uses
from draftengine.engine.kernel.layouts import open_places
from draftengine.engine.kernel.wild_cards import (
    cannot_be_played,
    is_allowed,
    is_stuck,
    lanes_not_among,
    not_among,
    own_count,
)
from draftengine.engine.kernel.zones import card_at, copy_stock, remove_at, is_lanes, select_bit, position
from draftengine.jit.primitives import high_half, popcount, wrap

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice, Action
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord


def draw_for_all(g: StateRecord, plan: Plan, step: Choice) -> None:
    """Draw a place of the hand for every player, where all hold equally many; up to four draws share a word."""
    size = g.size[plan.size_index(step.source, 0)]
    for seats in plan.by_fours:
        word = bot_word(g)
        for seat in seats:
            g.at[plan.pick_index(seat, 0)] = position(plan, step.source, high_half(word, size))
            if seat != seats[-1]:
                word = wrap(word * size)
    for seat in plan.players:
        g.own_picks[seat] = 1
        g.ability_picks[seat] = 0
    if step.abilities and size > 1:
        for seat in plan.players:
            if any(g.words[seat] & plan.program.abilities[own].field.field_mask for own in step.abilities):
                if bot_below(g, 2):
                    draw_further(g, plan, step, seat, size)


def draw_further(g: StateRecord, plan: Plan, step: Choice, seat: int, size: int) -> None:
    """Draw one more place of the hand for a player, who takes its card with the first ability that is ready."""
    g.ability_picks[seat] = 1
    g.ability[seat] = first_ready(g, plan, step, seat)
    g.at[plan.ability_pick_index(step, seat, 0)] = position(plan, step.source, bot_below(g, size - 1))


def first_ready(g: StateRecord, plan: Plan, step: Choice, seat: int) -> int:
    """The first ability of which a card lies before the seat."""
    for own in step.abilities:
        if g.words[seat] & plan.program.abilities[own].field.field_mask:
            return own
    return -1


def hold_equally_many(g: StateRecord, plan: Plan, step: Choice) -> int:
    """Do all players hold equally many cards to choose from."""
    first = g.size[plan.size_index(step.source, 0)]
    return first > 0 and all(g.size[plan.size_index(step.source, seat)] == first for seat in plan.players)


def random_move(g: StateRecord, plan: Plan, step: Choice, seat: int) -> None:
    """Draw the picks of one player."""
    g.ability_picks[seat] = 0
    g.ability[seat] = -1
    if step.actions:
        random_way(g, plan, step, seat)
    else:
        draw_cards(g, plan, step, seat)


# ── from a zone of cards, or a layout ───────────────────────────────────────────────────────────────────────────────


def draw_cards(g: StateRecord, plan: Plan, step: Choice, seat: int) -> None:
    """Cards are drawn from a copy of the zone (or open places), one after the other."""
    if step.layout:
        g.free = free_places(g, plan, step)
    elif not plan.takes_one(step):
        copy_stock(g, plan, step.source, seat)
    count = min(own_count(g, plan, step, seat), left_to_draw(g, plan, step, seat))
    g.own_picks[seat] = max(count, 0)
    for number in range(plan.max_own_picks(step)):
        if plan.takes_exactly_one(step) or count > number:
            draw(g, plan, step, seat, seat, plan.pick_index(seat, number))
    decided = 0
    for own in step.abilities:
        if not decided and is_ready(g, plan, step, own, seat):
            decided = 1
            if bot_below(g, 2):
                draw_with(g, plan, step, seat, own)
    for index, (other, marker, cards) in enumerate(step.also):
        if g.markers[marker] == seat:
            for number in range(cards):
                g.card[plan.other_pick_index(step, seat, index, number)] = -1
                if left_to_draw(g, plan, step, seat) > 0:
                    draw(g, plan, step, seat, other, plan.other_pick_index(step, seat, index, number))


def left_to_draw(g: StateRecord, plan: Plan, step: Choice, seat: int) -> int:
    """How many cards, or places, are still there to be drawn."""
    return popcount(g.free) if step.layout else g.size[plan.size_index(plan.draw_copy(step), seat)]


def uncovered(g: StateRecord, plan: Plan, step: Choice, seat: int) -> int:
    """The places that are open when those are empty which a player has drawn for itself, as bits."""
    gone = 0
    for number in range(plan.max_own_picks(step)):
        if g.own_picks[seat] > number:
            gone |= 1 << g.card[plan.pick_index(seat, number)]
    return open_places(plan, step.source, g.lying[plan.layout(step.source)] & ~gone)


def is_ready(g: StateRecord, plan: Plan, step: Choice, ability: int, seat: int) -> int:
    """May an ability be used, with cards enough left for it."""
    left = popcount(uncovered(g, plan, step, seat)) if step.layout else left_to_draw(g, plan, step, seat)
    take = plan.program.abilities[ability].model.take
    return uses(g, plan, step, ability, seat) > 0 and left - for_others(g, step, seat) >= take


def draw_with(g: StateRecord, plan: Plan, step: Choice, seat: int, ability: int) -> None:
    """The cards of one use of an ability; it is not used if none that is left can be played."""
    g.ability[seat] = ability
    g.ability_picks[seat] = plan.program.abilities[ability].model.take
    if step.layout:
        g.free = uncovered(g, plan, step, seat)
    for number in range(plan.program.abilities[ability].model.take):
        if can_draw(g, plan, step, seat):
            if g.ability_picks[seat] > 0:
                draw(g, plan, step, seat, seat, plan.ability_pick_index(step, seat, number))
        else:
            g.ability_picks[seat] = 0


def can_draw(g: StateRecord, plan: Plan, step: Choice, seat: int) -> int:
    """Is there a card in the stock that can be played."""
    if plan.wild and step.plays and not step.layout:
        return usable(g, plan, step, seat, seat) > 0
    return True


def draw(g: StateRecord, plan: Plan, step: Choice, seat: int, receiver: int, pick: int) -> None:
    """One card of the stock, and the form in which its receiver plays it; or a place that is free."""
    if step.layout:
        g.card[pick] = select_bit(g.free, bot_below(g, popcount(g.free)))
        g.free ^= 1 << g.card[pick]
        return
    zone = plan.draw_copy(step)
    size = g.size[plan.size_index(zone, seat)]
    at = spot_to_draw(g, plan, step, seat, receiver, size)
    card = card_at(g, plan, zone, seat, at)
    g.card[pick] = card
    if plan.wild:
        g.play[pick] = form_of(g, plan, step, receiver, card)
    if not plan.takes_one(step):
        remove_at(g, plan, zone, seat, at, size)
        g.size[plan.size_index(zone, seat)] = size - 1


def spot_to_draw(g: StateRecord, plan: Plan, step: Choice, seat: int, receiver: int, size: int) -> int:
    """A spot of the stock, every card that can be played alike."""
    if plan.wild and step.plays:
        stuck = cannot_be_played(g, plan, step, receiver)
        if stuck:
            number = bot_below(g, usable(g, plan, step, seat, receiver))
            return spot_among(g, plan, step, seat, stuck, number)
    return position(plan, step.source, bot_below(g, size))


def spot_among(g: StateRecord, plan: Plan, step: Choice, seat: int, stuck: int, number: int) -> int:
    """The spot of the `number`-th card of the stock that is not stuck."""
    zone = plan.draw_copy(step)
    if is_lanes(plan, zone):
        return select_bit(lanes_not_among(g, plan, zone, seat, stuck), number) - plan.bits + 1
    at = 0
    left = number
    while is_stuck(plan, stuck, card_at(g, plan, zone, seat, at)) or left > 0:
        left -= 1 - is_stuck(plan, stuck, card_at(g, plan, zone, seat, at))
        at += 1
    return at


def usable(g: StateRecord, plan: Plan, step: Choice, seat: int, receiver: int) -> int:
    """How many cards of the stock can be played."""
    stuck = cannot_be_played(g, plan, step, receiver)
    return not_among(g, plan, plan.draw_copy(step), seat, stuck)


def form_of(g: StateRecord, plan: Plan, step: Choice, seat: int, card: int) -> int:
    """The play that a drawn card becomes, any of its allowed forms; -1 = as itself."""
    if step.plays:
        for wild in plan.wild:
            if card == wild:
                forms = sum((is_allowed(g, plan, own, seat) != 0) << at for at, own in enumerate(plan.forms(wild)[0]))
                if forms:
                    which = 0
                    if popcount(forms) > 1:
                        which = bot_below(g, popcount(forms))
                    return plan.forms(wild)[1][select_bit(forms, which)]
    return -1


# ── by a way ────────────────────────────────────────────────────────────────────────────────────────────────────────


def random_way(g: StateRecord, plan: Plan, step: Choice, seat: int) -> None:
    """Any way that is open, and any cards that can go it."""
    opened = open_ways(g, plan, step, seat)
    which = 0
    if popcount(opened) > 1:
        which = bot_below(g, popcount(opened))
    g.way[seat] = select_bit(opened, which)
    for index, way in enumerate(step.actions):
        if g.way[seat] == index:
            draw_for_way(g, plan, step, way, seat)


def draw_for_way(g: StateRecord, plan: Plan, step: Choice, way: Action, seat: int) -> None:
    """The cards that go it are drawn one after the other."""
    g.own_picks[seat] = cards_taken(g, plan, step, way, seat)
    if plan.max_own_picks(way.laying) > 0:
        copy_stock(g, plan, step.source, seat)
        left = cards_for(g, plan, step, way, seat)
        for number in range(plan.max_own_picks(way.laying)):
            if g.own_picks[seat] > number:
                draw_one(g, plan, step, way, seat, plan.pick_index(seat, number), left - number)


def draw_one(g: StateRecord, plan: Plan, step: Choice, way: Action, seat: int, pick: int, left: int) -> None:
    """One of the `left` cards of the stock that can go a way."""
    zone = ~step.source
    size = g.size[plan.size_index(zone, seat)]
    at = spot_of_one(g, plan, step, way, seat, bot_below(g, left))
    g.card[pick] = card_at(g, plan, zone, seat, at)
    if plan.wild:
        g.play[pick] = form_of(g, plan, way.laying, seat, g.card[pick])
    remove_at(g, plan, zone, seat, at, size)
    g.size[plan.size_index(zone, seat)] = size - 1


def spot_of_one(g: StateRecord, plan: Plan, step: Choice, way: Action, seat: int, number: int) -> int:
    """The spot of the `number`-th card of the stock that can go a way."""
    if plan.admits_all(way):
        return position(plan, step.source, number)
    at = 0
    left = number
    while left > 0 or not can_go(g, plan, way, seat, card_at(g, plan, ~step.source, seat, at)):
        left -= can_go(g, plan, way, seat, card_at(g, plan, ~step.source, seat, at))
        at += position(plan, step.source, 1)
    return at
