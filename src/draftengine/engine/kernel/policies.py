"""Policies: fixed ways to choose in games that are played by the million."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.best_moves import any_legal_move, best_move
from draftengine.engine.kernel.chance import bot_below, draw_as
from draftengine.engine.kernel.choices import has_choice
from draftengine.engine.kernel.learning import note_choice
from draftengine.engine.kernel.options import MoveScratch, take_move
from draftengine.engine.kernel.random_policy import draw_for_all, hold_equally_many, random_move
from draftengine.engine.kernel.view import look
from draftengine.engine.plan.plan import GREEDY, PLAYOUT, RANDOM
from draftengine.engine.worth_tables import EXPLORE

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord


def decide(state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, step: Choice) -> None:
    """Let all players choose that have to, without seeing each other's moves."""
    if plan.draws_places(step):
        if plan.all_choose_equally(step):
            draw_for_all(state, plan, step)
        else:
            state.placed = hold_equally_many(state, plan, step)
            if state.placed:
                draw_for_all(state, plan, step)
            else:
                decide_each(state, view, options, plan, step)
    else:
        decide_each(state, view, options, plan, step)


def decide_each(state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, step: Choice) -> None:
    """Let all players choose that have to, one after the other."""
    for seat in plan.players:
        if plan.all_choose_equally(step) or has_choice(state, plan, step, seat):
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
    """Let one player choose by its drawn policy; note the choice if it was made by the table."""
    if state.policy[seat] == GREEDY:
        take_move(state, plan, step, seat, chosen_move(state, view, options, plan, step, seat, GREEDY))
    else:
        move = chosen_move(state, view, options, plan, step, seat, plan.policies[seat])
        note_choice(state, options, plan, step, seat, move)
        take_move(state, plan, step, seat, move)


def chosen_move(
    state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, policy: int
) -> int:
    """Return the move of a player by its policy.

    It is computed in a view rotated to seat 0 wherever one function serves all players.
    """
    if plan.items.from_any_seat(step):
        look(state, view, plan, step, seat)
        move = move_by_value(view, options, plan, plan.first_like(step), 0, policy)
        draw_as(state, view)
        return move
    return move_by_value(state, options, plan, step, seat, policy)


def move_by_value(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, policy: int) -> int:
    """Return a best move by value; in playouts, one move in `EXPLORE` is any legal move."""
    if policy == PLAYOUT:
        if bot_below(state, EXPLORE) == 0:
            return any_legal_move(state, options, plan, step, seat)
    return best_move(state, options, plan, step, seat, policy != GREEDY)
