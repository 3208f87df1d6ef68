"""Published games in format 2: accepted as they are written, and played alike in every engine."""

from pathlib import Path

import pytest

import draftengine as de
from conftest import NIGHTLY
from draftengine.api.ruleset import rules_named
from draftengine.engine.chance import root_of
from draftengine.engine.compilable import why_not_compiled
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from draftengine.studies.runner.playing import ReferencePlayer
from text.forms import as_it_stands

HERE = Path(__file__).parent / "format_2"
GAMES = sorted(path.stem for path in HERE.glob("*.yaml"))
RANGES = {name: rules_named(HERE / f"{name}.yaml", ()).players for name in GAMES}
PLAYERS = [
    (name, players)
    for name, (fewest, most) in RANGES.items()
    for players in (range(fewest, most + 1) if NIGHTLY else [sorted((fewest, 3, most))[1]])
]
"""Games with numbers of players: by day with three if possible, which takes less than with the most."""
READ = [
    (name, language)
    for at, name in enumerate(GAMES)
    for number, language in enumerate(("en", "pl", "ja"))
    if NIGHTLY or at % 3 == number
]
"""Games with languages: by day one of each game."""
WARNED = {
    "coloretto": ["endless-turns"],
    "point_salad": ["endless-turns"],
    "seven_wonders": ["never-used", "deck-runs-out"],
    "splendor": ["endless-turns", "zone-misuse", "zone-misuse", "endless-turns"],
    "sushi_roll": ["endless-turns"],
    "six_nimmt": ["not-all-checked"],
    "winston_draft": ["endless-turns"],
}
"""Games that may go on for ever, so that they end after a number of turns, and parts of games."""


@pytest.mark.parametrize("name", GAMES)
def test_they_are_accepted_as_they_are_written(name):
    """Check that nothing is wrong with them, and that their worked examples come out."""
    assert [finding.code for finding in de.check(HERE / f"{name}.yaml")] == WARNED.get(name, [])


@pytest.mark.parametrize(("name", "players"), PLAYERS)
def test_they_are_played_to_the_end_in_every_form(name, players):
    program = de.load(HERE / f"{name}.yaml", players=players).program
    names = ["random"] * players
    games = 2 if NIGHTLY else 1
    plain = ReferencePlayer(program, names, logged=True).play(root_of(name), 0, games, rows=True)
    assert as_it_stands(program, names).play(root_of(name), 0, games, rows=True) == plain
    assert why_not_compiled(program) == ()


@pytest.mark.parametrize(("name", "language"), READ)
def test_their_rulebooks_name_nothing_that_only_the_engine_knows(name, language):
    """Check that no name with a colon, which only the engine gives, stands in a rulebook."""
    text = as_text(book_of(rules_named(HERE / f"{name}.yaml", ()), language))
    assert not [word for word in text.split() if ":" in word.rstrip(":")]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "six_nimmt",
            "whose card is lower than every row takes a row of their choice; otherwise “Goal” is a place of “Row”",
        ),
        (
            "nidavellir",
            "is equal to 0, a coin of 0 raises the larger of the other two coins by the value of the smaller.",
        ),
    ],
)
def test_their_own_texts_are_parts_of_sentences(name, sentence):
    text = " ".join(as_text(book_of(rules_named(HERE / f"{name}.yaml", ()), "en")).split())
    assert sentence in text
