"""Limits on the processor time that this machine spends for each address."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

BURST, RATE = 30.0, 0.5
"""The processor time for panes and games at once, and per second after it."""
_MOST = 10_000


class Allowances:
    """The processor time that is left to each address; below zero if a task took more."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}
        """By address: the seconds that were left, and when."""

    def left(self, address: str) -> float:
        """Return the seconds that an address may use now."""
        seconds, then = self._left.get(address, (BURST, self._clock()))
        return min(BURST, seconds + (self._clock() - then) * RATE)

    def spend(self, address: str, seconds: float) -> None:
        """Take the seconds that a task took."""
        if len(self._left) >= _MOST:  # made-up addresses must not fill the memory
            self._left.clear()
        self._left[address] = (self.left(address) - seconds, self._clock())
