"""Bots of a tournament, their pairings, and the units of games in which they meet.

A *unit* is one deal of a *pairing*. The *challenger* plays it once in every seat, against copies of the *opponent*.
The games of a unit share their cards, so they are not independent observations. All statistics of a pairing are
therefore computed from units, never from single games.
"""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.bots.catalogue import listed_in
from draftengine.support.locale.phrases import ReasonedError, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.bots.catalogue import Named

PAIR = 2
"""At this number of seats, the games of X against Y are also the games of Y against X."""


class ArenaError(ReasonedError, ValueError):
    """Raised if a tournament cannot be played. The reason names the bot and its act, or what is missing."""


class Pairing(Struct, frozen=True):
    """Challenger and opponent, as indices into the list of the tournament's bots."""

    challenger: int
    opponent: int
    """The bot in all other seats."""

    @property
    def is_mirror(self) -> bool:
        """True if a bot meets itself, which is a control."""
        return self.challenger == self.opponent

    def bot_at(self, seat: int, challenged: int) -> int:
        """Return the bot at `seat` when the challenger sits at the seat `challenged`."""
        return self.challenger if seat == challenged else self.opponent


class Ended(Struct, frozen=True):
    """The result of one game."""

    points: tuple[int, ...]
    """Points by seat, negated if the fewest points win, so that more is always better."""
    winners: tuple[int, ...]
    """Winning seats after the tie-breakers; several seats share the victory."""

    def share(self, seat: int) -> float:
        """Return the share of a seat in the victory, from 0 to 1."""
        return 1 / len(self.winners) if seat in self.winners else 0.0

    def margin(self, seat: int) -> int:
        """Return the points of a seat minus those of the best other seat."""
        return self.points[seat] - max(theirs for other, theirs in enumerate(self.points) if other != seat)


class Unit(Struct, frozen=True):
    """One deal of a pairing, with one game for each seat: the challenger has seat *k* in game *k*."""

    deal: int
    pairing: Pairing
    games: tuple[Ended, ...]

    @property
    def share(self) -> float:
        """The challenger's mean share of the victory: 1/n if both bots are equally strong at n seats."""
        return fmean(game.share(seat) for seat, game in enumerate(self.games))

    @property
    def margin(self) -> float:
        """The challenger's mean margin, in points."""
        return fmean(game.margin(seat) for seat, game in enumerate(self.games))

    def turned(self) -> Unit:
        """Return the unit with challenger and opponent exchanged. This is valid at two seats only."""
        return Unit(self.deal, Pairing(self.pairing.opponent, self.pairing.challenger), self.games[::-1])


def pairings(bots: int, seats: int, mirrors: Iterable[int] = ()) -> tuple[Pairing, ...]:
    """Return the pairings of all bots, then the pairing of each bot in `mirrors` with itself.

    Any two bots meet twice, once with each as the challenger. At two seats they meet only once, because the games are
    the same both ways.
    """
    each = [
        Pairing(one, two)
        for one in range(bots)
        for two in range(bots)
        if (one < two if seats == PAIR else one != two)
    ]  # fmt: skip
    return (*each, *(Pairing(bot, bot) for bot in mirrors))


def by_pairing(units: Sequence[Unit]) -> dict[Pairing, list[Unit]]:
    """Group units by pairing. At two seats, each unit also counts for the pairing with exchanged roles."""
    paired: dict[Pairing, list[Unit]] = {}
    for unit in units:
        paired.setdefault(unit.pairing, []).append(unit)
        if len(unit.games) == PAIR and not unit.pairing.is_mirror:
            turned = unit.turned()
            paired.setdefault(turned.pairing, []).append(turned)
    return paired


FEWEST = 2
"""The least number of players, and of bots (a mirror match counts as one more), for a tournament."""


class Entrants(Struct, frozen=True):
    """The bots of a tournament."""

    names: tuple[str, ...]
    """The bots in the notation for a seat, without duplicates."""
    mirrors: tuple[int, ...]
    """Indices in `names` of the bots that also play against copies of themselves."""

    @classmethod
    def of(cls, bots: Named, players: int, *, mirror: bool = False) -> Entrants:
        """Return the bots of a list or a comma-separated text, for games of `players` players.

        A bot that is named twice also plays against itself; with `mirror`, every bot does. Raises `BotError` for a bot
        that does not exist, and `ArenaError` for fewer than two players, or if no bot has an opponent.
        """
        listed = listed_in(bots)
        names = tuple(dict.fromkeys(listed))
        mirrors = tuple(place for place, name in enumerate(names) if mirror or listed.count(name) > 1)
        if players < FEWEST:
            raise ArenaError(said("arena.players"))
        if len(names) + len(mirrors) < FEWEST:
            raise ArenaError(said("arena.bots"))
        return cls(names, mirrors)

    def pairings(self, players: int) -> tuple[Pairing, ...]:
        """Return all pairings for games of `players` players."""
        return pairings(len(self.names), players, self.mirrors)
