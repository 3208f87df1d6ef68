"""Step lists of cards, actions and triggers, and steps that seats carry out in turn, in a dry run."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from draftengine.model.cardset.effects import without_groups
from draftengine.model.flow.positions import between, fewest, hull, most
from draftengine.model.records.record import referenced_names
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.piles import ClearStep, GatherStep, MoveStep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.model.flow.dry_run import DryRun
    from draftengine.model.flow.positions import Position
    from draftengine.model.verbs.verb import Step
    from draftengine.model.verbs.who import Who

_LISTS, _MOST_LISTS = 3, 40
"""The number of lists after a choice that are followed exactly, and the most followed one by one."""


class PendingLists:
    """The step lists of one run."""

    def __init__(self, run: DryRun) -> None:
        self.run = run
        self.seat: int | None = None
        """The seat whose list is being followed; None outside lists."""
        self.all = run.game.lists
        self.most = sum(copies for _, copies in self.all)
        """The number of lists: one for each card that starts one."""
        self.come_back = any(self.brings_back(step) for steps, _ in self.all for step in without_groups(steps))
        """True if lists can bring played cards back."""

    def brings_back(self, step: Step) -> bool:
        """True if a step can bring played cards back."""
        if isinstance(step, ClearStep) or (isinstance(step, MoveStep) and step.to == "discard"):
            return False
        sources = referenced_names(step, "zone", "from")
        return isinstance(step, GatherStep) or any(
            source == "discard" or self.run.zone_named[source].counts for source in sources
        )

    def back(self, positions: list[Position]) -> list[Position]:
        """Let all lists start again, because played cards have come back."""
        for position in positions:
            position.lists = self.most
        return self.run.apart.limit(positions)

    def run_pending(self, positions: list[Position]) -> list[Position]:
        """Run the lists of played cards. Any seats may carry out any number of them."""
        if self.seat is not None or not self.all:
            return positions
        after = []
        for position in positions:
            reached = [position]
            while reached[-1].lists:
                reached.append(self._with_one(reached[-1]))
                if len(reached) > _LISTS and reached[-1].lists:
                    before, last = reached[-2:]
                    result = hull(reached)
                    result.lists = last.lists
                    while result.lists and last.lists <= _MOST_LISTS and not self.run.apart.exhausted:
                        before, last = result, self._with_one(result)
                        result = hull([before, last])
                        result.lists = last.lists
                    with_more = self._with_any(result, before, last) if result.lists else result
                    reached.append(with_more)
            after += [hull(reached)] if self.come_back else reached
        return self.back(after) if self.come_back else self.run.apart.limit(after)

    def run_in_turn(
        self, steps: tuple[Step, ...], positions: list[Position], *, perhaps: bool, ordered: bool
    ) -> list[Position]:
        """Run steps that each player carries out in turn or, with `perhaps`, may skip.

        If the order depends on play (`ordered`), any player may end up in the situation of any other. Lists that cards
        start on the way, and triggers on reveals, may run before or after the steps of others.
        """
        positions = self._revealed(steps, self.run_pending(positions))
        for seat in range(self.run.players):
            before = [position.copy() for position in positions]
            after = self._by(seat, steps, positions)
            positions = [hull([*before, *after])] if perhaps else after
        positions = [self._any_player(position) for position in positions] if ordered else positions
        return self._revealed(steps, self.run_pending(positions))

    def run_by_others(self, who: Who, steps: tuple[Step, ...], positions: list[Position]) -> list[Position]:
        """Run steps of a list for the seats that `who` names: any seats, if it depends on play who they are."""
        sure = who.is_everyone or who.beside == "others"
        for seat in range(self.run.players):
            if who.beside is not None and seat == self.seat:
                continue
            before = [] if sure else [position.copy() for position in positions]
            positions = [hull([*before, *self._by(seat, steps, positions)])]
        return positions

    def run_one_of(self, lists: Sequence[tuple[Step, ...]], positions: list[Position]) -> list[Position]:
        """Let every player, or the one that is followed, carry out one of the lists or none."""
        if not positions or not lists:
            return positions
        if self.seat is not None:
            return [hull([*(position.copy() for position in positions), *self._any_of(self.seat, lists, positions)])]
        positions = self.run_pending(positions)
        for seat in range(self.run.players):
            before = [position.copy() for position in positions]
            positions = [hull([*before, *self._any_of(seat, lists, positions)])]
        return self.run_pending([self._any_player(position) for position in positions])

    def of_triggers(self, steps: tuple[Step, ...], positions: list[Position]) -> list[Position]:
        """Let any players carry out a trigger's list. Inside other lists, triggers wait."""
        return positions if self.seat is not None else self.run_one_of([steps], positions)

    def _revealed(self, steps: tuple[Step, ...], positions: list[Position]) -> list[Position]:
        """Run the reveal triggers as many times as these steps play cards."""
        waiting = self.run.game.lists_after.get("reveal", ())
        for step in without_groups(steps) if waiting else ():
            if isinstance(step, ChooseStep) and step.plays(self.run.zone_named):
                for listed in waiting:
                    positions = self.run_one_of([listed], positions)
        return positions

    def _any_of(self, seat: int, lists: Sequence[tuple[Step, ...]], positions: list[Position]) -> list[Position]:
        return [after for listed in lists for after in self._by(seat, listed, positions)]

    def _by(self, seat: int, steps: tuple[Step, ...], positions: list[Position]) -> list[Position]:
        """Run steps for one player."""
        outer, self.seat = self.seat, seat
        after = self.run.run_all(steps, [position.copy() for position in positions])
        self.seat = outer
        return after

    def _with_one(self, position: Position) -> Position:
        """Return the position after one list of any seat."""
        after = []
        # Group the players by equal numbers of cards in all their zones.
        groups: dict[object, list[int]] = {}
        owned = [cells for cells, zone in zip(position.zones, self.run.zones, strict=True) if zone.per == "seat"]
        for seat in range(self.run.players):
            groups.setdefault(tuple([cells[seat] for cells in owned]), []).append(seat)
        seats_alike = list(groups.values())
        for (steps, _), alike in product(self.all, seats_alike):
            self.seat = alike[0]
            after += [self._spread(alike, position, reached) for reached in self.run.run_all(steps, [position.copy()])]
        self.seat = None
        result = hull(after)
        result.lists = position.lists - 1
        return result

    def _with_any(self, position: Position, before: Position, last: Position) -> Position:
        """Return one position for more lists than can be followed: a count that changed may be anything."""
        for zone, (cells, old) in enumerate(zip(last.zones, before.zones, strict=True)):
            for owner in range(len(cells)):
                if cells[owner] != old[owner]:
                    position.zones[zone][owner] = between(0, self.run.apart.all_cards)
        position.exact = False
        more = self._with_one(position.copy())
        for laid, after in ((position.laid, more.laid), (position.laid_in_game, more.laid_in_game)):
            for seat, count in enumerate(after):
                laid[seat] += last.lists * (count - laid[seat])
        self.run.counts.laid(max(position.laid), max(position.laid_in_game))
        position.lists = 0
        position.look()
        return self.run.apart.tighten([position])[0]

    def _any_player(self, position: Position) -> Position:
        """Change a position so that any player may have what any other has, and return it."""
        players = self.run.players
        for cells, zone in zip(position.zones, self.run.zones, strict=True):
            if zone.per == "seat":
                sizes = cells[:players]
                cells[:players] = [between(min(map(fewest, sizes)), max(map(most, sizes)))] * players
        position.laid[:players] = [max(position.laid[:players])] * players
        position.laid_in_game[:players] = [max(position.laid_in_game[:players])] * players
        position.look()
        return position

    def _spread(self, alike: list[int], before: Position, after: Position) -> Position:
        """Change `after` so that any player of the group may have acted, not just its first. Return it."""
        for cells, old, zone in zip(after.zones, before.zones, self.run.zones, strict=True):
            if zone.per == "seat" and len(alike) > 1 and any(cells[seat] != old[seat] for seat in alike):
                sizes = [sizes_of[seat] for sizes_of in (cells, old) for seat in alike]
                either = between(min(map(fewest, sizes)), max(map(most, sizes)))
                for seat in alike:
                    cells[seat] = either
        for laid, before_it in ((after.laid, before.laid), (after.laid_in_game, before.laid_in_game)):
            more = max(laid[seat] - before_it[seat] for seat in alike)
            for seat in alike:
                laid[seat] = before_it[seat] + more
        after.look()
        return after
