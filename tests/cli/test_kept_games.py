"""``draftengine play`` keeps every move: ``--resume`` continues after the last one shown."""

from __future__ import annotations

import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commands import processes
from conftest import NIGHTLY
from draftengine.apps.play.saved import read

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

KILLS = 100 if NIGHTLY else 12
SAVES = Path(__file__).parents[1] / "play" / "saves"
CORPUS = {version: sorted((SAVES / version).iterdir()) for version in ("v1", "v2")}
# One game for all tests, so that only one game's cards have to be learnt for hints.
GAME = ("soups.yaml", "--players", "3", "--level", "random", "--seed", "8")
FIRST = b"1\n"
ASKED = "? for help): "
OWN_MOVES = 10
ASKED_FOR = [index for index in range(OWN_MOVES) if index % 5 != 4]
"""Numbers of the moves that the person is asked for; the last card of a hand is no choice."""


@pytest.fixture
def kitchen(tmp_path, soups):
    (tmp_path / "soups.yaml").write_text(soups, encoding="utf-8")
    return tmp_path


@pytest.fixture
def saves(kitchen):
    return kitchen / ".local/share/draftengine/saves"


@pytest.fixture
def start(kitchen, environment):
    """Return a function that starts ``draftengine play`` with pipes: ``start("soups.yaml")``."""
    started = []

    def run(*arguments, **how):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        own = environment | {"PYTHONDONTWRITEBYTECODE": "1"} | how.pop("env", {})
        process = processes.start("play", *arguments, cwd=kitchen, env=own, bufsize=0, **pipes | how)
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()


def read_until(process, count):
    """Return the output of a process until it has asked for this many cards."""
    shown = ""
    while shown.count(ASKED) < count and (part := os.read(process.stdout.fileno(), 4096)):
        shown += part.decode(errors="replace")
    return shown


def answer(process, times, *, more=False):
    """Answer this many questions and read the one after them; `more` if one has been read already."""
    if not more:
        read_until(process, 1)
    for _ in range(times):
        process.stdin.write(FIRST)
        read_until(process, 1)


def own_moves(path):
    return [move for seat, move in read(path).session.moves if seat == 0]


# ── kill -9 ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def killed(process, chance):
    """Send all answers at once, kill the process at a random moment, and return its output."""
    process.stdin.write(FIRST * OWN_MOVES)
    shown = read_until(process, 1) if chance.random() < 0.8 else ""
    time.sleep(chance.uniform(0, 0.1))
    process.send_signal(signal.SIGKILL)
    while part := os.read(process.stdout.fileno(), 65536):
        shown += part.decode()
    process.wait()
    return shown


def acknowledged_by(shown, before):
    """Return the number of own moves that the output acknowledges, of a process that began with `before`.

    A question acknowledges all moves before it; output after the answer acknowledges the answer.
    """
    asked = shown.count(ASKED)
    if not asked:
        return before
    last = [index for index in ASKED_FOR if index >= before][asked - 1]
    _, _, answered = shown.rpartition(ASKED)
    return last + bool(answered.partition("\n")[2].strip())


def test_no_acknowledged_move_is_lost(start, draftengine, saves):
    """Kill a game at random moments, again and again: it always resumes after the last move shown.

    Together the parts are the game that was never interrupted.
    """
    whole = draftengine("play", *GAME, "--json", stdin=FIRST.decode() * OWN_MOVES)
    assert whole.err.count(ASKED) == len(ASKED_FOR)
    chance = random.Random(20)
    path, kept = saves / "soups-2.save", 0
    for _ in range(KILLS):
        shown = killed(start("--resume") if path.exists() else start(*GAME), chance)
        acknowledged = OWN_MOVES if "Final score" in shown else acknowledged_by(shown, kept)
        kept = len(own_moves(path)) if path.exists() else 0
        assert kept >= acknowledged
        if kept == OWN_MOVES:
            path.unlink()  # the oldest finished games are removed, and others would take their names
            kept = 0
    if kept:
        rest = draftengine("play", "--resume", "--json", stdin=FIRST.decode() * OWN_MOVES)
        assert rest.json == whole.json


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_stopped_from_outside(start, draftengine, saves, number):
    """Check that SIGTERM puts the game aside, with a sentence and status 1."""
    process = start(*GAME)
    answer(process, 3)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "Saved. Go on with: " in out.decode()
    assert "draftengine play --resume soups-1\n" in out.decode()
    assert err.decode().strip() == f"Stopped by {number.name}."
    assert len(own_moves(saves / "soups-1.save")) == 3
    assert [path.name for path in saves.iterdir()] == ["soups-1.save"]
    assert draftengine("saves", "--json").json["saves"][0]["status"] == "unfinished"


# ── Going on ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_without_a_name_the_newest_game_goes_on(draftengine, kitchen):
    for seed in ("5", "6"):
        draftengine("play", "soups.yaml", "--level", "random", "--seed", seed, stdin="1\n")
    os.utime(kitchen / ".local/share/draftengine/saves/soups-1.save")
    assert draftengine("play", "--resume", "--json", stdin="1\n" * 20).json["seed"] == 5
    assert draftengine("play", "--resume", "--json", stdin="1\n" * 20).json["seed"] == 6
    nothing = draftengine("play", "--resume")
    assert nothing.status == 2
    assert "no unfinished game" in nothing.err


def test_nobody_goes_on_with_a_game_that_is_played(start, draftengine):
    """Check that a game in progress cannot be resumed, by name or as the newest, nor removed."""
    process = start(*GAME)
    answer(process, 2)
    refused = draftengine("play", "--resume", "soups-1")
    assert refused.status == 2
    assert "[in-use]" in refused.err
    assert draftengine("play", "--resume").status == 2
    assert "being played" in draftengine("saves").out
    assert draftengine("saves", "--all", "--yes").status == 1
    answer(process, 1, more=True)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert "Go on with" in draftengine("play", "--resume", stdin="1\n").out


def test_a_choice_that_was_taken_back_is_not_kept(start, saves):
    process = start(*GAME, "--seat", "human", "--seat", "human")
    process.stdin.write(b"1\n")
    read_until(process, 2)
    assert 0 in [entry.seat for entry in read(saves / "soups-1.save").entries]
    process.stdin.write(b"u\n")
    read_until(process, 1)
    assert 0 not in [entry.seat for entry in read(saves / "soups-1.save").entries]


def test_two_games_have_two_names(start, saves):
    """Check that games started simultaneously get different names."""
    games = [start(*GAME) for _ in range(4)]
    for process in games:
        process.stdin.write(FIRST)
        process.stdin.close()
    for process in games:
        process.stdout.read()
        process.wait(60)
    assert {path.name for path in saves.iterdir()} == {f"soups-{number}.save" for number in range(1, 5)}


def test_saves(draftengine, kitchen):
    """Check that saves are listed with their status, removed, and resumed by name."""
    assert draftengine("saves").out == "There are no saved games.\n"
    draftengine("play", *GAME, stdin="1\n" * 20)
    draftengine("play", *GAME, stdin="1\n")
    (kitchen / ".local/share/draftengine/saves/broken.save").write_text("nonsense", encoding="utf-8")
    listed = {game["name"]: game for game in draftengine("saves", "--json").json["saves"]}
    assert {name: game["status"] for name, game in listed.items()} == {
        "soups-1": "finished", "soups-2": "unfinished", "broken": "damaged",
    }  # fmt: skip
    assert listed["soups-2"]["seats"] == ["human", "random", "random"]
    out = draftengine("saves").out
    assert re.search(r"soups-1 +Soups +3 +30 +\S+ \S+ +finished", out)
    assert "damaged [not-a-save]" in out
    assert draftengine("saves", "--remove", "soups-9").status == 2
    assert draftengine("saves", "--all").status == 2
    assert "Removed soups-1" in draftengine("saves", "--finished", "--yes").out
    assert "Removed broken" in draftengine("saves", "--remove", "broken", "-y").out
    assert [game["name"] for game in draftengine("saves", "--json").json["saves"]] == ["soups-2"]
    assert "Final score" in draftengine("play", "--resume", "soups-2", stdin="1\n" * 20).out


def test_old_games_go_on(draftengine, kitchen):
    """Check that a save of version 1 is resumed, and rewritten in the current version."""
    old = SAVES / "v1" / "sushi_go-middle.save.json"
    mine = kitchen / "mine.save.json"
    mine.write_bytes(old.read_bytes())
    before = len(read(mine).entries)
    assert draftengine("play", "--resume", mine.name, stdin="1\n").status == 1
    assert len(read(mine).entries) > before
    assert '"version": 2' in mine.read_text(encoding="utf-8")
    assert "Final score" in draftengine("play", "--resume", mine.name, stdin="1\n" * 99).out


# ── Nowhere to write ──────────────────────────────────────────────────────────────────────────────────────────────────


def full(size):
    """Return a limit on the size of files, which simulates a full disk."""

    def limit():
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_without_a_folder_of_its_own_a_game_is_kept_among_temporary_files(start, tmp_path):
    """Check that without a home folder games are kept among temporary files, with a single notice."""
    there = tmp_path / "temporary"
    there.mkdir()
    process = start(*GAME, env={"XDG_DATA_HOME": "/proc/self", "TMPDIR": str(there)})
    out, _ = process.communicate(FIRST * 3, timeout=60)
    kept = next(there.rglob("*.save"))
    assert out.decode().count(f"is saved in {kept} instead") == 1
    assert len(own_moves(kept)) == 3
    on = start("--resume", env={"XDG_DATA_HOME": "/proc/self", "TMPDIR": str(there)})
    assert "Final score" in on.communicate(FIRST * 20, timeout=60)[0].decode()


@pytest.mark.parametrize("size", [0, 4000])
def test_a_game_that_can_be_kept_nowhere_goes_on(start, draftengine, saves, size):
    """Check that a game that cannot be saved goes on with a warning, and keeps what was saved before.

    At its end it prints the command and the inputs that lead back there.
    """
    process = start(*GAME, "--save", "mine.save", preexec_fn=full(size))
    out, _ = process.communicate(FIRST * 6, timeout=60)
    said = out.decode()
    assert process.returncode == 1
    assert said.count("this game cannot be saved") == 1
    command, *typed = said.partition("write down:\n")[2].strip().splitlines()
    assert len(typed) == 6
    assert not list(saves.glob("*")) if saves.exists() else True
    arguments = shlex.split(command)
    again = draftengine(*arguments[arguments.index("draftengine") + 1 :], stdin="".join(f"{line}\n" for line in typed))
    assert len(own_moves(saves / "soups-1.save")) == 7
    assert said.partition("Round 2")[2][:300] in again.out


def test_a_whole_game_on_a_full_disk(start):
    """Check that a whole game can be played on a full disk."""
    process = start(*GAME, preexec_fn=full(0))
    out, err = process.communicate(FIRST * 20, timeout=60)
    assert process.returncode == 0
    assert "Final score" in out.decode()
    assert err == b""
