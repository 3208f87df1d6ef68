"""``draftengine show``: every rule in force, also of a card set without texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

HARVEST = str(Path(__file__).with_name("harvest.yaml"))


@pytest.fixture
def shown(draftengine):
    """Return the output with each run of white space as one space."""

    def show(*arguments):
        finished = draftengine("show", *arguments)
        assert finished.status == 0
        return " ".join(finished.out.split())

    return show


@pytest.mark.parametrize(
    "said",
    [
        "Bunch of grapes Counts as 2 barrels of wine.",
        "Tax When you play it, take 1 off your barrels of wine.",
        "Gift When you play it, score 3 points.",
        "Vine Is played as bunch of grapes or gift: one of those that already lie in front of you. So it is",
        "Cellar master (this round): The player with the most barrels of wine scores 5 points.",
        "drop the remainder. Only if it is round 2 or later.",
        "Each gift card scores 2 points. With three players: each gift card scores 3 points.",
        "Points by this number: the number of your bunch of grapes cards if you have 3 bunch of grapes cards or fewer,",
        "otherwise 0. 1 → 1, 2 or more → 3.",
        "Pressed: The next bunch of grapes you play must go on your press and counts twice.",
        "Helping hands: If helper cards lie in front of you when a turn begins, you may take a second card before",
        "Coronation: After each reveal: if you have just gained barrels of wine and nobody has more barrels of wine",
        "unless you hold “wreath”, take “wreath”.",
        "Deal 4 cards to each player.",
        "If it is round 2: Deal 1 card to each player. Keep your hand secret. They come from “the cellar”.",
        "“wreath” goes to the player with the most barrels of wine. In a tie it goes to the left.",
        "The most points win. If players are tied, the one of them with the most barrels of wine wins.",
    ],
)
def test_what_nobody_wrote_a_text_for(shown, said):
    """Check that cards, rules, modifiers, abilities, triggers and steps without texts are phrased."""
    assert said in shown(HARVEST)


def test_the_value_of_a_parameter(shown):
    assert "Deal 3 cards to each player." in shown(HARVEST, "--variant", "hand_size=3")


def test_a_text_of_the_author_comes_first(shown):
    """Check that an author's text of a card is not followed by a generated one."""
    text = shown("sushi_go")
    assert "Squid nigiri Counts 3, on wasabi 9." in text
    assert "Counts as" not in text


def test_menus(shown, draftengine):
    """Check that menus list their contents, and that the list of card sets names them."""
    assert "Menus my_first_meal: Maki rolls, Tempura, Sashimi, " in shown("sushi_go_party")
    assert "Menus" not in shown("sushi_go")
    listed = {own["id"]: own["menus"] for own in json.loads(draftengine("list", "--json").out)}
    assert listed["sushi_go_party"][0] == "my_first_meal"
    assert listed["sushi_go"] == []


def test_what_is_assumed(shown):
    """Check that equal assumptions are grouped, and that those of a variant name it."""
    for arguments in (["anniversary"], ["anniversary", "--readings"]):
        text = shown(*arguments)
        assert "Light wasabi cubes, Dark wasabi cubes: The booklet shows the cubes, 54 in all, as pictures" in text
        assert "Mochi (mochi): The booklet shows cards and dice as pictures" in text
    assert "Mochi: The booklet shows" in shown("anniversary", "--variant", "mochi")
    assert "Assumed Three to five players" in shown("sushi_draft")
    assert "Assumed" not in shown("sushi_go_2014")


def test_assumptions_are_in_the_json(draftengine):
    data = draftengine("show", "sushi_draft", "--json").json
    assert data["assumed"]["en"].startswith("Three to five players")
    assert data["about"]["assumed"]["en"].startswith("Age and minutes")


def test_a_rule_that_does_not_count_with_some_numbers_of_players(shown, tmp_path):
    text = "format: 1\nid: trio\nextends: sushi_go\ntitle: Trio\nversion: 1.0.0\nscoring: {maki: {when: players > 2}}\n"
    (tmp_path / "trio.yaml").write_text(text, encoding="utf-8")
    assert "With two players this does not count." in shown("trio.yaml")


def test_a_game_without_cards(draftengine, tmp_path):
    """Check that what a game of counters shows has no cards, and no empty place for them."""
    path = tmp_path / "pips.yaml"
    path.write_text(
        "format: 2\nid: pips\ntitle: Pips\nversion: 1.0.0\nplayers: 2\nrounds: 2\ncards: {}\n"
        "counters: {pip: {die: 6}}\nround: [{roll: pip}, {score: round}]\nscoring: {pips: {points: pip}}\n",
        "utf-8",
    )
    finished = draftengine("show", str(path))
    assert finished.status == 0
    assert "2 players, 2 rounds\n\n  In the box\n    Pip (a die with 6 sides for each player)\n" in finished.out
