"""Comparing moves: what each is worth that a seat may make or, where these are too many, each of a few good ones.

The few are found by a beam search, as in `draftengine.engine.shortlist`: card by card, the best beginnings go on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.compiled.listing import add, list_longer, list_moves
from draftengine.compiled.options import Options, items_of, kinds_in_hand, takes_one
from draftengine.compiled.worth import value_of_item, value_of_move
from draftengine.engine.shortlist import WIDTH
from draftengine.engine.text.chance import bot_below, mix
from draftengine.engine.text.lanes import lane
from draftengine.engine.text.standing import standing
from draftengine.engine.text.worths import start_of
from draftengine.engine.text.zones import nth_bit
from draftengine.staging.primitives import counted, popcount, row, shr, wrap

if TYPE_CHECKING:
    from draftengine.compiled.plan import Plan
    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.record import Game

LOWEST = -(1 << 60)
"""Less than any move is worth."""


def evaluate(g: Game, options: Options, plan: Plan, step: Choice, seat: int, by_table: int) -> int:
    """All legal moves of a seat in ascending order, or a few good ones, and what each is worth; how many."""
    if plan.items.at_a_glance(step):
        if takes_one(g, plan, step, seat):
            items = items_of(g, plan, step, seat, kinds_in_hand(g, plan, step, seat))
            return evaluate_alone(g, options, plan, step, seat, items, by_table, True)
    count = list_moves(g, options, plan, step, seat)
    if not plan.items.are_few(step):
        if count > options.most:
            count = shortlist(g, options, plan, step, seat, by_table)
    return evaluate_alone(g, options, plan, step, seat, count, by_table, False)


def evaluate_alone(
    g: Game, options: Options, plan: Plan, step: Choice, seat: int, which: int, by_table: int, one_card: bool
) -> int:
    """What moves are worth if nothing has risen before them: so many that are listed, or items of `one_card`, as bits.

    How many moves that are.
    """
    was = row(len(plan.seats))
    count = which
    for own in plan.compared(step):
        was[own] = g.before[own]
        g.before[own] = g.words[own]
    if one_card:
        count = evaluate_items(g, options, plan, step, seat, which, by_table)
    else:
        evaluate_listed(g, options, plan, step, seat, which, by_table)
    for own in plan.compared(step):
        g.before[own] = was[own]
    return count


def evaluate_items(g: Game, options: Options, plan: Plan, step: Choice, seat: int, items: int, by_table: int) -> int:
    """The moves of one card, option by option; how many."""
    first = start_of(g, plan, step)
    count = 0
    for item in plan.items.options:
        if items >> item & 1:
            options.value[count] = value_of_item(g, options, plan, step, seat, first, item, by_table)
            count = add(options, count, item + 1)
    return count


def evaluate_listed(g: Game, options: Options, plan: Plan, step: Choice, seat: int, count: int, by_table: int) -> None:
    """Each of the moves that are listed."""
    first = start_of(g, plan, step)
    if step.plays or plan.program.wander or step.ways:
        for index in range(len(plan.program.rules)):
            options.standing[index] = standing(g, plan, index, seat)
    for number in counted(count):
        options.value[number] = value_of_move(g, options, plan, step, seat, first, options.move[number], by_table)


# ── too many to look at each ────────────────────────────────────────────────────────────────────────────────────────


def shortlist(g: Game, options: Options, plan: Plan, step: Choice, seat: int, by_table: int) -> int:
    """A few good moves, found card by card; how many."""
    beginnings = 1
    whole = 0
    options.begun[0] = 0
    while beginnings > 0:
        count = 0
        for at in counted(beginnings):
            count = list_longer(g, options, plan, step, seat, options.begun[at], count)
            if options.whole:
                options.begun[WIDTH + whole] = options.begun[at]
                whole += 1
        evaluate_alone(g, options, plan, step, seat, count, by_table, False)
        beginnings = keep_best(options, plan, step, count)
    for at in counted(whole):
        options.move[at] = options.begun[WIDTH + at]
    return whole


def keep_best(options: Options, plan: Plan, step: Choice, count: int) -> int:
    """The best beginnings go on; of those that take the same cards in another order only the best. How many."""
    kept = 0
    left = count
    while kept < WIDTH and left > 0:
        best = 0
        for number in counted(count):
            if options.value[number] > options.value[best]:
                best = number
        cards = cards_of(plan, step, options.move[best])
        new = 1
        for at in counted(kept):
            if options.order[at] == cards:
                new = 0
        if new:
            options.begun[kept] = options.move[best]
            options.order[kept] = cards
            kept += 1
        options.value[best] = LOWEST
        left -= 1
    return kept


def cards_of(plan: Plan, step: Choice, move: int) -> int:
    """A number that is the same for moves of the same cards, in whatever order, and hardly ever for others."""
    found = 0
    for at, channel, _ in plan.items.lanes(step):
        taken = lane(plan, move, at)
        if taken > 0:
            found = wrap(found + mix(taken + (channel << plan.items.lane_bits)))
    return shr(found, 2)


# ── choosing ────────────────────────────────────────────────────────────────────────────────────────────────────────


def any_legal_move(g: Game, options: Options, plan: Plan, step: Choice, seat: int) -> int:
    """Any legal move, all alike; where they are too many to look at each, card by card any that can be next."""
    if plan.items.at_a_glance(step):
        if takes_one(g, plan, step, seat):
            items = items_of(g, plan, step, seat, kinds_in_hand(g, plan, step, seat))
            return nth_bit(items, bot_below(g, popcount(items))) + 1
    count = list_moves(g, options, plan, step, seat)
    if not plan.items.are_few(step):
        if count > options.most:
            return any_cards(g, options, plan, step, seat)
    return options.move[bot_below(g, count)]


def any_cards(g: Game, options: Options, plan: Plan, step: Choice, seat: int) -> int:
    """A legal move that is found card by card."""
    begun = 0
    ended = 0
    while not ended:
        count = list_longer(g, options, plan, step, seat, begun, 0)
        number = bot_below(g, count + options.whole)
        ended = number == count
        if number < count:
            begun = options.move[number]
    return begun


def best_move(g: Game, options: Options, plan: Plan, step: Choice, seat: int, by_table: int) -> int:
    """A move of largest value; of equal ones any."""
    return options.move[any_best(g, options, evaluate(g, options, plan, step, seat, by_table))]


def any_best(g: Game, options: Options, count: int) -> int:
    """The number of a move of largest value among the first `count`; of equal ones any."""
    best = LOWEST
    ties = 0
    for number in counted(count):
        if options.value[number] > best:
            best = options.value[number]
            ties = 0
        if options.value[number] == best:
            options.order[ties] = number
            ties += 1
    return options.order[bot_below(g, ties)]
