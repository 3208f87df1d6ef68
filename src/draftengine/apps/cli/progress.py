"""Progress line on the terminal, rewritten in place; invisible without a terminal."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draftengine.studies.runner.run import Progress

_EVERY = 0.1


class ProgressLine:
    """Shows games, games per second and remaining time on standard error, if it is a terminal."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.visible = sys.stderr.isatty() and not quiet
        self._last = 0.0
        self._columns = 0
        """The number of columns that the line takes now."""

    def say(self, text: str) -> None:
        """Replace the line by a text, cut to the width, as two lines could not be rewritten.

        The rest of the old line is overwritten with spaces, which every terminal understands.
        """
        if not self.visible or not (text or self._columns):
            return
        line = text[: shutil.get_terminal_size().columns - 1]
        sys.stderr.write(f"\r{line}{' ' * (self._columns - len(line))}")
        sys.stderr.write("" if line else "\r")
        sys.stderr.flush()
        self._columns = len(line)

    def show(self, progress: Progress, also: str = "") -> None:
        """Show the progress, at most every 0.1 seconds; `also` is added to the line."""
        now = time.monotonic()
        if now - self._last < _EVERY and progress.games < progress.of:
            return
        self._last = now
        share = progress.games / max(progress.of, 1)
        speed = f"{progress.per_second:,.0f} a second  {span(progress.seconds_left)} left" if progress.games else "…"
        self.say(
            f"{bar(share)} {share:4.0%}  {progress.games:,} of {progress.of:,} games  {speed}{also and f'  {also}'}"
        )

    def clear(self) -> None:
        """Remove the line."""
        self.say("")


def bar(share: float) -> str:
    return "█" * int(20 * share) + "░" * (20 - int(20 * share))


def span(seconds: float) -> str:
    """Return a duration as minutes and seconds, with hours if there are any."""
    minutes, seconds = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{seconds:02}"
    return f"{minutes}:{seconds:02}"
