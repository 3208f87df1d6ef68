"""Learning the worth of cards in self-play.

Bots play games by the current worth table, with some exploring moves. The worth of a card that a seat takes is the
seat's gain from then to the end of the round, minus the gain of the others in that time. For a card that stays when
tableaus are cleared, the gain counts to the end of the game. From that gain, the usual later gain of seats that took
something else is subtracted.

Two steps are repeated several times, because better tables lead to better games: games are played, and a new table is
made from them. The games of all tables count, because the best response to one policy alone is not a good policy
(fictitious play: Brown 1951). For this reason, some seats also play greedily: a policy that has only met itself has no
answer to others. If games are not compiled, several processes play them. The table does not depend on how the games are
divided.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from draftengine.engine.chance import Stream
from draftengine.engine.compilable import USUAL_WORK, work_of
from draftengine.engine.compile import compile_game
from draftengine.engine.kernel.running import advance, settle
from draftengine.engine.moves import choice_of, legal_moves
from draftengine.engine.plan import base
from draftengine.engine.plan.base import LEVELS, ROUNDS_LEFT, TURNS
from draftengine.engine.policies import Worth, no_worth, random_moves
from draftengine.engine.state import initial_state
from draftengine.jit.source_functions import CodeTooLarge
from draftengine.support.identity import by_identity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.engine.forms import LearningRunner
    from draftengine.engine.program import Program

ROUNDS, GAMES = 12, 500
"""The number of tables that are made one after another, and the number of games for each.

More games hardly make the table stronger.
"""
ROUNDS_MORE = 4
"""The number of tables that are made if learning starts from the table of a similar game."""
SLOWER = 25
"""The number by which the games are divided if some choice has too many moves to compare them all."""
_FEWEST = 2
"""The smallest number of games for a table."""
STRETCH = 50
"""The number of games that are played between two reports of progress if the kernel is not compiled."""
GRAIN = 64
"""The unit to which worths are rounded, in units of 1 / `SCALE` points. Smaller differences are noise."""
_KEY = 0x6C6561726E
_TRUST = 24
"""The number of visits after which an entry's own mean and the usual mean have equal weight."""


class Sums(NamedTuple):
    """Sums over some games, for each entry of the worth table."""

    in_round: list[int]
    """Gains from the choice to the end of the round, in units of 1 / `SCALE` points."""
    in_game: list[int]
    """Gains from the choice to the end of the game, in units of 1 / `SCALE` points."""
    met: list[int]
    """The number of times that games used each entry."""
    lead: int
    """The sum of the leads of the best seat over the second, in points."""

    @classmethod
    def none(cls, size: int) -> Sums:
        return cls([0] * size, [0] * size, [0] * size, 0)

    def plus(self, more: Sums) -> Sums:
        """Return the sums over these games and other games together."""
        lists = [[one + two for one, two in zip(*pair, strict=True)] for pair in zip(self[:3], more[:3], strict=True)]
        return Sums(lists[0], lists[1], lists[2], self.lead + more.lead)


Play = Callable[[Worth, range], Iterable[tuple[range, Sums]]]
"""A function that plays games by a table. It yields groups of games in order, each with its sums."""


class Learned(Struct, frozen=True):
    """The result of self-play."""

    worth: Worth
    lead: float
    """The mean lead of the best seat over the second, in points."""


def here(worth: Worth, games: range) -> Iterator[tuple[range, Sums]]:
    """Play games in this process. Yield groups of games with their sums."""
    for stretch in [games] if learner_of(worth.program).compiled else stretches(games):
        yield stretch, sums_of(worth, stretch)


def sums_of(worth: Worth, games: range) -> Sums:
    """Play games by a table and return their sums."""
    return Sums(*learner_of(worth.program).learn(worth, _KEY, games.start, games.stop))


def stretches(games: range) -> list[range]:
    """Return the games divided into groups that take little time each."""
    return [games[start : start + STRETCH] for start in range(0, len(games), STRETCH)]


def learn(
    program: Program,
    progress: Callable[[float], None] = lambda _: None,
    play: Play = here,
    before: Worth | None = None,
) -> Learned:
    """Return the worth of every card after self-play. `progress` gets the completed share (0 to 1).

    Nothing is learnt about a game that is too large to be specialised, because that would take hours. Values in
    `before` shorten the learning. Entries that no game meets keep these values.
    """
    worth, rounds = before or no_worth(program), ROUNDS_MORE if before else ROUNDS
    if not learner_of(program).specialised:
        return Learned(worth, 0.0)
    sums = Sums.none(len(worth.values))
    most = min(GAMES, GAMES * USUAL_WORK // max(1, work_of(program)))
    number = max(_FEWEST, most if _is_quick(program) else most // SLOWER)
    for first in range(0, rounds * number, number):
        for games, more in play(worth, range(first, first + number)):
            sums = sums.plus(more)
            progress(games.stop / (rounds * number))
        worth = Worth(program, worth.counters, _table(program, sums, before.values if before else ()))
    return Learned(worth, round(sums.lead / (rounds * number), 2))


def _is_quick(program: Program) -> bool:
    """True if every choice of a random game has few enough moves to compare them all.

    If scoring is much work, only the first round is checked.
    """
    state, stream = initial_state(program, _KEY, 0, memory=False), Stream(_KEY)
    last = 1 if work_of(program) > USUAL_WORK else program.model.rounds
    advance(state, None)
    while state.pending and state.round <= last:
        if not all(legal_moves(state, seat).few for seat in state.pending):
            return False
        choice = choice_of(state)
        state.chosen = random_moves(state, choice, stream)
        settle(state, choice, None)
        advance(state, None)
    return True


def learner_of(program: Program) -> LearningRunner:
    """Return the runner that learns from games of a program, compiled if possible."""
    return _learner_of(program, compiled=base.can_compile())


@by_identity(2)
def _learner_of(program: Program, *, compiled: bool) -> LearningRunner:
    from draftengine.engine.forms import LearningRunner  # noqa: PLC0415 (imports the whole kernel)

    small = True
    if compiled:
        try:
            return LearningRunner(program)
        except base.UnsupportedError as error:
            small = not isinstance(error.__cause__, CodeTooLarge)
    return LearningRunner(program, compiled=False, specialised=small)


def _table(program: Program, sums: Sums, before: Sequence[int]) -> tuple[int, ...]:
    """Return, for each entry, its mean gain minus the mean gain of all cards taken in the same turn.

    Entries that were seldom met stay near their value in `before`. Without `before`, they stay near the mean of their
    play and turn.
    """
    # The total gain for each entry: in the round or, for plays with a lasting result, in the game. The usual gain of
    # other seats after the round is subtracted from gains in the game.
    row, plays, gained, met = LEVELS * TURNS, len(program.plays), list(sums.in_round), sums.met
    lasts = []  # by play, True if it changes something that remains when tableaus are cleared
    for play in program.plays:
        amounts = [amount for effect in play.effects for amount in program.effects[effect].amounts]
        changed = [play.increment, *(amount.field.field_mask for amount in amounts)]
        lasts.append(any(bits & program.keep_bits for bits in changed))
    for start in range(0, len(gained), 2 * plays * row):
        for turn in range(TURNS):
            places = range(start + turn, start + 2 * plays * row, TURNS)
            others = [entry for entry in places if not lasts[entry // row % plays]]
            later = sum(sums.in_game[entry] - sums.in_round[entry] for entry in others)
            usual = later // max(sum(met[entry] for entry in others), 1)
            for entry in places:
                if lasts[entry // row % plays]:
                    gained[entry] = sums.in_game[entry] - usual * met[entry]
    block, values = len(met) // ROUNDS_LEFT, []
    for start in range(0, len(met), block):
        turns = [_mean(gained, met, range(start + turn, start + block, TURNS)) for turn in range(TURNS)]
        for first in range(start, start + block, LEVELS * TURNS):
            for entry in range(first, first + LEVELS * TURNS):
                turn = (entry - first) % TURNS
                usual = (
                    turns[turn] + before[entry]
                    if before
                    else _mean(gained, met, range(first + turn, first + LEVELS * TURNS, TURNS), turns[turn])
                )
                worth = (gained[entry] + _TRUST * usual) // (met[entry] + _TRUST) - turns[turn]
                values.append((worth + GRAIN // 2) // GRAIN * GRAIN)
    return tuple(values)


def _mean(gained: list[int], met: list[int], places: range, usual: int = 0) -> int:
    """Return the mean gain of the entries `places`. With few visits, it stays near `usual`."""
    count = sum(met[entry] for entry in places)
    return (sum(gained[entry] for entry in places) + _TRUST * usual) // (count + _TRUST)


_count: ContextVar[int] = ContextVar("processes that learn", default=1)


@contextmanager
def in_processes(count: int) -> Iterator[None]:
    """Let learning inside a ``with`` block use this number of processes.

    This is for commands only: each process imports the main module, and importing a user's script may do a lot.
    """
    before = _count.set(count)
    try:
        yield
    finally:
        _count.reset(before)


@contextmanager
def players(program: Program) -> Iterator[Play]:
    """Yield the function that plays the games for learning, in one process or in several."""
    count = min(_count.get(), GAMES // STRETCH)
    if count == 1 or learner_of(program).compiled:
        yield here
        return
    from concurrent.futures import BrokenExecutor  # noqa: PLC0415 (slow to import)

    from draftengine.support.processes import open_processes, submit  # noqa: PLC0415 (slow to import)

    game = (pickle.dumps(program.model), program.players)
    try:
        pool = open_processes(count)
    except OSError:  # the system lacks shared resources
        yield here
        return

    def play(worth: Worth, games: range) -> Iterator[tuple[range, Sums]]:
        asked = [(stretch, submit(pool, _there, game, worth.values, stretch)) for stretch in stretches(games)]
        for stretch, future in asked:
            try:
                yield stretch, future.result()
            except BrokenExecutor:  # a process was killed from outside, so this one goes on alone
                yield stretch, sums_of(worth, stretch)

    try:
        yield play
    finally:
        pool.shutdown(cancel_futures=True)


def _there(game: tuple[bytes, int], values: tuple[int, ...], games: range) -> Sums:
    unlearned = _no_worth(*game)
    return sums_of(Worth(unlearned.program, unlearned.counters, values), games)


@lru_cache(1)
def _no_worth(model: bytes, players: int) -> Worth:
    """Return a table of zeros for a game, compiled once in a helping process."""
    return no_worth(compile_game(pickle.loads(model), players))  # noqa: S301 (from the parent process)
