"""Conditions about the cards that a seat may choose, and `card`: how many of the card a seat has."""

import pytest

import draftengine as de
from draftengine.api.ruleset import rules_named
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from text.forms import play_alike

GAME = """
format: 2
id: streets
title: Streets
version: 1.0.0
players: 2-3
rounds: 2
cards:
  hut: {count: 24, has: {cost: 1}, adds: {stars: 1}}
  mill: {count: 24, has: {cost: 2}, adds: {stars: 2}}
  tower: {count: 24, has: {cost: 3}, adds: {stars: 3}, scores: {points: 5 if card == 1 else 0}}
zones:
  yard: {per: seat, counts: true}
  nobles: {}
  row: {copies: 2}
counters: {coins: {start: 2, max: 40, keep: true}}
define:
  affordable: its(cost) <= coins
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 5}
  - draw: {to: nobles, cards: 2 * players}
  - repeat:
      times: 3
      do:
        - choose:
            from: hand
            as:
              build: {of: card == 0, when: coins > 1, pay: {coins: 1}, to: tableau}
              fence: {of: [hut, mill], when: card < 2, to: yard}
              sell: {to: discard, do: [{add: {coins: 1}}]}
        - pass: {zone: hand, to: left}
  - id: invite
    in_turn:
      do:
        - choose: {from: nobles, of: card > 0, cards: 0-1, to: tableau}
        - choose: {from: nobles, of: affordable, to: tableau}
        - find: {name: best, of: nobles, most: its(cost)}
        - choose: {from: nobles, of: best, to: tableau}
        - choose: {from: hand, of: its(cost) < 3, to: row}
  - move: {from: hand, to: discard}
  - score: round
scoring: {stars: {points: stars}}
winner: {order: most}
examples:
  - {name: a second mill is not built, players: 2, tables: [[mill], []], hands: [[mill, hut], [mill, hut]],
     moves: [[mill@build, mill@build]], expect: {legal: false}}
  - {name: nor one beside a mill in the yard, players: 2, zones: {yard: [[mill], []]},
     hands: [[mill, hut], [mill, hut]], moves: [[mill@build, mill@build]], expect: {legal: false}}
  - {name: without coins nothing is built, players: 2, counters: {coins: [1, 2]}, hands: [[mill, hut], [mill, hut]],
     moves: [[hut@build, mill@build]], expect: {legal: false}}
  - {name: two mills can be fenced, players: 2, tables: [[mill], []], hands: [[mill, hut], [mill, hut]],
     moves: [[mill@fence, mill@build]], expect: {zones: {yard: [[mill], []]}, points: {tower: [0, 0]}}}
  - {name: one tower scores and two do not, players: 2, tables: [[tower], [tower, tower]],
     expect: {points: {tower: [5, 0]}}}
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "streets.yaml"
    path.write_text(GAME)
    return path


def test_the_game_of_streets_is_sound(path):
    """Check that nothing is wrong with it, and that its worked examples come out."""
    assert de.check(path) == ()


@pytest.mark.parametrize("players", [2, 3])
def test_every_form_offers_the_same_cards(path, players):
    play_alike(de.load(path, players=players).program, "streets", 8)


def test_only_cards_with_the_condition_are_offered(path):
    """Check a second copy, a card that the seat can pay for, the card that was found, and one for a row."""
    game = de.load(path, players=2)
    nobles = {"nobles": [["hut", "mill", "mill", "tower"]], "yard": [["mill"], []]}
    zones = {**nobles, "row_1": [[]], "row_2": [[]]}
    state = game.set_up(de.Position(hands=[["tower", "hut"]] * 2, zones=zones, at="invite"))
    offered = []
    while state.waiting == (0,):
        moves = [move.cards for move in state.view(0).moves]
        offered.append(sorted({card.partition("@")[0] for cards in moves for card in cards}))
        state = state.commit(0, max(moves))
    assert offered == [["mill", "take_0"], ["hut", "mill"], ["tower"], ["hut"]]
    assert [move.cards for move in state.view(1).moves] == [("take_0",)]  # without a mill, nobody can be invited


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "“Build” (only if you have no cards of the same name and you have 2 or more coins: pay"),
        ("en", "Choose 1 card or none (only if you have at least one card of the same name) from “Nobles”"),
        ("en", "Choose 1 card (only if you have at least as many coins as its cost) from “Nobles”"),
        ("en", "Choose “Best” from “Nobles”"),
        ("pl", "„Build” (tylko jeśli nie masz karty o tej samej nazwie i masz co najmniej 2 Coins"),
        ("ja", "同じ名前のカードがない、かつCoinsが2以上ある場合のみ"),
    ],
)
def test_books_say_which_cards_can_be_chosen(path, language, sentence):
    text = as_text(book_of(rules_named(path, ()), language))
    assert "".join(sentence.split()) in "".join(text.split())


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("of: card > 0, cards: 0-1", "of: card > 0, cards: 0-2"), "zone-misuse"),
        (("of: card > 0, cards: 0-1", "of: card + 1"), "wrong-type"),
        (("of: affordable", "of: its(price) > 2"), "formula-syntax"),
        (("of: affordable", "of: afordable"), "unknown-card"),
        (("of: affordable", "of: [affordable]"), "unknown-card"),
        (("of: affordable", "of: coins > 3"), "bad-name"),
        (("tower: {", "tower: {face: tall, "), "hidden-cards"),
    ],
)  # fmt: skip
def test_which_cards_cannot_be_chosen(tmp_path, change, code):
    path = tmp_path / "streets.yaml"
    assert change[0] in GAME
    path.write_text(GAME.replace(*change))
    assert code in {finding.code for finding in de.check(path)}
