"""What every instruction of the flow can do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from draftengine.engine.events import Event

if TYPE_CHECKING:
    from draftengine.engine.program import Value
    from draftengine.engine.state import State

WAIT = -1
"""Returned instead of the next instruction: seats have to choose first."""

Tell = Callable[[Event], None] | None
"""Where events go; ``None`` = nobody listens, and none are made."""


class Instruction(Protocol):
    """One step of the compiled flow."""

    def run(self, state: State, tell: Tell) -> int:
        """Carry the step out on `state`; the index of the next instruction, or `WAIT`."""


def players_of(state: State, marker: int, who: Value | None) -> Sequence[int]:
    """For whom a step is: for whoever holds a marker, for whom a formula holds, or for all players (-1, ``None``).

    Nobody sits at an extra seat, so a step that is for one is for nobody.
    """
    players = state.program.players
    if who is not None:
        return [seat for seat in range(players) if who(state, seat)]
    if marker < 0:
        return range(players)
    holder = state.markers[marker]
    return (holder,) if 0 <= holder < players else ()


def advance(state: State, tell: Tell) -> None:
    """Run instructions until seats have to choose or the game is over."""
    code = state.program.code
    at = state.pc
    while at < len(code):
        following = code[at].run(state, tell)
        if following < 0:
            break
        at = following
    state.pc = at
    state.tell = None
