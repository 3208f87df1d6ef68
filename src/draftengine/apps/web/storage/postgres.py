"""Tables in PostgreSQL, so that several processes can serve them; each table is held by one."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import SQLAlchemyError

from draftengine.apps.web.errors import RefusedError
from draftengine.apps.web.storage.database import DatabaseStorage, first_line
from draftengine.apps.web.storage.interface import FORMAT, LEASE

_FORMAT = sa.Table("draftengine", sa.MetaData(), sa.Column("format", sa.Integer, primary_key=True))
_MAKING = 0x64726166
"""The number of the advisory lock under which one process creates the tables while others wait."""


class PostgresStorage(DatabaseStorage):
    """Storage in a PostgreSQL database.

    A row lock orders those who want one table. `synchronous_commit` is on, so what `append` was given is durable when
    it returns, regardless of the server's defaults. A process that is stopped within a transaction makes nobody wait:
    others who want its table are refused, and its lock ends with its lease.
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
        sa.event.listen(engine, "connect", _set_up)
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
        """Make others who insert rules wait, so that rules removed meanwhile are inserted again."""
        base.execute(sa.text("LOCK TABLE rules IN EXCLUSIVE MODE"))

    def shrink(self) -> None:
        """Let the database reuse the space of removed data. Raises `RefusedError`: ``not-saved``."""
        try:
            with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as base:
                base.execute(sa.text("VACUUM tables, entries, games, rules"))
        except SQLAlchemyError as error:
            raise RefusedError("not-saved", english=f"{first_line(error)}.") from None


def _set_up(connection: Any, _: Any) -> None:
    """Set a connection to durable commits, and to end transactions in which nothing happens."""
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
        cursor.execute(f"SET idle_in_transaction_session_timeout = '{LEASE}s'")
    connection.commit()
