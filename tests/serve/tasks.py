"""Work for the processes of a pool."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from draftengine.apps.web import RefusedError


def sleep(seconds):
    time.sleep(seconds)
    return os.getpid()


def die(counted):
    """Kill this process the first time; do nothing the second time."""
    if Path(counted).exists():
        return "alive"
    Path(counted).touch()
    os.kill(os.getpid(), signal.SIGKILL)
    return "never"


def grow():
    return bytearray(1 << 45)


def wrong():
    raise RefusedError("cannot-be-played", "as it was said")


class _Cycle:
    """An object that refers to itself, so that only a search for garbage finds it."""

    gone = False

    def __init__(self):
        self.itself = self

    def __del__(self):
        type(self).gone = True


def litter():
    """Leave garbage behind."""
    _Cycle()
    return _Cycle.gone


def is_tidy():
    """Return whether the garbage has been found."""
    return _Cycle.gone
