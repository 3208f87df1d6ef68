"""Tasks for workers, and how their games are played. Games and counts are the same, compiled or not.

A task contains everything on which a range of games depends, and nothing that depends on the machine.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from draftengine.bots import SeatedBot
from draftengine.bots.catalogue import wanted
from draftengine.bots.worth.tables import adopt, at_hand
from draftengine.engine import compilable
from draftengine.engine.accounting import DIGEST
from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.forms import FEW, GameRunner
from draftengine.engine.game import total
from draftengine.engine.kernel.playing import Sums, account, write_row
from draftengine.engine.observe import observe
from draftengine.engine.plan.base import Counting, UnsupportedError, can_compile
from draftengine.engine.policies import POLICIES, by_table, play_by
from draftengine.engine.state import StateRecord, initial_state
from draftengine.jit.records import signed
from draftengine.support.identity import by_identity
from draftengine.support.locale.phrases import said
from draftengine.support.optional import how_to_install

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.api.game import Game
    from draftengine.engine.choose import Choice
    from draftengine.engine.events import Event
    from draftengine.engine.moves import Move
    from draftengine.engine.policies import Policy
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState
    from draftengine.support.locale.phrases import Text

BY_TABLE = "table"
"""The bot that values cards by a worth table. Once the table exists, it is a policy (see `is_policy`)."""

READY = 32
"""The number of prepared `GamePlayer` objects in the cache.

They are enough for all values that a tuning tries at once.
"""

Rows = list[list[int]]
"""Rows by game: totals, winners as bits, and points by seat for each source, source by source.

With `Task.copies`, they also have the number of times that each seat made each play, play by play.
"""


class Chunk(Struct, frozen=True):
    """The tally and the rows of the games of a task."""

    first: int
    last: int
    tally: list[int]
    rows: Rows
    seconds: float
    """The time spent playing, in seconds, without reading the card set and compiling."""


def play_chunk(task: Task) -> Chunk:
    """Play the games of a task. This process uses the task's worth table from then on."""
    adopt(task.game.program, task.table)
    player = player_of(task.game.program, task.bots, task.engine, logged=task.logged)
    root = root_of(task.seed)
    began = time.perf_counter()
    tally, rows = player.play(root, task.first, task.last, rows=task.rows, copies=task.copies)
    return Chunk(task.first, task.last, tally, rows, time.perf_counter() - began)


def why_not_compiled(program: Program, bots: Sequence[str]) -> Text:
    """Return the reason why a game cannot be compiled; empty if it can be."""
    if not can_compile():
        return said("slow.no-compiler", command=how_to_install("fast"))
    if unknown := tuple(dict.fromkeys(name for name in bots if not is_policy(name))):
        return said("slow.bots", bots=unknown)
    reasons = compilable.why_not_compiled(program, bots)
    return said("and", items=reasons) if reasons else ""


class GamePlayer(Protocol):
    """The protocol of an object that plays ranges of games with one of the engines."""

    def play(self, root: int, first: int, last: int, *, rows: bool, copies: bool = False) -> tuple[list[int], Rows]:
        """Play the games `first` to `last - 1` and return their tally and rows.

        With `copies` the rows also count plays by seat.
        """


@by_identity(READY)
def player_of(program: Program, bots: tuple[str, ...], engine: str, *, logged: bool) -> GamePlayer:
    """Return the object that plays games with an engine, from a cache."""
    compiled = engine == "compiled" and can_compile()  # a worker without llvmlite plays the same games, but slower
    if not all(map(is_policy, bots)) or compilable.why_not_compiled(program, bots, in_words=compiled):
        return ReferencePlayer(program, bots, logged=logged)
    worth = at_hand(program).worth if BY_TABLE in bots else None
    if compiled:
        with suppress(UnsupportedError):  # if the game is too large to compile, play it in Python
            return GameRunner(program, bots, logged=logged, worth=worth)
    return PythonPlayer(
        ReferencePlayer(program, bots, logged=logged),
        GameRunner(program, bots, logged=logged, worth=worth, compiled=False),
    )


class PythonPlayer:
    """Plays in CPython: first with the reference engine, later with the specialised kernel.

    The kernel is specialised after `FEW` games, unless the specialised code would become too large.
    """

    def __init__(self, reference: ReferencePlayer, kernel: GameRunner) -> None:
        self._reference, self._kernel = reference, kernel
        self._played = 0

    def play(self, root: int, first: int, last: int, *, rows: bool, copies: bool = False) -> tuple[list[int], Rows]:
        self._played += last - first
        fast = self._played > FEW and self._kernel.specialise()
        player: GamePlayer = self._kernel if fast else self._reference
        return player.play(root, first, last, rows=rows, copies=copies)


class ReferencePlayer:
    """Plays with the reference engine. Bots that are not policies get observations, as at a table."""

    def __init__(self, program: Program, bots: Sequence[str], *, logged: bool) -> None:
        self.program = program
        self.bots = tuple(bots)
        self._counting = Counting(program, logged=logged)
        self._plays = {play.name: index for index, play in enumerate(program.plays)}
        for name in self.bots:
            if not is_policy(name):
                wanted(name)

    def play(self, root: int, first: int, last: int, *, rows: bool, copies: bool = False) -> tuple[list[int], Rows]:
        game, sums, counting = StateRecord(), Sums(), self._counting
        columns = counting.columns + copies * counting.shape.plays * counting.shape.seats
        sums.tally, sums.rows = [0] * counting.shape.size, [0] * (columns * (last - first) * rows)
        for number in range(last - first):
            self._play(game, root, first + number)
            account(game, sums, counting)
            if rows:
                write_row(game, sums, counting, number, copies)
        sums.tally[DIGEST] = signed(sums.tally[DIGEST])
        return sums.tally, [sums.rows[start : start + columns] for start in range(0, len(sums.rows), columns)]

    def _play(self, game: StateRecord, root: int, number: int) -> None:
        """Play a game and write its result and, if logged, its plays into the record `game`."""
        state = initial_state(self.program, root, number, memory=needs_memory(self.bots))
        policies = policies_of(self.program, self.bots, root, number)
        game.log = []

        def note(event: Event) -> None:
            if event.kind == "revealed" or (event.kind == "asked" and event.other >= 0):
                game.log.extend(event.seat << 32 | state.turn << 16 | self._plays[card] for card in event.cards)

        play_by(state, policies, Stream(key_of(root, number, "bot")), note if self._counting.logged else None)
        seats, piles = self.program.seats, len(self.program.sources_of_points)
        game.game, game.over, game.logged = number, state.over, len(game.log)
        game.stopped = state.stopped
        game.scores, game.bonus = [total(state, seat) for seat in range(seats)], [0] * seats
        game.points = [0] * seats * len(self._counting.sources)
        for source, _, points in state.ledger:
            for seat in range(seats):
                game.points[source * seats + seat] += points[seat]
        for seat, chips in enumerate(state.chips):
            for pile, chip in chips:
                game.points[(piles + pile) * seats + seat] += self.program.chip_values[pile][chip]


def is_policy(name: str) -> bool:
    """True if a bot is a policy, which the engine runs itself instead of sending observations to the bot."""
    return name in POLICIES or name == BY_TABLE


def needs_memory(bots: Sequence[str]) -> bool:
    """True if a bot needs what seats remember of seen cards: true unless all bots are policies."""
    return not all(map(is_policy, bots))


def policies_of(program: Program, bots: Sequence[str], root: int, game: int) -> list[Policy]:
    """Return functions that choose for each player in a game; other bots than policies get observations."""
    return [_policy(program, name, key_of(root, game, "bot", seat)) for seat, name in enumerate(bots)]


def policy_named(program: Program, name: str) -> Policy:
    """Return the policy that a bot follows, if it is a policy."""
    return by_table(at_hand(program).worth) if name == BY_TABLE else POLICIES[name]


def _policy(program: Program, name: str, key: int) -> Policy:
    if is_policy(name):
        return policy_named(program, name)
    decider = SeatedBot.of(name, key)

    def by_bot(state: GameState, _choice: Choice, seat: int, _stream: Stream) -> Move:
        return decider.decide(observe(state, seat)).move

    return by_bot


def add(tally: list[int], other: Sequence[int]) -> list[int]:
    """Return the sums of two tallies. The digest is added modulo 2**64."""
    merged = [one + two for one, two in zip(tally, other, strict=True)]
    merged[DIGEST] = signed(merged[DIGEST])
    return merged


class Task(Struct, frozen=True):
    """A task for a worker: a range of games of a seed, and everything on which these games depend."""

    game: Game
    bots: tuple[str, ...]
    """The bots by player."""
    seed: int | str
    first: int
    last: int
    engine: str
    """The engine to play with: ``compiled`` or ``reference``."""
    logged: bool = False
    """True if the tally counts how often each card is played in each turn."""
    copies: bool = False
    """True if the rows also count the plays of each seat (see `simulation.simulate`)."""
    rows: bool = False
    """True to return a row for every game."""
    table: bytes = b""
    """The encoded worth table that the worker uses (see `bots.worth.tables`); empty for no table."""
