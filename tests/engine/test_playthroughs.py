"""A readable game of every configuration, whose changes are to be reviewed line by line.

One file for each card set and number of players, one section for each configuration. A configuration without a section
fails (see `engine.frozen` for how they are written again).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from draftengine.api.canonical import digest
from draftengine.engine.game import result
from draftengine.engine.policies import random_game
from engine import frozen
from engine.configurations import ENTERING, EVERY

FOLDER = Path(__file__).parent / "playthroughs"


def file_of(configuration):
    """Return the name of the file with the game of a configuration."""
    return f"{configuration.cardset}-{configuration.players}p"


GROUPS = {file: [own for own in EVERY if file_of(own) == file] for file in map(file_of, EVERY)}
_SHOWN = {
    "revealed": lambda event, seat: f"{seat(event)} {' + '.join(event.cards)}",
    "placed": lambda event, seat: f"{seat(event)} puts {event.count} into {event.zone}",
    "modified": lambda event, seat: f"({event.name})",
    "ability-used": lambda event, seat: f"({event.name} of {seat(event)})",
    "marker": lambda event, seat: f"({event.name} to {seat(event)})",
    "rolled": lambda event, seat: f"({seat(event)} rolls {event.amount})",
    "counter": lambda event, seat: f"({event.name} of {seat(event)} is {event.amount})",
    "chip": lambda event, seat: f"({seat(event)} {event.name} chip {event.amount})",
    "flipped": lambda event, seat: f"(turned up: {event.cards[0]})",
    "discarded": lambda event, seat: f"({seat(event)} discards {event.cards[0]})",
}


def playthrough(configuration):
    """Return the lines of one game: each turn, points of rules with reasons, and the result."""
    program = configuration.program
    story = []
    state = random_game(program, "playthrough", tell=story.append)
    lines, line = [str(configuration)], []

    def seat(event):
        return program.seat_name(event.seat).removeprefix("seat ") if event.seat >= 0 else "nobody"

    for event in story:
        if event.kind in {"round-started", "turn-started", "points", "awarded", "round-ended", "game-over"} and line:
            lines.append("  " + " ".join(line))
            line = []
        if event.kind == "turn-started":
            line = [f"{event.amount:>2}:"]
        elif event.kind in {"round-started", "round-ended"}:
            lines.append(f" {event.kind} {event.amount}")
        elif event.kind == "points" and event.amount:
            lines.append(f"  {seat(event)} {event.amount:+} {event.name}: {event.text}".rstrip(": "))
        elif event.kind == "awarded" and event.amount:
            lines.append(f"  {seat(event)} {event.amount:+} chip {event.name}: {event.text}")
        elif event.kind in _SHOWN:
            line.append(_SHOWN[event.kind](event, seat))
    found = result(state)
    return [*lines, f" scores {list(found.scores)} winners {list(found.winners)} state {digest(state)[:16]}", ""]


def sections(group):
    """Return the games in a file by name; none if the file does not exist."""
    path = FOLDER / f"{group}.txt"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return {part.split("\n", 1)[0]: part.splitlines() for part in re.split(r"(?m)^(?=\S)", text) if part}


def write(group, kept):
    """Write a file with its sections in the order of configurations."""
    FOLDER.mkdir(exist_ok=True)
    lines = [line for own in GROUPS[group] for line in kept.get(str(own), [])]
    (FOLDER / f"{group}.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")


@pytest.mark.parametrize("group", GROUPS)
def test_playthroughs(group):
    found = {str(own): playthrough(own) for own in GROUPS[group] if own in ENTERING}
    frozen.hold(found, sections(group), lambda kept: write(group, kept))


@pytest.mark.parametrize("group", GROUPS)
def test_every_configuration_has_its_playthrough(group):
    """Check that every configuration has a game, including those that are not played by day."""
    assert list(sections(group)) == [str(own) for own in GROUPS[group]]


def test_no_file_is_left_over():
    assert {path.stem for path in FOLDER.iterdir()} == set(GROUPS)
