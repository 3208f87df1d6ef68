"""Several processes that work side by side."""

from __future__ import annotations

import os
import signal
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context


def usable() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def open_processes(count: int) -> Executor:
    """Processes that start afresh, so that they are the same on every system; Ctrl-C is for the parent alone.

    Each imports the main module of the program, which must be one that does nothing then.
    """
    return ProcessPoolExecutor(count, get_context("spawn"), _leave_interrupts_alone)


def _leave_interrupts_alone() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
