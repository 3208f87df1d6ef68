"""States of a game as values: they accept moves, and return the view of a seat and the result."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from draftengine.api import turns as flow
from draftengine.api.canonical import describe, digest
from draftengine.api.errors import checked_name, checked_seat
from draftengine.api.moves import codes_of, move_from, named
from draftengine.api.view import ChoiceInfo, Look, View
from draftengine.engine.events import view as event_for
from draftengine.engine.game import commit, record, result, total, waiting, withdraw
from draftengine.engine.instructions import Clear, Gather, Score
from draftengine.engine.kernel.running import advance, settle
from draftengine.engine.moves import IllegalMove, choice_of, legal_moves
from draftengine.engine.observe import observe, open_cards
from draftengine.engine.position import leaders, proof, score_label
from draftengine.engine.public_state import PublicState

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.api.game import Game
    from draftengine.api.moves import Move, Written
    from draftengine.engine.choose import Choice
    from draftengine.engine.events import Event, Line
    from draftengine.engine.game import Result
    from draftengine.engine.moves import Move as Codes
    from draftengine.engine.observe import OpenCards
    from draftengine.engine.state import GameState as Position


class Step(Struct, frozen=True):
    """One step in the history of a state, with the step before it: a start, a move or a withdrawal."""

    before: Step | None
    seat: int
    """The seat that moved; -1 for the start of the game."""
    codes: Codes | None
    """The move in the engine's codes; ``None`` for the start, or if the seat took its commitment back."""
    decision: int
    """The index in the program of the choice that the move was made in."""
    events: tuple[Event, ...]
    replaces: bool = False
    """True if the move replaces an earlier commitment of the seat."""


class State:
    """A game in progress, including hidden cards. It is for hosts and tests, never for bots or clients.

    States are values: a move creates a new state, and no state ever changes.
    """

    def __init__(
        self,
        game: Game,
        position: Position,
        events: tuple[Event, ...],
        *,
        seed: int | str,
        number: int,
        last: Step | None = None,
    ) -> None:
        self.game = game
        self.seed = seed
        self.number = number
        """The number of the game under its seed."""
        self.position = position
        """The engine's state, for use by the engine."""
        self.events = events
        """Events since the previous state."""
        self._last = last or Step(None, -1, None, 0, events)

    def __reduce__(self) -> tuple[Any, ...]:
        steps = tuple((step.seat, step.codes, step.decision, step.events, step.replaces) for step in self._steps())
        return _state_of, (self.game, self.position, self.events, self.seed, self.number, steps)

    def __eq__(self, other: object) -> bool:
        """True if both states have equal rules and equal canonical descriptions."""
        if not isinstance(other, State):
            return NotImplemented
        return (self.game.fingerprint, self.digest) == (other.game.fingerprint, other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<State of {self.game.id}: round {self.round}, turn {self.turn}{', over' if self.over else ''}>"

    @property
    def over(self) -> bool:
        """True if the game is finished."""
        return bool(self.position.over)

    @property
    def round(self) -> int:
        """The round, from 1; 0 before the first."""
        return self.position.round

    @property
    def turn(self) -> int:
        """The turn of the round, from 1; 0 if turns cannot be counted (see `View.turn`)."""
        position = self.position
        if not position.round:
            return 0
        return flow.turn_of(self.game.program, PublicState.of_state(position), position.turns, position.pc)

    @property
    def waiting(self) -> tuple[int, ...]:
        """Seats that still have to commit."""
        return waiting(self.position)

    @property
    def asked(self) -> ChoiceInfo | None:
        """The current choice as it is for the first waiting seat; ``None`` if no seat waits."""
        if not self.position.pending:
            return None
        return ChoiceInfo.of(self.game.program, choice_of(self.position), self.position, (*self.waiting, 0)[0])

    @property
    def committed(self) -> dict[int, Move]:
        """The moves that seats have committed to while other seats still choose, by seat."""
        choice, program = choice_of(self.position) if self.position.pending else None, self.game.program
        return {seat: named(program, choice, codes) for seat, codes in self.position.chosen.items() if choice}

    def view(self, seat: int) -> View:
        """Return the view of a seat: everything that it may know; -1 is a spectator.

        Raises `NotInGameError` for any other number that is not the seat of a player.
        """
        checked_seat(seat, self.game.players, spectator=True)
        position, events = self._aside, self.events
        look = Look(
            choice_of(position) if position.pending else None,
            lambda: observe(position, seat, self._lying),
            lambda: legal_moves(position, seat),
            lambda: tuple([event_for(event, seat) for event in events]),
        )
        return View(self.game, seat, look)

    def commit(self, seat: int, move: Written) -> State:
        """Return the state after `seat` commits to a move.

        The seat may replace the move until all seats have committed; then the game goes on. Raises `IllegalMove`, whose
        `code` is one of a closed list.
        """
        position = self._aside
        codes = codes_of(position, seat, move_from(move))
        turned = commit(position, seat, codes)
        last = Step(self._last, seat, codes, self.position.pc, turned.events, seat in self.position.chosen)
        after = State(self.game, turned.state, turned.events, seed=self.seed, number=self.number, last=last)
        if turned.state.chosen and "_lying" in vars(self):  # no seat has moved yet, so the open cards are unchanged
            vars(after)["_lying"] = self._lying
        return after

    def before_scoring(self, seat: int, move: Written) -> State:
        """Return the state that `commit` would pass through after laying down cards, before rules are scored."""
        return self._before(seat, move, lambda step: isinstance(step, Score) and bool(step.rules))

    def before_clearing(self, seat: int, move: Written) -> State:
        """Return the state that `commit` would pass through after laying down cards, before clearing tableaus."""
        tableau = self.game.program.tableau
        return self._before(
            seat,
            move,
            lambda step: (
                (isinstance(step, Clear) and step.zone == tableau)
                or (isinstance(step, Gather) and tableau in step.counting)
            ),
        )

    def before_step(self, seat: int, move: Written, step: str) -> State:
        """Return the state that `commit` reaches just before a step, or at a choice if that comes earlier.

        `step` is the id of the step. Raises `NotInGameError` for an unknown step.
        """
        code, steps = self.game.program.code, self.game.program.steps
        begin, _ = steps[checked_name("step", step, steps)]
        return self._before(seat, move, lambda instruction: instruction is code[begin])

    def _before(self, seat: int, move: Written, ends: Callable[[object], bool]) -> State:
        """Return the state that `commit` would pass through before the first instruction that fulfils `ends`."""
        position, code = self.position.clone(), self.game.program.code
        position.chosen[seat] = codes_of(self.position, seat, move_from(move))
        events: list[Event] = []
        if len(position.chosen) == len(position.pending):
            settle(position, choice_of(position), events.append)
            advance(position, events.append, lambda index: ends(code[index]))
        return State(self.game, position, tuple(events), seed=self.seed, number=self.number, last=self._last)

    def withdraw(self, seat: int) -> State:
        """Return the state after `seat` takes its commitment back.

        Raises `IllegalMove` unless the seat has committed and others still have to.
        """
        if type(seat) is not int or seat not in self.position.chosen:
            raise IllegalMove("game-over" if self.over else "not-your-turn")
        after = withdraw(self.position, seat)
        last = Step(self._last, seat, None, self.position.pc, ())
        return State(self.game, after, (), seed=self.seed, number=self.number, last=last)

    @property
    def _aside(self) -> Position:
        """A copy of the position for evaluating formulas, which may change it."""
        position = self.position
        return position.with_commitments(position.chosen) if self.game.program.asks_about_cards else position

    @cached_property
    def _lying(self) -> OpenCards:
        return open_cards(self.position)

    def _steps(self) -> list[Step]:
        steps, step = [], self._last
        while step.before is not None:
            steps.append(step)
            step = step.before
        return [step, *reversed(steps)]

    @property
    def history(self) -> tuple[Event, ...]:
        """All events since the game began."""
        return tuple(event for step in self._steps() for event in step.events)

    def story(self, seat: int, since: int = 0) -> tuple[Event, ...]:
        """Return the events from index `since` on, as far as a seat may know them; -1 is a spectator.

        Raises `NotInGameError` for any other number that is not the seat of a player.
        """
        checked_seat(seat, self.game.players, spectator=True)
        return tuple(event_for(event, seat) for event in self.history[since:])

    @property
    def moves(self) -> tuple[tuple[int, Move], ...]:
        """The moves so far as (seat, move), in order. Moves that were taken back or replaced are left out.

        `Game.replay` with these moves returns an equal state.
        """
        moves: list[tuple[int, Move]] = []
        for step in self._steps():
            if step.replaces or (step.codes is None and step.seat >= 0):
                last = max(index for index, (seat, _) in enumerate(moves) if seat == step.seat)
                del moves[last]
            if step.codes is not None:
                choice = cast("Choice", self.game.program.code[step.decision])
                moves.append((step.seat, named(self.game.program, choice, step.codes)))
        return tuple(moves)

    @cached_property
    def result(self) -> Result:
        """Points by seat, round and rule; before the end of the game, the points so far."""
        return result(self._aside)

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each seat, without its chips."""
        return tuple(self.position.scores)

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat, with its chips."""
        return tuple(total(self.position, seat) for seat in range(self.game.seats))

    @property
    def leaders(self) -> tuple[int, ...]:
        """Seats that would win if the game ended now."""
        return leaders(self.position)

    @property
    def tableaus(self) -> tuple[tuple[str, ...], ...]:
        """For each seat, the names of its cards as played, oldest first."""
        names = self.game.program.play_names
        return tuple(
            tuple(names[play] for play in tableau) for tableau in self.position.zones[self.game.program.tableau]
        )

    @property
    def counters(self) -> tuple[dict[str, int], ...]:
        """The counters of each seat by name. Counters that the game never reads are left out."""
        return tuple(
            {field.name: field.read(word) for field in self.game.program.fields} for word in self.position.words
        )

    def scored(self, moment: str) -> State:
        """Return the state that follows if the rules of a moment (``round``, ``game``, ...) are scored now.

        If the moment is not in `Game.moments`, nothing is scored.
        """
        after = score_label(self.position, moment)
        return State(self.game, after, (), seed=self.seed, number=self.number, last=self._last)

    def explain(self, rule: str | None = None, moment: str | None = None) -> tuple[Line, ...]:
        """Return the points that `rule`, or every rule, would give now, with cards, calculation and source.

        With `moment`, only the rules that score at that moment are included. Raises `NotInGameError` for a rule or
        moment that the game does not have.
        """
        if rule is not None:
            checked_name("scoring rule", rule, (scoring_rule.id for scoring_rule in self.game.model.scoring))
        moments = self.game.moments if moment is None else (checked_name("moment", moment, self.game.moments),)
        lines = (line for when in moments for line in proof(self.position, when))
        return tuple(line for line in lines if rule is None or line.rule == rule)

    def record(self) -> dict[str, Any]:
        """Return the game so far as plain data: scores, winners, points by round and rule, and the moves.

        Each of ``moves`` is a pair of a seat and a move in the form of `Move.to_json` (see `Game.replay`).
        """
        moves = [{"seat": seat, **move.to_json()} for seat, move in self.moves]
        return {**record(self.position, self.seed), "moves": moves}

    def describe(self) -> dict[str, Any]:
        """Return the canonical description: the whole state by name, as plain data."""
        return describe(self.position)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical description. It does not depend on how the engine packs a state."""
        return digest(self.position)


def _state_of(
    game: Game, position: Position, events: tuple[Event, ...], seed: int | str, number: int, steps: tuple[Any, ...]
) -> State:
    """Restore a pickled state.

    `steps` is a list, because pickling the chain of steps would recurse too deeply.
    """
    last = None
    for step in steps:
        last = Step(last, *step)
    return State(game, position, events, seed=seed, number=number, last=last)
