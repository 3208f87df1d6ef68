"""Processes for everything that takes more than a few milliseconds, so that the server itself always answers.

What is asked has a deadline, after which its process is ended and replaced; so is one that dies or needs too much
memory. Bots find a process whatever people and card sets ask for, and what one table or address asks waits in its turn.

The processes are those of `anyio.to_process`, which the server's own libraries bring along: each has pipes of its own,
so ending one with ``SIGKILL`` costs one task, and it runs on Windows, too. Others were tried while a worker was killed
every quarter of a second. The pool of pebble 5.2 shares one pipe and its locks between all workers, and was broken for
good after some kills. That of loky 3.7 has no deadlines, and gives up every task when one worker dies.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import logging
import os
import signal
from collections import Counter, OrderedDict
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from anyio import BrokenWorkerProcess, CapacityLimiter, to_process

from draftengine.apps.web.errors import RefusedError
from draftengine.support.processes import usable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable
    from contextlib import AbstractAsyncContextManager

Result = TypeVar("Result")

BOTS, PEOPLE, READY, FILES = "bots", "people", "ready", "files"
"""Who asks: bots that have to choose, people, bots before their first game, card sets that people bring."""
WAIT = 20.0
"""Seconds of a process for what somebody asks for."""
MOST_MEMORY = 2 << 30
"""Bytes that a process may have in its address space, which is several times what it uses."""
_MOST_WAITING = 500
_MOST_OF_ONE, _MOST_WAITING_OF_ONE = 2, 64
"""What one table or one address may have done at once, and what of it may wait."""


class Pool:
    """Some processes, started when they are first needed."""

    def __init__(self, count: int = 0) -> None:
        self.count = count or max(4, usable() + 1)
        self._all, self._slots = CapacityLimiter(self.count), CapacityLimiter(self.count)
        people, ready, files = CapacityLimiter(self.count - 1), CapacityLimiter(1), CapacityLimiter(1)
        self._lanes = {BOTS: (), PEOPLE: (people,), READY: (ready, people), FILES: (files, people)}
        self._asked: Counter[tuple[str, str]] = Counter()
        self._turns: dict[tuple[str, str], asyncio.Semaphore] = {}

    async def do(self, lane: str, who: str, deadline: float, work: Callable[..., Result], *given: Any) -> Result:
        """What `work` makes of what is given; both go to another process. Whatever it raises is raised here.

        `who` is the table or the address that asks. The deadline, in seconds, does not count the wait for a process.
        Whoever asked may be gone meanwhile: to end a process costs more than to let it finish.

        Raises `RefusedError`: ``busy``; ``takes-too-long``; ``went-wrong`` if two processes died of it.
        """
        doing = asyncio.ensure_future(self._do(lane, who, deadline, work, given))
        doing.add_done_callback(lambda own: own.cancelled() or own.exception())  # nobody may be left to hear of it
        return await asyncio.shield(doing)

    async def _do(
        self, lane: str, who: str, deadline: float, work: Callable[..., Result], given: tuple[Any, ...]
    ) -> Result:
        key = (lane, who)
        if self._asked.total() >= _MOST_WAITING or self._asked[key] >= _MOST_WAITING_OF_ONE:
            raise RefusedError("busy")
        turn = self._turns.setdefault(key, asyncio.Semaphore(1 if lane == FILES else _MOST_OF_ONE))
        self._asked[key] += 1
        try:
            async with contextlib.AsyncExitStack() as held:
                limits: tuple[AbstractAsyncContextManager[Any], ...] = (turn, *self._lanes[lane], self._all)
                for limit in limits:
                    await held.enter_async_context(limit)
                return await self._done(deadline, work, given)
        finally:
            self._asked[key] -= 1
            if not self._asked[key]:
                del self._asked[key], self._turns[key]

    async def _done(self, deadline: float, work: Callable[..., Result], given: tuple[Any, ...]) -> Result:
        for _ in range(2):
            try:
                async with asyncio.timeout(deadline):
                    return await self._run(deadline, work, given)
            except TimeoutError:
                raise RefusedError("takes-too-long") from None
            except (BrokenWorkerProcess, ProcessLookupError):  # the latter of one that died while it started
                continue
        raise RefusedError("went-wrong")

    async def _run(self, deadline: float, work: Callable[..., Result], given: tuple[Any, ...]) -> Result:
        return await to_process.run_sync(_work, deadline, work, given, cancellable=True, limiter=self._slots)


class Once:
    """What many ask for and is made once; the last so many are kept, but not those that failed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: OrderedDict[Hashable, asyncio.Future[Any]] = OrderedDict()

    async def get(self, key: Hashable, make: Callable[[], Awaitable[Any]]) -> Any:
        """What was made for a key. Whoever asks first may be gone before it is there."""
        if key not in self._made:
            made = self._made[key] = asyncio.ensure_future(make())
            made.add_done_callback(lambda own: self._forget(key, own))
            if len(self._made) > self._most:
                self._made.popitem(last=False)
        return await asyncio.shield(self._made[key])

    def _forget(self, key: Hashable, made: asyncio.Future[Any]) -> None:
        failed = made.cancelled() or made.exception() is not None
        if failed and self._made.get(key) is made:
            del self._made[key]


# ── In the other processes ────────────────────────────────────────────────────────────────────────────────────────────


def _work(deadline: float, work: Callable[..., Result], given: tuple[Any, ...]) -> Result:
    """Do it, and leave if it has not ended long after its deadline: then the server is no more."""
    faulthandler.dump_traceback_later(2 * deadline, exit=True, file=_settled())
    try:
        return work(*given)
    except MemoryError:
        os._exit(1)
    finally:
        faulthandler.cancel_dump_traceback_later()


@cache
def _settled() -> Any:
    """Before the first task: leave interrupts to the server and the processor to it as well, and stay within bounds."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 (not on every system)

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 (as long as the process lives)


class _Quiet(logging.Filter):
    """That a process was ended by its number is what happens here, and no reason to warn."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not str(record.msg).startswith("Unknown child process")


logging.getLogger("asyncio").addFilter(_Quiet())
