"""Moves that are named code by code: what a player can name next, as `draftengine.engine.moves` lists whole moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.compiled.options import hidden_faces, is_open, pick_item
from draftengine.engine.text.choices import for_others, free_places, uses
from draftengine.engine.text.layouts import open_places
from draftengine.engine.text.memory import shelf
from draftengine.engine.text.wild import is_allowed, own_count
from draftengine.staging.primitives import counted, popcount, trailing

if TYPE_CHECKING:
    from draftengine.compiled.arrays import Arrays
    from draftengine.compiled.plan import Plan
    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.record import Game


def begin_to_name(g: Game, plan: Plan, step: Choice, seat: int) -> None:
    """Nothing is named so far."""
    g.taken[seat] = 0
    g.further[seat] = 0
    g.ability[seat] = -1
    for index, (_, _, cards) in enumerate(step.also):
        for number in range(cards):
            g.card[plan.pick_for(step, seat, index, number)] = -1


def name(g: Game, plan: Plan, step: Choice, seat: int, action: int) -> None:
    """A player takes one more card."""
    item = plan.views.item[action]
    if not step.abilities and not step.also:
        name_own(g, plan, step, seat, item)
    else:
        channel = plan.views.channel[action]
        if channel == 0:
            name_own(g, plan, step, seat, item)
        elif channel < step.first_other:
            g.ability[seat] = channel - 1
            for number in range(plan.most_further(step)):
                if g.further[seat] == number:
                    pick_item(g, plan, step, plan.further_pick(step, seat, number), item)
            g.further[seat] += 1
        for index in range(len(step.also)):
            if channel == step.first_other + index:
                name_for(g, plan, step, seat, index, item)


def name_own(g: Game, plan: Plan, step: Choice, seat: int, item: int) -> None:
    """The same for itself."""
    for number in range(plan.most_own(step)):
        if plan.is_single(step) or g.taken[seat] == number:
            pick_item(g, plan, step, plan.own_pick(seat, number), item)
    g.taken[seat] += 1


def name_for(g: Game, plan: Plan, step: Choice, seat: int, index: int, item: int) -> None:
    """The same for one of the seats that it chooses for."""
    chosen = named_for(g, plan, step, seat, index)
    for number in range(step.also[index][2]):
        if chosen == number:
            pick_item(g, plan, step, plan.pick_for(step, seat, index, number), item)


def named_for(g: Game, plan: Plan, step: Choice, seat: int, index: int) -> int:
    """How many cards a player has named for another seat."""
    return sum(g.card[plan.pick_for(step, seat, index, number)] >= 0 for number in range(step.also[index][2]))


def needs_no_more(g: Game, plan: Plan, step: Choice, seat: int) -> int:
    """Is a move certainly whole: the own cards are named, and there is no other use for any."""
    if step.also:
        return 0
    bits = sum({plan.program.abilities[own].field.bits for own in step.abilities})
    return g.taken[seat] >= own_count(g, plan, step) and not g.words[seat] & bits


# ── what can be named ───────────────────────────────────────────────────────────────────────────────────────────────


def list_actions(g: Game, arrays: Arrays, plan: Plan, step: Choice, seat: int, first: int) -> int:
    """A one for every action that goes on with the move of a player; is the move whole because nothing does.

    The mask, from `first` on, is all zero before. If nothing can be added, or if the move is a move already, *done* is
    an action, too.
    """
    if not step.offer:
        if g.taken[seat] < own_count(g, plan, step):
            if plan.is_single(step):
                left = all_there(g, arrays, plan, step, seat)
            else:
                left = left_for_itself(g, arrays, plan, step, seat)
            if left:
                return 1 - done_if_nothing(arrays, plan, first, list_left(g, arrays, plan, step, seat, 0, left, first))
    found = list_abilities(g, arrays, plan, step, seat, first)
    if is_in_use(g, plan, step, seat):
        return 0
    for index, (other, marker, cards) in enumerate(step.also):
        if g.markers[marker] == seat and named_for(g, plan, step, seat, index) < cards:
            left = left_for_others(g, arrays, plan, step, seat)
            if left:
                found |= list_left(g, arrays, plan, step, other, step.first_other + index, left, first)
                return 1 - done_if_nothing(arrays, plan, first, found)
    arrays.mask[first + plan.views.done] = 1
    return 1 - found


def done_if_nothing(arrays: Arrays, plan: Plan, first: int, found: int) -> int:
    """*Done* is an action if there is no other; is there one."""
    arrays.mask[first + plan.views.done] = 1 - found
    return found


def is_in_use(g: Game, plan: Plan, step: Choice, seat: int) -> int:
    """Does an ability want more cards before the move can end."""
    for own in step.abilities:
        if g.ability[seat] == own:
            return g.further[seat] % plan.program.abilities[own].model.take != 0
    return 0


def list_abilities(g: Game, arrays: Arrays, plan: Plan, step: Choice, seat: int, first: int) -> int:
    """One more card with any ability, before cards are named for others; is there one."""
    found = 0
    if sum(named_for(g, plan, step, seat, index) for index in range(len(step.also))) == 0:
        for own in step.abilities:
            if g.ability[seat] < 0 or g.ability[seat] == own:
                if uses(g, plan, step, own, seat) > 0:
                    found |= list_further(g, arrays, plan, step, seat, own, first)
    return found


def list_further(g: Game, arrays: Arrays, plan: Plan, step: Choice, seat: int, ability: int, first: int) -> int:
    """One more card with an ability, if it can be used so often; is there one."""
    take = plan.program.abilities[ability].model.take
    used = g.further[seat] // take
    left = left_for_ability(g, arrays, plan, step, seat)
    if used >= uses(g, plan, step, ability, seat):
        return 0
    if (used + 1) * take + for_others(g, step, seat) > how_many(step, left):
        return 0
    left = without_further(g, arrays, plan, step, seat, left)
    if plan.wild and not step.layout:
        if can_be_named(g, arrays, plan, step, seat) < (used + 1) * take - g.further[seat]:
            return 0
    return list_left(g, arrays, plan, step, seat, 1 + ability, left, first)


def list_left(
    g: Game, arrays: Arrays, plan: Plan, step: Choice, taker: int, channel: int, left: int, first: int
) -> int:
    """A one for everything that what is left offers to a seat on a channel; is there anything."""
    if step.layout:
        places = left
        while places != 0:
            arrays.mask[first + plan.views.actions(channel)[trailing(places)]] = 1
            places &= places - 1
        return left != 0
    if not plan.wild and plan.views.first_action(channel) >= 0:
        start = first + plan.views.first_action(channel)
        for kind in counted(len(plan.items.faces)):
            arrays.mask[start + kind] = arrays.copies[kind] > 0
        return left > 0
    return list_forms(g, arrays, plan, step, taker, channel, first)


def list_forms(g: Game, arrays: Arrays, plan: Plan, step: Choice, taker: int, channel: int, first: int) -> int:
    """The same of cards, some of which have several forms."""
    found = 0
    hidden = hidden_faces(g, plan, step, taker)
    for kind in counted(len(plan.items.faces)):
        if arrays.copies[kind] > 0 and not hidden >> plan.items.wild[kind] & 1:
            arrays.mask[first + plan.views.actions(channel)[kind]] = 1
            found = 1
    for item in plan.items.options[len(plan.items.faces) :]:
        if arrays.copies[plan.items.kind[item]] > 0:
            if is_open(g, plan, step, taker, hidden, item):
                arrays.mask[first + plan.views.actions(channel)[item]] = 1
                found = 1
    return found


def can_be_named(g: Game, arrays: Arrays, plan: Plan, step: Choice, seat: int) -> int:
    """How many of the cards that are left can be named in any form."""
    found = 0
    hidden = hidden_faces(g, plan, step, seat)
    for kind in counted(len(plan.items.faces)):
        if not hidden >> plan.items.wild[kind] & 1:
            found += arrays.copies[kind]
    for number, card in enumerate(plan.wild):
        if hidden >> number + 1 & 1 and any(is_allowed(g, plan, own, seat) for own in plan.forms(card)[0]):
            found += arrays.copies[plan.items.kind_of_card[card]]
    return found


# ── what is left to name: copies of cards (how many there are of all kinds), or places as bits ──────────────────────


def how_many(step: Choice, left: int) -> int:
    """How many cards are left."""
    if step.layout:
        return popcount(left)
    return left


def all_there(g: Game, arrays: Arrays, plan: Plan, step: Choice, seat: int) -> int:
    """Everything that a player takes from."""
    if step.layout:
        return free_places(g, plan, step)
    first = shelf(g, plan, step.source, plan.owner(step.source, seat))
    for kind in counted(len(plan.items.faces)):
        arrays.copies[kind] = g.known[first + plan.views.column_of_kind[kind]]
    return g.size[plan.lot(step.source, plan.owner(step.source, seat))]


def left_for_itself(g: Game, arrays: Arrays, plan: Plan, step: Choice, seat: int) -> int:
    """The same without what it has named for itself."""
    left = all_there(g, arrays, plan, step, seat)
    for number in range(plan.most_own(step)):
        if g.taken[seat] > number:
            left = without(g, arrays, plan, step, plan.own_pick(seat, number), left)
    return left


def left_for_ability(g: Game, arrays: Arrays, plan: Plan, step: Choice, seat: int) -> int:
    """What abilities may take then: in a layout also what was uncovered."""
    if step.layout:
        gone = 0
        for number in range(plan.most_own(step)):
            if g.taken[seat] > number:
                gone |= 1 << g.card[plan.own_pick(seat, number)]
        return open_places(plan, step.source, g.lying[plan.layout(step.source)] & ~gone)
    return left_for_itself(g, arrays, plan, step, seat)


def without_further(g: Game, arrays: Arrays, plan: Plan, step: Choice, seat: int, all_left: int) -> int:
    """The same without what it has named with an ability."""
    left = all_left
    for number in range(plan.most_further(step)):
        if g.further[seat] > number:
            left = without(g, arrays, plan, step, plan.further_pick(step, seat, number), left)
    return left


def left_for_others(g: Game, arrays: Arrays, plan: Plan, step: Choice, seat: int) -> int:
    """What is left when all that was named is gone: places that were uncovered only if an ability was used."""
    if step.layout and g.further[seat] == 0:
        left = left_for_itself(g, arrays, plan, step, seat)
    else:
        left = without_further(g, arrays, plan, step, seat, left_for_ability(g, arrays, plan, step, seat))
    for index, (_, _, cards) in enumerate(step.also):
        for number in range(cards):
            if g.card[plan.pick_for(step, seat, index, number)] >= 0:
                left = without(g, arrays, plan, step, plan.pick_for(step, seat, index, number), left)
    return left


def without(g: Game, arrays: Arrays, plan: Plan, step: Choice, pick: int, left: int) -> int:
    """The card of a pick is gone."""
    if step.layout:
        return left & ~(1 << g.card[pick])
    arrays.copies[plan.items.kind_of_card[g.card[pick]]] -= 1
    return left - 1
