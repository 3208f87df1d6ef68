"""Tables in a file of SQLite, synced before anything is acknowledged."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from draftengine.apps.web.errors import RefusedError
from draftengine.apps.web.storage.interface import (
    FORMAT,
    LEASE,
    StoredTable,
    as_data,
    as_text,
    has_ended,
    new_holder,
    to_let_go,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from draftengine.apps.web.storage.interface import Change

_TABLES = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY, head TEXT NOT NULL, created REAL NOT NULL, holder TEXT NOT NULL, until REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS entries (
    table_id TEXT NOT NULL REFERENCES tables (id), number INTEGER NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS wanted (table_id TEXT PRIMARY KEY REFERENCES tables (id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, ended REAL NOT NULL, summary TEXT NOT NULL, record TEXT NOT NULL
) STRICT;
"""


class SqliteStorage:
    """Storage in one file. A table whose process has ended on this machine can be taken at once."""

    def __init__(self, path: Path | str) -> None:
        """Open or make the file. Raises `sqlite3.Error`, or `ValueError` for one of a later version."""
        self.holder = new_holder()
        self._base = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = FULL")
        self._base.execute("PRAGMA foreign_keys = ON")
        (version,) = self._base.execute("PRAGMA user_version").fetchone()
        if version > FORMAT:
            raise ValueError(f"The file was written by a later version of draftengine (format {version}).")
        self._base.executescript(_TABLES)
        self._base.execute(f"PRAGMA user_version = {FORMAT}")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is on the disk afterwards, or nothing. Raises `RefusedError`: ``not-saved``."""
        try:
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield self._base
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")
            raise RefusedError("not-saved") from error

    def create(self, table: str, head: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], now: float) -> None:
        """Keep a new table."""
        with self._writing() as base:
            base.execute("INSERT INTO tables VALUES (?, ?, ?, '', 0)", (table, as_text(head), now))
            self._add(base, table, 0, entries)

    def take(self, table: str, now: float) -> StoredTable:
        """A table, held by this process from now on."""
        with self._writing() as base:
            row = base.execute("SELECT head, holder, until FROM tables WHERE id = ?", (table,)).fetchone()
            if row is None:
                raise RefusedError("no-such-table")
            head, holder, until = row
            held = holder not in {"", self.holder} and until > now and not has_ended(holder)
            if held:
                base.execute("INSERT OR IGNORE INTO wanted VALUES (?)", (table,))
            else:
                base.execute("UPDATE tables SET holder = ?, until = ? WHERE id = ?", (self.holder, now + LEASE, table))
                base.execute("DELETE FROM wanted WHERE table_id = ?", (table,))
            rows = base.execute("SELECT data FROM entries WHERE table_id = ? ORDER BY number", (table,)).fetchall()
        if held:
            raise RefusedError("held-elsewhere")
        return StoredTable(table, as_data(head), tuple(as_data(data) for (data,) in rows))

    def append(self, changes: Sequence[Change]) -> list[bool]:
        """Add entries, which are durable afterwards."""
        with self._writing() as base:
            return [self._appended(base, change) for change in changes]

    def _appended(self, base: sqlite3.Connection, change: Change) -> bool:
        row = base.execute("SELECT holder FROM tables WHERE id = ?", (change.table,)).fetchone()
        asked = "SELECT coalesce(max(number) + 1, 0) FROM entries WHERE table_id = ?"
        (had,) = base.execute(asked, (change.table,)).fetchone()
        if row != (self.holder,) or had != change.at:
            return False
        self._add(base, change.table, change.at, change.entries)
        return True

    @staticmethod
    def _add(base: sqlite3.Connection, table: str, start: int, entries: Sequence[Mapping[str, Any]]) -> None:
        rows = [(table, number, as_text(entry)) for number, entry in enumerate(entries, start)]
        base.executemany("INSERT INTO entries VALUES (?, ?, ?)", rows)

    def renew(self, now: float, tables: Collection[str] = ()) -> list[str]:
        """Go on holding what this process holds; the tables that others want, or have taken."""
        with self._writing() as base:
            base.execute("UPDATE tables SET until = ? WHERE holder = ?", (now + LEASE, self.holder))
            asked = "SELECT id, id IN (SELECT table_id FROM wanted) FROM tables WHERE holder = ?"
            held = dict(base.execute(asked, (self.holder,)).fetchall())
        return to_let_go(held, tables)

    def release(self, tables: Sequence[str]) -> None:
        """Hold some tables no longer."""
        with self._writing() as base:
            given = [(table, self.holder) for table in tables]
            base.executemany("UPDATE tables SET holder = '', until = 0 WHERE id = ? AND holder = ?", given)

    def let_go(self) -> None:
        """Hold nothing any more, and close."""
        with self._writing() as base:
            base.execute("UPDATE tables SET holder = '', until = 0 WHERE holder = ?", (self.holder,))
        self.close()

    def close(self) -> None:
        """Give the connection back."""
        self._base.close()

    def finish(self, game: str, summary: Mapping[str, Any], record: Mapping[str, Any], now: float) -> None:
        """Keep a finished game."""
        with self._writing() as base:
            base.execute(
                "INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?)", (game, now, as_text(summary), as_text(record))
            )

    def finished(self, most: int) -> list[dict[str, Any]]:
        """The last finished games."""
        rows = self._base.execute(
            "SELECT id, ended, summary FROM games ORDER BY ended DESC, id LIMIT ?", (most,)
        ).fetchall()
        return [{"id": game, "ended": ended, **as_data(summary)} for game, ended, summary in rows]

    def record(self, game: str) -> dict[str, Any]:
        """The record of a finished game."""
        row = self._base.execute("SELECT record FROM games WHERE id = ?", (game,)).fetchone()
        if row is None:
            raise RefusedError("no-such-game")
        return as_data(row[0])

    def count(self) -> int:
        """How many tables there are."""
        (number,) = self._base.execute("SELECT count(*) FROM tables").fetchone()
        return int(number)
