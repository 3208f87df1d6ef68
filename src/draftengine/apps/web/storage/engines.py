"""The two kinds of database: an SQLite file, and PostgreSQL, with which several processes can serve.

In both, every acknowledged change is on disk.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from draftengine.apps.web import RefusedError
from draftengine.apps.web.storage.chain import FORMAT, LEASE
from draftengine.apps.web.storage.database import DatabaseStorage, first_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class SqliteStorage(DatabaseStorage):
    """Storage in one SQLite file."""

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

        @sa.event.listens_for(engine, "begin")
        def begin(base: sa.Connection) -> None:  # writers wait here: SQLite would refuse one of them halfway
            reads = base.get_execution_options().get("reading")
            base.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

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
        """Yield a sentence for each damaged table and game. A server may go on writing meanwhile."""
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


_FORMAT = sa.Table("draftengine", sa.MetaData(), sa.Column("format", sa.Integer, primary_key=True))
_MAKING = 0x64726166
"""The number of the advisory lock that a process has while it creates the database tables."""


class PostgresStorage(DatabaseStorage):
    """Storage in a PostgreSQL database.

    Processes that want the same table wait for its row lock. `synchronous_commit` is on, so the changes of `append` are
    durable when it returns, regardless of the server's defaults. If a process stops within a transaction, nobody has to
    wait: others who want its table are refused, and the lock ends with the lease.
    """

    insert = staticmethod(postgresql.insert)

    def __init__(self, url: str) -> None:
        """Connect, create missing tables and convert older formats.

        Raises `ImportError` without psycopg, and `ValueError` if the database does not answer, or was written by a
        later version.
        """
        try:
            engine = sa.create_engine(
                url,
                pool_size=1,
                max_overflow=0,
                pool_pre_ping=True,
                hide_parameters=True,
                connect_args={"connect_timeout": 10},
            )
        except SQLAlchemyError as error:
            raise ValueError(first_line(error)) from error

        @sa.event.listens_for(engine, "connect")
        def set_up(connection: Any, _: Any) -> None:  # commits are durable, and idle transactions end
            with connection.cursor() as cursor:
                cursor.execute("SET synchronous_commit = on")
                cursor.execute(f"SET idle_in_transaction_session_timeout = '{LEASE}s'")
            connection.commit()

        super().__init__(engine)

    def _format(self, base: sa.Connection) -> int:
        base.execute(sa.select(sa.func.pg_advisory_xact_lock(_MAKING)))
        _FORMAT.create(base, checkfirst=True)
        return base.scalar(sa.select(sa.func.max(_FORMAT.c.format))) or 0

    def _set_format(self, base: sa.Connection) -> None:
        base.execute(_FORMAT.delete())
        base.execute(_FORMAT.insert().values(format=FORMAT))

    def _set_aside(self, base: sa.Connection, name: str) -> None:
        for index in sa.inspect(base).get_indexes(name):
            base.execute(sa.text(f"DROP INDEX {index['name']}"))
        base.execute(sa.text(f"ALTER TABLE {name} DROP CONSTRAINT {name}_pkey CASCADE"))
        base.execute(sa.text(f"ALTER TABLE {name} RENAME TO {name}_1"))

    def _keep_rules_to_itself(self, base: sa.Connection) -> None:
        """Lock the stored rules, so that other processes see which were removed before they insert some."""
        base.execute(sa.text("LOCK TABLE rules IN EXCLUSIVE MODE"))

    def shrink(self) -> None:
        """Let the database reuse the space of removed data. Raises `RefusedError`: ``not-saved``."""
        try:
            with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as base:
                base.execute(sa.text("VACUUM tables, entries, games, rules"))
        except SQLAlchemyError as error:
            raise RefusedError("not-saved", english=f"{first_line(error)}.") from None
