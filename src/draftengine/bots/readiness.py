"""What bots have to do once before they can play: compile the batch kernel, and learn the cards of a game."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from draftengine.bots.tables import is_learned, learned
from draftengine.kernel import UnsupportedError, is_installed, is_ready

if TYPE_CHECKING:
    from draftengine.engine.program import Program

COMPILING, LEARNING = "compiling", "learning"
Told = Callable[[str, float], None]
"""Is told what is done (`COMPILING` or `LEARNING`) and how much of it (0 to 1)."""


def get_ready(program: Program, told: Told) -> None:
    """Do what has to be done once: the kernel on this machine, the cards of this game."""
    if is_installed() and not is_ready():
        told(COMPILING, 0.0)
        compile_kernel(program)
    learned(program, lambda share: told(LEARNING, share))


def is_prepared(program: Program) -> bool:
    """Has all that been done before."""
    return is_learned(program) and (is_ready() or not is_installed())


def compile_kernel(program: Program) -> None:
    """Compile the batch kernel by playing a game."""
    from draftengine.kernel.player import Player  # noqa: PLC0415 (imports Numba)

    with suppress(UnsupportedError):
        Player(program, ["random"] * program.players).play(0, 0, 1)
