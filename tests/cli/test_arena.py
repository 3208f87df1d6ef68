"""``draftengine arena`` as a process."""

import os
import signal

import pytest


@pytest.fixture
def kitchen(tmp_path, soups):
    (tmp_path / "soups.yaml").write_text(soups, encoding="utf-8")
    return tmp_path


def without_clocks(told):
    """Return a result without the figures that depend on the machine."""
    del told["games_per_second"]
    for own in told["bots"]:
        for name in ("p50_ms", "p95_ms", "max_ms"):
            own["thinking"].pop(name)
    return told


def test_the_levels_of_a_game_as_json(draftengine):
    """Check that the levels that a page prints are there as data, with those that are the same player."""
    levels = draftengine("bots", "sushi_go", "-p", "2", "--json").json["levels"]
    assert [level["strength"] for level in levels] == [1, 2, 3, 4, 5, 6, 7]
    assert [level["name"] for level in levels if level["name"]] == ["easy", "medium", "hard", "expert"]
    assert levels[0]["noise"] > levels[1]["noise"] > levels[2]["noise"] > 0
    assert levels[4]["iterations"] > 0
    assert levels[5]["like"] == 5
    assert levels[6]["like"] is None
    printed = draftengine("bots", "sushi_go", "-p", "2").out
    assert all(level["description"] in printed for level in levels)


def test_a_tournament_says_what_came_of_it(draftengine, kitchen):
    arguments = ("arena", "soups.yaml", "--bots", "greedy,random", "-p", "2", "-n", "4", "--seed", "4", "--mirror")
    finished = draftengine(*arguments, "--json")
    assert finished.status == 0
    assert finished.err == ""
    told = finished.json
    assert told["deals"] == 4
    assert told["games"] == 4 * 3 * 2
    assert told["games_per_second"] > 0
    assert {"cardset", "hash", "players", "variants", "seed", "interrupted", "sprt", "summary"} <= set(told)
    assert [(own["bot"], own["against"]) for own in told["matrix"]] == [
        ("greedy", "greedy"), ("greedy", "random"), ("random", "greedy"), ("random", "random"),
    ]  # fmt: skip
    assert {"mean", "sd", "units", "ci95"} == set(told["matrix"][0]["win_share"]) == set(told["matrix"][0]["margin"])
    assert {"one", "two", "difference", "certain", "deals_needed", "bound", "deals_to_tell"} == set(told["duels"][0])
    assert {"mu", "sigma", "ci95"} == set(told["bots"][0]["rating"])
    assert {"decisions", "p50_ms", "p95_ms", "max_ms", "iterations"} == set(told["bots"][0]["thinking"])
    assert sum(said.startswith("Control: ") for said in told["summary"]) == 2
    together = draftengine(*arguments, "--json", "--jobs", "2").json
    assert without_clocks(together) == without_clocks(told)


def test_people_get_aligned_tables(draftengine, kitchen):
    finished = draftengine("arena", "soups.yaml", "--bots", "greedy,random,random", "-p", "3", "-n", "5", "--seed", "1")
    assert finished.status == 0
    lines = finished.out.splitlines()
    assert lines[0].startswith("Soups: 5 deals, 45 games of 3 players, seed 1")
    matrix = lines[2:5]
    assert matrix[0].startswith("  Win share in % (even: 33.3)")
    assert len({len(line) for line in matrix}) == 1
    assert "Control: random against itself" in finished.out
    assert "Control: greedy" not in finished.out


def test_a_report(draftengine, kitchen):
    finished = draftengine(
        "arena", "soups.yaml", "--bots", "greedy,random", "-p", "2", "-n", "5", "--report", "bots.html"
    )
    assert finished.status == 0
    page = (kitchen / "bots.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "http" not in page
    assert "Ratings" in page


@pytest.mark.night
def test_a_sequential_test_stops(draftengine):
    told = draftengine(
        "arena", "sushi_go", "--bots", "greedy,random", "-p", "3", "-n", "3000", "--seed", "2", "--sprt", "0,100",
        "--json", "--jobs", "1",
    ).json  # fmt: skip
    assert told["sprt"]["decided"] == "better"
    assert told["deals"] == told["sprt"]["units"] < 3000
    assert told["summary"][0].startswith("greedy is better than random")
    assert told["duels"] == []


def test_a_sequential_test_may_not_be_decided(draftengine, kitchen):
    finished = draftengine(
        "arena", "soups.yaml", "--bots", "random,random:iterations=5", "-p", "2", "-n", "10", "--sprt", "0,10"
    )
    assert finished.status == 0
    assert "Undecided between a lead of 0 and one of 10" in finished.out


def test_without_openskill(draftengine, kitchen):
    (kitchen / "openskill").mkdir()
    (kitchen / "openskill" / "__init__.py").write_text("raise ImportError", encoding="utf-8")
    finished = draftengine("arena", "soups.yaml", "--bots", "greedy,random", "-p", "2", "-n", "3", apart=True)
    assert finished.status == 0
    assert "pip install '.[rating]'" in finished.out
    assert "Win share" in finished.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--bots", "greedy,gredy"), "Did you mean"),
        (("--bots", "greedy"), "two bots"),
        (("--bots", " , "), "two bots"),
        ((), "--bots"),
        (("--bots", "greedy,random,random:iterations=3", "--sprt", "0,10"), "exactly two"),
        (("--bots", "greedy,greedy", "--sprt", "0,10"), "exactly two"),
        (("--bots", "greedy,random", "--sprt", "ten"), "two numbers"),
        (("--bots", "greedy,random", "--sprt", "10,0"), "lower one first"),
        (("--bots", "greedy,random", "--sprt", "nan,10"), "lower one first"),
        (("--bots", "greedy,random", "--players", "99"), "99"),
        (("--bots", "greedy,random", "--deals", "0"), "0"),
        (("--bots", "greedy,random", "--report", "nowhere/bots.html"), "no folder"),
        (("--bots", "greedy,random", "--report", "."), "is a folder"),
        (("--bots", "greedy,random", "--report", "soups.yaml"), "would be lost"),
        (("--bots", "greedy,random", "--report", "long" * 100), "too long"),
    ],
)
def test_what_cannot_be_held(draftengine, kitchen, arguments, said):
    finished = draftengine("arena", "soups.yaml", *arguments)
    assert finished.status == 2
    assert said in finished.err
    assert finished.out == ""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_what_is_finished(stopped, kitchen, jobs):
    arguments = ("arena", "soups.yaml", "--bots", "greedy,random", "-n", "1000000", "--json", "--jobs", jobs)
    finished = stopped(signal.SIGINT, *arguments)
    assert finished.status == 130
    assert finished.json["interrupted"]
    assert finished.json["games"] > 0


def test_nobody_learns_with_a_number_of_players_that_cannot_play(draftengine, kitchen):
    refused = draftengine("learn", "soups.yaml", "--players", "7")
    assert refused.err == "Error: This game is for 2 to 4 players, not 7.\n"
    refused = draftengine("learn", "soups.yaml", "--players", "some")
    assert refused.err == "Error: --players must be a number or a range such as 2-5, not “some”.\n"


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_stopped_learning_goes_on(stopped, kitchen):
    """Check that a stopped call names what is kept, and that the next one says that it goes on."""
    learn = ("learn", "soups.yaml", "--players", "2", "--positions", "1000")
    kept = "What was taught so far is kept: the same command goes on from there.\n\n"
    finished = stopped(signal.SIGINT, *learn)
    assert (finished.status, finished.err) == (130, f"{kept}Stopped.\n")
    finished = stopped(signal.SIGTERM, *learn)
    assert (finished.status, finished.err) == (
        1,
        f"Going on from what a stopped call had taught.\n{kept}Stopped by SIGTERM.\n",
    )


def test_learning_asks_first_whether_the_network_can_be_kept(draftengine, kitchen, stopped, tmp_path, environment):
    """Check that nobody waits for a network for minutes only to read that it cannot be stored."""
    learn = ("learn", "soups.yaml", "--players", "2")
    refused = draftengine(*learn, "--to", "nowhere")
    assert (refused.status, refused.err) == (1, "Error: nowhere cannot be used: No such file or directory.\n")
    environment["XDG_CACHE_HOME"] = str(tmp_path / "soups.yaml")
    errors = stopped(signal.SIGINT, *learn).err
    assert errors.startswith("The cache folder cannot be used. What is learnt stays only among the temporary files")
    assert str(tmp_path / "tmp") in errors


def test_levels_say_for_how_many_players_they_are(draftengine, kitchen):
    """Check that nobody who taught bots a game for two looks in vain for that in the levels for more."""
    assert draftengine("bots", "soups.yaml").out.endswith("These levels are for 3 players (see --players).\n")
    assert "--players" not in draftengine("bots", "soups.yaml", "--players", "2").out
