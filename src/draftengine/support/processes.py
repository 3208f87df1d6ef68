"""Pools of worker processes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor, Future
    from multiprocessing.connection import Connection

Result = TypeVar("Result")

_held: WeakKeyDictionary[Executor, Connection] = WeakKeyDictionary()
"""For each pool, the end of a pipe that its processes watch. They exit when the pipe is closed."""


def usable() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def open_processes(count: int) -> Executor:
    """Return a pool of new processes, which ignore Ctrl-C. They start in the same way on every system.

    Each process imports the main module of the program, which must do nothing on import. Raise `OSError` where the
    system lacks shared resources.
    """
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 (imports as slowly as a command starts)
    from multiprocessing import get_context  # noqa: PLC0415 (slow to import)

    context = get_context("spawn")
    leash, held = context.Pipe(duplex=False)
    try:
        pool = ProcessPoolExecutor(count, context, _serve, (leash,))
    except OSError:
        leash.close()
        held.close()
        raise
    _held[pool] = held
    return pool


def abandon(pool: Executor) -> None:
    """Leave a pool at once. Its unfinished work is lost."""
    pool.shutdown(wait=False, cancel_futures=True)
    held = _held.pop(pool, None)
    if held is not None:
        held.close()


def submit(pool: Executor, work: Callable[..., Result], *given: Any) -> Future[Result]:
    """Send work to a pool. If the pool is already lost, the returned future raises the error."""
    from concurrent.futures import BrokenExecutor, Future  # noqa: PLC0415 (slow to import)

    try:
        return pool.submit(work, *given)
    except BrokenExecutor as lost:
        never: Future[Result] = Future()
        never.set_exception(lost)
        return never


def _serve(leash: Connection) -> None:
    """Ignore interrupts, and exit when the parent process ends for any reason."""
    import signal  # noqa: PLC0415 (only in workers)
    from threading import Thread  # noqa: PLC0415 (only in workers)

    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def leave_when_let_go() -> None:
        leash.poll(None)  # the parent writes nothing to it: it has closed the pipe, or has ended
        os._exit(1)

    Thread(target=leave_when_let_go, daemon=True).start()
