"""What is switched off while a program is made of another one, or runs as it stands."""

from __future__ import annotations

import gc
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 100_000
"""Frames of Python: a text may nest its calls deeply, and each takes about ten."""


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Inside of this, calls may nest deeply, and garbage is not collected, which would take as long as all the rest."""
    collecting, deepest = gc.isenabled(), sys.getrecursionlimit()
    gc.disable()
    sys.setrecursionlimit(max(deepest, DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(deepest)
        if collecting:
            gc.enable()
