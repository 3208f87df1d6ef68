"""Batches of games: in each step players act and get observations, game after game.

A player's input in one step is an *action*; a move is named code by code (see
`draftengine.studies.environments.encoding`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.choices import has_choice
from draftengine.engine.kernel.flow import NO_CHOICE, resume
from draftengine.engine.kernel.naming import list_actions, name, needs_no_more
from draftengine.engine.kernel.options import take_move
from draftengine.engine.kernel.showing import show, show_taken
from draftengine.jit.primitives import dynamic_range, popcount

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.kernel.arrays import Arrays
    from draftengine.engine.kernel.options import MoveScratch
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord


def step_table(
    state: StateRecord, view: StateRecord, options: MoveScratch, arrays: Arrays, plan: Plan, table: int
) -> int:
    """Carry out the actions at a table, or deal its game.

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
    """Clear the rewards of a table: no game has ended in this step yet."""
    arrays.over[table] = 0
    for seat in plan.players:
        arrays.reward[table * len(plan.players) + seat] = 0


def first_of_mask(plan: Plan, table: int, seat: int) -> int:
    """Compute the index at which the mask of a player begins."""
    return (table * len(plan.players) + seat) * (plan.views.done + 1)


# ── choices ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def ask(state: StateRecord, options: MoveScratch, arrays: Arrays, plan: Plan, step: Choice, table: int) -> None:
    """Set the pending players of a choice, and the mask of the actions that each can take."""
    pending = 0
    state.ready = 0
    for seat in plan.players:
        clear_mask(arrays, plan, table, seat)
        if plan.all_choose_equally(step) or has_choice(state, plan, step, seat):
            pending |= 1 << seat
            state.named[seat] = 0
            list_actions(state, options, arrays, plan, step, seat, first_of_mask(plan, table, seat))
        else:
            arrays.mask[first_of_mask(plan, table, seat) + plan.views.done] = 1
    state.pending = pending


def clear_mask(arrays: Arrays, plan: Plan, table: int, seat: int) -> None:
    """Set the whole mask of a player to 0."""
    for action in dynamic_range(plan.views.done + 1):
        arrays.mask[first_of_mask(plan, table, seat) + action] = 0


def act(state: StateRecord, options: MoveScratch, arrays: Arrays, plan: Plan, step: Choice, table: int) -> int:
    """Apply the action of each player whose move is not whole yet. Return 1 if some move still is not."""
    ready = state.ready
    acting = state.pending & ~ready
    for seat in plan.players:
        if acting >> seat & 1:
            action = arrays.action[table * len(plan.players) + seat]
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
    state.ready = ready
    if ready == state.pending:
        return 0
    for seat in plan.players:
        if acting >> seat & 1:
            show_taken(arrays, plan, table, seat, arrays.action[table * len(plan.players) + seat])
        if ready >> seat & 1:
            clear_mask(arrays, plan, table, seat)
            arrays.mask[first_of_mask(plan, table, seat) + plan.views.done] = 1
    return 1


# ── rewards ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def reward(state: StateRecord, arrays: Arrays, plan: Plan, table: int) -> None:
    """Set the rewards of the finished game for all players of a table."""
    arrays.over[table] = 1
    count = len(plan.players)
    winners = popcount(state.won & (1 << count) - 1)
    for seat in plan.players:
        points = plan.program.direction * state.result[seat]
        if plan.views.reward == "points":
            arrays.reward[table * count + seat] = points
        elif plan.views.reward == "margin":
            everything = sum(plan.program.direction * state.result[other] for other in plan.players)
            arrays.reward[table * count + seat] = points - (everything - points) / max(count - 1, 1)
        elif winners > 0:
            arrays.reward[table * count + seat] = (state.won >> seat & 1) / winners - 1 / count
