"""Hashes that find damage in stored data, and rules that are stored once for all tables.

Each entry carries a hash of everything before it, as lines of saved games do. The first hash depends on the name of the
table and its head, and the head has the hash of its rules. So one changed byte anywhere is noticed.
"""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from draftengine.apps.web.errors import RefusedError
from draftengine.apps.web.storage.interface import as_data, as_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def digest(*texts: str) -> str:
    """Return a hash of texts, which depends on their order."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def first_link(table: str, head: str) -> str:
    """Return the link that precedes the first entry of a table."""
    return digest(table, head)[:32]


def chained(link: str, entries: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return entries as stored, each a text with its link."""
    rows = []
    for entry in entries:
        text = as_text(entry)
        link = digest(link, text)[:32]
        rows.append((text, link))
    return rows


def apart(data: Mapping[str, Any], name: str) -> tuple[str, str, str]:
    """Return data with its rules replaced by their hash, then the hash and the text of the rules."""
    if name not in data:
        return as_text(data), "", ""
    rules = as_text(data[name])
    return as_text({**data, name: digest(rules)}), digest(rules), rules


def together(text: str, name: str, rules: str | None) -> dict[str, Any]:
    """Return data with its rules, the reverse of `apart`. Raises `RefusedError`: ``damaged``."""
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
    """A table as a database has it: `entries` are numbers, texts and links."""

    id: str
    head: str
    rules: str | None
    length: int
    tip: str
    entries: Sequence[tuple[int, str, str]]

    def sound(self) -> int:
        """Return the number of undamaged entries before the first damaged one."""
        links = [first_link(self.id, self.head), *(link for _, _, link in self.entries)]
        for place, ((number, text, _), (before, link)) in enumerate(zip(self.entries, pairwise(links), strict=True)):
            if number != place or digest(before, text)[:32] != link:
                return place
        return len(self.entries)

    def link(self, sound: int) -> str:
        """Return the link that precedes the next entry, after `sound` entries."""
        return self.entries[sound - 1][2] if sound else first_link(self.id, self.head)

    def lost(self) -> int:
        """Return the number of entries that were written and are damaged or missing."""
        sound = self.sound()
        return (
            0
            if self.link(sound) == self.tip and sound == len(self.entries)
            else max(self.length, len(self.entries)) - sound
        )

    def fault(self) -> str:
        """Return a sentence about the damage; empty if there is none."""
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
    """Return a sentence about the damage of a finished game; empty if there is none."""
    try:
        record_of(game, summary, record, kept, rules)
    except RefusedError:
        return f"Game {game}: its record is damaged."
    return ""


def record_of(game: str, summary: str, record: str, kept: str, rules: str | None) -> dict[str, Any]:
    """Return the record of a finished game. Raises `RefusedError`: ``damaged``."""
    if digest(game, summary, record) != kept:
        raise RefusedError("damaged")
    return together(record, "made_from", rules)
