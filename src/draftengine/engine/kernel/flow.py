"""The flow of specialised games. Each step does its work, then calls the next step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine import choose
from draftengine.engine.chance import GOLDEN
from draftengine.engine.instructions import EndGame, EndRound
from draftengine.engine.kernel import turns
from draftengine.engine.kernel.beliefs import begin_to_watch, look
from draftengine.engine.kernel.chance import draw_from, mix
from draftengine.engine.kernel.choices import can_take, choosers, settle_for, somebody_chooses
from draftengine.engine.kernel.formulas import read
from draftengine.engine.kernel.learning import close_round, draw_policies
from draftengine.engine.kernel.moving import empty_zones
from draftengine.engine.kernel.policies import decide, decide_seat
from draftengine.engine.kernel.running import FORKS, STEPS
from draftengine.engine.kernel.scoring import end_game, total
from draftengine.engine.kernel.turns import is_for
from draftengine.engine.kernel.zones import add_chip, disturb, empty_pile, fill
from draftengine.engine.plan import PURPOSE
from draftengine.jit.primitives import likely, wrap

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.plan import Plan
    from draftengine.engine.plan.turns import Turn
    from draftengine.engine.state import MoveScratch, StateRecord

WAITS, OVER, NO_CHOICE = range(3)
"""Results of a step: the game waits for choices, is over, or ended before any player had to choose."""
TO_DEAL = -1
"""The value of `StateRecord.pc`, the index of the next step, for a game that is still to be dealt."""


def deal_game(state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan) -> int:
    """Deal a new game and play it to its first choice."""
    state.deal = mix(state.base ^ PURPOSE["deal"])
    state.chance = mix(state.base ^ PURPOSE["chance"])
    draw_from(state, mix(state.base ^ PURPOSE["bot"]))
    state.round = 0
    state.turn = 0
    state.over = 0
    if plan.program.stops:
        state.stopped = 0
    state.logged = 0
    for seat in plan.seats:
        state.words[seat] = plan.program.start_word
        state.words_before_choice[seat] = plan.program.start_word
        state.scores[seat] = 0
        state.bonus[seat] = 0
        for source in range(len(plan.sources)):
            state.points[source * len(plan.seats) + seat] = 0
    for index in plan.markers:
        state.markers[index] = -1
    empty_zones(state, plan)
    for zone in plan.counting:
        if plan.is_stored(zone):
            for seat in plan.seats:
                state.size[plan.size_index(zone, seat)] = 0
                disturb(state, plan, zone, seat)
    for zone, contents in plan.program.initial_cards:
        fill(state, plan, zone, contents)
    for pile in plan.piles:
        empty_pile(state, plan, pile)
        for value in plan.program.chip_values[pile]:
            add_chip(state, plan, pile, value)
    if plan.observed:
        begin_to_watch(state, plan)
    if plan.learning:
        draw_policies(state, options, plan)
    return advance(state, view, options, plan, 0)


def advance(
    state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, index: int, turn: Turn = None
) -> int:
    """Play from a step to the next choice, or to the end. `turn` is whose turn is known to be."""
    if plan.is_of_another_turn(index, turn):
        return take_turn(state, view, options, plan, index, turn)
    step = plan.step_in_turn(index, turn)
    if type(step) in FLOW:
        return FLOW[type(step)](state, view, options, plan, step, index, turn)
    if type(step) in FORKS:
        if FORKS[type(step)](state, plan, step):
            return advance(state, view, options, plan, step.following, plan.turn_after(index, step.following, turn))
        return advance(state, view, options, plan, step.otherwise, plan.turn_after(index, step.otherwise, turn))
    STEPS[type(step)](state, plan, step)
    return advance(state, view, options, plan, step.following, plan.turn_after(index, step.following, turn))


def take_turn(state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, index: int, turn: Turn) -> int:
    """Play from a step that belongs to turns, as the player with the highest number in their order.

    Within another turn, that can only be the player whose turn it is.
    """
    field = plan.turn_field(index)
    if turn is not None:
        if read(state.words[turn[1]], field) == 0:
            otherwise = plan.step(index).otherwise
            return advance(state, view, options, plan, otherwise, plan.turn_after(index, otherwise, turn))
        return advance(state, view, options, plan, index, (plan.turn_counter(index), turn[1]))
    highest = max(read(state.words[seat], field) for seat in plan.players)
    if plan.begins_turn(index):
        if highest == 0:
            return advance(state, view, options, plan, plan.step(index).otherwise)
    for seat in plan.players:
        if read(state.words[seat], field) == highest:
            return advance(state, view, options, plan, index, (plan.turn_counter(index), seat))
    return OVER


def resume(state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan) -> int:
    """Settle the choice for which the game waits, or deal the game, and play to the next choice."""
    if plan.endless and state.pc == TO_DEAL:
        state.base = mix(wrap(state.root + state.game * GOLDEN))
        state.no_choice_yet = 1
        return deal_game(state, view, options, plan)
    for index in plan.choices:
        if state.pc == index:
            if plan.turn_counter(index):
                return settle_in_turn(state, view, options, plan, index)
            settle_for(state, plan, plan.step(index), choosers(state, plan, plan.step(index)))
            return advance(state, view, options, plan, plan.step(index).following)
    return OVER


def settle_in_turn(state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, index: int) -> int:
    """Settle the choice of the player whose turn it is, and go on."""
    field, following = plan.turn_field(index), plan.step(index).following
    highest = max(read(state.words[seat], field) for seat in plan.players)
    for seat in plan.players:
        if read(state.words[seat], field) == highest:
            settle_for(state, plan, plan.step(index), 1 << seat)
            turn = plan.turn_counter(index), seat
            return advance(state, view, options, plan, following, plan.turn_after(index, following, turn))
    return OVER


def choice(
    state: StateRecord,
    view: StateRecord,
    options: MoveScratch,
    plan: Plan,
    step: choose.Choice,
    index: int,
    turn: Turn,
) -> int:
    """Let the players who follow policies choose. If an actor has to choose, too, wait; otherwise go on."""
    if plan.observed:
        for zone in step.sources:
            look(state, plan, zone)
    if turn is not None:
        return choose_in_turn(state, view, options, plan, step, index, turn)
    who = choosers(state, plan, step)
    if plan.stopping:
        if somebody_chooses(state, plan, step, who):
            return choose_beside_actors(state, view, options, plan, step, index, who)
    elif likely(somebody_chooses(state, plan, step, who)):
        decide(state, view, options, plan, step, who)
        settle_for(state, plan, step, who)
        return advance(state, view, options, plan, step.following)
    return advance(state, view, options, plan, step.otherwise)


def choose_beside_actors(
    state: StateRecord,
    view: StateRecord,
    options: MoveScratch,
    plan: Plan,
    step: choose.Choice,
    index: int,
    who: int,
) -> int:
    """Let those of `who` (bits) choose who follow policies.

    If an actor has to choose, too, wait; otherwise go on.
    """
    for seat in plan.others:
        if who >> seat & 1:
            decide_seat(state, view, options, plan, step, seat)
    if plan.others:
        if not any(who >> seat & 1 for seat in plan.actors):
            settle_for(state, plan, step, who)
            return advance(state, view, options, plan, step.following)
    state.pc = index
    state.no_choice_yet = 0
    return WAITS


def choose_in_turn(
    state: StateRecord,
    view: StateRecord,
    options: MoveScratch,
    plan: Plan,
    step: choose.Choice,
    index: int,
    turn: tuple[str, int],
) -> int:
    """Let the player whose turn it is choose, as `choice` does."""
    seat = turn[1]
    if is_for(state, plan, step.marker, plan.who_in_turn(index, turn), seat) and can_take(state, plan, step, seat):
        if seat in plan.actors:
            state.pc = index
            state.no_choice_yet = 0
            return WAITS
        decide_seat(state, view, options, plan, step, seat)
        settle_for(state, plan, step, 1 << seat)
        return advance(state, view, options, plan, step.following, plan.turn_after(index, step.following, turn))
    return advance(state, view, options, plan, step.otherwise, plan.turn_after(index, step.otherwise, turn))


def end_round(
    state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, step: EndRound, index: int, turn: Turn
) -> int:
    if turns.end_round(state, plan, step):
        return advance(state, view, options, plan, step.following)
    if plan.learning:
        close_round(state, options, plan, False)
    if plan.ends_with_rounds:
        if state.stops_at_round_end:
            return OVER
    return advance(state, view, options, plan, step.otherwise)


def run_end_game(
    state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, step: EndGame, index: int, turn: Turn
) -> int:
    """End the game. If games are played one after another, keep its result and deal the next game."""
    end_game(state, plan, step)
    if plan.endless:
        if state.no_choice_yet:
            return NO_CHOICE
        for seat in plan.seats:
            state.result[seat] = total(state, plan, seat)
        state.ended = 1
        state.won = state.over
        state.game += state.games
        state.pc = TO_DEAL
        return resume(state, view, options, plan)
    return OVER


FLOW: dict[type, Callable[..., int]] = {choose.Choice: choice, EndRound: end_round, EndGame: run_end_game}
"""For each type of step at which play can stop or learning happens, the function that carries it out."""
