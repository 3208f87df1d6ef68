"""Writing files completely or not at all.

A file is written next to its target, flushed to the disk, and then renamed. If anything fails before that (a full disk,
a signal, a bug), the old file stays, and no other file is left behind.
"""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager, suppress
from secrets import token_hex
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_CANNOT_SYNC = {errno.EINVAL, errno.ENOTSUP}
"""Errors that `fsync` reports on file systems that do not support it."""


def write_whole(path: Path, text: str) -> None:
    """Write a text to a file. Raise `OSError` with the name of the file."""
    with replacing(path) as file:
        file.write(text.encode())


@contextmanager
def replacing(path: Path, *, new: bool = False) -> Iterator[BinaryIO]:
    """Yield a file that replaces another when the block ends without an exception.

    Devices and pipes are written directly, because they have no old content to lose. Raise `OSError` with the name of
    the file. With `new`, raise `FileExistsError` if a file of this name exists, even if several processes try at once.
    """
    with about(path):
        target = path.resolve()
        if target.exists() and not target.is_file():
            with target.open("wb") as file:
                yield file
            return
        fresh = target.parent / f".draftengine-{token_hex(8)}.new"
        try:
            with fresh.open("xb") as file:
                if target.exists() and not new:
                    fresh.chmod(target.stat().st_mode & 0o777)
                yield file
                file.flush()
                sync(file.fileno())
            if new:
                try:
                    target.hardlink_to(fresh)
                except FileExistsError:
                    raise
                except OSError:  # the file system has no links
                    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
                    fresh.replace(target)
                else:
                    fresh.unlink()
            else:
                fresh.replace(target)
        except BaseException:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise
        sync_folder(target.parent)


@contextmanager
def about(path: Path) -> Iterator[None]:
    """Add the name of this file to the system errors that occur in the block."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def sync(descriptor: int) -> None:
    """Wait until a file is on the disk, if the file system supports that."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, if the system supports that."""
    with suppress(OSError):  # not on Windows
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
