"""The name of this program in this shell, so that suggested commands work as printed."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path


def command_line(*words: str) -> str:
    """Return a command of draftengine as it can be typed in this terminal."""
    return shlex.join([*_program(), *words])


def _program() -> list[str]:
    """Return the words that start the program: its name if the shell finds it, else its path."""
    started = Path(sys.argv[0])
    if started.name == "__main__.py":
        return [_found("python3") or _found("python") or sys.executable, "-m", "draftengine"]
    path = shutil.which("draftengine")
    if path and started.exists() and Path(path).samefile(started):
        return ["draftengine"]
    return [_near(started)] if started.exists() else ["draftengine"]


def _found(name: str) -> str:
    """Return the name if the shell finds this Python under it, else an empty string."""
    path = shutil.which(name)
    return name if path and Path(path) == Path(sys.executable) else ""


def _near(path: Path) -> str:
    """Return a path relative to the current folder if it is below it, else the absolute path."""
    here = Path.cwd()
    return str(path.absolute().relative_to(here) if path.absolute().is_relative_to(here) else path.absolute())
