"""Triggers that stand on a card and run while it lies there, and counters of its own."""

import pytest

import draftengine as de
from draftengine.api.records import Result
from draftengine.api.ruleset import rules_named
from draftengine.apps.play.labels import Names
from draftengine.apps.play.score_board import final
from draftengine.apps.play.terminal_style import Style
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from text.forms import play_alike

GAME = """
format: 2
id: on_cards
title: On cards
version: 1.0.0
players: 2-4
rounds: 3
cards:
  soup: {count: 16, family: food}
  cook:
    count: 5
    keep: true
    label: {en: Cook, pl: Kucharz, ja: 料理人}
    triggers: [{after: reveal, do: [{points: 2 * played(food)}, {add: {coins: 1}}]}]
  "club_{n}":
    for: {n: 1-4}
    family: house
    label: {en: "Club {n}", pl: "Klub {n}", ja: "クラブ{n}"}
    on_play: [{add: {marks: 1 + soup}}]
    scores: {points: its(marks)}
    triggers:
      - {after: turn, who: soup > 1, do: [{add: {marks: 1}}]}
      - {after: round, do: [{draw: {to: tray}}], label: Rent}
counters:
  marks:
    {per: house, start: 1, min: 0, max: 60, label: {en: {one: marker, other: markers}, pl: znaczniki, ja: マーカー}}
  coins: {min: 0, max: 99, keep: true, label: {en: {one: coin, other: coins}, pl: monety, ja: コイン}}
zones: {tray: {per: seat, seen_by: owner}}
define: {rich: its(marks) > 2}
round:
  - move: {from: everywhere, to: deck}
  - shuffle: deck
  - deal: {to: hand, cards: 4}
  - repeat:
      until_empty: hand
      do:
        - {choose: {from: hand, to: tableau}, id: pick}
        - {choose: {from: tableau, of: house, cards: 0-1, to: discard}, id: drop}
  - {score: round, id: scored}
  - {set: {marks: 5}, when: round == 2, id: filled}
scoring:
  marks: {points: "sum(tableau, marks) + 10 * cards(tableau, rich)"}
  others: {points: "coins - others_total(sum(tableau, its(marks) * 2))"}
examples:
  - name: each cook gives points and a coin
    players: 2
    at: pick
    tables: [[cook, cook], [cook]]
    hands: [[soup, soup], [club_1, soup]]
    moves: [[soup, club_1]]
    expect: {points: {cook_trigger: [4, 0]}, counters: {coins: [2, 1], marks_club_1: [2]}}
  - name: markers add up, and more than two are counted
    players: 3
    tables: [[club_1, club_2], [club_3], []]
    counters: {marks_club_1: [3], marks_club_2: [1], marks_club_3: [4]}
    expect: {points: {marks: [14, 14, 0], others: [-8, -8, -16], club_1: [3, 0, 0], club_3: [0, 4, 0]}}
  - name: a trigger of a card runs only for who has it, and if its condition holds
    players: 2
    at: pick
    tables: [[soup, club_1], [soup, club_2]]
    counters: {marks_club_1: [6], marks_club_2: [6]}
    hands: [[soup, soup], [club_3, soup]]
    moves: [[soup, club_3], [[], []]]
    expect: {counters: {marks_club_1: [7], marks_club_2: [6], marks_club_3: [3]}}
"""


CALLED_ALIKE = "name-clash", "The trigger on the card “cook” is called “cook_trigger”, too."
LAMPS = """
format: 2
id: lamps
title: Lamps
version: 1.0.0
players: 2
cards:
  lamp:
    count: 30
    back: {family: lit, label: Lit lamp, triggers: [{after: round, do: [{points: 1}]}]}
zones: {stall: {}}
setup: [{shuffle: deck}]
round:
  - {draw: {to: stall, cards: 6}}
  - {flip: stall}
  - {in_turn: {do: [{choose: {from: stall, cards: 3, to: tableau}}]}}
  - {score: round}
scoring: {lit: {each: lamp_back, points: 100}}
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "game.yaml"
    file.write_text(GAME, "utf-8")
    return file


def test_the_game_is_sound(path):
    assert de.check(path) == ()


@pytest.mark.parametrize("players", [2, 4])
def test_every_form_plays_alike(path, players):
    play_alike(de.load(path, players=players).program, "on cards", 12)


def test_a_counter_begins_anew_when_its_card_is_played_again(path):
    state = de.load(path, players=2).set_up(de.Position(hands=[["club_1"], ["soup"]], counters={"marks_club_1": [40]}))
    state = state.commit(0, "club_1").commit(1, "soup")
    assert state.position.program is not None
    assert state.counters[0]["marks_club_1"] == 2  # it starts at 1, and one is added


def test_a_step_of_the_flow_changes_the_counters_of_all_cards(path):
    text = " ".join(as_text(book_of(rules_named(path, ()), "en")).split())
    assert "If it is round 2: Everyone: set the markers on each card to 5." in text


@pytest.mark.parametrize(("step", "added"), [("add: {marks: 1}", 3), ("{add: {marks: 1}, who: seat == 0}", 1)])
def test_a_step_of_the_flow_is_carried_out_once_for_each_player(tmp_path, step, added):
    """Of three players, each adds to the counter of every card, unless `who` names one of them."""
    path = tmp_path / "flow.yaml"
    path.write_text(GAME.replace("  - shuffle: deck", f"  - shuffle: deck\n  - {step}"), "utf-8")
    state = de.load(path, players=3).start(1)
    assert [counters["marks_club_2"] for counters in state.counters] == [1 + added] * 3


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "For each of these cards in front of you, after each reveal, score as many points as twice the number"),
        ("en", "House cards When you play it, add 1 plus the number of your soup cards to the markers on it."),
        ("en", "Club 1, 2, 3, 4. While this card lies in front of you, after each turn: if you have 2 or more soup"),
        ("en", "the number of markers on your cards"),
        ("en", "the sum, over the cards that they have, of twice the number of markers on it"),
        ("en", "Rent. While this card lies in front of you, after the scoring of a round, draw 1 card"),
        ("en", "the number of your cards for which this is true: the card has 3 or more markers"),
        ("en", "A card starts with 1 marker on it when it is played. Have paper"),
        ("pl", "Za każdą taką kartę przed tobą, po każdym odkryciu kart:"),
        ("en", "With the Club 1 card: markers on it score 1 point each."),
        ("pl", "dolicz: 1 plus"),
        ("pl", "(znaczniki na niej)."),
        ("pl", "Mając „Klub 1”: znaczniki na niej: 1 punkt za sztukę."),
        ("ja", "自分の前にあるこのカード1枚につき、公開のたびに、"),
        ("ja", "その上のマーカーを1増やす"),
        ("ja", "その上のマーカー1つにつき1点。"),
    ],
)
def test_books_say_what_stands_on_cards(path, language, sentence):
    text = "".join(as_text(book_of(rules_named(path, ()), language)).split())
    assert sentence.replace(" ", "") in text


def test_a_trigger_on_a_side_runs_for_each_thing_that_shows_it(path):
    path.write_text(LAMPS, "utf-8")
    state = de.load(path).start(seed=1)
    while not state.over:
        (seat,) = state.waiting
        state = state.commit(seat, *state.view(seat).moves[:1])
    assert state.result.rules == {"lit": (300, 300), "lamp_back_trigger": (3, 3)}
    book = " ".join(as_text(book_of(rules_named(path, ()), "en")).split())
    assert "For each of these cards in front of you, after the scoring of a round, score 1 point" in book


def test_cards_are_enough_if_they_are_sides(path):
    """Check the advice for a rule that needs more sides than a seat takes, but not more than there are."""
    path.write_text(LAMPS.replace("each: lamp_back,", "set: lamp_back, size: 20,"), "utf-8")
    (finding,) = de.check(path)
    assert finding.code == "rule-never-scores"
    assert "let seats take more cards" in finding.hint


def refused(path, old, new, game=GAME):
    """Return the findings about the game with one part replaced, as (code, message) pairs."""
    assert old in game
    path.write_text(game.replace(old, new), "utf-8")
    return [(finding.code, finding.message) for finding in de.check(path)]


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("{add: {coins: 1}}]}]", "{draw: {to: tray}}]}]", "misplaced-step", "“cook” has several copies"),
        ("{add: {coins: 1}}]}]", "{add: {marks: 1}}]}]", "misplaced-step", "belongs to no card that has one"),
        ("per: house", "per: hous", "unknown-zone", "no family of single cards, called “hous”"),
        ("sum(tableau, marks) +", "sum(discard, marks) +", "formula-syntax", "only where cards count: tableau"),
        ("sum(tableau, marks) +", "highest(tableau, marks, 0) +", "formula-syntax", "only where cards count: tableau"),
        ("sum(tableau, marks) +", "marks +", "formula-syntax", "it is not known which card is meant"),
        ("define:", "triggers: {cook_trigger: {after: turn, do: [{draw: {to: tray}}]}}\ndefine:", *CALLED_ALIKE),
        ("  others:", "  cook_trigger:", "name-clash", "“cook_trigger” is already a rule."),
        ("of: house, cards: 0-1", "as: {go: {when: its(marks) > 1}}", "formula-syntax", "which card is meant"),
    ],
)
def test_what_belongs_to_no_single_card_is_refused(path, old, new, code, words):
    assert any(code == other and words in message for other, message in refused(path, old, new))


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("{points: 1}", "{draw: {to: hand}}", "misplaced-step", "“lamp_back” has several copies"),
        ("zones:", "counters: {marks: {per: lit}}\nzones:", "card-not-plain", "No card can have the counter “marks”"),
    ],
)
def test_a_side_has_the_copies_of_its_thing(path, old, new, code, words):
    assert any(code == other and words in message for other, message in refused(path, old, new, LAMPS))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  marks:\n    {", "  idle: {per: club_1}\n  marks:\n    {", "Nothing ever uses the counter “idle”."),
        ("  marks:\n    {", "  idle: {per: house}\n  marks:\n    {", "Nothing ever uses the counter “idle”."),
        ("zones: {", "zones: {row: {copies: 1}, ", "Nothing ever uses the zone “row”."),
        ("min: 0, max: 60", "min: 9, max: 6", "The counter “marks” cannot be at least 9 and at most 6."),
        ("{per: house, start", "{per: house, track: first, start", "“marks” is a die or belongs to the table"),
        ("points: its(marks)", "points: its(still)", "Nothing ever changes the counter “still”; it is always 0."),
        ("who: soup > 1", "who: club_1 > 0 and soup > 1", "“club_1 > 0” is always true here"),
        ("when: round == 2", "when: 'sum(tableau, marks) > 2'", "“sum” differs from seat to seat"),
    ],
)
def test_findings_have_the_names_and_formulas_of_the_file(path, old, new, message):
    """Check that findings have no name or condition that only the engine adds."""
    game = GAME.replace("  coins:", "  still: {per: house}\n  coins:") if "still" in new else GAME
    assert any(message in text for _, text in refused(path, old, new, game))


@pytest.mark.parametrize(
    ("wrong", "hint"), [("mraks", "Did you mean “marks”?"), ("xyz", "Known: marks, coins.")], ids=["slip", "unknown"]
)
def test_a_hint_names_the_counter_that_the_file_declares(path, wrong, hint):
    path.write_text(GAME.replace("{set: {marks: 5}", f"{{set: {{{wrong}: 5}}"), "utf-8")
    assert [finding.hint for finding in de.check(path) if finding.code == "unknown-counter"] == [hint]


def test_a_condition_of_a_trigger_on_a_card_is_asked_once(path):
    (finding,) = refused(path, "after: reveal,", "after: reveal, who: cook > 0,")
    assert finding == ("argument-twice", "“cook > 0” is always true here, because the trigger is on that card.")


def test_examples_can_name_what_has_a_long_name(path):
    """Check an example with the counter and the trigger of a card with the longest name."""
    path.write_text(GAME.replace("cook", "c" * 40).replace("club_", "h" * 39), "utf-8")
    assert de.check(path) == ()


@pytest.mark.parametrize("per", ["house", "card", "club_1"])
@pytest.mark.parametrize("cards", ["forms: {of: [cook]}", "count: 2\n    forms: {of: [cook]}"])
def test_cards_that_cannot_be_told_apart_have_no_counter(path, cards, per):
    """Check that nothing else is wrong with a game whose counter no card can have."""
    game = GAME.partition("examples:")[0].replace("per: house", f"per: {per}")
    lines = [line for line in game.splitlines() if "tray" not in line]
    game = "\n".join(lines).replace("for: {n: 1-4}", f"for: {{n: 1-4}}\n    {cards}")
    message = "No card can have the counter “marks”: each of these cards has several copies or is wild."
    assert refused(path, "", "", game) == [("card-not-plain", message)]


def test_a_misspelt_family_of_a_counter_has_a_hint(path):
    path.write_text(GAME.replace("per: house", "per: hosue"), "utf-8")
    (finding,) = [finding for finding in de.check(path) if finding.code == "unknown-zone"]
    assert finding.hint == "Did you mean “house”?"


COPIES = """
  - name: each copy has its own
    at: pick
    tables: [["club:3", "club:5", soup], [club]]
    hands: [[club, soup], [soup, soup]]
    moves: [[club, soup]]
    expect: {tables: [["club:3", "club:5", soup, "club:3"], ["club:1", soup]], hands: [[soup], [soup]]}
  - name: a copy is put away
    at: drop
    tables: [{club: 2}, []]
    moves: [[club, take_0]]
    expect: {tables: [{club: 1}, []], zones: {discard: [club]}}
"""


@pytest.mark.parametrize(
    ("count", "per", "copies"), [("4", "house", 4), ("2 * players", "card", 8), ("{2: 4, 3: 5, 4: 6}", "club", 6)]
)
def test_each_copy_of_a_card_has_a_counter(path, count, per, copies):
    """Check that copies are cards of one name, which examples tell apart by the numbers on them."""
    game = GAME.partition("examples:")[0].replace("per: house", f"per: {per}").replace(", id: filled", "")
    game = (
        game.replace('"club_{n}"', "club")
        .replace("for: {n: 1-4}", f"count: {count}")
        .replace(" {n}", "")
        .replace("{n}", "")
    )
    path.write_text(f"{game}examples:{COPIES}", "utf-8")
    assert [finding for finding in de.check(path) if finding.severity == "error"] == []
    model = rules_named(path, ()).model
    assert [counter.card for counter in model.counters if counter.card] == [f"club_{n}" for n in range(1, copies + 1)]
    assert sum(card.count for card in de.load(path, players=2).model.cards if card.copy_of == "club") == 4
    play_alike(de.load(path, players=2).program, "copies", 4)


def test_all_single_cards_can_have_a_counter(path):
    """Check that ``per: card`` leaves out cards with several copies that do not change it."""
    path.write_text(GAME.replace("per: house", "per: card"), "utf-8")
    assert de.check(path) == ()
    assert [counter.card for counter in rules_named(path, ()).model.counters if counter.card] == [
        f"club_{number}" for number in range(1, 5)
    ]


PUBS = """
format: 2
id: pubs
title: Pubs
version: 1.0.0
players: 2
cards:
  soup: {count: 20}
  pub: {count: 3, family: house, on_play: [{add: {marks: 1}}], scores: {points: card}}
  bar: {count: 2, family: house}
  guest: {count: 4, forms: {of: [pub, soup], when: card > 1}}
counters: {marks: {per: card, max: 9}}
zones: {row: {}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 3}
  - {choose: {from: hand, of: its(soup) or card == 0, to: tableau}, id: second}
  - choose: {from: hand, to: tableau}
  - {draw: {to: row, cards: 4}, when: cards(row) == 0}
  - in_turn: {do: [{find: {name: best, of: row, most: its(house)}}, {move: {from: row, to: discard, of: best}}]}
  - score: round
scoring:
  houses: {points: "10 * over(house, card > 0)"}
  top: {points: "100 * top(1, house, card)"}
examples:
  - {name: each of three pubs, players: 2, tables: [[pub, pub, pub, bar], []], expect: {round: [329, 0]}}
  - name: a second pub cannot be chosen
    players: 2
    tables: [[pub], []]
    hands: [[pub, soup], [soup, soup]]
    moves: [[pub, soup]]
    expect: {legal: false}
  - name: the form of a pub counts all of them
    players: 2
    tables: [[pub, pub], []]
    hands: [[guest, soup], [soup, soup]]
    moves: [[soup, soup], [guest@pub, soup]]
    expect: {tables: [[pub, pub, soup, guest@pub], [soup, soup]]}
"""


@pytest.mark.parametrize(("counter", "form"), [("{per: card, max: 9}", "pub_3"), ("{max: 9}", "pub")])
def test_a_counter_on_a_card_with_copies_changes_nothing_else(path, counter, form):
    """Check that formulas count and compare all cards of one name, however their copies are told apart."""
    path.write_text(PUBS.replace("{per: card, max: 9}", counter).replace("@pub", f"@{form}"), "utf-8")
    assert [finding.message for finding in de.check(path) if finding.severity == "error"] == []


def test_copies_of_a_card_are_named_once(path):
    """Check that rulebooks and the final board have what is on a card once, not for each of its copies."""
    path.write_text(PUBS.partition("examples:")[0], "utf-8")
    lines = [*map(str.strip, as_text(book_of(rules_named(path, ()), "en")).splitlines())]
    assert lines.count("Pub") == 1
    assert any(line.startswith("Is played as Pub or soup") for line in lines)
    game = de.load(path, players=2)
    points = {rule.id: (3, 0) if rule.card else (0, 1) for rule in game.model.scoring}
    board = final(Result((9, 2), (0,), ((9, 2),), points), Names(game, ["greedy"] * 2, Style(color=False)))
    assert [line.split()[1:] for line in board if line.split()[:1] == ["Pub"]] == [["9", "0"]]


@pytest.mark.parametrize(
    ("old", "new", "message", "hint"),
    [
        ("bar: {count", "pub_2: {count", "“pub_2” is also the name of a copy of “pub”", "Rename one of these cards."),
        ("[pub, pub, pub, bar]", "[pub, pub, pub, pub]", "The box contains 3 pub, but player 1 has more.", ""),
    ],
)
def test_slips_with_copies_are_named(path, old, new, message, hint):
    """Check a card that is called like a copy, and an example with more copies than there are."""
    path.write_text(PUBS.replace(old, new), "utf-8")
    finding = next(finding for finding in de.check(path) if finding.severity == "error")
    assert message in finding.message
    assert hint == finding.hint
