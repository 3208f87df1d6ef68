"""How this program is called here, so that every command that is suggested works as it is printed."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path


def command_line(*words: str) -> str:
    """A command of draftengine as it can be typed in this terminal."""
    return shlex.join([*_program(), *words])


def _program() -> list[str]:
    """The words that start the program: its name if the shell finds it, else where it is."""
    started = Path(sys.argv[0])
    if started.name == "__main__.py":
        return [_found("python3") or _found("python") or sys.executable, "-m", "draftengine"]
    path = shutil.which("draftengine")
    if path and started.exists() and Path(path).samefile(started):
        return ["draftengine"]
    return [_near(started)] if started.exists() else ["draftengine"]


def _found(name: str) -> str:
    """The name, if the shell finds this very Python by it."""
    path = shutil.which(name)
    return name if path and Path(path) == Path(sys.executable) else ""


def _near(path: Path) -> str:
    """The path from where people are, if it lies below."""
    here = Path.cwd()
    return str(path.absolute().relative_to(here) if path.absolute().is_relative_to(here) else path.absolute())
