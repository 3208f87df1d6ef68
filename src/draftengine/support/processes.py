"""Several processes that work side by side."""

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
"""By pool, the end of a pipe whose other end its processes hold: they leave when this one is closed."""


def usable() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def open_processes(count: int) -> Executor:
    """Processes that start afresh, so that they are the same on every system; Ctrl-C is for the parent alone.

    Each imports the main module of the program, which must be one that does nothing then. Raises `OSError` where the
    system has no room for what processes share.
    """
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 (takes as long to import as a command to start)
    from multiprocessing import get_context  # noqa: PLC0415 (the same)

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
    """Leave a pool at once: what its processes are at is not wanted any more."""
    pool.shutdown(wait=False, cancel_futures=True)
    held = _held.pop(pool, None)
    if held is not None:
        held.close()


def submit(pool: Executor, work: Callable[..., Result], *given: Any) -> Future[Result]:
    """Ask for work. If the pool is lost, its result says so, as if it had been lost later."""
    from concurrent.futures import BrokenExecutor, Future  # noqa: PLC0415 (takes a while to import)

    try:
        return pool.submit(work, *given)
    except BrokenExecutor as lost:
        never: Future[Result] = Future()
        never.set_exception(lost)
        return never


def _serve(leash: Connection) -> None:
    """Leave interrupts to the parent, and leave with it, however it ends."""
    import signal  # noqa: PLC0415 (only in the processes)
    from threading import Thread  # noqa: PLC0415 (the same)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_leave_when_let_go, args=(leash,), daemon=True).start()


def _leave_when_let_go(leash: Connection) -> None:
    """The parent writes nothing, so all that can ever be read is the end: it let go, or it is no more."""
    leash.poll(None)
    os._exit(1)
