"""Turns: markers, turn order, and the repeats of rounds and turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.chance import below
from draftengine.engine.kernel.effects import give_marker, write
from draftengine.engine.kernel.formulas import formula
from draftengine.engine.kernel.zones import is_empty
from draftengine.jit.primitives import likely, row

if TYPE_CHECKING:
    from draftengine.engine.instructions import (
        AssignTurnOrder,
        Deal,
        End,
        EndRound,
        Give,
        Jump,
        NextTurn,
        SkipUnless,
        StartGame,
        StartRound,
        StartTurns,
        Value,
    )
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.state import StateRecord


def start_game(state: StateRecord, plan: AnyPlan, step: StartGame) -> None:
    """Give the markers to the seats that hold them at the start, some of them drawn at random."""
    for index in plan.markers:
        start = plan.program.markers[index].start
        if start == "random":
            state.markers[index] = below(state, plan, len(plan.players))
        else:
            state.markers[index] = start if isinstance(start, int) else 0 if start == "first" else -1
    if plan.watched:
        plan.observer.reached(plan.state(state), "game-started", 0)


def start_round(state: StateRecord, plan: AnyPlan, step: StartRound) -> None:
    state.round += 1
    if plan.watched:
        plan.observer.reached(plan.state(state), "round-started", state.round)


def end_round(state: StateRecord, plan: AnyPlan, step: EndRound) -> int:
    """End a round. Return True if it was the last one."""
    if plan.watched:
        plan.observer.reached(plan.state(state), "round-ended", state.round)
    return state.round >= plan.rounds


def jump(state: StateRecord, plan: AnyPlan, step: Jump) -> None:
    """Continue at `following`. A jump does nothing else."""


def holds(state: StateRecord, plan: AnyPlan, step: SkipUnless) -> int:
    return formula(state, plan, step.when, 0)


def players_of(state: StateRecord, plan: AnyPlan, step: Deal) -> int:
    """Return the players to whom a step applies, as bits.

    These are the players for whom a formula holds, the holder of a marker, or all players. An extra seat is no
    player, so a step for an extra seat applies to nobody.
    """
    bits = 0
    for seat in plan.players_in(step):
        if is_for(state, plan, step.marker, step.who, seat):
            bits |= 1 << seat
    return bits


def is_for(state: StateRecord, plan: AnyPlan, marker: int, who: Value | None, seat: int) -> int:
    """True if a step applies to a player."""
    if who is not None:
        return formula(state, plan, who, seat) != 0
    if marker >= 0:
        return state.markers[marker] == seat
    return True


def assign_turn_order(state: StateRecord, plan: AnyPlan, step: AssignTurnOrder) -> None:
    """Assign numbers for the turn order. A player's number is 1 plus the number of players after it."""
    if len(plan.players_in(step)) == 1:
        for seat in plan.players_in(step):
            write(state, step.field, seat, (step.above + 1) * (formula(state, plan, step.who, seat) != 0))
        return
    count = len(plan.players)
    values = row(count)
    first = 0
    if step.marker >= 0:
        if state.markers[step.marker] > 0 and state.markers[step.marker] < count:
            first = state.markers[step.marker]
    who = 0
    for seat in plan.players_in(step):
        if formula(state, plan, step.who, seat):
            who |= 1 << seat
        values[seat] = (seat + count - first) % count
        if step.by is not None:
            values[seat] += count * formula(state, plan, step.by, seat)
    for seat in plan.players_in(step):
        others = sum((values[other] >= values[seat]) & who >> other for other in plan.players_in(step))
        write(state, step.field, seat, (step.above + others) * (who >> seat & 1))


def start_turns(state: StateRecord, plan: AnyPlan, step: StartTurns) -> None:
    """Begin a repeat, before its first turn."""
    if step.depth > 0:
        state.outer[step.depth - 1] = state.turn
    state.turn = 0


def next_turn(state: StateRecord, plan: AnyPlan, step: NextTurn) -> int:
    """Begin one more turn of a repeat, or end the repeat. Return True if there is one more turn."""
    if likely(another_turn(state, plan, step)):
        state.turn += 1
        if plan.watched and step.depth == 0:  # a repeat within a turn does not count as turns of the game
            plan.observer.reached(plan.state(state), "turn-started", state.turn)
        return True
    if step.depth > 0:
        state.turn = state.outer[step.depth - 1]
        state.outer[step.depth - 1] = 0
    else:
        state.turn = 0
    return False


def end(state: StateRecord, plan: AnyPlan, step: End) -> None:
    """End the round or the game early, by ending all repeats."""
    if step.stops:
        state.stopped = 1
        if plan.watched:
            plan.observer.stopped(plan.state(state), step.stops)
    state.turn = 0
    for depth in range(plan.most_depth):
        state.outer[depth] = 0


def another_turn(state: StateRecord, plan: AnyPlan, step: NextTurn) -> int:
    """True if there is one more turn, because nothing has happened that ends the turns."""
    if step.at_most is not None:
        return state.turn < formula(state, plan, step.at_most, 0) and not_finished(state, plan, step)
    return not_finished(state, plan, step)


def not_finished(state: StateRecord, plan: AnyPlan, step: NextTurn) -> int:
    if step.zone >= 0:
        return not is_empty(state, plan, step.zone)
    if step.layout >= 0:
        return not is_empty(state, plan, step.layout)
    if step.times is not None:
        return state.turn < formula(state, plan, step.times, 0)
    return not formula(state, plan, step.until, 0)


def give(state: StateRecord, plan: AnyPlan, step: Give) -> None:
    """Give a marker to a neighbour of its holder, to nobody, or to a seat that a measure selects."""
    if step.measure is None:
        give_marker(state, plan, step.marker, neighbour(plan, state.markers[step.marker], step.to), step.source)
    elif step.to == "next":
        give_marker(state, plan, step.marker, next_one(state, plan, step), step.source)
    else:
        give_marker(state, plan, step.marker, foremost(state, plan, step), step.source)


def foremost(state: StateRecord, plan: AnyPlan, step: Give) -> int:
    """Return the seat with the largest or smallest measure. If seats tie, `step.tie` selects among them."""
    values = row(len(plan.players))
    for seat in plan.players:
        values[seat] = formula(state, plan, step.measure, seat)
    if step.to == "most":
        best = max(values[seat] for seat in plan.players)
    else:
        best = min(values[seat] for seat in plan.players)
    if sum(values[seat] == best for seat in plan.players) == 1:
        return sum(seat * (values[seat] == best) for seat in plan.players)
    return neighbour(plan, state.markers[step.marker], step.tie)


def next_one(state: StateRecord, plan: AnyPlan, step: Give) -> int:
    """Return the first player to the left of a marker's holder who meets a condition.

    If no player meets it, `step.tie` decides. If no player holds the marker, the search starts at seat 0. The
    players are visited from last to first, and the last match is returned.
    """
    count = len(plan.players)
    holder = state.markers[step.marker]
    who = sum((formula(state, plan, step.measure, seat) != 0) << seat for seat in plan.players)
    first = count - 1
    if holder >= 0 and holder < count:
        first = holder
    taker = neighbour(plan, holder, step.tie)
    for before in range(count):
        seat = (first + count - before) % count
        if seat != holder and who >> seat & 1:
            taker = seat
    return taker


def neighbour(plan: AnyPlan, holder: int, to: str) -> int:
    """Return the seat to which a marker goes from its holder; -1 = nobody."""
    if to == "nobody":
        return -1
    if to == "stays":
        return holder
    count = len(plan.players)
    if holder < 0:
        return holder
    return (holder + (1 if to == "left" else count - 1)) % count
