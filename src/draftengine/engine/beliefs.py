"""Beliefs: what each seat knows about hidden zones and the choices of others.

For every hidden zone and owner, a viewer knows a multiset of cards that are certainly there, and nothing about the
other cards. A look makes the whole zone known. A card that leaves face up takes a known copy with it, if there is one.
A card that leaves unseen may have been any of the known cards, so one copy of each is dropped.

A viewer that knows all cards of a hand also sees what its owner left when making an open choice. A viewer that learns
the hand only later, because the hand is passed to it, can then reconstruct earlier choices. To make that possible, a
*trail* records each choice from the hand and each card that left or joined the hand.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.engine.program import Program

Known = dict[int, int]
"""The number of known copies of each card."""


class DecisionContext(Struct, frozen=True, cache_hash=True):
    """A point of the game at which seats chose together, with the public facts that all of them saw."""

    decision: int
    """The index of the choice among the instructions of the program."""
    round: int
    turns: tuple[int, ...]
    words: tuple[int, ...]
    scores: tuple[int, ...]
    markers: tuple[int, ...]


class Pick(Struct, frozen=True, cache_hash=True):
    """The move of one seat, with the hand that it chose from."""

    seat: int
    hand: tuple[int, ...]
    """The faces in the zone from which the seat took cards, in ascending order."""
    move: tuple[int, ...]


ObservedPicks = tuple[DecisionContext, tuple[Pick, ...]]
"""Choices of others at one point of the game, from hands that the viewer knew then or learned later."""


class UnknownPick(Struct, frozen=True):
    """A choice of another seat from a hand that the viewer did not know."""

    moment: DecisionContext
    seat: int
    move: tuple[int, ...]


Departure = tuple[int, int]
"""A face, and the change of its copies when going back in time: 1 if a card left, -1 if one came."""

HandHistory = tuple[UnknownPick | Departure, ...]
"""The changes to a hand since the first choice from it that the viewer has yet to learn, in order."""


class Beliefs:
    """The beliefs of all seats: known cards and trails by viewer, zone and owner, and observed picks."""

    __slots__ = ("known_cards", "trails", "watched")

    def __init__(
        self, known: list[list[list[Known]]], watched: list[list[ObservedPicks]], trails: list[list[list[HandHistory]]]
    ) -> None:
        self.known_cards = known
        self.watched = watched
        self.trails = trails

    @classmethod
    def empty(cls, program: Program) -> Beliefs:
        """Return beliefs in which nobody knows anything about hidden zones."""
        owners = [program.seats if zone.per == "seat" else 1 for zone in program.zones]
        viewers = range(program.seats)
        return cls(
            [[[{} for _ in range(count)] for count in owners] for _ in viewers],
            [[] for _ in viewers],
            [[[()] * count for count in owners] for _ in viewers],
        )

    def clone(self) -> Beliefs:
        known = [[[dict(known) for known in zone] for zone in viewer] for viewer in self.known_cards]
        trails = [[zone[:] for zone in viewer] for viewer in self.trails]
        return Beliefs(known, [viewer[:] for viewer in self.watched], trails)

    def look(self, viewer: int, zone: int, owner: int, cards: Iterable[int]) -> None:
        """Record that `viewer` sees all cards of a zone, and work out the earlier choices that this reveals."""
        known: Known = {}
        for card in cards:
            known[card] = known.get(card, 0) + 1
        self.known_cards[viewer][zone][owner] = known
        if self.trails[viewer][zone][owner]:
            self._look_back(viewer, zone, owner)

    def _look_back(self, viewer: int, zone: int, owner: int) -> None:
        """Reconstruct the hands from which the choices on a trail were made, and clear the trail.

        The viewer knows which cards are left in the hand. From there, the trail is read backwards: cards that
        left are put back, and cards that came are taken out.
        """
        trails = self.trails[viewer][zone]
        hand, watched = Counter(self.known_cards[viewer][zone][owner]), list[ObservedPicks]()
        for step in reversed(trails[owner]):
            if isinstance(step, UnknownPick):
                watched.append((step.moment, (Pick(step.seat, tuple(sorted(hand.elements())), step.move),)))
            else:
                face, more = step
                hand[face] += more
        self.watched[viewer] += reversed(watched)
        trails[owner] = ()

    def watch(self, zone: int, moment: DecisionContext, picks: Sequence[Pick], *, all_see: bool) -> None:
        """Record the open choices that seats make together from their hands in a zone.

        A viewer that knows the hand of a seat learns what the seat left; with `all_see`, all viewers do. For
        any other viewer, the choice joins the trail of the hand, because the viewer may see that hand later.
        """
        for viewer, zones in enumerate(self.known_cards):
            hands, followed = zones[zone], list[Pick]()
            for pick in picks:
                if pick.seat == viewer:
                    continue
                if all_see or sum(hands[pick.seat].values()) == len(pick.hand):
                    if self.trails[viewer][zone][pick.seat]:
                        self._look_back(viewer, zone, pick.seat)
                    followed.append(pick)
                else:
                    self.trails[viewer][zone][pick.seat] += (UnknownPick(moment, pick.seat, pick.move),)
            if followed:
                self.watched[viewer].append((moment, tuple(followed)))

    def leave(self, zone: int, owner: int, card: int, seen_by: int) -> None:
        """Record that one card leaves a zone. The seats whose bits are set in `seen_by` see which card."""
        for viewer, zones in enumerate(self.known_cards):
            known, trails = zones[zone][owner], self.trails[viewer][zone]
            if seen_by >> viewer & 1:
                _drop(known, card)
                if trails[owner]:
                    trails[owner] += ((card, 1),)
            else:
                for other in list(known):
                    _drop(known, other)
                trails[owner] = ()

    def arrive(self, zone: int, owner: int, card: int, seen_by: int) -> None:
        """Record that one card comes to a zone. The seats whose bits are set in `seen_by` see which card."""
        for viewer, zones in enumerate(self.known_cards):
            known, trails = zones[zone][owner], self.trails[viewer][zone]
            if seen_by >> viewer & 1:
                known[card] = known.get(card, 0) + 1
                if trails[owner]:
                    trails[owner] += ((card, -1),)
            else:
                trails[owner] = ()

    def move_all(self, source: int, owner: int, target: int, target_owner: int) -> None:
        """Record that all cards of a zone move to another.

        Known cards stay known; the zone's trail is dropped.
        """
        for trails in self.trails:
            trails[source][owner] = trails[target][target_owner] = ()
        for zones in self.known_cards:
            moved, zones[source][owner] = zones[source][owner], {}
            known = zones[target][target_owner]
            for card, copies in moved.items():
                known[card] = known.get(card, 0) + copies

    def rotate(self, zone: int, owners: Sequence[int], step: int) -> None:
        """Shift the beliefs about a zone by `step` seats in the order `owners`, because its cards are passed."""
        for zones, trails in zip(self.known_cards, self.trails, strict=True):
            _rotate(zones[zone], owners, step)
            _rotate(trails[zone], owners, step)

    def forget(self, zone: int) -> None:
        """Forget all known cards and trails of a zone that is shuffled or emptied."""
        for zones in self.known_cards:
            zones[zone] = [{} for _ in zones[zone]]
        for trails in self.trails:
            trails[zone] = [()] * len(trails[zone])

    def to_json(self) -> list[Any]:
        """Return the known cards as sorted (card, copies) pairs, by viewer, zone and owner."""
        return [
            [[sorted(known.items()) if known else [] for known in zone] for zone in viewer]
            for viewer in self.known_cards
        ]

    def choices_to_json(self) -> dict[str, Any]:
        """Return observed picks and trails as plain data. Shared objects are converted once."""
        known: dict[int, Any] = {}

        def plain(item: DecisionContext | Pick) -> Any:
            encoded = known.get(id(item))
            if encoded is None:
                encoded = known[id(item)] = msgspec.to_builtins(item)
            return encoded

        watched = [
            [(plain(moment), tuple(map(plain, picks))) for moment, picks in by_viewer] for by_viewer in self.watched
        ]
        return {"watched": watched, "trails": msgspec.to_builtins(self.trails)}


def _rotate(things: list[Any], owners: Sequence[int], step: int) -> None:
    before = [things[owner] for owner in owners]
    for index, owner in enumerate(owners):
        things[owner] = before[(index - step) % len(owners)]


def _drop(known: Known, card: int) -> None:
    copies = known.get(card, 0)
    if copies > 1:
        known[card] = copies - 1
    elif copies:
        del known[card]
