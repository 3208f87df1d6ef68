"""Tables in an SQLite file, synced before anything is acknowledged."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import SQLAlchemyError

from draftengine.apps.web.errors import RefusedError
from draftengine.apps.web.storage.database import DatabaseStorage, first_line
from draftengine.apps.web.storage.interface import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class SqliteStorage(DatabaseStorage):
    """Storage in one file."""

    insert = staticmethod(sqlite.insert)

    def __init__(self, path: Path | str) -> None:
        """Open or create the file. Raises `sqlite3.Error`, or `ValueError` if it cannot be used."""
        self._base = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = FULL")
        self._base.execute("PRAGMA foreign_keys = ON")
        self._base.text_factory = lambda text: text.decode("utf-8", "replace")
        # A pool of one makes other threads wait.
        engine = sa.create_engine(
            "sqlite://",
            creator=lambda: self._base,
            poolclass=sa.QueuePool,
            pool_size=1,
            max_overflow=0,
            hide_parameters=True,
            paramstyle="named",
        )
        sa.event.listen(engine, "begin", _begin)
        super().__init__(engine)

    def _format(self, base: sa.Connection) -> int:
        version = int(base.exec_driver_sql("PRAGMA user_version").scalar_one())
        if version == 2:  # noqa: PLR2004 (the second format, which had a table of its own for who wants what)
            base.exec_driver_sql("ALTER TABLE tables ADD COLUMN wanted INTEGER NOT NULL DEFAULT 0")
        if version in {1, 2}:
            base.exec_driver_sql("DROP TABLE wanted")
        return version

    def _set_format(self, base: sa.Connection) -> None:
        base.exec_driver_sql(f"PRAGMA user_version = {FORMAT}")

    def _set_aside(self, base: sa.Connection, name: str) -> None:
        base.exec_driver_sql(f"ALTER TABLE {name} RENAME TO {name}_1")

    def check(self) -> Iterator[str]:
        """Yield a sentence for each damage. A server may go on writing meanwhile."""
        try:
            with self._engine.connect().execution_options(reading=True) as base:
                faults = base.exec_driver_sql("PRAGMA quick_check").scalars().all()
                yield from (f"The file: {fault}." for fault in faults if fault != "ok")
                yield from self._faults(base)
        except SQLAlchemyError as error:
            yield f"The file cannot be read on: {first_line(error)}."

    def shrink(self) -> None:
        """Give the space of removed data back to the file system. Raises `RefusedError`: ``not-saved``."""
        try:
            self._base.execute("VACUUM")
            self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            raise RefusedError("not-saved", english=f"{str(error).capitalize()}.") from None


def _begin(base: sa.Connection) -> None:
    """Begin a transaction. Writers wait here, since SQLite would refuse one of them half-way."""
    base.exec_driver_sql("BEGIN" if base.get_execution_options().get("reading") else "BEGIN IMMEDIATE")
