"""Batches of games. In each step, players act and get observations, in one game after another.

*Actors* are the players whose moves come from outside. The others follow policies, and choose before an actor is asked;
the arrays have no rows for them.

A player's input in one step is an *action*. A move is named code by code, with one action for each code (see
`draftengine.engine.encoding`). The codes named so far are the beginning of a move; `draftengine.engine.kernel.listing`
finds the codes that can follow. If the input is negative, the player takes a random legal action.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.chance import bot_below
from draftengine.engine.kernel.choices import has_choice
from draftengine.engine.kernel.expected_gain import bit_field, own_lane
from draftengine.engine.kernel.flow import NO_CHOICE, resume
from draftengine.engine.kernel.listing import ACTIONS, count_kinds, list_longer
from draftengine.engine.kernel.options import take_move
from draftengine.engine.kernel.showing import show, show_taken
from draftengine.engine.kernel.wild_cards import own_count
from draftengine.engine.kernel.zones import select_bit
from draftengine.engine.plan.base import FURTHER, OTHER, OWN
from draftengine.jit.primitives import dynamic_range, popcount, row

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.plan import Plan
    from draftengine.engine.state import Arrays, MoveScratch, StateRecord


WORD = 63
"""The number of entries of a mask that are packed as bits into one number."""


def name(state: StateRecord, plan: Plan, step: Choice, seat: int, action: int) -> None:
    """Store the card that an action names in a player's unfinished move, at its first free position."""
    code = plan.views.channel[action] if step.abilities or step.also else 0
    taken = plan.views.item[action] + 1
    if step.actions:
        if state.named[seat] > 0:
            taken = taken % step.items_per_action
    for place, ability in enumerate(step.abilities):
        if code == 1 + ability:
            taken |= place << plan.items.bits
    free = True
    for position, channel, _ in plan.items.lanes_of(step):
        if free and is_channel(step, code, channel) and bit_field(plan, state.named[seat], position) == 0:
            state.named[seat] |= taken << position
            free = False


def is_channel(step: Choice, code: int, channel: int) -> int:
    """True if a code is taken for a purpose: the seat itself, any ability, or one extra seat.

    Here all abilities count as one purpose. For the channels of codes, see `draftengine.engine.moves`.
    """
    if channel == FURTHER:
        return code > 0 and code < step.first_other
    return code == (0 if channel == OWN else step.first_other + channel - OTHER)


def needs_no_more(state: StateRecord, plan: Plan, step: Choice, seat: int) -> int:
    """True if a move is certainly complete: the seat's own cards are named, and no others can follow."""
    if step.also or step.actions:
        return 0
    bits = sum({plan.program.abilities[ability].field.field_mask for ability in step.abilities})
    return own_named(state, plan, step, seat) >= own_count(state, plan, step, seat) and not state.words[seat] & bits


def own_named(state: StateRecord, plan: Plan, step: Choice, seat: int) -> int:
    """Count the cards that a player has named for itself."""
    return sum(own_lane(plan, state.named[seat], number) > 0 for number in range(plan.max_own_picks(step)))


def list_actions(
    state: StateRecord, options: MoveScratch, arrays: Arrays, plan: Plan, step: Choice, seat: int, first: int
) -> int:
    """Set the mask, from `first` on, to 1 for each action that continues a player's move.

    Before, the mask is all zeros. The entry for *done* is set if nothing can be added, or if the move is legal as it
    is. Returns True if nothing can be added, because the move is complete.
    """
    if plan.views.at_a_glance(step):
        if own_named(state, plan, step, seat) < min(
            plan.range_of(step.cards)[0], state.size[plan.size_index(step.source, seat)]
        ):
            list_kinds(state, options, arrays, plan, step, seat, first + plan.views.first_action)
            return 0
    count = list_longer(state, options, plan, step, seat, state.named[seat], 0, ACTIONS)
    for number in dynamic_range(count):
        arrays.mask[first + options.move[number]] = 1
    if options.whole or count == 0:
        arrays.mask[first + plan.views.done] = 1
    return count == 0


def list_kinds(
    state: StateRecord, options: MoveScratch, arrays: Arrays, plan: Plan, step: Choice, seat: int, first: int
) -> None:
    """Write to the mask, from index `first` on: 1 for each kind of card that the player can still name.

    Other kinds get 0. Call this only for a player who has yet to name a card for itself.
    """
    count_kinds(state, options, plan, step, seat)
    for number in range(plan.max_own_picks(step) - 1):
        if own_lane(plan, state.named[seat], number) > 0:
            options.copies[own_lane(plan, state.named[seat], number) - 1] -= 1
    for kind in dynamic_range(len(plan.items.faces)):
        arrays.mask[first + kind] = options.copies[kind] > 0


def step_table(
    state: StateRecord, view: StateRecord, options: MoveScratch, arrays: Arrays, plan: Plan, table: int
) -> int:
    """Apply the actions of a table's players. If its game has not been dealt yet, deal it instead.

    Returns 1 if the game was over before any player had to choose, else 0.
    """
    clear_rewards(arrays, plan, table)
    waits = 0
    for index in plan.choices:
        if state.pc == index:
            waits = act(state, options, arrays, plan, plan.step(index), table)
    if waits:
        return 0
    state.ended = 0
    if resume(state, view, options, plan) == NO_CHOICE:
        return 1
    if state.ended:
        reward(state, arrays, plan, table)
    for index in plan.choices:
        if state.pc == index:
            ask(state, options, arrays, plan, plan.step(index), table)
    show(state, arrays, plan, table)
    return 0


def clear_rewards(arrays: Arrays, plan: Plan, table: int) -> None:
    """Clear the rewards of a table, because no game has ended in this step yet."""
    arrays.over[table] = 0
    for seat in plan.actors:
        arrays.reward[row_of(plan, table, seat)] = 0


def row_of(plan: Plan, table: int, seat: int) -> int:
    """Compute the index of a player's row in all arrays. Only actors have rows."""
    return table * len(plan.actors) + plan.actors.index(seat)


def first_of_mask(plan: Plan, table: int, seat: int) -> int:
    return row_of(plan, table, seat) * (plan.views.done + 1)


# ── choices ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def ask(state: StateRecord, options: MoveScratch, arrays: Arrays, plan: Plan, step: Choice, table: int) -> None:
    """Set the pending players of a choice, and the mask of the actions that each actor can take.

    All other players have already chosen.
    """
    pending = 0
    ready = 0
    for seat in plan.others:
        if plan.all_choose_equally(step) or has_choice(state, plan, step, seat):
            ready |= 1 << seat
    for seat in plan.actors:
        clear_mask(arrays, plan, table, seat)
        if plan.all_choose_equally(step) or has_choice(state, plan, step, seat):
            pending |= 1 << seat
            state.named[seat] = 0
            list_actions(state, options, arrays, plan, step, seat, first_of_mask(plan, table, seat))
        else:
            arrays.mask[first_of_mask(plan, table, seat) + plan.views.done] = 1
    state.pending = pending | ready
    state.ready = ready


def clear_mask(arrays: Arrays, plan: Plan, table: int, seat: int) -> None:
    for action in dynamic_range(plan.views.done + 1):
        arrays.mask[first_of_mask(plan, table, seat) + action] = 0


def act(state: StateRecord, options: MoveScratch, arrays: Arrays, plan: Plan, step: Choice, table: int) -> int:
    """Apply the action of each player whose move is incomplete. Return 1 if any move is still incomplete."""
    ready = state.ready
    acting = state.pending & ~ready
    for seat in plan.actors:
        if acting >> seat & 1:
            action = arrays.action[row_of(plan, table, seat)]
            if action < 0:
                action = draw_action(state, arrays, plan, first_of_mask(plan, table, seat))
                arrays.action[row_of(plan, table, seat)] = action
            whole: int = action == plan.views.done
            if not whole:
                name(state, plan, step, seat, action)
                whole = needs_no_more(state, plan, step, seat)
                if not whole:
                    clear_mask(arrays, plan, table, seat)
                    whole = list_actions(state, options, arrays, plan, step, seat, first_of_mask(plan, table, seat))
            if whole:
                ready |= 1 << seat
                take_move(state, plan, step, seat, state.named[seat])
        else:
            arrays.action[row_of(plan, table, seat)] = plan.views.done
    state.ready = ready
    if ready == state.pending:
        return 0
    for seat in plan.actors:
        if acting >> seat & 1:
            show_taken(arrays, plan, row_of(plan, table, seat), arrays.action[row_of(plan, table, seat)])
        if ready >> seat & 1:
            clear_mask(arrays, plan, table, seat)
            arrays.mask[first_of_mask(plan, table, seat) + plan.views.done] = 1
    return 1


def draw_action(state: StateRecord, arrays: Arrays, plan: Plan, first: int) -> int:
    """Draw one of the legal actions, whose mask begins at `first`. Each has the same chance."""
    words = row(plan.views.done // WORD + 1)
    count = 0
    for number in range(plan.views.done // WORD + 1):
        for bit in dynamic_range(min(WORD, plan.views.done + 1 - number * WORD)):
            words[number] |= arrays.mask[first + number * WORD + bit] << bit
        count += popcount(words[number])
    left = bot_below(state, count)
    action = -1
    for number in range(plan.views.done // WORD + 1):
        if action < 0:
            if left < popcount(words[number]):
                action = number * WORD + select_bit(words[number], left)
            left -= popcount(words[number])
    return action


# ── rewards ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def reward(state: StateRecord, arrays: Arrays, plan: Plan, table: int) -> None:
    """Set the rewards of the finished game for all actors of a table."""
    arrays.over[table] = 1
    count = len(plan.players)
    winners = popcount(state.won & (1 << count) - 1)
    for seat in plan.actors:
        points = plan.program.direction * state.result[seat]
        if plan.views.reward == "points":
            arrays.reward[row_of(plan, table, seat)] = points
        elif plan.views.reward == "margin":
            everything = sum(plan.program.direction * state.result[other] for other in plan.players)
            arrays.reward[row_of(plan, table, seat)] = points - (everything - points) / max(count - 1, 1)
        elif winners > 0:
            arrays.reward[row_of(plan, table, seat)] = (state.won >> seat & 1) / winners - 1 / count
