"""Worlds of the kernel equal those of `draftengine.engine.redeal`: each card, chip and draw."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from bots.quick import guessed, moments
from compiled import load_program
from conftest import NIGHTLY
from draftengine.bots.search import worlds
from draftengine.bots.search.searcher import Searcher
from draftengine.bots.search.worlds import lay_world
from draftengine.engine.chance import GOLDEN, Stream
from draftengine.engine.kernel.chance import draw_from
from draftengine.engine.observe import observe
from draftengine.engine.plan.base import UnsupportedError
from draftengine.engine.position import Position, set_up
from draftengine.engine.redeal import HiddenCards
from draftengine.jit.primitives import wrap
from draftengine.model.selection import NOTHING_SELECTED, open_document
from engine.configurations import ENTERING, named
from engine.drawn import programs_of, several_piles
from engine.records import at, compare

KEY = 0x5EED
WORLDS = 3
HIDING = (  # draw piles of seats, chips, cards that look alike, faces that lie down, seats of nobody
    "anniversary-2p-frozen_yogurt-personal_draw_piles",
    "sushi_draft-4p",
    "party_cutthroat-5p",
    "anniversary-2p-sushi_battle",
    "sushi_go_2014-2p-two_player_dummy",
)
CELLAR = """
format: 1
id: cellar
title: Cellar
version: 1.0.0
players: 2
rounds: 1
cards:
  wine: {count: 12}
  beer: {count: 12}
  water: {count: 12}
zones:
  cellar: {per: seat, seen_by: owner}
setup:
  - shuffle: deck
round:
  - deal: {to: hand, cards: 5}
  - deal: {to: cellar, cards: 3}
  - choose: {from: hand, to: cellar}
  - deal: {from: cellar, to: hand, cards: 2}
  - repeat:
      until_empty: hand
      do:
        - choose: {from: hand, to: tableau}
        - pass: {zone: hand, to: left}
  - score: round
scoring:
  wine: {kind: set, of: wine, size: 2, points: 5}
winner: {order: most}
"""
"""A game in which players know the cards that they will draw, but not their order."""
CASES = ENTERING if NIGHTLY else [named(name) for name in HIDING]


def hold_worlds(program, positions):
    """Assert that successive worlds of these positions are equal in kernel and reference."""
    searcher = Searcher(program, guessed(program).worth)
    for state, seat in positions:
        knowledge = HiddenCards.of(observe(state, seat))
        worlds.write(searcher.known, searcher.search, searcher.plan, knowledge)
        stream = Stream(KEY)
        draw_from(searcher.game, KEY)
        for _ in range(WORLDS):
            world = knowledge.world(stream)
            lay_world(searcher.game, searcher.known, searcher.search, searcher.plan)
            compare(searcher.game, searcher.plan, world)
            assert searcher.game.bot == wrap(at(stream) + GOLDEN)


@pytest.mark.parametrize("configuration", CASES, ids=str)
def test_the_same_worlds(configuration):
    chance = Random(str(configuration))
    found = moments(configuration.program, chance.randrange(10**6))
    hold_worlds(configuration.program, chance.sample(found, 4))


@settings(max_examples=300 if NIGHTLY else 6, deadline=None, suppress_health_check=list(HealthCheck))
@given(several_piles())
def test_the_same_worlds_of_several_piles(text):
    """Worlds agree in randomly drawn games where cards lie in several piles and are hidden."""
    for program in programs_of(text, (2,)):
        chance = Random(text)
        positions = moments(program, chance.randrange(10**6))
        hold_worlds(program, chance.sample(positions, min(4, len(positions))))


def test_cards_that_are_known_but_not_their_order():
    document, _ = open_document(CELLAR.encode(), "cellar.yaml", lambda _: None)
    program = load_program(document, NOTHING_SELECTED, 2)
    positions = moments(program, 1)
    assert any(HiddenCards.of(observe(state, seat)).reshuffled_zones for state, seat in positions)
    hold_worlds(program, positions)


def test_hands_that_no_deal_gives_are_refused():
    """Hands of unequal size are refused where one number counts the cards of all seats."""
    program = named("sushi_go-2p").program
    state = set_up(program, Position(hands=(("tempura", "tempura"), ("tempura",)))).state
    searcher = Searcher(program, guessed(program).worth)
    with pytest.raises(UnsupportedError, match="differently many"):
        worlds.write(searcher.known, searcher.search, searcher.plan, HiddenCards.of(observe(state, 0)))
