"""Rulebooks of games whose cards, zones and steps come from a `for` or from a list of names."""

from __future__ import annotations

import re

import pytest

from draftengine.api.ruleset import rules_named
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from draftengine.studies.report.statistics import summarise
from draftengine.studies.runner.playing import Task
from draftengine.studies.simulation import simulate
from draftengine.studies.simulation.words import sentences

ZONES = """format: 2
id: shelves
title: Shelves
version: 1.0.0
players: 2
rounds: 1
cards: {soup: {count: 9}, bread: {count: 9}}
zones: {left_shelf: {}, right_shelf: {}, plate: {per: seat, seen_by: everyone}}
round:
  - draw: {to: left_shelf, cards: 3}
  - draw: {to: right_shelf, cards: 3}
  - in_turn:
      do:
        - {move: {from: [left_shelf, right_shelf], of: soup, to: plate}}
        - {move: {from: [left_shelf, right_shelf], cards: 1, to: plate}}
        - choose: {as: {clear_all: {do: [{move: {from: [left_shelf, right_shelf], to: discard}}]}, wait: {}}}
  - move: {from: [left_shelf, right_shelf], to: discard}
  - score: round
scoring: {soup: {each: cards(plate), points: 1}}
"""


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "en",
            [
                "all cards (only soup) of “Left shelf” and “Right shelf”",
                "1 card of “Left shelf” with “Plate” and put 1 card of “Right shelf” with “Plate”",
                "put all of “Left shelf” and “Right shelf” on the discard pile",
                "Move “Left shelf” and “Right shelf” to the discard pile.",
            ],
        ),
        ("pl", ["Przenieś wszystkie karty ze strefy „Left shelf” i wszystkie karty ze strefy „Right shelf”"]),
        ("ja", ["「Left shelf」、「Right shelf」を捨て札に移す"]),
    ],
)
def test_all_zones_of_a_list_are_named(tmp_path, language, sentences):
    """Check that a move from several zones names all of them, and says that as many cards come from each."""
    path = tmp_path / "shelves.yaml"
    path.write_text(ZONES)
    text = " ".join(as_text(book_of(rules_named(path), language)).split())
    for sentence in sentences:
        assert sentence in text, text


def test_what_is_on_the_cards_of_a_series_is_printed(tmp_path):
    """Check that numbers on the cards of a series are in a table, in the box line, or in the names."""
    path = tmp_path / "shelves.yaml"
    cards = """cards:
  "pot_{n}": {for: {n: 1-6}, count: 2, has: {price: "{n // 3 + 1}", height: 3}}
  "jar_{n}": {for: {n: 1-6}, count: 2, has: {price: 2}, adds: {ounces: "{n}"}}
  bread: {count: 9}
  soup: {count: 9}
"""
    path.write_text(re.sub(r"cards: \{.*\n", cards, ZONES, count=1))
    text = as_text(book_of(rules_named(path)))
    assert "12 × Pot 1, 2, 3, …, 6 (2 of each)" in text
    table = text.partition("What is on the cards\n")[2].splitlines()[1:4]
    assert [line.split("  ")[0] for line in table] == ["Pot 1, 2", "Pot 3, 4, 5", "Pot 6"]
    assert [line.rpartition("  ")[2] for line in table] == [f"price {price}, height 3" for price in (1, 2, 3)]
    assert "12 × Jar 1, 2, 3, …, 6 (2 of each, the number is its ounces, price 2)" in " ".join(text.split())


RACE = """format: 2
id: race
title: Race
version: 1.0.0
players: 2
rounds: 2
cards: {soup: {count: 20, cost: {spoon: 1}}, bread: {count: 20}}
counters: {spoon: {max: 9}, won: {max: 1}, fork: {max: 9}, day: {per: table, max: 9}}
payments: {buy: {goods: [spoon], from: [{counters: same}]}}
zones: {plate: {per: seat, seen_by: everyone}}
wins: won == 1
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 2}
  - draw: {to: plate, cards: 2}
  - choose:
      from: hand
      as: {take: {pay: {buy: cost}, of: soup, to: plate}, wait: {to: discard}}
  - {add: {spoon: 1}, when: day != 3}
  - {add: {fork: 1}, who: "kinds(spoon, fork) == 0"}
  - {set: {won: 1}, who: "cards(plate, soup) > 3"}
  - clear: tableau
  - move: {from: discard, to: deck}
"""


def test_a_game_without_points_is_won_by_its_condition_alone(tmp_path):
    """Check that a game with `wins` needs no rule that scores, and that no text speaks of points."""
    path = tmp_path / "race.yaml"
    path.write_text(RACE)
    rules = rules_named(path)
    text = " ".join(as_text(book_of(rules)).split())
    assert "You play 2 rounds. If your “Won” is 1, you win at once." in text
    assert "If nobody has won by the end, the players share the victory." in text
    assert "points" not in text
    task = Task(rules.game(2), ("random",) * 2, "race", 0, 6, "reference", logged=True)
    summary = summarise(task.game.program, task.bots, simulate(task).tally, logged=True)
    assert not any("tied on points" in sentence for sentence in sentences(summary))


def test_small_words_fit_what_they_are_about(tmp_path):
    """Check sentences about refilled decks, single cards, shared values and what each player draws."""
    path = tmp_path / "race.yaml"
    path.write_text(RACE)
    text = " ".join(as_text(book_of(rules_named(path))).split())
    assert "discarded cards do not come back" not in text
    without = RACE.replace("  - move: {from: discard, to: deck}\n", "").replace("  - draw: {to: plate, cards: 2}\n", "")
    path.write_text(without)
    assert "discarded cards do not come back" in " ".join(as_text(book_of(rules_named(path))).split())
    for sentence in (
        "Each player draws 2 cards from the deck to “Plate”.",
        "put 1 soup into “Plate”",
        "If the day of the table is not equal to 3",
        "you have none of these: spoon and fork",
        "Pay the goods with your spoon.",
    ):
        assert sentence in text, (sentence, text)


def test_steps_of_several_letters_are_told_once(tmp_path):
    """Check that equal steps say how often, and that steps with inner steps share their lines."""
    path = tmp_path / "shelves.yaml"
    steps = """round:
  - {for: {c: 1-4, i: 1-3}, when: "cards(pile_{c}) < 3", draw: {to: "pile_{c}"}}
  - {for: {i: 1-2}, deal: {to: hand, cards: 1}}
  - for: {c: 1-4}
    who: "cards(plate_{c}) == 0"
    in_turn: {by: "cards(plate_{c})", do: [{choose: {from: "pile_{c}", to: "plate_{c}"}}]}
  - {for: {i: 1-3}, choose: {from: hand, to: tableau}, when: "cards(left_shelf) > {i - i}"}
  - score: round
scoring"""
    zones = 'zones: {left_shelf: {}, "pile_{c}": {for: {c: 1-4}}, '
    zones += '"plate_{c}": {for: {c: 1-4}, per: seat, seen_by: everyone}}'
    text = re.sub(r"round:.*scoring", steps, re.sub(r"zones: .*", zones, ZONES, count=1), count=1, flags=re.DOTALL)
    path.write_text(text.replace("cards(plate)", "cards(plate_1)"))
    lines = " ".join(as_text(book_of(rules_named(path))).partition("A round")[2].partition("Scoring")[0].split())
    same = "The same goes for “Pile 2”, and so on up to “Pile 4”."
    assert (
        f"1. Up to 3 times: If there are at most 2 cards in “Pile 1”: Add from the deck to “Pile 1”: 1 card. {same}"
        in lines
    )
    assert "2. 2 times: Deal 1 card to each player." in lines
    assert "5. Steps 3–4: The same goes for “Pile 2” and “Plate 2”, and so on up to “Pile 4” and “Plate 4”." in lines
    assert "6. Up to 3 times: If there is at least one card in “Left shelf”: Choose 1 card of your hand" in lines


STORE = """format: 2
id: store
title: Store
version: 1.0.0
players: 2
rounds: 1
values: {spice: {label: {en: {one: spice, other: spices}, pl: {one: przyprawa, few: przyprawy, many: przypraw}}}}
cards:
  stew: {count: 20, cost: {spice: 2, vegetables: 1, olives: 1}}
  farm: {count: 20, makes: {spice: 1}, adds: {olives: 1, light: 1}}
  shed: {count: 20, adds: {vegetables: 1, olives: 3}}
counters: {vegetables: {max: 90, label: vegetables}, olives: {max: 90, label: olives}, light: {max: 90, label: light}}
payments: {price: {goods: [spice, vegetables, olives], from: [{counters: same}, {makes: self}]}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 5}
  - repeat:
      until_empty: hand
      do: [{choose: {from: hand, as: {buy: {pay: {price: cost}, to: tableau}, burn: {to: discard}}}}]
  - score: round
scoring: {stew: {each: stew, points: 2}, light: {each: light, points: 1}}
"""


@pytest.mark.parametrize(
    ("language", "phrases"),
    [
        (
            "en",
            [
                "Stew (costs 2 spices, 1 vegetable and olives: 1)",
                "Farm (makes 1 spice, olives: 1, 1 light)",
                "Shed (1 vegetable, 3 olives)",
            ],
        ),
        ("pl", ["Stew (koszt – 2 przyprawy, vegetables: 1 i olives: 1)", "Farm (wytwarza – 1 przyprawa, "]),
    ],
)
def test_units_have_the_singular_or_stand_before_their_number(tmp_path, language, phrases):
    """Goods without counters have their plural forms; a plural without a singular is not read after 1."""
    path = tmp_path / "store.yaml"
    path.write_text(STORE)
    text = " ".join(as_text(book_of(rules_named(path), language)).split())
    assert [phrase for phrase in phrases if phrase not in text] == []
