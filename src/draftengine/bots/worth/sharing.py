"""Learning in several processes where games are not compiled; the table is the same as in one."""

from __future__ import annotations

import pickle
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING

from draftengine.bots.worth.learning import GAMES, STRETCH, here, learner_of, stretches, sums_of
from draftengine.engine.compile import compile_game
from draftengine.engine.worth_tables import Worth, no_worth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.bots.worth.learning import Play, Sums
    from draftengine.engine.program import Program

_count: ContextVar[int] = ContextVar("processes that learn", default=1)


@contextmanager
def in_processes(count: int) -> Iterator[None]:
    """Learn in this number of processes within the block.

    For commands only: each process imports the main module of the program, and a user's script may do a lot then.
    """
    before = _count.set(count)
    try:
        yield
    finally:
        _count.reset(before)


@contextmanager
def players(program: Program) -> Iterator[Play]:
    """Yield the function that plays the games to learn from, in one process or in several."""
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
            except BrokenExecutor:  # a process was killed from outside: no reason to give up
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
    """Return the game without worths, compiled once in a helping process."""
    return no_worth(compile_game(pickle.loads(model), players))  # noqa: S301 (from the parent process)
