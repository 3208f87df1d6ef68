"""The positions of a dry run, which knows only the numbers of cards.

A *position* stands for one or more states of a game. The number of cards in a zone is an integer, or a range
(`Between`) if these states differ. In the same way, the holder of a marker is a seat or a set of seats.
"""

from __future__ import annotations

from itertools import chain, product
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["Between", "Count", "Position", "between", "distinct", "fewest", "hull", "merged", "most"]


class Between(Struct, frozen=True):
    """A number of cards that is only known to be in a range. Both ends are included."""

    low: int
    high: int

    def __add__(self, other: Count) -> Count:
        if isinstance(other, int):
            return Between(self.low + other, self.high + other)
        return Between(self.low + other.low, self.high + other.high)

    __radd__ = __add__


Count = int | Between

_NUMBERS = frozenset({int})


def between(low: int, high: int) -> Count:
    return low if low == high else Between(low, high)


def fewest(count: Count) -> int:
    return count if isinstance(count, int) else count.low


def most(count: Count) -> int:
    return count if isinstance(count, int) else count.high


class Position:
    """The numbers of cards by zone and owner, the holders of markers, and the numbers of cards seats laid."""

    __slots__ = ("exact", "laid", "laid_in_game", "lists", "markers", "zones")

    def __init__(
        self, zones: list[list[Count]], markers: list[int | frozenset[int]], laid: list[int], laid_in_game: list[int]
    ) -> None:
        self.zones = zones
        self.markers = markers
        self.laid = laid
        self.laid_in_game = laid_in_game
        self.exact = True
        """True if all numbers of cards and all holders are known exactly."""
        self.lists = 0
        """The largest number of step lists that cards can still start."""

    def copy(self) -> Position:
        zones = [owners[:] for owners in self.zones]
        position = Position(zones, self.markers[:], self.laid[:], self.laid_in_game[:])
        position.exact = self.exact
        position.lists = self.lists
        return position

    def key(self) -> tuple[object, ...]:
        """Return a key for comparison. The game continues in the same way from positions with equal keys."""
        return (*map(tuple, self.zones), tuple(self.markers), self.lists)

    def absorb(self, other: Position) -> None:
        """Include `other`, which must have the same key: raise the numbers of laid cards to the larger ones."""
        self.laid = list(map(max, self.laid, other.laid))
        self.laid_in_game = list(map(max, self.laid_in_game, other.laid_in_game))

    def take(self, zone: int, owner: int, wanted: Count) -> Count:
        """Remove up to `wanted` cards from an owner's zone, and return the number of removed cards."""
        has = self.zones[zone][owner]
        if isinstance(has, int) and isinstance(wanted, int):
            taken = min(has, wanted)
            self.zones[zone][owner] = has - taken
            return taken
        self.exact = False
        low, high = (has, has) if isinstance(has, int) else (has.low, has.high)
        least, greatest = (wanted, wanted) if isinstance(wanted, int) else (wanted.low, wanted.high)
        self.zones[zone][owner] = between(max(0, low - greatest), max(0, high - least))
        return between(min(low, least), min(high, greatest))

    def take_all_but(self, zone: int, owner: int, stay: int) -> Count:
        """Remove all cards but `stay` from an owner's zone, and return the number of removed cards."""
        has = self.zones[zone][owner]
        self.zones[zone][owner] = between(min(fewest(has), stay), min(most(has), stay))
        return between(max(0, fewest(has) - stay), max(0, most(has) - stay))

    def holders(self, marker: int) -> frozenset[int]:
        """Return the seats that may hold a marker."""
        holder = self.markers[marker]
        return holder if isinstance(holder, frozenset) else frozenset((holder,))

    def hold(self, marker: int, holders: frozenset[int]) -> None:
        """Record that one of the seats `holders` now holds a marker."""
        if len(holders) == 1:
            (self.markers[marker],) = holders
        else:
            self.markers[marker], self.exact = holders, False

    def put(self, zone: int, owner: int, cards: Count) -> None:
        """Add cards to the zone of an owner."""
        self.zones[zone][owner] += cards
        self.exact = self.exact and isinstance(cards, int)

    def emptied(self, zone: int) -> tuple[Position | None, Position | None]:
        """Return two positions: in the first, a zone is empty for all owners; in the second, it is not.

        A position that is impossible is ``None``.
        """
        owners = self.zones[zone]
        if not any(map(most, owners)):
            return self, None
        if any(map(fewest, owners)):
            return None, self
        empty, others = self.copy(), [owner for owner, count in enumerate(owners) if most(count)]
        empty.zones[zone] = [0] * len(owners)
        if len(others) == 1:
            owners[others[0]] = between(1, most(owners[others[0]]))
        return empty, self

    def split(self, markers: Iterable[int], zones: Iterable[int], ways: int) -> Iterator[Position]:
        """Yield one position for each combination of holders of the `markers` and exact sizes of the `zones`.

        The narrowest ranges of sizes are split first, as long as there are at most `ways` combinations of sizes.
        """
        open_markers = [(marker, holders) for marker in markers if not isinstance(holders := self.markers[marker], int)]
        wide = [
            (zone, owner, count)
            for zone in zones
            for owner, count in enumerate(self.zones[zone])
            if isinstance(count, Between)
        ]
        wide.sort(key=lambda cell: cell[2].high - cell[2].low)
        split = []
        for cell in wide:
            ways //= cell[2].high - cell[2].low + 1
            if ways:
                split.append(cell)
        if not open_markers and not split:
            yield self
            return
        each = [
            *(sorted(holders) for _, holders in open_markers),
            *(range(count.low, count.high + 1) for _, _, count in split),
        ]
        for way in product(*each):
            following = self.copy()
            for (marker, _), holder in zip(open_markers, way, strict=False):
                following.markers[marker] = holder
            for (zone, owner, _), size in zip(split, way[len(open_markers) :], strict=True):
                following.zones[zone][owner] = size
            following.look()
            yield following

    def tighten(self, cards: int, zones: Iterable[int]) -> None:
        """Narrow the ranges of `zones` in place: together, they always have exactly `cards` cards.

        Cards that the other zones cannot have must lie in this zone.
        """
        missing, spare = cards, -cards
        open_cells: list[tuple[list[Count], int, int, int]] = []
        for zone in zones:
            owners = self.zones[zone]
            for owner, count in enumerate(owners):
                if isinstance(count, int):
                    missing -= count
                    spare += count
                else:
                    low, high = count.low, count.high
                    missing -= low
                    spare += high
                    open_cells.append((owners, owner, low, high))
        room = min(spare, missing)
        if room < 0:  # the position is impossible: splitting made it
            return
        for owners, owner, low, high in open_cells:
            if high - low > room:
                least = max(low, high - spare)
                owners[owner] = between(least, max(least, min(high, low + missing)))

    def look(self) -> None:
        """Update `exact` after the numbers or holders have changed."""
        self.exact = _NUMBERS.issuperset(map(type, chain(self.markers, *self.zones)))


def distinct(positions: list[Position]) -> list[Position]:
    """Return the positions, but merge positions with equal keys into the first of them."""
    if len(positions) < 2:  # noqa: PLR2004 (nothing to compare)
        return positions
    by_key: dict[tuple[object, ...], Position] = {}
    for position in positions:
        first = by_key.setdefault(position.key(), position)
        if first is not position:
            first.absorb(position)
    return list(by_key.values())


def merged(
    positions: Sequence[Position], zones: Sequence[int], limit: int, *, markers: bool, lists: bool
) -> list[Position] | None:
    """Return merged positions that cover all the given ones; ``None`` if more than `limit` remain.

    Only positions with equal sizes of `zones` are merged. With `markers`, the holders of markers must be equal, too.
    With `lists`, the number of lists that can still start must be equal, too.
    """
    groups: dict[object, list[Position]] = {}
    for position in positions:
        sizes = tuple([tuple(position.zones[zone]) for zone in zones])
        others = *(position.markers if markers else ()), *((position.lists,) if lists else ())
        groups.setdefault((others, sizes), []).append(position)
        if len(groups) > limit:
            return None
    return [hull(group) for group in groups.values()]


def hull(positions: list[Position]) -> Position:
    """Return one position that covers all the given positions."""
    first, *others = positions
    if not others:
        return first
    zones: list[list[Count]] = [
        owners[0][:] if owners.count(owners[0]) == len(owners) else [*map(_span, zip(*owners, strict=True))]
        for owners in zip(*(position.zones for position in positions), strict=True)
    ]
    result = Position(zones, first.markers[:], first.laid, first.laid_in_game)
    result.lists = max(position.lists for position in positions)
    for other in others:
        result.absorb(other)
    result.look()
    for marker in range(len(first.markers)):
        result.hold(marker, frozenset().union(*(position.holders(marker) for position in positions)))
    return result


def _span(cells: tuple[Count, ...]) -> Count:
    """Return the smallest range that contains all these numbers or ranges."""
    first = cells[0]
    if cells.count(first) == len(cells):
        return first
    low, high = fewest(first), most(first)
    for cell in cells:
        least, greatest = (cell, cell) if isinstance(cell, int) else (cell.low, cell.high)
        if least < low:  # noqa: PLR1730 (`min` takes three times as long)
            low = least
        if greatest > high:  # noqa: PLR1730
            high = greatest
    return between(low, high)
