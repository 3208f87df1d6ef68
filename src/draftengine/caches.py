"""Where things are kept that can be made again."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path


def folder() -> Path:
    """The user's folder for caches (``$XDG_CACHE_HOME/draftengine``); a temporary one, if that can't be written to."""
    try:
        home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        path = Path(home) / "draftengine"
        path.mkdir(parents=True, exist_ok=True)
        if os.access(path, os.W_OK):
            return path
    except (OSError, RuntimeError):  # the second: nobody knows where this user is at home
        pass
    return _temporary()


@cache
def _temporary() -> Path:
    """A folder that nobody else can write to, because what is kept is trusted: compiled code, for one."""
    if hasattr(os, "getuid"):
        path = Path(tempfile.gettempdir()) / f"draftengine-{os.getuid()}"
        with suppress(OSError):
            path.mkdir(mode=0o700, exist_ok=True)
            found = path.lstat()
            if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022:
                return path
    return Path(tempfile.mkdtemp(prefix="draftengine-"))
