"""The function for each type of step, and the loop that runs the steps of interpreted games.

Choices are not in these tables: `advance` handles them, and `draftengine.engine.kernel.flow` in compiled games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from draftengine.engine import choose
from draftengine.engine.choose import Choice
from draftengine.engine.instructions import (
    AssignTurnOrder,
    Clear,
    Deal,
    End,
    EndGame,
    EndRound,
    Flip,
    Gather,
    Give,
    Jump,
    MoveAll,
    NextTurn,
    Pass,
    Score,
    Shuffle,
    SkipUnless,
    StartGame,
    StartRound,
    StartTurns,
)
from draftengine.engine.kernel import choices, moving, scoring, turns
from draftengine.engine.plain import plan_of, record_of
from draftengine.engine.state import reset_scratch

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.events import EventSink
    from draftengine.engine.state import GameState

STEPS: dict[type, Callable[..., None]] = {
    StartGame: turns.start_game,
    StartRound: turns.start_round,
    StartTurns: turns.start_turns,
    Jump: turns.jump,
    End: turns.end,
    Give: turns.give,
    AssignTurnOrder: turns.assign_turn_order,
    Shuffle: moving.shuffle_zone,
    Deal: moving.deal,
    Pass: moving.pass_on,
    MoveAll: moving.move_all,
    Clear: moving.clear,
    Flip: moving.flip,
    Gather: moving.gather,
    Score: scoring.score,
    EndGame: scoring.end_game,
}
"""The function for each type of step after which the game always goes on at `following`."""

FORKS: dict[type, Callable[..., int]] = {
    choose.PlayAll: choices.play_all,
    EndRound: turns.end_round,
    NextTurn: turns.next_turn,
    SkipUnless: turns.holds,
}
"""The function for each type of step with two possible successors.

The function returns True to go on at `following`, and False to go on at `otherwise`.
"""


def collect_pending(state: GameState, choice: Choice) -> bool:
    """Set `pending` to the seats that must choose. Return True if there are such seats."""
    record, plan = record_of(state), plan_of(state.program)
    for zone in choice.sources:
        plan.observer.look_into(state, zone)
    if choice.ordinary and all(state.zones[choice.source][: state.program.players]):
        state.pending = state.program.all_players
        return True
    state.pending = tuple([seat for seat in plan.players if choices.has_choice(record, plan, choice, seat)])
    return bool(state.pending)


def settle(state: GameState, choice: Choice, tell: EventSink) -> None:
    """Lay down the chosen cards, run effects and triggers, and go on to the next instruction.

    This clears `chosen` and `pending`, and sends events to `tell`.
    """
    plan, chosen = plan_of(state.program), state.chosen
    state.chosen, state.pending = {}, ()
    plan.observer.chosen(state, choice, chosen)
    state.tell, state.taking, state.placed = tell, chosen, []
    if choice.actions:
        for seat, move in chosen.items():
            state.way[seat], state.taking[seat] = choice.action_of_item(move[0])[0], choice.taken_by(move)[1]
    choices.settle_for(record_of(state), plan, choice, sum(1 << seat for seat in chosen))
    reset_scratch(state)
    state.pc = choice.following


def advance(state: GameState, tell: EventSink, ends: Callable[[int], bool] | None = None) -> bool:
    """Carry out steps until seats have to choose, the game is over, or `ends` holds for a step.

    This changes the state in place and sends events to `tell`. Returns True if no seat has to choose.
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
        elif collect_pending(state, step):
            break
        else:
            index = step.otherwise
    state.pc = index
    state.tell = None
    return not state.pending
