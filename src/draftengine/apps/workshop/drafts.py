"""The file that somebody of this machine writes, and the folder around it."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from draftengine.apps.web.errors import RefusedError
from draftengine.apps.web.tokens import new_id
from draftengine.model import limits
from draftengine.support.files import replacing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from draftengine.apps.web.catalogue import Source

_MOST_FILES = 64
"""The number of files in the folder of a text that it may extend or include."""


def hash_of(text: str) -> str:
    """Return the name of a version of a text."""
    return sha256(text.encode("utf-8", "replace")).hexdigest()


class LocalFile:
    """A file that somebody of this machine writes. Its secret `id` is the address of its page."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.id = new_id()

    def read(self) -> str:
        """Return the text now. Raises `RefusedError`: ``bad-message`` if it is too long or no text."""
        try:
            with self.path.open("rb") as file:
                data = file.read(limits.UPLOAD + 1)
            text = data.decode() if len(data) <= limits.UPLOAD else None
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError):
            text = None
        if text is None:
            raise RefusedError("bad-message")
        return text

    def save(self, text: str, before: str) -> str:
        """Write a text over the version with the hash `before`, and return the hash of the new one.

        Raises `RefusedError`: ``changed-elsewhere``, ``not-saved``. Then the file is as it was.
        """
        if hash_of(self.read()) not in {before, hash_of(text)}:
            raise RefusedError("changed-elsewhere")
        try:
            with replacing(self.path) as file:
                file.write(text.encode())
        except OSError:
            raise RefusedError("not-saved") from None
        return hash_of(text)

    def neighbours(self) -> Source:
        """Return the other card sets of the folder and of the folders in it; no links that lead out of it."""
        return tuple(self._neighbours())

    def _neighbours(self) -> Iterator[tuple[str, str, str]]:
        folder = self.path.parent
        paths = sorted(path for shape in ("*.y*ml", "*/*.y*ml") for path in folder.glob(shape))
        for path in paths[:_MOST_FILES]:
            if path == self.path or not path.resolve().is_relative_to(folder) or not path.is_file():
                continue
            try:
                data = path.read_bytes()[: limits.UPLOAD + 1]
                text = data.decode() if len(data) <= limits.UPLOAD else None
            except (OSError, UnicodeDecodeError):
                continue
            if text is not None:
                name = path.relative_to(folder).as_posix()
                yield name.rpartition(".")[0], name, text
