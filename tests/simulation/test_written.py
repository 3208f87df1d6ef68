"""Simulations as files: rows of games and of choices, from Python."""

from __future__ import annotations

import csv

import pytest
from msgspec.structs import replace

import draftengine as de
from draftengine.studies.simulation.rows import ChoiceRow, choices_of

BOTS = ("greedy", "random")


@pytest.fixture(scope="module")
def simulation():
    return de.simulate(de.load("sushi_go", players=2), 6, bots=BOTS, seed=3, rows=True)


def test_games_and_choices_are_written(simulation, tmp_path):
    """Check that rows come back as they are in memory, and choices as they were played."""
    simulation.write_rows(tmp_path / "games.csv")
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as text:
        written = [*csv.DictReader(text)]
    assert written == [{name: str(value) for name, value in row.items()} for row in simulation.rows]
    simulation.write_choices(str(tmp_path / "choices.csv"), games=2)
    with (tmp_path / "choices.csv").open(encoding="utf-8", newline="") as text:
        heading, *rows = csv.reader(text)
    assert tuple(heading) == ChoiceRow._fields
    assert [ChoiceRow(*map(int, cells[:4]), *cells[4:]) for cells in rows] == [
        *choices_of(simulation.game, BOTS, 3, 0, 2)
    ]


def test_parquet_says_what_was_played(simulation, tmp_path):
    """Check that choices of all games are written, with the seed, and that seats of winners stay texts."""
    duckdb = pytest.importorskip("duckdb")
    for name, write in (("games", simulation.write_rows), ("choices", simulation.write_choices)):
        path = str(tmp_path / f"{name}.parquet")
        write(path)
        stored = dict(duckdb.execute("SELECT key, value FROM parquet_kv_metadata(?)", [path]).fetchall())
        assert (stored[b"seed"], stored[b"bots"]) == (b"3", b"greedy,random")
        assert duckdb.read_parquet(path).unique("game").aggregate("count(*)").fetchall() == [(6,)]
    winners = duckdb.read_parquet(str(tmp_path / "games.parquet")).select("winners").fetchall()
    assert [(row["winners"],) for row in simulation.rows] == winners


@pytest.mark.parametrize("write", ["write_rows", "write_choices"])
def test_other_files_are_refused(simulation, tmp_path, write):
    with pytest.raises(de.WrongArgumentError, match=r"games\.xlsx"):
        getattr(simulation, write)(tmp_path / "games.xlsx")
    assert not [*tmp_path.iterdir()]


def test_rows_that_were_not_kept_are_not_written(simulation, tmp_path):
    with pytest.raises(de.WrongArgumentError, match="rows=True"):
        replace(simulation, rows=()).write_rows(tmp_path / "games.csv")
