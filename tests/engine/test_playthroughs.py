"""A readable playthrough of every configuration, to be read line by line when it changes.

One file for each card set and number of players, one section for each configuration. A configuration without a section
is a failure. ``DRAFTENGINE_WRITE=1`` writes the files again.
"""

from __future__ import annotations

import os
from itertools import groupby
from pathlib import Path

import pytest

from draftengine.engine.game import result
from draftengine.engine.playout import random_game
from engine.configurations import CONFIGURATIONS

FOLDER = Path(__file__).parent / "playthroughs"
GROUPS = {
    f"{cardset}-{players}p": list(own)
    for (cardset, players), own in groupby(CONFIGURATIONS, key=lambda own: (own.cardset, own.players))
}
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
    """The lines of one game: a line for each turn, the points of rules with their reasons, the result."""
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
    return [*lines, f" scores {list(found.scores)} winners {list(found.winners)} state {state.digest()[:16]}", ""]


@pytest.mark.parametrize("group", GROUPS)
def test_playthroughs(group):
    text = "\n".join(line for configuration in GROUPS[group] for line in playthrough(configuration))
    path = FOLDER / f"{group}.txt"
    if os.environ.get("DRAFTENGINE_WRITE"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), f"{path.name} is missing: DRAFTENGINE_WRITE=1 writes it"
    assert path.read_text(encoding="utf-8").splitlines() == text.splitlines()


def test_no_file_is_left_over():
    assert {path.stem for path in FOLDER.iterdir()} == set(GROUPS)
