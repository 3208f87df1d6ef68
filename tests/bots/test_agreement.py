"""Compiled and not, the same is searched and learnt: every number that comes of it."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from bots.quick import guessed, moments
from conftest import NIGHTLY
from draftengine.bots import learning, search, trees
from draftengine.bots.opponents import Reader, Styles
from draftengine.bots.search import FlatBot, SearchBot
from draftengine.compiled.limits import UnsupportedError
from draftengine.compiled.player import Learner
from draftengine.engine.observe import observe
from draftengine.engine.redeal import Knowledge
from draftengine.identity import ById
from engine.configurations import CONFIGURATIONS, named
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
BY_DAY = SAMPLE if NIGHTLY else SAMPLE[::9]
"""Compiling takes a second or two for each."""
BOTS = (SearchBot(), SearchBot(exploration=1.0, horizon="game"), FlatBot())
PLAYOUTS, BREAK = 40, 23
FEW = 15
"""So many of these playouts end with the round, if a bot looks at both, and follow trees less."""
GAMES = 30 if NIGHTLY else 3


EVERY_WAY = Styles(ahead=0.4, table=0.2, greedy=0.2, random=0.2)
"""Opponents play in every way that somebody can be thought to play."""


def both(monkeypatch, bot, state, seat):
    """What is known after a bot's search, compiled and not; compiled it is in two stretches, as bots search."""
    seen = observe(state, seat)
    knowledge = Knowledge.of(seen)
    monkeypatch.setattr(trees, "FEW", FEW)
    monkeypatch.setattr(search, "at_hand", guessed)
    monkeypatch.setattr(Reader, "styles", lambda _, seen: [EVERY_WAY] * seen.program.players)
    search._compiler(ById(guessed(seen.program))).compile()
    compiled, *others = bot.searches(seen, knowledge)
    if not others:
        raise UnsupportedError
    (reference,) = others
    assert isinstance(reference, search._Reference)
    compiled.run(77, 0, BREAK)
    compiled.run(77, BREAK, PLAYOUTS)
    reference.run(77, 0, PLAYOUTS)
    return compiled.found(), reference.found()


@pytest.fixture(autouse=True)
def _small_memory():
    """Nothing is remembered of another way of searching."""
    yield
    search._compiler.cache_clear()
    search._aim.cache_clear()


def test_sample_is_of_all_kinds():
    assert {own.cardset for own in SAMPLE} == {own.cardset for own in CONFIGURATIONS}
    assert set(map(str, SAMPLE)) >= set(NAMES)


@pytest.mark.parametrize("configuration", BY_DAY, ids=str)
def test_searches(monkeypatch, configuration):
    """How often each move was tried, and to which margins it led, early and late in a game."""
    chance = Random(str(configuration))
    found = moments(configuration.program, chance.randrange(10**6))
    for number in range(3):
        state, seat = chance.choice(found[len(found) * number // 3 : len(found) * (number + 1) // 3])
        for bot in BOTS:
            compiled, reference = both(monkeypatch, bot, state, seat)
            assert compiled == reference
            assert sum(visits for visits, _ in compiled.values()) == PLAYOUTS


@pytest.mark.parametrize(
    "configuration", CONFIGURATIONS if NIGHTLY else [*SAMPLE[1::12], named("tides_of_time-2p")], ids=str
)
def test_learning(configuration):
    """What every entry of the table has gained, how often it was met, and by how much games were won."""
    program = configuration.program
    worth = guessed(program).worth
    found = Learner(program).learn(worth, learning._KEY, 2, 2 + GAMES)
    assert found == learning.by_reference(worth, range(2, 2 + GAMES))
    assert found == Learner(program, compiled=False).learn(worth, learning._KEY, 2, 2 + GAMES)
    assert sum(found[1])


def test_card_sets_that_nobody_wrote():
    """Searches from any moment of a game, and what is learnt from games; more are compiled than are not."""
    found = Counter()

    @settings(max_examples=200 if NIGHTLY else 4, deadline=None, suppress_health_check=list(HealthCheck))
    @given(card_sets())
    def draw(text):
        chance = Random(text)
        for program in programs_of(text, (2, 3) if NIGHTLY else (3,)):
            with pytest.MonkeyPatch.context() as patch:
                try:
                    _agree_on_drawn(program, chance, patch)
                except UnsupportedError:
                    found["refused"] += 1
                else:
                    found["played"] += 1
            search._compiler.cache_clear()
            search._aim.cache_clear()

    draw()
    assert found["played"] > 2 * found["refused"]


def _agree_on_drawn(program, chance, patch):
    found = moments(program, chance.randrange(10**6))
    worth = guessed(program).worth
    assert Learner(program).learn(worth, learning._KEY, 0, 2) == learning.by_reference(worth, range(2))
    for state, seat in found[:: len(found) // 2 + 1]:
        compiled, reference = both(patch, BOTS[0], state, seat)
        assert compiled == reference
