"""Instructions that decide what comes next, and the markers that say whose turn it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.events import Event
from draftengine.engine.text import scoring, turns
from draftengine.engine.text.plain import record_of

if TYPE_CHECKING:
    from draftengine.engine.program import Field, Value
    from draftengine.engine.state import State


class StartGame(Struct, frozen=True):
    """Chip piles and markers at their start."""

    following: int

    def run(self, state: State) -> int:
        turns.start_game(record_of(state), state.program.plain, self)
        if state.tell is not None:
            state.tell(Event("game-started"))
        return self.following


class StartRound(Struct, frozen=True):
    following: int

    def run(self, state: State) -> int:
        state.round += 1
        if state.tell is not None:
            state.tell(Event("round-started", amount=state.round))
        return self.following


class EndRound(Struct, frozen=True):
    """Back to the start of the round, until all rounds are played."""

    again: int
    following: int

    def run(self, state: State) -> int:
        if state.tell is not None:
            state.tell(Event("round-ended", amount=state.round))
        return self.again if state.round < state.program.model.rounds else self.following


class StartTurns(Struct, frozen=True):
    following: int

    def run(self, state: State) -> int:
        state.turns.append(0)
        return self.following


class NextTurn(Struct, frozen=True):
    """One more turn, unless the zone is empty, the number is reached or the condition holds."""

    zone: int
    """Until this zone is empty; -1 = something else decides."""
    layout: int
    """Until this zone, which has places, is empty; -1 = something else decides."""
    times: Value | None
    until: Value | None
    at_most: Value | None
    """No more turns than that, whatever else decides."""
    following: int
    done: int

    def run(self, state: State) -> int:
        if not turns.another_turn(record_of(state), state.program.plain, self):
            state.turns.pop()
            return self.done
        state.turns[-1] += 1
        if state.tell is not None and len(state.turns) == 1:  # what is repeated within a turn is no turn of the game
            state.tell(Event("turn-started", amount=state.turns[-1]))
        return self.following


class LineUp(Struct, frozen=True):
    """Players get numbers for something that they do one after the other: the one with the highest begins."""

    who: Value
    """The players for whom it is."""
    by: Value | None
    """They come in the order of this, the smallest first; equal ones from the holder of `marker` to the left."""
    marker: int
    """-1 = from the first seat; so also if no player holds it."""
    field: Field
    """Where the numbers stand; 0 for all others."""
    following: int

    def run(self, state: State) -> int:
        turns.line_up(record_of(state), state.program.plain, self)
        return self.following


class Jump(Struct, frozen=True):
    following: int

    def run(self, state: State) -> int:  # noqa: ARG002 (the contract of instructions)
        return self.following


class End(Struct, frozen=True):
    """The round, or the game, ends early, whatever turns are still to come."""

    following: int

    def run(self, state: State) -> int:
        state.turns = []
        return self.following


class Unless(Struct, frozen=True):
    """Skip a step whose `when` does not hold."""

    when: Value
    following: int
    skip: int

    def run(self, state: State) -> int:
        return self.following if self.when(state, 0) else self.skip


class Give(Struct, frozen=True):
    """A marker goes to a neighbour, to nobody, to who has most or fewest, or to the next for whom something holds."""

    marker: int
    to: str
    measure: Value | None
    tie: str
    source: tuple[str, ...]
    following: int

    def run(self, state: State) -> int:
        turns.give(record_of(state), state.program.plain, self)
        return self.following


class Score(Struct, frozen=True):
    """Score every rule of a label, then the triggers that wait for it."""

    label: str
    rules: tuple[int, ...]
    following: int

    def run(self, state: State) -> int:
        scoring.score(record_of(state), state.program.plain, self)
        return self.following


class EndGame(Struct, frozen=True):
    """Compare the totals, then the tie-breakers; who is still tied shares the win."""

    most: bool
    wins: Value | None
    """Whoever it holds for has won; among several, as where nobody has."""
    following: int

    def run(self, state: State) -> int:
        state.winners = winners(state, self)
        if state.tell is not None:
            for seat, own in enumerate(state.chips):
                for pile, chip in own:
                    name = state.program.model.chips[pile].id
                    state.tell(Event("chip", seat, name=name, amount=state.program.chip_values[pile][chip]))
            for seat in state.winners:
                state.tell(Event("game-over", seat, amount=total(state, seat)))
        return self.following


def total(state: State, seat: int) -> int:
    """A seat's points with the values of its chips."""
    return scoring.total(record_of(state), state.program.plain, seat)


def winners(state: State, end: EndGame) -> tuple[int, ...]:
    """The seats that win if the game ends now."""
    won = scoring.winners(record_of(state), state.program.plain, end)
    return tuple(seat for seat in range(state.program.seats) if won >> seat & 1)
