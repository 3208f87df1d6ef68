"""``draftengine show``: every rule that is played, also of a card set that explains nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

HARVEST = str(Path(__file__).with_name("harvest.yaml"))


@pytest.fixture
def shown(draftengine):
    """What is shown, with every run of spaces and line ends as one space."""

    def show(*arguments):
        finished = draftengine("show", *arguments)
        assert finished.status == 0
        return " ".join(finished.out.split())

    return show


@pytest.mark.parametrize(
    "said",
    [
        "Bunch of grapes Counts as 2 barrels of wine.",
        "Tax When played: barrels of wine -1.",
        "Gift When played: 3 points.",
        "Vine Is played as Bunch of grapes or Gift, if card > 0.",
        "Cellar master (this round): Whoever has the most barrels of wine scores 5 points.",
        "drop the remainder. Only if round > 1.",
        "Generosity (end of the game): Score players points for each gift.",
        "1, 2 or more (grape if grape < 4 else 0) score 1, 3 points.",
        "Pressed: Press makes the next Bunch of grapes count as barrels of wine 2 * amount.",
        "Helping hands: With Helper take 1 more card before the reveal; the card goes back into the hand.",
        "Coronation: After each reveal, the only seat with gained(barrels) > 0 and barrels == most(barrels), unless",
        "unless holds(wreath): takes wreath.",
        "deal 4 cards to hand",
        "if round == 2: deal 1 card from the cellar to hand",
        "the wreath goes to the seat with most barrels of wine; in a tie to the next seat on the left",
        "Who has most points wins, then most barrels of wine, then fewest gift",
    ],
)
def test_what_nobody_wrote_a_text_for(shown, said):
    """Cards, rules, modifiers, abilities, triggers and steps are told from what is declared, by their labels."""
    assert said in shown(HARVEST)


def test_the_value_of_a_parameter(shown):
    assert "deal 3 cards to hand" in shown(HARVEST, "--variant", "hand_size=3")


def test_a_text_of_the_author_comes_first(shown):
    """What the card set says of a card is not said twice."""
    text = shown("sushi_go")
    assert "Squid nigiri 3 points; 9 on wasabi." in text
    assert "Counts as" not in text


def test_what_is_assumed(shown):
    """Things of which the same is assumed are named together; what a variant would assume names it."""
    for arguments in (["anniversary"], ["anniversary", "--readings"]):
        text = shown(*arguments)
        assert "Light wasabi cube, Dark wasabi cube: The booklet shows the cubes as pictures" in text
        assert "Mochi (mochi): The booklet shows cards and dice as pictures" in text
    assert "Mochi: The booklet shows" in shown("anniversary", "--variant", "mochi")
    assert "Assumed Three to five players" in shown("sushi_draft")
    assert "Assumed" not in shown("sushi_go_2014")


def test_assumptions_are_in_the_json(draftengine):
    data = draftengine("show", "sushi_draft", "--json").json
    assert data["assumed"].startswith("Three to five players")
    assert data["about"]["assumed"].startswith("Age and minutes")
