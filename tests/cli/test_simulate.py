"""``draftengine simulate`` and ``compare`` as processes."""

import csv
import os
import re
import signal

import pytest

from conftest import NIGHTLY
from draftengine.studies.runner import undisturbed


@pytest.fixture
def kitchen(tmp_path, soups):
    (tmp_path / "soups.yaml").write_text(soups, encoding="utf-8")
    return tmp_path


def test_a_simulation_says_what_came_of_it(draftengine, kitchen):
    finished = draftengine("simulate", "soups.yaml", "-n", "50", "--players", "3", "--seed", "4", "--json")
    assert finished.status == 0
    told = finished.json
    assert told["games"] == 50
    assert told["games_per_second"] > 0
    assert told["seed"] == 4
    assert len(told["seats"]) == 3
    assert sum(seat["wins"] for seat in told["seats"]) == pytest.approx(50)
    assert {"bot", "wins", "mean", "sd", "ci95"} <= set(told["seats"][0])
    assert finished.err == ""


def test_the_same_seed_is_the_same_games(draftengine, kitchen):
    digests = {
        draftengine("simulate", "soups.yaml", "-n", "60", "--seed", "x", "--json", *more).json["digest"]
        for more in ((), ("--jobs", "2"), ("--engine", "reference"))
    }
    assert len(digests) == 1
    other = draftengine("simulate", "soups.yaml", "-n", "60", "--seed", "y", "--json").json["digest"]
    assert other not in digests


def test_people_get_a_table(draftengine, kitchen):
    finished = draftengine("simulate", "soups.yaml", "-n", "20", "--bots", "greedy,random", "--seed", "1")
    assert finished.status == 0
    assert "Player 1 (greedy)" in finished.out
    assert "Of the margin" in finished.out
    assert max(map(len, finished.out.splitlines()[1:])) <= 80


def test_rows_and_report(draftengine, kitchen):
    finished = draftengine(
        "simulate", "soups.yaml", "-n", "12", "--seed", "1", "--out", "rows.csv", "--report", "report.html"
    )
    assert finished.status == 0
    with (kitchen / "rows.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12
    assert all(None not in row for row in rows), "there are cells beyond the columns"
    page = (kitchen / "report.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "http" not in page
    assert re.search(r"Each player makes \d+ choice", page)
    assert re.search(r"The \w+ bot wins \d+", page)


def test_how_cards_are_drafted(draftengine, kitchen):
    arguments = ("simulate", "soups.yaml", "-n", "40", "--draft-games", "25", "--seed", "1", "--bots", "greedy,random")
    finished = draftengine(*arguments, "--draft", "--report", "report.html")
    assert finished.status == 0, finished.err
    assert "Draft (25 games)" in finished.out
    assert "Comes back" in finished.out
    assert "a choice loses" not in finished.out
    page = (kitchen / "report.html").read_text(encoding="utf-8")
    assert "the first 25 of 40 games" in page
    assert "Regret" not in page
    assert "draft" not in draftengine(*arguments, "--json").json


def test_what_choices_lose(draftengine, kitchen):
    arguments = ("simulate", "soups.yaml", "-n", "30", "--seed", "1", "--bots", "greedy,random", "--regret")
    finished = draftengine(*arguments, "--adviser", "greedy", "--report", "report.html")
    assert finished.status == 0, finished.err
    assert "According to greedy" in finished.out
    assert "For player 1: 0.00, 2: " in finished.out
    assert "<h3>Regret</h3>" in (kitchen / "report.html").read_text(encoding="utf-8")
    told = [
        draftengine(*arguments, "--adviser", "greedy", "--jobs", jobs, "--json").json["draft"] for jobs in ("1", "2")
    ]
    assert told[0] == told[1]
    assert told[0]["games"] == 30
    assert told[0]["regret"]["by_seat"]["0"]["mean"] == 0
    assert told[0]["regret"]["by_seat"]["1"]["mean"] > 0
    assert {"pick", "preferred", "wheel", "denied", "by_turn"} <= set(told[0]["cards"]["soup"])


def test_an_adviser_without_an_opinion(draftengine, kitchen):
    finished = draftengine("simulate", "soups.yaml", "-n", "5", "--regret", "--adviser", "random", "--json")
    assert finished.status == 0
    assert "regret" not in finished.json["draft"]
    assert "does not value moves" in finished.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--bots", "gredy"), "greedy"),
        (("--regret", "--adviser", "gredy"), "greedy"),
        (("--draft", "--draft-games", "0"), "0"),
        (("--bots", "random,random,random,random,random,random"), "6 bots"),
        (("--engine", "quantum"), "auto, compiled or reference"),
        (("--out", "rows.txt"), ".csv"),
        (("--out", "nowhere/rows.csv"), "no folder"),
        (("--players", "99"), "99"),
        (("-n", "0"), "0"),
        (("--variant", "nonsense"), "nonsense"),
    ],
)
def test_what_cannot_be_simulated(draftengine, kitchen, arguments, said):
    finished = draftengine("simulate", "soups.yaml", *arguments)
    assert finished.status == 2
    assert said in finished.err
    assert finished.out == ""


def test_no_cluster_there(draftengine, kitchen):
    """Check that a missing cluster is an error; by day the address is invalid, which saves ten seconds."""
    cluster = "tcp://127.0.0.1:9" if NIGHTLY else "smoke://signals"
    finished = draftengine("simulate", "soups.yaml", "-n", "10", "--executor", cluster)
    assert finished.status == 2
    assert "scheduler" in finished.err or "pip install" in finished.err


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(("jobs", "number"), [("1", signal.SIGINT), ("2", signal.SIGINT), ("2", signal.SIGTERM)])
def test_whatever_stops_it_keeps_what_is_finished(stopped, kitchen, jobs, number):
    arguments = ["simulate", "soups.yaml", "-n", "100000000", "--engine", "reference", "--json", "--jobs", jobs]
    finished = stopped(number, *arguments, "--out", "rows.csv")
    assert finished.status == 130
    assert finished.json["interrupted"]
    with (kitchen / "rows.csv").open(newline="", encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == finished.json["games"] > 0


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_chunk_is_merged_whole_whatever_comes(number):
    """Check that a signal waits until a chunk is merged, and then acts as usual."""
    merged = []

    def merge():
        with undisturbed():
            signal.raise_signal(number)
            merged.append("all of it")

    before = signal.signal(number, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            merge()
    finally:
        signal.signal(number, before)
    assert merged


def test_comparing_a_variant(draftengine, kitchen):
    finished = draftengine(
        "compare", "soups.yaml", "--variant-b", "to_the_right", "--players", "3", "-n", "100", "--seed", "2", "--json"
    )
    assert finished.status == 0, finished.err
    told = finished.json
    assert told["games"] == 100
    assert told["b"]["variants"] == ["to_the_right"]
    assert told["summary"]
    assert {"kind", "name", "a", "b", "difference", "ci95", "certain"} <= set(told["effects"][0])


def test_comparing_two_files(draftengine, kitchen):
    house = "format: 1\nextends: soups\nid: house\ntitle: House rule\nrounds: 1\n"
    (kitchen / "house.yaml").write_text(house, encoding="utf-8")
    arguments = ("compare", "soups.yaml", "house.yaml", "-n", "60", "--bots", "greedy")  # bots that need no learning
    finished = draftengine(*arguments, "--report", "change.html")
    assert finished.status == 0, finished.err
    assert "A = Soups, B = House rule" in finished.out
    assert "Scores fall" in finished.out
    assert "<svg" in (kitchen / "change.html").read_text(encoding="utf-8")


def test_a_precision_that_is_no_number(draftengine, kitchen):
    finished = draftengine("compare", "soups.yaml", "house.yaml", "--precision", "nan")
    assert finished.status == 2
    assert finished.err.startswith("Error: --precision must be a number of percentage points")


def test_nothing_to_compare(draftengine, kitchen):
    finished = draftengine("compare", "soups.yaml")
    assert finished.status == 2
    assert "--variant-b" in finished.err
