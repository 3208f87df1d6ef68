"""A game survives being written and read, copied, replayed, undone, and played with or without an audience."""

from __future__ import annotations

import pytest

from conftest import NIGHTLY
from draftengine.engine.chance import Stream
from draftengine.engine.game import commit, start, waiting, withdraw
from draftengine.engine.playout import random_game
from draftengine.engine.policies import any_move
from draftengine.engine.state import State, WrongRulesError, restore
from engine import gates
from engine.configurations import ENTERING, named, share

BY_DAY, BY_NIGHT = 20, 1_000
"""Games of each family by day, of each configuration by night."""
PLAYOUTS = 1_000 if NIGHTLY else 20


def finish(state, seed):
    """The end of a game that goes on at random: who has not chosen yet chooses, and the rest is played in place."""
    stream = Stream(seed)
    for seat in waiting(state):
        state = commit(state, seat, any_move(state, seat, stream)).state
    return gates.play_randomly(state.clone(), stream)


@pytest.mark.parametrize("configuration", ENTERING, ids=str)
def test_every_state_can_be_written_and_read(configuration):
    """At every step; and from some of them the game goes on to the same end."""
    for seed in range(share(configuration, BY_DAY, BY_NIGHT)):
        for number, (_, _, _, state, _) in enumerate(gates.steps(configuration.program, seed)):
            restored = gates.survives_the_journey(state)
            if number % 25 == 0:
                gates.is_seen_alike(restored, state)
                assert finish(restored, number).digest() == finish(state, number).digest()


@pytest.mark.parametrize("configuration", ENTERING, ids=str)
def test_a_log_is_the_game(configuration):
    """The same moves from the same seed lead to the same states and the same story."""
    for seed in range(share(configuration, BY_DAY, BY_NIGHT)):
        log, told = [], []
        for _, seat, move, state, events in gates.steps(configuration.program, seed):
            log.append((seat, move))
            told.append((state.digest(), gates.story_for(events, -1)))
        turned = start(configuration.program, seed)
        replayed = [(turned.state.digest(), gates.story_for(turned.events, -1))]
        for seat, move in log[1:]:
            turned = commit(turned.state, seat, move)
            replayed.append((turned.state.digest(), gates.story_for(turned.events, -1)))
        assert replayed == told


@pytest.mark.parametrize("configuration", ENTERING, ids=str)
def test_an_audience_changes_nothing(configuration):
    """A playout with events is the same game as one without."""
    for game in range(PLAYOUTS):
        story = []
        told = random_game(configuration.program, "audience", game, tell=story.append)
        quiet = random_game(configuration.program, "audience", game)
        assert told.to_json() == quiet.to_json()
        gates.cards_are_conserved(quiet)
        gates.points_are_explained(told, story)


@pytest.mark.parametrize("configuration", ENTERING, ids=str)
def test_taking_back_leaves_no_trace(configuration):
    for before, seat, _, after, _ in gates.steps(configuration.program, 1):
        if seat >= 0 and after.chosen:
            assert withdraw(after, seat).digest() == before.digest()


@pytest.fixture
def some():
    return named("sushi_go-3p")


def test_other_rules_refuse_a_state(some):
    """A state is bound to its rules and to the number of players."""
    state = start(some.program, 1).state
    for other in (own for own in ENTERING if own.players != some.players):
        with pytest.raises(WrongRulesError):
            restore(other.program, state.to_json())


@pytest.mark.parametrize("part", [name for name in State.__slots__ if name not in {"program", "pending"}])
def test_a_part_that_is_forgotten_is_found(some, monkeypatch, part):
    """Whatever part of a state copying forgets: the gate notices."""
    fresh = start(some.program, 1).state
    later = [state for _, _, _, state, _ in gates.steps(some.program, 1)]
    changing = [state for state in later if getattr(state, part) != getattr(fresh, part)] or later
    state = changing[len(changing) // 2]
    clone = State.clone

    def forgetful(self):
        twin = clone(self)
        setattr(twin, part, _something_else(getattr(twin, part)))
        return twin

    monkeypatch.setattr(State, "clone", forgetful)
    with pytest.raises((AssertionError, AttributeError, TypeError)):
        gates.survives_the_journey(state)


def _something_else(value):
    if isinstance(value, int):
        return value + 1
    if isinstance(value, Stream):
        return Stream(value.key, value.position + 1)
    if isinstance(value, dict):
        return {**value, 9: (0,)}
    if isinstance(value, tuple):
        return (*value, 0)
    return [*value, 7] if isinstance(value, list) else None
