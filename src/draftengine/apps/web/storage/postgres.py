"""Tables in PostgreSQL, so that several processes can serve them: each table is spoken for by the one that holds it."""

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
"""The number of the lock under which one process makes the tables while others wait."""


class PostgresStorage(DatabaseStorage):
    """Storage in a PostgreSQL database.

    A row lock orders those who want the same table; `synchronous_commit` is on, so that what `append` was given is
    durable when it returns, whatever the server is configured to do by default. A process that is stopped in the middle
    of a transaction keeps nobody waiting: whoever wants its table is refused, and its lock ends with its lease.
    """

    insert = staticmethod(postgresql.insert)

    def __init__(self, url: str) -> None:
        """Connect, and make what is missing.

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
        """Let an insert of the same rules by others wait, and be made anew after those were removed."""
        base.execute(sa.text("LOCK TABLE rules IN EXCLUSIVE MODE"))

    def shrink(self) -> None:
        """Let the database use the room of what was removed."""
        try:
            with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as base:
                base.execute(sa.text("VACUUM tables, entries, games, rules"))
        except SQLAlchemyError as error:
            raise RefusedError("not-saved", f"{first_line(error)}.") from None


def _set_up(connection: Any, _: Any) -> None:
    """A commit returns when it is on the disk; a transaction in which nothing happens ends."""
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
        cursor.execute(f"SET idle_in_transaction_session_timeout = '{LEASE}s'")
    connection.commit()
