"""Rounds and starts of counters that depend on the number of players."""

import pytest

import draftengine as de
from draftengine.api.ruleset import rules_named
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from text.forms import play_alike

GAME = """
format: 2
id: chips
title: Chips
version: 1.0.0
players: 2-4
rounds: {2: 3, 3: 2, 4: 2}
cards:
  soup: {count: 40}
counters:
  chips: {start: {2: 11, 3: 11, 4: 9}, max: 20}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 3}
  - choose: {from: hand, as: {eat: {to: tableau}, pay: {pay: {chips: 1}, to: discard}}}
  - {points: 100, when: round == rounds}
  - move: {from: hand, to: discard}
finish: [{score: game}]
scoring: {soup: {points: "chips + 0 * soup"}}
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "chips.yaml"
    file.write_text(GAME)
    return file


@pytest.mark.parametrize(("players", "rounds", "points"), [(2, 3, 111), (3, 2, 111), (4, 2, 109)])
def test_the_number_of_players_decides(path, players, rounds, points):
    """Check the last round and the start of a counter, also in formulas, in every form of the kernel."""
    assert de.check(path) == ()
    game = de.load(path, players=players)
    play_alike(game.program, "chips", 4)
    state = game.start(seed=1)
    moves = 0
    while not state.over:
        for seat in state.waiting:
            state = state.commit(seat, "soup@eat")
        moves += 1
    assert moves == rounds
    assert {*state.totals} == {points}


def test_the_rulebook_says_for_how_many_players(path):
    """Check that the book says both numbers, and only one of them in a book for one number of players."""
    rules = rules_named(path)
    text = " ".join(as_text(book_of(rules)).split())
    assert "You play 2 rounds and collect cards in front of you. With two players: you play 3 rounds" in text
    assert "Each player starts with 11 “Chips”. With four players: each player starts with 9 “Chips”." in text
    assert "The game ends after round 2. With two players: the game ends after round 3." in text
    assert "With two players" not in " ".join(as_text(book_of(rules, players=4)).split())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{2: 3, 3: 2, 4: 2}", "{2: 3, 3: 2}", "“rounds” has no “4”."),
        ("start: {2: 11, 3: 11, 4: 9}", "track: last, start: {2: 3}", "“start” can't depend on the number of players."),
        ("start: {2: 11, 3: 11, 4: 9}", "start: {2: 11, 3: 11}", "“start” has no “4”."),
        ("{2: 3, 3: 2, 4: 2}", "{at_most: 3}", "“rounds” has no “until”."),
    ],
)
def test_what_cannot_depend_on_the_players(path, old, new, message):
    """Check that a missing number of players is an error, and a start where it can't depend on them."""
    path.write_text(GAME.replace(old, new))
    assert message in [finding.message for finding in de.check(path)]


@pytest.mark.parametrize(
    ("rounds", "changed", "most"),
    [
        ("{2: 3, 3: 2, 4: 2}", "{until: most(points) > 110, at_most: 3}", (3, 3)),
        ("{until: most(points) > 999, at_most: 1}", "{2: 3, 3: 2, 4: 2}", (3, 2)),
        ("{2: 3, 3: 2, 4: 2}", "{2: 1}", (1, 2)),
    ],
)
def test_a_variant_changes_how_rounds_are_counted(path, rounds, changed, most):
    """Check that a table by players and a condition replace each other, and that two tables are merged."""
    variant = f"\nvariants: {{other: {{title: Other, changes: {{rounds: {changed}}}}}}}"
    path.write_text(GAME.replace("{2: 3, 3: 2, 4: 2}", rounds) + variant)
    assert [finding.message for finding in de.check(path) if finding.severity == "error"] == []
    games = [de.load(path, players=players, variants=["other"]) for players in (2, 3)]
    assert tuple(game.model.rounds for game in games) == most
