"""Runs of games: chunks are played in this process, in several processes, or on a cluster.

An executor (`concurrent.futures.Executor`) plays the *chunks*, and their results are merged in order.
"""

from __future__ import annotations

import signal
import threading
import time
from collections import deque
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec import Struct

from draftengine.support.locale.phrases import ReasonedError, said
from draftengine.support.optional import needed_for
from draftengine.support.processes import abandon, open_processes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class ExecutorError(ReasonedError, ValueError):
    """Raised if an executor cannot be opened or was lost. The reason says why, and what would help."""


def open_executor(where: str, jobs: int) -> Executor:
    """Return the executor for ``""`` (this machine) or ``tcp://HOST:PORT`` (Dask). Raises `ExecutorError`."""
    if where:
        return DaskExecutor(where)
    if jobs > 1:
        with suppress(OSError):  # if processes cannot share memory, slow playing is better than failing
            return open_processes(jobs)
    return InProcessExecutor()


class InProcessExecutor(Executor):
    """An executor in this process. It carries out a task when the task is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 (a future carries whatever happened)
            done.set_exception(error)
        return done


class DaskExecutor(Executor):
    """An executor on a Dask cluster. Its scheduler repeats the tasks of workers that fail."""

    def __init__(self, address: str) -> None:
        try:
            import distributed  # noqa: PLC0415 (an extra)
        except ImportError:
            raise ExecutorError(needed_for("cluster", "cluster")) from None
        cluster: Any = distributed
        try:
            self._client = cluster.Client(address, timeout=10)
        except (OSError, ValueError) as error:
            raise ExecutorError(said("cluster.none", address=address, error=str(error))) from None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        # Pure tasks are cached, so Dask would play equal chunks of two simulations only once.
        return _Remote(self._client.submit(fn, *args, pure=False, **kwargs))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 (as inherited)
        self._client.close()  # cancels the tasks for which nobody waits


class _Remote(Future[Any]):
    """A result on a cluster, fetched on request.

    Dask's `concurrent.futures` interface fetches a result once, when it is ready, and fails if the worker dies at that
    moment. Dask's own futures fetch it again from the worker that recomputes it.
    """

    def __init__(self, there: Any) -> None:
        super().__init__()
        self._there = there

    def result(self, timeout: float | None = None) -> Any:
        return self._there.result(timeout)


SECONDS_OF_A_CHUNK = 0.3
"""Seconds that a chunk should take: short enough to report progress, long compared with submitting it."""
FIRST_CHUNK = {"compiled": 2000, "reference": 2}
"""The number of games in the first chunk, by engine. It is small because bots may be slow."""
MOST_OF_A_CHUNK = {"compiled": 200_000, "reference": 5000}
MOST_FAILURES = 5
"""The number of times that a pool of processes may break before the run fails."""


class Progress(Struct, frozen=True):
    """The progress of a run."""

    games: int
    of: int
    per_second: float
    """The games per second of all workers together; 0 before the first chunk."""
    seconds_left: float


@contextmanager
def undisturbed() -> Iterator[None]:
    """Delay Ctrl-C and other stop signals until the block ends. So a chunk is merged whole or not at all."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    heeded = {number: how for number in _ENDING if callable(how := signal.getsignal(number))}
    for number in heeded:
        signal.signal(number, lambda number, _frame: came.append(number))
    try:
        yield
    finally:
        for number, how in heeded.items():
            signal.signal(number, how)
    if came:
        heeded[came[0]](came[0], None)


_ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals with which a person or the system ends a process."""


class Counted(Protocol):
    """The attributes of every chunk's result: the number of its games, and the seconds of playing."""

    @property
    def first(self) -> int: ...
    @property
    def last(self) -> int: ...
    @property
    def seconds(self) -> float: ...


Chunk = TypeVar("Chunk", bound=Counted)


class Work(Struct, Generic[Chunk], frozen=True):
    """Games to play in chunks. Workers call `play` with the task of each chunk."""

    first: int
    last: int
    engine: str
    play: Callable[[Any], Chunk]
    task: Callable[[int, int], Any]
    """The function that returns the task for a range of games."""
    stretch: int = 0
    """The distance between fixed boundaries, from game 0 on, that no chunk crosses; 0 for none.

    So decisions at a boundary depend neither on the chunks nor on the first game of the run.
    """

    def end(self, first: int, size: int) -> int:
        """Return the end of a chunk that starts at `first` and has about `size` games."""
        over = first % self.stretch if self.stretch else 0
        return min(first + size, self.last, first + self.stretch - over if self.stretch else self.last)


class Run(Generic[Chunk]):
    """A run of some work. It submits chunks and merges them in order.

    A chunk whose process dies is played again. `merge` receives every chunk once and returns True to stop the run.
    """

    def __init__(
        self,
        work: Work[Chunk],
        jobs: int,
        where: str,
        tell: Callable[[Progress], None],
        merge: Callable[[Chunk], bool],
    ) -> None:
        self.work = work
        self.where = where
        self.jobs = jobs
        self.tell = tell
        self.merge = merge
        self.size = FIRST_CHUNK[work.engine]
        self.merged = work.first
        self.busy = 0.0
        self.failures = 0
        self.began = time.perf_counter()
        self.pool: Executor = open_executor(where, jobs)

    @property
    def done(self) -> int:
        """The number of games merged so far."""
        return self.merged - self.work.first

    def go(self) -> bool:
        """Play until all games are merged or `merge` stops the run. Return True after a `KeyboardInterrupt`."""
        try:
            self.tell(Progress(0, self.work.last - self.work.first, 0.0, 0.0))
            self._go()
        except KeyboardInterrupt:
            return True
        finally:
            self.close()
        return False

    def _go(self) -> None:
        waiting: deque[tuple[Any, Future[Chunk]]] = deque()
        ahead = 1 if not self.where and self.jobs == 1 else 64 if self.where else 3 * self.jobs
        first = self.work.first
        while first < self.work.last or waiting:
            while first < self.work.last and len(waiting) < ahead:
                last = self.work.end(first, self.size)
                task = self.work.task(first, last)
                waiting.append((task, self._submit(task)))
                first = last
            task, future = waiting.popleft()
            try:
                chunk = future.result()
            except CancelledError:
                raise ExecutorError(said("cluster.lost", address=self.where)) from None
            except BrokenExecutor:
                # A process has died, and with it the pool. So all waiting chunks are submitted again.
                self.failures += 1
                if self.failures > MOST_FAILURES:
                    raise ExecutorError(said("cluster.dying")) from None
                self.close()
                self.pool = open_executor(self.where, self.jobs)
                tasks = [task, *(queued for queued, _ in waiting)]
                waiting = deque((queued, self._submit(queued)) for queued in tasks)
                continue
            with undisturbed():
                self.merged = chunk.last
                self.busy += chunk.seconds
                enough = self.merge(chunk)
                rate = (chunk.last - chunk.first) / max(chunk.seconds, 1e-9)
                most = MOST_OF_A_CHUNK[self.work.engine]
                self.size = max(1, min(int(rate * SECONDS_OF_A_CHUNK), most, 8 * self.size))
                left = 0 if enough else self.work.last - self.merged
                per_second = self.per_second()
                self.tell(Progress(self.done, self.work.last - self.work.first, per_second, left / per_second))
            if enough:
                return

    def _submit(self, task: Any) -> Future[Chunk]:
        try:
            return self.pool.submit(self.work.play, task)
        except BrokenExecutor as error:  # a process has died already, which `_go` handles when it comes to this chunk
            failed: Future[Chunk] = Future()
            failed.set_exception(error)
            return failed

    def per_second(self) -> float:
        """Return the games per second of all workers together. Compiling is included only on a cluster."""
        if self.where:
            return self.done / max(self.seconds(), 1e-9)
        return self.jobs * self.done / max(self.busy, 1e-9)

    def seconds(self) -> float:
        return time.perf_counter() - self.began

    def close(self) -> None:
        """Cancel unfinished chunks. If all are merged, wait for the processes to exit.

        Python 3.11 may fail with a message if it exits while a pool of processes is still exiting. After Ctrl-C, this
        does not wait for chunks that will not be counted.
        """
        if self.merged < self.work.last and not self.where and self.jobs > 1:
            abandon(self.pool)
        else:
            self.pool.shutdown(wait=self.merged == self.work.last, cancel_futures=True)
