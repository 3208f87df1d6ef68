"""Games side by side: players act, and see what they may know, game after game.

What everybody does in a step are *actions*: a move is named code by code (see
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


def step_table(g: StateRecord, view: StateRecord, options: MoveScratch, arrays: Arrays, plan: Plan, table: int) -> int:
    """Carry out the actions at a table, or deal its game. Returns 1 if that was over before anybody had to choose."""
    clear_rewards(arrays, plan, table)
    waits = 0
    for at in plan.choices:
        if g.pc == at:
            waits = act(g, options, arrays, plan, plan.step(at), table)
    if waits:
        return 0
    g.ended = 0
    if resume(g, view, options, plan) == NO_CHOICE:
        return 1
    if g.ended:
        reward(g, arrays, plan, table)
    for at in plan.choices:
        if g.pc == at:
            ask(g, options, arrays, plan, plan.step(at), table)
    show(g, arrays, plan, table)
    return 0


def clear_rewards(arrays: Arrays, plan: Plan, table: int) -> None:
    """Note that no game has ended in this step, and nobody gets a reward."""
    arrays.over[table] = 0
    for seat in plan.players:
        arrays.reward[table * len(plan.players) + seat] = 0


def first_of_mask(plan: Plan, table: int, seat: int) -> int:
    """Where the mask of a player begins."""
    return (table * len(plan.players) + seat) * (plan.views.done + 1)


# ── choices ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def ask(g: StateRecord, options: MoveScratch, arrays: Arrays, plan: Plan, step: Choice, table: int) -> None:
    """Note who has to choose, and which actions each player can take."""
    pending = 0
    g.ready = 0
    for seat in plan.players:
        clear_mask(arrays, plan, table, seat)
        if plan.all_choose_equally(step) or has_choice(g, plan, step, seat):
            pending |= 1 << seat
            g.named[seat] = 0
            list_actions(g, options, arrays, plan, step, seat, first_of_mask(plan, table, seat))
        else:
            arrays.mask[first_of_mask(plan, table, seat) + plan.views.done] = 1
    g.pending = pending


def clear_mask(arrays: Arrays, plan: Plan, table: int, seat: int) -> None:
    """Set the whole mask of a player to 0."""
    for action in dynamic_range(plan.views.done + 1):
        arrays.mask[first_of_mask(plan, table, seat) + action] = 0


def act(g: StateRecord, options: MoveScratch, arrays: Arrays, plan: Plan, step: Choice, table: int) -> int:
    """Carry out the action of everybody whose move is not whole yet. Returns whether any move still is not."""
    ready = g.ready
    acting = g.pending & ~ready
    for seat in plan.players:
        if acting >> seat & 1:
            action = arrays.action[table * len(plan.players) + seat]
            whole: int = action == plan.views.done
            if not whole:
                name(g, plan, step, seat, action)
                whole = needs_no_more(g, plan, step, seat)
                if not whole:
                    clear_mask(arrays, plan, table, seat)
                    whole = list_actions(g, options, arrays, plan, step, seat, first_of_mask(plan, table, seat))
            if whole:
                ready |= 1 << seat
                take_move(g, plan, step, seat, g.named[seat])
    g.ready = ready
    if ready == g.pending:
        return 0
    for seat in plan.players:
        if acting >> seat & 1:
            show_taken(arrays, plan, table, seat, arrays.action[table * len(plan.players) + seat])
        if ready >> seat & 1:
            clear_mask(arrays, plan, table, seat)
            arrays.mask[first_of_mask(plan, table, seat) + plan.views.done] = 1
    return 1


# ── rewards ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def reward(g: StateRecord, arrays: Arrays, plan: Plan, table: int) -> None:
    """What the finished game is worth to each player."""
    arrays.over[table] = 1
    count = len(plan.players)
    winners = popcount(g.won & (1 << count) - 1)
    for seat in plan.players:
        own = plan.program.direction * g.result[seat]
        if plan.views.reward == "points":
            arrays.reward[table * count + seat] = own
        elif plan.views.reward == "margin":
            everything = sum(plan.program.direction * g.result[other] for other in plan.players)
            arrays.reward[table * count + seat] = own - (everything - own) / max(count - 1, 1)
        elif winners > 0:
            arrays.reward[table * count + seat] = (g.won >> seat & 1) / winners - 1 / count
