"""The interface of storage, behind which there are databases.

A table is a *head*, which never changes, and *entries*, which are only added. To add, a process must hold the table, by
a *lease* that it renews; so one process speaks for a table. What `append` was given is durable when it returns.
"""

from __future__ import annotations

import json
import os
import socket
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

LEASE = 10.0
"""The time after which another process may take the table of a silent one, in seconds."""
DAY = 86_400.0
"""The time for which a table stays after its last game, in seconds; records of games stay for good."""
CLEANED = 100
"""The number of tables that are removed together, while others wait."""
FORMAT = 3
"""The format of stored data; raised when earlier versions could no longer read it."""


class StoredTable(Struct, frozen=True):
    """Table as stored."""

    id: str
    head: dict[str, Any]
    entries: tuple[dict[str, Any], ...]


class Change(Struct, frozen=True):
    """Entries to add to a table that has `at` entries."""

    table: str
    at: int
    entries: Sequence[Mapping[str, Any]]
    when: float = 0.0


class Storage(Protocol):
    """Tables and finished games. Methods block; times are in seconds since 1970."""

    def create(self, table: str, head: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], now: float) -> None:
        """Store a new table, which nobody holds yet."""
        ...

    def take(self, table: str, now: float) -> StoredTable:
        """Return a table, held by this process from now on.

        If it is damaged, the entries before the damage are returned, followed by one of kind ``mend``; the others are
        set aside.

        Raises `RefusedError`: ``no-such-table``; ``damaged`` if not even the beginning is sound; ``held-elsewhere``,
        which `renew` then reports to the holder.
        """
        ...

    def append(self, changes: Sequence[Change]) -> list[bool]:
        """Make all changes durable together, each of another table. Return for each whether it was made.

        Changes are not made to tables that this process does not hold, or that have other entries. Raises
        `RefusedError` (``not-saved``) if none was made.
        """
        ...

    def renew(self, now: float, tables: Collection[str] = ()) -> list[str]:
        """Extend the leases of all tables of this process.

        Return the tables to let go: those that other processes want and those of `tables` that they have taken.
        """
        ...

    def release(self, tables: Sequence[str]) -> None:
        """Release tables."""
        ...

    def let_go(self) -> None:
        """Release all tables, and close."""
        ...

    def finish(
        self,
        game: str,
        summary: Mapping[str, Any],
        record: Mapping[str, Any],
        now: float,
        table: str = "",
        number: int = 0,
    ) -> None:
        """Store a finished game with its table and number; one that is stored already stays as it is."""
        ...

    def finished(self, most: int) -> list[dict[str, Any]]:
        """Return the summaries of the latest finished games, newest first."""
        ...

    def record(self, game: str) -> dict[str, Any]:
        """Return the record of a finished game. Raises `RefusedError`: ``no-such-game``, ``damaged``."""
        ...

    def count(self) -> int:
        """Return the number of tables whose last game is not over."""
        ...

    def clean(self, now: float, keep: float) -> int:
        """Remove some tables that nobody holds, and unused rules. Return the number of tables.

        These are tables whose last game has been over for a day, and those without a move for `keep` seconds.
        """
        ...

    def make_room(self, now: float) -> int:
        """Remove some tables that nobody holds and where nothing has begun, oldest first. Return their number."""
        ...

    def check(self) -> Iterator[str]:
        """Yield a sentence for each damage."""
        ...

    def shrink(self) -> None:
        """Give the space of removed data back. Raises `RefusedError`: ``not-saved``."""
        ...

    def close(self) -> None:
        """Close without releasing the tables."""
        ...


def as_text(data: Mapping[str, Any]) -> str:
    """Return data as stored text."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def as_data(text: str) -> dict[str, Any]:
    """Return the data that `as_text` turned into a text."""
    data: dict[str, Any] = json.loads(text)
    return data


def to_let_go(held: Mapping[str, Any], tables: Collection[str]) -> list[str]:
    """Return what `renew` returns.

    `held` maps the tables in the database to whether others want them; `tables` are what the process believes it holds.
    """
    return [*(table for table, wanted in held.items() if wanted), *(table for table in tables if table not in held)]


def new_holder() -> str:
    """Return a name under which this process holds tables."""
    return f"{socket.gethostname()}:{os.getpid()}:{token_hex(8)}"


def has_ended(holder: str) -> bool:
    """True if this names a process of this machine that has ended."""
    host, _, number = holder.rpartition(":")[0].rpartition(":")
    if host != socket.gethostname() or os.name != "posix":
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError):
        return False
    return int(number) == os.getpid()  # an earlier process had our number, as in a restarted container
