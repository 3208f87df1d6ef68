"""What each seat remembers of hidden zones.

For every hidden zone and owner, a viewer knows a multiset of cards that are certainly there; the rest of the zone is
unknown to it. Looking makes a zone wholly known; a card that leaves in the open takes a known copy with it if there is
one (the rest of the zone is then exactly the remaining known cards plus as many unknown ones as before); a card that
leaves unseen can at most take known copies away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.engine.program import Program

Known = dict[int, int]
"""Copies by card."""


class Memory:
    """Known cards by viewer, zone and owner."""

    __slots__ = ("known",)

    def __init__(self, known: list[list[list[Known]]]) -> None:
        self.known = known

    @classmethod
    def empty(cls, program: Program) -> Memory:
        """Nobody knows anything of any hidden zone."""
        owners = [program.seats if zone.per == "seat" else 1 for zone in program.zones]
        return cls([[[{} for _ in range(count)] for count in owners] for _ in range(program.seats)])

    def clone(self) -> Memory:
        return Memory([[[dict(known) for known in zone] for zone in viewer] for viewer in self.known])

    def look(self, viewer: int, zone: int, owner: int, cards: Iterable[int]) -> None:
        """`viewer` sees all cards of a zone."""
        known: Known = {}
        for card in cards:
            known[card] = known.get(card, 0) + 1
        self.known[viewer][zone][owner] = known

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

    @classmethod
    def from_json(cls, data: list[Any]) -> Memory:
        return cls([[[dict(map(tuple, known)) for known in zone] for zone in viewer] for viewer in data])


def _drop(known: Known, card: int) -> None:
    copies = known.get(card, 0)
    if copies > 1:
        known[card] = copies - 1
    elif copies:
        del known[card]
