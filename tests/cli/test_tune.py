"""``draftengine tune`` as a process."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from commands import processes

COINS = Path(__file__).parents[1] / "simulation" / "coins.yaml"
QUESTION = ("tune", "coins.yaml", "--parameter", "gift", "--bots", "random", "--seed", "7")
TARGET = ("--target", "seat advantage near 17 ± 8")


@pytest.fixture
def bank(tmp_path):
    (tmp_path / "coins.yaml").write_text(COINS.read_text(encoding="utf-8"), encoding="utf-8")
    return tmp_path


def test_the_answer_comes_first(draftengine, bank):
    finished = draftengine(*QUESTION, "--target", "share of bonus near 20 % ± 15")
    assert finished.status == 0
    lines = finished.out.splitlines()
    assert lines[0].startswith("  With gift = 1, the share of The gift in the winner's")
    assert "games with each value, played by random, seed 7" in finished.out
    assert any(line.split()[:2] == ["0", "(now)"] and line.endswith("misses it") for line in lines)
    assert "Mind who played: random takes any card." in finished.out
    assert max(map(len, lines)) <= 80
    assert "To play it: --variant gift=1" in finished.out
    played = draftengine("simulate", "coins.yaml", "--variant", "gift=1", "-n", "5", "--json", "--bots", "random")
    assert played.status == 0
    assert played.json["games"] == 5


def test_programs_get_all_of_it(draftengine, bank):
    told = draftengine(*QUESTION, "--target", "points of bonus near 1", "--json").json
    assert (told["parameter"], told["now"], told["best"], told["reached"]) == ("gift", 0, 2, [2])
    assert told["bots"] == ["random", "random"]
    assert told["caveat"]
    assert told["target"] == {"figure": "the score of a player from The gift", "low": 0.95, "high": 1.05, "near": 1.0}
    assert [own["value"] for own in told["tried"]] == [0, 1, 2, 3]
    assert told["tried"][2]["figure"] == 1.0
    assert told["tried"][2]["ci95"] == pytest.approx([1.0, 1.0], abs=0.02)
    assert told["tried"][2]["verdict"] == "reaches"
    assert told["games_needed"] == 0
    assert told["summary"][0].startswith("With gift = 2, the score of a player from The gift is 1.00")


def test_any_number_of_the_file_can_be_tried(draftengine, bank):
    told = draftengine(
        "tune", "coins.yaml", "--parameter", "scoring.coin.points", "--target", "score near 3 ± 0.9",
        "--values", "2,6", "--bots", "random", "--json",
    ).json  # fmt: skip
    assert told["best"] == 6
    assert told["now"] == 2
    finished = draftengine("simulate", "coins.yaml", "-v", "scoring.coin.points=6", "-n", "9", "--bots", "random")
    assert finished.status == 0


def test_going_on_is_the_same_as_not_stopping(draftengine, bank):
    """Check --resume after too few games or Ctrl-C: no game is played twice, and the result is equal."""
    refused = draftengine(*QUESTION, *TARGET, "--resume")
    assert refused.status == 2
    assert "There is no tuning to continue" in refused.err
    few = draftengine(*QUESTION, *TARGET, "-n", "600")
    assert "not known yet" in few.out
    assert "To go on: the same command with --resume -n " in few.out
    more = draftengine(*QUESTION[:-2], *TARGET, "-n", "1300", "--resume", "--json").json
    assert more["seed"] == 7
    whole = draftengine(*QUESTION, *TARGET, "-n", "1300", "--json").json
    assert more["tried"] == whole["tried"]
    other = draftengine(*QUESTION[:-1], "8", *TARGET, "--resume")
    assert other.status == 2
    assert "has the seed 7" in other.err


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_keeps_what_is_known(bank, environment):
    arguments = [
        *QUESTION,
        *TARGET,
        "--values",
        "0,1",
        "-n",
        "100000000",
        "--engine",
        "reference",
        "--json",
        "--jobs",
        "1",
    ]
    arguments[arguments.index(TARGET[1])] = "seat advantage near 16.6667 ± 0.001"
    folder = Path(environment["XDG_CACHE_HOME"]) / "draftengine"
    before = set(folder.glob("tune-*"))
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = processes.start(*arguments, cwd=bank, env=environment, text=True, **pipes)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and set(folder.glob("tune-*")) == before:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    told = json.loads(out)
    assert told["interrupted"]
    assert told["games"] > 0
    (file,) = set(folder.glob("tune-*")) - before
    assert json.loads(file.read_text())["games"] == told["games"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--parameter", "cards.coin.cuont", "--target", "score near 4"), "Did you mean “cards.coin.count”?"),
        (
            ("--parameter", "gift", "--target", "scoer near 4"),
            "--target: There is no figure “scoer” in this game. Did you",
        ),
        (("--parameter", "gift", "--target", "score near 4", "--values", "4-1"), "“4-1” contains no values"),
        (
            ("--parameter", "gift", "--target", "score near 4", "--values", "9"),
            "“gift” can't be 9. Possible: 0, 1, 2, 3.",
        ),
        (("--parameter", "gift", "--target", "score near 4", "--bots", "nobody"), "--bots nobody"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_would(draftengine, bank, more, said):
    finished = draftengine("tune", "coins.yaml", *more)
    assert finished.status == 2
    assert said in " ".join(finished.err.split())
    assert finished.out == ""


def test_values_that_cannot_be_played_are_listed(draftengine, bank):
    finished = draftengine(*QUESTION[:3], "rounds", *QUESTION[4:], "--target", "score at least 100", "--values", "0,1")
    assert finished.status == 0
    assert "0  cannot be played: “rounds” is 0; it must be at least 1." in finished.out
    assert "No value of rounds that was tried (1)" in finished.out


def test_a_number_that_is_selected_is_not_there(draftengine, bank):
    """Check that a misspelt path of a number gets the right one suggested."""
    finished = draftengine("simulate", "coins.yaml", "--variant", "cards.coin.cuont=3")
    assert finished.status == 2
    assert "Did you mean “cards.coin.count”?" in finished.err


def test_a_report(draftengine, bank):
    """The page has the answer, a line for each value with its verdict, and the command."""
    more = ("--values", "1,2", "--target", "score near 3 ± 0.9", "-n", "500", "--report", "gift.html")
    assert draftengine(*QUESTION, *more).status == 0
    page = (bank / "gift.html").read_text("utf-8")
    assert page.count('role="rowheader"') == 2
    assert "Wanted: between 2.1 and 3.9" in page
    assert "--target &#x27;score near 3 ± 0.9&#x27;" in page
    assert "is a folder" in draftengine(*QUESTION, *more[:-1], ".").err
