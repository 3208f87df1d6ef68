"""Refused writes to files and pipes: nothing is lost or left behind, and a sentence says why."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

import draftengine as de
from commands import processes
from conftest import sample
from draftengine.api.replay import Player, record_of
from draftengine.apps.cli.main import COMMANDS, program
from draftengine.apps.cli.options import seed_from

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full, /proc and limits of POSIX")

FEW = ("--engine", "reference", "-n", "4", "--bots", "random", "--seed", "1")
ON_THE_SCREEN = {
    "play": ("play", "soups.yaml", "--auto", "--level", "random"),
    "new": ("new", "orchard"),
    "validate": ("validate", "soups.yaml", "--format", "json"),
    "score": ("score", "soups.yaml", "--input", "tables.yaml"),
    "upgrade": ("upgrade", "soups.yaml", "--stdout"),
    "show": ("show", "soups.yaml"),
    "simulate": ("simulate", "soups.yaml", *FEW),
    "compare": ("compare", "soups.yaml", "--variant-b", "to_the_right", *FEW),
    "arena": ("arena", "soups.yaml", "--bots", "random,random", "--deals", "2"),
    "diff": ("diff", "soups.yaml", "soups.yaml"),
    "bots": ("bots",),
    "schema": ("schema", "cardset"),
    "explain": ("explain", "unknown-card"),
    "test": ("test", "examples.yaml"),
    "list": ("list",),
    "rules": ("rules", "soups.yaml", "--format", "text"),
    "saves": ("saves",),
    "replay": ("replay", "game.json", "--plain"),
    "tune": ("tune", "soups.yaml", "--parameter", "rounds", "--values", "1,2", "--target", "score near 9", *FEW),
    "cache": ("cache",),
    "--help": ("--help",),
    "--version": ("--version",),
}
INTO_FILES = {
    "rows": ("simulate", "soups.yaml", *FEW, "--out", "{}.csv"),
    "parquet": ("simulate", "soups.yaml", *FEW, "--out", "{}.parquet"),
    "choices": ("simulate", "soups.yaml", *FEW, "--choices", "{}.csv"),
    "simulation": ("simulate", "soups.yaml", *FEW, "--report", "{}.html"),
    "comparison": ("compare", "soups.yaml", "--variant-b", "to_the_right", *FEW, "--report", "{}.html"),
    "tuning": (*ON_THE_SCREEN["tune"], "--report", "{}.html"),
    "arena": ("arena", "soups.yaml", "--bots", "random,greedy", "--deals", "2", "--seed", "1", "--report", "{}.html"),
    "rulebook": ("rules", "soups.yaml", "--format", "html", "--out", "{}.html"),
    "sheets": ("cards", "soups.yaml", "--out", "{}.svg"),
    "record": ("play", "soups.yaml", "--auto", "--level", "random", "--record", "{}.json"),
}
READ = {"-i", "--input", "--font", "file"}
SAME = {("rules", "-o"), ("rules", "--output"), ("cards", "-o"), ("cards", "--output")}
"""Other spellings of options that are tested."""
TABLES = "tables: [[soup, soup, bread], [soup]]\n"
EXAMPLES = (
    "cardset: soups.yaml\ntests: [{name: a meal, tables: [[soup, soup], []], expect: {points: {soup: [5, 0]}}}]\n"
)
FULL = Path("/dev/full")
BEFORE = "what was there before"
SMALL = 64
"""Limit in bytes, smaller than any file that the program writes."""
CRAMPED = """
import resource, sys
from draftengine.__main__ import start
most = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
start()
"""
"""The program, with a limit on the size of its files."""
NO_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "1"}
"""Without this, Python itself would leave truncated bytecode on a full disk."""


@pytest.fixture(scope="module")
def game():
    """Return the record of a game."""
    state = de.load(Path(__file__).parent / "soups.yaml", players=2).start(seed=1)
    while not state.over:
        for seat in state.waiting:
            state = state.commit(seat, state.view(seat).moves[0])
    return json.dumps(record_of(state, [Player(name="Ann", bot=""), Player(name="Ben", bot="")], {"draftengine": "0"}))


@pytest.fixture
def kitchen(tmp_path, soups, game):
    (tmp_path / "soups.yaml").write_text(soups, encoding="utf-8")
    (tmp_path / "tables.yaml").write_text(TABLES, encoding="utf-8")
    (tmp_path / "examples.yaml").write_text(EXAMPLES, encoding="utf-8")
    (tmp_path / "game.json").write_text(game, encoding="utf-8")
    return tmp_path


@pytest.fixture
def start(kitchen, environment):
    """Return a function that starts a command as a process: ``start("list", stdout=file)``."""
    started = []

    def run(*arguments, **how):
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = processes.start(*arguments, cwd=kitchen, env=environment | NO_BYTECODE, **pipes | how)
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def cramped(kitchen, environment):
    """Return a function that runs a command to its end, with full output or a limit on file sizes.

    Examples: ``cramped("list", out="/dev/full")``, ``cramped("new", "x", most=64)``.
    """

    def run(*arguments, out=os.devnull, most=None):
        command = ("-m", "draftengine") if most is None else ("-c", CRAMPED, str(most))
        with Path(out).open("wb") as printed:
            return processes.run_python(
                *command, *arguments, cwd=kitchen, env=environment | NO_BYTECODE, stdout=printed
            )

    return run


def refused(finished, *words):
    """Assert that the command ended with one sentence that has these words, and with status 1."""
    said = finished.stderr.decode()
    assert finished.returncode == 1, said
    assert len(said.strip().splitlines()) == 1, said
    assert all(word in said for word in words), said
    assert "bug" not in said


def limited(size):
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_every_command_is_here():
    """Check that every command is tested here, except servers, and what prints nothing or takes minutes."""
    assert set(COMMANDS) - {"serve", "workshop", "lsp", "cards", "learn"} <= set(ON_THE_SCREEN)


def test_a_full_disk_before_learning(cramped):
    refused(cramped("learn", "soups.yaml", "-p", "2", most=1 << 16), "draftengine cannot be used", "that large")


def test_every_file_that_is_written_is_here():
    """Check that every written file is tested here; saves and tables have tests of their own.

    Those are `test_kept_games.py` and `tests/serve/test_storage.py`.
    """
    commands = typer.main.get_command(program()).commands
    asked = {
        (name, option)
        for name, command in commands.items()
        for parameter in command.params
        for option in parameter.opts
        if (parameter.metavar or "").startswith("FILE") and option not in READ
    }
    here = {(arguments[0], arguments[-2]) for arguments in INTO_FILES.values()}
    kept = {("play", "--save"), ("score", "--save"), ("serve", "--data")}
    assert asked == here | kept | SAME


@pytest.mark.parametrize("name", sample(ON_THE_SCREEN, 6))
def test_a_full_disk_under_standard_output(cramped, name):
    """Check output to a full disk."""
    refused(cramped(*ON_THE_SCREEN[name], out=FULL), "the output cannot be written", "the disk is full")


def test_a_full_disk_under_a_program_that_starts(start):
    """Check a full disk at the start; Python writes the rest when it exits."""
    with FULL.open("wb") as full:
        process = start("list", stdout=full)
        said = process.communicate(timeout=60)[1]
    refused(subprocess.CompletedProcess((), process.returncode, b"", said), "the output cannot be written")


@pytest.mark.parametrize("name", ["list", "show", "--help"])
def test_nobody_reads_on(start, name):
    """Check that a closed pipe is no failure: the reader has seen enough."""
    reading, writing = os.pipe()
    os.close(reading)
    process = start(*ON_THE_SCREEN[name], stdout=writing)
    os.close(writing)
    assert process.communicate(timeout=60)[1] == b""
    assert process.returncode != 70


def test_no_room_for_complaints(start):
    with FULL.open("wb") as full:
        assert start("list", "--nonsense", stderr=full).wait(60) in {1, 2}


@pytest.mark.parametrize("name", sample(INTO_FILES, 3))
def test_a_full_disk_under_a_file(cramped, kitchen, name):
    """Check that a full disk leaves the old file whole, and no other file in its folder."""
    arguments = [part.format(name) for part in INTO_FILES[name]]
    target = kitchen / arguments[-1]
    target.write_text(BEFORE, encoding="utf-8")
    before = set(kitchen.rglob("*"))
    refused(cramped(*arguments, most=SMALL), "files cannot become that large")
    assert target.read_text(encoding="utf-8") == BEFORE
    assert {path for path in kitchen.rglob("*") if path.is_file()} <= before


def test_a_full_disk_under_a_new_card_set(cramped, kitchen):
    before = set(kitchen.rglob("*"))
    refused(cramped("new", "orchard", most=SMALL), "orchard.yaml", "files cannot become that large")
    assert {path for path in kitchen.rglob("*") if path.is_file()} <= before


def test_a_full_disk_under_tables(cramped, kitchen):
    """Check that a server that cannot store tables does not start, and leaves no partial file."""
    refused(
        cramped("serve", "soups.yaml", "--data", "tables.sqlite", most=64), "tables.sqlite cannot be used", "--data"
    )
    assert not list(kitchen.glob("tables.sqlite*"))


@pytest.mark.parametrize(
    ("command", "way"), [("serve", "Name another file with --data."), ("workshop", "Set XDG_DATA_HOME to a folder")]
)
def test_a_folder_that_takes_no_tables(kitchen, environment, command, way):
    """Check that the message has the place of the tables, the reason and the way to name another one."""
    finished = processes.run_python(
        "-m", "draftengine", command, "soups.yaml", cwd=kitchen, env=environment | {"XDG_DATA_HOME": "/proc/nope"}
    )
    refused(finished, "/proc/nope/draftengine/tables.sqlite cannot be used: No such file or directory.", way)


def test_a_full_disk_under_a_card_set_that_is_mended(cramped, kitchen):
    """Check that --fix on a full disk leaves the file unchanged, and does not claim to have mended it."""
    wrong = kitchen / "wrong.yaml"
    wrong.write_text((kitchen / "soups.yaml").read_text(encoding="utf-8").replace("cards:", "crads:"), encoding="utf-8")
    before = wrong.read_bytes()
    refused(cramped("validate", "--fix", "wrong.yaml", most=SMALL), "wrong.yaml", "files cannot become that large")
    assert wrong.read_bytes() == before
    assert not list(kitchen.glob(".draftengine-*"))


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_a_full_disk_under_what_a_shell_starts_with(kitchen, environment):
    """Check that completion cannot add its line to the start file of a shell on a full disk."""
    start_file = kitchen / ".bashrc"
    start_file.write_text(f"# {BEFORE}\n", encoding="utf-8")

    def installed(most):
        command = [sys.executable, "-c", CRAMPED, str(most), "--install-completion"]
        return subprocess.run(
            ["bash", "--norc", "-c", '"$@"; exit $?', "bash", *command], cwd=kitchen, env=environment | NO_BYTECODE,
            capture_output=True, check=False, timeout=60,
        )  # fmt: skip

    refused(installed(1), ".bashrc", "files cannot become that large")
    assert start_file.read_text(encoding="utf-8") == f"# {BEFORE}\n"
    assert not list(kitchen.glob(".draftengine-*"))
    assert installed(100_000).returncode == 0
    first, *more = start_file.read_text(encoding="utf-8").splitlines()
    assert first == f"# {BEFORE}"
    assert "draftengine.sh" in "".join(more)
    assert (kitchen / ".bash_completions" / "draftengine.sh").is_file()


def test_no_room_for_what_processes_share(start):
    """Check that one process does all the work where semaphores cannot be made."""
    process = start(*ON_THE_SCREEN["arena"], "--jobs", "2", preexec_fn=lambda: limited(0))
    said, complaints = process.communicate(timeout=60)
    assert (process.returncode, complaints) == (0, b"")
    assert b"2 deals" in said


IN_PLACE = [name for name, given in INTO_FILES.items() if given[-1].endswith((".html", ".json"))]


@pytest.mark.parametrize("name", sample(IN_PLACE, 2))
def test_a_device_that_takes_nothing(cramped, name):
    """Check that devices are written in place, and their errors reported; other files need a known suffix."""
    *arguments, option, _ = INTO_FILES[name]
    refused(cramped(*arguments, option, "/dev/full"), "/dev/full", "the disk is full")


@pytest.mark.parametrize("name", sample(INTO_FILES, 4))
def test_a_folder_that_takes_no_files(cramped, name):
    """Check a folder in which nobody can make files, not even root: an error, before or after the work."""
    *arguments, option, place = (part.format(name) for part in INTO_FILES[name])
    finished = cramped(*arguments, option, f"/proc/self/{place}")
    said = finished.stderr.decode()
    assert finished.returncode in {1, 2}
    assert f"/proc/self/{place}" in said
    assert "bug" not in said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_stopped_in_the_middle_of_a_file(start, kitchen, number):
    """Check that stopping a run leaves the rows of the games played so far."""
    target = kitchen / "rows.csv"
    target.write_text(BEFORE, encoding="utf-8")
    arguments = ("simulate", "soups.yaml", "--engine", "reference", "--bots", "random", "-j", "1", "--seed", "1")
    process = start(*arguments, "-n", "10000000", "--out", target.name)
    until = time.monotonic() + 60
    while not list(kitchen.glob(".draftengine-*.new")):
        assert time.monotonic() < until
        time.sleep(0.01)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode in {0, 130}
    assert target.read_text(encoding="utf-8").startswith("game,")
    assert not list(kitchen.glob(".draftengine-*"))


def test_a_signal_that_is_ignored_stays_so(start, kitchen):
    """Check that an ignored signal stays ignored, as nohup needs."""

    def deaf():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    process = start("simulate", "soups.yaml", *FEW, "-n", "3000", "--out", "rows.csv", preexec_fn=deaf)
    while process.poll() is None and not list(kitchen.glob(".draftengine-*.new")):
        time.sleep(0.01)
    process.send_signal(signal.SIGHUP)
    assert process.wait(60) == 0


def test_parquet_says_nothing_of_its_own(start):
    assert start("simulate", "soups.yaml", *FEW, "--out", "rows.parquet").communicate(timeout=60)[1] == b""


def test_a_link_stays_a_link(start, kitchen):
    """Check that a link stays a link: its target is replaced, keeping the mode."""
    real, link = kitchen / "real.csv", kitchen / "link.csv"
    real.write_text(BEFORE, encoding="utf-8")
    real.chmod(0o640)
    link.symlink_to(real)
    assert start("simulate", "soups.yaml", *FEW, "--out", link.name).wait(60) == 0
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8").startswith("game,")
    assert real.stat().st_mode & 0o777 == 0o640


def test_seeds_that_are_drawn():
    """Check drawn seeds: more than 64 bits, short enough to type, and never read as a number."""
    drawn = [seed_from(None) for _ in range(2000)]
    assert len(set(drawn)) == len(drawn)
    assert all(re.fullmatch("[a-hj-kmnp-tv-z][0-9a-hj-kmnp-tv-z]{12}", seed) for seed in drawn)
    assert all(seed_from(seed) == seed for seed in drawn)
    signs = [len({seed[place] for seed in drawn}) for place in range(13)]
    assert signs[0] * 2.0**60 > 2**64
    assert min(signs[1:]) == 32
    assert [seed_from(text) for text in ("7", "-7", "a word")] == [7, -7, "a word"]
