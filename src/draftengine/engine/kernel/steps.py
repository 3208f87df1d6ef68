"""The function that carries out each step of the flow, by its type.

Choices are missing: `running` and `flow` handle them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine import cards, choose, control
from draftengine.engine.kernel import choices, clearing, moving, scoring, turns

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS: dict[type, Callable[..., None]] = {
    control.StartGame: turns.start_game,
    control.StartRound: turns.start_round,
    control.StartTurns: turns.start_turns,
    control.Jump: turns.jump,
    control.End: turns.end,
    control.Give: turns.give,
    control.AssignTurnOrder: turns.assign_turn_order,
    cards.Shuffle: moving.shuffle_zone,
    cards.Deal: moving.deal,
    cards.Pass: moving.pass_on,
    cards.MoveAll: moving.move_all,
    cards.Clear: clearing.clear,
    cards.Gather: clearing.gather,
    control.Score: scoring.score,
    control.EndGame: scoring.end_game,
}
"""Steps that are always followed by `following`."""

FORKS: dict[type, Callable[..., int]] = {
    choose.PlayAll: choices.play_all,
    control.EndRound: turns.end_round,
    control.NextTurn: turns.next_turn,
    control.SkipUnless: turns.holds,
}
"""Steps that return whether `following` or `otherwise` comes next."""
