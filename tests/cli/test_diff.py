"""``draftengine diff``: the differences between editions, and the message if there are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import processes
from draftengine.api.facts import Things
from draftengine.api.facts.differences import differences
from draftengine.api.ruleset import rules_named

SETS = Path(__file__).parents[2] / "cardsets"
QUESTIONS = {
    "2012": {
        "In a game of two, both have the same number of puddings; does anybody score?",
        "Still tied after counting puddings, who wins?",
    },
    "2014": {"May a player without any maki icon be second?"},
}


def between(first, second):
    """Return the differences between two shipped sets, as (part, about): (before, after)."""
    both = (Things(rules_named(SETS / f"{name}.yaml").labels_in("en")) for name in (first, second))
    return {(own.part, own.about): (own.before, own.after) for own in differences(*both)}


def run(*arguments):
    """Run ``draftengine diff`` as a process."""
    return processes.run("diff", *arguments, encoding="utf-8")


PRINTED = ["age", "minutes", "publisher", "year"]
"""Facts printed on the boxes of both editions, which differ."""


def test_2012_and_2014():
    """Check the second edition: it scores alike, has a dummy, and may allow a second place without icons."""
    found = between("sushi_go", "sushi_go_2014")
    assert [about for part, about in found if part != "questions"] == [*PRINTED, "Two-player variant"]
    assert {about for part, about in found if part == "questions"} >= QUESTIONS["2014"]


@pytest.mark.parametrize("first", ["sushi_go", "sushi_go_2014"])
def test_the_editions_and_the_anniversary(first):
    """Check all differences in box, scoring, events, end, variants and questions."""
    found = between(first, "anniversary")
    scoring = {about for part, about in found if part == "scoring"}
    assert scoring == {"Maki", "Pudding", "Strawberry pudding"}
    before, after = found["scoring", "Maki"]
    assert "Without any maki icons you get nothing." in before
    assert "Without one" not in after
    assert (
        "With two players: the player with the fewest strawberries loses 3 points."
        in found["scoring", "Strawberry pudding"][1]
    )
    assert "most puddings wins" in found["end", "End of the game"][0]
    assert "most puddings" not in found["end", "End of the game"][1]
    assert {about for part, about in found if part == "events"} == {"taking the lead", "taking the sushi boat"}
    assert {part for part, _ in found} == {"box", "round", "scoring", "events", "end", "variants", "questions"}
    boxes = {about for part, about in found if part == "box"}
    strawberries = {f"Strawberry pudding ×{number}" for number in range(1, 5)}
    things = {
        "Squishy",
        "Sushi boat",
        "Light wasabi cubes (many, each worth 1)",
        "Dark wasabi cubes (many, each worth 5)",
        "Wasabi plate for the cubes",
        "Wasabi bowl for the cubes (one for each player)",
    }
    named = {"Dumpling", "Maki ×1", "Maki ×2", "Maki ×3", "Pudding"}
    printed = set(PRINTED) if first == "sushi_go" else {"age", "publisher", "year"}
    assert boxes == strawberries | things | named | printed
    variants = {about for part, about in found if part == "variants"}
    assert "Dummy player" in variants or "Two-player variant" in variants
    assert "Not together with" in found["variants", "Pass both ways"][1]


def test_2012_and_the_summary():
    """Check the summary: it pays second place after a tie, and uses chopsticks after the reveal."""
    found = between("sushi_go", "sushi_go_summary")
    assert {own for own in found if own[0] in {"cards", "scoring"}} == {
        ("cards", "Chopsticks"),
        ("scoring", "Maki"),
        ("scoring", "Pudding"),
    }


def test_a_house_rule(tmp_path):
    """Check that numbers, new rules and a changed flow are listed, and that a set equals itself."""
    house = tmp_path / "house.yaml"
    house.write_text(
        "format: 1\nid: house\nextends: sushi_go\ntitle: House\nversion: 1.0.0\nrounds: 2\n"
        "cards: {chopsticks: {count: 8}}\n"
        "scoring: {variety: {kind: collection, of: [tempura, sashimi], points: 4}}\n"
        "steps: {pass_hands: {pass: {to: right}}}\n",
        "utf-8",
    )
    process = run("sushi_go", house)
    assert process.returncode == 0
    for said in (
        "End of the game\n  ≠ 2 rounds instead of 3\n",
        "+ 8 × Chopsticks",
        "+ Each set of one tempura and one sashimi scores 4 points.",
        "+ Pass your hand to the right.",
    ):
        assert said in process.stdout
    data = json.loads(run("sushi_go", house, "--json").stdout)
    assert [own["id"] for own in data["sets"]] == ["sushi_go", "house"]
    assert {"part": "end", "about": "rounds", "before": "3", "after": "2"} in data["differences"]
    house.write_text(
        "format: 2\nid: house\nextends: sushi_go\ntitle: House\nversion: 1.0.0\n"
        "rounds: {until: most(points) >= 50, at_most: 2}\n",
        "utf-8",
    )
    assert "  rounds\n    − 3\n    + round after round, until the game ends, ≤ 2\n" in run("sushi_go", house).stdout
    assert "are played alike" in run("sushi_go", "sushi_go").stdout


def test_a_difference_that_no_sentence_tells(tmp_path):
    """Check that differences with equal sentences are printed once, with a note that they differ."""
    for name in ("stars", "lights"):
        text = (
            f"format: 1\nid: {name}\nextends: sushi_go\ntitle: House\nversion: 1.0.0\n"
            "cards: {soup: {count: 8, adds: {stars: 1, lights: 1}}}\n"
            "counters: {stars: {label: stars}, lights: {label: stars, keep: true}}\n"
            f"scoring: {{soup: {{kind: each, of: {name}, points: 1}}}}\n"
        )
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")
    told = run(tmp_path / "stars.yaml", tmp_path / "lights.yaml").stdout.splitlines()
    assert told[-3:] == [
        "  Soup",
        "    = Soup cards score 1 point each.",
        "    ≠ they differ, but no sentence can say how",
    ]


def test_what_cannot_be_compared():
    """Check that a card set that does not exist is named, with one that does."""
    process = run("sushi_go", "anniversery")
    assert process.returncode == 2
    assert "anniversary" in process.stderr
    assert "Traceback" not in process.stderr
