"""The flow: a step does its work, and then what follows it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine import choose, control
from draftengine.engine.chance import GOLDEN
from draftengine.engine.kernel import turns
from draftengine.engine.kernel.beliefs import begin_to_watch, look
from draftengine.engine.kernel.chance import draw_from, mix
from draftengine.engine.kernel.chips import add_chip, empty_pile
from draftengine.engine.kernel.choices import settle, somebody_chooses
from draftengine.engine.kernel.clearing import empty_zones, refill
from draftengine.engine.kernel.learning import close_round, draw_policies
from draftengine.engine.kernel.policies import decide
from draftengine.engine.kernel.scoring import end_game, total
from draftengine.engine.kernel.steps import FORKS, STEPS
from draftengine.engine.plan.plan import PURPOSE
from draftengine.jit.primitives import likely, wrap

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.kernel.options import MoveScratch
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord

WAITS, OVER, NO_CHOICE = range(3)
"""How a game goes on: it waits for choices, it is over, or it was over before anybody had to choose."""
TO_DEAL = -1
"""The step of a game that is still to be dealt."""


def deal_game(g: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan) -> int:
    """A new game, up to its first choice."""
    g.deal = mix(g.base ^ PURPOSE["deal"])
    g.chance = mix(g.base ^ PURPOSE["chance"])
    draw_from(g, mix(g.base ^ PURPOSE["bot"]))
    g.round = 0
    g.turn = 0
    g.over = 0
    g.logged = 0
    for seat in plan.seats:
        g.words[seat] = plan.program.start_word
        g.words_before_choice[seat] = plan.program.start_word
        g.scores[seat] = 0
        g.bonus[seat] = 0
        for source in range(len(plan.sources)):
            g.points[source * len(plan.seats) + seat] = 0
    for index in plan.markers:
        g.markers[index] = -1
    empty_zones(g, plan)
    for zone in plan.counting:
        if plan.is_stored(zone):
            for seat in plan.seats:
                g.size[plan.size_index(zone, seat)] = 0
    for zone, contents in plan.program.initial_cards:
        refill(g, plan, zone, contents)
    for pile in plan.piles:
        empty_pile(g, plan, pile)
        for value in plan.program.chip_values[pile]:
            add_chip(g, plan, pile, value)
    if plan.observed:
        begin_to_watch(g, plan)
    if plan.learning:
        draw_policies(g, options, plan)
    return advance(g, view, options, plan, 0)


def advance(g: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, at: int) -> int:
    """From a step to the next choice, or to the end."""
    if type(plan.step(at)) in FLOW:
        return FLOW[type(plan.step(at))](g, view, options, plan, plan.step(at), at)
    if type(plan.step(at)) in FORKS:
        if FORKS[type(plan.step(at))](g, plan, plan.step(at)):
            return advance(g, view, options, plan, plan.step(at).following)
        return advance(g, view, options, plan, plan.step(at).otherwise)
    STEPS[type(plan.step(at))](g, plan, plan.step(at))
    return advance(g, view, options, plan, plan.step(at).following)


def resume(g: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan) -> int:
    """Settle the choice at which the game waits, or deal it, and play to the next."""
    if plan.endless and g.pc == TO_DEAL:
        g.base = mix(wrap(g.root + g.game * GOLDEN))
        g.no_choice_yet = 1
        return deal_game(g, view, options, plan)
    for at in plan.choices:
        if g.pc == at:
            settle(g, plan, plan.step(at))
            return advance(g, view, options, plan, plan.step(at).following)
    return OVER


def choice(g: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, step: choose.Choice, at: int) -> int:
    """A choice: the game waits here or, where policies play straight on, all choose, and what follows is called."""
    if plan.observed:
        look(g, plan, step.source)
    if plan.stopping:
        if somebody_chooses(g, plan, step):
            g.pc = at
            g.no_choice_yet = 0
            return WAITS
    elif likely(somebody_chooses(g, plan, step)):
        decide(g, view, options, plan, step)
        settle(g, plan, step)
        return advance(g, view, options, plan, step.following)
    return advance(g, view, options, plan, step.otherwise)


def end_round(g: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, step: control.EndRound, at: int) -> int:
    if turns.end_round(g, plan, step):
        return advance(g, view, options, plan, step.following)
    if plan.learning:
        close_round(g, options, plan, False)
    if plan.ends_with_rounds:
        if g.stops_at_round_end:
            return OVER
    return advance(g, view, options, plan, step.otherwise)


def run_end_game(g: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, step: control.EndGame, at: int) -> int:
    """The game is over; where games are played one after the other, its result is kept and the next one is dealt."""
    end_game(g, plan, step)
    if plan.endless:
        if g.no_choice_yet:
            return NO_CHOICE
        for seat in plan.seats:
            g.result[seat] = total(g, plan, seat)
        g.ended = 1
        g.won = g.over
        g.game += g.games
        g.pc = TO_DEAL
        return resume(g, view, options, plan)
    return OVER


FLOW: dict[type, Callable[..., int]] = {
    choose.Choice: choice,
    control.EndRound: end_round,
    control.EndGame: run_end_game,
}
"""Steps at which a game stops, or which somebody learns from."""
