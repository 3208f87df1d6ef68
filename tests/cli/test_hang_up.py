"""Commands that ask questions end when their terminal hangs up, and keep what was done."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from itertools import product

import pytest

from commands import processes
from conftest import sample
from draftengine.apps.play.journal import Journal

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")

SOON = 10
"""Seconds within which a command must end, on a busy machine."""
PLAY, SCORE = ("play", "soups.yaml", "--seed", "1", "--level", "greedy"), ("score", "soups.yaml", "--players", "2")
COMMANDS = {
    "full screen": (*PLAY, "--save", "kept"),
    "lines": (*PLAY, "--save", "kept", "--plain"),
    "score sheet": (*SCORE, "--save", "kept"),
    "score lines": (*SCORE, "--save", "kept", "--plain"),
}
PROMPTS = {"full screen": "hands go", "lines": "for help", "score sheet": "Player 2", "score lines": "Player 1: "}


class Started:
    """A command at a terminal, whose output is read all the time."""

    def __init__(self, folder, environment, *arguments, ignoring=False):
        self.child = pexpect.spawn(
            sys.executable,
            [*processes.MODULE, *arguments],
            cwd=str(folder),
            env=environment | {"TERM": "xterm-256color", "NO_COLOR": "1", "LANG": "C.UTF-8"},
            encoding="utf-8",
            dimensions=(40, 120),
            timeout=60,
            ignore_sighup=ignoring,
        )

    def read(self, seconds):
        self.child.expect([pexpect.TIMEOUT, pexpect.EOF], timeout=seconds)

    def hang_up(self):
        """Close the terminal, as `tmux kill-server` and the end of a connection do."""
        self.child.close = lambda **_: None
        os.close(self.child.child_fd)

    def ended(self):
        """Return True if the command ends within `SOON`; otherwise kill it."""
        pid, deadline = self.child.pid, time.monotonic() + SOON
        while time.monotonic() < deadline:
            if os.waitpid(pid, os.WNOHANG)[0]:
                return True
            time.sleep(0.02)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        return False


@pytest.fixture
def started(tmp_path, environment, soups):
    """Return a function that starts a command of the table above and waits until it asks."""
    (tmp_path / "soups.yaml").write_text(soups, encoding="utf-8")

    def start(kind, *, ignoring=False):
        command = Started(tmp_path, environment, *COMMANDS[kind], ignoring=ignoring)
        command.child.expect(PROMPTS[kind])
        command.read(0.2)
        return command

    return start


@pytest.mark.parametrize(("kind", "ignoring"), sample(product(COMMANDS, [False, True]), 3))
def test_a_terminal_that_hangs_up_ends_the_command(started, kind, ignoring):
    """Check that the command ends, also if SIGHUP is ignored as under `nohup`: then input just ends."""
    command = started(kind, ignoring=ignoring)
    command.hang_up()
    assert command.ended()


@pytest.mark.parametrize("kind", sample(COMMANDS, 2))
def test_sighup_alone_ends_the_command(started, kind):
    command = started(kind)
    os.kill(command.child.pid, signal.SIGHUP)
    command.read(SOON)
    assert command.ended()


def test_what_was_chosen_is_kept(started, tmp_path):
    """Check that a choice made on the full screen before hanging up can be resumed."""
    command = started("full screen")
    command.child.send("1")
    command.read(0.2)
    command.child.send("\r")
    command.child.expect("Turn 2")
    command.hang_up()
    assert command.ended()
    assert len(Journal.resumed(tmp_path / "kept").saved.session.state.history) >= 2


def test_stopped_and_going_on_it_can_be_left(started):
    """Check that the program can still be left after SIGCONT, which makes it start reading anew."""
    command = started("full screen")
    for _ in range(3):
        os.kill(command.child.pid, signal.SIGSTOP)
        os.kill(command.child.pid, signal.SIGCONT)
        command.read(0.3)
    command.child.send("\x11")
    command.read(SOON)
    assert command.ended()


def test_what_was_tapped_is_kept(started, tmp_path):
    """Check that a card tapped on the full-screen score sheet is there when the sheet is opened again."""
    command = started("score sheet")
    command.child.send("1")
    command.read(1)
    command.hang_up()
    assert command.ended()
    assert len(json.loads((tmp_path / "kept").read_text("utf-8"))["rounds"][0]["tables"][0]) == 1
