"""A line of progress on the terminal, rewritten in place; nothing where nobody watches."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draftengine.simulate.run import Progress

_EVERY = 0.1


class ProgressLine:
    """Shows games, games a second and the time left on standard error, if that is a terminal."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.visible = sys.stderr.isatty() and not quiet
        self._last = 0.0

    def say(self, text: str) -> None:
        """A sentence in place of the line."""
        if self.visible:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()

    def show(self, progress: Progress) -> None:
        """Show how far it has come."""
        now = time.monotonic()
        if now - self._last < _EVERY and progress.games < progress.of:
            return
        self._last = now
        share = progress.games / max(progress.of, 1)
        bar = "█" * int(20 * share) + "░" * (20 - int(20 * share))
        self.say(
            f"{bar} {share:4.0%}  {progress.games:,} of {progress.of:,} games  "
            f"{progress.per_second:,.0f} a second  {_span(progress.seconds_left)} left"
        )

    def clear(self) -> None:
        """Take the line away."""
        self.say("")


def _span(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{seconds:02}"
    return f"{minutes}:{seconds:02}"
