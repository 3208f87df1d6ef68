"""The steps of a dry run that seats carry out alone: step lists, and steps within `in_turn` and `do`."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from draftengine.model.cardset.effects import without_groups
from draftengine.model.flow.positions import between, fewest, hull, most
from draftengine.model.language.macros import OTHERS
from draftengine.model.records import referenced_names
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.piles import ClearStep, GatherStep, MoveStep
from draftengine.model.verbs.turns import DoStep

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.model.flow.dry_run import DryRun
    from draftengine.model.flow.positions import Position
    from draftengine.model.verbs.verb import Step
    from draftengine.model.verbs.who import Who

_LISTS, _MOST_LISTS = 3, 40
"""The numbers of step lists after a choice that are followed exactly, and one by one.

All further lists are followed together.
"""


class PendingLists:
    """Follows the step lists of one dry run."""

    def __init__(self, run: DryRun) -> None:
        self.run = run
        self.seat: int | None = None
        """The seat that carries out the current list; None outside lists."""
        self.meant: tuple[Who | None, int] = None, -1
        """While a step with the zone of another seat is followed: the `who` of that seat, and its number."""
        self.all = run.game.lists
        self.most = sum(copies for _, copies in self.all)
        """The largest number of lists that can start: one for each card that starts a list."""
        self.come_back = any(self.brings_back(step) for steps, _ in self.all for step in without_groups(steps))
        """True if a list can bring played cards back, so that they can start their lists again."""

    def brings_back(self, step: Step) -> bool:
        """True if a step can take cards from the discard pile or from a zone where cards count."""
        if isinstance(step, ClearStep) or (isinstance(step, MoveStep) and step.to == "discard"):
            return False
        sources = referenced_names(step, "zone", "from")
        return isinstance(step, GatherStep) or any(
            source == "discard" or self.run.zone_named[source].counts for source in sources
        )

    def back(self, positions: list[Position]) -> list[Position]:
        """Return the positions after played cards have come back, so that all lists can start again."""
        for position in positions:
            position.lists = self.most
        return self.run.apart.limit(positions)

    def run_pending(self, positions: list[Position]) -> list[Position]:
        """Run the lists that played cards may have started. Any seat may carry out any number of them."""
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
        self,
        steps: tuple[Step, ...],
        positions: list[Position],
        *,
        perhaps: bool = False,
        ordered: bool = False,
        seats: Sequence[int] | None = None,
    ) -> list[Position]:
        """Run steps that all players, or `seats`, carry out in turn. With `perhaps`, one may be left out.

        If the order of players depends on play (`ordered`), any player may have what any other player has at the end.
        Lists that cards start meanwhile, and triggers of reveals, may run before or after the steps of other players.
        """
        positions = self._revealed(steps, self.run_pending(positions))
        for seat in range(self.run.players) if seats is None else seats:
            before = [position.copy() for position in positions]
            after = self._by(seat, steps, positions)
            positions = [hull([*before, *after])] if perhaps else after
        positions = [self._any_player(position) for position in positions] if ordered else positions
        return self._revealed(steps, self.run_pending(positions))

    def run_by_others(self, who: Who, steps: tuple[Step, ...], positions: list[Position]) -> list[Position]:
        """Run steps of a list for the seats that `who` names; if that depends on play, for any seats."""
        if who == self.meant[0]:
            return self._by(self.meant[1], steps, positions)
        if who.is_one:
            nobody = [] if who.beside else [position.copy() for position in positions]
            return [hull([*nobody, *self._by_any(lambda seat, position: self._by(seat, steps, [position]), positions)])]
        sure = who.is_everyone or who.beside == OTHERS
        for seat in range(self.run.players):
            if who.beside is not None and seat == self.seat:
                continue
            before = [] if sure else [position.copy() for position in positions]
            positions = [hull([*before, *self._by(seat, steps, positions)])]
        return positions

    def run_between_seats(self, step: DoStep, positions: list[Position]) -> list[Position]:
        """Run the steps that replace a step with the zone of another seat, which may be any seat.

        If there are two such seats, each is any seat again whenever it acts, because all pairs would be too many.
        """
        inner = step.do
        while len(inner) == 1 and isinstance(inner[0], DoStep):  # only if there are such seats
            inner = inner[0].do
        others = {part.who for part in inner if isinstance(part, DoStep) and part.who}
        if len(others) > 1:
            return self.run.run_all(step.do, positions)
        (other,) = others

        def follow(seat: int, position: Position) -> list[Position]:
            self.meant = other, seat
            return self.run.run_all(step.do, [position.copy()])

        after = hull(self._by_any(follow, positions))
        self.meant = None, -1
        return [after]

    def _by_any(self, follow: Callable[[int, Position], list[Position]], positions: list[Position]) -> list[Position]:
        """Return the positions after any one player has done what `follow` returns for a seat and a position."""
        return [
            self._spread(alike, position, after)
            for position in positions
            for alike in self._alike(position)
            for after in follow(alike[0], position)
        ]

    def _alike(self, position: Position) -> list[list[int]]:
        """Return the players, with those together who have equal numbers of cards in all their zones.

        The seat that carries out a list is alone.
        """
        groups: dict[object, list[int]] = {}
        owned = [cells for cells, zone in zip(position.zones, self.run.zones, strict=True) if zone.per == "seat"]
        for seat in range(self.run.players):
            groups.setdefault((seat == self.seat, *(cells[seat] for cells in owned)), []).append(seat)
        return list(groups.values())

    def run_one_of(self, lists: Sequence[tuple[Step, ...]], positions: list[Position]) -> list[Position]:
        """Let every player carry out one of these step lists, or none.

        While a seat carries out a step list, only this seat may carry out another one.
        """
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
        """Let any players carry out the list of a trigger. Within another list, triggers wait instead."""
        return positions if self.seat is not None else self.run_one_of([steps], positions)

    def _revealed(self, steps: tuple[Step, ...], positions: list[Position]) -> list[Position]:
        """Run the triggers of `reveal` for each of these steps that plays cards."""
        waiting = self.run.game.lists_after.get("reveal", ())
        for step in without_groups(steps) if waiting else ():
            if isinstance(step, ChooseStep) and step.plays(self.run.zone_named):
                for listed in waiting:
                    positions = self.run_one_of([listed], positions)
        return positions

    def _any_of(self, seat: int, lists: Sequence[tuple[Step, ...]], positions: list[Position]) -> list[Position]:
        return [after for listed in lists for after in self._by(seat, listed, positions)]

    def _by(self, seat: int, steps: tuple[Step, ...], positions: list[Position]) -> list[Position]:
        """Run the steps for one player, and return the positions after them."""
        outer, self.seat = self.seat, seat
        after = self.run.run_all(steps, [position.copy() for position in positions])
        self.seat = outer
        return after

    def _with_one(self, position: Position) -> Position:
        """Return one position that covers all positions after any single list, carried out by any seat."""
        after = []
        for (steps, _), alike in product(self.all, self._alike(position)):
            self.seat = alike[0]
            after += [self._spread(alike, position, reached) for reached in self.run.run_all(steps, [position.copy()])]
        self.seat = None
        result = hull(after)
        result.lists = position.lists - 1
        return result

    def _with_any(self, position: Position, before: Position, last: Position) -> Position:
        """Return one position that covers all positions after any number of further lists.

        Each number of cards that differs between `before` and `last` gets the widest range.
        """
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
        """Change a position so that each player may have the cards of any player. Return the position."""
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
        """Change `after` so that any one player of the group `alike` may have acted. Return the position.

        Until then, it is the first player of the group who has acted.
        """
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
