"""``draftengine play`` in pipes: choices, mistakes, commands, saves, several people, bots alone."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest

from commands import processes
from conftest import sample
from draftengine.apps.cli.saves import command_line

SHELF = [("sushi_go", 2), ("sushi_go", 5), ("sushi_go_2014", 3), ("sushi_go_summary", 4)]
ALWAYS_THE_FIRST = "1\n" * 200
ONE_ROUND = "1\n" * 5
LEVELS = ("easy", "greedy:aim=win", "random")
"""Options for bots that think for no time and learn nothing."""


@pytest.fixture
def game(tmp_path, soups):
    (tmp_path / "soups.yaml").write_text(soups, encoding="utf-8")
    return "soups.yaml"


@pytest.mark.parametrize(("cardset", "players"), SHELF)
def test_bots_alone(draftengine, cardset, players):
    """Check that the record is complete, and that points by round and by rule sum to the scores."""
    finished = draftengine("play", cardset, "--auto", "--players", str(players), "--seed", "7", "--json")
    record = finished.json
    assert finished.status == 0
    assert record["seed"] == 7
    assert record["players"] == len(record["scores"]) == players
    assert record["scores"] == [sum(own) for own in zip(*record["rounds"], strict=True)]
    assert record["scores"] == [sum(own) for own in zip(*record["rules"].values(), strict=True)]
    best = max(record["scores"])
    assert record["winners"]
    assert all(record["scores"][seat] == best for seat in record["winners"])


def test_the_same_seed_is_the_same_game(draftengine):
    first, again, other = (
        draftengine("play", "sushi_go", "--auto", "--json", "--seed", seed, PYTHONHASHSEED=chance).json
        for seed, chance in (("word", "1"), ("word", "2"), ("another", "1"))
    )
    assert first == again
    assert first["moves"] != other["moves"]


def test_without_a_seed_it_is_told(draftengine, game):
    """Check that a random seed is printed, so that the game can be dealt again."""
    record = draftengine("play", game, "--auto", "--json").json
    assert draftengine("play", game, "--auto", "--json", "--seed", str(record["seed"])).json == record


def test_a_whole_game_in_a_pipe(draftengine, game):
    """Check a game with choices by number: the transcript shows hands, reveals, reasons and the winner."""
    finished = draftengine("play", game, "--players", "2", "--seed", "1", stdin=ALWAYS_THE_FIRST)
    assert finished.status == 0
    for text in ("Round 1 of 2", "Round 2 of 2", "Your hand", "This round", "make 1 set of 2", "Final score", "Total"):
        assert text in finished.out
    assert "\x1b" not in finished.out
    assert finished.err == ""


def test_the_record_of_a_person_s_game(draftengine, game):
    """Check that only the record is on standard output, and that its moves replay the game by its seed."""
    finished = draftengine("play", game, "--players", "2", "--seed", "1", "--json", stdin=ALWAYS_THE_FIRST)
    assert finished.json["seats"] == ["human", "medium"]
    assert "Your hand" in finished.err
    assert len(finished.json["moves"]) == 2 * 2 * 5


@pytest.fixture
def pictured(game, soups, tmp_path):
    """Return the game with an icon on one card."""
    text = soups.replace("soup: {count: 14,", "soup: {count: 14, icon: 🍲,")
    (tmp_path / game).write_text(text, encoding="utf-8")
    return game


@pytest.mark.parametrize(("typed", "answer"), [("soup", "You                🍲"), ("SOUP", "You"), ("so", "You")])
def test_what_can_be_typed(draftengine, pictured, typed, answer):
    finished = draftengine("play", pictured, "--players", "2", "--seed", "2", stdin=f"{typed}\n{ALWAYS_THE_FIRST}")
    assert answer in finished.out
    assert finished.status == 0


ANSWERS = (
    ("soop", "Did you mean “Soup”?"),
    ("9", "There is no 9 here"),
    ("1, 1", "more than can be taken here: 1 card. Nothing is taken yet."),
    ("1 2", "more than can be taken"),
    ("-1", "There is no -1 here"),
    ("?", "Ctrl-C"),
    ("? 1", "in the box"),
    ("?soup", "R-1: Two soups score 5."),
    ("? sal", "Most of them win 4."),
    ("? To the right", "Hands go to the right."),
    ("? cards", "A point each."),
    ("? rules", "The player with the most salad cards scores 4 points."),
    ("? cake", "There is no card or rule “cake”"),
    ("h", "Hint\n"),
    ("HINT", "Hint"),
    ("?", "h                               the best choices"),
    ("w", "Nothing has been scored yet."),
    ("t", "Round 1 of 2"),
    ("u", "There is nothing to take back"),
    ("s", "Saved."),
    ("\x1b[2J", "\\x1b[2J"),
)
"""Inputs that do not end a choice, and the answers to them."""


def test_what_can_be_asked(draftengine, pictured):
    """Check all questions within one choice: answers come in order, and the game goes on."""
    asked = "".join(f"{typed}\n" for typed, _ in ANSWERS)
    finished = draftengine("play", pictured, "--players", "2", "--seed", "2", stdin=f"{asked}{ALWAYS_THE_FIRST}")
    told = finished.out
    for typed, answer in ANSWERS:
        _, found, told = told.partition(answer)
        assert found, f"{typed} is not answered"
    assert finished.status == 0


def test_hints_with_every_hand(draftengine, game):
    """Check that `--hint` shows hints at every real choice, and changes nothing else."""
    arguments = ("play", game, "--players", "2", "--seed", "1")
    plain, hinted = (draftengine(*arguments, *more, stdin=ALWAYS_THE_FIRST) for more in ((), ("--hint",)))
    assert "Hint" not in plain.out
    assert hinted.out.count("Hint\n") == plain.out.count("Your card") > 0
    for line in hinted.out.split("Hint")[1:]:
        assert "Your card" in line.partition("Your hand")[0]
    assert set(plain.out.splitlines()) <= set(hinted.out.splitlines())


def test_looking_back(draftengine, game):
    """Check that `--review` ends a game with its costly choices, without questions in a pipe."""
    arguments = ("play", game, "--players", "2", "--seed", "1")
    plain, reviewed = (draftengine(*arguments, *more, stdin=ALWAYS_THE_FIRST) for more in ((), ("--review",)))
    assert plain.out in reviewed.out
    lines = reviewed.out.removeprefix(plain.out)
    assert "Looking back" in lines
    assert "You gave" in lines
    again = draftengine("play", game, "--seed", "1", "--review", "--json", stdin=ALWAYS_THE_FIRST)
    assert again.json["seats"][0] == "human"
    assert "Looking back" in again.err


@pytest.mark.parametrize("level", LEVELS)
def test_levels(draftengine, game, level):
    """Check that a level takes all seats without a named bot, and that any bot can be a level."""
    arguments = ("--players", "3", "--seat", "human", "--seat", "random", "--level", level)
    finished = draftengine("play", game, *arguments, "--seed", "1", "--json", stdin=ALWAYS_THE_FIRST)
    assert finished.status == 0
    assert finished.json["seats"] == ["human", "random", level]
    alone = draftengine("play", game, "--auto", "--players", "2", "--level", level, "--seed", "1", "--json")
    assert alone.json["seats"] == [level, level]


@pytest.mark.parametrize(("name", "guided"), [("six_nimmt", True), ("nidavellir", False)])
def test_a_network_that_misleads_a_search_is_not_named(draftengine, name, guided):
    """Check that `expert` goes by the network of 6 nimmt! with two players, and not by that of Nidavellir."""
    expert = draftengine("bots", name, "--players", "2").out.splitlines()[6]
    assert expert.startswith("7  expert  looks ahead as long as it may")
    assert expert.endswith("a learnt network says which moves come first") is guided


def test_bots_go_by_short_names(draftengine, game):
    """Check that the options of bots are in the record, and not on the table."""
    seats = ("--seat", "human", "--seat", "greedy:iterations=7")
    finished = draftengine("play", game, *seats, "--players", "2", "--seed", "1", "--json", stdin=ALWAYS_THE_FIRST)
    assert finished.json["seats"] == ["human", "greedy:iterations=7"]
    assert "Player 2 (greedy)" in finished.err
    assert "iterations" not in finished.err


def test_points_are_explained_on_demand(draftengine, game):
    finished = draftengine("play", game, "--players", "2", "--seed", "1", stdin=f"{ONE_ROUND}w\n")
    assert "[R-1]" in finished.out
    assert finished.out.count("statements on which a rule rests") == 1
    assert "── Round 1 ─" in finished.out


def test_reasons_outlive_a_saved_game(draftengine, game):
    """Check that a resumed game still shows the reasons of points given before."""
    arguments = ("--players", "2", "--seed", "1", "--level", "greedy")
    draftengine("play", game, *arguments, "--save", "mine.json", stdin=f"{ONE_ROUND}q\n")
    resumed = draftengine("play", "--resume", "mine.json", stdin="w\nw 2\n")
    assert "make 2 sets of 2" in resumed.out
    assert "Nothing was scored in round 2." in resumed.out


def test_people_have_names(draftengine, game):
    """Check that names appear on screen, in the record and in a save, one for each person."""
    people = ("--seat", "human", "--seat", "human", "--name", "Ada", "--name", " Ben ", "--level", "greedy")
    finished = draftengine("play", game, "--players", "3", *people, "--seed", "1", "--json", stdin=ALWAYS_THE_FIRST)
    assert finished.json["names"] == ["Ada", "Ben", None]
    for text in ("Seats   Ada, Ben, Player 3 (greedy)", "Ada chooses.", "Ben chooses."):
        assert text in finished.err
    assert "Player 1" not in finished.err
    draftengine(
        "play", game, "--seed", "1", "--name", "Ada", "--level", "greedy", "--save", "mine.json", stdin="1\nq\n"
    )
    assert "Seats   Ada, Player 2" in draftengine("play", "--resume", "mine.json").out


def test_failing_examples_are_told(draftengine, game, soups, tmp_path):
    """Check that `play` and `simulate` say once that worked examples fail; other commands do not."""
    (tmp_path / "wrong.yaml").write_text(soups.replace("soup: [5, 0]", "soup: [9, 0]"), encoding="utf-8")
    for command in (
        ("play", "wrong.yaml", "--auto", "--seed", "1"),
        ("simulate", "wrong.yaml", "-n", "5", "--seed", "1"),
    ):
        finished = draftengine(*command)
        assert finished.status == 0
        assert finished.err.count("Warning: the worked example “a meal” of this card set fails") == 1
        assert "draftengine test wrong.yaml shows why" in finished.err
        assert "Careful" not in draftengine(command[0], game, *command[2:]).err


def test_the_input_ends(draftengine, game, tmp_path):
    """Check the end of input: the game is kept with the command to resume it, which leads to an equal end."""
    whole = draftengine("play", game, "--players", "3", "--seed", "5", "--json", stdin=ALWAYS_THE_FIRST).json
    stopped = draftengine("play", game, "--players", "3", "--seed", "5", stdin="1\n1\n")
    assert stopped.status == 1
    assert "--resume soups-2" in stopped.out
    (tmp_path / game).unlink()
    resumed = draftengine("play", "--resume", "soups-2", "--json", stdin=ALWAYS_THE_FIRST)
    assert resumed.status == 0
    assert resumed.json == whole
    again = draftengine("play", "--resume", "soups-2", "--json", stdin=ALWAYS_THE_FIRST)
    assert again.json == whole


def test_nobody_reads_on(environment, game, tmp_path):
    """Check that a game whose output is no longer read is kept."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = processes.start("play", game, "--seed", "5", cwd=tmp_path, env=environment, **pipes)
    process.stdin.write(b"1\n")
    process.stdin.flush()
    while b"turn 2" not in process.stdout.readline():
        pass
    process.stdout.close()
    process.stdin.write(b"1\n" * 3)
    process.stdin.close()
    assert process.wait(60) == 141
    process.stderr.close()
    assert kept(tmp_path) == ["soups-1"]


def kept(home):
    """Return the names of the kept games."""
    return sorted(path.stem for path in (home / ".local/share/draftengine/saves").glob("*"))


def test_what_cannot_be_read(draftengine, game, tmp_path):
    """Check that a byte that is no character is answered like other nonsense."""
    finished = draftengine("play", game, "--seed", "5", stdin=b"1\n\xe9\n", LC_ALL="en_US.UTF-8", PYTHONUTF8="0")
    assert finished.status == 1
    assert kept(tmp_path) == ["soups-1"]


def test_a_save_takes_nobody_s_place(draftengine, game, tmp_path):
    """Check that saving overwrites no other file, and refuses before the game, not after it."""
    text = (tmp_path / game).read_text(encoding="utf-8")
    for place, said in ((game, "something else"), (".", "something else"), ("nowhere/mine.json", "no folder nowhere")):
        refused = draftengine("play", game, "--save", place, stdin="1\n")
        assert refused.status == 2
        assert said in refused.err
    assert (tmp_path / game).read_text(encoding="utf-8") == text
    assert draftengine("play", game, "--save", "mine.json", stdin="1\nq\n").status == 0
    assert draftengine("play", game, "--save", "mine.json", stdin="1\nq\n").status == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("command", "status"),
    sample([("--version >&-", 0), ("list >&- 2>&-", 0), ("validate - <&-", 1), ("play soups.yaml --auto <&-", 0)], 2),
)
def test_closed_streams(game, environment, tmp_path, command, status):
    """Check that closed standard streams give no traceback."""
    shell = f"{shlex.quote(sys.executable)} -m draftengine {command}"
    done = subprocess.run(["sh", "-c", shell], cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (done.returncode, b"Traceback" in done.stderr, b"bug" in done.stderr) == (status, False, False)


def test_quitting_saves(draftengine, game):
    finished = draftengine("play", game, "--save", "mine.json", "--seed", "5", stdin="1\nq\n")
    assert finished.status == 0
    assert "--resume mine.json" in finished.out


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda text: text.replace('"seed": 5', '"seed": 6'), "damaged-save"),
        (lambda text: text.replace('"version": 2', '"version": 3'), "other-version"),
        (lambda text: text[: len(text) // 2], "not-a-save"),
        (lambda _: "[]", "not-a-save"),
    ],
    ids=["another seed", "newer version", "half of it", "something else"],
)
def test_a_spoilt_save_is_refused_by_name(draftengine, game, tmp_path, spoil, code):
    saved = tmp_path / "mine.save"
    draftengine("play", game, "--seed", "5", "--save", saved.name, stdin="1\n")
    saved.write_text(spoil(saved.read_text(encoding="utf-8")), encoding="utf-8")
    finished = draftengine("play", "--resume", saved.name)
    assert finished.status == 2
    assert f"[{code}]" in finished.err


def test_two_people_at_one_screen(draftengine, game):
    """Check that two people choose in turn, and can take back until everybody has chosen."""
    people = ("--seat", "human", "--seat", "human")
    finished = draftengine("play", game, "--players", "2", *people, "--seed", "3", stdin=f"1\nu\n1\n{ALWAYS_THE_FIRST}")
    assert finished.status == 0
    assert "Player 1 can choose again." in finished.out
    assert finished.out.index("Player 1 chooses.") < finished.out.index("Player 2 chooses.")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["play"], "Name a card set"),
        (["play", "sushi_goo"], "Did you mean “sushi_go”?"),
        (["play", "."], "is a folder"),
        (["play", "sushi_go", "--players", "9"], "2 to 5 players"),
        (["play", "sushi_go", "--players", "0"], "--players"),
        (["play", "sushi_go", "--variant", "pass_both_way"], "Did you mean “pass_both_ways”?"),
        (["play", "sushi_go_2014", "--variant", "two_player_dummy", "--players", "3"], "is for 2 players, not 3"),
        (["play", "sushi_go", "--seat", "gredy"], "Did you mean “greedy”?"),
        (["play", "sushi_go", "--auto", "--seat", "human"], "--auto"),
        (["play", "sushi_go", "--auto", "--hint"], "--hint"),
        (["play", "sushi_go", "--auto", "--name", "Ada"], "--name"),
        (["play", "sushi_go", "--name", "Ada", "--name", "Ben"], "one seat for people"),
        (["play", "sushi_go", "--seat", "human", "--seat", "human", *["--name", "Ada"] * 2], "twice"),
        (["play", "sushi_go", "--name", " "], "1 to 20 characters"),
        (["play", "sushi_go", "--name", "player 2"], "another player already has that name"),
        (
            ["play", "sushi_go", "--seat", "human", "--seat", "human", "--name", "You"],
            "another player already has that name",
        ),
        (
            ["play", "sushi_go_2014", "-p", "2", "-v", "two_player_dummy", "--name", "dummy"],
            "another player already has that name",
        ),
        (["play", "--resume", "nothing.json", "--name", "Ada"], "--name is for new games"),
        (["play", "sushi_go", "--auto", "--review"], "--review"),
        (["play", "sushi_go", "--level", "gredy"], "Did you mean “greedy”?"),
        (["play", "sushi_go", "--level", "human"], "There is no bot called “human”"),
        (["play", "sushi_go", "--seat", "cmd:python a.py"], "“compare” and “tune”, not in “play”."),
        (["play", "--resume", "nothing.json", "--level", "greedy"], "--level is for new games"),
        (["play", "--resume", "nothing.json", "--seed", "0"], "--seed is for new games"),
        (["play", "--resume", "nothing.json", "--auto"], "--auto is for new games"),
        (["play", "sushi_go", "--players", "2", *["--seat", "greedy"] * 3], "3 times"),
        (["play", "--resume", "nothing.json"], "There is no saved game “nothing.json” (see saves)."),
        (["play", "-"], "<stdin>:1:1"),
    ],
    ids=" ".join,
)
def test_wrong_usage(draftengine, arguments, said):
    finished = draftengine(*arguments)
    assert finished.status == (1 if arguments[-1] == "-" else 2)
    assert said in finished.err
    assert finished.out == ""


@pytest.mark.parametrize(
    ("variable", "arguments", "refusal"),
    [("pl", [], "Brakuje: NAME."), ("pl", ["-l", "en"], "Missing argument"), ("en", ["--lang=pl"], "Brakuje: NAME.")],
)
def test_wrong_usage_is_refused_in_the_language_of_the_command(draftengine, variable, arguments, refusal):
    """Check that an option names the language of a refusal and, without one, the environment."""
    assert refusal in draftengine("new", *arguments, DRAFTENGINE_LANG=variable).err


def test_a_card_set_from_standard_input(draftengine, soups):
    """Check a card set from standard input: bots can play, but a person is refused, having no input."""
    assert draftengine("play", "-", "--auto", "--json", "--seed", "1", stdin=soups).status == 0
    refused = draftengine("play", "-", stdin=soups)
    assert refused.status == 2
    assert "--auto" in refused.err


def test_a_plain_terminal(draftengine, game):
    """Check that a terminal without UTF-8 gets no icons, and does not crash the program."""
    plain = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    finished = draftengine("play", game, "--auto", "--seed", "1", **plain)
    assert finished.status == 0
    assert finished.out.isascii()


def test_names_can_t_steer_the_terminal(draftengine, game, soups, tmp_path):
    """Check that no control character of a card set reaches the screen."""
    rude = soups.replace("title: Soups", 'title: "So\\eups"').replace("text: Two", 'label: "S\\u202eoup", text: Two')
    (tmp_path / game).write_text(rude, encoding="utf-8")
    finished = draftengine("play", game, "--auto", "--seed", "1")
    assert not set(finished.out + finished.err) & {"\x1b", "\u202e"}


def test_variants(draftengine, game):
    finished = draftengine("play", game, "--auto", "--seed", "1", "--variant", "to_the_right")
    assert "To the right" in finished.out
    assert "to the right:" in finished.out


def test_moves_of_the_record_replay_by_the_api(draftengine):
    """Check that the public API replays a record to an equal game."""
    import draftengine as de

    record = draftengine("play", "sushi_go", "--auto", "--json", "--players", "4", "--seed", "21").json
    moves = [(move.pop("seat"), move) for move in record["moves"]]
    state = de.load("sushi_go", players=4).replay(record["seed"], moves)
    assert list(state.result.scores) == record["scores"]
    assert list(state.result.winners) == record["winners"]


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
def test_the_command_that_goes_on_works_as_it_is_printed(draftengine, game, tmp_path, environment):
    """Check that the printed command works, also if the shell does not find the program by name."""
    stopped = draftengine("play", game, "--seed", "1", stdin="1\n", PATH="/usr/bin:/bin", apart=True)
    (line,) = (own for own in stopped.out.splitlines() if "Go on with: " in own)
    process = subprocess.run(
        ["/bin/sh", "-c", line.partition("Go on with: ")[2]], input=b"q\n", capture_output=True, cwd=tmp_path,
        env=environment | {"PATH": "/usr/bin:/bin"}, check=False,
    )  # fmt: skip
    assert b"Your card" in process.stdout, process.stderr
    assert process.returncode == 0


def test_how_the_program_is_called(tmp_path, monkeypatch):
    """Check that the program is named if the shell finds it, otherwise given by path."""
    program = tmp_path / "bin" / "draftengine"
    program.parent.mkdir()
    program.touch(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(program)])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command_line("play", "--resume", "my game.json") == "bin/draftengine play --resume 'my game.json'"
    monkeypatch.setenv("PATH", str(program.parent))
    assert command_line("list") == "draftengine list"
