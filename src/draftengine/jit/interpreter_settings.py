"""Settings of CPython while code is specialised or runs unspecialised."""

from __future__ import annotations

import gc
import sys
from contextlib import contextmanager
from threading import Lock, RLock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 100_000
"""The recursion limit. Kernel source may nest calls deeply, and each takes about ten frames of Python."""


_making = RLock()
_changing = Lock()
_before: list[tuple[bool, int]] = []
"""The settings before each active use. All threads share them, so the last user restores the first."""


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Allow deep recursion within the block, and suspend garbage collection, which would double the time."""
    with _changing:
        _before.append((gc.isenabled(), sys.getrecursionlimit()))
        gc.disable()
        sys.setrecursionlimit(max(_before[-1][1], DEEPEST))
    try:
        yield
    finally:
        with _changing:
            collecting, deepest = _before.pop()
            sys.setrecursionlimit(deepest)
            if collecting:
                gc.enable()


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Enter `deep_recursion`, one thread at a time, to work on the syntax trees that threads share.

    If two threads build such trees at the same time, CPython 3.11 also loses count of its recursion and raises
    `SystemError`.
    """
    with _making, deep_recursion():
        yield
