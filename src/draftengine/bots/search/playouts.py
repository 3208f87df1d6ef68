"""Playouts: worlds that are played to the end of the round or the game.

Trees and policies choose the moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.bots.search.plan import MODEL
from draftengine.bots.search.prior import look_up
from draftengine.bots.search.trees import NOWHERE, count_on_path, has_room, select, select_by_prior
from draftengine.bots.search.worlds import lay_world
from draftengine.engine.chance import GOLDEN
from draftengine.engine.kernel.best_moves import any_legal_move, best_move, evaluate, list_for
from draftengine.engine.kernel.chance import bot_below, draw_as, draw_from, mix
from draftengine.engine.kernel.choices import has_choice
from draftengine.engine.kernel.flow import OVER, WAITS, resume
from draftengine.engine.kernel.options import take_move
from draftengine.engine.kernel.policies import look, random_move
from draftengine.engine.kernel.scoring import forecast
from draftengine.engine.plan import GREEDY, PLAYOUT, RANDOM
from draftengine.engine.plan.base import EXPLORE
from draftengine.jit.primitives import row, unknown, wrap

if TYPE_CHECKING:
    from draftengine.bots.search.plan import Search, SearchPlan
    from draftengine.engine.choose import Choice
    from draftengine.engine.state import MoveScratch, StateRecord

TREE = -1
"""The policy of a seat that follows its tree as far as the tree goes, and then plays as in `PLAYOUT`."""


def run(
    state: StateRecord,
    view: StateRecord,
    known: StateRecord,
    search: Search,
    options: MoveScratch,
    plan: SearchPlan,
    key: int,
    first: int,
    last: int,
) -> int:
    """Carry out the playouts `first` to `last - 1`, each with its own random stream.

    Return the number of the first playout for which the trees had no room, or `last` if they had room for all.
    """
    number = first
    while number < last and has_room(search, plan, number):
        draw_from(state, mix(wrap(key + number * GOLDEN)))
        playout(state, view, known, search, options, plan, number)
        number += 1
    return number


def playout(
    state: StateRecord,
    view: StateRecord,
    known: StateRecord,
    search: Search,
    options: MoveScratch,
    plan: SearchPlan,
    number: int,
) -> None:
    """Carry out one playout: deal a world, play it to its end, and count the result in the trees."""
    state.stops_at_round_end = number < search.near
    lay_world(state, known, search, plan)
    for seat in plan.players:
        begin(state, search, seat, number)
    ended = WAITS
    while ended == WAITS:
        ended = choose_and_go_on(state, view, search, options, plan)
    credit(state, search, plan)


# ── policies ────────────────────────────────────────────────────────────────────────────────────────────────────────


def begin(state: StateRecord, search: Search, seat: int, number: int) -> None:
    """Draw the policy of a seat for a playout. A seat that follows its tree starts at the root."""
    state.policy[seat] = policy_of(state, search, seat, number)
    search.length[seat] = 0
    search.node[seat] = seat if state.policy[seat] == TREE else NOWHERE


def policy_of(state: StateRecord, search: Search, seat: int, number: int) -> int:
    """Return the policy of a seat. If the seat plays by a model, the policy is drawn at random."""
    if seat == search.searcher:
        return TREE
    if not search.by_models:
        return PLAYOUT if search.alone else TREE
    draw = bot_below(state, search.model[seat * MODEL + 4])
    if draw < search.model[seat * MODEL + (number >= search.few)]:
        return TREE
    if draw < search.model[seat * MODEL + 2]:
        return PLAYOUT
    return GREEDY if draw < search.model[seat * MODEL + 3] else RANDOM


# ── decisions ───────────────────────────────────────────────────────────────────────────────────────────────────────


def choose_and_go_on(
    state: StateRecord, view: StateRecord, search: Search, options: MoveScratch, plan: SearchPlan
) -> int:
    """Let the players choose, and continue to the next choice or the end. Return `WAITS` or the outcome."""
    for index in plan.choices:
        if state.pc == index:
            choose(state, view, search, options, plan, plan.step(index))
            return resume(state, view, options, plan)
    return OVER


def choose(
    state: StateRecord, view: StateRecord, search: Search, options: MoveScratch, plan: SearchPlan, step: Choice
) -> None:
    """Choose moves for all players who must choose, one after another. The moves are settled later."""
    for seat in plan.players:
        if plan.all_choose_equally(step) or has_choice(state, plan, step, seat):
            choose_for(state, view, search, options, plan, step, seat)


def choose_for(
    state: StateRecord,
    view: StateRecord,
    search: Search,
    options: MoveScratch,
    plan: SearchPlan,
    step: Choice,
    seat: int,
) -> None:
    """Set the move of one player by its tree or its policy."""
    if state.policy[seat] == RANDOM:
        random_move(state, plan, step, seat)
    else:
        take_move(state, plan, step, seat, chosen_move(state, view, search, options, plan, step, seat))


def chosen_move(
    state: StateRecord,
    view: StateRecord,
    search: Search,
    options: MoveScratch,
    plan: SearchPlan,
    step: Choice,
    seat: int,
) -> int:
    """Return the move of a player who compares moves.

    If the kernel has one function for all players, that function reads a view of the table rotated to the player.
    """
    if plan.by_network and search.node[seat] != NOWHERE:
        look_up(state, search, plan, seat, search.node[seat])
    if plan.items.from_any_seat(step):
        look(state, view, plan, step, seat)
        move = compared_move(
            view, search, options, plan, plan.first_like(step), 0, unknown(seat), state.policy[seat] == GREEDY
        )
        draw_as(state, view)
        return move
    return compared_move(state, search, options, plan, step, seat, unknown(seat), state.policy[seat] == GREEDY)


def compared_move(
    state: StateRecord,
    search: Search,
    options: MoveScratch,
    plan: SearchPlan,
    step: Choice,
    seat: int,
    player: int,
    greedy: int,
) -> int:
    """Return the move that a player's tree selects or, beyond the tree, the worth table or greedy policy."""
    if search.node[player] != NOWHERE:
        if plan.by_network:
            count = list_for(state, options, plan, step, seat)
            return options.move[select_by_prior(search, options, plan, step, player, count)]
        count = evaluate(state, options, plan, step, seat, unknown(1) == 1)
        return options.move[select(search, options, plan, step, player, count)]
    if greedy or bot_below(state, EXPLORE) > 0:
        return best_move(state, options, plan, step, seat, not greedy)
    return any_legal_move(state, options, plan, step, seat)


# ── the end ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def credit(state: StateRecord, search: Search, plan: SearchPlan) -> None:
    """Record the result of a playout in each seat's tree: the seat's margin over the best other seat."""
    values = row(len(plan.players))
    for seat in plan.players:
        values[seat] = plan.program.direction * forecast(state, plan, seat, state.over)
    for seat in plan.players:
        margin = values[seat]
        if len(plan.players) > 1:
            margin -= max(values[other] for other in plan.players if other != seat)
        count_on_path(search, plan, unknown(seat), margin, state.stops_at_round_end)
