"""The learner, compiled and not, gives exactly the numbers of `bots.reference`."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings

from bots.quick import guessed
from bots.reference import by_reference
from conftest import NIGHTLY
from draftengine.bots.worth import learning
from draftengine.engine.forms import LearningRunner
from draftengine.engine.plan.base import UnsupportedError
from draftengine.jit.llvm import machine
from engine.configurations import CONFIGURATIONS, ONCE_BY_DAY, named
from engine.drawn import card_sets, programs_of

NAMES = (
    "sushi_go-2p",
    "sushi_go-4p",
    "sushi_go-5p-pass_both_ways",
    "sushi_go_2014-2p-two_player_dummy",
    "sushi_go_summary-3p",
    "anniversary-2p-sushi_battle",  # a layout
    "anniversary-2p-mochi-two_player_dummy",
    "anniversary-2p-frozen_yogurt-personal_draw_piles",
    "anniversary-3p-sushi_golf",  # fewest points win
    "anniversary-4p-bubble_tea",
    "sushi_draft-3p-advanced_triple-advanced_wasabi",  # keep one and pass one; chips; wild cards
    "sushi_draft-4p",
    "party_cutthroat-5p",
    "party_first_meal-2p",
    "sushi_go_party-2p-maki-tempura-sashimi-miso_soup-tea-wasabi-green_tea_ice_cream",
    "go_nuts_for_donuts-2p",
    "tides_of_time-2p",  # cards leave the tableau
    "ohanami-2p",
)
SAMPLE = CONFIGURATIONS if NIGHTLY else [own for own in CONFIGURATIONS if str(own) in NAMES]
GAMES = 30 if NIGHTLY else 3


def test_nothing_is_optimised_for_learning(monkeypatch, tmp_path):
    """Check that learning compiles without optimisation: LLVM would take longer than all the games."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # no code is kept there
    load, longest = machine.load, []
    monkeypatch.setattr(machine, "load", lambda text, **how: longest.append(how["longest"]) or load(text, **how))
    LearningRunner(named("sushi_go-2p").program)
    assert longest == [0]


def test_sample_is_of_all_kinds():
    assert {own.cardset for own in SAMPLE} == {own.cardset for own in CONFIGURATIONS} - ONCE_BY_DAY.keys()
    assert set(map(str, SAMPLE)) >= set(NAMES)


@pytest.mark.parametrize(
    "configuration", CONFIGURATIONS if NIGHTLY else [SAMPLE[1], named("tides_of_time-2p")], ids=str
)
def test_learning(configuration):
    """Check, for each table entry, gain and number of visits, and the mean margin of victory."""
    program = configuration.program
    worth = guessed(program).worth
    found = LearningRunner(program).learn(worth, learning._KEY, 2, 2 + GAMES)
    assert found == by_reference(worth, range(2, 2 + GAMES))
    assert found == LearningRunner(program, compiled=False).learn(worth, learning._KEY, 2, 2 + GAMES)
    assert sum(found[1])


def test_card_sets_that_nobody_wrote():
    """Check the learner on generated card sets; every third is compiled, which nearly all can be."""
    found = Counter()

    @settings(max_examples=200 if NIGHTLY else 2, deadline=None, suppress_health_check=list(HealthCheck))
    @given(card_sets())
    def draw(text):
        for program in programs_of(text, (2, 3) if NIGHTLY else (3,)):
            found["drawn"] += 1
            worth = guessed(program).worth
            expected = by_reference(worth, range(2))
            assert LearningRunner(program, compiled=False).learn(worth, learning._KEY, 0, 2) == expected
            if found["drawn"] % 3 == 1:
                with suppress(UnsupportedError):
                    assert LearningRunner(program).learn(worth, learning._KEY, 0, 2) == expected
                    found["compiled"] += 1

    draw()
    assert found["compiled"] > found["drawn"] / 6
