"""Both forms of a game, on the state of single games and on the record, are equal at every choice."""

from __future__ import annotations

import pytest

from conftest import NIGHTLY, sample
from draftengine.engine import instructions
from draftengine.engine.chance import GOLDEN, Stream, key_of, root_of
from draftengine.engine.game import total
from draftengine.engine.kernel import moving, running, scoring, turns, zones
from draftengine.engine.kernel.chance import mix
from draftengine.engine.kernel.choices import choosers
from draftengine.engine.kernel.flow import OVER, deal_game, resume
from draftengine.engine.kernel.moving import rotate
from draftengine.engine.kernel.policies import decide
from draftengine.engine.kernel.running import advance, settle
from draftengine.engine.moves import choice_of
from draftengine.engine.plan import Plan
from draftengine.engine.policies import random_moves
from draftengine.engine.state import MoveScratch, StateRecord, initial_state
from draftengine.jit.interpreter_settings import deep_recursion
from draftengine.jit.primitives import wrap
from draftengine.jit.records import layout
from engine.configurations import ENTERING, named
from engine.records import compare

GAMES = 2 if NIGHTLY else 1


class StoppingPlan(Plan):
    """Plan of a game that stops at choices. It draws places as if it did not, and shuffles whole piles."""

    def draws_places(self, step):
        return step.asked and step.ordinary and step.keeps_even

    def irrelevant_cards(self, zone):
        return 0


def play_both(program, seed, number):
    """Play a random game in both forms, and compare them at every choice and at the end."""
    plan = StoppingPlan(program, ["random"] * program.players, actors=range(program.players), in_words=False)
    game, view = (layout(StateRecord, plan.sizes).fresh() for _ in range(2))
    options = layout(MoveScratch, plan.sizes).fresh()
    root = root_of(seed)
    game.game, game.base = number, mix(wrap(root + number * GOLDEN))
    state, stream = initial_state(program, root, number, memory=False), Stream(key_of(root, number, "bot"))
    with deep_recursion():
        came = deal_game(game, view, options, plan)
        advance(state, None)
        while state.pending:
            assert came != OVER
            compare(game, plan, state)
            decide(game, view, options, plan, plan.step(game.pc), choosers(game, plan, plan.step(game.pc)))
            came = resume(game, view, options, plan)
            choice = choice_of(state)
            state.chosen = random_moves(state, choice, stream)
            settle(state, choice, None)
            advance(state, None)
    assert came == OVER
    assert game.over == state.over
    assert [scoring.total(game, plan, seat) for seat in plan.seats] == [total(state, seat) for seat in plan.seats]
    assert game.stopped == state.stopped
    game.pc = state.pc
    compare(game, plan, state)


@pytest.mark.parametrize("configuration", sample(ENTERING, 14), ids=str)
def test_both_forms_are_equal_at_every_choice(configuration):
    for number in range(GAMES):
        play_both(configuration.program, str(configuration), number)


def pass_the_wrong_way(state, plan, zone, by):
    rotate(state, plan, zone, -by if plan.plain else by)


def forget_the_last_turn(state, plan, step):
    goes_on = turns.next_turn(state, plan, step)
    state.turn -= plan.plain and not goes_on
    return goes_on


YOGURT = "anniversary-4p-frozen_yogurt"
PLANTED = {
    "hands go the wrong way": (YOGURT, moving, "rotate", pass_the_wrong_way),
    "a turn is miscounted": (YOGURT, running.FORKS, instructions.NextTurn, forget_the_last_turn),
    "somebody else wins": (YOGURT, scoring, "winners", lambda _state, plan, _step: 1 if plan.plain else 2),
    "a row that was taken still counts": ("six_nimmt-3p", zones, "disturb", lambda *_: None),
    "a card that came does not count": ("ohanami-3p", zones.COMBINE, "highest", lambda before, _: before),
}


@pytest.mark.parametrize(("configuration", "place", "name", "wrong"), PLANTED.values(), ids=PLANTED)
def test_a_difference_is_found(monkeypatch, configuration, place, name, wrong):
    program = named(configuration).program
    (monkeypatch.setitem if isinstance(place, dict) else monkeypatch.setattr)(place, name, wrong)
    with pytest.raises(AssertionError):
        play_both(program, 1, 0)
