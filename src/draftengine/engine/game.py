"""Functions that start a game, commit moves and read the result.

States are treated as values: no function except `settle_if_complete` changes its argument.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.engine.chance import root_of
from draftengine.engine.kernel import scoring
from draftengine.engine.kernel.running import advance, settle
from draftengine.engine.moves import Move, check_move, choice_of
from draftengine.engine.plain import plan_of, record_of
from draftengine.engine.state import GameState, initial_state

if TYPE_CHECKING:
    from draftengine.engine.events import Event, EventSink
    from draftengine.engine.program import Program


class Transition(Struct, frozen=True):
    """A new state with the events that led to it."""

    state: GameState
    events: tuple[Event, ...]


def start(program: Program, seed: int | str, *, game: int = 0) -> Transition:
    """Start game number `game` of a seed and run it to its first decision."""
    state = initial_state(program, root_of(seed), game, memory=True)
    events: list[Event] = []
    advance(state, events.append)
    return Transition(state, tuple(events))


def commit(state: GameState, seat: int, move: Move) -> Transition:
    """Commit `seat` to a move. After the last pending seat has committed, settle the choice and go on.

    Until then, a commitment can be replaced. Raises `draftengine.engine.moves.IllegalMove`, with nothing changed.
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
    """Return a copy of the state without the commitment of `seat`."""
    after = state.clone()
    after.chosen.pop(seat, None)
    return after


def settle_if_complete(state: GameState, tell: EventSink) -> None:
    """Settle the choice and advance the state, in place, if every pending seat has committed."""
    if state.pending and len(state.chosen) == len(state.pending):
        settle(state, choice_of(state), tell)
        advance(state, tell)


def waiting(state: GameState) -> tuple[int, ...]:
    """Return the pending seats that have not committed yet."""
    return tuple(seat for seat in state.pending if seat not in state.chosen)


def total(state: GameState, seat: int) -> int:
    """Add up a seat's points and the values of its chips."""
    return scoring.total(record_of(state), plan_of(state.program), seat)


class Result(Struct, frozen=True):
    """The scores of a game so far; final if there are winners."""

    scores: tuple[int, ...]
    """Totals, including chips."""
    winners: tuple[int, ...]
    """The seats that have won; empty until the game is over."""
    rounds: tuple[tuple[int, ...], ...]
    """Points by round and seat. If points were scored after the last round, they are an additional entry."""
    rules: dict[str, tuple[int, ...]]
    """Points by rule (or trigger, or chip pile) and seat."""


def result(state: GameState) -> Result:
    """Compute the scores by seat, round and rule from the ledger and the chips."""
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
    """Return the result as plain data, with seed, card set, variants and the hash of the rules."""
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
