"""A game survives being written and read, copied, replayed, undone, and played with or without events."""

from __future__ import annotations

import pytest

from conftest import NIGHTLY
from draftengine.engine.chance import Stream
from draftengine.engine.game import commit, start, withdraw
from draftengine.engine.policies import random_game
from draftengine.engine.state import GameState
from engine import gates
from engine.configurations import EVEN, ODD, named

GAMES = 1_000 if NIGHTLY else 2
"""Games of one configuration of each family by day, of each configuration by night."""
JOURNEYS = 1 if NIGHTLY else 3
"""Number of steps between states that are written and read; at other steps they are copied."""
PLAYOUTS = 1_000 if NIGHTLY else 3
"""Playouts of one configuration of each family by day, of each configuration by night."""


@pytest.mark.parametrize("configuration", EVEN, ids=str)
def test_every_state_can_be_written_and_read(configuration):
    """Check that a game continues alike from a state that was written and read: equal states and events."""
    for seed in range(GAMES):
        turned = start(configuration.program, seed)
        for number, (before, seat, move, state, events) in enumerate(gates.steps(configuration.program, seed)):
            if number:
                again = before.clone() if (number + seed) % JOURNEYS else gates.survives_the_journey(before)
                turned = commit(again, seat, move)
            assert gates.parts_of(turned.state) == gates.parts_of(state), "another state"
            assert turned.events == events, "another story"
            if number % 25 == 0:
                gates.is_seen_alike(turned.state, state)
        gates.survives_the_journey(state)


@pytest.mark.parametrize("configuration", ODD, ids=str)
def test_an_audience_changes_nothing(configuration):
    """Check that a playout with events equals one without."""
    for game in range(PLAYOUTS):
        story = []
        told = random_game(configuration.program, "audience", game, tell=story.append)
        quiet = random_game(configuration.program, "audience", game)
        assert told.to_json() == quiet.to_json()
        gates.cards_are_conserved(quiet)
        gates.points_are_explained(told, story)


@pytest.mark.parametrize("configuration", EVEN, ids=str)
def test_taking_back_leaves_no_trace(configuration):
    for before, seat, _, after, _ in gates.steps(configuration.program, 1):
        if seat >= 0 and after.chosen:
            assert withdraw(after, seat).digest() == before.digest()


@pytest.fixture
def some():
    return named("sushi_go-3p")


@pytest.mark.parametrize(
    "part", [name for name in GameState.__slots__ if name not in {"program", "pending", *gates.NO_PART}]
)
def test_a_part_that_is_forgotten_is_found(some, monkeypatch, part):
    """Check that a field that copying leaves out is found by a gate."""
    fresh = start(some.program, 1).state
    later = [state for _, _, _, state, _ in gates.steps(some.program, 1)]
    changing = [state for state in later if getattr(state, part) != getattr(fresh, part)] or later
    state = changing[len(changing) // 2]
    clone = GameState.clone

    def forgetful(self):
        twin = clone(self)
        setattr(twin, part, _something_else(getattr(twin, part)))
        return twin

    monkeypatch.setattr(GameState, "clone", forgetful)
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
