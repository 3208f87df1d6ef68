"""The best moves of a seat: those that raise its provisional score most, including the worth of cards.

The values equal those of `engine.public_state.rises` and `engine.policies.values_of`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.chance import bot_below, mix
from draftengine.engine.kernel.expected_gain import (
    SCALE,
    bit_field,
    expect_of_move,
    expect_of_play,
    expect_of_reveal,
    start_of,
    worth_of,
    worth_of_move,
)
from draftengine.engine.kernel.listing import LONGER, add, list_longer, list_moves
from draftengine.engine.kernel.options import items_of, kinds_in_hand, takes_one
from draftengine.engine.kernel.scoring import provisional_score
from draftengine.engine.kernel.zones import increment_of, select_bit
from draftengine.engine.offer import WIDTH
from draftengine.engine.state import MoveScratch
from draftengine.jit.primitives import dynamic_range, popcount, row, shr, wrap

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.plan import Plan
    from draftengine.engine.state import MoveScratch, StateRecord

# ── one card that is known ──────────────────────────────────────────────────────────────────────────────────────────


def value_of_item(
    state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, first: int, item: int, by_table: int
) -> int:
    """Compute the value of a move that takes only one item: points gained and, with `by_table`, worth."""
    gain = 0
    if step.plays or plan.program.cards_count_elsewhere:
        gain = gain_of_play(state, plan, step, seat, plan.items.representative_play[item])
    if by_table:
        worth = worth_of(state, options, plan, seat, first, plan.items.representative_play[item])
        return SCALE * plan.program.direction * gain + worth
    return gain


def gain_of_play(state: StateRecord, plan: Plan, step: Choice, seat: int, play: int) -> int:
    """Compute how much a card raises its seat's provisional score when it is laid down in the form `play`.

    In a choice that puts cards elsewhere, the card itself counts.
    """
    was = row(len(plan.seats))
    for each in plan.touched(seat):
        was[each] = state.words[each]
    gain = 0
    for index in plan.items.rules_behind(play):
        gain -= provisional_score(state, plan, index, seat)
    if plan.program.cards_count_elsewhere and not (step.plays and step.target == plan.tableau):
        state.words[seat] += plan.rises[step.source][step.target][play]
    elif plan.program.plays[play].modifiers:
        state.words[seat] += increment_of(plan, state.words[seat], play)
    else:
        state.words[seat] += plan.program.increments[play]
    if step.plays:
        if plan.program.plays[play].effects:
            gain += expect_of_play(state, plan, play, seat)
        gain += expect_of_reveal(state, plan, seat, plan.items.changes(play))
    for index in plan.items.rules_behind(play):
        gain += provisional_score(state, plan, index, seat)
    for each in plan.touched(seat):
        state.words[each] = was[each]
    return gain


# ── any move ────────────────────────────────────────────────────────────────────────────────────────────────────────


def value_of_move(
    state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, first: int, move: int, by_table: int
) -> int:
    """Compute the value of a move, even an unfinished one: points gained and, with `by_table`, worth."""
    gain = 0
    if step.plays or plan.program.cards_count_elsewhere or step.actions:
        gain = gain_of_move(state, options, plan, step, seat, move)
    if by_table:
        return SCALE * plan.program.direction * gain + worth_of_move(state, options, plan, step, seat, first, move)
    return gain


def gain_of_move(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, move: int) -> int:
    """Compute how much a move raises the provisional score of the seat.

    Only rules that read changed bits of the packed words are evaluated.
    """
    was = row(len(plan.seats))
    for each in plan.seats:
        was[each] = state.words[each]
    gain = expect_of_move(state, plan, step, seat, move)
    bits = 0
    for each in plan.seats:
        bits |= was[each] ^ state.words[each]
    for index in range(len(plan.program.rules)):
        if bits & plan.program.rules[index].reads:
            gain += provisional_score(state, plan, index, seat) - options.provisional_score[index]
    for each in plan.seats:
        state.words[each] = was[each]
    return gain


LOWEST = -(1 << 60)
"""A value below the value of any move."""


def evaluate(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, by_table: int) -> int:
    """List a seat's legal moves, or a few good ones if there are too many, and compute their values.

    With `by_table`, values include the worth of cards. Returns the number of listed moves.
    """
    if plan.items.at_a_glance(step):
        if takes_one(state, plan, step, seat):
            items = items_of(state, plan, step, seat, kinds_in_hand(state, plan, step, seat))
            return evaluate_alone(state, options, plan, step, seat, items, by_table, True)
    count = list_moves(state, options, plan, step, seat)
    if not plan.items.are_few(step):
        if count > options.most:
            count = shortlist(state, options, plan, step, seat, by_table)
    return evaluate_alone(state, options, plan, step, seat, count, by_table, False)


def list_for(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int) -> int:
    """List a seat's legal moves, or a few good ones if there are too many. Return the number listed."""
    if plan.items.at_a_glance(step):
        if takes_one(state, plan, step, seat):
            count = 0
            items = items_of(state, plan, step, seat, kinds_in_hand(state, plan, step, seat))
            for item in plan.items.options:
                if items >> item & 1:
                    count = add(options, count, item + 1)
            return count
    count = list_moves(state, options, plan, step, seat)
    if not plan.items.are_few(step):
        if count > options.most:
            count = shortlist(state, options, plan, step, seat, True)
    return count


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
    """Compute the values of moves as if no counter had changed since the last choice. Return their number.

    With `one_card`, `which` has the items to choose from, as bits; otherwise it is the number of moves already
    listed.
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
    """List the moves that take exactly one of some items (bits), with their values. Return their number."""
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


# ── a beam search, if there are too many moves to evaluate ──────────────────────────────────────────────────────────


def shortlist(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, by_table: int) -> int:
    """Build a few good moves card by card (a beam search) and list them. Return their number."""
    beginnings = 1
    whole = 0
    options.begun[0] = 0
    while beginnings > 0:
        count = 0
        for index in dynamic_range(beginnings):
            count = list_longer(state, options, plan, step, seat, options.begun[index], count, LONGER)
            if options.whole:
                options.begun[WIDTH + whole] = options.begun[index]
                whole += 1
        evaluate_alone(state, options, plan, step, seat, count, by_table, False)
        beginnings = keep_best(options, plan, step, count)
    for index in dynamic_range(whole):
        options.move[index] = options.begun[WIDTH + index]
    return whole


def keep_best(options: MoveScratch, plan: Plan, step: Choice, count: int) -> int:
    """Keep the best of the listed unfinished moves, at most `WIDTH`. Return their number.

    Of those that take the same cards in different orders, only the best is kept.
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
    """Return a hash of the cards that a move takes, which does not depend on their order."""
    digest = 0
    for position, channel, _ in plan.items.lanes_of(step):
        taken = bit_field(plan, move, position)
        if taken > 0:
            digest = wrap(digest + mix(taken + (channel << plan.items.lane_bits)))
    return shr(digest, 2)


# ── choosing ────────────────────────────────────────────────────────────────────────────────────────────────────────


def any_legal_move(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int) -> int:
    """Draw a random legal move. If there are too many moves to list, draw the move card by card."""
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
    """Draw a legal move card by card. All continuations, and ending a whole move, are equally likely."""
    begun = 0
    ended = 0
    while not ended:
        count = list_longer(state, options, plan, step, seat, begun, 0, LONGER)
        number = bot_below(state, count + options.whole)
        ended = number == count
        if number < count:
            begun = options.move[number]
    return begun


def best_move(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, by_table: int) -> int:
    """Return a move of largest value. Ties are broken at random."""
    return options.move[any_best(state, options, evaluate(state, options, plan, step, seat, by_table))]


def any_best(state: StateRecord, options: MoveScratch, count: int) -> int:
    """Return the index of a move of largest value among the first `count`. Ties are broken at random."""
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
