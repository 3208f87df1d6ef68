"""Instructions that decide what comes next, and the markers that say whose turn it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.events import Event
from draftengine.engine.text import scoring
from draftengine.engine.text.plain import record_of

if TYPE_CHECKING:
    from draftengine.engine.flow.instruction import Tell
    from draftengine.engine.program import Field, Value
    from draftengine.engine.state import State


class StartGame(Struct, frozen=True):
    """Chip piles and markers at their start."""

    following: int

    def run(self, state: State, tell: Tell) -> int:
        for index, marker in enumerate(state.program.markers):
            state.markers[index] = self._start(state, marker.start)
        if tell is not None:
            tell(Event("game-started"))
        return self.following

    @staticmethod
    def _start(state: State, start: int | str) -> int:
        if isinstance(start, int):
            return start
        if start == "random":
            return state.chance.below(state.program.players)
        return 0 if start == "first" else -1


class StartRound(Struct, frozen=True):
    following: int

    def run(self, state: State, tell: Tell) -> int:
        state.round += 1
        if tell is not None:
            tell(Event("round-started", amount=state.round))
        return self.following


class EndRound(Struct, frozen=True):
    """Back to the start of the round, until all rounds are played."""

    again: int
    following: int

    def run(self, state: State, tell: Tell) -> int:
        if tell is not None:
            tell(Event("round-ended", amount=state.round))
        return self.again if state.round < state.program.model.rounds else self.following


class StartTurns(Struct, frozen=True):
    following: int

    def run(self, state: State, tell: Tell) -> int:  # noqa: ARG002 (the contract of instructions)
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

    def run(self, state: State, tell: Tell) -> int:
        if (self.at_most is not None and state.turns[-1] >= self.at_most(state, 0)) or self._finished(state):
            state.turns.pop()
            return self.done
        state.turns[-1] += 1
        if tell is not None and len(state.turns) == 1:  # what is repeated within a turn is no turn of the game
            tell(Event("turn-started", amount=state.turns[-1]))
        return self.following

    def _finished(self, state: State) -> bool:
        if self.zone >= 0:
            return not any(state.zones[self.zone])
        if self.layout >= 0:
            return max(state.zones[self.layout][0]) < 0
        if self.times is not None:
            return state.turns[-1] >= self.times(state, 0)
        return bool(self.until is not None and self.until(state, 0))


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

    def run(self, state: State, tell: Tell) -> int:  # noqa: ARG002 (the contract of instructions)
        players = state.program.players
        holder = state.markers[self.marker] if self.marker >= 0 else 0
        first = holder if 0 <= holder < players else 0
        seats = [seat for distance in range(players) if self.who(state, seat := (first + distance) % players)]
        if self.by is not None:
            values = {seat: self.by(state, seat) for seat in seats}
            seats.sort(key=values.__getitem__)
        numbers = {seat: len(seats) - place for place, seat in enumerate(seats)}
        for seat in range(players):
            word = state.words[seat]
            state.words[seat] = word + ((numbers.get(seat, 0) - self.field.read(word)) << self.field.shift)
        return self.following


class Jump(Struct, frozen=True):
    following: int

    def run(self, state: State, tell: Tell) -> int:  # noqa: ARG002 (the contract of instructions)
        return self.following


class End(Struct, frozen=True):
    """The round, or the game, ends early, whatever turns are still to come."""

    following: int

    def run(self, state: State, tell: Tell) -> int:  # noqa: ARG002 (the contract of instructions)
        state.turns = []
        return self.following


class Unless(Struct, frozen=True):
    """Skip a step whose `when` does not hold."""

    when: Value
    following: int
    skip: int

    def run(self, state: State, tell: Tell) -> int:  # noqa: ARG002 (the contract of instructions)
        return self.following if self.when(state, 0) else self.skip


class Give(Struct, frozen=True):
    """A marker goes to a neighbour, to nobody, to who has most or fewest, or to the next for whom something holds."""

    marker: int
    to: str
    measure: Value | None
    tie: str
    source: tuple[str, ...]
    following: int

    def run(self, state: State, tell: Tell) -> int:
        holder = state.markers[self.marker]
        taker = self._taker(state, holder)
        state.markers[self.marker] = taker
        if tell is not None and taker != holder:
            name = state.program.markers[self.marker].id
            tell(Event("marker", taker, name=name, other=holder, source=self.source))
        return self.following

    def _taker(self, state: State, holder: int) -> int:
        if self.measure is None:
            return self._neighbour(state, holder, self.to)
        if self.to == "next":
            return self._next(state, holder, self.measure)
        sign = 1 if self.to == "most" else -1
        values = [sign * self.measure(state, seat) for seat in range(state.program.players)]
        best = max(values)
        return values.index(best) if values.count(best) == 1 else self._neighbour(state, holder, self.tie)

    def _next(self, state: State, holder: int, holds: Value) -> int:
        """The first of the others for whom it holds, from the left of the holder, from seat 0 if no player is that."""
        players = state.program.players
        first = holder if 0 <= holder < players else players - 1
        asked = [(first + distance) % players for distance in range(1, players + 1)]
        found = (seat for seat in asked if seat != holder and holds(state, seat))
        return next(found, self._neighbour(state, holder, self.tie))

    @staticmethod
    def _neighbour(state: State, holder: int, to: str) -> int:
        if to == "nobody":
            return -1
        if holder < 0 or to == "stays":
            return holder
        return (holder + (1 if to == "left" else -1)) % state.program.players


class Score(Struct, frozen=True):
    """Score every rule of a label, then the triggers that wait for it."""

    label: str
    rules: tuple[int, ...]
    following: int

    def run(self, state: State, tell: Tell) -> int:
        state.tell = tell
        scoring.score(record_of(state), state.program.plain, self)
        return self.following


class EndGame(Struct, frozen=True):
    """Compare the totals, then the tie-breakers; who is still tied shares the win."""

    most: bool
    wins: Value | None
    """Whoever it holds for has won; among several, as where nobody has."""
    following: int

    def run(self, state: State, tell: Tell) -> int:
        state.winners = winners(state, self)
        if tell is not None:
            for seat, own in enumerate(state.chips):
                for pile, chip in own:
                    name = state.program.model.chips[pile].id
                    tell(Event("chip", seat, name=name, amount=state.program.chip_values[pile][chip]))
            for seat in state.winners:
                tell(Event("game-over", seat, amount=total(state, seat)))
        return self.following


def total(state: State, seat: int) -> int:
    """A seat's points with the values of its chips."""
    return scoring.total(record_of(state), state.program.plain, seat)


def winners(state: State, end: EndGame) -> tuple[int, ...]:
    """The seats that win if the game ends now."""
    won = scoring.winners(record_of(state), state.program.plain, end)
    return tuple(seat for seat in range(state.program.seats) if won >> seat & 1)
