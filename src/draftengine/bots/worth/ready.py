"""What bots have to do once before they can play as well as they can: learn the cards of a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from draftengine.bots.worth.tables import is_left_out, learned

if TYPE_CHECKING:
    from draftengine.engine.program import Program

LEARNING, COMPILING = "learning", "compiling"
Told = Callable[[str, float], None]
"""Is told what is done (`LEARNING` or `COMPILING`) and how much of it (0 to 1)."""


def learn_cards(program: Program, progress: Told) -> None:
    """Learn the cards of a game, if nobody has before, and somebody waits for it."""
    if is_left_out(program):
        return
    learned(program, lambda share: progress(LEARNING, share))
