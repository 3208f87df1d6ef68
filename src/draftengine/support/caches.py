"""The cache folder, whose files can all be made again, and the limit of its size.

Cached files are trusted (compiled code is run, and opened games are unpickled), so a folder to which others can write
is not used.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import stat
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

LIMIT = 512 << 20
"""The limit of the cache in bytes. The least recently used entries are removed first."""
CACHE_KINDS = MappingProxyType(
    {
        "code": "compiled code",
        "game": "opened games",
        "worth": "what bots have learnt",
        "tune": "tunings",
        "sound": "card sets without findings",
        "played": "what games showed of card sets",
        "lessons": "what a stopped call of learn had done",
    }
)
"""The contents of each kind of cache entry in words, by the first part of the entry's name."""
OTHER = "other"
_TRUSTED = ("code", "game", "lessons")
"""The kinds of entries that are run, unpickled, or unpacked without a limit."""
_MAGIC = b"draftengine cache 1\n"
_PACKAGE = Path(__file__).resolve().parents[1]


def folder() -> Path:
    """Return the folder for caches: the user's if it can be used, otherwise a temporary one."""
    return lasting() or temporary()


def lasting() -> Path | None:
    """Return the user's folder for caches (``$XDG_CACHE_HOME/draftengine``).

    Return ``None`` if it is not writable, or not private to this user.
    """
    with suppress(OSError, RuntimeError):  # RuntimeError: this user has no home folder
        home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        path = Path(home) / "draftengine"
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.access(path, os.W_OK) and (_is_private(path) or _made_private(path)):
            return path
    return None


def _is_private(path: Path) -> bool:
    """True if a folder belongs to this user and nobody else can write to it."""
    status = path.lstat()
    if not hasattr(os, "getuid"):
        return stat.S_ISDIR(status.st_mode)  # on Windows, only users themselves can write to their folders
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022


def _made_private(path: Path) -> bool:
    """Deny other users write access to a folder of this user, and remove the entries that are trusted.

    Return True if that succeeded.
    """
    if path.is_symlink():
        return _is_private(path.resolve()) or _made_private(path.resolve())
    if path.stat().st_uid != os.getuid():
        return False
    path.chmod(0o700)
    for kind in _TRUSTED:
        for entry in path.glob(f"{kind}-*"):
            _remove(entry)
    return True


@cache
def temporary() -> Path:
    """Return a temporary folder to which nobody else can write. Make it if it does not exist."""
    with suppress(OSError):
        _usual_temporary().mkdir(mode=0o700, exist_ok=True)
    known = known_temporary()
    if known is not None:
        return known
    import tempfile

    path = Path(tempfile.mkdtemp(prefix="draftengine-"))

    def remove_if_empty() -> None:
        with suppress(OSError):
            path.rmdir()

    atexit.register(remove_if_empty)
    return path


def known_temporary() -> Path | None:
    """Return the temporary folder shared by all processes of this user; ``None`` if there is none."""
    path = _usual_temporary()
    try:
        return path if _is_private(path) else None
    except OSError:
        return None


def _usual_temporary() -> Path:
    import tempfile

    user = str(os.getuid()) if hasattr(os, "getuid") else "of-user"
    return Path(tempfile.gettempdir()) / f"draftengine-{user}"


class CacheEntry(NamedTuple):
    """A cache entry: a file, or a folder with its contents."""

    path: Path
    kind: str
    size: int
    used: float
    """The time of the last use, in seconds since 1970."""


def kept() -> list[CacheEntry]:
    """Return all entries, the most recently used first."""
    paths = (path for path in folder().iterdir() if path.name != "saves")
    return sorted(filter(None, map(_kept, paths)), key=lambda entry: entry.used, reverse=True)


def _kept(path: Path) -> CacheEntry | None:
    """Return the entry at a path; ``None`` if another process has just removed it."""
    try:
        files = [path, *path.rglob("*")] if path.is_dir() else [path]
        size = sum(file.lstat().st_size for file in files)
        return CacheEntry(path, CACHE_KINDS.get(path.name.partition("-")[0], OTHER), size, path.lstat().st_mtime)
    except OSError:
        return None


@cache
def program_key(version: str) -> str:
    """Return a key for this program: its version, Python's, and the size and time of each of its modules."""
    digest = hashlib.sha256(f"{version} {sys.version}".encode())
    for folder_name, _, names in os.walk(_PACKAGE):
        for name in sorted(names):
            if name.endswith((".py", ".lark")):
                written = Path(folder_name, name).stat()
                digest.update(f"{folder_name}/{name} {written.st_size} {written.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def entry_named(kind: str, version: str, *facts: object) -> str:
    """Return the name of the entry for what this version of the program makes of these facts."""
    key = repr((program_key(version), *facts))
    return f"{kind}-{hashlib.sha256(key.encode()).hexdigest()[:32]}"


def content_of(name: str) -> bytes | None:
    """Return what `keep` stored as an entry; ``None`` if it is missing or damaged."""
    try:
        path = folder() / name
        stored = path.read_bytes()
    except OSError:
        return None
    head = _head_of(name)
    begin = len(head) + hashlib.sha256().digest_size
    checksum, content = stored[len(head) : begin], stored[begin:]
    if not stored.startswith(head) or hashlib.sha256(head + content).digest() != checksum:
        return None
    used(path)
    return content


def keep(name: str, content: bytes) -> None:
    """Store an entry with a checksum. Failures to write are ignored."""
    from draftengine.support.files import replacing

    head = _head_of(name)
    with suppress(OSError):
        with replacing(folder() / name) as file:
            file.write(head + hashlib.sha256(head + content).digest() + content)
        trim()


def drop(name: str) -> None:
    """Remove an entry that is no longer needed."""
    with suppress(OSError):
        (folder() / name).unlink(missing_ok=True)


def _head_of(name: str) -> bytes:
    return _MAGIC + name.encode() + b"\n"


def used(path: Path) -> None:
    """Mark an entry as just used."""
    with suppress(OSError):
        os.utime(path)


def trim(limit: int = LIMIT) -> list[CacheEntry]:
    """Remove the least recently used entries beyond a limit of bytes. Return the removed entries."""
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
