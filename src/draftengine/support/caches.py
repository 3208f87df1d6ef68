"""Where things are kept that can be made again, and how much of it.

What is kept is trusted (compiled code is loaded and run), so nothing is taken from a folder that others may write to.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import stat
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

LIMIT = 512 << 20
"""Bytes. What was used longest ago goes first."""
CACHE_KINDS = MappingProxyType(
    {
        "code": "compiled code",
        "worth": "what bots have learnt",
        "tune": "tunings",
        "sound": "card sets without findings",
        "played": "what games showed of card sets",
    }
)
"""What is kept, by the first part of its name."""
OTHER = "other"
_PACKAGE = Path(__file__).resolve().parents[1]


def folder() -> Path:
    """The user's folder for caches (``$XDG_CACHE_HOME/draftengine``).

    If that can't be written to, or is not this user's, a temporary one takes its place.
    """
    with suppress(OSError, RuntimeError):  # the second: nobody knows where this user is at home
        home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        path = Path(home) / "draftengine"
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.access(path, os.W_OK) and (_is_private(path) or _made_private(path)):
            return path
    return temporary()


def _is_private(path: Path) -> bool:
    """Does a folder belong to this user, and can nobody else write to it: what lies there was put there by the user."""
    status = path.lstat()
    if not hasattr(os, "getuid"):
        return stat.S_ISDIR(status.st_mode)  # on Windows the folders of users are theirs alone
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022


def _made_private(path: Path) -> bool:
    """Close a folder of this user that others could write to; what is loaded as code could be theirs, and goes."""
    if path.is_symlink():
        return _is_private(path.resolve()) or _made_private(path.resolve())
    if path.stat().st_uid != os.getuid():
        return False
    path.chmod(0o700)
    for code in path.glob("code-*"):
        _remove(code)
    return True


@cache
def temporary() -> Path:
    """A folder among the temporary ones that nobody else can write to."""
    with suppress(OSError):
        _usual_temporary().mkdir(mode=0o700, exist_ok=True)
    known = known_temporary()
    if known is not None:
        return known
    import tempfile

    path = Path(tempfile.mkdtemp(prefix="draftengine-"))
    atexit.register(_remove_if_empty, path)
    return path


def known_temporary() -> Path | None:
    """The temporary folder that every process of this user finds, if there is one."""
    path = _usual_temporary()
    try:
        return path if _is_private(path) else None
    except OSError:
        return None


def _usual_temporary() -> Path:
    import tempfile

    user = str(os.getuid()) if hasattr(os, "getuid") else "of-user"
    return Path(tempfile.gettempdir()) / f"draftengine-{user}"


def _remove_if_empty(path: Path) -> None:
    with suppress(OSError):
        path.rmdir()


class CacheEntry(NamedTuple):
    """Something that is kept: a file, or a folder with all that is in it."""

    path: Path
    kind: str
    size: int
    used: float
    """When it was used last, in seconds since 1970."""


def kept() -> list[CacheEntry]:
    """Everything that is kept, what was used last first."""
    paths = (path for path in folder().iterdir() if path.name != "saves")
    return sorted(filter(None, map(_kept, paths)), key=lambda entry: entry.used, reverse=True)


def _kept(path: Path) -> CacheEntry | None:
    """What is kept there; ``None`` if it is gone, because somebody else is clearing up, too."""
    try:
        files = [path, *path.rglob("*")] if path.is_dir() else [path]
        size = sum(file.lstat().st_size for file in files)
        return CacheEntry(path, CACHE_KINDS.get(path.name.partition("-")[0], OTHER), size, path.lstat().st_mtime)
    except OSError:
        return None


def program_key(version: str) -> str:
    """Return a key for this program: its version, and when each of its modules was written."""
    digest = hashlib.sha256(version.encode())
    for folder_name, _, names in os.walk(_PACKAGE):
        for name in sorted(names):
            if name.endswith((".py", ".lark")):
                written = Path(folder_name, name).stat()
                digest.update(f"{folder_name}/{name} {written.st_size} {written.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def used(path: Path) -> None:
    """Something that is kept was of use again."""
    with suppress(OSError):
        os.utime(path)


def trim(limit: int = LIMIT) -> list[CacheEntry]:
    """Remove what was used longest ago, until the rest is within a limit; what was removed."""
    total, gone = 0, []
    for entry in kept():
        total += entry.size
        if total > limit:
            with suppress(OSError):
                _remove(entry.path)
                gone.append(entry)
    return gone


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
