"""Rulebooks: the text of every shipped game in each of its languages, with examples from the engine."""

from __future__ import annotations

import os
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml
from msgspec.structs import replace

import draftengine as de
from draftengine.api.facts import Things
from draftengine.api.facts.steps import flow_of
from draftengine.api.labels import Labels
from draftengine.api.phrasing import CardSetPhraser
from draftengine.api.phrasing.examples import worked
from draftengine.api.phrasing.sentences import of_neighbours
from draftengine.api.ruleset import rules_named
from draftengine.model.flow import flow_bounds
from draftengine.model.rules import RULE_KINDS
from draftengine.model.shelf import shelf
from draftengine.model.yaml.tree import plain as plain_tree
from draftengine.render.faces.content import Faces
from draftengine.render.faces.small import Deck
from draftengine.render.rulebook import Box, Rule, aid_of, book_of
from draftengine.render.rulebook.formats import as_html, as_markdown, as_text
from draftengine.support.locale.catalogue import plain
from written import cases_in

HERE = Path(__file__).parent
SETS = Path(__file__).parents[2] / "cardsets"
BOOKS = [
    ("sushi_go", "en"),
    ("sushi_go", "pl"),
    ("sushi_go_2014", "en"),
    ("sushi_go_summary", "en"),
    ("anniversary", "pl"),
    ("anniversary", "en"),
    ("sushi_draft", "en"),
    ("sushi_draft", "ja"),
    ("more/party_first_meal", "en"),
    ("more/party_cutthroat", "en"),
    ("more/sushi_go_party", "en"),
]
_WRITE = "DRAFTENGINE_WRITE_BOOKS"
"""Environment variable: if set, the tests rewrite the golden texts instead of comparing them."""


def book(name, language="en", variants=(), players=None):
    """Return the rulebook of a shipped set."""
    return book_of(rules_named(SETS / f"{name}.yaml", variants), language, players)


@pytest.mark.parametrize(("name", "language"), BOOKS)
def test_the_text_of_every_shipped_set(name, language):
    """The rulebook of a shipped set equals its golden file, in each language."""
    path = HERE / "books" / f"{Path(name).name}-{language}.txt"
    text = re.sub(r"\b[0-9a-f]{12}\b", "HASH", as_text(book(name, language)))
    if os.environ.get(_WRITE):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def test_a_dish_brings_the_same_to_every_menu():
    """A dish has equal text in every menu: its cards and rules, and nothing of other dishes."""
    dishes = {}
    for menu in ("my_first_meal", "points_platter", "party_sampler"):
        (part,) = (
            own for own in book("more/sushi_go_party", variants=(menu,)).parts if own.title.endswith("this menu")
        )
        for own in part.blocks:
            told = own.lead, own.text[:60]  # the end of the text depends on the number of players
            assert dishes.setdefault(own.title, told) == told
    assert dishes["Wasabi"][0] == "3 × Wasabi."


def test_every_text_belongs_to_a_set():
    """Every golden file belongs to a shipped set and language."""
    assert {path.stem for path in (HERE / "books").iterdir()} == {f"{Path(name).name}-{own}" for name, own in BOOKS}


@pytest.mark.parametrize("name", sorted({name for name, _ in BOOKS}))
def test_sentences_name_no_ids_and_no_operators(name):
    """Sentences never show an id with an underscore, a comparison or a condition of a formula."""
    text = re.sub(r"(?m)^=+$", "", as_text(book(name)))
    assert re.search(r"[a-z]_[a-z]|==|>=| if .* else ", text) is None


@pytest.mark.parametrize("name", ["sushi_go", "anniversary", "sushi_draft", "more/party_first_meal", "more/ohanami"])
@pytest.mark.parametrize("players", [3, 4])
def test_examples_can_occur_and_are_what_the_engine_scores(name, players):
    """Box and turns suffice for each example, and the engine scores its cards as printed."""
    game = rules_named(SETS / f"{name}.yaml").game(players)
    bounds, cards = flow_bounds(game.model, players), {card.id: card for card in game.model.cards}
    rows = worked(game, CardSetPhraser(game.model))
    assert rows
    for rule in {row.rule for row in rows}:
        shown = {seat: row for row in rows if row.rule == rule for seat in row.seats}
        tables = [shown[seat].cards if seat in shown else () for seat in range(players)]
        copies = Counter(card.partition("@")[0] for table in tables for card in table)
        assert all(copies[card] <= cards[card].count for card in copies)
        for table in tables:
            kept = sum(cards[card].keep for card in table)
            assert len(table) - kept <= bounds.plays
            assert len(table) <= bounds.plays_in_game
        scored = game.lay_out(de.Position(tables=tables, round=game.model.rounds)).explain()
        points = {line.seat: line.points for line in scored if line.rule == rule and line.points}
        assert points == {seat: row.points for seat, row in shown.items() if row.points}


def test_an_example_needs_no_more_cards_than_a_hand_has(tmp_path):
    """A small hand shortens examples, and a similar card replaces one that the box has no more of."""
    parts = """
cards: {soup: {count: 9}, red: {count: 3, family: bread}, white: {count: 2, family: bread}}
scoring:
  soup: {table: soup, points: [1, 3, 6, 10, 15, 21]}
  bread: {majority: bread, most: [5], tie: next}
"""
    text = printed(tmp_path, parts)
    assert "Ann 4 × Soup 4 10" in text
    assert "Ann 2 × Red 2, no place 0 Ben Red, White 2, no place 0 Cem White 1, the most without a tie 5" in text


def test_examples_show_ties_and_remainders():
    """Examples include a shared place and a set with a remainder."""
    text = as_text(book("sushi_go"))
    assert "3 ÷ 2" in text
    assert "1 set, 1 left over" in text


def test_numbers_are_those_of_the_players_asked_for():
    """A book for two players says nothing about more, and nobody loses points."""
    text = as_text(book("sushi_go", players=2))
    assert "Deal 10 cards to each player." in text
    assert "loses" not in text


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "en",
            [
                "Hourya Counts as an explorer of 20.",
                "Kraal Counts as a warrior of 7.",
                "With the Dwerg card: you score 13 points.",
            ],
        ),
        ("pl", ["Hourya Liczy się jako odkrywca o wartości 20.", "Wojownicy Wojownik 3, 4, 5, …, 9, Kraal."]),
    ],
)
def test_a_card_that_counts_like_another_family_is_explained(language, sentences):
    """The book has the texts of such cards, names of single cards, and inflected families."""
    text = " ".join(as_text(book_of(rules_named(SETS / "more" / "nidavellir.yaml"), language)).split())
    assert [sentence for sentence in sentences if sentence not in text] == []


@pytest.mark.parametrize(
    ("name", "language", "sentences"),
    [
        ("nidavellir", "pl", ["Kowal (1 kowal)", "20 wartości odkrywców)", "Dołóż po 3 lub 4 karty z talii"]),
        (
            "medieval_academy",
            "pl",
            ["kto ma najwyższą wartość „Łowy na smoka”", "zaczyna gracz mający „Znacznik pierwszego"],
        ),
        ("medieval_academy", "pl", ["Gracie 6 rund. Wygrywa"]),
        ("medieval_academy", "en", ["You play 6 rounds. The most points win."]),
        ("nidavellir", "en", ["You play round after round and collect cards in front of you."]),
    ],
)
def test_words_fit_their_numbers_and_labels(name, language, sentences):
    """Polish quotes labels without plural forms; only games whose rules count cards say "collect"."""
    text = " ".join(as_text(book_of(rules_named(SETS / "more" / f"{name}.yaml"), language)).split())
    assert [sentence for sentence in sentences if sentence not in text] == []


@pytest.mark.parametrize(
    ("language", "label", "words"),
    [
        ("pl", "pl: światło", "(światło: 2)"),
        ("pl", "pl: {one: iskra, few: iskry, many: iskier}", "(2 iskry)"),
        ("en", "en: light", "(2 light)"),
    ],
)
def test_an_amount_has_words_with_and_without_plural_forms(tmp_path, language, label, words):
    lamps = f"""
cards:
  lamp: {{count: 20, adds: {{light: 2}}, label: Lamp}}
counters:
  light: {{label: {{{label}}}}}
scoring:
  lamps: {{points: light * lamp}}
"""
    assert f"20 × Lamp {words}" in printed(tmp_path, lamps, language)


@pytest.mark.parametrize(
    ("language", "sentences", "card"),
    [
        ("en", ["Choose 1 die or none from “Tray”", "Each set of 2 red dice scores 5"], "card"),
        ("pl", ["Wybierz najwyżej 1 kość ze strefy „Tray”", "Za każdy komplet 2 kości „Red die” dostajesz"], "kart"),
        ("ja", ["「Tray」から1個まで選び", "「Red die」2個の組ごとに5点。"], "カード"),
    ],
)
def test_a_game_of_dice_has_no_cards(tmp_path, language, sentences, card):
    """Books say dice where those of other games say cards, and list the sides of each die of a series."""
    game = """
format: 2
id: roll
title: Roll
version: 1.0.0
players: 2
rounds: 1
cards:
  "die_{n}": {for: {n: 1-2}, count: 4, starts_in: bag, label: "Die {n}", sides: {"one_{n}": 1, "two_{n}": 5}}
  cube: {count: 4, starts_in: bag, label: Cube, sides: {red: 3, blue: 3}}
  red: {label: Red die}
zones: {bag: {seen_by: nobody}, tray: {per: seat, seen_by: everyone}, aside: {per: seat, seen_by: everyone}}
round:
  - shuffle: bag
  - draw: {from: bag, to: tray, cards: 3}
  - roll: {zone: tray}
  - choose: {from: tray, to: aside, cards: 0-1}
  - choose: {from: aside, to: tableau, cards: 0-1}
  - score: round
scoring:
  reds: {set: red, size: 2, points: 5}
"""
    (tmp_path / "roll.yaml").write_text(game, "utf-8")
    text = " ".join(as_text(book_of(rules_named(tmp_path / "roll.yaml"), language)).split())
    assert [sentence for sentence in sentences if sentence not in text] == []
    assert f" {card}" not in text.lower().replace("card set", "").replace("kartkę", "")
    assert "4 × Die 2" in text  # on a line of its own, because the dice of the series differ


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "en",
            [
                "Put these dice aside as “Bag”",
                "3 dice from “Bag” to “Tray”.",
                "Take 1 die from “Tray”",
                "Deal 4 cards",
                "2 sword dice",
            ],
        ),
        (
            "pl",
            [
                "Te kości tworzą",
                "Każdy dobiera 3 kości ze strefy",
                "Weź 1 kość ze",
                "Wybierz 1 kartę z ręki",
                "2 kości „Sword”",
            ],
        ),
        ("ja", ["次のダイスは「Bag」", "「Bag」から「Tray」に3個", "手札から1枚選び", "「Sword」2個の組"]),
    ],
)
def test_dice_beside_cards_are_called_dice(tmp_path, language, sentences):
    """In a game with both, zones that only dice reach and sides of dice have words for dice."""
    game = """
format: 2
id: mixed
title: Mixed
version: 1.0.0
players: 2
rounds: 1
cards:
  cube: {count: 12, starts_in: bag, label: Cube, sides: {sword: 3, shield: 3}}
  sword: {label: Sword}
  shield: {label: Shield}
  soup: {count: 20, label: Soup}
zones:
  bag: {seen_by: nobody}
  tray: {per: seat, seen_by: everyone}
setup: [{shuffle: deck}]
round:
  - shuffle: bag
  - draw: {from: bag, to: tray, cards: 3}
  - roll: {zone: tray}
  - choose: {from: tray, to: tableau}
  - deal: {to: hand, cards: 4}
  - repeat: {until_empty: hand, do: [{choose: {from: hand, to: tableau}}, {pass: {zone: hand, to: left}}]}
  - score: round
scoring:
  swords: {set: sword, size: 2, points: 5}
  shields: {points: 2 * shield * soup}
  soups: {each: soup, points: 1}
  cubes: {points: cube}
"""
    (tmp_path / "mixed.yaml").write_text(game, "utf-8")
    text = " ".join(as_text(book_of(rules_named(tmp_path / "mixed.yaml"), language)).split())
    assert [sentence for sentence in sentences if sentence not in text] == []


def test_definitions_have_their_names():
    """Long definitions are explained once and then named; short ones are written out."""
    rules = rules_named(HERE.parent / "natural" / "realms.yaml")
    text = " ".join(as_text(book_of(rules)).split())
    assert "Burning Applies if you have at least one Wildfire card and you have no Rainstorm cards." in text
    assert "Men 0 if “burning” applies, otherwise the number of your army cards." in text
    assert "If “fog” is more than 0 and “burning” applies, you score 50 points." in text
    assert "15 less twice (“men” less 1)" in text
    assert "if “burning” does not apply: You score 30 points. If you have no wizard cards, you lose 40 points." in text
    assert "“rain”" not in text
    assert text.count("What these words mean") == 1
    assert "Applies if" in as_text(aid_of(rules))
    assert "jeśli nie zachodzi „burning”" in " ".join(as_text(book_of(rules, "pl")).split())
    assert "What these words mean" not in as_text(book("sushi_go"))
    assert "burning" not in CardSetPhraser(rules.model).rule(rules.model.scoring[0])  # no glossary


def printed(tmp_path, text, language="en"):
    """Return the rulebook of a small game with these parts, as one line."""
    path = tmp_path / "small.yaml"
    small = SMALL if "kind: " in text else SMALL.replace("format: 1", "format: 2")
    path.write_text(small + text, "utf-8")
    return " ".join(as_text(book_of(rules_named(path), language)).split())


SMALL = """
format: 1
id: small
title: Small
version: 1.0.0
players: 2-3
rounds: 1
setup: [{shuffle: deck}]
round: [{deal: {to: hand, cards: 4}}, {repeat: {until_empty: hand, do: [{choose: {}}]}}, {score: round}]
winner: {order: most}
"""


_PETS = """
cards:
  cat: {count: 6, family: pets, label: {en: Cat, pl: Kot, ja: ねこ}}
  dog: {count: 6, family: pets, label: {en: Dog, pl: Pies, ja: いぬ}}
  red_soup: {count: 6, family: soups, label: {en: Red soup, pl: Zupa czerwona, ja: 汁・赤}}
  soup: {count: 6, family: soups, label: {en: Soup, pl: Zupa, ja: 汁}}
families:
  pets: {label: {en: {one: Pet, other: Pets}, pl: Zwierzęta, ja: ペット}}
  soups: {label: {en: {one: Soup, other: Soups}, pl: Zupa, ja: 汁物}}
scoring:
"""


@pytest.mark.parametrize(
    "rule",
    [
        "{set: pets, size: 3, points: 5}",
        "{points: pets, text: {en: Count pets., pl: Licz zwierzęta., ja: ペットを数える。}}",
    ],
)
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "What these words mean --------------------- Pets Cat, Dog. Scoring"),
        ("pl", "Co znaczą te słowa ------------------ Zwierzęta Kot, Pies. Punktacja"),
        ("ja", "言葉の意味 ---------- ペット ねこ、いぬ。 得点"),
    ],
)
def test_a_family_is_explained_once_unless_its_cards_show_it(tmp_path, rule, language, words):
    """A book lists the cards of a family that rules or tie-breakers count, unless their names tell it."""
    rules = f"  friends: {rule}\n  more: {rule}\n  soups: {{each: soups, points: 2}}\n"
    assert printed(tmp_path, _PETS + rules, language).count(words) == 1
    path = tmp_path / "small.yaml"
    assert "Pets Cat, Dog." in " ".join(as_text(aid_of(rules_named(path))).split())
    tie = SMALL.replace("format: 1", "format: 2").replace("{order: most}", "{order: most, tie_breakers: [most: pets]}")
    path.write_text(f"{tie}{_PETS}  soups: {{each: soups, points: 2}}\n", "utf-8")
    assert words in " ".join(as_text(book_of(rules_named(path), language)).split())
    assert "Pets" not in printed(tmp_path, _PETS + "  soups: {each: soups, points: 2}\n  dog: {each: dog, points: 1}\n")


def test_definitions_with_values_have_their_names(tmp_path):
    """A definition that asks for values is explained once, with their names."""
    parts = """
cards: {soup: {count: 20}, bread: {count: 20}}
define:
  "share(x, y)": x * y + (2 * x + left(x) if y > 1 else 7)
  "both(x)": share(x, 2) + share(bread, x) + 3 * x
scoring: {meal: {kind: formula, points: "both(soup) - share(soup + 1, 4)"}}
"""
    text = printed(tmp_path, parts)
    assert (
        "Points: “both” (the number of your soup cards) less “share” (the number of your soup cards plus 1; 4)" in text
    )
    assert "Both (x) “share” (“x”; 2) plus “share” (the number of your bread cards; “x”) plus 3 times “x”." in text
    assert (
        "Share (x; y) “x” times “y” plus (twice “x” plus “x” of your left neighbour if “y” is more than 1, oth" in text
    )
    assert "„share” („x”; 2) plus „share”" in printed(tmp_path, parts, "pl")


def test_a_definition_is_called_and_explained_as_its_author_says(tmp_path):
    """Check that a label stands for a definition, and a text for its formula in that language."""
    parts = """
cards: {soup: {count: 20}, bread: {count: 20}}
define: {meal: {is: soup + bread, label: {en: the feast, pl: uczta}, text: {en: All that you ate.}}}
scoring: {meal: {points: 2 * meal}}
"""
    text = printed(tmp_path, parts)
    assert "The feast All that you ate." in text
    assert "“the feast”" in text.partition("Scoring")[2]
    polish = printed(tmp_path, parts, "pl")
    assert "„uczta”" in polish
    assert "All that you ate." not in polish


@pytest.mark.parametrize(
    ("name", "variants", "text"),
    [
        ("more/tides_of_time", (), "Even scales You win every tie."),
        (
            "more/sushi_go_party",
            ("cutthroat_combo",),
            "Spoon On a later turn name a card: the first player on your left who holds one gives it to you",
        ),
        (
            "more/sushi_go_party",
            ("master_menu",),
            "Spoon On a later turn name a card: the first player on your left who holds one gives it to you",
        ),
    ],
)
def test_a_card_without_a_rule_of_the_file_is_told_by_its_text(name, variants, text):
    printed_book = " ".join(as_text(book(name, variants=variants)).split())
    assert text in printed_book.partition("own ---")[2].partition("Scoring")[0]


def test_the_text_of_a_step_stands_for_the_steps_in_it(tmp_path):
    """Check that the steps in it are told where a step has no text in the language of a rulebook."""
    parts = """
cards: {soup: {count: 20}, bread: {count: 20}}
finish:
  - text: {en: All pay.}
    in_turn: {do: [{choose: {from: hand, to: discard}}, {points: 1}]}
scoring: {soup: {each: soup, points: 2}}
"""
    english = printed(tmp_path, parts)
    assert "All pay." in english
    assert "1 point" not in english.partition("All pay.")[2].partition("Scoring")[0]
    assert "zdobądź 1 punkt" in printed(tmp_path, parts, "pl").lower()


@pytest.mark.parametrize("to", ["hand", "relics"])
@pytest.mark.parametrize("who", ["", "who: soup > 1, "])
def test_what_is_done_otherwise_is_told_once(tmp_path, to, who):
    """Check that a step with `else` has a line for each branch, also if it is carried out as two steps."""
    parts = f"""
cards: {{soup: {{count: 90}}}}
zones: {{relics: {{per: seat, counts: true}}}}
finish:
  - {{draw: {{to: {to}, cards: 12}}, {who}when: cards(deck) > 9, else: [{{draw: {{to: hand, cards: 13}}}}]}}
  - {{draw: {{to: {to}}}, when: cards(deck) > 9, text: Take one., else: [{{draw: {{to: hand, cards: 14}}}}]}}
  - in_turn: {{do: [{{draw: {{to: {to}, cards: 15}}, {who}when: soup > 2, else: [{{draw: {{to: hand, cards: 16}}}}]}}]}}
scoring: {{soup: {{each: soup, points: 2}}}}
"""
    text = printed(tmp_path, parts)
    assert [text.count(f"{count} cards") for count in range(12, 17)] == [1] * 5
    assert [text.count(words) for words in ("Take one.", "Otherwise:", "otherwise", "Taken")] == [1, 2, 1, 0]


def test_cards_show_the_families_that_formulas_ask_for(tmp_path):
    """Check the list of cards, what a table says of a card, and its face; names may say it, too."""
    parts = """
families: {suit: {}, heart: {family: suit, label: Hearts}, bell: {family: suit, label: Bells}, cheap: {}}
cards:
  duke: {count: 6, family: [heart, cheap]}
  monk: {count: 6, family: bell, text: A monk.}
  bell_ringer: {count: 6, family: bell}
  "page_{n}": {for: {n: 1-9}, count: 2, family: heart, label: "Page {n}"}
scoring: {suits: {points: "over(suit, card * card)", text: Each suit scores the square of its cards.}}
"""
    box = printed(tmp_path, parts).partition("In the box")[2].partition("Set-up")[0]
    assert "6 × Duke (hearts) 6 × Monk (bells) 6 × Bell ringer 18 × Page 1, 2, 3, …, 9 (hearts, 2 of each)" in box
    rules = rules_named(tmp_path / "small.yaml")
    at_table = {card.id: Things(Labels(rules.model)).card(card).plain for card in rules.model.cards}
    faces = {face.card: face.line for face in Faces(rules, CardSetPhraser(rules.model)).all()}
    assert [at_table["duke"], at_table["monk"]] == ["Hearts.", "Bells. A monk."]
    assert "Bells" not in at_table["bell_ringer"]
    assert faces["monk"] == "Bells. A monk."


def test_a_number_with_a_plural_is_counted_and_another_one_added_up(tmp_path):
    """Check the words for a sum of printed numbers, with and without plural forms of their label."""
    parts = """
cards:
  "soup_{n}": {for: {n: 1-3}, count: 9, family: soup, has: {cost: "{n}", bites: "{4 - n}"}}
values: {bites: {label: {en: {one: bite, other: bites}, pl: {one: kęs, few: kęsy, other: kęsów}}}}
scoring:
  dear: {points: "over(soup, card * its(cost))"}
  filling: {points: "3 if over(soup, card * its(bites)) > 5 else 0"}
"""
    english, polish = printed(tmp_path, parts), printed(tmp_path, parts, "pl")
    assert "Points: your sum of cost on soup cards." in english
    assert "If you have 6 or more bites on soup cards, you score 3 points." in english
    assert "twoja suma cost na kartach" in polish
    assert "masz co najmniej 6 kęsów na kartach" in polish


def test_numbers_of_cards_have_the_names_that_the_author_gives_them(tmp_path):
    parts = """
values: {cost: {label: {en: Price, pl: Cena}}}
cards: {soup: {count: 20, has: {cost: 3}}, bread: {count: 20, has: {cost: 4}}}
scoring: {dear: {kind: formula, points: "highest(tableau, cost, 0)"}}
"""
    assert "20 × Soup (price 3)" in printed(tmp_path, parts)
    assert "Points: the highest value of price in the cards in front of you" in printed(tmp_path, parts)
    assert "20 × Soup (cena 3)" in printed(tmp_path, parts, "pl")


def test_labels_with_capitals_are_names(tmp_path):
    """A label of capitalised words keeps them within a sentence; a common noun begins small."""
    parts = """
cards: {soup: {count: 20, label: Miso Soup}, bread: {count: 20, label: Rye bread}}
scoring: {dear: {each: soup, points: 2}, cheap: {each: bread, points: 1}}
"""
    page = printed(tmp_path, parts)
    assert "Each Miso Soup card scores 2 points." in page
    assert "Each rye bread card scores 1 point." in page


def test_a_rule_named_like_a_counter_has_its_label(tmp_path):
    parts = """
cards: {soup: {count: 40, adds: {pearls: 1}}}
counters: {pearls: {label: {en: pearls, pl: {one: perła, few: perły, many: pereł}, ja: 真珠}}}
scoring: {pearls: {each: pearls, points: 1}}
"""
    printed(tmp_path, parts)
    for language, title in (("en", "Pearls"), ("pl", "Perły"), ("ja", "真珠")):
        assert title in as_text(book_of(rules_named(tmp_path / "small.yaml"), language)).splitlines()


def test_equal_rules_of_a_series_are_one_section(tmp_path):
    """Rules of a series that differ by the number of their card are said once; others by themselves."""
    parts = """
cards:
  "tile_{n}": {series: {n: 1-9}, count: 5, family: tiles, scores: {kind: each, of: tiles, points: "{n}"}}
  "log_{n}": {series: {n: 1-9}, count: 5, family: logs, scores: {kind: each, of: logs, points: "10 - {n}"}}
scoring: {}
"""
    text = printed(tmp_path, parts)
    assert text.count("Tile 2, 3, 4, …, 9 For each tile 2 card: each tiles card scores 2 points.") == 1
    assert "The same goes for 3, and so on up to 9." in text
    assert "Tile 2, 3, 4, …, 9 For each tile 2 card: each tiles 2, 3, 4, 5, 6, 7, 8, 9" in text
    assert "Log 4 For each log 4 card: each logs card scores 6 points." in text


def test_an_entry_of_several_series_is_told_series_by_series(tmp_path):
    """The box has a line for each series of an entry. One text for their family says what all of them do."""
    parts = """
format: 2
counters: {red: {}, blue: {}}
cards:
  "{c}_{n}":
    for: {c: [red, blue], n: 1-4}
    count: 3
    family: step
    label: "{c} {n}"
    on_play: [{add: {"{c}": "{n}"}}]
    text: Go on.
scoring: {red: {each: red + blue, points: 1}}
"""
    path = tmp_path / "small.yaml"
    path.write_text(SMALL.replace("format: 1\n", "") + parts, "utf-8")
    text = " ".join(as_text(book_of(rules_named(path))).split())
    assert "12 × red 1, 2, 3, 4 (3 of each) 12 × blue 1, 2, 3, 4 (3 of each)" in text
    assert "Step cards Go on." in text
    assert text.count("Go on") == 2  # in its section, and in the quick reference
    assert "go on 0" in text
    assert "Step cards red 1, 2, 3, 4, blue 1, 2, 3, 4." in text


def test_rules_that_differ_in_families_are_told_once(tmp_path):
    """Rules of a series are one section if their titles say in which families they differ."""
    parts = """
format: 2
lists:
  plant: {leek: leek, pea: pea, oat: oat, rye: rye, fig: fig, yam: yam}
  next: [{a: leek, b: pea}, {a: pea, b: oat}, {a: oat, b: rye}, {a: rye, b: fig}, {a: fig, b: yam}, {a: yam, b: leek}]
families: {"{p}": {for: {p: plant}, family: food, label: "{p}"}, food: {label: Food}}
cards:
  "two_{a}":
    {for: next, count: 2, starts_in: store, back: "{b}", label: "two = {a} and {b}", scores: {points: "{a} + {b}"}}
  "odd_{a}": {for: next, starts_in: store, back: "{b}", label: "odd {a}", scores: {points: "{b}"}}
zones: {store: {}}
scoring: {kinds: {points: "over(food, card > 1)"}}
"""
    path = tmp_path / "small.yaml"
    path.write_text(SMALL.replace("format: 1\n", "").replace("deal: {to", "deal: {from: store, to") + parts, "utf-8")
    text = " ".join(as_text(book_of(rules_named(path))).split())
    assert "12 × two = leek and pea, …, two = yam and leek (2 of each)" in text
    assert "“Store”: 18 × cards with food on the other side." in text
    assert "For each “two = leek and pea” card: each leek card scores 1 point. Each pea card scores 1 point. " in text
    assert "The same goes for two = pea and oat, two = oat and rye, two = rye and fig, " in text
    assert text.count("Odd ") + text.count("odd ") > 12  # nothing in their names says which cards they count
    assert "kinds of food cards, 2 or more of each" in text
    assert "Leek cards" not in text.partition("What these words mean")[2].partition("Scoring")[0]


@pytest.mark.parametrize(
    ("joker", "title", "kinds"),
    [("family: colour", "A Each set", "joker, red and blue"), ("family: odd", "Colour Each set", "red and blue")],
    ids=["one-more", "all"],
)
def test_a_family_of_families_is_named_only_if_these_have_all_its_cards(tmp_path, joker, title, kinds):
    """Families have the name of the family above them, unless that has a card besides theirs."""
    parts = f"""
families: {{colour: {{label: Colour}}, red: {{label: Red, family: colour}}, blue: {{label: Blue, family: colour}}}}
cards:
  "r_{{n}}": {{for: {{n: 1-3}}, count: 4, family: red, label: "Rose {{n}}"}}
  "b_{{n}}": {{for: {{n: 1-3}}, count: 4, family: blue, label: "Bell {{n}}"}}
  joker: {{count: 4, {joker}}}
scoring: {{a: {{collection: [red, blue], points: 5}}, c: {{points: "over(colour, card * card)"}}}}
"""
    text = printed(tmp_path, parts)
    assert f"{title} of one red card and one blue card scores 5 points." in text
    assert f"the sum over {kinds}, each by itself, of their number" in text


def test_titles_have_no_quotation_marks(tmp_path):
    """A label that is no words is quoted in sentences, but not in titles or the quick reference."""
    parts = """
families: {spice: {label: Salt/Pepper}}
cards: {salt: {count: 9, family: spice}, pepper: {count: 9, family: spice}, act: {count: 12, label: "Act: two"}}
scoring: {b: {majority: act, most: [5]}, c: {collection: [salt, pepper], points: 3}}
"""
    text = printed(tmp_path, parts)
    assert "Act: two The player with the most “Act: two” cards scores 5 points." in text
    assert "Salt/Pepper Each set of one salt card and one pepper card scores 3 points." in text
    assert "Act: two most" in text
    assert text.count("“Act: two”") == 1


def test_labels_may_be_longer_in_small_letters(tmp_path):
    """Rules of a series are one section, also where a label has a letter that folds to two, as “ß” does."""
    parts = """
lists: {colour: {a: Rot, b: Weiß, c: Blau, d: Gelb, e: Grün, f: Lila}}
families: {"{c}": {for: {c: colour}, label: "{c}"}}
cards: {"{c}_card": {for: {c: colour}, count: 6, family: "{c}", label: "Karte {c}"}}
scoring: {"s_{c}": {for: {c: colour}, label: "Punkte {c}", points: "3 * {c}"}}
"""
    same = "The same goes for Punkte Weiß, Punkte Blau, Punkte Gelb, Punkte Grün, Punkte Lila."
    assert f"Punkte Lila Each rot card scores 3 points. {same}" in printed(tmp_path, parts)


@pytest.mark.parametrize("language", ["en", "pl", "ja"])
def test_a_game_without_cards_has_a_rulebook(tmp_path, language):
    """A game of counters and their dice has no cards in its box, and none on its cover."""
    parts = "cards: {}\ncounters: {pip: {die: 6}}\nscoring: {pips: {points: pip}}\n"
    path = tmp_path / "small.yaml"
    game = SMALL.replace("format: 1\n", "format: 2\n").replace("setup: [{shuffle: deck}]\n", "")
    path.write_text(re.sub("round: .*", "round: [{roll: pip}, {score: round}]", game) + parts, "utf-8")
    rules = rules_named(path)
    whole = book_of(rules, language)
    assert "\n\n\n" not in as_text(whole)
    assert not any(isinstance(block, Box) for part in whole.parts for block in part.blocks)
    for pages in (whole, aid_of(rules, language)):
        page = as_html(pages, Deck(rules.model, {}))
        assert 'class="seal"' not in page
        assert "Pip" in page


def test_cards_whose_number_differs_are_put_aside_as_the_table_says(tmp_path):
    """The set-up names no number of cards that depends on the number of players: its table has it."""
    parts = (
        "cards: {coin: {count: 2 * players, starts_in: purse}, gem: {count: 3, starts_in: purse}, soup: {count: 30}}"
    )
    more = "zones: {purse: {}}\nscoring: {soup: {each: soup, points: 1}}\n"
    path = tmp_path / "small.yaml"
    path.write_text(f"{SMALL.replace('format: 1', 'format: 2')}{parts}\n{more}", "utf-8")
    text = " ".join(as_text(book_of(rules_named(path))).split())
    assert "Put these cards aside as “Purse”: Coin (see the table) and 3 × Gem." in text


def test_a_number_that_is_by_chance_that_of_the_card_is_told(tmp_path):
    """All cards of a series show their price of 2, number 2 as well."""
    cards = '"inn_{n}": {for: {n: 1-4}, count: 1, has: {price: 2, nr: "{n}"}}'
    scoring = 'inns: {points: "sum(tableau, price) + sum(tableau, nr)"}'
    path = tmp_path / "small.yaml"
    path.write_text(
        f"{SMALL.replace('format: 1', 'format: 2')}cards: {{soup: {{count: 30}}, {cards}}}\nscoring: {{{scoring}}}\n",
        "utf-8",
    )
    text = " ".join(as_text(book_of(rules_named(path))).split())
    assert "1 × Inn 1 (price 2) 1 × Inn 2 (price 2) 1 × Inn 3 (price 2)" in text


def test_definitions_about_a_card_have_their_names():
    """Definitions about a card are explained for any card, even nested ones; short ones are written out."""
    text = natural("three_ages")
    assert "“Build” (only if “is new” applies and “lack” is equal to 0: pay its price in coins and put it in" in text
    assert "Lack For the card in question: “lack wood” plus “lack stone” plus “lack cloth”." in text
    assert "Lack wood For the card in question: (its wood cost less the number of your wood) (but at least 0)." in text
    assert "Is new Applies to the card in question if you have no cards of the same name." in text
    assert "(the smallest of these: “lack wood” and the number of wood of your left neighbour) plus (the sm" in text
    polish = " ".join(as_text(book_of(rules_named(HERE.parent / "natural/three_ages.yaml"), "pl")).split())
    assert "Zachodzi dla karty, o którą chodzi, jeśli nie masz karty o tej samej nazwie." in polish


def test_cards_go_where_one_would_put_them():
    """Deals name the receiver, and cards go into a hand or on the discard pile."""
    text = " ".join(as_text(book_of(rules_named(HERE.parent / "natural" / "quarters.yaml"))).split())
    assert "Deal 6 cards to whoever holds “Crown”, as “Choice”." in text
    assert "choose 1 card from “Offer” and take it into your hand and put all of “Offer” on the discard pile" in text


def natural(name):
    """Return the rulebook of one of the `natural` games, as one line."""
    return " ".join(as_text(book_of(rules_named(HERE.parent / "natural" / f"{name}.yaml"))).split())


def test_how_places_lie_is_told():
    """A layout names its rows and covers, and who may take from it; without a number all places get cards."""
    text = natural("facing_cities")
    assert "If it is round 1: Lay out cards on “First age”, one on each place." in text
    assert "“First age” has these rows, from the undermost to the topmost: 2 cards, 3 cards face down, 4 cards" in text
    assert text.count("Each card lies under the two next to it in the row above.") == 1  # the second one is no pyramid
    assert text.count("Only a card on which no other one lies can be taken; if it is face down, it is turned up") == 2
    assert "Whoever holds “Mover” takes 1 card from “First age” and puts it with “Taken”." in text
    assert "rows" not in as_text(book("sushi_go"))


def test_what_sort_a_card_is_of_is_no_number():
    text = natural("sweet_tooth")
    assert "“Keep” (only if it does not count as sweet: put it in front of you)" in text
    assert "add 3 times (1 if it counts as sweet, otherwise 0) to your coins" in text
    assert "Is played as cake or soup, if it counts as sweet or you have at least one soup card." in text


def test_conditions_are_told_that_are_numbers_or_depend_on_others():
    text = natural("format_2/splendor_in_two_steps")
    assert "add 1 to your gold (only if all players together have 4 gold or fewer)" in text
    cases = "it counts as hut and you have no cards of the same name, or else it does not count as hut and you have"
    assert cases in natural("craftsmen")


def test_what_the_set_up_repeats_is_told():
    text = natural("nine_for_three_years")
    assert (
        "3. Choose 1 card of your hand and put it face down in front of you (“Library”). 4. Pass your hand to the left."
        in text
    )
    assert "5. Steps 3–4: Go on like this until the hands are empty." in text


def test_a_rule_may_say_itself():
    """The author's text replaces the sentence of a rule, in its language."""
    rules = rules_named(HERE / "said.yaml")
    text = as_text(book_of(rules))
    assert "Soup is worth what the cook says." in text
    assert "Zupa" in as_text(book_of(rules, "pl"))


@pytest.mark.parametrize(("players", "asked"), [(None, True), (2, True), (4, False)])
def test_a_question_is_told_where_it_can_arise(players, asked):
    assert ("In a game of two, both" in " ".join(as_text(book("sushi_go", players=players)).split())) == asked


def test_variants_are_played_or_told():
    """A selected variant is named as played, and not listed among the variants."""
    chosen = as_text(book("sushi_go", variants=["pass_both_ways"]))
    assert "to the left in rounds 1 and 3, to the right in round 2" in chosen
    assert "Played here: Pass both ways." in chosen
    assert "\nVariants\n" not in chosen


class _Balanced(HTMLParser):
    """Matches the opening and closing tags of a page."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.seen = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize(("name", "language"), [("sushi_go", "en"), ("sushi_draft", "ja")])
def test_the_page_is_whole(name, language):
    """The page has no script, needs no network, closes all its tags, and describes its pictures."""
    rules = rules_named(SETS / f"{name}.yaml")
    found = book_of(rules, language)
    html = as_html(found, Deck(rules.model, dict(found.names)))
    parser = _Balanced()
    parser.feed(html)
    assert parser.open == []
    assert parser.seen.isdisjoint({"script", "link", "img", "iframe"})
    assert "url(http" not in html
    assert f'lang="{language}"' in html
    assert re.search(r'<svg [^>]*role="img" aria-label="', html)
    assert html == as_html(found, Deck(rules.model, dict(found.names)))


def test_what_card_sets_say_is_text():
    """Markup in a title or label is shown as text."""
    rules = rules_named(HERE / "said.yaml")
    found = book_of(rules)
    html = as_html(found, Deck(rules.model, dict(found.names)))
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "\\<script\\>" in as_markdown(found)


def test_markdown_keeps_tables_and_bold():
    """In Markdown, points are bold and tables are tables."""
    text = as_markdown(book("sushi_go"))
    assert "scores **6** points" in text
    assert "1 → **1**, 2 → **3**" in text
    assert "| Players | 2 | 3 | 4 | 5 |" in text


def test_a_player_aid_says_what_is_looked_up_while_playing():
    """A player aid has the round, scoring, special cards and the end; no setup, variants or examples."""
    aid = aid_of(rules_named(SETS / "sushi_go.yaml"))
    text = as_text(aid)
    assert [part.title for part in aid.parts] == [
        "A round", "Scoring", "Cards with a rule of their own", "End of the game",
    ]  # fmt: skip
    assert re.search(r"\nDumpling +1, 2, 3, 4, 5 or more +1, 3, 6, 10, 15\n", text)
    assert len(text.splitlines()) < 66  # one page of A4
    assert 'class="book short"' in as_html(aid, Deck(rules_named("sushi_go").model, dict(aid.names)))


# ── Formulas ──

PEGS = HERE.parent / "natural/pegs.yaml"
_ALOUD = cases_in(HERE / "aloud.yaml")
_GAME = {
    "format": 1,
    "id": "aloud",
    "title": "Aloud",
    "version": "1.0.0",
    "players": "2-4",
    "rounds": 2,
    "cards": {
        **{own: {"count": 10, "family": "food", "has": {"bites": 2}} for own in ("soup", "bread", "tea")},
        "diner": {"count": 10, "adds": {"stars": 1}, "on_play": [{"set": {"bid": 1}}]},
    },
    "counters": {"bid": {"keep": True}, "pots": {"per": "table", "keep": True}},
    "markers": {"cup": {}},
    "zones": {"market": {"per": "table", "seen_by": "everyone"}, "plate": {"per": "seat", "seen_by": "everyone"}},
    "round": [
        {"deal": {"to": "hand", "cards": 4}},
        {"repeat": {"until_empty": "hand", "do": [{"choose": {}}]}},
        {"score": "round"},
        {"move": {"from": "tableau", "to": "deck"}},
    ],
    "scoring": {f"rule_{at}": {"kind": "formula", "points": own["points"]} for at, own in enumerate(_ALOUD)},
    "winner": {"order": "most"},
}


@pytest.fixture(scope="module")
def spoken_rules(tmp_path_factory):
    """Return the model of a game with a rule for every formula of the table."""
    path = tmp_path_factory.mktemp("aloud") / "aloud.yaml"
    path.write_text(yaml.safe_dump(_GAME, sort_keys=False), "utf-8")
    return rules_named(path).model


@pytest.mark.parametrize("at", range(len(_ALOUD)), ids=[own["points"] for own in _ALOUD])
def test_formulas_are_read_as_a_person_would_say_them(at, spoken_rules):
    """A rulebook reads each formula as the table says, in each of the table's languages."""
    said = {tag: text for tag, text in _ALOUD[at].items() if tag != "points"}
    rule = spoken_rules.scoring[at]
    assert {tag: plain(CardSetPhraser(spoken_rules, tag).rule(rule)) for tag in said} == {
        tag: plain(text) for tag, text in said.items()
    }


def test_a_counter_called_like_a_word_of_the_sentence_is_quoted(spoken_rules):
    """A counter whose label is a word of rules, such as “at”, is in quotes; any other is not."""
    counter = spoken_rules.counters[0]
    labels = {"At": "“At”", "Goes": "“Goes”", "score": "“score”", "Stars": "stars", "Points of wood": "points of wood"}
    for label, noun in labels.items():
        model = replace(spoken_rules, counters=(replace(counter, label=(("", label),)),))
        assert CardSetPhraser(model, "en").counter(counter.id).form("other") == noun


_OF_THE_OTHER = {
    "en": (
        "stars than the other player and you have more stars than the other player",
        "in the cards of the other player",
    ),
    "pl": ("Jeśli masz więcej „Stars” niż drugi gracz i masz więcej „Stars” niż drugi gracz", "kart drugiego gracza"),
    "ja": ("Starsが相手より多い、かつStarsが相手より多い", "相手の前のカード"),
}


@pytest.mark.parametrize("language", _OF_THE_OTHER)
def test_two_players_are_no_neighbours(language, spoken_rules):
    """With two players, both neighbours are “the other player”, and one note about neighbours is left out."""
    texts = {own["points"]: rule for own, rule in zip(_ALOUD, spoken_rules.scoring, strict=True)}
    both = texts["3 if stars > left(stars) and stars > right(stars) else 0"]
    two = CardSetPhraser(spoken_rules, language, counts=[2])
    assert _OF_THE_OTHER[language][0] in plain(two.rule(both))
    formulas = RULE_KINDS[both.kind].inputs(both.spec)
    assert of_neighbours(formulas, two) == ""
    assert of_neighbours(formulas, CardSetPhraser(spoken_rules, language)) != ""
    assert _OF_THE_OTHER[language][1] in plain(two.rule(texts["left(sum(tableau, bites))"]))


_OF_THE_CHOSEN_CARD = {
    "en": """
you have no cards of its colour in “First”
there are no cards in “Second” for which the dye is not equal to the dye of this card
there are no cards in “Second” for which the size is more than the size of this card plus 1
""",
    "pl": """
nie masz karty tego samego rodzaju („Kolor”) w strefie „First”
w strefie „Second” nie ma żadnej karty, dla której dye tej karty nie równa się: dye wybranej karty
w strefie „Second” nie ma żadnej karty, dla której size tej karty to więcej niż size wybranej karty plus 1
""",
    "ja": """
「First」の同じ「色」のカードがない
「Second」に「そのカードのdyeが選んだカードのdyeと等しくない」のカードがない
「Second」に「そのカードのsizeが選んだカードのsize＋1より多い」のカードがない
""",
}


@pytest.mark.parametrize("language", _OF_THE_CHOSEN_CARD)
def test_cards_that_are_like_the_chosen_one_are_told_from_it(language):
    """Conditions distinguish the chosen card from the cards that it is compared with."""
    model = rules_named(PEGS).model
    (choice, *_) = next(step for step in model.round if step.verb == "repeat").do
    speech, (first, second, _) = CardSetPhraser(model, language), choice.as_
    conditions = (first.when.expr, second.when.expr.left, second.when.expr.right)
    assert [*map(speech.condition, conditions)] == _OF_THE_CHOSEN_CARD[language].split("\n")[1:-1]


def test_cards_of_its_family_are_counted_in_words():
    """A count of cards of a card's own family is written in words, regardless of the family's size."""
    model = rules_named(PEGS).model
    (choice, *_) = next(step for step in model.round if step.verb == "repeat").do
    (coins,) = choice.as_[2].do[0].amounts
    assert (
        CardSetPhraser(model).amount(coins.formula.expr)
        == "1 plus the number of cards of the same name in the discard pile"
    )


# ── Steps that are alike, and steps that cannot happen ──

_BIDS = """
format: 1
id: bids
title: Bids
version: 1.0.0
players: 2-3
rounds: 1
cards:
  soup: {count: 20}
counters: {bid: {}}
zones:
  place_1: {per: table}
  place_2: {per: table}
  place_3: {per: table}
  place_4: {per: table}
  won: {per: seat}
setup: [shuffle: deck]
round:
  - repeat:
      times: 2
      do:
        - draw: {to: place_1, cards: 1}
        - draw: {to: place_2, cards: 1}
        - draw: {to: place_3, cards: 1}
        - {draw: {to: place_4, cards: 1}, when: players >= 3}
        - choose:
            as:
              first: {cards: 0, do: [{set: {bid: 1}}]}
              second: {cards: 0, do: [{set: {bid: 2}}]}
              third: {cards: 0, do: [{set: {bid: 3}}]}
              fourth: {cards: 0, when: players >= 3, do: [{set: {bid: 4}}]}
        - in_turn:
            by: bid
            do:
              - {draw: {from: place_1, to: won, cards: 1}, when: bid == 1}
              - {draw: {from: place_2, to: won, cards: 1}, when: bid == 2}
              - {draw: {from: place_3, to: won, cards: 1}, when: bid == 3}
              - {draw: {from: place_4, to: won, cards: 1}, when: bid == 4}
              - move: {from: won, to: tableau, played: true}
  - score: round
scoring:
  soup: {kind: each, of: soup, points: 1}
winner: {order: most}
"""


@pytest.fixture(scope="module")
def bids(tmp_path_factory):
    path = tmp_path_factory.mktemp("bids") / "bids.yaml"
    path.write_text(_BIDS, "utf-8")
    return rules_named(path)


@pytest.mark.parametrize(
    ("players", "fills", "draws"),
    [
        (None, "and so on up to “Place 3” or “Place 4” (2 or 3 players).", "“Place 3” or “Place 4” (2 or 3 players)."),
        (2, "The same goes for “Place 2” and “Place 3”.", "and so on up to 3 and “Place 3”."),
        (3, "The same goes for “Place 2”, and so on up to “Place 4”.", "and so on up to 4 and “Place 4”."),
    ],
)
def test_steps_that_are_alike_are_told_once(bids, players, fills, draws):
    """Steps that differ in a running number are printed once; a book for two omits what needs three."""
    (round_,) = (part for part in book_of(bids, players=players).parts if part.title == "A round")
    again, first, choice, turn, draw, put, score = map(plain, round_.blocks[-1].items)
    assert again == "Steps 2–6: Do this 2 times."
    assert first.startswith("Add from the deck to “Place 1”: 1 card. The same goes for “Place 2”")
    assert first.endswith(fills)
    assert ("“Fourth”" in choice) == (players != 2)
    assert turn.startswith("Steps 5–6: Do this in turn")
    assert draw.startswith("If your bid is 1, draw 1 card from “Place 1” to “Won”. The same goes for 2 and “Place 2”")
    assert draw.endswith(draws)
    assert put == "Put all of “Won” in front of you."
    assert "Place" not in score


_BEDS = """
format: 1
id: beds
title: Beds
version: 1.0.0
players: 2-3
rounds: 1
cards: {bulb: {count: 80, family: plant}, seed: {count: 10, family: plant}}
counters: {coins: {start: 9, min: 0, max: 99}, water: {start: 9, min: 0, max: 99}}
zones:
  lawn: {per: table, seen_by: everyone}
  pond: {per: table, seen_by: everyone}
  path: {per: table, seen_by: everyone}
  herbs: {per: seat, counts: true}
  roses: {per: seat, counts: true, label: 2 roses}
  ferns: {per: seat, counts: true}
setup: [{shuffle: deck}]
round:
  - draw: {to: lawn, cards: 1}
  - draw: {to: pond, cards: 1}
  - draw: {to: path, cards: 1}
  - deal: {to: hand, cards: 9}
  - repeat:
      until_empty: hand
      do:
        - choose:
            as:
              one: {to: herbs, when: cards(herbs) < 3}
              two: {to: roses, when: cards(roses) < 3}
              three: {to: ferns, when: cards(ferns) < 3}
              dear: {of: bulb, to: herbs, pay: {coins: 1}}
              dearer: {of: bulb, to: roses, pay: {coins: 1}}
              dearest: {of: bulb, to: ferns, pay: {coins: 1}}
              away: {to: discard}
  - score: round
scoring: {bulbs: {kind: each, of: bulb, points: 1}}
winner: {order: most}
"""


@pytest.fixture
def beds(tmp_path):
    """Return a function for the lines of a round with zones that are treated alike, after an edit."""

    def lines(old="", new=""):
        assert old in _BEDS
        (tmp_path / "beds.yaml").write_text(_BEDS.replace(old, new, 1) if old else _BEDS, "utf-8")
        (round_,) = (part for part in book_of(rules_named(tmp_path / "beds.yaml")).parts if part.title == "A round")
        return [*map(plain, round_.blocks[-1].items)]

    return lines


def test_what_happens_to_zones_alike_is_told_once(beds):
    """Equal steps for several zones are printed once, and name each zone if no number runs through them."""
    first, _, choice, *_ = beds()
    assert first == "Add from the deck to “Lawn”: 1 card. The same goes for “Pond” and “Path”."
    assert choice.endswith(
        ": ⁅“One” (only if there are at most 2 cards in “Herbs”: put it into “Herbs”; likewise “Two” with “2 roses” "
        "and “Three” with “Ferns”)¦“Dear” (pay 1 of your coins and put 1 bulb into “Herbs”; likewise “Dearer” with "
        "“2 roses” and “Dearest” with “Ferns”)¦“Away” (put it into the discard pile)⁆."
    )


def test_long_ways_are_a_list(beds, tmp_path):
    """Long lists of actions have a line for each, in plain text, in Markdown and on the page."""
    beds()
    rules = rules_named(tmp_path / "beds.yaml")
    book = book_of(rules)
    text, marked = as_text(book), as_markdown(book)
    assert "to it:\n    – “One” (only if" in text
    assert "\n    – “Away” (put it into the discard pile)\n" in text
    assert "to it:\n   - “One” (only if" in marked
    assert not set("⁅¦⁆") & {*text, *marked}
    page = as_html(book, Deck(rules.model, dict(book.names)))
    assert "<ul><li>“One” (only if" in page
    assert not set("⁅¦⁆") & {*page}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{to: pond, cards: 1}", "{to: pond, cards: 2}", "same goes"),
        (
            "{to: pond, cards: 1}\n  - draw: {to: path, cards: 1}",
            "{to: pond, cards: 2}\n  - draw: {to: path, cards: 3}",
            "same goes",
        ),
        ("draw: {to: pond, cards: 1}", "move: {from: discard, to: pond}", "same goes"),
        ("  - draw: {to: pond, cards: 1}", "  - {draw: {to: pond, cards: 1}, when: players > 2}", "same goes"),
        ("  - draw: {to: path, cards: 1}\n", "", "same goes"),
        ("cards(roses) < 3", "cards(roses) < 4", "likewise “Two”"),
        ("cards(roses) < 3", "cards(roses) <= 3", "likewise “Two”"),
        ("cards(roses) < 3", "cards(herbs) < 3", "likewise “Two”"),
        (", when: cards(roses) < 3", "", "likewise “Two”"),
        ("cards(roses) < 3", "bulb < 3", "likewise “Two”"),
        ("cards(roses) < 3}", "cards(roses) < 3, do: [{points: 1}]}", "likewise “Two”"),
        ("when: cards(herbs) < 3}", "when: cards(herbs) < 3, text: Plant herbs.}", "likewise “Two”"),
        ("to: roses, pay: {coins: 1}", "to: roses, pay: {coins: 2}", "likewise “Dearer”"),
        ("to: roses, pay: {coins: 1}", "to: roses, pay: {water: 1}", "likewise “Dearer”"),
        ("of: bulb, to: roses", "of: seed, to: roses", "likewise “Dearer”"),
    ],
)
def test_what_differs_in_anything_else_is_told_by_itself(beds, old, new, said):
    """Steps that differ in number, verb, condition, effect or text of their own are printed separately."""
    assert any(said in line for line in beds())
    assert not any(said in line for line in beds(old, new))


# ── What cards have, and how counters and markers begin ──

_COSTS = """
format: 1
id: costs
title: Costs
version: 1.0.0
players: 2-3
rounds: 1
cards:
  hut: {count: 9, has: {price: 2}, adds: {wood: 1}, text: A small house.}
  "tile_{n}": {series: {n: 1-7}, count: 2, has: {n: "{n}"}, label: "Tile {n}"}
counters: {coins: {start: 3, min: 0, max: 9}, pot: {per: table, start: 5}}
markers: {crown: {start: first}, bell: {start: random}, key: {}}
round:
  - deal: {to: hand, cards: 4}
  - repeat:
      until_empty: hand
      do: [choose: {as: {build: {pay: {coins: its(price)}}, sell: {to: discard, do: [{add: {coins: 1, pot: -1}}]}}}]
  - score: round
scoring: {coins: {kind: each, of: coins, points: 1}, pot: {kind: each, of: pot, points: 1}}
winner: {order: most, tie_breakers: [{holder: crown}, {most: wood}]}
"""


@pytest.fixture(scope="module")
def costs(tmp_path_factory):
    """Return rules with prices on cards, counters that do not start at 0, and markers with first holders."""
    path = tmp_path_factory.mktemp("costs") / "costs.yaml"
    path.write_text(_COSTS, "utf-8")
    return rules_named(path)


def test_what_cards_have_and_how_the_game_begins_is_told(costs):
    """Prices stand beside cards in the box, and a series in one line; the setup has starting values."""
    text = as_text(book_of(costs))
    assert "   9 × Hut (price 2, 1 wood)\n" in text
    assert "  14 × Tile 1, 2, 3, …, 7 (2 of each)\n" in text
    words = " ".join(text.split())
    assert "Each player starts with 3 coins. Pot start at 5, once for the whole table." in words
    assert "The player who starts takes “Crown”. Draw lots for who holds “Bell” at first." in words
    assert "Put these in the middle of the table: Key." in words
    assert "pay its price in coins" in words


def test_a_card_says_what_it_has_also_where_its_author_wrote_a_text(costs):
    """A card with an author's text still shows its values, when printed and when explained."""
    model, labels = costs.model, costs.game(2).labels
    assert Things(labels).card(model.cards[0]).plain == "Price 2. A small house."
    face = Faces(costs, CardSetPhraser(model)).face(model.cards[0])
    assert face.line == "Price 2. A small house."
    assert Things(labels).counters[0].plain == "Each player starts with 3 coins. Never below 0. Never above 9."
    crown = Things(labels).markers[0].plain
    assert crown.startswith("The player who starts takes “Crown”.")
    assert crown.endswith("the one of them who holds “Crown” wins.")


@pytest.mark.parametrize(("players", "highest"), [(2, 3), (3, 4), (6, 7)])
def test_what_a_counter_is_set_to_bounds_it(players, highest):
    """The bounds of a counter are those of the values that steps can set."""
    game = rules_named(SETS / "more/go_nuts_for_donuts.yaml").game(players)
    assert Things(game.labels).counters[0].plain == f"Never below 0. Never above {highest}."


@pytest.mark.parametrize(
    ("players", "said", "rows"),
    [
        (2, "Leave in the box: 3 × Glazed and 5 × Powdered. Shuffle", []),
        (3, "Leave in the box: 5 × Powdered. Shuffle", []),
        (4, "Shuffle", []),
        (None, "Of the cards in the table “By number of players”, take as many", ["Glazed", "Powdered"]),
    ],
)
def test_cards_that_nobody_plays_with_stay_in_the_box(players, said, rows):
    """The table of cards has rows only for those whose number depends on the number of players."""
    (set_up,) = (part for part in book("more/go_nuts_for_donuts", players=players).parts if part.title == "Set-up")
    text, *tables = set_up.blocks
    assert plain(text.text).startswith(said)
    assert [row[0] for table in tables for row in table.rows] == rows


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Egg nigiri cards score 1 point each, salmon nigiri cards 2, squid nigiri cards 3."),
        ("pl", "„Egg nigiri”: 1 punkt, „Salmon nigiri”: 2 punkty, „Squid nigiri”: 3 punkty."),
    ],
)
def test_numbers_that_are_printed_on_cards_are_told_card_by_card(language, said):
    """Nigiri points are listed by card, in the sentence and in the quick reference."""
    rules = rules_named(SETS / "more/sushi_go_party.yaml", ["points_platter"])
    parts = book_of(rules, language).parts
    assert said in [plain(block.text) for part in parts for block in part.blocks if isinstance(block, Rule)]
    assert [row[2] for row in parts[-1].blocks[0].rows if " nigiri" in row[0]] == ["1", "2", "3"]


def test_a_formula_named_after_a_card_stands_on_that_card_alone():
    """A formula rule stands on the card that it is named after, not on those that it counts."""
    rules = rules_named(SETS / "more/go_nuts_for_donuts.yaml")
    lines = {face.card: face.line for face in Faces(rules, CardSetPhraser(rules.model)).all()}
    assert lines["glazed"] == "Only when the game ends. Each glazed card scores 2 points."
    assert {card for card, line in lines.items() if "7" in line} == {"maple_bar"}


def test_a_rule_has_the_sign_of_the_card_whose_name_it_has():
    """A rule has the sign of the card with its name; a rule about several families has no sign."""
    parts = {part.title: part.blocks for part in book("more/party_cutthroat").parts}
    assert {own.title: own.cards for own in parts["Scoring"] if isinstance(own, Rule)}["Soy sauce"] == ("soy_sauce",)
    (quick,) = parts["Quick reference"]
    assert dict(zip([row[0] for row in quick.rows], quick.icons, strict=True))["Soy sauce"] == "soy_sauce"
    quick, _ = {part.title: part.blocks for part in book("sushi_draft").parts}["Quick reference"]
    assert dict(zip([row[0] for row in quick.rows], quick.icons, strict=True))["Dessert"] == ""


def test_a_round_shows_what_is_added_and_taken_otherwise_than_what_is_drawn():
    assert [own.title for own in flow_of(CardSetPhraser(rules_named("sushi_go_party").model)).stages][:2] == [
        "Add",
        "Deal",
    ]
    donuts = flow_of(CardSetPhraser(rules_named("go_nuts_for_donuts").model, counts=[4])).stages
    assert [own.title.partition(" ")[0] for own in donuts] == ["Add", "Choose", "Reveal", "Take", "Score"]


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("card > 0", "as any card: one of those that already lie in front of you. So it is never your first card."),
        ("card > 1", "as any card, if you have 2 or more cards of the same name."),
        ("family == 0", "as any card, if you have no cards of the same family."),
        ("true", "as any card."),
        (
            "card > 0, or_itself: true",
            "front of you. If none of these is possible, it may be played as itself, and then counts as no other card.",
        ),
    ],
)
def test_a_wild_card_says_on_what_it_depends(tmp_path, when, said):
    path = tmp_path / "costs.yaml"
    wild = f"cards:\n  jack: {{count: 9, forms: {{of: any, when: {when}}}}}\n"
    path.write_text(_COSTS.replace("cards:\n", wild, 1), "utf-8")
    costs = rules_named(path)
    assert f"{said} Decide which when you choose it" in Things(costs.game(2).labels).card(costs.model.cards[0]).plain


def test_a_star_on_a_card_has_its_condition_in_the_text():
    """Points with a star are explained after the author's text, in each language, on their cards only."""
    rules = rules_named("anniversary")
    for language, note in (
        ("en", "* only if not all have the same number of strawberries (2 players)."),
        ("pl", "* tylko jeśli nie wszyscy mają tyle samo truskawek (2 graczy)."),
    ):
        faces = Faces(rules, CardSetPhraser(rules.model, language, rules.possible_players)).all()
        assert [face.card for face in faces if note in face.line] == [f"strawberry_{size}" for size in range(1, 5)]
        assert [face.card for face in faces if "*" in face.line and note not in face.line] == []


_OPEN = """
format: 1
id: open
title: Open
version: 1.0.0
players: 2
rounds: {until: most(points) >= 20, at_most: 4}
cards: {soup: {count: 40, icon: 🍲}, bread: {count: 5, icon: ★}}
round:
  - {deal: {to: hand, cards: 3}, text: Take three cards each.}
  - repeat: {until_empty: hand, do: [choose: {}, pass: {to: left}]}
  - score: round
  - clear: tableau
scoring: {soup: {kind: each, label: Soup, of: soup + bread, points: 2}}
winner: {order: most}
"""


@pytest.fixture
def open_rules(tmp_path):
    path = tmp_path / "open.yaml"
    path.write_text(_OPEN, "utf-8")
    return rules_named(path)


def test_a_bound_of_rounds_is_no_rule(open_rules):
    """The condition that ends a game is printed, and the upper bound of its rounds is not."""
    text = " ".join(as_text(book_of(open_rules)).split())
    assert "You play round after round" in text
    assert "The game ends after a round if at least one player has 20 or more points." in text
    assert re.search(r"4 rounds|round 4|[Ll]eft at the end|ends at once", text) is None


def test_a_step_may_say_itself(open_rules):
    """A step prints its author's text in that language, and the generated sentence in others."""
    assert " 1. Take three cards each.\n" in as_text(book_of(open_rules))
    assert "Take three cards" not in as_text(book_of(open_rules, "pl"))


def test_a_label_like_the_id_is_the_author_s(open_rules):
    """A label that equals the id is kept, although rules without labels are titled by what they count."""
    (scoring,) = (part for part in book_of(open_rules).parts if part.title == "Scoring")
    assert [block.title for block in scoring.blocks if isinstance(block, Rule)] == ["Soup"]


def test_signs_of_authors_are_printed(open_rules):
    """A sign without an outline is printed as text, instead of letters."""
    model = open_rules.model
    deck = Deck(model, {card.id: card.id for card in model.cards})
    assert ">🍲</text>" in deck.panel("soup")
    assert ">★</text>" in deck.panel("bread")


def texts_in(node, key=""):
    """Yield each text of a card set with its key: a string, or a mapping by language."""
    if key not in {"sources", "examples"} and isinstance(node, dict) and "en" not in node:
        for inner, value in node.items():
            yield from texts_in(value, inner)
    elif key not in {"sources", "examples"} and isinstance(node, list):
        for value in node:
            yield from texts_in(value)
    elif key in {"text", "assumed", "question", "reason"} or isinstance(node, dict):
        yield key, node


@pytest.mark.parametrize("path", shelf().values(), ids=lambda path: path.stem)
def test_a_game_speaks_all_its_languages_throughout(path):
    """The paragraphs of a shipped game are in each language of its labels."""
    texts = [*texts_in(plain_tree(rules_named(path).document.root))]
    spoken = {"pl", "ja"} & {language for _, text in texts if isinstance(text, dict) for language in text}
    paragraphs = [text for key, text in texts if key in {"text", "assumed", "question", "reason"}]
    assert [text for text in paragraphs if not spoken <= set(text if isinstance(text, dict) else ())] == []


@pytest.mark.parametrize(
    ("copies", "sentence"),
    [
        ("4", "Leave room for 4 places, “Row 1” to “Row 4”."),
        ("[3, 2]", "Leave room for “Row”: 3 rows of 2 places each."),
        ("players", "Leave room for the places of “Row”, as many as the table “By number of players” says. Have paper"),
        ("1", "Set-up ------ Have paper"),
    ],
)
def test_the_set_up_says_how_many_copies_of_a_zone_there_are(tmp_path, copies, sentence):
    """Rows and grids are announced; if their number depends on the players, a table has it."""
    zones = f"zones: {{row: {{copies: {copies}}}}}\n"
    game = SMALL.replace("setup: [{shuffle: deck}]\n", zones).replace("round: [", "round: [{draw: {to: row}}, ")
    cards = "cards: {soup: {count: 30}}\nscoring: {soup: {each: soup, points: 1}}\n"
    path = tmp_path / "small.yaml"
    path.write_text(game.replace("format: 1", "format: 2") + cards, "utf-8")
    text = " ".join(as_text(book_of(rules_named(path))).split())
    assert sentence in text
    assert ("Leave room" in text) == sentence.startswith("Leave")
    assert ("Places of “Row” 2 3" in text) == (copies == "players")


def test_a_term_that_a_sum_has_twice_counts_twice(tmp_path):
    """Equal terms of a sum are one sentence, because a reader would not add up the same sentence twice."""
    text = printed(
        tmp_path, "cards: {soup: {count: 30}, bread: {count: 3}}\nscoring: {soup: {points: soup + bread + soup}}\n"
    )
    assert "Each soup card scores 2 points. Each bread card scores 1 point." in text


def test_a_place_to_choose_has_the_name_of_its_zone():
    """The ways of a choice between copies of a zone, which have no label, are called as the copies are."""
    model = rules_named("coloretto").model
    for language, name in (("en", "Row 2"), ("pl", "Rząd 2"), ("ja", "列 2")):
        assert Labels(model, language).cause("row_2") == name


@pytest.mark.parametrize("language", ["en", "pl", "ja"])
@pytest.mark.parametrize("name", shelf())
def test_small_cards_differ_by_more_than_colour(name, language):
    """In examples and in the list of the box, cards of different names do not look the same."""
    rules = rules_named(name)
    speech = CardSetPhraser(rules.model, language)
    deck = Deck(rules.model, {card.id: speech.card_name(card.id) for card in rules.model.cards})
    plays = [f"{card.id}@{form}" for card in rules.model.cards if card.forms for form in card.forms.of]
    for draw, cards in ((deck.chip, [*plays, *deck.cards]), (deck.little, [*deck.cards])):
        named = {(re.sub("#[0-9a-f]{6}", "", draw(card)), speech.card_name(card)) for card in cards}
        assert len({drawn for drawn, _ in named}) == len(named)


@pytest.mark.parametrize(
    ("name", "sentences"),
    [
        ("nidavellir", ["Ann Coin 2, 2 × Warrior 3 8 Ben Coin 2 0", "All of this scores only when the game ends."]),
        ("six_nimmt", ["Ann No. 1, No. 5, No. 10, No. 11 11"]),
        ("medieval_academy", ["the one of them with the highest number in dragon hunt wins"]),
        ("coloretto", ["1 × Red I and Pink I (see the table)"]),
        ("point_salad", ["5 points times the number of kinds of vegetables that you do not have."]),
    ],
)
def test_newcomers_find_what_they_asked_for(name, sentences):
    """Examples have every card that a formula looks at, and the book says a moment of scoring once."""
    text = " ".join(as_text(book_of(rules_named(SETS / f"more/{name}.yaml"))).split())
    assert [sentence for sentence in sentences if sentence not in text] == []
    assert text.count("nly when the game ends.") == text.count("All of this scores only") or name == "medieval_academy"


def test_a_quick_reference_does_not_repeat_whole_rules():
    """A short rule stands in its row. Rules that are too long share a last row, which alone says nothing."""
    assert [part for part in book("more/point_salad").parts if part.title == "Quick reference"] == []
    (quick,) = (part for part in book("more/nidavellir").parts if part.title == "Quick reference")
    rows = {title: text for title, text, _ in quick.blocks[0].rows}
    assert rows["Hunters"] == "at the end: points: the number of your hunters multiplied by itself"
    assert [*rows.items()][-1] == ("Miners, Warriors", "see the rule")


_OFFER = "choose: {from: hand, to: discard, cards: 0-1}"


@pytest.mark.parametrize(
    ("language", "do", "words"),
    [
        ("en", f"[{_OFFER}]", "(go on like this until you have at most 2 cards in your hand; you may stop earlier)"),
        ("en", f"[{_OFFER}, add: {{coins: 1}}]", "at most 2 cards in your hand, even if you choose nothing)"),
        ("en", "[choose: {from: hand, to: discard}]", "(go on like this until you have at most 2 cards in your hand)"),
        ("en", "[choose: {as: {pay: {do: [add: {coins: -1}]}, stop: {}}}]", "; you may stop earlier)"),
        ("en", "[choose: {as: {pay: {do: [add: {coins: -1}]}, stop: {when: coins > 3}}}]", "in your hand)"),
        ("pl", f"[{_OFFER}]", "co najwyżej 2 karty; możesz skończyć wcześniej)"),
        ("ja", f"[{_OFFER}]", "まで繰り返す。途中でやめてもよい）"),
    ],
)
def test_a_repeat_in_a_list_says_whether_one_may_stop(tmp_path, language, do, words):
    """A seat that may refuse the choice of a repeat need not go on until its condition holds."""
    repeat = f"{{repeat: {{until: cards(hand) < 3, at_most: 3, do: {do}}}}}"
    parts = f"counters: {{coins: {{}}}}\ncards: {{soup: {{count: 20, on_play: [{repeat}]}}}}\n"
    assert words in printed(tmp_path, f"{parts}scoring: {{soup: {{each: soup, points: 1}}}}\n", language)


def test_a_repeat_of_one_seat_ends_with_its_hand(tmp_path):
    """A seat that repeats something alone goes on until its own hand is empty."""
    repeat = "{repeat: {until_empty: hand, at_most: 3, do: [choose: {from: hand, to: discard}]}}"
    parts = f"cards: {{soup: {{count: 20, on_play: [{repeat}]}}}}\nscoring: {{soup: {{each: soup, points: 1}}}}\n"
    assert "Go on like this until your hand is empty" in printed(tmp_path, parts, "en")


@pytest.mark.parametrize(
    ("language", "step", "words"),
    [
        (
            "en",
            "choose: {from: hand, as: {buy: {when: coins > 1, pay: {coins: 2}, to: tableau}, wait: {to: discard}}}",
            "“Buy” (only if they have 2 or more coins: pay 2 of their coins and put it in front of them)",
        ),
        ("en", "choose: {from: hand, of: its(soup) < coins, to: tableau}", "1 card (only if they have more coins than"),
        (
            "pl",
            "choose: {from: hand, as: {buy: {when: coins > 1, to: tableau}}}",
            "(tylko jeśli ma co najmniej 2 Coins",
        ),
        (
            "en",
            "repeat: {times: 2, do: [{draw: {to: hand}}, {add: {coins: soup}}]}",
            "draw 1 card from the deck into their hand and add the number of their soup cards to their coins",
        ),
    ],
)
def test_what_the_holder_of_a_marker_has_is_theirs(tmp_path, language, step, words):
    """A sentence about the holder of a marker does not call that player “you”."""
    parts = "counters: {coins: {start: 3, max: 9}}\nmarkers: {starter: {start: first}}\n"
    parts += "cards: {soup: {count: 40}}\nscoring: {soup: {each: soup, points: 1}}\n"
    text = SMALL.replace("format: 1", "format: 2").replace("round: [", f"round: [{{who: starter, {step}}}, ")
    path = tmp_path / "small.yaml"
    path.write_text(text + parts, "utf-8")
    assert words in " ".join(as_text(book_of(rules_named(path), language)).split())
