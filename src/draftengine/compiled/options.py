"""Every move that a seat may make, in the order of `draftengine.engine.moves.legal_moves`, each one number.

How a move is packed, and what an item is, `draftengine.compiled.items` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.compiled.at_random import cannot_be_played, is_allowed
from draftengine.engine.text.choices import for_others, free_places, uses
from draftengine.engine.text.formulas import formula
from draftengine.engine.text.layouts import open_places
from draftengine.engine.text.ways import can_go, way_is_open
from draftengine.engine.text.zones import card_at, spot
from draftengine.staging.primitives import counted, popcount, trailing
from draftengine.staging.record import Record, cells
from draftengine.staging.record import number as own_number

if TYPE_CHECKING:
    from draftengine.compiled.plan import Plan
    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.record import Game


class Options(Record):
    """The moves of the seat that is deciding, and what they are worth: scratch, no part of the state."""

    move: list[int] = cells("i64", "move", "The legal moves, in ascending order.")
    value: list[int] = cells("i64", "move", "What each of them is worth.")
    order: list[int] = cells("i64", "move", "Numbers of moves, by what is asked for.")
    item: list[int] = cells("i64", "item", "What can be named of the cards of a hand, in ascending order.")
    copies: list[int] = cells("i64", "item", "How many cards of each kind are left to take, by kind.")
    standing: list[int] = cells("i64", "rule", "What each rule would give the seat as things lie.")
    worth: list[int] = cells("i32", "", "What cards are worth beyond, see `by_decision`.", borrowed=True)
    lesson: list[int] = cells("i64", "lesson", "The choices of a game that are learnt from.")
    noted: int = own_number("How many there are.")
    closed: int = own_number("How many of them were made in rounds that are over.")
    in_round: list[int] = cells(
        "i64", "", "What was gained to the end of the round, by entry of the table.", borrowed=True
    )
    in_game: list[int] = cells("i64", "", "The same to the end of the game.", borrowed=True)
    met: list[int] = cells("i64", "", "How often each entry was met.", borrowed=True)
    lead: list[int] = cells("i64", "", "By how many points the best were ahead of the second, in all.", borrowed=True)


# ── moves as numbers ────────────────────────────────────────────────────────────────────────────────────────────────


def lane(plan: Plan, move: int, at: int) -> int:
    """What stands in the lane that begins at a bit; 0 for nothing."""
    return move >> at & (1 << plan.items.lane_bits) - 1


def take_move(g: Game, plan: Plan, step: Choice, seat: int, move: int) -> None:
    """A move becomes the picks of a seat."""
    if step.ways:
        take_way(g, plan, step, seat, lane(plan, move, plan.items.own_lane()) - 1)
        return
    g.taken[seat] = plan.most_own(step)
    g.further[seat] = 0
    g.ability[seat] = -1
    if not step.offer:
        pick_item(g, plan, step, plan.own_pick(seat, 0), lane(plan, move, plan.items.own_lane()) - 1)
    if step.abilities:
        more = lane(plan, move, plan.items.further_lane(step))
        if more > 0:
            g.further[seat] = 1
            for number, own in enumerate(step.abilities):
                if more >> plan.items.bits == number:
                    g.ability[seat] = own
            pick_item(g, plan, step, plan.further_pick(step, seat, 0), (more & plan.items.mask) - 1)
    if step.also:
        g.card[plan.pick_for(step, seat, 0, 0)] = -1
        other = lane(plan, move, plan.items.other_lane(step))
        if other > 0:
            pick_item(g, plan, step, plan.pick_for(step, seat, 0, 0), other - 1)


def take_way(g: Game, plan: Plan, step: Choice, seat: int, item: int) -> None:
    """A move becomes a way, and the card that goes it if it takes one."""
    g.way[seat] = item // step.stride
    g.taken[seat] = item % step.stride < step.stride - 1
    g.further[seat] = 0
    g.ability[seat] = -1
    if g.taken[seat]:
        g.card[plan.own_pick(seat, 0)] = plan.items.card[item % step.stride]


def pick_item(g: Game, plan: Plan, step: Choice, pick: int, item: int) -> None:
    """An item becomes a pick: a place, or a card that looks like it and the form in which it is played."""
    if step.layout:
        g.card[pick] = item
    else:
        g.card[pick] = plan.items.card[item]
        g.play[pick] = plan.items.play[item]


def shown_play(g: Game, plan: Plan, step: Choice, item: int) -> int:
    """The play that an item is taken for; -1 for a card that lies face down."""
    if step.layout:
        if g.down[plan.layout(step.source)] >> item & 1:
            return -1
        return plan.program.typical[g.row[plan.first_place(step.source) + item]]
    return plan.items.shown[item]


# ── one card of a small hand ────────────────────────────────────────────────────────────────────────────────────────


def takes_one(g: Game, plan: Plan, step: Choice, seat: int) -> int:
    """Does a seat take one card and nothing else."""
    if any(uses(g, plan, step, own, seat) > 0 for own in step.abilities):
        return False
    return for_others(g, plan, step, seat) == 0


def kinds_in_hand(g: Game, plan: Plan, step: Choice, seat: int) -> int:
    """The kinds of card that a seat holds, as bits."""
    found = 0
    for number in counted(g.size[plan.lot(step.source, seat)]):
        found |= 1 << plan.items.kind_of_card[card_at(g, plan, step.source, seat, spot(plan, step.source, number))]
    return found


def items_of(g: Game, plan: Plan, step: Choice, seat: int, kinds: int) -> int:
    """What can be named of some kinds of card, as bits; all of these are items if no card is wild."""
    if plan.tables.wild:
        hidden = hidden_faces(g, plan, step, seat)
        found = 0
        for item in plan.items.options:
            if kinds >> plan.items.kind[item] & 1:
                if is_open(g, plan, step, seat, hidden, item):
                    found |= 1 << item
        return found
    return kinds


def is_open(g: Game, plan: Plan, step: Choice, seat: int, hidden: int, item: int) -> int:
    """Can an item that is known be named, if there is a card for it."""
    if item in plan.items.faces:
        return not hidden >> plan.items.wild[item] & 1
    if not step.plays:
        return False
    return is_allowed(g, plan, plan.program.options[item].allowed, seat)


def hidden_faces(g: Game, plan: Plan, step: Choice, seat: int) -> int:
    """The wild cards, from bit 1, that are not played as themselves: in a form, or not at all."""
    hidden = 0
    if plan.tables.wild and step.plays:
        stuck = cannot_be_played(g, plan, step, seat)
        for number, card in enumerate(plan.tables.wild):
            if stuck >> number & 1 or any(is_allowed(g, plan, own, seat) for own in plan.tables.forms(card)[0]):
                hidden |= 2 << number
    return hidden


# ── all moves ───────────────────────────────────────────────────────────────────────────────────────────────────────


def list_moves(g: Game, options: Options, plan: Plan, step: Choice, seat: int) -> int:
    """All legal moves of a seat, in ascending order; how many."""
    if step.ways:
        return list_ways(g, options, plan, step, seat)
    ready = 0
    for number, own in enumerate(step.abilities):
        if uses(g, plan, step, own, seat) > 0:
            ready |= 1 << number
    if step.layout:
        return list_places(g, options, plan, step, seat, ready)
    return list_cards(g, options, plan, step, seat, ready)


def add(options: Options, count: int, move: int) -> int:
    """One more move; how many there are now."""
    options.move[count] = move
    return count + 1


def with_ability(plan: Plan, step: Choice, begun: int, number: int, item: int) -> int:
    """A move that goes on with an item, taken with the `number`-th ability."""
    return begun | (number << plan.items.bits | item + 1) << plan.items.further_lane(step)


def with_other(plan: Plan, step: Choice, begun: int, item: int) -> int:
    """A move that goes on with an item for another seat."""
    return begun | (item + 1) << plan.items.other_lane(step)


def list_cards(g: Game, options: Options, plan: Plan, step: Choice, seat: int, ready: int) -> int:
    """The moves that take cards of a zone."""
    items = list_items(g, options, plan, step, seat)
    left = g.size[plan.lot(step.source, seat)]
    if step.offer:
        return list_behind(g, options, plan, step, seat, ready, items, left, 0, 0)
    count = 0
    for at in counted(items):
        item = options.item[at]
        options.copies[plan.items.kind[item]] -= 1
        count = list_behind(g, options, plan, step, seat, ready, items, left - 1, item + 1, count)
        options.copies[plan.items.kind[item]] += 1
    return count


def list_ways(g: Game, options: Options, plan: Plan, step: Choice, seat: int) -> int:
    """The moves that go a way: with each card that can, or without one."""
    items = list_items(g, options, plan, step, seat)
    count = 0
    for index, way in enumerate(step.ways):
        if way_is_open(g, plan, step, way, seat):
            if formula(g, plan, way.cards, 0) <= 0:
                count = add(options, count, (index + 1) * step.stride)
            else:
                for at in counted(items):
                    if can_go(g, plan, way, seat, plan.items.card[options.item[at]]):
                        count = add(options, count, index * step.stride + options.item[at] + 1)
    return count


def list_items(g: Game, options: Options, plan: Plan, step: Choice, seat: int) -> int:
    """What a seat can name, and how many cards of each kind it holds; how many items there are."""
    for kind in counted(len(plan.items.faces)):
        options.copies[kind] = 0
    for number in counted(g.size[plan.lot(step.source, seat)]):
        card = card_at(g, plan, step.source, seat, spot(plan, step.source, number))
        options.copies[plan.items.kind_of_card[card]] += 1
    hidden = hidden_faces(g, plan, step, seat)
    found = 0
    for item in counted(len(plan.items.faces)):
        if options.copies[item] > 0 and not hidden >> plan.items.wild[item] & 1:
            options.item[found] = item
            found += 1
    for item in plan.items.options[len(plan.items.faces) :]:
        if options.copies[plan.items.kind[item]] > 0:
            if is_open(g, plan, step, seat, hidden, item):
                options.item[found] = item
                found += 1
    return found


def list_behind(
    g: Game,
    options: Options,
    plan: Plan,
    step: Choice,
    seat: int,
    ready: int,
    items: int,
    left: int,
    begun: int,
    count: int,
) -> int:
    """The moves that begin with a card that a seat takes for itself, or none: codes of abilities come first."""
    others = for_others(g, plan, step, seat)
    if others == 0:
        count = add(options, count, begun)
    for number in range(len(step.abilities)):
        if ready >> number & 1 and left > others:
            for at in counted(items):
                item = options.item[at]
                if options.copies[plan.items.kind[item]] > 0:
                    more = with_ability(plan, step, begun, number, item)
                    if others == 0:
                        count = add(options, count, more)
                    else:
                        options.copies[plan.items.kind[item]] -= 1
                        count = list_for_other(options, plan, step, items, left - 1, more, count)
                        options.copies[plan.items.kind[item]] += 1
    if others > 0:
        count = list_for_other(options, plan, step, items, left, begun, count)
    return count


def list_for_other(options: Options, plan: Plan, step: Choice, items: int, left: int, begun: int, count: int) -> int:
    """The moves that go on with a card for another seat, if one is left."""
    if left == 0:
        return add(options, count, begun)
    for at in counted(items):
        item = options.item[at]
        if options.copies[plan.items.kind[item]] > 0:
            count = add(options, count, with_other(plan, step, begun, item))
    return count


def list_places(g: Game, options: Options, plan: Plan, step: Choice, seat: int, ready: int) -> int:
    """The moves that take cards of a layout."""
    free = free_places(g, plan, step)
    if step.offer:
        return list_places_behind(g, options, plan, step, seat, ready, free, free, 0, 0)
    count = 0
    left = free
    while left != 0:
        place = trailing(left)
        left &= left - 1
        wider = open_places(plan, step.source, g.lying[plan.layout(step.source)] ^ 1 << place)
        count = list_places_behind(g, options, plan, step, seat, ready, free ^ 1 << place, wider, place + 1, count)
    return count


def list_places_behind(
    g: Game,
    options: Options,
    plan: Plan,
    step: Choice,
    seat: int,
    ready: int,
    free: int,
    wider: int,
    begun: int,
    count: int,
) -> int:
    """The moves that begin with a place, or none; then others are `free`, and abilities take of the `wider` ones."""
    others = for_others(g, plan, step, seat)
    if others == 0:
        count = add(options, count, begun)
    for number in range(len(step.abilities)):
        if ready >> number & 1 and popcount(wider) > others:
            left = wider
            while left != 0:
                place = trailing(left)
                left &= left - 1
                more = with_ability(plan, step, begun, number, place)
                if others == 0:
                    count = add(options, count, more)
                else:
                    count = list_places_for_other(options, plan, step, wider ^ 1 << place, more, count)
    if others > 0:
        count = list_places_for_other(options, plan, step, free, begun, count)
    return count


def list_places_for_other(options: Options, plan: Plan, step: Choice, free: int, begun: int, count: int) -> int:
    """The moves that go on with a place for another seat, if one is free."""
    if free == 0:
        return add(options, count, begun)
    left = free
    while left != 0:
        count = add(options, count, with_other(plan, step, begun, trailing(left)))
        left &= left - 1
    return count
