"""Plays the games of a task, compiled or with the reference engine: the same games, the same counts."""

from __future__ import annotations

import time
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from draftengine.bots import Decider
from draftengine.bots.catalogue import wanted
from draftengine.bots.tables import adopt, at_hand
from draftengine.compiled.limits import can_compile
from draftengine.compiled.player import Player as Machine
from draftengine.compiled.player import why_not
from draftengine.engine.accounting import DIGEST, DIGEST_FACTOR, SEAT_STRIDE, Shape, account, parts_of
from draftengine.engine.chance import MASK, Stream, key_of, mix, root_of
from draftengine.engine.flow.control import total
from draftengine.engine.observe import observe
from draftengine.engine.playout import play_by
from draftengine.engine.policies import POLICIES
from draftengine.engine.state import fresh
from draftengine.engine.worth import by_table
from draftengine.extras import how_to_install
from draftengine.identity import ById

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.events import Event
    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.policies import Policy
    from draftengine.engine.program import Program
    from draftengine.engine.state import State
    from draftengine.simulation.task import Task

BY_TABLE = "table"
"""The bot that is a policy as soon as there is a table of worths: it looks at nothing that its seat may not know."""

READY = 32
"""So many games are kept ready to be played, compiled or not: as many as are tried at once (see `tuning`)."""

Rows = list[list[int]]
"""For each game: totals, winners as bits, and points by source and seat, one source after the other."""


class Chunk(Struct, frozen=True):
    """The games of a task, counted."""

    first: int
    last: int
    tally: list[int]
    rows: Rows
    seconds: float
    """Playing only: without compiling the card set or the machine."""


def play_chunk(task: Task) -> Chunk:
    """Play the games of a task."""
    adopt(task.game.program, task.table)
    player = player_of(task.game.program, task.bots, task.engine, logged=task.logged)
    root = root_of(task.seed)
    player.warm_up()
    began = time.perf_counter()
    tally, rows = player.play(root, task.first, task.last, rows=task.rows)
    return Chunk(task.first, task.last, tally, rows, time.perf_counter() - began)


def sources_of(program: Program) -> tuple[str, ...]:
    """Everything that gives points: the program's sources, then the piles of chips."""
    return (*program.sources_of_points, *(pile.id for pile in program.model.chips))


class Player(Protocol):
    """Something that plays stretches of games."""

    @property
    def shape(self) -> Shape:
        """How large its tallies are."""

    def warm_up(self) -> None:
        """Does what has to be done once, before the first game is timed."""

    def play(self, root: int, first: int, last: int, *, rows: bool) -> tuple[list[int], Rows]:
        """Plays the games and returns their tally and their rows."""


def why_not_compiled(program: Program, bots: Sequence[str]) -> str:
    """Why a game cannot be compiled; empty if it can."""
    if not can_compile():
        return f"llvmlite is not installed ({how_to_install('fast')})"
    unknown = ", ".join(dict.fromkeys(name for name in bots if not is_policy(name)))
    return f"{unknown} cannot be compiled" if unknown else why_not(program, bots)


def player_of(program: Program, bots: Sequence[str], engine: str, *, logged: bool) -> Player:
    """The player for an engine."""
    return _player_of(ById(program), tuple(bots), engine, logged)


@lru_cache(READY)
def _player_of(key: ById[Program], bots: tuple[str, ...], engine: str, logged: bool) -> Player:  # noqa: FBT001 (cached)
    if engine == "compiled" and can_compile():  # a worker may lack llvmlite: it plays the same games, slower
        return _CompiledPlayer(key.own, bots, logged=logged)
    return ReferencePlayer(key.own, bots, logged=logged)


class _CompiledPlayer:
    """The game specialised to its card set and these bots, and compiled."""

    def __init__(self, program: Program, bots: tuple[str, ...], *, logged: bool) -> None:
        worth = at_hand(program).worth if BY_TABLE in bots else None
        self._make = partial(Machine, program, bots, logged=logged, worth=worth)
        self._machine: Machine | None = None

    @property
    def shape(self) -> Shape:
        return self._compiled.shape

    def warm_up(self) -> None:
        """Compile it."""
        self._compiled.play(0, 0, 0, rows=False)

    @property
    def _compiled(self) -> Machine:
        if self._machine is None:
            self._machine = self._make()
        return self._machine

    def play(self, root: int, first: int, last: int, *, rows: bool) -> tuple[list[int], Rows]:
        return self._compiled.play(root, first, last, rows=rows)


class ReferencePlayer:
    """The reference engine; bots that are no policies are given observations, as in play."""

    def __init__(self, program: Program, bots: Sequence[str], *, logged: bool) -> None:
        self.program = program
        self.bots = tuple(bots)
        self.logged = logged
        self.sources = sources_of(program)
        self.shape = Shape(program.seats, len(self.sources), len(program.plays) if logged else 0)
        self._parts = parts_of(self.shape, most_wins=program.model.winner.order == "most")
        self._plays = {play.name: index for index, play in enumerate(program.plays)}
        self._memory = needs_memory(self.bots)
        for name in self.bots:
            if not is_policy(name):
                wanted(name)

    def warm_up(self) -> None:
        """Nothing to do."""

    def play(self, root: int, first: int, last: int, *, rows: bool) -> tuple[list[int], Rows]:
        tally = [0] * self.shape.size
        written: Rows = []
        for game in range(first, last):
            state, log = self._game(root, game)
            counted = self._counted(state)
            winners = sum(1 << seat for seat in state.winners)
            account(tally, self.shape, self._parts, counted + log, 0, SEAT_STRIDE, winners, len(counted), len(log))
            seats = self.program.seats
            tally[DIGEST] = tally[DIGEST] + digest_of(game, counted[:seats], winners) & MASK
            if rows:
                written.append([*counted[:seats], winners, *self._points(counted)])
        tally[DIGEST] = _signed(tally[DIGEST])
        return tally, written

    def _game(self, root: int, game: int) -> tuple[State, list[int]]:
        """A finished game, and its plays if they are logged: seat, turn and play in one number."""
        state = fresh(self.program, root, game, memory=self._memory)
        policies = policies_of(self.program, self.bots, root, game)
        log: list[int] = []

        def note(event: Event) -> None:
            if event.kind == "revealed":
                log.extend(event.seat << 32 | state.turn << 16 | self._plays[card] for card in event.cards)

        play_by(state, policies, Stream(key_of(root, game, "bot")), note if self.logged else None)
        return state, log

    def _counted(self, state: State) -> list[int]:
        """Totals, and points by source, as `account` reads them: rows of `SEAT_STRIDE`."""
        seats = range(self.program.seats)
        counted = [0] * (SEAT_STRIDE * (1 + len(self.sources)))
        for source, _, points in state.ledger:
            row = SEAT_STRIDE * (1 + source)
            for seat in seats:
                counted[row + seat] += points[seat]
        piles = len(self.program.sources_of_points)
        for seat in seats:
            counted[seat] = total(state, seat)
            for pile, chip in state.chips[seat]:
                counted[SEAT_STRIDE * (1 + piles + pile) + seat] += self.program.chip_values[pile][chip]
        return counted

    def _points(self, counted: Sequence[int]) -> list[int]:
        return [
            counted[SEAT_STRIDE * (1 + source) + seat]
            for source in range(len(self.sources))
            for seat in range(self.program.seats)
        ]


def is_policy(name: str) -> bool:
    """Can a bot play without being given observations."""
    return name in POLICIES or name == BY_TABLE


def needs_memory(bots: Sequence[str]) -> bool:
    """Is what seats remember of the cards asked for: by every bot that is no policy."""
    return not all(map(is_policy, bots))


def policies_of(program: Program, bots: Sequence[str], root: int, game: int) -> list[Policy]:
    """How every player chooses in a game under a root; bots that are no policies are given observations, as in play."""
    return [_policy(program, name, key_of(root, game, "bot", seat)) for seat, name in enumerate(bots)]


def _policy(program: Program, name: str, key: int) -> Policy:
    if name in POLICIES:
        return POLICIES[name]
    if name == BY_TABLE:
        return by_table(at_hand(program).worth)
    decider = Decider.of(name, key)

    def by_bot(state: State, _choice: Choice, own: int, _stream: Stream) -> Move:
        return decider.decide(observe(state, own)).move

    return by_bot


def digest_of(game: int, totals: Sequence[int], winners: int) -> int:
    """A game's part of the digest of a simulation: 64 bits of its number, totals and winners."""
    found = game & MASK
    for own in totals:
        found = (found ^ own & MASK) * DIGEST_FACTOR & MASK
    return mix(found ^ winners)


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def add(tally: list[int], other: Sequence[int]) -> list[int]:
    """Two tallies as one. The digest is a sum of 64 bits."""
    merged = [one + two for one, two in zip(tally, other, strict=True)]
    merged[DIGEST] = _signed(merged[DIGEST] & MASK)
    return merged
