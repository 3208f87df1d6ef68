"""What a table is kept in: the interface behind which databases stand.

A table is a head, which never changes, and entries, which are only added. Whoever adds must hold the table, by a lease
that is renewed; so a table has one process that speaks for it. What `append` was given is durable when it returns.
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
"""Seconds after which a table of a process that is not heard of any more may be taken by another one."""
DAY = 86_400.0
"""Seconds for which a table stays after its last game; the records of its games stay for good."""
CLEANED = 100
"""Tables that are removed together: others wait meanwhile."""
FORMAT = 3
"""Of what is kept: a later version of draftengine raises it when this version could not read it any more."""


class StoredTable(Struct, frozen=True):
    """A table as it is kept."""

    id: str
    head: dict[str, Any]
    entries: tuple[dict[str, Any], ...]


class Change(Struct, frozen=True):
    """Entries to add to the `at` that a table has."""

    table: str
    at: int
    entries: Sequence[Mapping[str, Any]]
    when: float = 0.0


class Storage(Protocol):
    """Tables and finished games. Methods block; times are seconds since 1970."""

    def create(self, table: str, head: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], now: float) -> None:
        """Keep a new table, which nobody holds yet."""
        ...

    def take(self, table: str, now: float) -> StoredTable:
        """A table, held by this process from now on.

        Of one that is damaged, the entries before the damage are there, with one of the kind ``mend`` after them; the
        others are set aside.

        Raises `RefusedError`: ``no-such-table``; ``damaged`` if not even its beginning is sound; ``held-elsewhere``,
        and then its holder hears of it from `renew`.
        """
        ...

    def append(self, changes: Sequence[Change]) -> list[bool]:
        """Make all changes durable together, each of another table; which of them were made.

        Not made are those of tables that this process does not hold, or that have other entries. Raises `RefusedError`
        (``not-saved``) if none was made.
        """
        ...

    def renew(self, now: float, tables: Collection[str] = ()) -> list[str]:
        """Go on holding every table that this process holds.

        Returned are those that it should let go: other processes want them, or, of `tables`, have taken them already.
        """
        ...

    def release(self, tables: Sequence[str]) -> None:
        """Hold some tables no longer."""
        ...

    def let_go(self) -> None:
        """Hold no table any more, and close."""
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
        """Keep a finished game, which was that of a number at a table; one that is kept already stays as it is."""
        ...

    def finished(self, most: int) -> list[dict[str, Any]]:
        """The summaries of the last finished games, the latest first."""
        ...

    def record(self, game: str) -> dict[str, Any]:
        """The record of a finished game. Raises `RefusedError`: ``no-such-game``, ``damaged``."""
        ...

    def count(self) -> int:
        """How many tables there are whose last game is not over."""
        ...

    def clean(self, now: float, keep: float) -> int:
        """Remove some tables that nobody holds, and rules that nothing needs any more; how many tables.

        They are those whose last game has been over for a day, and those without a move for `keep` seconds.
        """
        ...

    def make_room(self, now: float) -> int:
        """Remove some tables that nobody holds and where nothing has begun, the oldest first; how many."""
        ...

    def check(self) -> Iterator[str]:
        """What is damaged, in sentences."""
        ...

    def shrink(self) -> None:
        """Give the room of what was removed back to the machine. Raises `RefusedError`: ``not-saved``."""
        ...

    def close(self) -> None:
        """Close, and leave the tables as they are held."""
        ...


def as_text(data: Mapping[str, Any]) -> str:
    """Data as it is kept."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def as_data(text: str) -> dict[str, Any]:
    """What `as_text` made a text of."""
    data: dict[str, Any] = json.loads(text)
    return data


def to_let_go(held: Mapping[str, Any], tables: Collection[str]) -> list[str]:
    """What `renew` returns, of what is held by whether others want it, and of what the process thinks it has."""
    return [*(table for table, wanted in held.items() if wanted), *(table for table in tables if table not in held)]


def new_holder() -> str:
    """The name by which this process holds tables."""
    return f"{socket.gethostname()}:{os.getpid()}:{token_hex(8)}"


def has_ended(holder: str) -> bool:
    """Is this the name of a process of this machine that has ended."""
    host, _, number = holder.rpartition(":")[0].rpartition(":")
    if host != socket.gethostname() or os.name != "posix":
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError):
        return False
    return int(number) == os.getpid()  # an earlier process had our number, as happens where a container starts anew
