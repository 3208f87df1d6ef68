"""Empty places of layouts: before the deal, when too few cards are dealt, and after the round."""

from __future__ import annotations

import pytest

from draftengine.engine.game import start, waiting
from draftengine.engine.moves import legal_moves
from draftengine.engine.observe import observe
from draftengine.engine.position import Position, set_up
from draftengine.engine.state import initial_state
from engine import gates
from engine.feasts import program_of
from engine.restoring import restore

GAME = """
format: 1
id: shelf
title: Shelf
version: 1.0.0
players: 2
rounds: 2
cards:
  soup: {count: 20}
  bread: {count: 20}
zones:
  shelf:
    per: table
    layout: {rows: [{cards: 1}, {cards: 2, face: down}, {cards: 3}], covers: pyramid}
markers:
  cook: {start: first}
setup:
  - shuffle: deck
round:
  - deal: {to: shelf, cards: 4}
  - repeat:
      times: 2
      do:
        - choose: {from: shelf, to: tableau, who: {holder: cook}}
        - give: {marker: cook, to: left}
  - score: round
  - gather: deck
  - shuffle: deck
scoring:
  soup: {kind: each, of: soup, points: 1}
  bread: {kind: each, of: bread, points: 2}
winner: {order: most}
"""
NOTHING = -1


@pytest.fixture
def program():
    return program_of(GAME)


def shelf(state):
    return state.zones[state.program.zone_index("shelf")][0]


def test_places_are_empty_before_the_deal(program):
    assert shelf(initial_state(program, 0, 0, memory=False)) == [NOTHING] * 6


def test_places_stay_empty_where_too_few_cards_are_dealt(program):
    """Check that four cards go to the first of six places, and empty places cannot be taken."""
    state = start(program, 1).state
    index = program.zone_index("shelf")
    assert [card >= 0 for card in shelf(state)] == [True] * 4 + [False] * 2
    assert shelf(state)[4:] == [NOTHING] * 2
    (seat,) = waiting(state)
    assert tuple(legal_moves(state, seat)) == ((2,), (3,))
    assert all(place < 4 for place in state.down[index])
    view = next(view for view in observe(state, 0).zones if view.zone == "shelf")
    assert (view.size, len(view.places)) == (4, 4)
    assert shelf(restore(program, state.to_json())) == shelf(state)


def test_every_card_is_somewhere(program):
    """Check the number of cards over two rounds of dealing, taking, and gathering from empty places."""
    for _, _, _, state, _ in gates.steps(program, 4):
        gates.cards_are_conserved(state)
    assert shelf(state) == [NOTHING] * 6


def test_places_that_a_position_leaves_out_are_empty(program):
    by_place = set_up(program, Position(zones={"shelf": {"r3c1": "soup", "r2c2": "bread"}})).state
    soup, bread = map(program.card_index, ("soup", "bread"))
    assert shelf(by_place) == [NOTHING, NOTHING, bread, soup, NOTHING, NOTHING]
    as_list = set_up(program, Position(zones={"shelf": [["soup", "", "bread"]]})).state
    assert shelf(as_list) == [soup, NOTHING, bread, NOTHING, NOTHING, NOTHING]
    gates.cards_are_conserved(by_place)
    gates.cards_are_conserved(as_list)
