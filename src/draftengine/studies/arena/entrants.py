"""Who takes part in a tournament: the bots, each once, and those that also play themselves."""

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
"""So many players, and so many bots or copies of one, are needed to meet."""


class Entrants(Struct, frozen=True):
    """The bots of a tournament."""

    names: tuple[str, ...]
    """As a seat is written; each stands here once."""
    mirrors: tuple[int, ...]
    """The places of those that also play against copies of themselves."""

    @classmethod
    def of(cls, bots: str | Iterable[str], players: int, *, mirror: bool = False) -> Entrants:
        """The bots of a list, or of a text with commas, who meet in games of so many players.

        A bot that is named twice plays itself, too; with `mirror` every bot does. Raises `BotError`, and `ArenaError`
        if there is nobody to meet.
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
        """Who meets whom, in games of so many players."""
        return pairings(len(self.names), players, self.mirrors)
