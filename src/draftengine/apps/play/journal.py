"""Games on the disk: every move is there before anybody sees that it was accepted.

A game is kept in one file from its first move on, which grows by a line with every move. It is written anew, beside its
place, when a choice is taken back, when the game is put aside and when it is over. While it is played its file is
locked, so that no other process goes on with it.
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

from draftengine.apps.play.save_format import Lines, from_text, summary, text_of, written
from draftengine.apps.play.saved import OPEN, OVER, STOPPED, Saved, SaveError
from draftengine.support import caches
from draftengine.support.files import about, replacing, sync

fcntl: Any
try:
    import fcntl
except ImportError:  # on Windows two processes are not kept apart
    fcntl = None

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.apps.play.save_format import Summary

SUFFIX = ".save"
FINISHED_KEPT = 20
"""So many finished games are kept, the newest ones."""
_A_DAY = 86_400
_PAUSES = (0.01, 0.02, 0.05)


# ── A game that is being played ───────────────────────────────────────────────────────────────────────────────────────


class Journal:
    """The file of one game. `path` is where it is or should be; ``None`` if it gets a name when it is written."""

    def __init__(self, saved: Saved, path: Path | None = None) -> None:
        self.saved = saved
        self.path = path
        self.trouble: OSError | None = None
        """Why the game is not where it should be, if it is elsewhere."""
        self._lines = Lines()
        self._held: int | None = None
        """The descriptor that holds the lock."""
        self._size = 0
        self._grows = False
        """Has this process written the file, so that it knows where its end is."""
        self._written = -1
        """So many moves are in the file; -1 if there is none."""

    @classmethod
    def resumed(cls, path: Path) -> Journal:
        """A game to go on with, with which nobody else goes on meanwhile. Raises `SaveError`."""
        held = _taken(path)
        try:
            journal = cls(from_text(text_of(path)), path)
        except SaveError:
            os.close(held)
            raise
        journal._held, journal._written = held, len(journal.saved.entries)
        return journal

    @property
    def moved(self) -> bool:
        """Has a person moved yet."""
        session = self.saved.session
        return any(seat in session.humans for seat, _ in session.moves)

    def keep(self, *, anyway: bool = False) -> None:
        """Bring all moves to the disk, once a person has moved (or `anyway`).

        Raises `OSError` if that can be done nowhere; then the newest moves are in this process alone.
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
        """Write the whole game, as finished or put aside. Raises `OSError`."""
        self.saved.catch_up()
        try:
            self._write(OVER if self.saved.session.over else STOPPED)
        except OSError:
            if self.saved.status != OPEN or self._written != len(self.saved.entries):
                raise
            # All is there, but for the word that it was put aside.
        self._let_go()
        if self.saved.session.over and self.path is not None:
            _forget_old(self.path.parent)

    def _append(self) -> bool:
        """Write the moves that are new; was that possible."""
        if not self._grows or self._held is None or not self._is_there():
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

    def _is_there(self) -> bool:
        """Is the file still the one that this process holds."""
        assert self._held is not None, "whoever has written the file holds it"
        assert self.path is not None, "whoever has written the file knows its name"
        try:
            return _same(os.fstat(self._held), self.path.stat())
        except OSError:
            return False

    def _write(self, status: str) -> None:
        """Write the whole file anew; if that cannot be done where it should be, elsewhere."""
        refusal: OSError | None = None
        for folder in (None, *_folders_to_write()):
            try:
                if folder is not None:
                    self._put_in(folder, status)
                elif self.path is not None:
                    self._put(self.path, status)
                else:
                    continue
            except OSError as error:
                refusal = refusal or error
                continue
            self.trouble = refusal or self.trouble
            return
        raise refusal or OSError(errno.ENOENT, "there is no folder for games")

    def _put_in(self, folder: Path, status: str) -> None:
        """Write the file in a folder, under a name that no other has: ``NAME-1.save``, or the next number."""
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
        """Write the file in its place, locked from the moment at which others can see it."""
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
    """Take a file for this process. Raises `SaveError` if another one has it."""
    if fcntl is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SaveError("in-use", "This game is being played by another process.") from None
    except OSError:
        pass  # a file system without locks


def _taken(path: Path) -> int:
    """A descriptor of a game, locked; who only looks through the games has them for a moment. Raises `SaveError`."""
    for pause in (*_PAUSES, None):
        try:
            return _locked(path)
        except OSError as error:
            raise SaveError("no-such-save", f"This file cannot be read: {error.strerror}.") from None
        except SaveError:
            if pause is None:
                raise
            time.sleep(pause)
    raise AssertionError("the last try returns or raises")


def _locked(path: Path) -> int:
    """A descriptor of a file, locked. Raises `OSError`, `SaveError`."""
    while True:
        held = os.open(path, os.O_RDONLY)
        try:
            _lock(held)
            if _same(os.fstat(held), path.stat()):  # or it was written anew meanwhile
                return held
        except BaseException:
            os.close(held)
            raise
        os.close(held)


def _same(one: os.stat_result, other: os.stat_result) -> bool:
    return (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)


# ── The folders of games ──────────────────────────────────────────────────────────────────────────────────────────────


def usual_folder() -> Path:
    """The user's folder for games: ``draftengine/saves`` in ``$XDG_DATA_HOME``, or where the system keeps such things.

    Raises `RuntimeError` if nobody knows where this user is at home.
    """
    home = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA" if os.name == "nt" else "", "")
    usual = "Library/Application Support" if sys.platform == "darwin" else ".local/share"
    return (Path(home) if home else Path.home() / usual) / "draftengine" / "saves"


def folders() -> list[Path]:
    """Where games may be: the user's folder, and a temporary one for where that cannot be written to."""
    paths = []
    with suppress(RuntimeError):
        paths.append(usual_folder())
    temporary = caches.known_temporary()
    return [*paths, temporary / "saves"] if temporary else paths


def _folders_to_write() -> Iterator[Path]:
    with suppress(RuntimeError):
        yield usual_folder()
    yield caches.temporary() / "saves"


class Game(Struct, frozen=True):
    """A game in one of the folders."""

    path: Path
    changed: float
    """When the last move was made, in seconds since 1970."""
    summary: Summary | None
    """``None`` if the file is damaged."""
    problem: str = ""
    """What is wrong with it, as a name; ``in-use`` if it is being played."""

    @property
    def name(self) -> str:
        """What it is called on the command line."""
        return self.path.name.removesuffix(SUFFIX)

    @property
    def unfinished(self) -> bool:
        """Can somebody go on with it."""
        return self.summary is not None and not self.problem and self.summary.status != OVER

    @property
    def is_over(self) -> bool:
        """Is it finished."""
        return self.summary is not None and not self.problem and self.summary.status == OVER


def games() -> list[Game]:
    """All games in the folders, the newest first."""
    paths = (path for folder in folders() if folder.is_dir() for path in folder.glob(f"*{SUFFIX}"))
    saved = filter(None, map(_game_at, paths))
    return sorted(saved, key=lambda game: game.changed, reverse=True)


def _game_at(path: Path) -> Game | None:
    """The game of a file; ``None`` if it is gone."""
    try:
        changed = path.stat()
        summed = summary(text_of(path))
        os.close(_locked(path))
    except OSError:
        return None
    except SaveError as error:
        return Game(path, changed.st_mtime, summed if error.code == "in-use" else None, error.code)
    return Game(path, changed.st_mtime, summed)


def find(name: str) -> Path:
    """The file of a game that is named by path, or as `games` names it."""
    path = Path(name)
    if not path.exists() and path.name == name:
        for folder in folders():
            for known in (folder / name, folder / f"{name}{SUFFIX}"):
                if known.exists():
                    return known
    return path


def remove(game: Game) -> None:
    """Remove a game. Raises `OSError`."""
    game.path.unlink(missing_ok=True)


def _forget_old(folder: Path) -> None:
    """Remove the oldest finished games, and what processes left behind that were killed while they wrote."""
    if folder not in folders():
        return
    with suppress(OSError):
        over = [game for game in games() if game.path.parent == folder and game.is_over]
        for game in over[FINISHED_KEPT:]:
            remove(game)
        for path in folder.iterdir():
            if path.name.endswith(".new") and path.stat().st_mtime < time.time() - _A_DAY:
                path.unlink()
