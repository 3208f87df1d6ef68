"""Preparation of bots: they learn the cards of a game before they play it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from draftengine.bots.worth.tables import is_left_out, learned

if TYPE_CHECKING:
    from draftengine.engine.program import Program

LEARNING, COMPILING = "learning", "compiling"
Told = Callable[[str, float], None]
"""Callback that gets the current task (`LEARNING` or `COMPILING`) and its completed share (0 to 1)."""


def learn_cards(program: Program, progress: Told) -> None:
    """Learn the cards of a game, unless they are known or nobody waits for them in this process."""
    if is_left_out(program):
        return
    learned(program, lambda share: progress(LEARNING, share))
