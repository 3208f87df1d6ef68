"""The data that are stored for tables, with leases, hashes that find damage, and random secrets.

A table consists of a *head*, which never changes, and *entries*, which are only added. To add entries, a process must
hold the table, by a *lease* that it renews. So only one process at a time changes a table. Rules are stored once for
all tables.

Each entry has a *link*: a hash of everything before it, like the lines of saved games. The first link depends on the
name of the table and its head, and the head contains the hash of its rules. So one changed byte anywhere is noticed.

The token of a seat is sent once, and only its hash is stored.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import socket
from itertools import pairwise
from secrets import token_hex, token_urlsafe
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from draftengine.apps.web import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


LEASE = 10.0
"""The time in seconds after which another process may take over a table whose lease is not renewed."""
DAY = 86_400.0
"""The seconds for which a table is stored after its last game. Records of games are stored for good."""
CLEANED = 100
"""The number of tables that are removed in one transaction, while other requests wait."""
FORMAT = 3
"""The version of the stored data's format; it rises when earlier programs cannot read the data."""


class StoredTable(Struct, frozen=True):
    """A table as read from the storage."""

    id: str
    head: dict[str, Any]
    entries: tuple[dict[str, Any], ...]


MOST_SHELVED = 40
"""The largest number of shared house rules, as the lobby shows all of them."""


class Shelved(Struct, frozen=True):
    """A house rule that somebody shares on this server (*puts on the shelf*)."""

    id: str
    name: str
    """The name under which its texts are stored, as for an uploaded card set."""
    owner: str
    """The hash of the token of the person who shared it."""
    may_change: bool
    """True if others may read the text, to change a copy of it."""


class Change(Struct, frozen=True):
    """Entries to add to a table that has `at` entries."""

    table: str
    at: int
    entries: Sequence[Mapping[str, Any]]
    when: float = 0.0


def as_text(data: Mapping[str, Any]) -> str:
    """Return data as a JSON text for the storage."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def as_data(text: str) -> dict[str, Any]:
    """Return the data in a JSON text that `as_text` made."""
    data: dict[str, Any] = json.loads(text)
    return data


def new_holder() -> str:
    """Return a new name for this process as the holder of tables."""
    return f"{socket.gethostname()}:{os.getpid()}:{token_hex(8)}"


def has_ended(holder: str) -> bool:
    """True if the holder with this name was a process of this machine that has ended."""
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


def digest(*texts: str) -> str:
    """Return a hash of texts, which depends on their order."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def first_link(table: str, head: str) -> str:
    """Return the link of a table's first entry: a hash of the table's name and head."""
    return digest(table, head)[:32]


def chained(link: str, entries: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return (text, link) for each entry, as it is stored. `link` is the link of the entry before."""
    rows = []
    for entry in entries:
        text = as_text(entry)
        link = digest(link, text)[:32]
        rows.append((text, link))
    return rows


def apart(data: Mapping[str, Any], name: str) -> tuple[str, str, str]:
    """Return (data as text with a hash in place of its rules, that hash, the rules). `name` is their key."""
    if name not in data:
        return as_text(data), "", ""
    rules = as_text(data[name])
    return as_text({**data, name: digest(rules)}), digest(rules), rules


def together(text: str, name: str, rules: str | None) -> dict[str, Any]:
    """Return the data that `apart` divided into `text` and `rules`. Raises `RefusedError`: ``damaged``."""
    try:
        data = as_data(text)
    except ValueError:
        raise RefusedError("damaged") from None
    if name in data:
        if rules is None or digest(rules) != data[name]:
            raise RefusedError("damaged")
        data[name] = as_data(rules)
    return data


class Rows(NamedTuple):
    """The rows of a table in a database. Each of `entries` is (number, text, link)."""

    id: str
    head: str
    rules: str | None
    length: int
    tip: str
    entries: Sequence[tuple[int, str, str]]

    def sound(self) -> int:
        """Return the number of entries before the first damaged one."""
        links = [first_link(self.id, self.head), *(link for _, _, link in self.entries)]
        for place, ((number, text, _), (before, link)) in enumerate(zip(self.entries, pairwise(links), strict=True)):
            if number != place or digest(before, text)[:32] != link:
                return place
        return len(self.entries)

    def link(self, sound: int) -> str:
        """Return the link after the first `sound` entries, on which the next entry's link depends."""
        return self.entries[sound - 1][2] if sound else first_link(self.id, self.head)

    def lost(self) -> int:
        """Return the number of entries that were written, but are damaged or missing."""
        sound = self.sound()
        whole = self.link(sound) == self.tip and sound == len(self.entries)
        return 0 if whole else max(self.length, len(self.entries)) - sound

    def fault(self) -> str:
        """Return a sentence that describes the damage of a table; empty if there is none."""
        try:
            together(self.head, "rules", self.rules)
        except RefusedError:
            return f"Table {self.id}: what was kept of its rules is damaged, so nobody can play it."
        sound, lost = self.sound(), self.lost()
        if not sound and lost:
            return f"Table {self.id}: its beginning is damaged, so nobody can play it."
        text = f"Table {self.id}: {lost} of {sound + lost} entries are damaged; play goes on after the others."
        return text if lost else ""


def mended(lost: int) -> dict[str, Any]:
    """Return the entry that tells the players of a table how many entries were lost."""
    return {"kind": "mend", "lost": lost}


def starts(entries: Iterable[Mapping[str, Any]]) -> int:
    """Return the number of games that the entries start."""
    return sum(entry.get("kind") == "start" for entry in entries)


def fault_of(game: str, summary: str, record: str, kept: str, rules: str | None) -> str:
    """Return a sentence if the record of a finished game is damaged; empty if it is not."""
    try:
        record_of(game, summary, record, kept, rules)
    except RefusedError:
        return f"Game {game}: its record is damaged."
    return ""


def record_of(game: str, summary: str, record: str, kept: str, rules: str | None) -> dict[str, Any]:
    """Return the record of a finished game from its stored parts. Raises `RefusedError`: ``damaged``."""
    if digest(game, summary, record) != kept:
        raise RefusedError("damaged")
    return together(record, "made_from", rules)


def new_token() -> str:
    """Return a new token for a seat: 256 random bits as text."""
    return token_urlsafe(32)


def new_id() -> str:
    """Return the id of a table, which is its invitation: 96 random bits."""
    return token_urlsafe(12).replace("_", "a").replace("-", "b")


def new_seed() -> tuple[str, str]:
    """Return a new seed of 256 random bits, and a salt with which to hash it."""
    return token_hex(32), token_hex(16)


def hashed(token: str) -> str:
    """Return the hash of a token. Tokens are long and random, so one round of SHA-256 is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def fits(token: str, kept: str) -> bool:
    """True if `kept` is the hash of the token. The comparison takes the same time for all values."""
    return hmac.compare_digest(hashed(token), kept)
