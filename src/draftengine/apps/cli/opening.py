"""Files named on the command line: card sets and games to open, tables to read, and output to write.

Errors become messages of the command line.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from draftengine import __version__
from draftengine.api.errors import SelectionError
from draftengine.api.packing import packed, unpacked
from draftengine.api.ruleset import rules_in
from draftengine.apps.cli.errors import RefusedError, UsageError, phrase
from draftengine.model.diagnostics import has_errors
from draftengine.model.library import CardSetError, open_bytes, unchanged
from draftengine.model.shelf import NoSuchCardSetError, fetcher, read_bytes, shipped
from draftengine.support.caches import content_of, entry_named, keep

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.api.game import Game, Ruleset
    from draftengine.model.selection import Document
    from draftengine.model.yaml.tree import Mapping

_MAX_BYTES = 1 << 20


def document_named(name: str) -> Document:
    """Return a card set by name. Raises `UsageError` if there is none, `RefusedError` if it has errors."""
    with in_words():
        return document_in(name, *read_bytes(name))


def document_in(name: str, label: str, data: bytes) -> Document:
    """Return the card set with the content `data`. Raises `RefusedError` with the errors in it.

    `data` was read from the card set or file `name`. Card sets of the package are known to be right and are not checked
    again.
    """
    opened = open_bytes(name, label, data)
    if opened.document is None or name not in shipped():
        from draftengine.api.scenario.suite import check_rules

        findings = check_rules(opened)
        if has_errors(findings):
            raise RefusedError(findings)
    assert opened.document is not None, "without errors there is a document"
    return opened.document


@contextmanager
def in_words() -> Iterator[None]:
    """Turn errors of card sets and selections in the ``with`` block into errors of the command line.

    Raises `UsageError` for mistakes on the command line, `RefusedError` for those in a file.
    """
    try:
        yield
    except (NoSuchCardSetError, SelectionError) as error:
        raise UsageError(error.reason) from None
    except CardSetError as error:
        raise RefusedError(error.findings) from None


def rules_of(name: str, variants: Iterable[str] | None) -> Ruleset:
    """Return the rules of a card set with these variants. Raises `UsageError`, `RefusedError`."""
    document = document_named(name)
    with in_words():
        return rules_in(document, variants or ())


def game_named(name: str, variants: Iterable[str] | None, players: int | None, *, at_least: int = 1) -> Game:
    """Return the game of a card set.

    Without `players`, the usual number is used, but never fewer than `at_least`. The game is kept in the user's cache,
    and not read and checked again before one of its files changes. Raises `UsageError`, `RefusedError`.
    """
    asked = tuple(variants or ())
    with in_words():
        label, data = read_bytes(name)
    entry = entry_named("game", __version__, name, label, data, asked, players, at_least)
    game = _kept_game(name, entry)
    if game is None:
        document = document_in(name, label, data)
        with in_words():
            rules = rules_in(document, asked)
            game = rules.game(players or max(rules.usual_players, at_least))
        with suppress(RecursionError):  # then it is opened again next time
            keep(entry, packed(game))
    return game


def _kept_game(name: str, entry: str) -> Game | None:
    """Return the game in a cache entry; ``None`` if there is none, or if a file that it needs has changed."""
    data = content_of(entry)
    try:
        game = unpacked(data) if data else None
    except Exception:  # noqa: BLE001 (it was pickled by other versions of libraries)
        return None
    files = [(asked, (label, text)) for asked, label, text in game.ruleset.files if asked] if game else []
    return game if unchanged(fetcher(name), files) else None


# ── Other files ───────────────────────────────────────────────────────────────────────────────────────────────────────


def tables_in(name: str, text: bytes | None = None) -> Mapping:
    """Return the YAML tree of a file of tables (``-``: standard input), or of its content `text` if given.

    Raises `UsageError` if it cannot be read, `RefusedError` if it has errors.
    """
    from draftengine.api.scenario import score_sheet
    from draftengine.api.scenario.score_tables import TABLES
    from draftengine.api.scenario.suite import tree_in

    with in_words():
        raw = bytes_of(name) if text is None else text
        return tree_in("<stdin>" if name == "-" else name, raw, score_sheet, TABLES)


def check_output(path: Path | None) -> None:
    """Check that output can be written to this path and replaces no card set. Raises `UsageError`."""
    if path is None:
        return
    try:
        if not path.parent.is_dir():
            raise UsageError(phrase("command.no_folder", folder=path.parent, name=path.name))
        if path.is_dir():
            raise UsageError(phrase("command.is_folder", path=path))
        if path.suffix in {".yaml", ".yml"}:
            raise UsageError(phrase("command.is_set", path=path))
        if path.exists() and not os.access(path, os.W_OK):
            raise UsageError(phrase("command.not_yours", path=path))
        if (not path.exists() or path.is_file()) and not os.access(path.resolve().parent, os.W_OK):
            raise UsageError(phrase("command.no_new_file", path=path, folder=path.resolve().parent))
    except OSError as error:
        raise UsageError(phrase("command.unwritable", path=path, error=error.strerror)) from None


def write_out(path: Path, text: str) -> None:
    """Write the output of a command to a file, and print the path. Raises `OSError`."""
    from draftengine.support.files import write_whole

    write_whole(path, text)
    sys.stderr.write(phrase("command.wrote", path=path) + "\n")


def bytes_of(name: str) -> bytes:
    """Return the bytes of a file, at most 1 MiB. Raises `UsageError`."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(_MAX_BYTES)
        with Path(name).open("rb") as file:
            return file.read(_MAX_BYTES)
    except OSError as error:
        raise UsageError(phrase("command.unreadable", path=name, error=error.strerror)) from None
