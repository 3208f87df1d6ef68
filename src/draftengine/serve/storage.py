"""What a table is kept in: the interface behind which databases stand.

A table is a head, which never changes, and entries, which are only added. Whoever adds must hold the table, by a lease
that is renewed; so a table has one process that speaks for it. What `append` was given is durable when it returns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LEASE = 10.0
"""Seconds after which a table of a process that is not heard of any more may be taken by another one."""


class Kept(Struct, frozen=True):
    """A table as it is kept."""

    id: str
    head: dict[str, Any]
    entries: tuple[dict[str, Any], ...]


class Storage(Protocol):
    """Tables and finished games. Methods block; times are seconds since 1970."""

    def create(self, table: str, head: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], now: float) -> None:
        """Keep a new table, held by this process."""
        ...

    def take(self, table: str, now: float) -> Kept:
        """A table, held by this process from now on. Raises `RefusedError`: ``no-such-table``, ``held-elsewhere``."""
        ...

    def append(self, table: str, at: int, entries: Sequence[Mapping[str, Any]]) -> None:
        """Add entries to the `at` that the table has. They are durable when this returns.

        Raises `RefusedError`: ``lost-table`` if this process does not hold it or it has other entries, ``not-saved``.
        """
        ...

    def renew(self, now: float) -> None:
        """Go on holding every table that this process holds."""
        ...

    def let_go(self) -> None:
        """Hold no table any more, and close."""
        ...

    def finish(self, game: str, summary: Mapping[str, Any], record: Mapping[str, Any], now: float) -> None:
        """Keep a finished game; one that is kept already stays as it is."""
        ...

    def finished(self, most: int) -> list[dict[str, Any]]:
        """The summaries of the last finished games, the latest first."""
        ...

    def record(self, game: str) -> dict[str, Any]:
        """The record of a finished game. Raises `RefusedError`: ``no-such-game``."""
        ...

    def count(self) -> int:
        """How many tables there are."""
        ...
