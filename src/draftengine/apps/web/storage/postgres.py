"""Tables in PostgreSQL, so that several processes can serve them: each table is spoken for by the one that holds it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import OperationalError, SQLAlchemyError

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

    from draftengine.apps.web.storage.interface import Change

_ALL = sa.MetaData()
_FORMAT = sa.Table("draftengine", _ALL, sa.Column("format", sa.Integer, primary_key=True))
_TABLES = sa.Table(
    "tables",
    _ALL,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("head", sa.Text, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("holder", sa.Text, nullable=False, index=True),
    sa.Column("until", sa.Double, nullable=False),
    sa.Column("wanted", sa.Boolean, nullable=False),
)
_ENTRIES = sa.Table(
    "entries",
    _ALL,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("data", sa.Text, nullable=False),
)
_GAMES = sa.Table(
    "games",
    _ALL,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("ended", sa.Double, nullable=False, index=True),
    sa.Column("summary", sa.Text, nullable=False),
    sa.Column("record", sa.Text, nullable=False),
)
_LOCKED = "55P03"
_MAKING = 0x64726166
"""The number of the lock under which one process makes the tables while others wait."""


class PostgresStorage:
    """Storage in a PostgreSQL database.

    A row lock orders those who want the same table; `synchronous_commit` is on, so that what `append` was given is
    durable when it returns, whatever the server is configured to do by default. A process that is stopped in the middle
    of a transaction keeps nobody waiting: whoever wants its table is refused, and its lock ends with its lease.
    """

    def __init__(self, url: str) -> None:
        """Connect, and make what is missing.

        Raises `ValueError` if the database does not answer, or was written by a later version.
        """
        self.holder = new_holder()
        try:
            self._engine = sa.create_engine(
                url, pool_size=1, max_overflow=0, pool_pre_ping=True, connect_args={"connect_timeout": 10}
            )
            sa.event.listen(self._engine, "connect", _set_up)
            with self._engine.begin() as base:
                base.execute(sa.select(sa.func.pg_advisory_xact_lock(_MAKING)))
                _ALL.create_all(base)
                version = base.scalar(sa.select(sa.func.max(_FORMAT.c.format)))
                if version is None:
                    base.execute(_FORMAT.insert().values(format=FORMAT))
        except (SQLAlchemyError, ImportError) as error:
            raise ValueError(_first_line(error)) from error
        if version is not None and version > FORMAT:
            self.close()
            raise ValueError(f"It was written by a later version of draftengine (format {version}).")

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """One transaction: all of it is on the disk afterwards, or nothing. Raises `RefusedError`: ``not-saved``."""
        try:
            with self._engine.begin() as base:
                yield base
        except SQLAlchemyError as error:
            raise RefusedError("not-saved") from error

    def create(self, table: str, head: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], now: float) -> None:
        """Keep a new table."""
        with self._writing() as base:
            row = {"id": table, "head": as_text(head), "created": now, "holder": "", "until": 0.0, "wanted": False}
            base.execute(_TABLES.insert().values(row))
            self._add(base, table, 0, entries)

    def take(self, table: str, now: float) -> StoredTable:
        """A table, held by this process from now on."""
        condition = _TABLES.c.id == table
        with self._writing() as base:
            asked = sa.select(_TABLES.c.head, _TABLES.c.holder, _TABLES.c.until)
            try:
                row = base.execute(asked.where(condition).with_for_update(nowait=True)).one_or_none()
            except OperationalError as error:
                if getattr(error.orig, "sqlstate", "") == _LOCKED:  # by its holder, who is writing, or was stopped
                    raise RefusedError("held-elsewhere") from error
                raise
            if row is None:
                raise RefusedError("no-such-table")
            held = row.holder not in {"", self.holder} and row.until > now and not has_ended(row.holder)
            if held:
                base.execute(_TABLES.update().where(condition).values(wanted=True))
            else:
                held_now = {"holder": self.holder, "until": now + LEASE, "wanted": False}
                base.execute(_TABLES.update().where(condition).values(held_now))
            query = sa.select(_ENTRIES.c.data).where(_ENTRIES.c.table_id == table).order_by(_ENTRIES.c.number)
            rows = () if held else base.scalars(query).all()
        if held:
            raise RefusedError("held-elsewhere")
        return StoredTable(table, as_data(row.head), tuple(map(as_data, rows)))

    def append(self, changes: Sequence[Change]) -> list[bool]:
        """Add entries, which are durable afterwards."""
        names = [change.table for change in changes]
        with self._writing() as base:
            asked = sa.select(_TABLES.c.id).where(_TABLES.c.holder == self.holder, _TABLES.c.id.in_(names))
            held = set(base.scalars(asked.order_by(_TABLES.c.id).with_for_update()))
            place = sa.tuple_(_ENTRIES.c.table_id, _ENTRIES.c.number)
            places = [(change.table, change.at - back) for change in changes for back in (0, 1)]
            rows = base.execute(sa.select(_ENTRIES.c.table_id, _ENTRIES.c.number).where(place.in_(places)))
            there = {(row.table_id, row.number) for row in rows}
            made = [change.table in held and _fits(change, there) for change in changes]
            for change, may in zip(changes, made, strict=True):
                if may:
                    self._add(base, change.table, change.at, change.entries)
        return made

    @staticmethod
    def _add(base: sa.Connection, table: str, start: int, entries: Sequence[Mapping[str, Any]]) -> None:
        if entries:
            rows = [{"table_id": table, "number": n, "data": as_text(entry)} for n, entry in enumerate(entries, start)]
            base.execute(_ENTRIES.insert(), rows)

    def renew(self, now: float, tables: Collection[str] = ()) -> list[str]:
        """Go on holding what this process holds; the tables that others want, or have taken."""
        condition = _TABLES.c.holder == self.holder
        with self._writing() as base:
            base.execute(_TABLES.update().where(condition).values(until=now + LEASE))
            held = {
                row.id: row.wanted for row in base.execute(sa.select(_TABLES.c.id, _TABLES.c.wanted).where(condition))
            }
        return to_let_go(held, tables)

    def release(self, tables: Sequence[str]) -> None:
        """Hold some tables no longer."""
        with self._writing() as base:
            condition = sa.and_(_TABLES.c.holder == self.holder, _TABLES.c.id.in_(tables))
            base.execute(_TABLES.update().where(condition).values(holder="", until=0.0, wanted=False))

    def let_go(self) -> None:
        """Hold nothing any more, and close."""
        with self._writing() as base:
            condition = _TABLES.c.holder == self.holder
            base.execute(_TABLES.update().where(condition).values(holder="", until=0.0, wanted=False))
        self.close()

    def close(self) -> None:
        """Give the connection back."""
        self._engine.dispose()

    def finish(self, game: str, summary: Mapping[str, Any], record: Mapping[str, Any], now: float) -> None:
        """Keep a finished game."""
        with self._writing() as base:
            row = {"id": game, "ended": now, "summary": as_text(summary), "record": as_text(record)}
            base.execute(postgresql.insert(_GAMES).values(row).on_conflict_do_nothing())

    def finished(self, most: int) -> list[dict[str, Any]]:
        """The last finished games."""
        asked = sa.select(_GAMES.c.id, _GAMES.c.ended, _GAMES.c.summary)
        with self._writing() as base:
            rows = base.execute(asked.order_by(_GAMES.c.ended.desc(), _GAMES.c.id).limit(most)).all()
        return [{"id": row.id, "ended": row.ended, **as_data(row.summary)} for row in rows]

    def record(self, game: str) -> dict[str, Any]:
        """The record of a finished game."""
        with self._writing() as base:
            text = base.scalar(sa.select(_GAMES.c.record).where(_GAMES.c.id == game))
        if text is None:
            raise RefusedError("no-such-game")
        return as_data(text)

    def count(self) -> int:
        """How many tables there are."""
        with self._writing() as base:
            return base.scalar(sa.select(sa.func.count()).select_from(_TABLES)) or 0


def _fits(change: Change, there: set[tuple[str, int]]) -> bool:
    """Does a table have as many entries as a change says: the last of them is there, and none at its own place."""
    return (change.table, change.at) not in there and (not change.at or (change.table, change.at - 1) in there)


def _set_up(connection: Any, _: Any) -> None:
    """A commit returns when it is on the disk; a transaction in which nothing happens ends."""
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
        cursor.execute(f"SET idle_in_transaction_session_timeout = '{LEASE}s'")
    connection.commit()


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
