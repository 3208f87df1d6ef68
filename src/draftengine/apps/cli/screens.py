"""The terminal of a command: whether it can show the full screen, and the lines typed there."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draftengine.apps.play.terminal_style import Style


def can_fill_the_screen(style: Style) -> bool:
    """True if the terminal can show the full screen and Textual is installed."""
    from importlib.util import find_spec

    from draftengine.apps.play.terminal_style import is_interactive

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
