"""Several processes that work side by side."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor, Future

Result = TypeVar("Result")


def usable() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def open_processes(count: int) -> Executor:
    """Processes that start afresh, so that they are the same on every system; Ctrl-C is for the parent alone.

    Each imports the main module of the program, which must be one that does nothing then.
    """
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 (takes as long to import as a command to start)
    from multiprocessing import get_context  # noqa: PLC0415 (the same)

    return ProcessPoolExecutor(count, get_context("spawn"), _leave_interrupts_alone)


def submit(pool: Executor, work: Callable[..., Result], *given: Any) -> Future[Result]:
    """Ask for work. If the pool is lost, its result says so, as if it had been lost later."""
    from concurrent.futures import BrokenExecutor, Future  # noqa: PLC0415 (takes a while to import)

    try:
        return pool.submit(work, *given)
    except BrokenExecutor as lost:
        never: Future[Result] = Future()
        never.set_exception(lost)
        return never


def _leave_interrupts_alone() -> None:
    import signal  # noqa: PLC0415 (only in the processes)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
