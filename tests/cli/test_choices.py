"""Choices as rows: hands that go round, tableaus that grow, and files of them."""

from __future__ import annotations

import csv
import errno
import re
from collections import Counter
from pathlib import Path

import pytest

import draftengine as de
from draftengine.studies.simulation.rows import ChoiceRow, RowWriter, choices_of

PLAYERS = 3
NATURAL = Path(__file__).parents[1] / "natural"


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
        assert row.move in after.tableau
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


def test_they_are_in_the_order_of_play(rows):
    assert rows == sorted(rows, key=lambda row: (row.game, row.round, row.turn, row.seat))


def test_what_lies_open_for_all_is_offered_to_every_seat():
    """Every seat takes cards from the one heap, and what it takes was offered."""
    written = [*choices_of(de.load(NATURAL / "open_heap.yaml", players=3), ("random",) * 3, 11, 0, 2)]
    assert {row.seat for row in written} == {0, 1, 2}
    for row in written:
        taken = Counter(part.partition("@")[0] for part in row.move.split(" + "))
        assert taken <= Counter(row.offered.split())


def test_what_lies_face_down_is_not_offered():
    game = de.load(NATURAL / "facing_cities.yaml", players=2)
    first = next(choices_of(game, ("random",) * 2, 11, 0, 1))
    places = next(zone.layout for zone in game.model.zones if zone.layout)
    lying_open = [place for place in places if not place.face_down]
    assert 0 < len(first.offered.split(" ")) == len(lying_open) < len(places)


@pytest.mark.parametrize(("problem", "number"), [('{"errno":"28"}', errno.ENOSPC), ("no number", errno.EIO)])
def test_a_file_that_cannot_be_converted_says_why(tmp_path, monkeypatch, problem, number):
    """The number of the error is that of the system, so that a full disk is reported as a full disk."""
    duckdb = pytest.importorskip("duckdb")

    def fail(*_):
        raise duckdb.IOException(problem)

    monkeypatch.setattr(duckdb, "connect", fail)
    path = tmp_path / "rows.parquet"
    with pytest.raises(OSError, match=re.escape(problem)) as caught, RowWriter(path, ["game"], {}) as writer:
        writer.write([[1]])
    assert (caught.value.errno, caught.value.filename) == (number, str(path))
    assert not path.exists()


def test_texts_and_facts_are_kept_as_they_are_written(tmp_path):
    """Texts stay texts even if they look like numbers or are empty, and quotes in facts are kept."""
    duckdb = pytest.importorskip("duckdb")
    path, facts = tmp_path / "rows.parquet", {"about": 'it\'s "one"'}
    with RowWriter(path, ["game", "move"], facts, texts=["move"]) as writer:
        writer.write([[1, "7"], [0, ""], [2, "1"]])
    assert duckdb.read_parquet(str(path)).fetchall() == [(1, "7"), (0, ""), (2, "1")]
    stored = duckdb.execute("SELECT key, value FROM parquet_kv_metadata(?)", [str(path)]).fetchall()
    assert (b"about", b'it\'s "one"') in stored
