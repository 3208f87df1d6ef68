"""A simulation: chunks are handed out, played anywhere, and merged in order."""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.simulate.executors import open_executor
from draftengine.simulate.playing import add, play_chunk

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor, Future

    from draftengine.simulate.playing import Chunk
    from draftengine.simulate.task import Task

SECONDS_OF_A_CHUNK = 0.3
"""So long a chunk should take: often enough to be told of progress, and much longer than to hand it out."""
FIRST_CHUNK = {"kernel": 2000, "reference": 20}
MOST_OF_A_CHUNK = {"kernel": 200_000, "reference": 5000}
_TRIES = 3


class Progress(Struct, frozen=True):
    """How far a simulation has come."""

    games: int
    of: int
    per_second: float
    """Games a second, all workers together; 0 before anything is known."""
    seconds_left: float


class Played(Struct, frozen=True):
    """The games that were played, counted."""

    games: int
    tally: list[int]
    per_second: float
    """Playing only, without compiling."""
    seconds: float
    interrupted: bool


def simulate(
    task: Task,
    *,
    jobs: int = 1,
    executor: str = "",
    tell: Callable[[Progress], None] = lambda _: None,
    keep: Callable[[Chunk], None] = lambda _: None,
) -> Played:
    """Play the games of a task in chunks. `keep` gets every chunk once, in order, and the tallies are merged.

    The counts depend on the task alone: not on jobs, executor, engine or the size of chunks. Ctrl-C keeps what is
    finished without a gap. A chunk whose worker fails is played again. Raises `NoSuchExecutorError`.
    """
    run = _Run(task, jobs, executor, tell, keep)
    try:
        run.go()
    except KeyboardInterrupt:
        return run.played(interrupted=True)
    finally:
        run.close()
    return run.played(interrupted=False)


class _Run:
    def __init__(
        self,
        task: Task,
        jobs: int,
        where: str,
        tell: Callable[[Progress], None],
        keep: Callable[[Chunk], None],
    ) -> None:
        self.task = task
        self.where = where
        self.jobs = jobs
        self.tell = tell
        self.keep = keep
        self.size = FIRST_CHUNK[task.engine]
        self.tally: list[int] = []
        self.merged = task.first
        self.busy = 0.0
        self.tries = 0
        self.began = time.perf_counter()
        self.pool: Executor = open_executor(where, jobs)

    def go(self) -> None:
        """Hand out chunks, a few ahead, and merge them in order."""
        waiting: deque[tuple[Task, Future[Chunk]]] = deque()
        ahead = 1 if not self.where and self.jobs == 1 else 64 if self.where else 3 * self.jobs
        first = self.task.first
        while first < self.task.last or waiting:
            while first < self.task.last and len(waiting) < ahead:
                last = min(first + self.size, self.task.last)
                own = replace(self.task, first=first, last=last)
                waiting.append((own, self._submit(own)))
                first = last
            own, future = waiting.popleft()
            try:
                chunk = future.result()
            except BrokenExecutor:
                # A process died, and with it the pool: everything that waits is handed out again.
                self._reopen()
                again = [own, *(task for task, _ in waiting)]
                waiting = deque((task, self._submit(task)) for task in again)
                continue
            self._merge(chunk)

    def _submit(self, task: Task) -> Future[Chunk]:
        return self.pool.submit(play_chunk, task)

    def _reopen(self) -> None:
        self.tries += 1
        if self.tries >= _TRIES:
            raise RuntimeError("the processes that play die again and again")
        self.close()
        self.pool = open_executor(self.where, self.jobs)

    def _merge(self, chunk: Chunk) -> None:
        self.tally = add(self.tally, chunk.tally) if self.tally else chunk.tally
        self.merged = chunk.last
        self.busy += chunk.seconds
        self.keep(chunk)
        rate = (chunk.last - chunk.first) / max(chunk.seconds, 1e-9)
        most = MOST_OF_A_CHUNK[self.task.engine]
        self.size = max(1, min(int(rate * SECONDS_OF_A_CHUNK), most, 8 * self.size))
        left = self.task.last - self.merged
        per_second = self._per_second()
        self.tell(Progress(self.merged - self.task.first, self.task.last - self.task.first, per_second, left / per_second))

    def _per_second(self) -> float:
        done = self.merged - self.task.first
        if self.where:
            return done / max(time.perf_counter() - self.began, 1e-9)
        return self.jobs * done / max(self.busy, 1e-9)

    def played(self, *, interrupted: bool) -> Played:
        games = self.merged - self.task.first
        return Played(games, self.tally, self._per_second(), time.perf_counter() - self.began, interrupted)

    def close(self) -> None:
        """Drop what is not finished."""
        self.pool.shutdown(wait=False, cancel_futures=True)
