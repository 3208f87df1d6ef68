"""Processes for everything that takes more than a few milliseconds, so that the server always answers.

Tasks of one kind share a *lane*, which may use a limited number of processes. Each task has a deadline, after which its
process is ended and replaced. So is a process that dies or uses too much memory. One process is kept free for bots.
Tasks of one table or address wait for each other.

The processes are those of `anyio.to_process`, which the server's own libraries include. Each has its own pipes, so
ending one with ``SIGKILL`` costs one task; it runs on Windows, too. Others were tried while a worker was killed every
quarter of a second. The pool of pebble 5.2 shares one pipe and its locks between all workers, and was broken for good
after some kills. That of loky 3.7 has no deadlines, and gives up every task when one worker dies.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import gc
import logging
import os
import signal
from collections import Counter, OrderedDict
from functools import cache
from threading import Timer
from typing import TYPE_CHECKING, Any, TypeVar

from anyio import BrokenWorkerProcess, CapacityLimiter, to_process

from draftengine.apps.web import RefusedError
from draftengine.support.processes import usable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable
    from contextlib import AbstractAsyncContextManager

Result = TypeVar("Result")

BOTS, PEOPLE, READY, FILES = "bots", "people", "ready", "files"
"""Lanes of tasks: bots that have to choose, people, bots that learn a game, and uploaded card sets."""
WRITING, GAMES = "writing", "games"
"""Lanes of the workshop: findings and panes while somebody writes, and games played with the text."""
WAIT = 20.0
"""The deadline in seconds of a task that a person waits for."""
MOST_MEMORY = 2 << 30
"""The largest address space of a process, in bytes: several times what a process uses."""
_SELDOM = 500_000
"""The number of new objects after which a process collects garbage while it runs a task."""
_IDLE = 0.05
"""The seconds after a task at which a process collects garbage, unless another task has begun."""
_OLDER = 20
"""The number of such collections after which one also covers objects that survived before."""
_MOST_WAITING = 500
_MOST_OF_ONE, _MOST_WAITING_OF_ONE = 2, 64
"""The largest numbers of running and of waiting tasks of one table or address in a lane."""


class Pool:
    """A fixed number of processes, which are started when they are first needed."""

    def __init__(self, count: int = 0) -> None:
        self.count = count or max(4, usable() + 1)
        self._all, self._slots = CapacityLimiter(self.count), CapacityLimiter(self.count)
        people, ready, files = CapacityLimiter(self.count - 1), CapacityLimiter(1), CapacityLimiter(1)
        writing, games = CapacityLimiter(usable()), CapacityLimiter(max(1, usable() - 1))
        self._lanes = {
            BOTS: (),
            PEOPLE: (people,),
            READY: (ready, people),
            FILES: (files, people),
            WRITING: (writing, people),
            GAMES: (games, people),
        }
        self._asked: Counter[tuple[str, str]] = Counter()
        self._turns: dict[tuple[str, str], asyncio.Semaphore] = {}

    async def do(
        self,
        lane: str,
        who: str,
        deadline: float,
        work: Callable[..., Result],
        *given: Any,
        wanted: Callable[[], bool] = lambda: True,
    ) -> Result:
        """Return the result of `work`, computed in another process. Exceptions of `work` are raised here.

        `who` is the table or address that asks. The deadline, in seconds, does not include the wait for a process. A
        task is finished even if its caller has disconnected, because ending a process costs more. If `wanted` returns
        False when a process is free, the task is not begun.

        Raises `RefusedError`: ``busy``, also for tasks that nobody wants any more; ``takes-too-long``; ``went-wrong``
        if two processes died during the task.
        """
        key = (lane, who)

        async def when_free() -> Result:
            if self._asked.total() >= _MOST_WAITING or self._asked[key] >= _MOST_WAITING_OF_ONE:
                raise RefusedError("busy")
            turn = self._turns.setdefault(key, asyncio.Semaphore(1 if lane == FILES else _MOST_OF_ONE))
            self._asked[key] += 1
            try:
                async with contextlib.AsyncExitStack() as held:
                    limits: tuple[AbstractAsyncContextManager[Any], ...] = (turn, *self._lanes[lane], self._all)
                    for limit in limits:
                        await held.enter_async_context(limit)
                    if not wanted():
                        raise RefusedError("busy")
                    return await self._done(deadline, work, given)
            finally:
                self._asked[key] -= 1
                if not self._asked[key]:
                    del self._asked[key], self._turns[key]

        doing = asyncio.ensure_future(when_free())
        doing.add_done_callback(lambda own: own.cancelled() or own.exception())  # the caller may be gone
        return await asyncio.shield(doing)

    async def _done(self, deadline: float, work: Callable[..., Result], given: tuple[Any, ...]) -> Result:
        for _ in range(2):
            try:
                async with asyncio.timeout(deadline):
                    slot = self._slots
                    return await to_process.run_sync(_work, deadline, work, given, cancellable=True, limiter=slot)
            except TimeoutError:
                raise RefusedError("takes-too-long") from None
            except (BrokenWorkerProcess, ProcessLookupError):  # the latter if it died during its start
                continue
        raise RefusedError("went-wrong")


class Once:
    """A cache that computes each result once for all callers that wait for it. It does not keep errors."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: OrderedDict[Hashable, asyncio.Future[Any]] = OrderedDict()
        self._waiting: Counter[Hashable] = Counter()

    def wanted(self, key: Hashable) -> bool:
        """True if a caller waits for the result of a key. Otherwise the result is forgotten."""
        if not self._waiting[key]:
            self._made.pop(key, None)
        return self._waiting[key] > 0

    async def get(self, key: Hashable, make: Callable[[], Awaitable[Any]]) -> Any:
        """Return the result for a key, computed by `make` if it is new, even if the caller disconnects."""
        if key not in self._made:
            made = self._made[key] = asyncio.ensure_future(make())

            def forget(made: asyncio.Future[Any]) -> None:
                if (made.cancelled() or made.exception() is not None) and self._made.get(key) is made:
                    del self._made[key]

            made.add_done_callback(forget)
            if len(self._made) > self._most:
                self._made.popitem(last=False)
        self._waiting[key] += 1
        try:
            return await asyncio.shield(self._made[key])
        finally:
            self._waiting[key] -= 1
            if not self._waiting[key]:
                del self._waiting[key]


# ── In the other processes ────────────────────────────────────────────────────────────────────────────────────────────


def _work(deadline: float, work: Callable[..., Result], given: tuple[Any, ...]) -> Result:
    """Run a task in a process of the pool. If it takes twice its deadline, end the process."""
    faulthandler.dump_traceback_later(2 * deadline, exit=True, file=_settled())
    while _tidying:
        _tidying.pop().cancel()
    try:
        return work(*given)
    except MemoryError:
        os._exit(1)
    finally:
        faulthandler.cancel_dump_traceback_later()
        # Garbage is searched for between tasks: a search takes as long as the check of a text. A process without
        # memory for another thread answers all the same.
        with contextlib.suppress(RuntimeError):
            tidying = Timer(_IDLE, gc.collect, (1 if gc.get_count()[1] >= _OLDER else 0,))
            tidying.daemon = True
            tidying.start()
            _tidying.append(tidying)


_tidying: list[Timer] = []
"""The timers after which this process collects garbage; at most one."""


@cache
def _settled() -> Any:
    """Set up a process before its first task: ignore interrupts, lower its priority, limit its memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 (not on every system)

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    # A full garbage collection takes even longer, and finds little: most of what lives is cached.
    gc.freeze()
    gc.set_threshold(_SELDOM, _OLDER, 1_000)
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 (open as long as the process lives)


class _Quiet(logging.Filter):
    """Drops the warning that a process was killed, which is normal here."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not str(record.msg).startswith("Unknown child process")


logging.getLogger("asyncio").addFilter(_Quiet())
