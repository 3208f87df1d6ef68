"""Playing: start a game, commit moves, read the result. States are values here; nothing given is ever changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.engine.chance import root_of
from draftengine.engine.control import total
from draftengine.engine.kernel.running import advance
from draftengine.engine.moves import Move, check_move, choice_of
from draftengine.engine.state import GameState, initial_state

if TYPE_CHECKING:
    from draftengine.engine.events import Event
    from draftengine.engine.instruction import EventSink
    from draftengine.engine.program import Program


class Transition(Struct, frozen=True):
    """A state and the events that led to it from the one before."""

    state: GameState
    events: tuple[Event, ...]


def start(program: Program, seed: int | str, *, game: int = 0) -> Transition:
    """The first decision of game number `game` under a seed."""
    state = initial_state(program, root_of(seed), game, memory=True)
    events: list[Event] = []
    advance(state, events.append)
    return Transition(state, tuple(events))


def commit(state: GameState, seat: int, move: Move) -> Transition:
    """`seat` commits to a move; it may be replaced until everybody has committed, then the game goes on.

    Raises `draftengine.engine.moves.IllegalMove` by name, leaving everything as it was.
    """
    chosen = {**state.chosen, seat: check_move(state, seat, move)}
    if len(chosen) < len(state.pending):
        return Transition(state.with_commitments(chosen), ())
    after = state.clone()
    after.chosen = chosen
    events: list[Event] = []
    settle_if_complete(after, events.append)
    return Transition(after, tuple(events))


def withdraw(state: GameState, seat: int) -> GameState:
    """`seat` takes its commitment back, which it may until everybody has committed."""
    after = state.clone()
    after.chosen.pop(seat, None)
    return after


def settle_if_complete(state: GameState, tell: EventSink) -> None:
    """Go on, in place, if every seat that has to choose has chosen."""
    if state.pending and len(state.chosen) == len(state.pending):
        state.pc = choice_of(state).settle(state, tell)
        advance(state, tell)


def waiting(state: GameState) -> tuple[int, ...]:
    """The seats that still have to commit."""
    return tuple(seat for seat in state.pending if seat not in state.chosen)


class Result(Struct, frozen=True):
    """The final record of a game (or how it stands)."""

    scores: tuple[int, ...]
    """Totals, chips included."""
    winners: tuple[int, ...]
    """Empty while the game goes on."""
    rounds: tuple[tuple[int, ...], ...]
    """Points by round and seat; what is scored after the last round is the last entry."""
    rules: dict[str, tuple[int, ...]]
    """Points by rule (or trigger, or chip pile) and seat."""


def result(state: GameState) -> Result:
    """The scores by seat, round and rule."""
    program = state.program
    seats = range(program.seats)
    rounds: dict[int, list[int]] = {number: [0] * program.seats for number in range(1, state.round + 1)}
    rules: dict[str, list[int]] = {}
    for source, number, points in state.ledger:
        row = rounds.setdefault(
            program.model.rounds + 1 if source in program.rules_at_end else number, [0] * program.seats
        )
        line = rules.setdefault(program.sources_of_points[source], [0] * program.seats)
        for seat in seats:
            row[seat] += points[seat]
            line[seat] += points[seat]
    for seat in seats:
        for pile, chip in state.chips[seat]:
            rules.setdefault(program.model.chips[pile].id, [0] * program.seats)[seat] += program.chip_values[pile][chip]
    return Result(
        tuple(total(state, seat) for seat in seats),
        state.winners,
        tuple(tuple(rounds[number]) for number in sorted(rounds)),
        {name: tuple(points) for name, points in rules.items()},
    )


def record(state: GameState, seed: int | str, moves: list[list[Any]] | None = None) -> dict[str, Any]:
    """The final record as plain data: scores, winners, points by round and rule, seed, rules hash."""
    outcome = result(state)
    data: dict[str, Any] = {
        "scores": list(outcome.scores),
        "winners": list(outcome.winners),
        "rounds": [list(row) for row in outcome.rounds],
        "seed": seed,
        "rules": {name: list(points) for name, points in outcome.rules.items()},
        "cardset": state.program.model.id,
        "players": state.program.players,
        "variants": list(state.program.model.active),
        "hash": state.program.rules_hash,
    }
    if moves is not None:
        data["moves"] = moves
    return data
