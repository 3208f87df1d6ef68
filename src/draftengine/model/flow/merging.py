"""How many positions are told apart, and what those that stand for many still say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.language.evaluate import references
from draftengine.model.records.record import formulas_in, referenced_names
from draftengine.model.verbs import choose, clear, deal, gather
from draftengine.model.verbs.positions import between, distinct, hull, merged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.flow.key import FlowKey
    from draftengine.model.verbs.positions import Position
    from draftengine.model.verbs.verb import Step

_FEW, _MAX_POSITIONS = 16, 128
"""So many positions are never merged; and so many are not if little had to be followed yet."""
MAX_FOLLOWED = 200_000
"""So much of a flow is followed, which takes a fifth of a second (see `Merger.follow`); games need a few thousand. The
more of it is used up, the fewer positions are told apart, and at four times as much the file is refused."""
_AT_ONCE = 8
"""So many exact numbers take no longer than one that is not exact."""
_MOST_LISTS = 32
"""So many numbers of lists that can still be started are told apart."""
_MAX_WAYS = 256
"""So many ways positions are told apart in, where a step asks for what merged ones do not say."""


class Merger:
    """The positions of one run, and how much of it has been followed."""

    def __init__(self, game: FlowKey) -> None:
        self.game = game
        self.zones = {zone.id: index for index, zone in enumerate(game.zones)}
        self.markers = {marker.id: index for index, marker in enumerate(game.markers)}
        self.decisive = tuple(dict.fromkeys(self._telling_zones()))
        """The zones of which positions that are merged still tell the sizes, as far as can be."""
        self.tracked = tuple(
            index
            for index, zone in enumerate(game.zones)
            if index in self.decisive or not (zone.counts or zone.id == "discard")
        )
        """The zones whose sizes matter to more than the total."""
        self.all_cards = sum(game.start)
        self.groups = tuple((zones, sum(game.start[zone] for zone in zones)) for zones in self._circles())
        """The zones among which cards stay that lie there at first, and how many cards that are."""
        self.piles = sum(1 if zone.per == "table" else game.seats for zone in game.zones)
        """How many piles of cards there are."""
        self.work = 0
        self._asked: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def follow(self, positions: list[Position]) -> None:
        """Count what there was to follow; where every number is known, many of them are soon done."""
        self.work += sum(_AT_ONCE + self.piles // _AT_ONCE if position.exact else self.piles for position in positions)

    def limit(self, positions: list[Position], share: int = 1) -> list[Position]:
        """Each position once; where they are more than a share of what there is room for, some are merged."""
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
        """Has so much been followed that turns and rounds of which the number is known are no longer told apart."""
        return self.work > MAX_FOLLOWED

    def widen(self, positions: list[Position], before: list[Position]) -> list[Position]:
        """One position for all of these and those before: what has changed may have any size, so soon nothing does."""
        position = hull([*before, *positions])
        for zone, cells in enumerate(position.zones) if before else ():
            old = before[0].zones[zone]
            position.zones[zone] = [
                cell if cell == was else between(0, self.all_cards) for cell, was in zip(cells, old, strict=True)
            ]
        position.look()
        return self.tighten([position])

    def tighten(self, positions: list[Position]) -> list[Position]:
        """The positions, of which each knows that no card is made or lost."""
        for position in positions:
            if not position.exact:
                for zones, cards in self.groups:
                    position.tighten(cards, zones)
                position.look()
        return positions

    def split(self, step: Step, positions: list[Position]) -> list[Position]:
        """The positions, with what a step asks for known in each of them, as far as can be."""
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
        """What positions that are merged say exactly, if there is room: less and less.

        Of the markers, of the lists that can still be started, and of which zones. A deck from which lists draw has few
        cards, or many lists can still be started: who merges that believes that both can be.
        """
        yield True, True, self.decisive
        yield False, True, self.decisive
        if self.game.lists:
            yield False, True, ()
        for count in range(len(self.decisive), -1, -1):
            yield False, False, self.decisive[:count]

    def _telling_zones(self) -> Iterator[int]:
        """The zones on which it depends how the flow goes on: where deals take cards, and of which formulas ask."""
        for step in self.game.steps:
            if isinstance(step, deal.DealStep):
                yield self.zones[step.from_]
        for step in self.game.steps:
            yield from self._asked_by(step)[1]

    def _circles(self) -> Iterator[tuple[int, ...]]:
        """The zones in groups, between which no card ever goes."""
        steps, first = self.game.steps, list(range(len(self.zones)))
        together = [set(_joined(step)) for step in steps]
        anywhere = self.game.abilities or any(isinstance(step, gather.GatherStep) for step in steps)
        for names in [set(self.zones) if anywhere else {"hand", "tableau", "discard"}, *together]:
            joined = {first[self.zones[name]] for name in names}
            first = [min(joined) if lowest in joined else lowest for lowest in first]
        for start in sorted(set(first)):
            yield tuple(zone for zone, lowest in enumerate(first) if lowest == start)

    def _asked_by(self, step: Step) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The markers and zones on which it depends what a step does; what seats are asked never decides it."""
        decided = (formula for formula, _, reads, _ in formulas_in(step, "") if reads.where != "seat")
        read = {reference for formula in decided for reference in references(formula.expr)}
        holders = {name for function, name in read if function == "holds"} | referenced_names(step, "marker")
        sizes = {name for function, name in read if function == "cards"} - self.game.uncertain_zones
        return (
            tuple(sorted(self.markers[name] for name in holders)),
            tuple(sorted(self.zones[name] for name in sizes)),
        )


def _joined(step: Step) -> Iterable[str]:
    """The zones between which a step brings cards; all zones that it names, where that is not looked at closely."""
    names = referenced_names(step, "zone")
    if isinstance(step, clear.ClearStep):
        return names | {"discard"}
    if isinstance(step, choose.ChooseStep) and step.as_ and not step.also and not any(way.ask for way in step.as_):
        return {step.from_, *(way.to or step.to for way in step.as_ if not way.takes_none)}
    return names
