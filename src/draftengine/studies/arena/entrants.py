"""Bots of a tournament, each listed once, and those that also play against themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.bots.seats import listed_in
from draftengine.studies.arena.deals import pairings
from draftengine.studies.arena.playing import ArenaError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.studies.arena.deals import Pairing

FEWEST = 2
"""Minimum number of players, and of bots or copies of one, for a tournament."""


class Entrants(Struct, frozen=True):
    """The bots of a tournament."""

    names: tuple[str, ...]
    """Bots as they are written for a seat, without duplicates."""
    mirrors: tuple[int, ...]
    """Places in `names` of the bots that also play against copies of themselves."""

    @classmethod
    def of(cls, bots: str | Iterable[str], players: int, *, mirror: bool = False) -> Entrants:
        """Read the bots from a list or a comma-separated text, for games of `players` players.

        A bot that is named twice also plays itself; with `mirror` every bot does. Raises `BotError` for a bot that
        does not exist. Raises `ArenaError` for fewer than two players, or if there is nobody to meet.
        """
        listed = listed_in(bots)
        names = tuple(dict.fromkeys(listed))
        mirrors = tuple(place for place, name in enumerate(names) if mirror or listed.count(name) > 1)
        if players < FEWEST:
            raise ArenaError("An arena needs at least two players.")
        if len(names) + len(mirrors) < FEWEST:
            raise ArenaError("An arena needs two bots or more, such as greedy,random.")
        return cls(names, mirrors)

    def pairings(self, players: int) -> tuple[Pairing, ...]:
        """Return all pairings for games of `players` players."""
        return pairings(len(self.names), players, self.mirrors)
