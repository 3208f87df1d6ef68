"""Conditions about the cards that a seat may choose, and `card`: how many of the card a seat has."""

import re

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
        - choose: {from: hand, of: not mill and affordable, cards: 0-1, to: row}
        - choose: {from: hand, of: its(cost) > 1, as: {ask: {of: its(cost) < 3, to: discard}, wait: {cards: 0}}}
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
    """Check a second copy, an affordable card, the card that was found, cards for rows, two conditions."""
    game = de.load(path, players=2)
    nobles = {"nobles": [["hut", "mill", "mill", "tower"]], "yard": [["mill"], []]}
    zones = {**nobles, "row_1": [[]], "row_2": [[]]}
    state = game.set_up(de.Position(hands=[["tower", "hut", "hut", "mill"]] * 2, zones=zones, at="invite"))
    offered = []
    while state.waiting == (0,):
        moves = [move.cards for move in state.view(0).moves]
        offered.append(sorted({card.partition("@")[0] for cards in moves for card in cards}))
        state = state.commit(0, max(moves, key=lambda move: ("hut@row_1" in move, move)))
    assert offered[:4] == [["mill", "take_0"], ["hut", "mill"], ["tower"], ["hut", "mill"]]
    assert offered[4:] == [["hut", "take_0"], ["mill", "wait"]]
    assert [move.cards for move in state.view(1).moves] == [("take_0",)]  # without a mill, nobody can be invited


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "“Build” (only if you have no cards of the same name and you have 2 or more coins: pay"),
        ("en", "Choose 1 card or none (only if you have at least one card of the same name) from “Nobles”"),
        ("en", "Choose 1 card (only if you have at least as many coins as its cost) from “Nobles”"),
        ("en", "Choose “Best” from “Nobles”"),
        ("en", "“Row 1” (only if its cost is less than 3: put it into “Row 1”)"),
        ("en", "“no card”"),
        ("en", "“Ask” (only if its cost is more than 1 and its cost is less than 3: put it into the discard pile)"),
        ("pl", "„Build” (tylko jeśli nie masz karty o tej samej nazwie i masz co najmniej 2 Coins"),
        ("ja", "同じ名前のカードがない、かつCoinsが2以上ある場合のみ"),
    ],
)
def test_books_say_which_cards_can_be_chosen(path, language, sentence):
    text = as_text(book_of(rules_named(path, ()), language))
    assert "".join(sentence.split()) in "".join(text.split())


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (
            ("card > 0, cards: 0-1", "card > 0, cards: 0-2"),
            "zone-misuse",
            "The choice, or the zone to which it",
        ),
        (
            ("cost) < 3, to: row", "cost) < 3, cards: 1-2, to: row"),
            "zone-misuse",
            "The choice, or the zone to which it",
        ),
        (
            ("mill], when:", "mill], cards: 1-2, when:"),
            "zone-misuse",
            "The way fence, or the zone to which it leads, asks",
        ),
        (("of: card > 0, cards: 0-1", "of: card + 1"), "wrong-type", "A condition is needed here, not a number."),
        (("of: affordable", "of: its(price) > 2"), "formula-syntax", "No card has a number “price”."),
        (("of: affordable", "of: afordable"), "unknown-card", "There is no card or family “afordable”."),
        (("of: affordable", "of: [affordable]"), "unknown-card", "There is no card or family “affordable”."),
        (("of: affordable", "of: afordable and not mill"), "unknown-name", "There is no “afordable” here."),
        (("of: affordable", "of: coins > 3"), "bad-name", "“coins > 3” is not the name of a card or family"),
        (("of: affordable", "of: coins > 3 and coins < 9"), "bad-name", "< 9” says nothing about a card"),
        (("affordable: its(cost) <= coins", "affordable: coins > 1"), "bad-name", "“affordable” says nothing about"),
        (("tower: {", "tower: {face: tall, "), "face-given-away", "The choice asks for a number on its card"),
    ],
)
def test_which_cards_cannot_be_chosen(tmp_path, change, code, words):
    """Check that each mistake is called what it is, and that no finding names a way that nobody wrote."""
    path = tmp_path / "streets.yaml"
    assert change[0] in GAME
    path.write_text(GAME.replace(*change))
    findings = de.check(path)
    assert [finding for finding in findings if finding.code == code and words in finding.message]
    assert not [finding for finding in findings if re.search(r"way “?(”|take_|row_)", finding.message)]


ROWS = """
format: 2
id: rows
title: Rows
version: 1.0.0
players: 2-3
cards: {hut: {count: 20}, mill: {count: 20}}
zones: {row: {copies: 2, holds: 6}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 4}
  - {choose: {from: hand, to: row, cards: 0-1}, id: perhaps_one}
  - {choose: {from: hand, to: row, cards: 1-2}, id: one_or_two}
  - {choose: {from: hand, to: row, cards: 0-2}, id: up_to_two}
  - choose: {from: hand, to: tableau}
  - score: round
scoring: {hut: {each: hut, points: 1}, mill: {each: mill, points: 3}}
winner: {order: most}
"""


@pytest.mark.parametrize(
    ("step", "sizes", "move"),
    [
        ("perhaps_one", {0, 1}, "take_0"),
        ("one_or_two", {1, 2}, ["hut@row_1", "mill@row_1"]),
        ("up_to_two", {0, 1, 2}, []),
    ],
)
def test_a_range_of_cards_is_laid_into_one_of_several_zones(tmp_path, step, sizes, move):
    """Check that each number of cards in the range can be laid into a row, and that none is no row."""
    path = tmp_path / "rows.yaml"
    path.write_text(ROWS)
    assert de.check(path) == ()
    game = de.load(path, players=2)
    play_alike(game.program, "rows", 4)
    state = game.set_up(de.Position(hands=[["hut", "mill"]] * 2, at=step))
    laid = [sum("@row_" in card for card in option.cards) for option in state.view(0).moves]
    assert ({*laid}, laid.count(0)) == (sizes, int(0 in sizes))
    state = state.commit(0, move).commit(1, "hut@row_2")
    assert state.describe()["zones"]["row_2"] == ["hut"]
    assert len(state.describe()["zones"]["row_1"]) == len([card for card in move if "@" in card])
