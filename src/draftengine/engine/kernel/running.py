"""The loop of interpreted games: step after step, to the next choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from draftengine.engine.choose import Choice
from draftengine.engine.kernel.steps import FORKS, STEPS
from draftengine.engine.plain import plan_of, record_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.instruction import EventSink
    from draftengine.engine.state import GameState


def advance(state: GameState, tell: EventSink, ends: Callable[[int], bool] | None = None) -> bool:
    """Carry out steps until seats have to choose, the game is over, or `ends` holds for a step.

    Changes the state in place and sends events to `tell`. Returns True if no seat has to choose.
    """
    code, record, plan = state.program.code, record_of(state), plan_of(state.program)
    index = state.pc
    state.tell = tell
    while index < len(code):
        if ends is not None and ends(index):
            break
        step: Any = code[index]
        kind = type(step)
        if kind in STEPS:
            STEPS[kind](record, plan, step)
            index = step.following
        elif kind is not Choice:
            index = step.following if FORKS[kind](record, plan, step) else step.otherwise
        elif step.collect_pending(state):
            break
        else:
            index = step.otherwise
    state.pc = index
    state.tell = None
    return not state.pending
