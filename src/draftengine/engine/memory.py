"""What each seat remembers: of hidden zones, and of what others chose.

For every hidden zone and owner, a viewer knows a multiset of cards that are certainly there; the rest of the zone is
unknown to it. Looking makes a zone wholly known; a card that leaves in the open takes a known copy with it if there is
one (the rest of the zone is then exactly the remaining known cards plus as many unknown ones as before); a card that
leaves unseen can at most take known copies away.

Who knows all cards of a hand also sees what its owner left when it took something in the open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.engine.program import Program

Known = dict[int, int]
"""Copies by card."""


class Moment(Struct, frozen=True, cache_hash=True):
    """When seats chose together, and what all of them could see then."""

    decision: int
    """Where in the program."""
    round: int
    turns: tuple[int, ...]
    words: tuple[int, ...]
    scores: tuple[int, ...]
    markers: tuple[int, ...]


class Pick(Struct, frozen=True, cache_hash=True):
    """What a seat chose from what."""

    seat: int
    hand: tuple[int, ...]
    """The faces in the zone that it took from, in ascending order."""
    move: tuple[int, ...]


Watched = tuple[Moment, tuple[Pick, ...]]
"""Choices of others that a seat could follow: it knew the whole hand, and saw what was taken."""


class Memory:
    """Known cards by viewer, zone and owner; and what was watched, by viewer."""

    __slots__ = ("known", "watched")

    def __init__(self, known: list[list[list[Known]]], watched: list[list[Watched]]) -> None:
        self.known = known
        self.watched = watched

    @classmethod
    def empty(cls, program: Program) -> Memory:
        """Nobody knows anything of any hidden zone."""
        owners = [program.seats if zone.per == "seat" else 1 for zone in program.zones]
        viewers = range(program.seats)
        return cls([[[{} for _ in range(count)] for count in owners] for _ in viewers], [[] for _ in viewers])

    def clone(self) -> Memory:
        known = [[[dict(known) for known in zone] for zone in viewer] for viewer in self.known]
        return Memory(known, [own[:] for own in self.watched])

    def look(self, viewer: int, zone: int, owner: int, cards: Iterable[int]) -> None:
        """`viewer` sees all cards of a zone."""
        known: Known = {}
        for card in cards:
            known[card] = known.get(card, 0) + 1
        self.known[viewer][zone][owner] = known

    def watch(self, zone: int, moment: Moment, picks: Sequence[Pick], *, all_see: bool) -> None:
        """Seats take cards from a zone, in the open and together: who knows what one of them had sees what it left."""
        for viewer, zones in enumerate(self.known):
            hands = zones[zone]
            followed = tuple(
                own
                for own in picks
                if own.seat != viewer and (all_see or sum(hands[own.seat].values()) == len(own.hand))
            )
            if followed:
                self.watched[viewer].append((moment, followed))

    def leave(self, zone: int, owner: int, card: int, seen_by: Sequence[bool]) -> None:
        """One card leaves a zone; the others see which if `seen_by` says so."""
        for viewer, zones in enumerate(self.known):
            known = zones[zone][owner]
            if seen_by[viewer]:
                _drop(known, card)
            else:
                for other in list(known):
                    _drop(known, other)

    def arrive(self, zone: int, owner: int, card: int, seen_by: Sequence[bool]) -> None:
        """One card comes to a zone; those who see it know that it is there."""
        for viewer, zones in enumerate(self.known):
            if seen_by[viewer]:
                known = zones[zone][owner]
                known[card] = known.get(card, 0) + 1

    def move_all(self, source: int, owner: int, target: int, target_owner: int) -> None:
        """A whole zone is put into another: what was known of it is known there."""
        for zones in self.known:
            moved, zones[source][owner] = zones[source][owner], {}
            known = zones[target][target_owner]
            for card, copies in moved.items():
                known[card] = known.get(card, 0) + copies

    def rotate(self, zone: int, owners: Sequence[int], step: int) -> None:
        """The contents of a zone travel `step` places along `owners`."""
        for zones in self.known:
            before = [zones[zone][owner] for owner in owners]
            for index, owner in enumerate(owners):
                zones[zone][owner] = before[(index - step) % len(owners)]

    def forget(self, zone: int) -> None:
        """A zone is shuffled or emptied: nothing is known of it."""
        for zones in self.known:
            zones[zone] = [{} for _ in zones[zone]]

    def to_json(self) -> list[Any]:
        """Known cards as sorted [card, copies] pairs."""
        return [
            [[sorted([card, copies] for card, copies in known.items()) for known in zone] for zone in viewer]
            for viewer in self.known
        ]

    def watched_to_json(self) -> list[Any]:
        """What was watched, as plain data."""
        data: list[Any] = msgspec.to_builtins(self.watched)
        return data

    @classmethod
    def from_json(cls, known: list[Any], watched: list[Any]) -> Memory:
        return cls(
            [[[dict(map(tuple, known)) for known in zone] for zone in viewer] for viewer in known],
            msgspec.convert(watched, list[list[Watched]]),
        )


def _drop(known: Known, card: int) -> None:
    copies = known.get(card, 0)
    if copies > 1:
        known[card] = copies - 1
    elif copies:
        del known[card]
