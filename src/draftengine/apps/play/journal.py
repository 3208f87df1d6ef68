"""Games on disk: each move is written before anybody sees that it was accepted.

Each game has one file from the first move of a person on; each move appends a line. A new file replaces it when a
choice is taken back, and when the game is stopped or ends. The file is locked while the game is played, so that no
other process continues the game.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.apps.play.saved import (
    OPEN,
    OVER,
    STOPPED,
    Lines,
    Saved,
    SaveError,
    from_text,
    summary,
    text_of,
    written,
)
from draftengine.support import caches
from draftengine.support.files import about, replacing, sync

fcntl: Any
try:
    import fcntl
except ImportError:  # Windows: processes are not kept apart
    fcntl = None

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.apps.play.saved import Summary

SUFFIX = ".save"
FINISHED_KEPT = 20
"""The number of finished games that are kept. Older ones are deleted."""
_A_DAY = 86_400
_PAUSES = (0.01, 0.02, 0.05)


# ── A game that is being played ───────────────────────────────────────────────────────────────────────────────────────


class Journal:
    """The file of one game. `path` is ``None`` until the first write gives the file a name."""

    def __init__(self, saved: Saved, path: Path | None = None) -> None:
        self.saved = saved
        self.path = path
        self.trouble: OSError | None = None
        """The error that made this process write the game to another folder, or ``None``."""
        self._lines = Lines()
        self._held: int | None = None
        """The descriptor that holds the lock."""
        self._size = 0
        self._grows = False
        """True if this process wrote the file and can therefore append to it."""
        self._written = -1
        """The number of moves in the file; -1 if there is no file."""

    @classmethod
    def resumed(cls, path: Path) -> Journal:
        """Open a game to continue it, locked for this process. Raises `SaveError`."""
        for pause in (*_PAUSES, None):  # listing the games briefly locks each of them
            try:
                held = _locked(path)
                break
            except OSError as error:
                raise SaveError("no-such-save", f"This file cannot be read: {error.strerror}.") from None
            except SaveError:
                if pause is None:
                    raise
                time.sleep(pause)
        try:
            journal = cls(from_text(text_of(path)), path)
        except SaveError:
            os.close(held)
            raise
        journal._held, journal._written = held, len(journal.saved.entries)
        return journal

    def again(self, seed: int | str) -> Journal:
        """Return the journal of a new game with the same people and bots."""
        return Journal(Saved.of(self.saved.rules, self.saved.session.again(seed)))

    @property
    def moved(self) -> bool:
        """True if a person has already moved."""
        session = self.saved.session
        return any(seat in session.humans for seat, _ in session.moves)

    def keep(self, *, anyway: bool = False) -> None:
        """Write all moves to disk, if a person has moved or `anyway` is set.

        Raises `OSError` if no folder can be written to. The newest moves are then only in memory.
        """
        same = self.saved.catch_up()
        if self._written < 0 and not (self.moved or anyway):
            return
        if self.saved.session.over:
            if self.saved.status != OVER:
                self.close()
        elif (
            same < self._written
            or self.path is None
            or (self._written < len(self.saved.entries) and not self._append())
        ):
            self._write(OPEN)

    def close(self) -> None:
        """Write the whole game as finished or stopped, and unlock it. Raises `OSError`."""
        self.saved.catch_up()
        try:
            self._write(OVER if self.saved.session.over else STOPPED)
        except OSError:
            if self.saved.status != OPEN or self._written != len(self.saved.entries):
                raise
            # All moves are on disk; only the note that the game was put aside is missing.
        self._let_go()
        if self.saved.session.over and self.path is not None:
            _forget_old(self.path.parent)

    def _append(self) -> bool:
        """Append the new moves to the file. Return False if that failed."""
        if not self._grows or self._held is None or self.path is None:
            return False
        try:
            if not _same(os.fstat(self._held), self.path.stat()):  # the path leads to another file by now
                return False
        except OSError:
            return False
        lines = Lines(self._lines.chain)
        text = "".join(map(lines.entry, self.saved.entries[self._written :])).encode()
        try:
            os.lseek(self._held, self._size, os.SEEK_SET)
            _write_all(self._held, text)
            sync(self._held)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._held, self._size)
            return False
        self._lines, self._size, self._written = lines, self._size + len(text), len(self.saved.entries)
        return True

    def _write(self, status: str) -> None:
        """Write the whole file, at its path or else in another folder. Raises `OSError` if neither works."""
        refusal: OSError | None = None
        ways: list[Callable[[], None]] = [
            lambda: self._put_in(usual_folder(), status),
            lambda: self._put_in(caches.temporary() / "saves", status),
        ]
        if (path := self.path) is not None:
            ways.insert(0, lambda: self._put(path, status))
        for put in ways:
            try:
                put()
            except RuntimeError:  # the user has no home folder
                continue
            except OSError as error:
                refusal = refusal or error
                continue
            self.trouble = refusal or self.trouble
            return
        raise refusal or OSError(errno.ENOENT, "there is no folder for games")

    def _put_in(self, folder: Path, status: str) -> None:
        """Write the file to a folder as ``NAME-1.save`` or, if that exists, with the next free number."""
        before = self.path if self._grows else None
        with about(folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for number in count(1):
            path = folder / f"{self.saved.rules.model.id}-{number}{SUFFIX}"
            with suppress(FileExistsError):
                self._put(path, status, new=True)
                break
        if before is not None and before.parent in folders():
            with suppress(OSError):
                before.unlink()

    def _put(self, path: Path, status: str, *, new: bool = False) -> None:
        """Write the file at `path`. It is locked before other processes can see it."""
        lines = Lines()
        text = written(self.saved, status, lines).encode()
        held: int | None = None
        try:
            with replacing(path, new=new) as file:
                file.write(text)
                if fcntl is not None:
                    _lock(file.fileno())
                    held = os.dup(file.fileno())
            if held is None:
                held = os.open(path, os.O_WRONLY | getattr(os, "O_BINARY", 0))
        except BaseException:
            if held is not None:
                os.close(held)
            raise
        self._let_go()
        self.path, self._held, self._grows = path, held, True
        self.saved.status = status
        self._lines, self._size, self._written = lines, len(text), len(self.saved.entries)

    def _let_go(self) -> None:
        held, self._held, self._grows = self._held, None, False
        if held is not None:
            os.close(held)


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _lock(descriptor: int) -> None:
    """Lock a file for this process. Raises `SaveError` if another process has it."""
    if fcntl is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SaveError("in-use", "This game is being played by another process.") from None
    except OSError:
        pass  # a file system without locks


def _locked(path: Path) -> int:
    """Return a locked descriptor of a file. Raises `OSError` or `SaveError`."""
    while True:
        held = os.open(path, os.O_RDONLY)
        try:
            _lock(held)
            if _same(os.fstat(held), path.stat()):  # else it was rewritten meanwhile
                return held
        except BaseException:
            os.close(held)
            raise
        os.close(held)


def _same(one: os.stat_result, other: os.stat_result) -> bool:
    return (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)


# ── The folders of games ──────────────────────────────────────────────────────────────────────────────────────────────


def usual_folder() -> Path:
    """Return the user's folder for saved games: ``draftengine/saves`` in the system's folder for data.

    The data folder is ``$XDG_DATA_HOME`` if that is set. Raises `RuntimeError` if the user has no home folder.
    """
    home = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA" if os.name == "nt" else "", "")
    usual = "Library/Application Support" if sys.platform == "darwin" else ".local/share"
    return (Path(home) if home else Path.home() / usual) / "draftengine" / "saves"


def folders() -> list[Path]:
    """Return the folders that may contain saved games: the user's, and a temporary one in its place."""
    paths = []
    with suppress(RuntimeError):
        paths.append(usual_folder())
    temporary = caches.known_temporary()
    return [*paths, temporary / "saves"] if temporary else paths


class Game(Struct, frozen=True):
    """A saved game in one of the folders."""

    path: Path
    changed: float
    """The time of the last change, in seconds since 1970."""
    summary: Summary | None
    """The summary of the game; ``None`` if the file is damaged."""
    problem: str = ""
    """The code of the problem with the file, such as ``in-use`` during play; empty if there is none."""

    @property
    def name(self) -> str:
        """The name by which commands find the game."""
        return self.path.name.removesuffix(SUFFIX)

    @property
    def unfinished(self) -> bool:
        """True if the game can be continued."""
        return self.summary is not None and not self.problem and self.summary.status != OVER

    @property
    def is_over(self) -> bool:
        """True if the game is finished."""
        return self.summary is not None and not self.problem and self.summary.status == OVER


def games() -> list[Game]:
    """Return all saved games, newest first."""
    saved = []
    for path in (path for folder in folders() if folder.is_dir() for path in folder.glob(f"*{SUFFIX}")):
        problem, summed = "", None
        try:
            changed = path.stat().st_mtime
            summed = summary(text_of(path))
            os.close(_locked(path))
        except OSError:  # the file is gone
            continue
        except SaveError as error:
            problem = error.code
        saved.append(Game(path, changed, summed if problem in {"", "in-use"} else None, problem))
    return sorted(saved, key=lambda game: game.changed, reverse=True)


def find(name: str) -> Path:
    """Return the file of a saved game, given by path or by its name in the list of games.

    If there is no such file, the name itself is returned as a path.
    """
    path = Path(name)
    if not path.exists() and path.name == name:
        for folder in folders():
            for known in (folder / name, folder / f"{name}{SUFFIX}"):
                if known.exists():
                    return known
    return path


def remove(game: Game) -> None:
    """Delete the file of a game. Raises `OSError`."""
    game.path.unlink(missing_ok=True)


def _forget_old(folder: Path) -> None:
    """Delete the oldest finished games, and temporary files that are more than a day old."""
    if folder not in folders():
        return
    with suppress(OSError):
        over = [game for game in games() if game.path.parent == folder and game.is_over]
        for game in over[FINISHED_KEPT:]:
            remove(game)
        for path in folder.iterdir():
            if path.name.endswith(".new") and path.stat().st_mtime < time.time() - _A_DAY:
                path.unlink()
