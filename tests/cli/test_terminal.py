"""``draftengine play --plain`` at a real terminal: confirming, taking back, Ctrl-C, colours."""

from __future__ import annotations

import re
import sys
import time

import pytest

pexpect = pytest.importorskip("pexpect") if sys.platform == "win32" else __import__("pexpect")

CHOOSE, CONFIRM, GO_ON, LEAVE = r"\? for help\): ", r"u to take it back: ", r"Enter to go on.*: ", r"Enter to leave.*: "


@pytest.fixture
def terminal(tmp_path, environment, soups):
    (tmp_path / "soups.yaml").write_text(soups, encoding="utf-8")
    started = []

    def start(*arguments, **variables):
        from commands import terminals  # it needs pexpect

        level = () if "--resume" in arguments else ("--level", "greedy")
        child = terminals.start(
            *("play", "--plain", *arguments, *level),
            cwd=str(tmp_path),
            env=environment | {"TERM": "xterm"} | variables,
            encoding="utf-8",
            dimensions=(40, 80),
            timeout=120,  # bots, and commands with hints, learn the cards first
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def test_a_whole_game(terminal):
    """Check that every choice is confirmed, and can be made again after taking it back."""
    child = terminal("soups.yaml", "--players", "2", "--seed", "1")
    child.expect(CHOOSE)
    child.sendline("1")
    child.expect(CONFIRM)
    child.sendline("u")
    child.expect(CHOOSE)
    choices, pauses = 0, 0
    child.sendline("1")
    while (asked := child.expect([CHOOSE, CONFIRM, GO_ON, LEAVE])) < 3:
        choices += asked == 1
        pauses += asked == 2
        child.sendline("1" if asked == 0 else "")
    assert pauses == 2, "there is time to read what a round gave"
    child.sendline("")
    assert child.expect([pexpect.EOF, "Looking back"]) == 0
    child.close()
    assert child.exitstatus == 0
    assert 0 < choices <= 2 * 5


def to_the_end(child):
    """Take the first card at each question, up to the last one."""
    while child.expect([CHOOSE, CONFIRM, GO_ON, LEAVE]) < 3:
        child.sendline("1" if child.after.endswith("for help): ") else "")


def test_hints_and_looking_back(terminal):
    """Check that `h` gives hints, and that the end offers a review and another game."""
    child = terminal("soups.yaml", "--players", "2", "--seed", "1")
    child.expect(CHOOSE)
    child.sendline("h")
    child.expect("Hint")
    child.expect(CHOOSE)
    child.sendline("1")
    child.expect(CONFIRM)
    child.sendline("h")
    child.expect("Hint")
    child.expect(CONFIRM)
    child.sendline("")
    to_the_end(child)
    child.sendline("r")
    child.expect("Looking back")
    child.expect("You gave")
    child.expect(LEAVE)
    child.sendline("n")
    child.expect("Seed")
    child.expect(CHOOSE)
    child.sendline("q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_a_line_of_progress_is_one_line(terminal, tmp_path):
    """Check that a progress line is cut on a narrow terminal, and not wrapped."""
    child = terminal(
        "soups.yaml", "--players", "2", "--seed", "1", "--learn", XDG_CACHE_HOME=str(tmp_path), COLUMNS="40"
    )
    child.expect(CHOOSE)
    drawn = [part for part in child.before.split("\r") if "█" in part or "░" in part]
    assert drawn
    assert max(map(len, drawn)) < 40


def test_second_thoughts(terminal):
    """Check the confirmation: it accepts another card, and answers nonsense without playing."""
    child = terminal("soups.yaml", "--players", "2", "--seed", "1")
    child.expect(CHOOSE)
    child.sendline("1")
    child.expect(CONFIRM)
    child.sendline("2")
    child.expect("Bread. " + CONFIRM.replace("u to", "Enter to play it, u to"))
    child.sendline("9")
    child.expect("There is no 9 here")
    child.expect("Bread. Enter to play it")
    child.sendline("?")
    child.expect("the table again")
    child.expect("Bread. Enter to play it")
    child.sendline("")
    child.expect("You.* Bread")


def test_help_leaves_the_hand_on_the_screen(terminal):
    """Check that the hand is shown again after help, and that long output waits at each screenful."""
    child = terminal("soups.yaml", "--players", "2", "--seed", "1")
    child.setwinsize(10, 80)
    child.expect(CHOOSE)
    child.sendline("?")
    child.expect("Enter for more")
    child.sendline("")
    child.expect("Your hand.*" + CHOOSE)


def test_a_window_may_change_its_size(terminal):
    """Check that lines fit the new width after a window changes size."""
    child = terminal("soups.yaml", "--players", "2", "--seed", "1")
    child.expect(CHOOSE)
    assert longest_line(child) > 60
    child.setwinsize(40, 44)
    child.sendline("t")
    child.expect(CHOOSE)
    assert longest_line(child) <= 44


def longest_line(child):
    """Return the longest line before the question, without input and colours."""
    return max(len(re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip()) for line in child.before.split("\n"))


def test_ctrl_c_at_the_end(terminal, tmp_path):
    """Check that Ctrl-C after the end saves nothing and is no failure."""
    child = terminal("soups.yaml", "--players", "2", "--seed", "1", "--hint")
    to_the_end(child)
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert not list(tmp_path.glob("*.save.json"))


def after_one_turn(terminal):
    """Return a game in which the first card was taken."""
    child = terminal("soups.yaml", "--seed", "1")
    child.expect(CHOOSE)
    child.sendline("1")
    child.expect(CONFIRM)
    child.sendline("")
    child.expect(CHOOSE)
    return child


def test_ctrl_c_saves(terminal, tmp_path):
    child = after_one_turn(terminal)
    child.sendintr()
    child.expect("--resume soups-1")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    resumed = terminal("--resume", "soups-1")
    resumed.expect("turn 2")
    resumed.expect(CHOOSE)


def test_a_closed_terminal_saves(terminal, tmp_path):
    """Check that closing the window saves the game."""
    child = after_one_turn(terminal)
    child.close(force=False)
    saves = tmp_path / ".local/share/draftengine/saves"
    deadline = time.monotonic() + 30
    while child.isalive():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert '"stopped"' in (saves / "soups-1.save").read_text(encoding="utf-8")
    assert [file.name for file in saves.iterdir()] == ["soups-1.save"]
    terminal("--resume", "soups-1").expect("turn 2")


@pytest.mark.parametrize(("variables", "colored"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colors(terminal, variables, colored):
    child = terminal("soups.yaml", "--seed", "1", **variables)
    child.expect(CHOOSE)
    assert ("\x1b[" in child.before) == colored
