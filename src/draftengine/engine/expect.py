"""What can be expected of effects and triggers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.text.effects import change_counters, concerned, write
from draftengine.engine.text.plain import record_of

if TYPE_CHECKING:
    from draftengine.engine.state import State


def expect(state: State, effect: int, seat: int) -> int:
    """What can be expected of an effect: its points, and counters as it leaves them, a die with its middle side up.

    A chip is worth the mean of its pile. Markers are left out, and discards of more than one kind of card.
    """
    change = state.program.effects[effect]
    if change.kind == "chip":
        return state.program.mean_chips[change.target]
    if change.kind == "points":
        assert change.value is not None
        return change.value(state, seat)
    if change.kind == "roll":
        field = change.amounts[0].field
        write(record_of(state), field, seat, 1 + change.sides // 2)
    elif change.kind in {"add", "set", "open"}:
        change_counters(record_of(state), state.program.plain, change, seat, "", ())
    elif change.kind == "discard" and change.target >= 0:
        assert change.value is not None
        word = state.words[seat]
        leaving = min(change.value(state, seat), change.amounts[0].field.read(word))
        state.words[seat] = word - max(leaving, 0) * state.program.increments[change.target]
    return 0


def expect_of_reveal(state: State, seat: int) -> int:
    """What can be expected of the triggers that wait for a reveal: counters as they leave them; the seat's points."""
    found = 0
    for watch in state.program.plain.watches("reveal"):
        who = concerned(record_of(state), state.program.plain, watch)
        for own in range(state.program.ranked):
            if who >> own & 1:
                points = sum([expect(state, effect, own) for effect in watch.effects])
                found += points if own == seat else 0
    return found
