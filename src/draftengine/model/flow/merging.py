"""Merging and splitting of positions, so that a dry run follows only a few of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.flow.positions import between, distinct, hull, merged
from draftengine.model.language.evaluate import references
from draftengine.model.records import formulas_in, referenced_names
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import DealStep
from draftengine.model.verbs.piles import ClearStep, GatherStep

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.model.flow.key import FlowKey
    from draftengine.model.flow.positions import Position
    from draftengine.model.verbs.verb import Step

_FEW, _MAX_POSITIONS = 16, 128
"""The number of positions up to which none are merged, and the largest number that merging leaves.

Both numbers get smaller as the dry run does more work.
"""
MAX_FOLLOWED = 200_000
"""A limit for the work of a dry run (see `Merger.follow`). That work takes about a fifth of a second.

Most games need a few thousand units. As the work grows, more positions are merged. At four times this limit, the file
is refused.
"""
_AT_ONCE = 8
"""The factor by which an exact position costs less work than a position with ranges."""
_MOST_LISTS = 32
"""The largest number of positions that differ only in the number of step lists that can still start."""
_MAX_WAYS = 256
"""The largest number of positions into which the positions before a step may be split."""


class Merger:
    """Merges and splits the positions of a dry run, and adds up its work."""

    def __init__(self, game: FlowKey) -> None:
        self.game = game
        self.zones = {zone.id: index for index, zone in enumerate(game.zones)}
        self.markers = {marker.id: index for index, marker in enumerate(game.markers)}
        dealt_from = [self.zones[step.from_] for step in game.steps if isinstance(step, DealStep)]
        read = [zone for step in game.steps for zone in self._read_by(step)[1]]
        self.decisive = tuple(dict.fromkeys(dealt_from + read))
        """The zones whose sizes decide how the flow continues. Merging keeps these exact as long as possible."""
        self.tracked = tuple(
            index
            for index, zone in enumerate(game.zones)
            if index in self.decisive or not (zone.counts or zone.id == "discard")
        )
        """The zones whose sizes are exact in the first attempt to merge."""
        self.all_cards = sum(game.start)
        lowest = list(range(len(self.zones)))
        anywhere = game.abilities or any(isinstance(step, GatherStep) for step in game.steps)
        moving = set(self.zones) if anywhere else {"hand", "tableau", "discard"}
        for names in (moving, *map(_joined, game.steps)):
            joined = {lowest[self.zones[name]] for name in names}
            lowest = [min(joined) if group in joined else group for group in lowest]
        groups = [tuple(zone for zone, group in enumerate(lowest) if group == first) for first in sorted(set(lowest))]
        self.groups = tuple((zones, sum(game.start[zone] for zone in zones)) for zones in groups)
        """Groups of zones between which no cards move, each with its number of cards."""
        self.piles = sum(1 if zone.per == "table" else game.seats for zone in game.zones)
        """The number of piles of cards: a zone of each seat has one for each seat, a shared zone has one."""
        self.work = 0
        self._known_reads: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def follow(self, positions: list[Position]) -> None:
        """Add the work of following these positions. An exact position costs less work."""
        self.work += sum(_AT_ONCE + self.piles // _AT_ONCE if position.exact else self.piles for position in positions)

    def limit(self, positions: list[Position], share: int = 1) -> list[Position]:
        """Return each position once. If there are too many, merge them.

        With a larger `share`, fewer positions may remain.
        """
        positions = distinct(positions)
        used = 8 * self.work // MAX_FOLLOWED
        if len(positions) <= max(1, _FEW >> used // 2):
            return positions
        self.follow(positions)
        room = max(1, _MAX_POSITIONS // share >> used)
        combined = merged(positions, self.tracked, room, markers=True, lists=True)
        # What merging can keep exact, beginning with the most. The number of lists and the sizes of zones belong
        # together: if lists draw cards, either the deck is small or many lists can still start. A position that merges
        # these cases would allow both at once.
        levels = [
            (True, True, self.decisive),
            (False, True, self.decisive),
            *([(False, True, ())] if self.game.lists else []),
            *((False, False, self.decisive[:count]) for count in range(len(self.decisive), -1, -1)),
        ]
        for markers, lists, zones in levels if combined is None else ():
            few = _MOST_LISTS >> used // 4 if lists and not zones else room // 4
            combined = merged(positions, zones, max(1, few), markers=markers, lists=lists)
            if combined is not None:
                break
        return self.tighten(combined or positions)

    @property
    def exhausted(self) -> bool:
        """True if so much work has been done that positions of different turns and rounds are merged, too."""
        return self.work > MAX_FOLLOWED

    def widen(self, positions: list[Position], before: list[Position]) -> list[Position]:
        """Return one position that represents `positions` and the earlier positions `before`.

        Each count that differs between them gets the widest range. This is the *widening* of abstract interpretation:
        it ensures that nothing changes any more after a few turns.
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
        """Narrow the ranges of the positions in place, as no cards appear or vanish. Return the positions."""
        for position in positions:
            if not position.exact:
                for zones, cards in self.groups:
                    position.tighten(cards, zones)
                position.look()
        return positions

    def split(self, step: Step, positions: list[Position]) -> list[Position]:
        """Split the positions so that each holder and zone size that a step reads is exact, if possible.

        If there would be too many positions, some sizes remain ranges.
        """
        if id(step) not in self._known_reads:
            self._known_reads[id(step)] = self._read_by(step)
        markers, zones = self._known_reads[id(step)]
        if not (markers or zones) or all(position.exact for position in positions):
            return positions
        if zones and len(positions) > _FEW:
            positions = self.limit(positions, share=8)
        ways = (_MAX_WAYS >> 4 * self.work // MAX_FOLLOWED) // len(positions)
        return distinct([way for position in positions for way in position.split(markers, zones, ways)])

    def _read_by(self, step: Step) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the markers and zones that formulas of a step read, except formulas about seats."""
        decided = (formula for formula, _, reads, _ in formulas_in(step, "") if reads.where != "seat")
        read = {reference for formula in decided for reference in references(formula.expr)}
        holders = {name for function, name in read if function == "holds"} | referenced_names(step, "marker")
        sizes = {name for function, name in read if function == "cards"} - self.game.uncertain_zones
        return (
            tuple(sorted(self.markers[name] for name in holders)),
            tuple(sorted(self.zones[name] for name in sizes)),
        )


def _joined(step: Step) -> Iterable[str]:
    """Return the zones between which a step moves cards. In doubt, return all zones that the step names."""
    names = referenced_names(step, "zone")
    if isinstance(step, ClearStep):
        return names | {"discard"}
    if isinstance(step, ChooseStep) and step.as_ and not step.also and not any(way.ask for way in step.as_):
        return {*step.sources, *(way.to or step.to for way in step.as_ if not way.takes_none)}
    return names
