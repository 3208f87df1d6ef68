"""Functions for the terminal of a command: printing, reading lines, and checking for a full screen."""

from __future__ import annotations

import os
import select
import shutil
import sys
from typing import TYPE_CHECKING, Any, Protocol

from draftengine.apps.cli.errors import FINE, INTERRUPTED, StoppedError
from draftengine.apps.play.terminal_style import Style, is_interactive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def print_json(data: object, *, ascii_only: bool = True) -> None:
    import json

    sys.stdout.write(json.dumps(data, ensure_ascii=ascii_only) + "\n")


def print_lines(lines: Iterable[str]) -> None:
    """Print several lines with one call."""
    sys.stdout.write("\n".join(lines) + "\n")


class Study(Protocol):
    """The result of a study: statistics of many games."""

    def to_dict(self) -> dict[str, Any]: ...


def print_study(study: Study, lines: Callable[[], Iterable[str]], *, as_json: bool) -> None:
    """Print the result of a study, as one JSON document or as lines."""
    if as_json:
        print_json(study.to_dict())
    else:
        print_lines(lines())


def can_fill_the_screen(style: Style) -> bool:
    """True if the terminal can show the full screen and Textual is installed."""
    from importlib.util import find_spec

    if not is_interactive() or os.environ.get("TERM", "dumb") == "dumb" or not style.unicode:
        return False
    if find_spec("textual") is None:
        return False
    from draftengine.apps.tui.hand import is_large_enough

    return is_large_enough(*shutil.get_terminal_size())


def typed_line() -> str:
    """Return the next typed line; empty at the end of the input."""
    try:
        return sys.stdin.readline()
    except OSError:  # the terminal has hung up; its signal may follow only now
        return ""


def status_of_screen(how: str) -> int:
    """Return the exit status for `how` a full screen ended. Raises `StoppedError` for a stop signal."""
    if how in {"SIGTERM", "SIGHUP"}:
        raise StoppedError(how)
    return INTERRUPTED if how == "SIGINT" else FINE


class Console:
    """Screen and keyboard of a program that works line by line."""

    def __init__(self, screen: Any = None, *, quiet: bool = False) -> None:
        from draftengine.apps.cli.preparing import ProgressLine

        self.screen = screen or sys.stdout
        self.style: Style = Style.of(self.screen)
        self.interactive = is_interactive()
        self.quiet = quiet
        self.busy = ProgressLine(quiet=quiet).say
        """A function that shows a temporary line."""

    def show(self, text: str) -> None:
        if not self.quiet:
            self.screen.write(text)
            self.screen.flush()

    def wait(self, seconds: float) -> bool:
        """Wait some seconds. Return True if somebody pressed Enter meanwhile, or if nobody is at a terminal."""
        if not self.interactive:
            return True
        try:
            typed = bool(select.select([sys.stdin], [], [], seconds)[0])
        except (OSError, ValueError):  # no terminal that can be waited for
            return True
        return typed and typed_line() is not None

    def ask(self, prompt: str) -> str | None:
        """Return a typed line, ``None`` at the end of the input.

        In a pipe the line is echoed, so that the transcript is readable.
        """
        self.show(prompt)
        line = typed_line()
        if not self.interactive:
            self.show(self.style.safe(line.rstrip("\n")) + "\n")
        return line.rstrip("\n") if line else None
