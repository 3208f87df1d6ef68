"""``draftengine test``: comparisons with reasons, coverage of scenarios, and scenarios from games."""

import json
from random import Random

import pytest
import yaml

import draftengine as de
from conftest import NIGHTLY
from draftengine.api import replay as de_replay
from draftengine.api.replay import Player
from draftengine.api.scenario.recorded import NotRecordedError, recorded
from draftengine.model.shelf import shelf

LARDER = """\
format: 1
id: larder
title: Larder
version: 1.0.0
players: 2-3
rounds: 1
cards:
  jam: {count: 16}
  ham: {count: 16}
  cream: {count: 3}
setup:
  - {shuffle: deck}
round:
  - {deal: {to: hand, cards: 3}}
  - repeat:
      until_empty: hand
      do:
        - {choose: {from: hand, to: tableau}}
        - {pass: {zone: hand, to: left}}
  - {score: round}
scoring:
  jam: {kind: set, of: jam, size: 2, points: 5}
  ham: {kind: formula, points: 2 * ham if jam > 1 else ham}
  duel: {kind: formula, points: cream, when: players == 2}
winner: {order: most}
variants:
  long:
    title: Long
    changes: {rounds: 2}
"""
TESTS = """\
cardset: larder.yaml
tests:
  - name: jam and ham
    players: 3
    tables: [[jam, jam, ham], [ham], []]
    expect: {points: {jam: [5, 0, 0], ham: [2, 1, 0]}}
"""


@pytest.fixture
def larder(tmp_path):
    (tmp_path / "larder.yaml").write_text(LARDER, encoding="utf-8")
    (tmp_path / "tests.yaml").write_text(TESTS, encoding="utf-8")
    return tmp_path


# ── Side by side ──


def test_what_fails_stands_beside_what_was_expected_with_the_reasons(draftengine, larder):
    (larder / "tests.yaml").write_text(TESTS.replace("ham: [2, 1, 0]}", "ham: [2, 3, 0]}, round: [7, 3, 0]"))
    finished = draftengine("test", "tests.yaml")
    assert finished.status == 1
    lines = [" ".join(line.split()) for line in finished.out.splitlines()]
    assert lines[0] == "failed jam and ham"
    assert lines[1:4] == [
        "points ham expected given",
        "Player 1 2 2 by the formula: 2",
        "Player 2 3 ≠ 1 by the formula: 1",
    ]
    assert "Player 1 7 7 jam 5: 2 make 1 set of 2: 5; ham 2: by the formula: 2" in lines
    assert "“jam and ham”: points ham should be [2, 3, 0], but the rules give [2, 1, 0]." in finished.err
    told = draftengine("test", "tests.yaml", "--json").json["files"][0]["tests"][0]
    assert told["differences"][0] == {
        "what": "points ham",
        "expected": [2, 3, 0],
        "given": [2, 1, 0],
        "why": [["by the formula: 2"], ["by the formula: 1"], ["by the formula: 0"]],
    }
    assert [own["what"] for own in told["differences"]] == ["points ham", "round"]


def test_a_rule_that_does_not_count_here_says_when_it_does(draftengine, larder):
    (larder / "tests.yaml").write_text(TESTS.replace("ham: [2, 1, 0]}", "duel: [0, 1, 0]}"))
    lines = [" ".join(line.split()) for line in draftengine("test", "tests.yaml").out.splitlines()]
    assert "Player 2 1 ≠ 0 it counts only if players == 2" in lines


def test_what_is_no_points_has_no_table(draftengine, larder):
    (larder / "tests.yaml").write_text(TESTS.replace("points: {jam: [5, 0, 0], ham: [2, 1, 0]}", "winners: [1]"))
    finished = draftengine("test", "tests.yaml")
    assert finished.status == 1
    assert "expected   given" not in finished.out
    assert "winners should be [1], but the rules give [0, 1, 2]" in finished.err


def test_examples_of_the_game_that_is_extended_may_come_out_otherwise(draftengine, larder):
    """Check that examples of the extended game may differ, with a note; the file's own must hold."""
    example = "examples:\n  - {name: two, tables: [[jam, jam], []], expect: {points: {jam: [5, 0]}}}\n"
    (larder / "larder.yaml").write_text(LARDER + example, encoding="utf-8")
    house = "format: 1\nid: house\nextends: larder\ntitle: House\nversion: 1.0.0\nscoring: {jam: {points: 6}}\n"
    (larder / "house.yaml").write_text(house, encoding="utf-8")
    checked = draftengine("validate", "house.yaml")
    assert checked.status == 0
    aside = "An example of the extended card set no longer holds here, so it is left out: “two”."
    assert f"house.yaml:3:10: note[example-set-aside]: {aside}" in checked.err
    tested = draftengine("test", "house.yaml")
    assert tested.status == 0
    said = "The example “two” of larder.yaml has another result here: points jam is [6, 0] instead of [5, 0]."
    assert f"warning[example-fails]: {said}" in tested.err
    assert tested.out.startswith("differs  two\n")
    assert tested.out.endswith("house.yaml: 0 passed, 0 failed, 1 different from the game that it extends\n")
    (larder / "house.yaml").write_text(house + example.replace("two", "own"), encoding="utf-8")
    assert draftengine("validate", "house.yaml").status == draftengine("test", "house.yaml").status == 1


# ── What is reached ──


def missing(told):
    return {(own["kind"], own["name"]): own["missing"] for own in told["coverage"][0]["items"] if not own["reached"]}


def test_coverage_says_what_no_scenario_reaches_and_where(draftengine, larder):
    finished = draftengine("test", "tests.yaml", "--coverage")
    assert finished.status == 0
    lines = finished.out.splitlines()
    start = lines.index("Coverage of larder.yaml by 1 scenario:")
    assert [" ".join(line.split()) for line in lines[start + 1 : start + 5]] == [
        "Rules 2 of 3", "Cards 2 of 3", "Conditions 1 of 2", "Variants 0 of 1",
    ]  # fmt: skip
    assert lines[start + 5 :] == [
        "larder.yaml:10:3: the card cream is never played",
        "larder.yaml:24:3: the rule duel never scores",
        "larder.yaml:24:46: “players == 2” is never true",
        "larder.yaml:27:3: the variant long is never played",
    ]


def test_more_scenarios_reach_more(draftengine, larder):
    """Check that scenarios of the card set and of other files count together."""
    more = (
        LARDER
        + "examples:\n  - {name: two, players: 2, tables: [[cream], []], variants: [long], expect: {winners: [0]}}\n"
    )
    (larder / "larder.yaml").write_text(more, encoding="utf-8")
    told = draftengine("test", "tests.yaml", "larder.yaml", "--coverage", "--json").json
    assert told["coverage"][0]["scenarios"] == 2
    assert missing(told) == {("rule", "duel"): "scores, but no scenario states how much"}
    checked = more.replace("winners: [0]", "points: {duel: [1, 0]}")
    (larder / "larder.yaml").write_text(checked, encoding="utf-8")
    assert missing(draftengine("test", "tests.yaml", "larder.yaml", "--coverage", "--json").json) == {}


def test_without_scenarios_nothing_is_reached(draftengine, larder):
    (larder / "tests.yaml").write_text("cardset: larder.yaml\ntests: []\n", encoding="utf-8")
    found = missing(draftengine("test", "tests.yaml", "--coverage", "--json").json)
    assert found["condition", "jam > 1"] == found["condition", "players == 2"] == "is never evaluated"
    assert found["rule", "jam"] == "never scores"


def test_what_a_house_rule_takes_over_is_only_counted(draftengine, larder):
    house = "format: 1\nid: house\nextends: larder\ntitle: House\nversion: 1.0.0\ncards: {pie: {count: 2}}\n"
    rule = "scoring: {pie: {kind: each, of: pie, points: 3}}\nexamples:\n"
    rule += "  - {name: pie, tables: [[pie], []], expect: {winners: [0, 1]}}\n"
    (larder / "house.yaml").write_text(house + rule, encoding="utf-8")
    finished = draftengine("test", "house.yaml", "--coverage")
    assert "house.yaml:7:11: the rule pie scores, but no scenario states how much" in finished.out
    assert "larder.yaml:" not in finished.out
    assert "more in what it extends (--json lists them)" in finished.out


# ── Scenarios from games ──


def played(game, seed=5):
    chance, state = Random(seed), game.start(seed)
    while not state.over:
        moves = state.view(state.waiting[0]).moves
        state = state.commit(state.waiting[0], moves[chance.randrange(len(moves))])
    return state


def test_a_saved_game_becomes_a_scenario_that_passes(draftengine, larder):
    variables = {"XDG_DATA_HOME": str(larder / "data")}
    answers = "1\n" * 6
    draftengine(
        "play", "larder.yaml", "--plain", "--seat", "human", "--seat", "random", "--seed", "4", "-v", "long",
        stdin=answers, **variables,
    )  # fmt: skip
    finished = draftengine("test", "new.yaml", "--record", "larder-1", **variables)
    assert finished.status == 0, finished.err
    assert finished.out.startswith("passed  round 2 of a game with the seed 4\n")
    data = yaml.safe_load((larder / "new.yaml").read_text(encoding="utf-8"))
    assert data["cardset"] == "larder.yaml"
    (told,) = data["tests"]
    assert told["variants"] == ["long"]
    assert len(told["moves"]) == 3
    assert {"points", "tables", "total", "winners"} <= set(told["expect"])
    again = draftengine("test", "new.yaml", "--record", "larder-1", "--round", "1", **variables)
    assert again.out.count("passed") == 3
    (larder / "larder.yaml").write_text(LARDER.replace("points: 5", "points: 6"), encoding="utf-8")
    assert draftengine("test", "new.yaml").status == 1, "other rules give other points"


def record_of(game, state):
    return de_replay.record_of(state, [Player("Ann", ""), Player("Ben", ""), Player("Cem", "")][: game.players], {})


def test_a_record_of_serve_is_added_to_the_tests_that_are_there(draftengine, larder):
    game = de.load(larder / "larder.yaml", 3)
    (larder / "game.json").write_text(json.dumps(record_of(game, played(game))), encoding="utf-8")
    finished = draftengine("test", "tests.yaml", "--record", "game.json")
    assert finished.status == 0, finished.err
    text = (larder / "tests.yaml").read_text(encoding="utf-8")
    assert text.startswith(TESTS)
    assert finished.out.splitlines()[:2] == ["passed  jam and ham", "passed  round 1 of a game with the seed 5"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("tests.yaml", "--record", "nothing-1"), "There is no file and no saved game “nothing-1”"),
        (("tests.yaml", "--record", "larder.yaml"), "larder.yaml: "),
        (("tests.yaml", "--record", "game.json", "--round", "2"), "its round 2 is not finished"),
        (("tests.yaml", "--record", "changed.json"), "changed.json: "),
        (("tests.txt", "--record", "game.json"), "--record writes to a scenario file"),
        (("flow.yaml", "--record", "game.json"), "are in brackets"),
        (("early.yaml", "--record", "game.json"), "the tests must come last"),
        (("tests.yaml", "larder.yaml", "--record", "game.json"), "name one"),
        (("tests.yaml", "--round", "1"), "--round can only be used with --record"),
    ],
)
def test_what_cannot_be_recorded_says_why(draftengine, larder, more, said):
    game = de.load(larder / "larder.yaml", 2)
    record = record_of(game, played(game))
    (larder / "game.json").write_text(json.dumps(record), encoding="utf-8")
    (larder / "changed.json").write_text(json.dumps({**record, "seed": 8}), encoding="utf-8")
    (larder / "flow.yaml").write_text(
        "cardset: larder.yaml\ntests: [{name: a, tables: [[jam]], expect: {winners: [0]}}]\n", encoding="utf-8"
    )
    (larder / "early.yaml").write_text(
        "tests: [{name: a, tables: [[jam]], expect: {winners: [0]}}]\ncardset: larder.yaml\n", encoding="utf-8"
    )
    before = {path: path.read_text(encoding="utf-8") for path in larder.glob("*.yaml")}
    finished = draftengine("test", *more)
    assert finished.status == 2
    assert said in " ".join(finished.err.split())
    assert before == {path: path.read_text(encoding="utf-8") for path in larder.glob("*.yaml")}


def test_what_was_not_played_to_the_end_of_a_round_is_none():
    game = de.load("sushi_go", 2)
    with pytest.raises(NotRecordedError, match="none of its rounds is finished"):
        recorded(game, 5, played(game).moves[:3])
    with pytest.raises(NotRecordedError, match="under these rules the game takes another course"):
        recorded(game, 6, played(game, 5).moves)


SOMETIMES = {"anniversary", "sushi_draft"}
"""Games with dice and chips: a scenario scores what was on the table, or nothing can be said."""


@pytest.mark.parametrize("name", shelf() if NIGHTLY else ["sushi_go", "anniversary"])
def test_every_shipped_game_can_be_recorded(name):
    game = de.load(name)
    for seed in range(20 if NIGHTLY else 1):
        state = played(game, seed)
        for number in range(1, game.model.rounds + 1):
            try:
                found = recorded(game, seed, state.moves, number)
            except NotRecordedError:
                assert name in SOMETIMES
            else:
                assert "moves" in found or name in SOMETIMES
