"""What is played, and what one deal says: a challenger in every seat of the same deal against copies of another bot.

The games of a unit share their cards, so they are no independent observations: everything that is said of a pairing is
computed from units, never from games.
"""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PAIR = 2
"""At so many seats the games of X against Y are those of Y against X."""


class Pairing(Struct, frozen=True):
    """Who meets whom: bots by their place in the list of those that take part."""

    challenger: int
    opponent: int
    """Sits in all other seats."""

    @property
    def is_mirror(self) -> bool:
        """A bot against itself: a control."""
        return self.challenger == self.opponent

    def bot_at(self, seat: int, challenged: int) -> int:
        """Who sits at a seat if the challenger sits at the seat `challenged`."""
        return self.challenger if seat == challenged else self.opponent


class Ended(Struct, frozen=True):
    """How a game ended."""

    points: tuple[int, ...]
    """By seat, more is better: what a game counts whose winner has fewest is turned around."""
    winners: tuple[int, ...]
    """After the tie-breakers; several share the victory."""

    def share(self, seat: int) -> float:
        """A seat's part of the victory: 0 to 1."""
        return 1 / len(self.winners) if seat in self.winners else 0.0

    def margin(self, seat: int) -> int:
        """The points that a seat has more than the best of the others."""
        return self.points[seat] - max(theirs for other, theirs in enumerate(self.points) if other != seat)


class Unit(Struct, frozen=True):
    """One deal of a pairing: as many games as there are seats, the challenger at seat *k* of game *k*."""

    deal: int
    pairing: Pairing
    games: tuple[Ended, ...]

    @property
    def share(self) -> float:
        """The challenger's mean part of the victory; 1/n where nobody is better."""
        return fmean(game.share(seat) for seat, game in enumerate(self.games))

    @property
    def margin(self) -> float:
        """The challenger's mean margin, in points."""
        return fmean(game.margin(seat) for seat, game in enumerate(self.games))

    def turned(self) -> Unit:
        """The unit as seen by the opponent, which is a unit of its own at two seats only."""
        return Unit(self.deal, Pairing(self.pairing.opponent, self.pairing.challenger), self.games[::-1])


def pairings(bots: int, seats: int, mirrors: Iterable[int] = ()) -> tuple[Pairing, ...]:
    """Everybody against everybody: both ways, or once where both ways are the same games; then the mirrors."""
    each = [
        Pairing(one, two)
        for one in range(bots)
        for two in range(bots)
        if (one < two if seats == PAIR else one != two)
    ]  # fmt: skip
    return (*each, *(Pairing(bot, bot) for bot in mirrors))


def by_pairing(units: Sequence[Unit]) -> dict[Pairing, list[Unit]]:
    """The units of every pairing; at two seats those the other way round, too."""
    paired: dict[Pairing, list[Unit]] = {}
    for unit in units:
        paired.setdefault(unit.pairing, []).append(unit)
        if len(unit.games) == PAIR and not unit.pairing.is_mirror:
            turned = unit.turned()
            paired.setdefault(turned.pairing, []).append(turned)
    return paired
