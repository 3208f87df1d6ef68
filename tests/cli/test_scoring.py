"""``draftengine score`` and ``draftengine test``."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2] / "cardsets" / "house"

TABLES = """
names: [Ann, Ben]
tables:
  - [wasabi, nigiri_squid, tempura, tempura]
  - {maki_3: 2, dumpling: 3, pudding: 1}
scores: [12, 20]
"""


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("score", "sushi_go", "--input", "empty.yaml"), "It begins with tables"),
        (("test", "empty.yaml"), "A scenario file begins with cardset and tests"),
        (("validate", "empty.yaml"), "A card set begins with format, id and title"),
    ],
)
def test_of_an_empty_file_is_said_what_belongs_there(draftengine, tmp_path, command, said):
    for text in ("", "# only a remark\n"):
        (tmp_path / "empty.yaml").write_text(text, encoding="utf-8")
        finished = draftengine(*command)
        assert finished.status == 1
        assert f"hint: {said}" in finished.err


def test_tables_are_scored_with_proof(draftengine):
    """Check points by rule and seat with arithmetic, cards and citation, and that earlier points count."""
    finished = draftengine("score", "sushi_go", "--input", "-", "--json", stdin=TABLES)
    found = finished.json
    assert finished.status == 0
    assert found["points"]["nigiri"] == [9, 0]
    assert found["points"]["tempura"] == [5, 0]
    assert found["points"]["dumpling"] == [0, 6]
    assert found["points"]["maki"] == [0, 6]
    assert (found["round"], found["game"], found["total"]) == ([14, 12], [0, 6], [26, 38])
    assert found["winners"] == [1]
    line = next(line for line in found["lines"] if line["rule"] == "nigiri" and line["seat"] == 0)
    assert line["cards"] == ["wasabi", "nigiri_squid"]
    assert line["source"] == ["O-09", "O-23"]
    assert line["text"]


def test_the_lines_add_up(draftengine):
    found = draftengine("score", "sushi_go", "--input", "-", "--json", stdin=TABLES).json
    for seat, total in enumerate(found["total"]):
        before = [12, 20][seat]
        assert before + sum(line["points"] for line in found["lines"] if line["seat"] == seat) == total


def test_for_people(draftengine, tmp_path):
    (tmp_path / "tables.yaml").write_text(TABLES, encoding="utf-8")
    finished = draftengine("score", "sushi_go", "-i", "tables.yaml")
    assert finished.status == 0
    for text in ("Ann", "Ben wins with 38 points", "[O-20]", "2 make 1 set of 2: 5"):
        assert text in finished.out


def test_what_cards_did_when_played_is_not_known(draftengine):
    """Check that effects of playing a card cannot be seen on a table: such cards are named until given."""
    harvest, tables = str(Path(__file__).with_name("harvest.yaml")), "tables: [[gift, tax], {vine@gift: 1, gift: 1}]"
    finished = draftengine("score", harvest, "-i", "-", stdin=tables)
    assert (finished.status, finished.err) == (
        0,
        "The effects of tax, gift were not counted. Give the results as counters and scores.\n",
    )
    assert "The effects of tax" in draftengine("score", harvest, "-i", "-", stdin=f"{tables}\nscores: [3, 3]").err
    told = f"{tables}\nscores: [3, 3]\ncounters: {{barrels: [0, 1]}}"
    assert draftengine("score", harvest, "-i", "-", stdin=told).err == ""


def test_json_is_input_too(draftengine):
    tables = json.dumps({"tables": [["tempura", "tempura"], ["maki_1"]]})
    found = draftengine("score", "sushi_go", "-i", "-", "--json", stdin=tables).json
    assert found["points"]["tempura"] == [5, 0]


def test_variants_and_extra_seats(draftengine):
    """Check that two players with a dummy have three tables."""
    tables = "tables: [[pudding], [], []]"
    found = draftengine(
        "score", "sushi_go_2014", "-i", "-", "--json", "--variant", "two_player_dummy", stdin=tables
    ).json
    assert found["players"] == 2
    assert found["points"]["pudding"] == [6, -3, -3]


@pytest.mark.parametrize(
    ("tables", "place", "said"),
    [
        ("tables: [[wasaby]]", "1:11", "wasabi"),
        ("names: [nope, Ben]\ntables: [[tempura], [nope]]", "2:22", "nope"),
        ("tables: 3", "1:9", "must be a list"),
        ("tables: [[tempura], []]\ncolour: red", "2:1", "colour"),
        ("tables: [[tempura], {tempura: -1}]", "1:31", "-1"),
        ("tables: [[tempura], {tempura: 40}]", "1:22", "The box contains 14"),
        ("tables: [[], []]\nscores: [1, 2, 3]", "2:16", "3 entries"),
        ("tables: [[]\n", "1:9", "not closed"),
        ("", "1:1", "empty"),
    ],
)
def test_mistakes_are_located(draftengine, tables, place, said):
    finished = draftengine("score", "sushi_go", "--players", "2", "-i", "-", stdin=tables)
    assert finished.status == 1
    assert f"<stdin>:{place}:" in finished.err
    assert said in finished.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["score", "sushi_go"], "--input"),
        (["score", "sushi_go", "-i", "nowhere.yaml"], "nowhere.yaml"),
        (["score", "-", "-i", "-"], "can't be both"),
    ],
    ids=" ".join,
)
def test_wrong_usage(draftengine, arguments, said):
    finished = draftengine(*arguments)
    assert finished.status == 2
    assert said in finished.err


CHIPS = "tables: [[ikura, ikura], [ebi], [kappa]]"
"""One chip for each seat: of 3 to 5 points, of 2 to 4, of 1 to 3. No seat alone has most kinds."""


@pytest.mark.parametrize(
    ("told", "winners", "missing"),
    [
        ("chips: [5, 4, 3]", [0], []),
        ("chips: [3, 4, 3]", [1], []),
        ("chips: [3, 3, 3]", [0, 1, 2], []),
        ("scores: [3, 4, 1]", [1], []),
        ("", [], ["Player 1 has 1 chip, worth 3 to 5 points: enter what they are worth.",
                  "Player 2 has 1 chip, worth 2 to 4 points: enter what they are worth.",
                  "Player 3 has 1 chip, worth 1 to 3 points: enter what they are worth."]),
        ("chips: [5, null, 1]", [], ["Player 2 has 1 chip, worth 2 to 4 points: enter what they are worth."]),
        ("chips: [2, 4, 3]", [], ["Player 1 has 1 chip, worth 3 to 5 points: the sheet says 2."]),
    ],
)  # fmt: skip
def test_nobody_has_won_before_chips_are_known(draftengine, told, winners, missing):
    """Check that nobody has won while unknown chips decide: only their owners know what they are worth."""
    shown = draftengine("score", "sushi_draft", "-i", "-", "--json", stdin=f"{CHIPS}\n{told}").json
    assert (shown["winners"], shown["missing"]) == (winners, missing)
    words = draftengine("score", "sushi_draft", "-i", "-", stdin=f"{CHIPS}\n{told}").out
    assert ("Nobody has won yet." in words) == bool(missing)
    assert ("If the game ended now: " in words) == (not missing)
    assert "ahead by" not in words


def test_chips_beside_points_of_rules(draftengine, tmp_path):
    """Check points beside cards that are no chips: two tempura for 5, then the first player's tip decides."""
    text = (HOUSE / "the_tip_jar.yaml").read_text(encoding="utf-8")
    (tmp_path / "tips.yaml").write_text(text, encoding="utf-8")
    tables = "tables: [{tempura: 2}, {dumpling: 3}]"
    for told, total, winners in (
        ("", [5, 6], []),
        ("scores: [2, 0]", [7, 6], []),
        ("chips: [1, null]", [6, 6], [0, 1]),
        ("chips: [4]", [9, 6], [0]),
        ("chips: [4, 2]", [9, 8], []),
    ):
        found = draftengine("score", "tips.yaml", "-i", "-", "--json", stdin=f"{tables}\n{told}").json
        assert (found["total"], found["winners"]) == (total, winners), told


def test_the_end_of_the_game_is_a_row_of_its_own(draftengine):
    """Check the row for the end: rounds of 5, 1 and 0, then 6 for two puddings of round one, and chips."""
    rounds = [{"tables": [["tempura", "tempura", "pudding"], ["dumpling"]]}, {"tables": [[], []]}, {"tables": [[], []]}]
    tables = json.dumps({"rounds": rounds})
    found = draftengine("score", "sushi_go", "-i", "-", "--json", stdin=tables).json
    assert [own["total"] for own in found["rounds"]] == [[5, 1], [0, 0], [0, 0]]
    assert (found["end"]["total"], found["end"]["points"]) == ([6, 0], {"pudding": [6, 0]})
    assert (found["total"], found["winners"]) == ([11, 1], [0])
    words = draftengine("score", "sushi_go", "-i", "-", stdin=tables).out
    assert re.search(r"Round 3 +0 +0\n  End +6 +0\n  Total +11 +1\n", words)
    early = json.dumps({"rounds": rounds[:2]})
    assert draftengine("score", "sushi_go", "-i", "-", "--json", stdin=early).json["end"] is None


def test_a_race_is_over_when_its_condition_holds(draftengine, tmp_path):
    """Check that 44 points end the race after one of eight rounds and score the pudding; 39 do not."""
    (tmp_path / "race.yaml").write_text((HOUSE / "race_to_forty.yaml").read_text("utf-8"), "utf-8")
    for points, total, winners in ((44, [50, 0], [0]), (39, [39, 0], [])):
        tables = json.dumps({"rounds": [{"tables": [["pudding"], []], "points": [points, 0]}]})
        found = draftengine("score", "race.yaml", "-i", "-", "--json", stdin=tables).json
        assert (found["total"], found["winners"]) == (total, winners)


@pytest.mark.parametrize(
    ("cardset", "tables", "said"),
    [
        ("sushi_draft", "tables: [[ebi], [ikura], [!triple@ikura]]", "Triple as Ikura cannot have this form"),
        ("sushi_draft", "tables: [[ebi], [ikura], [!triple@ikura, ikura]]", "Triple as Ikura cannot have this form"),
        ("sushi_draft", "tables: [[ebi], [ikura], [ikura, !triple]]", "say what it was played as"),
        ("sushi_draft", "tables: [[ebi], [ikura], [!triple]]", "say what it was played as"),
        ("sushi_draft", "tables: [[ebi], [ikura], {ebi: 1, !triple@ikura: 1}]", "cannot have this form"),
        ("sushi_draft", "rounds: [{tables: [[], [], []]}, {tables: [[], [], [ebi, !triple@kappa]]}]", "as Kappa"),
        ("anniversary -v mochi", "tables: [[mochi], []]\ncounters: {mochi_die: [!7, 1]}", "it must be at most 6"),
        ("anniversary -v mochi", "tables: [[mochi], []]\ncounters: {mochi_die: [6, !0]}", "it must be at least 1"),
        ("anniversary", "tables: [[], []]\nmarkers: {!squishy: 2}", "is a seat from 0 to 1"),
        ("anniversary", "rounds: [{tables: [[], []], markers: {!squishy: 2}}]", "is a seat from 0 to 1"),
        ("sushi_go", "rounds: [{tables: [[pudding], []]}, {tables: [[], {pudding: 9, !soup: 1}]}]", "no “soup”"),
        ("sushi_go", "rounds: [{tables: [[pudding], []]}, {tables: [{!pudding: 10}, []]}]", "The box contains 10"),
        ("sushi_go", "rounds: [{tables: [[], []], points: [1, 2, !3]}]", "3 entries"),
        ("sushi_go", "rounds: [{tables: [[], []], chips: [1, 2, !3]}]", "3 entries"),
        ("sushi_go", "rounds: [{tables: [[]]}, {tables: [[]]}, {tables: [[]]}, !{tables: [[]]}]", "no round 4"),
        ("sushi_go", "tables: [[], []]\n!round: 4", "no round 4"),
        ("sushi_go", "tables: [[], []]\nnames: [A, B, !C]", "There are more names"),
    ],
)
def test_what_cannot_lie_on_a_table_is_refused_at_its_place(draftengine, cardset, tables, said):
    """Check that impossible dice, forms of wild cards and rounds are refused at their places."""
    before = tables.partition("!")[0]
    place = f"{2 + before.count(chr(10))}:{len(before) - before.rfind(chr(10))}"
    tables = f"players: {3 if cardset == 'sushi_draft' else 2}\n{tables.replace('!', '')}"
    finished = draftengine("score", *cardset.split(), "-i", "-", stdin=tables)
    assert finished.status == 1
    assert f"<stdin>:{place}: error" in finished.err
    assert said in finished.err


BOWLS = """
format: 2
id: bowls
title: Bowls
version: 1.0.0
players: 2
cards: {pear: {count: 10}, fig: {count: 10}}
zones: {bowl: {per: seat, seen_by: everyone}}
setup: [{shuffle: deck}]
round:
- deal: {to: hand, cards: 2}
- choose: {from: hand, to: tableau}
- choose: {from: hand, to: bowl}
- score: round
scoring: {pears: {points: "cards(bowl, pear)"}, figs: {each: fig, points: 2}}
winner: {order: most}
"""
FIGS = BOWLS.replace('pears: {points: "cards(bowl, pear)"}, ', "")
"""The same game without the rule about the bowl."""
GIVEN = ", points: [2, 1]"


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (BOWLS, True),
        (FIGS.replace("{order: most}", '{order: most, tie_breakers: [{most: "cards(bowl, pear)"}]}'), True),
        (f'{FIGS}wins: "cards(bowl, pear) > 0"', True),
        (f'{FIGS}triggers: {{bowls: {{after: round, do: [points: "cards(bowl, pear)"]}}}}', True),
        (f'{FIGS}triggers: {{bowls: {{after: round, who: "cards(bowl) > 0", do: [points: 1]}}}}', True),
        (f'{FIGS}triggers: {{bowls: {{after: reveal, do: [points: "cards(bowl, pear)"]}}}}', False),
        (FIGS, False),
    ],
    ids=["rule", "tie breaker", "wins", "effect", "seats", "effect in play", "nothing"],
)
def test_a_sheet_refuses_a_game_that_counts_cards_elsewhere(draftengine, tmp_path, text, refused):
    """Formulas that decide at scoring cannot count cards of a further zone: no sheet lists them."""
    (tmp_path / "bowls.yaml").write_text(text, "utf-8")
    finished = draftengine("score", "bowls.yaml", "-i", "-", stdin="tables: [[fig], [pear]]")
    assert finished.status == int(refused)
    assert ("<stdin>:1:1: error" in finished.err) is refused
    assert ("count the cards in bowl" in finished.err) is refused


@pytest.mark.parametrize("sheet", ["tables: [[fig], [pear]]", "rounds: [{tables: [[fig], [pear]]}]"])
def test_what_triggers_do_later_is_asked_for(draftengine, tmp_path, sheet):
    """A sheet carries out no steps that wait, so nobody wins before it states what they gave."""
    trigger = "triggers: {gifts: {after: round, do: [{when: fig > 0, do: [{points: 1}]}, {points: 1}]}}"
    (tmp_path / "bowls.yaml").write_text(FIGS + trigger, "utf-8")
    asked = draftengine("score", "bowls.yaml", "-i", "-", stdin=sheet)
    assert "The effects of gifts were not counted" in asked.err
    assert "Nobody has won yet.\n  The effects of Gifts are missing: enter points." in asked.out
    points = f"{sheet}\nscores: [2, 1]" if "rounds" not in sheet else sheet.replace("}]", ", points: [2, 1]}]")
    answered = draftengine("score", "bowls.yaml", "-i", "-", stdin=points)
    assert answered.err == ""
    assert "Player 1 wins with 4 points" in answered.out


@pytest.mark.parametrize(("first", "second", "asked"), [("", "", True), ("", GIVEN, True), (GIVEN, GIVEN, False)])
def test_each_round_states_the_points_of_its_triggers(draftengine, tmp_path, first, second, asked):
    """Points that a trigger gives in every round are asked for in every round, not only in the last."""
    trigger = "triggers: {gifts: {after: round, do: [{when: fig > 0, do: [{points: 1}]}, {points: 1}]}}"
    text = FIGS.replace("players: 2", "players: 2\nrounds: 2").replace(
        "- score: round", "- score: round\n- clear: tableau"
    )
    (tmp_path / "bowls.yaml").write_text(text + trigger, "utf-8")
    sheet = f"rounds: [{{tables: [[fig], [pear]]{first}}}, {{tables: [[fig], [pear]]{second}}}]"
    scored = draftengine("score", "bowls.yaml", "-i", "-", stdin=sheet)
    assert ("The effects of gifts were not counted" in scored.err) is asked
    assert ("Nobody has won yet." in scored.out) is asked


@pytest.mark.parametrize(
    ("cardset", "tables"),
    [
        ("sushi_draft", "tables: [[ikura, triple@ikura, triple@ikura], [ebi], []]"),
        ("sushi_draft", "tables: [{triple@ebi: 1, ebi: 2}, [kappa], []]"),
        ("anniversary -v mochi", "tables: [[mochi], []]\ncounters: {mochi_die: [1, 6]}"),
        ("sushi_go_party", "menu: my_first_meal\ntables: [[tempura], []]"),
    ],
)
def test_what_can_lie_on_a_table_is_scored(draftengine, cardset, tables):
    finished = draftengine("score", *cardset.split(), "-i", "-", stdin=tables)
    assert (finished.status, finished.err) == (0, "")


SCENARIOS = """
cardset: soups.yaml
players: 2
tests:
  - name: a meal
    tables: [[soup, soup], []]
    expect: {points: {soup: [5, 0]}}
  - name: hands go to the left
    hands: [[soup, bread, salad], [soup, soup, soup]]
    moves: [[soup, soup]]
    expect: {hands: [[soup, soup], [bread, salad]], tables: [[soup], [soup]]}
  - name: nobody takes what is not there
    hands: [[bread, bread], [soup, soup]]
    moves: [[soup, soup]]
    expect: {legal: false}
"""


@pytest.fixture
def files(tmp_path, soups):
    (tmp_path / "soups.yaml").write_text(soups, encoding="utf-8")
    path = tmp_path / "tests.yaml"
    path.write_text(SCENARIOS, encoding="utf-8")
    return path


def test_scenarios_pass(draftengine, files):
    finished = draftengine("test", "tests.yaml")
    assert finished.status == 0
    assert "3 passed, 0 failed" in finished.out


def test_worked_examples_are_scenarios(draftengine, files):
    finished = draftengine("test", "soups.yaml", "sushi_go", "--json")
    assert finished.status == 0
    assert [file["failed"] for file in finished.json["files"]] == [0, 0]
    assert finished.json["files"][0]["tests"] == [{"name": "a meal", "passed": True, "problems": [], "differences": []}]


@pytest.mark.parametrize(
    ("change", "place", "said"),
    [
        (("soup: [5, 0]", "soup: [6, 0]"), "7:29", "should be [6, 0], but the rules give [5, 0]"),
        (("legal: false", "legal: true"), "15:21", "refused"),
        (("[[soup, soup]]\n    expect: {legal", "[[soop, soup]]\n    expect: {legal"), "14:14", "Did you mean “soup”?"),
        (("[soup, soup, soup]]", "[soup, soup, soop]]"), "9:48", "Did you mean “soup”?"),
        (("points: {soup", "points: {stew"), "7:23", "no rule"),
        (("moves: [[soup, soup]]\n    expect: {hands", "moves: [[soup]]\n    expect: {hands"), "8:11", "has to choose"),
        (("cardset: soups.yaml", "cardset: stews.yaml"), "2:10", "stews.yaml"),
        (("players: 2", "players: 9"), "5:11", "players"),
        (("name: a meal", "nmae: a meal"), "5:5", "nmae"),
        (("[[soup, soup]]\n    expect: {hands", "[[soup, bread]]\n    expect: {hands"), "10:13", "not there to take"),
    ],
    ids=lambda case: case[1] if isinstance(case, tuple) else "",
)
def test_failures_are_located(draftengine, files, change, place, said):
    assert change[0] in SCENARIOS
    files.write_text(SCENARIOS.replace(*change), encoding="utf-8")
    finished = draftengine("test", "tests.yaml")
    assert finished.status == 1
    assert f"tests.yaml:{place}:" in finished.err
    assert said in finished.err


LATE = """
cardset: sushi_go_summary
players: 2
tests:
  - name: nobody takes two cards without chopsticks
    tables: [[], [wasabi]]
    hands: [[tempura, sashimi, maki_1], [dumpling, pudding, maki_2]]
    moves: [[[tempura, sashimi], dumpling]]
    expect: {legal: false}
"""
"""Chopsticks here are used after the reveal, so a second card is a choice of its own."""


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ([], None),
        (
            [("[[], [wasabi]]", "[[chopsticks], []]"), ("legal: false", "tables: [[tempura, sashimi], [dumpling]]")],
            None,
        ),
        ([("legal: false", "tables: [[tempura], [wasabi, dumpling]]")], "8:13"),
        ([("sashimi], dumpling", "sashimi, maki_1], dumpling"), ("[[], [wasabi]]", "[[chopsticks], []]")], None),
        ([("[tempura, sashimi], dumpling", "tempura, [dumpling, pudding]")], None),
        ([("[tempura, sashimi], dumpling", "tempura, dumpling, maki_1")], None),
    ],
    ids=["refused", "with chopsticks", "located", "three cards", "another seat", "no such seat"],
)
def test_cards_beyond_those_that_may_be_taken_are_refused(draftengine, tmp_path, changes, place):
    text = LATE
    for change in changes:
        assert change[0] in text
        text = text.replace(*change)
    (tmp_path / "late.yaml").write_text(text, encoding="utf-8")
    finished = draftengine("test", "late.yaml")
    assert finished.status == (1 if place else 0), finished.err
    if place:
        assert f"late.yaml:{place}: error[example-fails]" in finished.err
        assert "the rules refuse this move: too many cards are chosen: player 1 also names sashimi" in finished.err


BUILD = """
format: 1
id: site
title: Site
version: 1.0.0
players: 2
rounds: 1
cards: {hut: {count: 10}}
counters: {coins: {start: 2, min: 0, max: 9}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 2}
  - choose: {as: {build: {when: round > 1, pay: {coins: 3}}, rest: {cards: 0, when: hut > 0}, sell: {to: discard}}}
  - score: round
scoring: {huts: {kind: each, of: hut, points: 1}}
winner: {order: most}
examples: [{name: too dear, moves: [[MOVE, hut@sell]], expect: EXPECT}]
"""


@pytest.mark.parametrize(
    ("move", "needs"),
    [
        (
            "hut@build",
            "the way “build” is not open now; it needs “round > 1”, 3 of “coins” to pay and a card for it.",
        ),
        ("rest", "the way “rest” is not open now; it needs “hut > 0”."),
        ("[hut@sell, hut@sell]", "too many cards are chosen."),
    ],
)
@pytest.mark.parametrize("expect", ["{points: {huts: [0, 0]}}", "{legal: true}"])
def test_a_refused_move_says_what_it_would_have_taken(draftengine, tmp_path, move, needs, expect):
    """Check that a refused move says what can be taken, if the example expects it to be legal."""
    (tmp_path / "site.yaml").write_text(BUILD.replace("MOVE", move).replace("EXPECT", expect), encoding="utf-8")
    finished = draftengine("test", "site.yaml")
    assert finished.status == 1
    assert f"“too dear”: the rules refuse this move: {needs}" in finished.err


def test_who_does_not_choose_names_no_cards(draftengine, tmp_path):
    (tmp_path / "turn.yaml").write_text(
        """
cardset: anniversary
players: 2
tests:
  - name: only the mover takes a card
    variants: [sushi_battle]
    zones: {display: {r1c1: tempura, r1c2: sashimi}}
    markers: {mover: 0}
    moves: [[r1c1, r1c2]]
    expect: {legal: false}
""",
        encoding="utf-8",
    )
    finished = draftengine("test", "turn.yaml")
    assert finished.status == 0, finished.err


def test_a_card_that_is_taken_from_a_layout_is_named_by_its_place(draftengine, tmp_path):
    (tmp_path / "turn.yaml").write_text(
        """
cardset: anniversary
players: 2
tests:
  - {name: by name, variants: [sushi_battle], markers: {mover: 0}, moves: [[tempura, null]], expect: {total: [0, 0]}}
""",
        encoding="utf-8",
    )
    finished = draftengine("test", "turn.yaml")
    assert finished.status == 1
    assert "hint: A card taken from a layout is named by its place: r1c1." in finished.err


def test_scenarios_for_other_players_and_variants(draftengine, files):
    """Check that a scenario file may add a variant, and give the number of players where tests do not."""
    assert draftengine("test", "tests.yaml", "--players", "4").status == 0  # the file says two
    files.write_text(SCENARIOS.replace("players: 2\n", "", 1), encoding="utf-8")
    assert draftengine("test", "tests.yaml").status == 0
    finished = draftengine("test", "tests.yaml", "--players", "4")
    assert finished.status == 1
    assert "player 3 has to choose" in finished.err
    files.write_text(SCENARIOS, encoding="utf-8")
    finished = draftengine("test", "tests.yaml", "--variant", "to_the_right", "--json")
    assert [own["passed"] for own in finished.json["files"][0]["tests"]] == [True, True, True]
    finished = draftengine("test", "tests.yaml", "--variant", "to_the_lfet")
    assert finished.status == 1
    assert "to_the_right" in finished.err


@pytest.mark.parametrize("key", ["scenarios", "examples", "test"])
def test_a_scenario_file_with_another_key_has_one_mistake(draftengine, files, key):
    """Check that a scenario file is recognised by its card set, so an unknown key is one mistake."""
    files.write_text(SCENARIOS.replace("tests:", f"{key}:"), encoding="utf-8")
    finished = draftengine("test", "tests.yaml")
    assert finished.status == 1
    assert finished.err.count("error[") == 1
    assert f"tests.yaml:4:1: error[unknown-key]: The file can't have the key “{key}”." in finished.err
    assert "Did you mean “tests”?" in finished.err


def test_a_scenario_file_is_no_card_set(draftengine, files):
    finished = draftengine("validate", "tests.yaml")
    assert finished.status == 1
    assert finished.err.count("error[") == 1
    assert "Run it with “draftengine test”." in finished.err
