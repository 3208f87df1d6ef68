"""A game goes on: step after step, to the next choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from draftengine.engine.choose import Choice
from draftengine.engine.kernel.steps import FORKS, STEPS
from draftengine.engine.plain import record_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.instruction import EventSink
    from draftengine.engine.state import GameState


def advance(state: GameState, tell: EventSink, ends: Callable[[int], bool] | None = None) -> bool:
    """Carry out steps until seats have to choose or the game is over, or before a step where play `ends`.

    Is it over, or has it ended there.
    """
    code, g, plan = state.program.code, record_of(state), state.program.plain
    at = state.pc
    state.tell = tell
    while at < len(code):
        if ends is not None and ends(at):
            break
        step: Any = code[at]
        kind = type(step)
        if kind in STEPS:
            STEPS[kind](g, plan, step)
            at = step.following
        elif kind is not Choice:
            at = step.following if FORKS[kind](g, plan, step) else step.otherwise
        elif step.ask(state):
            break
        else:
            at = step.otherwise
    state.pc = at
    state.tell = None
    return not state.pending
