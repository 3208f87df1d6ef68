"""What is switched off while a program is made of another one, or runs as it stands."""

from __future__ import annotations

import gc
import sys
from contextlib import contextmanager
from threading import Lock, RLock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 100_000
"""Frames of Python: kernel source may nest its calls deeply, and each takes about ten."""


_making = RLock()
_changing = Lock()
_before: list[tuple[bool, int]] = []
"""What each who is inside has met. The settings hold for all threads, so the last to leave restores the first."""


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Inside of this, calls may nest deeply, and garbage is not collected, which would take as long as all the rest."""
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
    """As `deep_recursion`, for one thread at a time: for all that works on the trees of functions, which are shared.

    Besides, CPython 3.11 counts wrongly where two threads make such trees at once, and raises `SystemError`.
    """
    with _making, deep_recursion():
        yield
