"""Tables in a database: the code that SQLite and PostgreSQL share."""

from __future__ import annotations

import logging
import sqlite3
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from draftengine.apps.web import RefusedError
from draftengine.apps.web.storage import chain
from draftengine.apps.web.storage.chain import MOST_SHELVED, Change, Shelved, StoredTable, as_data, as_text, hashed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

LOG = logging.getLogger("draftengine.apps.web")

_ALL = sa.MetaData()
# Strict tables of SQLite know only these types.
_REAL: Any = sa.Double().with_variant(sa.REAL(), "sqlite")
_TRUTH: Any = sa.Boolean().with_variant(sa.Integer(), "sqlite")


def _table(name: str, *columns: sa.Column[Any], rowid: bool = True) -> sa.Table:
    return sa.Table(name, _ALL, *columns, sqlite_strict=True, sqlite_with_rowid=rowid)


def _key(name: str, kind: Any = sa.Text, *more: sa.ForeignKey) -> sa.Column[Any]:
    return sa.Column(name, kind, *more, primary_key=True)


def _needed(kind: Any, *names: str, index: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=False, index=index) for name in names]


_RULES = _table("rules", _key("hash"), *_needed(sa.Text, "text"), rowid=False)
_TABLES = _table(
    "tables",
    _key("id"),
    *_needed(sa.Text, "head", "rules", "tip"),
    *_needed(_REAL, "created", "moved", "until"),
    *_needed(sa.Integer, "begun", "over", "length"),
    *_needed(sa.Text, "holder", index=True),
    *_needed(_TRUTH, "wanted"),
)
"""The database's table of tables. `begun` is the number of games begun, `over` the last one finished."""
_ENTRIES = _table(
    "entries",
    _key("table_id", sa.Text, sa.ForeignKey("tables.id")),
    _key("number", sa.Integer),
    *_needed(sa.Text, "data", "link"),
    rowid=False,
)
"""The database's table of entries. Damaged entries have negative numbers."""
_GAMES = _table(
    "games", _key("id"), *_needed(_REAL, "ended", index=True), *_needed(sa.Text, "summary", "rules", "record", "digest")
)

_SHELF = _table(
    "shelf",
    _key("id"),
    *_needed(_REAL, "since"),
    *_needed(sa.Text, "name", "owner", "texts"),
    *_needed(_TRUTH, "may_change"),
)
"""House rules that people share. `texts` has the rule and everything that it extends, as JSON."""


def _larger(column: sa.Column[Any], value: Any) -> sa.ColumnElement[Any]:
    return sa.case((column < value, value), else_=column)


_FREE: dict[str, Any] = {"holder": "", "until": 0.0, "wanted": False}
_ENTRIES_OF_TABLE = sa.select(_ENTRIES.c.number, _ENTRIES.c.data, _ENTRIES.c.link).order_by(_ENTRIES.c.number)
_RECORDS = sa.select(_GAMES.c.id, _GAMES.c.summary, _GAMES.c.record, _GAMES.c.digest, _RULES.c.text).outerjoin_from(
    _GAMES, _RULES, _GAMES.c.rules == _RULES.c.hash
)
_IS_LIVE = sa.or_(_TABLES.c.begun == 0, _TABLES.c.over < _TABLES.c.begun)
_GROW = (
    _TABLES.update()
    .where(_TABLES.c.id == sa.bindparam("table"))
    .values(
        length=sa.bindparam("to_length"),
        tip=sa.bindparam("to_tip"),
        moved=_larger(_TABLES.c.moved, sa.bindparam("when", type_=_REAL)),
        begun=_TABLES.c.begun + sa.bindparam("more", type_=sa.Integer),
    )
)
_HELD = (
    sa.select(_TABLES.c.id, _TABLES.c.length, _TABLES.c.tip)
    .where(_TABLES.c.holder == sa.bindparam("holder"), _TABLES.c.id.in_(sa.bindparam("names", expanding=True)))
    .order_by(_TABLES.c.id)
    .with_for_update()
)
_LOCKED = "55P03"
"""The error code of PostgreSQL for a row that another process has locked."""


class DatabaseStorage:
    """Tables and finished games in a database. Methods block. Times are in seconds since 1970.

    A table whose holder was a process of this machine that has ended can be taken over immediately.
    """

    insert: ClassVar[Any]
    """The insert statement of the database's dialect, which can ignore rows that exist already."""

    def __init__(self, engine: sa.Engine) -> None:
        """Create missing tables and convert older formats.

        Raises `ValueError` if the database does not answer, or was written by a later version.
        """
        self.holder = chain.new_holder()
        self._engine = engine
        # The most frequent statements are compiled once.
        self._insert_entries = str(_ENTRIES.insert().compile(engine))
        self._grow = str(_GROW.compile(engine))
        try:
            with engine.begin() as base:
                version = self._format(base)
                if version > chain.FORMAT:
                    text = f"It was written by a later version of draftengine (format {version})."
                    raise ValueError(text)  # noqa: TRY301 (it ends like an error of the database)
                if version == 1:
                    for name in ("tables", "entries", "games"):
                        self._set_aside(base, name)
                _ALL.create_all(base)
                if version == 1:
                    self._from_first_format(base)
                if version < chain.FORMAT:
                    self._set_format(base)
        except (SQLAlchemyError, ValueError) as error:
            self.close()
            raise ValueError(first_line(error)) from error

    def _format(self, base: sa.Connection) -> int:
        """Return the format of the stored data; 0 if there is none. Makes other processes wait meanwhile."""
        raise NotImplementedError

    def _set_format(self, base: sa.Connection) -> None:
        """Store that the data are in the current format."""
        raise NotImplementedError

    def _set_aside(self, base: sa.Connection, name: str) -> None:
        """Rename a database table of the first format to `name`_1, with its indexes and other names."""
        raise NotImplementedError

    def _keep_rules_to_itself(self, base: sa.Connection) -> None:
        """Lock the stored rules against other processes until the transaction ends."""

    def _from_first_format(self, base: sa.Connection) -> None:
        """Convert the first format: store rules once, and chain the entries.

        Afterwards, processes that use the first format can no longer write.
        """
        first = sa.MetaData()
        first.reflect(base, only=["tables_1", "entries_1", "games_1"])
        tables, entries, games = (first.tables[name] for name in ("tables_1", "entries_1", "games_1"))
        for name in base.scalars(sa.select(tables.c.id)).all():
            row = base.execute(sa.select(tables).where(tables.c.id == name)).one()
            asked = sa.select(entries.c.data).where(entries.c.table_id == row.id).order_by(entries.c.number)
            kept = sa.select(games.c.id).where(games.c.id.startswith(f"{hashed(row.id)[:16]}-"))
            over = max((int(game.rpartition("-")[2]) for game in base.scalars(kept)), default=0)
            self._create(base, row.id, as_data(row.head), [as_data(data) for data in base.scalars(asked)], row.created)
            base.execute(_TABLES.update().where(_TABLES.c.id == row.id).values(moved=time.time(), over=over))
        for name in base.scalars(sa.select(games.c.id)).all():
            row = base.execute(sa.select(games).where(games.c.id == name)).one()
            self._finish(base, row.id, as_data(row.summary), as_data(row.record), row.ended)
        first.drop_all(base)

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """Open a transaction for the ``with`` block. After it, all changes are on disk, or none.

        Raises `RefusedError`: ``not-saved``, ``damaged``.
        """
        try:
            with self._engine.begin() as base:
                yield base
        except SQLAlchemyError as error:
            cause = getattr(error, "orig", error)  # its text may hold stored data
            code = getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", "")
            LOG.warning("%s: %s %s", self._engine.name, type(cause).__name__, code)
            raise RefusedError("damaged" if type(cause) is sqlite3.DatabaseError else "not-saved") from None

    def create(self, table: str, head: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], now: float) -> None:
        """Store a new table. No process holds it yet."""
        with self._writing() as base:
            self._create(base, table, head, entries, now)

    def _create(
        self, base: sa.Connection, table: str, head: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], now: float
    ) -> None:
        text, name, rules = chain.apart(head, "rules")
        self._keep_rules(base, name, rules)
        tip = chain.first_link(table, text)
        row = {"id": table, "head": text, "rules": name, "created": now, "moved": now, "tip": tip}
        base.execute(_TABLES.insert().values(**row, **_FREE, **dict.fromkeys(("begun", "over", "length"), 0)))
        self._add(base, [(Change(table, 0, entries, now), tip)])

    def _keep_rules(self, base: sa.Connection, name: str, rules: str) -> None:
        if name:
            base.execute(self.insert(_RULES).values(hash=name, text=rules).on_conflict_do_nothing())

    @staticmethod
    def _rows(base: sa.Connection, table: sa.Row[Any]) -> chain.Rows:
        asked = _ENTRIES_OF_TABLE.where(_ENTRIES.c.table_id == table.id, _ENTRIES.c.number >= 0)
        entries = [(row.number, row.data, row.link) for row in base.execute(asked)]
        rules = base.scalar(sa.select(_RULES.c.text).where(_RULES.c.hash == table.rules))
        return chain.Rows(table.id, table.head, rules, table.length, table.tip, entries)

    def take(self, table: str, now: float) -> StoredTable:
        """Return a table and become its holder.

        If the table is damaged, the entries before the damage are returned, followed by one of kind ``mend``; the other
        entries are set aside.

        Raises `RefusedError`: ``no-such-table``; ``damaged`` if not even the beginning is undamaged;
        ``held-elsewhere``. In the last case, `renew` tells the holder that the table is wanted.
        """
        condition = _TABLES.c.id == table
        with self._writing() as base:
            try:
                row = base.execute(sa.select(_TABLES).where(condition).with_for_update(nowait=True)).one_or_none()
            except OperationalError as error:
                if getattr(error.orig, "sqlstate", "") == _LOCKED:  # its holder is writing, or was stopped
                    raise RefusedError("held-elsewhere") from None
                raise
            if row is None:
                raise RefusedError("no-such-table")
            held = row.holder not in {"", self.holder} and row.until > now and not chain.has_ended(row.holder)
            what = {"wanted": True} if held else {"holder": self.holder, "until": now + chain.LEASE, "wanted": False}
            base.execute(_TABLES.update().where(condition).values(what))
            if not held:
                rows = self._rows(base, row)
                head, sound, lost = chain.together(rows.head, "rules", rows.rules), rows.sound(), rows.lost()
                entries = [as_data(text) for _, text, _ in rows.entries[:sound]]
                if lost:
                    if not sound:
                        raise RefusedError("damaged")
                    ours, number = _ENTRIES.c.table_id == rows.id, _ENTRIES.c.number
                    damaged = [-1 - index for index, _, _ in rows.entries[sound:]]
                    base.execute(_ENTRIES.delete().where(ours, number.in_(damaged)))
                    base.execute(_ENTRIES.update().where(ours, number >= sound).values(number=-1 - number))
                    self._add(base, [(Change(rows.id, sound, [chain.mended(lost)]), rows.link(sound))])
                    entries.append(chain.mended(lost))
                elif rows.length != sound:
                    base.execute(_TABLES.update().where(condition).values(length=sound))
                return StoredTable(rows.id, head, tuple(entries))
        raise RefusedError("held-elsewhere")

    def append(self, changes: Sequence[Change]) -> list[bool]:
        """Write all changes to disk together; each belongs to a different table.

        Return for each change True if it was made. Changes are not made to tables that this process does not hold, or
        that have a different number of entries. Raises `RefusedError` (``not-saved``) if no change was made.
        """
        names = [change.table for change in changes]
        with self._writing() as base:
            rows = base.execute(_HELD, {"holder": self.holder, "names": names})
            held = {name: (length, tip) for name, length, tip in rows}
            made = [change.table in held and held[change.table][0] == change.at for change in changes]
            self._add(base, [(change, held[change.table][1]) for change, may in zip(changes, made, strict=True) if may])
        return made

    def _add(self, base: sa.Connection, changes: Sequence[tuple[Change, str]]) -> None:
        """Add entries to tables, each after the last entry of its table.

        One batch is much faster than several.
        """
        numbered: list[dict[str, Any]] = []
        grown: list[dict[str, Any]] = []
        for change, tip in changes:
            rows = chain.chained(tip, change.entries)
            numbered += (
                {"table_id": change.table, "number": number, "data": data, "link": link}
                for number, (data, link) in enumerate(rows, change.at)
            )
            what = {"to_length": change.at + len(rows), "to_tip": rows[-1][1] if rows else tip}
            grown.append({"table": change.table, "when": change.when, "more": chain.starts(change.entries), **what})
        if numbered:
            base.exec_driver_sql(self._insert_entries, numbered)
        if grown:
            base.exec_driver_sql(self._grow, grown)

    def renew(self, now: float, tables: Collection[str] = ()) -> list[str]:
        """Extend the leases of all tables of this process.

        Return the tables that this process should release: those that other processes want, and those of `tables` that
        others have taken over.
        """
        condition = _TABLES.c.holder == self.holder
        with self._writing() as base:
            base.execute(_TABLES.update().where(condition).values(until=now + chain.LEASE))
            rows = base.execute(sa.select(_TABLES.c.id, _TABLES.c.wanted).where(condition))
            held = {row.id: row.wanted for row in rows}
        return [*(table for table, wanted in held.items() if wanted), *(table for table in tables if table not in held)]

    def release(self, tables: Sequence[str]) -> None:
        """Give up tables that this process holds."""
        with self._writing() as base:
            condition = sa.and_(_TABLES.c.holder == self.holder, _TABLES.c.id.in_(tables))
            base.execute(_TABLES.update().where(condition).values(_FREE))

    def let_go(self) -> None:
        """Give up all tables that this process holds, and close all connections."""
        with self._writing() as base:
            base.execute(_TABLES.update().where(_TABLES.c.holder == self.holder).values(_FREE))
        self.close()

    def close(self) -> None:
        """Close all connections. The leases of tables last until they expire."""
        self._engine.dispose()

    def finish(
        self,
        game: str,
        summary: Mapping[str, Any],
        record: Mapping[str, Any],
        now: float,
        table: str = "",
        number: int = 0,
    ) -> None:
        """Store a finished game with its table and number, unless it is already stored."""
        with self._writing() as base:
            self._finish(base, game, summary, record, now)
            over = _larger(_TABLES.c.over, number)
            base.execute(_TABLES.update().where(_TABLES.c.id == table).values(over=over))

    def _finish(
        self, base: sa.Connection, game: str, summary: Mapping[str, Any], record: Mapping[str, Any], ended: float
    ) -> None:
        text, name, rules = chain.apart(record, "made_from")
        self._keep_rules(base, name, rules)
        row = {"id": game, "ended": ended, "summary": as_text(summary), "rules": name, "record": text}
        row["digest"] = chain.digest(game, as_text(summary), text)
        base.execute(self.insert(_GAMES).values(row).on_conflict_do_nothing())

    def finished(self, most: int) -> list[dict[str, Any]]:
        """Return the summaries of the latest finished games, newest first."""
        asked = sa.select(_GAMES.c.id, _GAMES.c.ended, _GAMES.c.summary)
        with self._writing() as base:
            rows = base.execute(asked.order_by(_GAMES.c.ended.desc(), _GAMES.c.id).limit(most)).all()
        return [{"id": row.id, "ended": row.ended, **as_data(row.summary)} for row in rows]

    def record(self, game: str) -> dict[str, Any]:
        """Return the record of a finished game. Raises `RefusedError`: ``no-such-game``, ``damaged``."""
        with self._writing() as base:
            row = base.execute(_RECORDS.where(_GAMES.c.id == game)).one_or_none()
        if row is None:
            raise RefusedError("no-such-game")
        return chain.record_of(*row)

    def shelf(self) -> list[Shelved]:
        """Return the shared house rules, newest first."""
        asked = sa.select(_SHELF.c.id, _SHELF.c.name, _SHELF.c.owner, _SHELF.c.may_change)
        with self._writing() as base:
            rows = base.execute(asked.order_by(_SHELF.c.since.desc(), _SHELF.c.id)).all()
        return [Shelved(row.id, row.name, row.owner, bool(row.may_change)) for row in rows]

    def shelved_texts(self, name: str) -> str:
        """Return the texts of a house rule. Raises `RefusedError`: ``no-such-set``."""
        with self._writing() as base:
            texts = base.scalar(sa.select(_SHELF.c.texts).where(_SHELF.c.name == name).limit(1))
        if texts is None:
            raise RefusedError("no-such-set")
        return str(texts)

    def put_on_shelf(self, rule: Shelved, texts: str, now: float) -> None:
        """Share a house rule. It replaces a shared rule with the same id.

        Raises `RefusedError`: ``shelf-full``.
        """
        row = {"name": rule.name, "owner": rule.owner, "may_change": rule.may_change, "texts": texts, "since": now}
        with self._writing() as base:
            if base.execute(_SHELF.update().where(_SHELF.c.id == rule.id).values(row)).rowcount:
                return
            if (base.scalar(sa.select(sa.func.count()).select_from(_SHELF)) or 0) >= MOST_SHELVED:
                raise RefusedError("shelf-full")
            base.execute(_SHELF.insert().values(id=rule.id, **row))

    def take_off_shelf(self, rule: str) -> None:
        """Stop sharing a house rule."""
        with self._writing() as base:
            base.execute(_SHELF.delete().where(_SHELF.c.id == rule))

    def count(self) -> int:
        """Return the number of tables whose last game is not over."""
        with self._writing() as base:
            return base.scalar(sa.select(sa.func.count()).select_from(_TABLES).where(_IS_LIVE)) or 0

    def clean(self, now: float, keep: float) -> int:
        """Remove some tables that no process holds, and unused rules. Return the number of removed tables.

        Only tables whose last game has been over for a day, or without a move for `keep` seconds, are removed.
        """
        old = _TABLES.c.moved < sa.case((_IS_LIVE, now - keep), else_=now - chain.DAY)
        with self._writing() as base:
            count = self._remove(base, sa.select(_TABLES.c.id).where(_is_free(now), old))
            self._keep_rules_to_itself(base)
            used = sa.union(sa.select(_TABLES.c.rules), sa.select(_GAMES.c.rules))
            base.execute(_RULES.delete().where(_RULES.c.hash.not_in(used)))
        return count

    def make_room(self, now: float) -> int:
        """Remove some tables that no process holds and whose first game has not begun, oldest first.

        Return the number of removed tables.
        """
        with self._writing() as base:
            asked = sa.select(_TABLES.c.id).where(_is_free(now), _TABLES.c.begun == 0)
            return self._remove(base, asked.order_by(_TABLES.c.moved))

    @staticmethod
    def _remove(base: sa.Connection, asked: sa.Select[tuple[str]]) -> int:
        names = base.scalars(asked.limit(chain.CLEANED).with_for_update(skip_locked=True)).all()
        base.execute(_ENTRIES.delete().where(_ENTRIES.c.table_id.in_(names)))
        base.execute(_TABLES.delete().where(_TABLES.c.id.in_(names)))
        return len(names)

    def check(self) -> Iterator[str]:
        """Yield a sentence for each damaged table and game."""
        with self._writing() as base:
            yield from self._faults(base)

    def _faults(self, base: sa.Connection) -> Iterator[str]:
        for name in base.scalars(sa.select(_TABLES.c.id).order_by(_TABLES.c.id)).all():
            row = base.execute(sa.select(_TABLES).where(_TABLES.c.id == name)).one()
            if fault := self._rows(base, row).fault():
                yield fault
        for name in base.scalars(sa.select(_GAMES.c.id).order_by(_GAMES.c.id)).all():
            if fault := chain.fault_of(*base.execute(_RECORDS.where(_GAMES.c.id == name)).one()):
                yield fault

    def shrink(self) -> None:
        """Give the space of removed data back to the system. Raises `RefusedError`: ``not-saved``."""
        raise NotImplementedError


def first_line(error: Exception) -> str:
    """Return the message of a database error, without the statement that caused it."""
    return str(getattr(error, "orig", error)).strip().partition("\n")[0]


def _is_free(now: float) -> sa.ColumnElement[bool]:
    return sa.or_(_TABLES.c.holder == "", _TABLES.c.until < now)
