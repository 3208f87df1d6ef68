"""What every instruction of the flow can do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from draftengine.engine.events import Event

if TYPE_CHECKING:
    from draftengine.engine.state import State

WAIT = -1
"""Returned instead of the next instruction: seats have to choose first."""

Tell = Callable[[Event], None] | None
"""Where events go; ``None`` = nobody listens, and none are made."""


class Instruction(Protocol):
    """One step of the compiled flow."""

    def run(self, state: State) -> int:
        """Carry the step out on `state`, where `state.tell` hears of it; the next instruction, or `WAIT`."""


def advance(state: State, tell: Tell) -> None:
    """Run instructions until seats have to choose or the game is over."""
    code = state.program.code
    at = state.pc
    state.tell = tell
    while at < len(code):
        following = code[at].run(state)
        if following < 0:
            break
        at = following
    state.pc = at
    state.tell = None
