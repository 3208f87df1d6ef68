"""No bot knows more than its observation: in worlds that a seat cannot tell apart, it decides alike.

The whole decision is compared, including the bot's value of every move.
"""

from __future__ import annotations

from random import Random

import pytest

from conftest import NIGHTLY
from draftengine.bots import SeatedBot, levels
from draftengine.engine.observe import observe
from engine.worlds import another_world, worlds

PAIRS = 10_000 if NIGHTLY else 250
SOME = PAIRS if NIGHTLY else 25
SLOW = 100 if NIGHTLY else 5
BOTS = {
    "random": PAIRS,
    "greedy": PAIRS,
    "table": PAIRS,
    "easy": SOME,
    "medium": SOME,
    "flat:iterations=2": SOME,
    "search:iterations=3": SOME,
    "expert:iterations=6": SLOW,
    "hard": SLOW,
}
"""Number of states in which each bot is asked."""
PARTS = 5
"""Number of tests that share these states."""


def pairs(chance, count):
    """Yield states in which a seat chooses, each with a different world that the seat cannot tell from it."""
    for state, seat in worlds(chance):
        if seat in state.pending and len(observe(state, seat).moves) > 1:
            world = another_world(state, seat, chance)
            if world.digest() != state.digest():
                yield state, world, seat
                count -= 1
        if not count:
            return


@pytest.mark.usefixtures("guessing")
@pytest.mark.parametrize("part", range(PARTS))
def test_same_observation_same_decision(part, monkeypatch):
    if not NIGHTLY:
        monkeypatch.setattr(levels, "PLAYOUTS", 6)
    for number, (state, world, seat) in enumerate(pairs(Random(part), PAIRS // PARTS)):
        for bot in [own for own, count in BOTS.items() if number < count // PARTS]:
            decider = SeatedBot.at(bot, number, seat)
            here, there = decider.decide(observe(state, seat)), decider.decide(observe(world, seat))
            assert here == there, f"{bot} decides otherwise"
            assert bot == "random" or here.considered


@pytest.mark.usefixtures("guessing")
def test_chance_is_of_the_stream():
    """Check that a bot repeats itself with the same stream, and may differ with another."""
    state, _, seat = next(pairs(Random(5), 1))
    seen = observe(state, seat)
    decisions = [SeatedBot.at("search:iterations=6", seed, seat).decide(seen) for seed in (1, 1, 2)]
    assert decisions[0] == decisions[1] != decisions[2]
