"""A seat's knowledge in the form from which worlds are dealt (see `draftengine.bots.search.worlds`)."""

from __future__ import annotations

from array import array
from itertools import groupby
from typing import TYPE_CHECKING, Any

from draftengine.bots.search.worlds import GROUP_INTS
from draftengine.engine.kernel.zones import add_chip, empty_pile
from draftengine.engine.plan.base import UnsupportedError
from draftengine.engine.redeal import places_in

if TYPE_CHECKING:
    from draftengine.bots.search.plan import Search, SearchPlan
    from draftengine.engine.record import StateRecord
    from draftengine.engine.redeal import HiddenCards
    from draftengine.engine.state import GameState


def write(known: StateRecord, search: Search, plan: SearchPlan, knowledge: HiddenCards) -> None:
    """Write what is certain into `known` and `search`, and list what worlds deal anew.

    Raise `UnsupportedError` for a position that no game can reach.
    """
    state = knowledge.template
    _write_numbers(known, plan, state)
    for zone in plan.zones:
        if plan.program.zones[zone].layout:
            _write_layout(known, plan, knowledge, zone)
        elif plan.is_stored(zone):
            _write_zone(known, plan, state, zone)
    for pile in plan.piles:
        _write_pile(known, plan, state, pile)
    _Deal(known, search, plan).write(knowledge)


def _write_numbers(known: StateRecord, plan: SearchPlan, state: GameState) -> None:
    known.pc = state.pc
    known.round = state.round
    known.turn = state.turn
    for depth, turn in enumerate(state.turns[:-1]):
        known.outer[depth] = turn
    for seat in plan.seats:
        known.words[seat] = state.words[seat]
        known.words_before_choice[seat] = state.words_before_choice[seat]
        known.scores[seat] = state.scores[seat]
        known.bonus[seat] = sum(plan.program.chip_values[pile][chip] for pile, chip in state.chips[seat] if chip >= 0)
    for marker in plan.markers:
        known.markers[marker] = state.markers[marker]


def _write_zone(known: StateRecord, plan: SearchPlan, state: GameState, zone: int) -> None:
    sizes = [len(cards) for cards in state.zones[zone]]
    owners = plan.owners(zone)
    for owner, size in enumerate(sizes):
        if (size and owner not in owners) or size > plan.capacity(zone):
            raise UnsupportedError("there lies more than there can in a game")
        if owner in owners and plan.has_equal_sizes(zone) and size != sizes[0]:
            raise UnsupportedError("seats hold differently many cards")
    for owner in owners:
        known.size[plan.size_index(zone, owner)] = sizes[owner]
        _lay(known, plan.cells(zone, owner), state.zones[zone][owner])


def _write_layout(known: StateRecord, plan: SearchPlan, knowledge: HiddenCards, zone: int) -> None:
    cards, first, layout = knowledge.template.zones[zone][0], plan.cells(zone, 0), plan.layout(zone)
    lying = {place for place, card in enumerate(cards) if card >= 0}
    for part in knowledge.parts:
        for other, _, start, stop in part.runs:
            lying.update(range(start, stop) if other == zone else ())
    known.lying[layout] = sum(1 << place for place in lying)
    known.down[layout] = sum(1 << place for place in knowledge.template.down[zone])
    _lay(known, first, cards)


def _lay(known: StateRecord, first: int, cards: list[int]) -> None:
    """Write cards into the cells of the heap from `first` on; cards that are dealt or absent become 0."""
    known.card_array[first : first + len(cards)] = (
        cards if min(cards, default=0) >= 0 else [max(card, 0) for card in cards]
    )


def _write_pile(known: StateRecord, plan: SearchPlan, state: GameState, pile: int) -> None:
    empty_pile(known, plan, pile)
    for chip in state.piles[pile]:
        add_chip(known, plan, pile, plan.program.chip_values[pile][chip])


def _numbers(values: list[int]) -> Any:
    """Return numbers as an array that can be lent to the kernel."""
    return array("q", values)


class _Deal:
    """Writer of what every world deals anew: pools of cards and chips, and the places that they fill."""

    def __init__(self, known: StateRecord, search: Search, plan: SearchPlan) -> None:
        self.known = known
        self.search = search
        self.plan = plan
        self.end = plan.first_pool
        self.copied: list[int] = []

    def write(self, knowledge: HiddenCards) -> None:
        search = self.search
        self._certain(knowledge.template)
        search.part, search.filled = map(_numbers, self._parts(knowledge))
        search.parts = len(knowledge.parts)
        search.now = _numbers([0] * search.parts)
        search.reshuffled_zones = _numbers(
            [
                number
                for zone, owner in knowledge.reshuffled_zones
                for number in (self.plan.cells(zone, owner), len(knowledge.template.zones[zone][owner]))
            ]
        )
        search.stirs = len(knowledge.reshuffled_zones)
        search.copied, search.copies = _numbers(self.copied), len(self.copied) // 2
        search.chip_holder = _numbers(self._chips(knowledge))

    def _certain(self, state: GameState) -> None:
        """Record the runs of cells whose cards are equal in every world; worlds copy them."""
        for zone, owners in enumerate(state.zones):
            for owner, cards in enumerate(owners):
                first = self.plan.cells(zone, owner)
                if first >= 0 and max(cards, default=-1) >= 0:
                    start = 0
                    for certain, stretch in groupby(cards, (-1).__lt__):
                        count = len(list(stretch))
                        self._copy(first + start, count * certain)
                        start += count

    def _copy(self, first: int, count: int) -> None:
        if count:
            self.copied += [first, count]

    def _parts(self, knowledge: HiddenCards) -> tuple[list[int], list[int]]:
        rows: list[int] = []
        filled: list[int] = []
        received = [0] * len(knowledge.parts)
        for number, part in enumerate(knowledge.parts):
            rows += [self.end, len(part.pool), len(part.runs), part.into]
            for zone, owner, start, stop in part.runs:
                first = self.plan.cells(zone, owner)
                filled += [first + start if first >= 0 else -1, stop - start]
            if part.into != number:
                received[part.into] += len(part.pool) + received[number] - places_in(part.runs)
            self._pool(part.pool, received[number])
        assert len(rows) == GROUP_INTS * len(knowledge.parts)
        return rows, filled

    def _pool(self, pool: tuple[int, ...], more: int) -> None:
        """Append a pool, with room for `more` cards that other pools hand on to it. Raise `UnsupportedError`."""
        if self.end + len(pool) + more > self.plan.world_size:
            raise UnsupportedError("more is hidden than the box holds")
        self.known.card_array[self.end : self.end + len(pool)] = pool
        self._copy(self.end, len(pool))
        self.end += len(pool) + more

    def _chips(self, knowledge: HiddenCards) -> list[int]:
        """Write the pools of chips. Return the holders of dealt chips, pile by pile, with -1 after each pile."""
        search, holders = self.search, []
        for pile in self.plan.piles:
            search.hidden[pile] = 0
        for hidden in knowledge.chips:
            search.hidden[hidden.pile], search.chip_pool[hidden.pile] = len(hidden.pool), self.end
            self.known.card_array[self.end : self.end + len(hidden.pool)] = hidden.pool
            self.end += len(hidden.pool)
            holders += [seat for seat, _ in hidden.slots] + [-1]
        return holders
