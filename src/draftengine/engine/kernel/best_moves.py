"""Comparison of moves: the value of each move of a seat or, if there are too many, of a few good ones.

The few are found by a beam search as in `draftengine.engine.plan.shortlist`: card by card, the best beginnings are
continued.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.chance import bot_below, mix
from draftengine.engine.kernel.lanes import bit_field
from draftengine.engine.kernel.listing import add, list_longer, list_moves
from draftengine.engine.kernel.options import MoveScratch, items_of, kinds_in_hand, takes_one
from draftengine.engine.kernel.provisional_scores import provisional_score
from draftengine.engine.kernel.worth import value_of_item, value_of_move
from draftengine.engine.kernel.worth_tables import start_of
from draftengine.engine.kernel.zones import select_bit
from draftengine.engine.plan.shortlist import WIDTH
from draftengine.jit.primitives import dynamic_range, popcount, row, shr, wrap

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord

LOWEST = -(1 << 60)
"""A value below that of any move."""


def evaluate(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, by_table: int) -> int:
    """List a seat's legal moves, or a few good ones of too many, with their values. Return their number."""
    if plan.items.at_a_glance(step):
        if takes_one(state, plan, step, seat):
            items = items_of(state, plan, step, seat, kinds_in_hand(state, plan, step, seat))
            return evaluate_alone(state, options, plan, step, seat, items, by_table, True)
    count = list_moves(state, options, plan, step, seat)
    if not plan.items.are_few(step):
        if count > options.most:
            count = shortlist(state, options, plan, step, seat, by_table)
    return evaluate_alone(state, options, plan, step, seat, count, by_table, False)


def evaluate_alone(
    state: StateRecord,
    options: MoveScratch,
    plan: Plan,
    step: Choice,
    seat: int,
    which: int,
    by_table: int,
    one_card: bool,
) -> int:
    """Compute the values of moves as if no counter had risen before. Return the number of moves.

    `which` is the number of listed moves or, with `one_card`, the items that can be named, as bits.
    """
    was = row(len(plan.seats))
    count = which
    for each in plan.compared(step):
        was[each] = state.words_before_choice[each]
        state.words_before_choice[each] = state.words[each]
    if one_card:
        count = evaluate_items(state, options, plan, step, seat, which, by_table)
    else:
        evaluate_listed(state, options, plan, step, seat, which, by_table)
    for each in plan.compared(step):
        state.words_before_choice[each] = was[each]
    return count


def evaluate_items(
    state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, items: int, by_table: int
) -> int:
    """List the moves that take just one of some items (bits), with their values. Return their number."""
    first = start_of(state, plan, step)
    count = 0
    for item in plan.items.options:
        if items >> item & 1:
            options.value[count] = value_of_item(state, options, plan, step, seat, first, item, by_table)
            count = add(options, count, item + 1)
    return count


def evaluate_listed(
    state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, count: int, by_table: int
) -> None:
    """Compute the values of the first `count` listed moves."""
    first = start_of(state, plan, step)
    if step.plays or plan.program.cards_count_elsewhere or step.actions:
        for index in range(len(plan.program.rules)):
            options.provisional_score[index] = provisional_score(state, plan, index, seat)
    for number in dynamic_range(count):
        options.value[number] = value_of_move(state, options, plan, step, seat, first, options.move[number], by_table)


# ── too many to look at each ────────────────────────────────────────────────────────────────────────────────────────


def shortlist(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, by_table: int) -> int:
    """List a few good moves, found card by card. Return their number."""
    beginnings = 1
    whole = 0
    options.begun[0] = 0
    while beginnings > 0:
        count = 0
        for index in dynamic_range(beginnings):
            count = list_longer(state, options, plan, step, seat, options.begun[index], count)
            if options.whole:
                options.begun[WIDTH + whole] = options.begun[index]
                whole += 1
        evaluate_alone(state, options, plan, step, seat, count, by_table, False)
        beginnings = keep_best(options, plan, step, count)
    for index in dynamic_range(whole):
        options.move[index] = options.begun[WIDTH + index]
    return whole


def keep_best(options: MoveScratch, plan: Plan, step: Choice, count: int) -> int:
    """Keep the best listed beginnings, at most `WIDTH`. Return their number.

    Of beginnings that take equal cards in another order, only the best is kept.
    """
    kept = 0
    left = count
    while kept < WIDTH and left > 0:
        best = 0
        for number in dynamic_range(count):
            if options.value[number] > options.value[best]:
                best = number
        cards = cards_of(plan, step, options.move[best])
        new = 1
        for index in dynamic_range(kept):
            if options.order[index] == cards:
                new = 0
        if new:
            options.begun[kept] = options.move[best]
            options.order[kept] = cards
            kept += 1
        options.value[best] = LOWEST
        left -= 1
    return kept


def cards_of(plan: Plan, step: Choice, move: int) -> int:
    """Hash the cards that a move takes, regardless of their order."""
    digest = 0
    for position, channel, _ in plan.items.packed_zones(step):
        taken = bit_field(plan, move, position)
        if taken > 0:
            digest = wrap(digest + mix(taken + (channel << plan.items.lane_bits)))
    return shr(digest, 2)


# ── choosing ────────────────────────────────────────────────────────────────────────────────────────────────────────


def any_legal_move(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int) -> int:
    """Draw a uniformly random legal move or, if there are too many to list, draw card by card."""
    if plan.items.at_a_glance(step):
        if takes_one(state, plan, step, seat):
            items = items_of(state, plan, step, seat, kinds_in_hand(state, plan, step, seat))
            return select_bit(items, bot_below(state, popcount(items))) + 1
    count = list_moves(state, options, plan, step, seat)
    if not plan.items.are_few(step):
        if count > options.most:
            return any_cards(state, options, plan, step, seat)
    return options.move[bot_below(state, count)]


def any_cards(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int) -> int:
    """Draw a legal move card by card, each continuation equally likely, as is ending a whole move."""
    begun = 0
    ended = 0
    while not ended:
        count = list_longer(state, options, plan, step, seat, begun, 0)
        number = bot_below(state, count + options.whole)
        ended = number == count
        if number < count:
            begun = options.move[number]
    return begun


def best_move(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, by_table: int) -> int:
    """Return a move of largest value; ties are broken at random."""
    return options.move[any_best(state, options, evaluate(state, options, plan, step, seat, by_table))]


def any_best(state: StateRecord, options: MoveScratch, count: int) -> int:
    """Return the index of a move of largest value among the first `count`; ties are broken at random."""
    best = LOWEST
    ties = 0
    for number in dynamic_range(count):
        if options.value[number] > best:
            best = options.value[number]
            ties = 0
        if options.value[number] == best:
            options.order[ties] = number
            ties += 1
    return options.order[bot_below(state, ties)]
