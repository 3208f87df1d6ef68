"""Other files than card sets: reading tables with located errors, and writing output."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from draftengine.apps.cli.errors import UsageError

if TYPE_CHECKING:
    from draftengine.model.yaml.tree import Mapping

_MAX_BYTES = 1 << 20


def tables_in(name: str, text: bytes | None = None) -> Mapping:
    """Return the tree of a file of tables (``-``: standard input), or of `text` as its content.

    Raises `UsageError` if it cannot be read, `RefusedError` if it has errors.
    """
    from draftengine.api.scenario.scenario import score_sheet
    from draftengine.api.scenario.score_tables import TABLES
    from draftengine.api.scenario.suite import tree_in
    from draftengine.apps.cli.opening import in_words

    with in_words():
        raw = bytes_of(name) if text is None else text
        return tree_in("<stdin>" if name == "-" else name, raw, score_sheet, TABLES)


def check_output(path: Path | None) -> None:
    """Check that output can be written here and replaces no card set. Raises `UsageError`."""
    if path is None:
        return
    try:
        if not path.parent.is_dir():
            raise UsageError(f"There is no folder {path.parent} to write {path.name} to.")
        if path.is_dir():
            raise UsageError(f"{path} is a folder; name a file in it.")
        if path.suffix in {".yaml", ".yml"}:
            raise UsageError(f"{path} has the name of a card set, which would be lost; name another file.")
        if path.exists() and not os.access(path, os.W_OK):
            raise UsageError(f"{path} cannot be written: it is not yours to change. Name another file.")
        if (not path.exists() or path.is_file()) and not os.access(path.resolve().parent, os.W_OK):
            raise UsageError(f"{path} cannot be written: no new file can be made in {path.resolve().parent}.")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from None


def write_out(path: Path, text: str) -> None:
    """Write the output of a command and report the path. Raises `OSError`."""
    from draftengine.support.files import write_whole

    write_whole(path, text)
    sys.stderr.write(f"Wrote {path}\n")


def bytes_of(name: str) -> bytes:
    """Return the bytes of a file, at most 1 MiB. Raises `UsageError`."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(_MAX_BYTES)
        with Path(name).open("rb") as file:
            return file.read(_MAX_BYTES)
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}.") from None
