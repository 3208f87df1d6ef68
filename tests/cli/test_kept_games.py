"""``draftengine play`` keeps every move: whatever ends the process, ``--resume`` goes on after the last one shown."""

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
from draftengine.apps.play.save_format import read

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

KILLS = 100 if NIGHTLY else 12
SAVES = Path(__file__).parents[1] / "play" / "saves"
CORPUS = {version: sorted((SAVES / version).iterdir()) for version in ("v1", "v2")}
# One game for all tests, so that nobody has to learn the cards of another for the hints.
GAME = ("soups.yaml", "--players", "3", "--level", "random", "--seed", "8")
FIRST = b"1\n"
ASKED = "? for help): "
OWN_MOVES = 10
ASKED_FOR = [index for index in range(OWN_MOVES) if index % 5 != 4]
"""By number, the own moves that are asked for: the last card of a hand is no choice."""


@pytest.fixture
def kitchen(tmp_path, soups):
    (tmp_path / "soups.yaml").write_text(soups, encoding="utf-8")
    return tmp_path


@pytest.fixture
def saves(kitchen):
    return kitchen / ".local/share/draftengine/saves"


@pytest.fixture
def start(kitchen, environment):
    """Start ``draftengine play`` with pipes: ``start("soups.yaml")``."""
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
    """What a process shows until it has asked for so many cards."""
    shown = ""
    while shown.count(ASKED) < count and (part := os.read(process.stdout.fileno(), 4096)):
        shown += part.decode(errors="replace")
    return shown


def answer(process, times, *, more=False):
    """Answer so many questions, and wait for the one after them; `more` if one was asked already."""
    if not more:
        read_until(process, 1)
    for _ in range(times):
        process.stdin.write(FIRST)
        read_until(process, 1)


def own_moves(path):
    return [move for seat, move in read(path).session.moves if seat == 0]


# ── kill -9 ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def killed(process, chance):
    """What a process showed that got all its answers at once and was killed at some moment."""
    process.stdin.write(FIRST * OWN_MOVES)
    shown = read_until(process, 1) if chance.random() < 0.8 else ""
    time.sleep(chance.uniform(0, 0.1))
    process.send_signal(signal.SIGKILL)
    while part := os.read(process.stdout.fileno(), 65536):
        shown += part.decode()
    process.wait()
    return shown


def acknowledged_by(shown, before):
    """How many own moves are acknowledged by what a process showed that began with so many.

    A question acknowledges all moves before it; what follows behind the answer, the answer.
    """
    asked = shown.count(ASKED)
    if not asked:
        return before
    last = [index for index in ASKED_FOR if index >= before][asked - 1]
    _, _, answered = shown.rpartition(ASKED)
    return last + bool(answered.partition("\n")[2].strip())


def test_no_acknowledged_move_is_lost(start, draftengine, saves):
    """A game is killed again and again, at random moments, and goes on each time with the last move that was shown.

    All parts together are the game that was never interrupted.
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
            path.unlink()  # of many finished games the oldest go, and others would take their names
            kept = 0
    if kept:
        rest = draftengine("play", "--resume", "--json", stdin=FIRST.decode() * OWN_MOVES)
        assert rest.json == whole.json


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_stopped_from_outside(start, draftengine, saves, number):
    """The game is put aside, with a sentence and status 1."""
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
    """Neither by name nor as the newest; and it can't be removed."""
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
    assert [entry.seat for entry in read(saves / "soups-1.save").entries] == [2, 0]
    process.stdin.write(b"u\n")
    read_until(process, 1)
    assert [entry.seat for entry in read(saves / "soups-1.save").entries] == [2]


def test_two_games_have_two_names(start, saves):
    """However many begin at once."""
    games = [start(*GAME) for _ in range(4)]
    for process in games:
        process.stdin.write(FIRST)
        process.stdin.close()
    for process in games:
        process.stdout.read()
        process.wait(60)
    assert {path.name for path in saves.iterdir()} == {f"soups-{number}.save" for number in range(1, 5)}


def test_saves(draftengine, kitchen):
    """They are listed and removed; whatever has a name of its own can be gone on with."""
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
    """A game of version 1 goes on in its own file, which is of the present version from the next move on."""
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
    """A limit on the size of files, which stands for a disk that is full."""

    def limit():
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_without_a_folder_of_its_own_a_game_is_kept_among_temporary_files(start, tmp_path):
    """It says so, and once."""
    there = tmp_path / "temporary"
    there.mkdir()
    process = start(*GAME, env={"XDG_DATA_HOME": "/proc/self", "TMPDIR": str(there)})
    out, _ = process.communicate(FIRST * 3, timeout=60)
    kept = next(there.rglob("*.save"))
    assert out.decode().count(f"is kept in {kept} instead") == 1
    assert len(own_moves(kept)) == 3
    on = start("--resume", env={"XDG_DATA_HOME": "/proc/self", "TMPDIR": str(there)})
    assert "Final score" in on.communicate(FIRST * 20, timeout=60)[0].decode()


@pytest.mark.parametrize("size", [0, 4000])
def test_a_game_that_can_be_kept_nowhere_goes_on(start, draftengine, saves, size):
    """With a warning; and who stops it learns how to come there again. What was kept before stays."""
    process = start(*GAME, "--save", "mine.save", preexec_fn=full(size))
    out, _ = process.communicate(FIRST * 6, timeout=60)
    said = out.decode()
    assert process.returncode == 1
    assert said.count("this game cannot be kept") == 1
    command, *typed = said.partition("write down:\n")[2].strip().splitlines()
    assert len(typed) == 6
    assert not list(saves.glob("*")) if saves.exists() else True
    arguments = shlex.split(command)
    again = draftengine(*arguments[arguments.index("draftengine") + 1 :], stdin="".join(f"{line}\n" for line in typed))
    assert len(own_moves(saves / "soups-1.save")) == 7
    assert said.partition("Round 2")[2][:300] in again.out


def test_a_whole_game_on_a_full_disk(start):
    """It can be played to its end."""
    process = start(*GAME, preexec_fn=full(0))
    out, err = process.communicate(FIRST * 20, timeout=60)
    assert process.returncode == 0
    assert "Final score" in out.decode()
    assert err == b""
