"""Cards dealt or drawn to zones where they count: they add to counters, and nobody plays them."""

import pytest

import draftengine as de
from text.forms import play_alike

GAME = """
format: 2
id: hills
title: Hills
version: 1.0.0
players: 2-3
rounds: 2
cards:
  giza: {starts_in: wonders, keep: true, adds: {stars: 1}}
  rhodos: {starts_in: wonders, keep: true, adds: {stars: 2}}
  babylon: {starts_in: wonders, keep: true, adds: {stars: 3}, on_play: [{points: 100}]}
  hut: {count: 30, adds: {stars: 1}}
  lens: {count: 8, modifier: {applies_to: hut, then: {stars: 2 * amount}}}
  spirit: {count: 8, forms: {of: [hut], when: card > 0}}
zones:
  wonders: {seen_by: nobody}
  yard: {per: seat, counts: true}
counters: {calls: {max: 90}}
setup:
  - shuffle: deck
  - shuffle: wonders
  - {deal: {from: wonders, to: tableau, cards: 1}, id: give_wonders}
round:
  - {deal: {to: hand, cards: 2}, id: deal_hands}
  - repeat:
      until_empty: hand
      do:
        - choose: {from: hand, to: tableau}
        - {draw: {to: yard, cards: 2 - cards(yard)}, id: fill_yard}
        - {draw: {to: tableau, cards: 1}, who: stars < 5}
        - {add: {calls: 1}, who: gained(stars) > 2}
  - score: round
  - clear: yard
  - clear: tableau
triggers:
  bell: {after: reveal, who: gained(hut) > 0, do: [{points: 1}]}
scoring: {stars: {points: stars + calls}}
winner: {order: most}
examples:
  - name: the yard is filled, and nobody plays the cards
    players: 2
    at: fill_yard
    to: deal_hands
    tables: [[giza], [rhodos, hut, hut, hut]]
    hands: [[], []]
    deck: [hut, hut, hut, spirit, lens]
    zones: {yard: [[], [hut]]}
    expect: {points: {stars: [3, 7], bell: [0, 0]}}
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "hills.yaml"
    path.write_text(GAME)
    return path


def test_the_game_of_hills_is_sound(path):
    assert de.check(path) == ()


@pytest.mark.parametrize("players", [2, 3])
def test_every_form_brings_the_same_cards(path, players):
    play_alike(de.load(path, players=players).program, "hills", 8)


def test_wonders_are_dealt_and_seen_by_all(path):
    """Check that each seat has one, that it counts and is not played, and that a spectator sees it."""
    state = de.load(path, players=3).start("hills")
    stars = {"giza": 1, "rhodos": 2, "babylon": 3}
    wonders = [tableau[0] for tableau in state.tableaus]
    assert sorted(wonders) == sorted(stars)
    assert [counters["stars"] for counters in state.counters] == [stars[wonder] for wonder in wonders]
    assert list(state.points) == [0, 0, 0]
    assert [tableau[0] for tableau in state.view(-1).tableaus] == wonders
