"""Cards that `find` names, cards for which a condition holds, and players who are compared."""

import pytest

import draftengine as de
from draftengine.api.ruleset import rules_named
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from text.forms import play_alike

GAME = """
format: 2
id: purses
title: Purses
version: 1.0.0
players: 2-4
rounds: 2
families: {coin: {}}
cards:
  "coin_{n}": {for: {n: 1-12}, count: 2, starts_in: bank, family: coin, has: {value: "{n}"}}
  vow: {count: 30}
zones:
  bank: {}
  purse: {per: seat, seen_by: everyone}
counters:
  rank: {min: 0, max: 9, keep: true}
  ties: {min: 0, max: 9, keep: true}
  coins: {min: 0, max: 90, keep: true}
define:
  worth: "sum(purse, value)"
  richer: others_with(worth > my(worth))
setup:
  - {set: {rank: seat + 1}}
round:
  - deal: {to: hand, cards: 2}
  - repeat:
      times: 2
      do:
        - in_turn:
            do:
              - choose: {from: hand, to: discard}
              - find: {name: gain, of: bank, when: its(value) > worth, fewest: its(value), else: {most: its(value)}}
              - move: {from: bank, to: purse, of: gain, cards: 1}
              - when: cards(purse) > 2
                do:
                  - move: {from: purse, to: bank, of: "its(value) == lowest(purse, value, 0)", cards: 1}
                  - {draw: {from: bank, to: purse, of: "its(value) < rank"}, when: chosen(gain)}
        - find: {name: next_up, of: others, when: richer == my(richer) - 1}
        - set: {ties: "of(next_up, rank)", coins: worth}
  - score: round
scoring: {worth: {points: worth}, ranks: {points: rank + ties + coins + vow}}
"""


def test_the_game_of_purses_is_sound(path):
    assert de.check(path) == ()


@pytest.mark.parametrize("players", [2, 4])
def test_every_form_finds_the_same_cards(path, players):
    play_alike(de.load(path, players=players).program, "purses", 8)


def test_a_card_is_found_and_moved(path):
    """Check the lowest coin above the purse, the highest where there is none, and the coin that goes back."""
    game = de.load(path, players=2)
    hands, bank = [["vow", "vow"]] * 2, [["coin_3", "coin_5", "coin_5", "coin_9"]]
    state = game.set_up(de.Position(hands=hands, zones={"bank": bank, "purse": [["coin_4"], ["coin_12"]]}))
    state = state.commit(0, "vow").commit(1, "vow")
    zones = state.describe()["zones"]
    assert zones["purse"] == [["coin_4", "coin_5"], ["coin_9", "coin_12"]]
    assert [seat["coins"] for seat in state.counters] == [9, 21]
    state = state.commit(0, "vow")  # nothing is above 9, so the highest comes, and the lowest goes back
    zones = state.describe()["zones"]
    assert zones["purse"][0] == ["coin_5", "coin_5"]
    assert zones["bank"] == ["coin_3", "coin_4"]


def test_who_looks_is_told_apart_from_who_is_looked_at(path):
    """Check that a definition is asked for the player who is looked at, and `my(…)` for the one who looks."""
    game = de.load(path, players=3)
    purses = [["coin_2"], ["coin_8"], ["coin_5"]]
    state = game.set_up(de.Position(hands=[["vow", "vow"]] * 3, zones={"bank": [], "purse": purses}))
    for seat in range(3):
        state = state.commit(seat, "vow")
    assert [seat["ties"] for seat in state.counters] == [3, 0, 2]  # the seat of 5, nobody, and the seat of 8


def test_a_seat_has_a_number(path):
    assert [seat["rank"] for seat in de.load(path, players=4).start(1).counters] == [1, 2, 3, 4]


def test_books_say_which_cards(path):
    text = " ".join(as_text(book_of(rules_named(path, ()), "en")).split())
    assert "“Gain” is a card of “Bank”" in text
    assert (
        "put 1 card (only if the value is equal to the lowest value of value in “Purse” (0 if there is none))" in text
    )
    assert "all cards (only if your rank is higher than the value)" in text


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("of: gain, cards", "of: gains, cards"), "unknown-card"),
        (("its(value) < rank", "its(values) < rank"), "formula-syntax"),
        (("its(value) < rank", "its(value) + rank"), "wrong-type"),
        (("name: gain, of: bank", "name: gain, of: hand"), "hidden-cards"),
        (("deal: {to: hand, cards: 2}", 'draw: {from: bank, to: discard, of: "its(value) > 3"}'), "zone-misuse"),
    ],
)  # fmt: skip
def test_which_cards_cannot_be_meant(tmp_path, change, code):
    """Check that conditions about cards are checked, and ask nothing about cards that nobody may know."""
    path = tmp_path / "purses.yaml"
    assert change[0] in GAME
    path.write_text(GAME.replace(*change))
    assert code in {finding.code for finding in de.check(path)}


@pytest.mark.parametrize(
    ("face", "of", "code"),
    [
        ("family: coin, face: back", "its(value) > 3", "hidden-cards"),
        ("family: coin, face: back", "coin_3", "hidden-cards"),
        ("family: coin, face: back", "coin", ""),
        ("family: coin", "its(value) > 3", ""),
    ],
)
def test_faces_hide_which_cards_are_meant(tmp_path, face, of, code):
    """Check that cards with one face are not told apart by what is drawn from a zone that all see."""
    path = tmp_path / "faces.yaml"
    path.write_text(f"""
format: 2
id: faces
title: Faces
version: 1.0.0
players: 2
rounds: 2
families: {{coin: {{}}}}
cards:
  "coin_{{n}}": {{for: {{n: 1-12}}, count: 2, {face}, has: {{value: "{{n}}"}}}}
zones: {{bank: {{seen_by: everyone}}, purse: {{per: seat, seen_by: owner}}}}
round:
  - move: {{from: everywhere, to: deck}}
  - shuffle: deck
  - deal: {{to: bank, cards: 4}}
  - in_turn: {{do: [{{move: {{from: bank, to: purse, of: "{of}", cards: 1}}}}]}}
  - score: round
scoring: {{sum: {{points: "cards(purse)"}}}}
""")
    assert {finding.code for finding in de.check(path) if finding.severity == "error"} == ({code} - {""})
