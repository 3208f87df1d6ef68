"""Merging and splitting of positions, so that a dry run follows few of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.flow.positions import between, distinct, hull, merged
from draftengine.model.language.evaluate import references
from draftengine.model.records.record import formulas_in, referenced_names
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import DealStep
from draftengine.model.verbs.piles import ClearStep, GatherStep

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.flow.key import FlowKey
    from draftengine.model.flow.positions import Position
    from draftengine.model.verbs.verb import Step

_FEW, _MAX_POSITIONS = 16, 128
"""The number of positions up to which nothing is merged, and the most after merging. Work lowers both."""
MAX_FOLLOWED = 200_000
"""A limit of work (see `Merger.follow`), which is about a fifth of a second.

Games need a few thousand. The more work has been done, the more positions are merged. At four times this limit, the
file is refused.
"""
_AT_ONCE = 8
"""A position with exact counts costs about this part of one with ranges."""
_MOST_LISTS = 32
"""The largest number of positions that differ only in the number of lists that can still start."""
_MAX_WAYS = 256
"""The largest number of positions into which one step may split its positions."""


class Merger:
    """The work that a run has done, and the rules by which its positions are merged."""

    def __init__(self, game: FlowKey) -> None:
        self.game = game
        self.zones = {zone.id: index for index, zone in enumerate(game.zones)}
        self.markers = {marker.id: index for index, marker in enumerate(game.markers)}
        self.decisive = tuple(dict.fromkeys(self._telling_zones()))
        """Zones whose sizes stay exact in merged positions as long as possible."""
        self.tracked = tuple(
            index
            for index, zone in enumerate(game.zones)
            if index in self.decisive or not (zone.counts or zone.id == "discard")
        )
        """Zones whose own sizes matter, not only their total."""
        self.all_cards = sum(game.start)
        self.groups = tuple((zones, sum(game.start[zone] for zone in zones)) for zones in self._circles())
        """Groups of zones whose cards never leave the group, each with its number of cards."""
        self.piles = sum(1 if zone.per == "table" else game.seats for zone in game.zones)
        """The number of piles: one for each zone and owner."""
        self.work = 0
        self._asked: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def follow(self, positions: list[Position]) -> None:
        """Add the work of following these positions. Exact ones cost less."""
        self.work += sum(_AT_ONCE + self.piles // _AT_ONCE if position.exact else self.piles for position in positions)

    def limit(self, positions: list[Position], share: int = 1) -> list[Position]:
        """Return each position once. Merge them if they exceed a share of the remaining room."""
        positions = distinct(positions)
        used = 8 * self.work // MAX_FOLLOWED
        if len(positions) <= max(1, _FEW >> used // 2):
            return positions
        self.follow(positions)
        room = max(1, _MAX_POSITIONS // share >> used)
        combined = merged(positions, self.tracked, room, markers=True, lists=True)
        for markers, lists, zones in self._told_of() if combined is None else ():
            few = _MOST_LISTS >> used // 4 if lists and not zones else room // 4
            combined = merged(positions, zones, max(1, few), markers=markers, lists=lists)
            if combined is not None:
                break
        return self.tighten(combined or positions)

    @property
    def exhausted(self) -> bool:
        """True if so much work has been done that turns and rounds are merged, too."""
        return self.work > MAX_FOLLOWED

    def widen(self, positions: list[Position], before: list[Position]) -> list[Position]:
        """Return one position for all of these and those before. Counts that changed may now be anything.

        This is the widening of abstract interpretation: after a few turns nothing changes any more.
        """
        position = hull([*before, *positions])
        for zone, cells in enumerate(position.zones) if before else ():
            old = before[0].zones[zone]
            position.zones[zone] = [
                cell if cell == was else between(0, self.all_cards) for cell, was in zip(cells, old, strict=True)
            ]
        position.look()
        return self.tighten([position])

    def tighten(self, positions: list[Position]) -> list[Position]:
        """Narrow the positions in place, using that no card is made or lost, and return them."""
        for position in positions:
            if not position.exact:
                for zones, cards in self.groups:
                    position.tighten(cards, zones)
                position.look()
        return positions

    def split(self, step: Step, positions: list[Position]) -> list[Position]:
        """Return the positions, split by the markers and sizes that a step reads, as far as possible."""
        if id(step) not in self._asked:
            self._asked[id(step)] = self._asked_by(step)
        markers, zones = self._asked[id(step)]
        if not (markers or zones) or all(position.exact for position in positions):
            return positions
        if zones and len(positions) > _FEW:
            positions = self.limit(positions, share=8)
        ways = (_MAX_WAYS >> 4 * self.work // MAX_FOLLOWED) // len(positions)
        return distinct([way for position in positions for way in position.split(markers, zones, ways)])

    def _told_of(self) -> Iterator[tuple[bool, bool, tuple[int, ...]]]:
        """Yield (markers, lists, zones) that merged positions keep exact, from more to less.

        Lists and sizes belong together: either a deck from which lists draw is small, or many lists can still start. A
        position that merges these cases allows both at once.
        """
        yield True, True, self.decisive
        yield False, True, self.decisive
        if self.game.lists:
            yield False, True, ()
        for count in range(len(self.decisive), -1, -1):
            yield False, False, self.decisive[:count]

    def _telling_zones(self) -> Iterator[int]:
        """Yield the zones that decide how the flow continues: deals take from them, or formulas read them."""
        for step in self.game.steps:
            if isinstance(step, DealStep):
                yield self.zones[step.from_]
        for step in self.game.steps:
            yield from self._asked_by(step)[1]

    def _circles(self) -> Iterator[tuple[int, ...]]:
        """Yield groups of zones. No card ever moves from one group to another."""
        steps, first = self.game.steps, list(range(len(self.zones)))
        together = [set(_joined(step)) for step in steps]
        anywhere = self.game.abilities or any(isinstance(step, GatherStep) for step in steps)
        for names in [set(self.zones) if anywhere else {"hand", "tableau", "discard"}, *together]:
            joined = {first[self.zones[name]] for name in names}
            first = [min(joined) if lowest in joined else lowest for lowest in first]
        for start in sorted(set(first)):
            yield tuple(zone for zone, lowest in enumerate(first) if lowest == start)

    def _asked_by(self, step: Step) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the markers and zones that decide what a step does. Formulas about seats are left out."""
        decided = (formula for formula, _, reads, _ in formulas_in(step, "") if reads.where != "seat")
        read = {reference for formula in decided for reference in references(formula.expr)}
        holders = {name for function, name in read if function == "holds"} | referenced_names(step, "marker")
        sizes = {name for function, name in read if function == "cards"} - self.game.uncertain_zones
        return (
            tuple(sorted(self.markers[name] for name in holders)),
            tuple(sorted(self.zones[name] for name in sizes)),
        )


def _joined(step: Step) -> Iterable[str]:
    """Return the zones between which a step moves cards. In doubt, return all that it names."""
    names = referenced_names(step, "zone")
    if isinstance(step, ClearStep):
        return names | {"discard"}
    if isinstance(step, ChooseStep) and step.as_ and not step.also and not any(way.ask for way in step.as_):
        return {step.from_, *(way.to or step.to for way in step.as_ if not way.takes_none)}
    return names
