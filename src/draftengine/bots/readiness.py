"""What bots have to do once before they can play as well as they can: learn the cards of a game.

The batch kernel is another thing that is made once. No bot waits for it: who plays many games decides whether compiling
it is worth while.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from draftengine.bots.tables import learned
from draftengine.kernel import UnsupportedError

if TYPE_CHECKING:
    from draftengine.engine.program import Program

COMPILING, LEARNING = "compiling", "learning"
Told = Callable[[str, float], None]
"""Is told what is done (`COMPILING` or `LEARNING`) and how much of it (0 to 1)."""


def learn_cards(program: Program, told: Told) -> None:
    """Learn the cards of a game, if nobody has before."""
    learned(program, lambda share: told(LEARNING, share))


def compile_kernel(program: Program, told: Told = lambda *_: None) -> None:
    """Compile the batch kernel by playing a game."""
    from draftengine.kernel.player import Player  # noqa: PLC0415 (imports Numba)

    told(COMPILING, 0.0)
    with suppress(UnsupportedError):
        Player(program, ["random"] * program.players).play(0, 0, 1)
