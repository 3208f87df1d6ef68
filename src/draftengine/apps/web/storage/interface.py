"""What storage and its users share: stored tables, changes to them, and leases.

A table is a *head*, which never changes, and *entries*, which are only added. To add, a process must hold the table, by
a *lease* that it renews; so one process speaks for a table. What `append` was given is durable when it returns.
"""

from __future__ import annotations

import json
import os
import socket
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


def as_text(data: Mapping[str, Any]) -> str:
    """Return data as stored text."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def as_data(text: str) -> dict[str, Any]:
    """Return the data that `as_text` turned into a text."""
    data: dict[str, Any] = json.loads(text)
    return data


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
