"""Which engine plays a simulation: both play the same games, so it is only a question of how soon they are done."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from draftengine.kernel import is_ready
from draftengine.processes import usable
from draftengine.simulate.playing import player_of, why_not_kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from draftengine.api.game import Game

COMPILES = 150.0
"""Seconds that compiling the kernel takes on a usual machine."""
_BREAK_EVEN = {"random": 20_000, "greedy": 1_000}
"""So many games the reference engine plays while a kernel that is compiled gets ready."""
_SAMPLE = 0.3
"""So many seconds of playing tell how long the reference engine would take for all games."""


class EngineError(ValueError):
    """There is no such engine, or it cannot play the game."""


def engine_for(
    wanted: str,
    game: Game,
    bots: Sequence[str],
    games: int,
    note: Callable[[str], None],
    compiling: Callable[[], AbstractContextManager[None]],
) -> str:
    """``kernel`` or ``reference``; a kernel is compiled by then, inside of `compiling`.

    `note` is told why it is the slower one, if that might surprise. Raises `EngineError`.
    """
    if wanted not in {"auto", "kernel", "reference"}:
        raise EngineError(f"There is no engine “{wanted}”: it is auto, kernel or reference.")
    slowest = "random" if set(bots) <= {"random"} else "greedy"
    if wanted == "reference" or (wanted == "auto" and games < _BREAK_EVEN[slowest]):
        return "reference"
    reason = why_not_kernel(game.program, bots)
    if reason:
        if wanted == "kernel":
            raise EngineError(f"The kernel cannot play this: {reason}.")
        note(f"Playing with the reference engine, which is slower: {reason}.")
        return "reference"
    if not is_ready():
        if wanted == "auto" and seconds_without(game, bots, games) < COMPILES:
            return "reference"
        with compiling():
            # Here and now, so that several processes don't all do it.
            player_of(game.program, bots, "kernel", logged=False).warm_up()
    return "kernel"


def seconds_without(game: Game, bots: Sequence[str], games: int) -> float:
    """About how long the reference engine takes for all games, in as many processes as there may be."""
    player, played, began = player_of(game.program, bots, "reference", logged=False), 0, perf_counter()
    while perf_counter() - began < _SAMPLE:
        player.play(0, played, played + 1, rows=False)
        played += 1
    return (perf_counter() - began) * games / played / usable()
