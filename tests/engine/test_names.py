"""Names that choices and `find` give to places and players, in every form of the kernel."""

import pytest

import draftengine as de
from draftengine.api.phrasing.events import EventPhraser, EventTeller, PlainNames
from draftengine.api.ruleset import rules_named
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from text.forms import play_alike

GAME = """
format: 2
id: names
title: Names
version: 1.0.0
players: 2-4
rounds: 3
cards:
  "n{n}": {for: {n: 1-30}, count: 1, has: {n: "{n}"}, adds: {sum: "{n}"}}
zones:
  row: {copies: {2: 3, 3: 3, 4: 4}, label: {en: Row, pl: Rząd}}
  shown: {per: seat, seen_by: everyone}
counters:
  coins: {start: 3, min: 0, max: 60, keep: true}
  lead: {min: 0, max: 60, keep: true}
define:
  last: "highest(row, n, 0)"
  "room(x)": 6 - cards(x)
round:
  - move: {from: everywhere, to: deck}
  - shuffle: deck
  - deal: {to: hand, cards: 3}
  - draw: {to: row}
  - repeat:
      times: 3
      do:
        - choose: {from: hand, to: shown}
        - in_turn:
            do:
              - choose: {name: goal, of: row, cards: 0-1}
              - when: chosen(goal)
                do:
                  - {move: {from: goal, to: tableau}, when: room(goal) < 5}
                  - move: {from: shown, to: goal}
                else:
                  - find: {name: goal, of: row, when: "last < highest(shown, n, 0)", most: last, else: {fewest: last}}
                  - move: {from: shown, to: goal}
                  - draw: {to: goal, cards: 2 - cards(goal)}
              - find: {name: rival, of: others, when: coins > 1, most: coins}
              - {add: {coins: "of(rival, coins) // 2"}, when: "chosen(rival) and of(goal, cards(row)) > 1"}
        - find: {name: best, of: everyone, when: coins >= my(coins), most: coins}
        - set: {lead: "of(best, coins) - coins"}
  - score: round
scoring: {sum: {each: sum, points: 1}, lead: {points: coins - lead}}
"""
SMALL = GAME.replace("players: 2-4", "players: 2").replace("rounds: 3", "rounds: 1")
"""One round of the game for two players only, which is checked six times as fast."""
SET_UP = de.Position(
    hands=[["n9", "n2", "n3"], ["n7", "n4", "n5"]],
    zones={"row_1": [["n6"]], "row_2": [["n8"]], "row_3": [["n20"]]},
)


def test_the_game_is_sound(path):
    assert de.check(path) == ()


@pytest.mark.parametrize("players", [2, 4])
def test_every_form_names_alike(path, players):
    play_alike(de.load(path, players=players).program, "names", 8)


def shown(path):
    """Return a game in which both seats have shown a card: n9 and n7."""
    return de.load(path, players=2).set_up(SET_UP).commit(0, "n9").commit(1, "n7")


def test_a_place_is_chosen_by_name(path):
    """Check that the following steps are about the place that was chosen, and about nothing else."""
    state = shown(path)
    assert {str(move) for move in state.view(0).moves} == {"row_1", "row_2", "row_3", "no_goal"}
    state = state.commit(0, "row_3")
    zones = state.describe()["zones"]
    assert (zones["row_1"], zones["row_2"], zones["row_3"]) == (["n6"], ["n8"], ["n9", "n20"])


def test_a_place_is_found(path):
    """Check that the place with the most of those that meet the condition is found, or else the other one."""
    state = shown(path).commit(0, "no_goal")  # n8 is the largest below n9
    assert state.describe()["zones"]["row_2"] == ["n8", "n9"]
    low = de.load(path, players=2).set_up(SET_UP).commit(0, "n2").commit(1, "n7").commit(0, "no_goal")
    assert low.describe()["zones"]["row_1"] == ["n2", "n6"]  # nothing is below n2, and n6 is the smallest


def test_a_player_is_found(path):
    """Check that formulas read the counters of the player who was found."""
    start = de.load(path, players=2).set_up(
        de.Position(hands=SET_UP.hands, zones=SET_UP.zones, counters={"coins": [9, 4]})
    )
    state = start.commit(0, "n9").commit(1, "n7").commit(0, "row_1").commit(1, "row_2")
    # seat 0 adds half of 4 to 9, then seat 1 half of 11 to 4
    assert [seat["coins"] for seat in state.counters] == [11, 9]
    assert [seat["lead"] for seat in state.counters] == [0, 2]


def test_a_player_is_chosen(tmp_path):
    """Check that another player, or nobody, can be named in the same way as a place."""
    path = tmp_path / "names.yaml"
    path.write_text(
        GAME.replace("players: 2-4", "players: 3").replace(
            "find: {name: rival, of: others, when: coins > 1, most: coins}",
            "choose: {name: rival, of: others, cards: 0-1}",
        )
    )
    assert de.check(path) == ()
    game = de.load(path, players=3)
    labels = game.labels_in("pl").ways
    assert (labels["row_2"], labels["left_2"], labels["no_rival"]) == ("Rząd 2", "2. gracz po lewej", "Nic")
    ways = game.labels_in("en").ways
    assert (ways["left_1"], ways["left_2"]) == ("The player on your left", "The player 2 seats to your left")
    hands = [*SET_UP.hands, ["n11", "n12", "n13"]]
    state = game.set_up(de.Position(hands=hands, zones=SET_UP.zones, counters={"coins": [1, 4, 8]}))
    state = state.commit(0, "n9").commit(1, "n7").commit(2, "n11").commit(0, "row_1").commit(0, "left_2")
    assert [seat["coins"] for seat in state.counters] == [1 + 8 // 2, 4, 8]
    phraser = EventPhraser(PlainNames(game.labels, ["Ann", "Ben", "Cem"]))
    sentences = [phraser.sentence(happening) for happening in EventTeller(game, 1).tell(state.events)]
    assert "Ann chose Cem." in sentences
    play_alike(game.program, "rivals", 6)
    path.write_text(path.read_text().replace("{name: rival, of: others", "{name: rival, of: everyone"))
    assert de.load(path, players=3).labels_in("en").ways["left_0"] == "You"


def test_the_smallest_numbers_are_compared_and_asked(tmp_path):
    """Check that values far below 0 are found, and that `my` asks the seat that found itself."""
    path = tmp_path / "names.yaml"
    far = GAME.replace("coins >= my(coins), most: coins", "coins >= my(coins), most: coins - 2000000")
    path.write_text(far.replace("of(best, coins) - coins", "of(best, coins - my(coins) + 1)"))
    start = de.load(path, players=2).set_up(
        de.Position(hands=SET_UP.hands, zones=SET_UP.zones, counters={"coins": [9, 4]})
    )
    state = start.commit(0, "n9").commit(1, "n7").commit(0, "row_1").commit(1, "row_2")
    assert [seat["lead"] for seat in state.counters] == [1, 3]  # 11 coins and 9


def test_nobody_sees_the_counters_of_names(path):
    state = shown(path).commit(0, "row_3").commit(1, "row_3")
    view = state.view(0)
    assert not any(":" in item.thing for seat in range(2) for item in view.belongings(seat))
    assert not any(":" in event.name for event in state.events if event.kind == "counter")


@pytest.mark.parametrize("language", ["en", "pl", "ja"])
def test_books_say_what_is_named(path, language):
    text = " ".join(as_text(book_of(rules_named(path, ()), language)).split())
    assert "name:" not in text
    assert "row_" not in text
    if language == "en":
        assert "Choose a place of “Row” as “Goal”, or nothing." in text
        assert "“Rival” is another player with the most coins (of those who have 2 or more coins)" in text
        assert "add (the number of coins of “Rival”) divided by 2" in text


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("find: {name: rival, of: others", "find: {name: rival, of: other"), "unknown-zone"),
        (("name: rival, of: others", "name: goal, of: others"), "name-clash"),
        (("{name: best, of: everyone", "{name: lead, of: everyone"), "name-clash"),
        (("most: last,", "most: lost,"), "unknown-name"),
        (("to: goal, cards", "to: gaol, cards"), "unknown-zone"),
        (("chosen(rival)", "chosen(rivals)"), "wrong-arguments"),
        (("chosen(rival)", "chosen(rival, goal)"), "wrong-arguments"),
        (("of(best, coins)", "of(best)"), "wrong-arguments"),
        (("of(best, coins)", "of(best, coins, lead)"), "wrong-arguments"),
        (("draw: {to: goal,", "draw: {to: rival,"), "unknown-zone"),
    ],
)
def test_what_cannot_be_named(tmp_path, change, code):
    """Check that a name stands for copies of a zone or for players, and for one kind of thing."""
    path = tmp_path / "names.yaml"
    assert change[0] in SMALL
    path.write_text(SMALL.replace(*change))
    assert code in {finding.code for finding in de.check(path)}


@pytest.mark.parametrize(
    ("step", "code", "hint"),
    [
        ("choose: {name: foe}", "required-key", "Possible: others, everyone or row."),
        ("choose: {name: foe, of: hand}", "unknown-zone", "Possible: others, everyone or row."),
        ("choose: {name: foe, of: rows}", "unknown-zone", "Did you mean “row”?"),
        ("choose:\n                  name: foe\n                  of: other", "unknown-zone", "Did you mean “others”?"),
        ("find: {name: foe, of: n9}", "unknown-zone", "Possible: others, everyone, row, hand, tableau or discard."),
        ("find: {name: foe, of: others}", "never-used", "Use it, or remove it."),
        ("choose: {name: foe, of: row}", "never-used", "Use it, or remove it."),
    ],
)
def test_a_name_for_nothing(tmp_path, step, code, hint):
    """Check that a name for nothing has one finding, which says what a name can stand for."""
    path = tmp_path / "names.yaml"
    path.write_text(SMALL.replace("- find: {name: rival", f"- {step}\n              - find: {{name: rival"))
    assert [(finding.code, finding.hint) for finding in de.check(path)] == [(code, hint)]


GIVEN = "“goal” is a name that a step gives. Write chosen(goal) or, for a place or a player, of(goal, …)."


@pytest.mark.parametrize(
    ("old", "new", "code", "hint"),
    [
        ("when: chosen(goal)", "when: goal", "unknown-name", GIVEN),
        ("when: chosen(goal)", "when: gaol", "unknown-name", GIVEN),
        ("when: chosen(goal)", "when: chosen(gaol)", "wrong-arguments", "Did you mean “goal”?"),
        ("of(rival, coins)", "of(rivl, coins)", "unknown-name", "Did you mean “rival”?"),
        ("when: chosen(goal)", "when: cions", "unknown-name", "Did you mean “coins”?"),
    ],
)
def test_a_hint_offers_the_names_that_steps_give(tmp_path, old, new, code, hint):
    """Check that a name of a step is offered as authors write it, and only where it means something."""
    path = tmp_path / "names.yaml"
    path.write_text(SMALL.replace(old, new))
    assert [(finding.code, finding.hint) for finding in de.check(path)] == [(code, hint)]


@pytest.mark.parametrize(
    ("taken", "kind"),
    [("hand", "zone"), ("row", "zone"), ("row_1", "zone"), ("slot", "zone"), ("worn_2", "counter"), ("n9", "card")],
)
def test_a_name_is_not_that_of_another_thing(tmp_path, taken, kind):
    """Check that a zone, its copies and their counters lend no step their names."""
    path = tmp_path / "names.yaml"
    game = SMALL.replace("zones:\n", "zones:\n  slot: {copies: 2}\n").replace(
        "counters:\n", "counters:\n  worn: {per: row}\n"
    )
    path.write_text(game.replace("goal", taken))
    clashes = [finding for finding in de.check(path) if finding.code == "name-clash"]
    assert all(finding.path.startswith("/round/") and finding.message.endswith(f"{kind}.") for finding in clashes)
    assert clashes


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("cards: 0-1}", "cards: 0-2}", "one-verb"),
        ("cards: 0-1}", "cards: 2}", "one-verb"),
        ("of: row, cards: 0-1}", "of: row, to: shown}", "one-verb"),
        ("of: row, cards: 0-1}", "of: row, as: {a: {to: shown}}}", "one-verb"),
        ("most: last, else: {fewest: last}", "most: last, fewest: last", "one-verb"),
        ("else: {fewest: last}", "else: {most: last, fewest: last}", "one-verb"),
        ("when: coins > 1, most: coins", 'when: "coins > of(goal, cards(row))", most: coins', ""),
    ],
)
def test_keys_exclude_each_other_and_names_have_limits(tmp_path, old, new, code):
    """Check that no key is ignored, and that a name may be found by what another name stands for."""
    path = tmp_path / "names.yaml"
    assert old in SMALL
    path.write_text(SMALL.replace(old, new))
    assert {finding.code for finding in de.check(path)} - {"never-used"} == ({code} - {""})


def test_no_text_has_the_counter_of_a_name(tmp_path):
    """Check findings and books where a formula asks for a name by its counter."""
    path = tmp_path / "names.yaml"
    path.write_text(SMALL.replace("  - score: round", "  - {move: {from: goal, to: discard}}\n  - score: round"))
    (finding,) = de.check(path)
    assert (finding.code, finding.message[:6]) == ("seat-needed", "“goal”")
    assert finding.hint == "Write “who: everyone” beside the step, or put the step into “in_turn”."
    path.write_text(SMALL.replace("points: coins - lead", 'points: "of(goal, cards(row)) + 2 * of(best, my(coins))"'))
    text = " ".join(as_text(book_of(rules_named(path, ()), "en")).split())
    assert "name:" not in text
    assert "the number of cards in “Goal”" in text


@pytest.mark.parametrize("name", ["others", "everyone", "self", "nobody", "left"])
def test_words_of_steps_are_no_names(tmp_path, name):
    path = tmp_path / "names.yaml"
    path.write_text(SMALL.replace("rival", name))
    (finding,) = de.check(path)
    assert (finding.code, finding.hint) == ("taken-name", "Choose another name.")


@pytest.mark.parametrize(
    ("old", "new", "code", "place"),
    [
        ("when: coins > 1, most", "when: cions > 1, most", "unknown-name", "cions"),
        ("when: coins > 1, most", "when: coins, most", "wrong-type", "coins"),
        ("most: coins}", "most: coins // lead}", "division-by-zero", "lead"),
        ("else: {fewest: last}", "else: {fewest: cards(raw)}", "unknown-name", "raw"),
        ('when: "last < highest', 'when: "lost < highest', "unknown-name", "lost"),
    ],
)
def test_a_mistake_in_find_has_its_place(tmp_path, old, new, code, place):
    path = tmp_path / "names.yaml"
    assert old in SMALL
    path.write_text(SMALL.replace(old, new))
    finding, *_ = de.check(path)
    span = finding.span
    assert (finding.code, span.source.text[span.start : span.end]) == (code, place)
    assert finding.path.endswith("/find")


def test_cards_move_between_places_with_two_names(tmp_path):
    """Check that nothing moves if both names stand for the same place."""
    path = tmp_path / "names.yaml"
    two = SMALL.replace("rounds: 1", "rounds: 2").replace(
        "              - find: {name: rival",
        "              - find: {name: fullest, of: row, most: cards(row)}\n"
        "              - move: {from: goal, to: fullest}\n"
        "              - {move: {from: row_1, to: goal}, when: coins > 4}\n"
        "              - find: {name: rival",
    )
    path.write_text(two)
    assert de.check(path) == ()
    play_alike(de.load(path, players=2).program, "names", 6)
    path.write_text(two.replace("to: fullest", "to: goal"))
    assert {finding.code for finding in de.check(path)} == {"zone-misuse"}


def test_a_clash_of_a_name_has_no_other_finding(tmp_path):
    """Check that the rest of the choice is not taken for one about cards."""
    path = tmp_path / "names.yaml"
    path.write_text(SMALL.replace("{name: goal, of: row, cards: 0-1}", "{name: coins, of: row, cards: 0-1}"))
    assert [(finding.code, finding.message) for finding in de.check(path)] == [
        ("name-clash", "“coins” is already a counter.")
    ]


CALLED = "“rival” is a name that a step gives. Write of(rival, coins)."
NAME_IT = "To choose a place or a player, give the choice a name: “choose: {name: goal, of: row}”."
ONE_NAME = "Leave “cards” out. With “cards: 0-1” players may also name nothing."


@pytest.mark.parametrize(
    ("old", "new", "code", "hint"),
    [
        ("of(rival, coins)", "rival(coins)", "unknown-name", CALLED),
        ("of(goal, cards(row))", "cards(goul)", "unknown-name", "Did you mean “goal”?"),
        ("of(goal, cards(row))", "cards(rival)", "unknown-name", GIVEN.replace("goal", "rival")),
        ("to: goal}\n                else", "to: goul}\n                else", "unknown-zone", "Did you mean “goal”?"),
        ("{name: goal, of: row, cards: 0-1}", "{name: goal, of: row, cards: 2}", "one-verb", ONE_NAME),
        ("- draw: {to: row}", "- draw: {to: row}\n  - choose: {of: row, cards: 0-1}", "unknown-card", NAME_IT),
    ],
)  # fmt: skip
def test_a_hint_says_how_to_use_a_name(tmp_path, old, new, code, hint):
    path = tmp_path / "names.yaml"
    assert old in SMALL
    path.write_text(SMALL.replace(old, new))
    errors = [(finding.code, finding.hint) for finding in de.check(path) if finding.severity == "error"]
    assert (code, hint) in errors


def test_a_misspelt_name_of_a_card_is_known(tmp_path):
    path = tmp_path / "names.yaml"
    named = "  - {who: coins > 0, do: [{find: {name: prize, of: shown}}, {move: {from: shown, to: hand, of: prise}}]}\n"
    path.write_text(SMALL.replace("  - score: round", f"{named}  - score: round"))
    assert "Did you mean “prize”?" in {finding.hint for finding in de.check(path)}


def test_a_label_without_its_step_has_a_hint(tmp_path):
    path = tmp_path / "names.yaml"
    path.write_text(SMALL.replace("points: coins - lead}", "points: coins - lead, at: game}"))
    (finding,) = de.check(path)
    assert finding.hint == "Known: round. Add “finish: [{score: game}]”, or write another “at”."


ROWS = """
format: 2
id: rows
title: Rows
version: 1.0.0
players: 3-5
rounds: 1
cards:
  "n{n}": {for: {n: 1-30}, count: 1, has: {n: "{n}"}}
zones:
  row: {copies: players, fits: free}
  shown: {per: seat, seen_by: everyone}
counters:
  closed: {per: row, max: 1}
  coins: {start: 3, min: 0, max: 60}
define:
  free: closed == 0 and cards(row) < 3
  mine: {is: "highest(shown, n, 0) + coins", label: strength}
round:
  - deal: {to: hand, cards: 3}
  - repeat:
      times: 3
      do:
        - choose: {from: hand, to: shown}
        - in_turn:
            do:
              - {points: 1, when: "over(row, free) > 0"}
              - {points: 2, when: "over(row, free) == 0"}
              - {choose: {from: shown, to: row}, when: coins > 0}
              - find: {name: rival, of: others, when: mine > my(mine), most: mine}
              - find: {name: prize, of: shown, fewest: its(n)}
              - {add: {coins: "over(row, free)"}, who: everyone}
  - set: {closed: 1}
  - score: round
scoring: {coins: {points: "of(rival, mine) + chosen(prize)"}}
"""


def test_books_speak_of_any_place_and_of_other_players(tmp_path):
    path = tmp_path / "rows.yaml"
    path.write_text(ROWS)
    text = " ".join(as_text(book_of(rules_named(path, ()), "en")).split())
    for clause in (
        "for at least one place of “Row”, “free” applies",
        "for no place of “Row” “free” applies",
        "“free” (“Row 1”) applies",
        "Applies if there are no closed and there are at most 2 cards in “Row”.",
        "the number of places of “Row” for which this is true: “free” applies",
        "another player for whom this is highest: “strength” of that player",
        "(of those for whom this is true: “strength” that they have is more than “strength”)",
        "“Prize” is a card of “Shown” for which the n is lowest",
    ):
        assert clause in text, clause
    for language in ("pl", "ja"):
        assert "_" not in as_text(book_of(rules_named(path, ()), language)).replace("draft_engine", "")


FEUDS = """
format: 2
id: feuds
title: Feuds
version: 1.0.0
players: 2-4
counters: {coins: {start: 5, min: 0, max: 60, keep: true}}
zones: {stash: {per: seat, seen_by: everyone}}
cards:
  raid:
    count: 24
    on_play:
      - choose: {name: victim, of: others, cards: 0-1}
      - {who: victim, add: {coins: -2}}
      - {who: victim, when: coins > 4, move: {from: stash, to: discard, cards: 1}, else: [{choose: {to: discard}}]}
  tithe:
    count: 24
    on_play:
      - find: {name: rich, of: everyone, most: coins}
      - {who: rich, do: [{add: {coins: -1}}, {draw: {to: hand}}]}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 4}
  - choose: {from: hand, to: stash}
  - repeat: {until_empty: hand, at_most: 20, do: [{id: play, choose: {from: hand, to: tableau}}]}
  - score: round
scoring: {all: {points: coins + cards(stash)}}
"""


@pytest.fixture(scope="module")
def feuds(tmp_path_factory):
    """Write the game in which players act because another one named them, and return its path."""
    path = tmp_path_factory.mktemp("feuds") / "feuds.yaml"
    path.write_text(FEUDS)
    return path


@pytest.mark.parametrize("players", [2, 4])
def test_every_form_knows_who_a_name_means(feuds, players):
    assert de.check(feuds) == ()
    play_alike(de.load(feuds, players=players).program, "feuds", 8)


@pytest.mark.parametrize("distance", [0, 1, 2, 3])
def test_who_is_the_player_that_was_named(feuds, distance):
    """Check that only the player so far to the left loses coins and a card, or nobody does."""
    stash = [["tithe"]] * 4
    hands = [[], ["raid"], [], []]
    position = de.Position(at="play", hands=hands, zones={"stash": stash}, counters={"coins": [5] * 4})
    state = de.load(feuds, players=4).set_up(position).commit(1, "raid")
    state = state.commit(1, f"left_{distance}" if distance else "no_victim")
    taken = [counters["coins"] for counters in state.counters]
    victim = (1 + distance) % 4
    assert taken == [3 if distance and seat == victim else 5 for seat in range(4)]
    left = [zone.size for zone in state.view(-1).zones if zone.zone == "stash"]
    assert left == [0 if distance and seat == victim else 1 for seat in range(4)]


def test_the_richest_is_perhaps_the_seat_itself(feuds):
    position = de.Position(at="play", hands=[["tithe"], []], counters={"coins": [7, 6]})
    state = de.load(feuds, players=2).set_up(position).commit(0, "tithe")
    assert [counters["coins"] for counters in state.counters] == [6, 6]
    assert [zone.size for zone in state.view(-1).zones if zone.zone == "hand"] == [1, 0]


def test_the_rulebook_says_who_does_it(feuds):
    texts = {language: as_text(book_of(rules_named(feuds, ()), language)) for language in ("en", "pl", "ja")}
    books = {language: " ".join(text.split()) for language, text in texts.items()}
    assert "“Rich” does this (take 1 off their coins and draw 1 card from the deck into their hand)" in books["en"]
    assert "„Rich” robi to" in books["pl"]
    assert "「Rich」が次を行う" in books["ja"]
