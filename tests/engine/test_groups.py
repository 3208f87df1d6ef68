"""Groups of actions: their seats, their conditions and alternatives, in every form of the kernel."""

import pytest

import draftengine as de
from text.forms import play_alike

GAME = """
format: 2
id: groups
title: Groups
version: 1.0.0
players: 2-3
rounds: 2
markers: {starter: {start: first}}
counters:
  coins: {max: 60, keep: true, label: coins}
  bank: {per: table, max: 60}
cards:
  soup:
    count: 30
    on_play: [{when: coins < 3, do: [{add: {coins: 1}}, {draw: {to: hand}}], else: [{add: {coins: 0 - 2}}]}]
  bread: {count: 30}
  bun:
    count: 20
    on_play:
      - when: bread > 1
        do: [{add: {coins: 2}}, {choose: {from: hand, to: discard}, when: soup > 0}]
        else: [{points: 1}]
setup: [{shuffle: deck}, {add: {coins: 2}}]
round:
  - draw: {to: hand, cards: 5}
  - {add: {coins: 3}, who: starter}
  - {add: {bank: 1}, id: fill}
  - repeat:
      times: 3
      do:
        - choose: {from: hand, to: tableau}
        - when: cards(deck) > 20
          do: [{pass: {to: left, zone: hand}}, {draw: {to: discard}}]
          else: [{pass: {to: right, zone: hand}}]
        - who: coins > 4
          do:
            - add: {coins: -1}
            - {points: 1, when: bread > 0}
            - {when: soup > 1, do: [{add: {coins: -1}}, {points: 2}], else: [{add: {coins: 1}}]}
        - {draw: {to: hand}, who: starter, when: turn == 2, else: [{draw: {to: hand}, who: coins > 5}]}
        - {move: {from: hand, to: discard}, who: coins == 0}
  - give: {marker: starter, to: left}
  - move: {from: hand, to: discard}
  - score: round
  - clear: tableau
finish: [{points: coins + bank}]
scoring: {bread: {each: bread, points: 1}}
winner: {order: most}
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Write the game and return its path."""
    path = tmp_path_factory.mktemp("groups") / "groups.yaml"
    path.write_text(GAME)
    return path


def test_nothing_is_wrong_with_it(path):
    """Check that a game with groups everywhere is sound."""
    assert de.check(path) == ()


def test_every_form_plays_the_same_games(path):
    """Check that the reference, the kernel as it stands and machine code play the same games."""
    play_alike(de.load(path, players=3).program, "groups", 12)


def test_a_condition_is_asked_once(path):
    """Check that what a group changes does not decide whether the rest of it, or `else`, is done."""
    game = de.load(path, players=2)
    state = game.set_up(de.Position(hands=[["soup", "bun"], ["bread", "bun"]], counters={"coins": [2, 0]}))
    state = state.commit(0, "soup").commit(1, "bread")  # 2 coins are fewer than 3, so soup brings a coin and a card
    assert state.counters[0]["coins"] == 3
