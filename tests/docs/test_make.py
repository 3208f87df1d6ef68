"""``make play`` in use: Ctrl-C, and how to reach the command."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(os.name == "nt" or shutil.which("make") is None, reason="needs make")


@pytest.fixture
def play(tmp_path):
    """Return `make play` with this environment as the one already set up."""
    program = tmp_path / "venv" / "bin" / "draftengine"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m draftengine "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "venv" / ".installed").touch()
    environment = {
        **os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1", "TERM": "dumb", "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path / "data"), "PATH": "/usr/bin:/bin",
    }  # fmt: skip

    def start(arguments):
        return pexpect.spawn(
            "make", ["-C", str(ROOT), "play", f"VENV={tmp_path / 'venv'}", f"ARGS={arguments}"], env=environment,
            encoding="utf-8", timeout=60, dimensions=(40, 100),
        )  # fmt: skip

    return start


def test_ctrl_c_ends_a_game_in_peace(play, tmp_path):
    """Check that Ctrl-C saves the game without an error message of make."""
    game = play(f"--seed 1 --save {tmp_path / 'mine.json'}")
    game.expect("Your card")
    game.sendline("1")
    game.expect("Enter to play")
    game.sendline("")
    game.expect("Your card")
    game.sendintr()
    game.expect(pexpect.EOF)
    assert "Error" not in game.before
    assert "***" not in game.before
    assert "Go on with: " in game.before


def test_how_to_reach_the_command_is_said(play, tmp_path):
    game = play("--auto --seed 1")
    game.expect(pexpect.EOF)
    game.close()
    assert game.exitstatus == 0
    assert f"source {tmp_path / 'venv'}/bin/activate" in game.before


def test_what_fails_fails(play):
    game = play("--players 99")
    game.expect(pexpect.EOF)
    game.close()
    assert game.exitstatus == 2
    assert "Error 2" in game.before
