"""Hashes that find damage in what is kept, and rules that are kept once however many tables play by them.

Every entry carries a hash of all before it, as the lines of saved games do. The first one follows from the name of the
table and its head, and the head names its rules by their hash; so one byte that rots anywhere is seen.
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
    """Return a hash of texts, each at its place."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def first_link(table: str, head: str) -> str:
    """Return what the first entry of a table is chained to."""
    return digest(table, head)[:32]


def chained(link: str, entries: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return entries as they are kept, each with its link."""
    rows = []
    for entry in entries:
        text = as_text(entry)
        link = digest(link, text)[:32]
        rows.append((text, link))
    return rows


def apart(data: Mapping[str, Any], name: str) -> tuple[str, str, str]:
    """Return data without its rules as a text, and the hash and the text of the rules."""
    if name not in data:
        return as_text(data), "", ""
    rules = as_text(data[name])
    return as_text({**data, name: digest(rules)}), digest(rules), rules


def together(text: str, name: str, rules: str | None) -> dict[str, Any]:
    """Return what was taken apart. Raises `RefusedError`: ``damaged``."""
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
        """Return how many entries are as they were written, one after the other from the first."""
        links = [first_link(self.id, self.head), *(link for _, _, link in self.entries)]
        for place, ((number, text, _), (before, link)) in enumerate(zip(self.entries, pairwise(links), strict=True)):
            if number != place or digest(before, text)[:32] != link:
                return place
        return len(self.entries)

    def link(self, sound: int) -> str:
        """Return what the next entry is chained to, after so many sound ones."""
        return self.entries[sound - 1][2] if sound else first_link(self.id, self.head)

    def lost(self) -> int:
        """Return how many entries were written and are damaged or gone."""
        sound = self.sound()
        return (
            0
            if self.link(sound) == self.tip and sound == len(self.entries)
            else max(self.length, len(self.entries)) - sound
        )

    def fault(self) -> str:
        """Return what is damaged, as a sentence; nothing if all is sound."""
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
    """Return the entry that tells the players of a table how much of it was lost."""
    return {"kind": "mend", "lost": lost}


def starts(entries: Iterable[Mapping[str, Any]]) -> int:
    """Return how many games begin with entries."""
    return sum(entry.get("kind") == "start" for entry in entries)


def fault_of(game: str, summary: str, record: str, kept: str, rules: str | None) -> str:
    """Return what is damaged of a finished game, as a sentence; nothing if all is sound."""
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
