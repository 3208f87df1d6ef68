"""Choices as rows: hands that go round, tableaus that grow, and files of them."""

from __future__ import annotations

import csv

import pytest

import draftengine as de
from draftengine.studies.simulation.rows import ChoiceRow, choices_of

PLAYERS = 3


@pytest.fixture(scope="module")
def rows():
    return [*choices_of(de.load("sushi_go", players=PLAYERS), ("greedy", "random", "greedy"), 5, 0, 2)]


def test_a_hand_goes_on_without_what_was_taken(rows):
    """Check that the neighbour gets the rest of a hand, and that the card then lies on the table."""
    by_moment = {(row.game, row.round, row.turn, row.seat): row for row in rows}
    assert len(by_moment) == len(rows) == 2 * 3 * 9 * PLAYERS
    followed = 0
    for (game, number, turn, seat), row in by_moment.items():
        after = by_moment.get((game, number, turn + 1, seat))
        if after is None or " with " in row.move:
            continue
        neighbour = by_moment[game, number, turn + 1, (seat + 1) % PLAYERS]
        assert sorted([row.move, *neighbour.offered.split()]) == row.offered.split()
        assert len(after.tableau.split()) == len(row.tableau.split()) + 1
        followed += 1
    assert followed > len(rows) / 2


def test_they_are_the_games_of_a_simulation(draftengine, tmp_path, rows):
    """Check that the command writes the same choices, of the games that it plays."""
    bots = ("--bots", "greedy,random,greedy", "--seed", "5")
    finished = draftengine(
        "simulate", "sushi_go", "-p", "3", "-n", "9", *bots, "--choices", "made.csv", "--draft-games", "2"
    )
    assert finished.status == 0, finished.err
    with (tmp_path / "made.csv").open(encoding="utf-8", newline="") as text:
        written = [ChoiceRow(*map(int, cells[:4]), *cells[4:]) for cells in [*csv.reader(text)][1:]]
    assert written == rows
