"""Worlds: games that a seat cannot tell from the real one, dealt from its `HiddenCards`.

`write` prepares a search: it puts everything that is certain in its place, and lists what each world deals again. With
this, the kernel makes each world (`lay_world`).
"""

from __future__ import annotations

from array import array
from itertools import groupby
from typing import TYPE_CHECKING, Any

from draftengine.engine.chance import GOLDEN, SHARED_LIMIT
from draftengine.engine.kernel.chance import bot_word, draw_from, shuffle, shuffle_many
from draftengine.engine.kernel.zones import add_chip, chip_at, empty_pile
from draftengine.engine.plan.base import UnsupportedError
from draftengine.engine.redeal import places_in
from draftengine.jit.primitives import dynamic_range, wrap

if TYPE_CHECKING:
    from draftengine.bots.search.plan import Search, SearchPlan
    from draftengine.engine.redeal import HiddenCards
    from draftengine.engine.state import StateRecord

GROUP_INTS = 4
"""The number of integers in `Search.part` for each *part* of the deal: a pool and the places to fill.

The integers are the first cell of the pool, its number of cards, the number of runs of places, and the part that gets
the remaining cards.
"""


def lay_world(state: StateRecord, known: StateRecord, search: Search, plan: SearchPlan) -> None:
    """Build a new world: copy what is `known`, and deal everything else with the policies' random stream."""
    lay_open(state, known, plan)
    deal = bot_word(state)
    state.chance = bot_word(state)
    state.deal = wrap(state.bot - GOLDEN)
    lay_cards(state, known, search, plan)
    lay_chips(state, known, search, plan)
    draw_from(state, state.deal)
    state.deal = deal
    gather_cells(state, plan)


def lay_open(state: StateRecord, known: StateRecord, plan: SearchPlan) -> None:
    """Copy everything that is equal in every world, except cards and chips."""
    state.pc = known.pc
    state.round = known.round
    state.turn = known.turn
    for depth in range(plan.most_depth):
        state.outer[depth] = known.outer[depth]
    state.over = 0
    for seat in plan.seats:
        state.words[seat] = known.words[seat]
        state.words_before_choice[seat] = known.words_before_choice[seat]
        state.scores[seat] = known.scores[seat]
        state.bonus[seat] = known.bonus[seat]
    for marker in plan.markers:
        state.markers[marker] = known.markers[marker]
    for gauge in plan.gauges.values():
        state.gauged[gauge] = 0
    for zone in plan.zones:
        if plan.is_stored(zone):
            for lot in plan.lots_of(zone):
                state.size[lot] = known.size[lot]
        if plan.program.zones[zone].layout:
            state.lying[plan.layout(zone)] = known.lying[plan.layout(zone)]
            state.down[plan.layout(zone)] = known.down[plan.layout(zone)]


# ── cards ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def lay_cards(state: StateRecord, known: StateRecord, search: Search, plan: SearchPlan) -> None:
    """Copy the cards that are certain and all pools. Then deal part by part."""
    for number in dynamic_range(search.copies):
        first = search.copied[2 * number]
        for index in dynamic_range(search.copied[2 * number + 1]):
            state.card_array[first + index] = known.card_array[first + index]
    for number in dynamic_range(search.parts):
        search.now[number] = search.part[number * GROUP_INTS + 1]
    stretch = 0
    for number in dynamic_range(search.parts):
        stretch = deal_part(state, search, plan, number, stretch)
    for number in dynamic_range(search.stirs):
        stir(state, plan, search.reshuffled_zones[2 * number], search.reshuffled_zones[2 * number + 1])


def stir(state: StateRecord, plan: SearchPlan, first: int, count: int) -> None:
    """Shuffle, in place, `count` entries of `StateRecord.card_array` from index `first` on."""
    if len(plan.program.deck) > SHARED_LIMIT:
        if count > SHARED_LIMIT:
            shuffle_many(state, first, count)
        else:
            shuffle(state, first, count, 0)
    else:
        shuffle(state, first, count, 0)


def deal_part(state: StateRecord, search: Search, plan: SearchPlan, number: int, stretch: int) -> int:
    """Deal the pool of a part to its places; leftover cards join another part's pool.

    The runs of places begin at index `stretch`. Return the index of the next part's runs.
    """
    first = search.part[number * GROUP_INTS]
    count = search.now[number]
    stir(state, plan, first, count)
    dealt = 0
    for run in dynamic_range(search.part[number * GROUP_INTS + 2]):
        cell = search.filled[2 * (stretch + run)]
        size = search.filled[2 * (stretch + run) + 1]
        if cell >= 0:
            for index in dynamic_range(size):
                state.card_array[cell + index] = state.card_array[first + dealt + index]
        dealt += size
    into = search.part[number * GROUP_INTS + 3]
    if into != number:
        behind = search.part[into * GROUP_INTS] + search.now[into]
        for index in dynamic_range(count - dealt):
            state.card_array[behind + index] = state.card_array[first + dealt + index]
        search.now[into] += count - dealt
    return stretch + search.part[number * GROUP_INTS + 2]


def gather_cells(state: StateRecord, plan: SearchPlan) -> None:
    """Move the dealt cards of layouts and small zones from their cells to where the game reads them."""
    for zone in plan.zones:
        if plan.program.zones[zone].layout:
            first, cell = plan.first_place(zone), plan.cells(zone, 0)
            for place in dynamic_range(len(plan.program.zones[zone].layout)):
                state.row[first + place] = state.card_array[cell + place]
        elif plan.is_lanes(zone):
            for owner in plan.owners(zone):
                state.hand[plan.hand(zone, owner)] = lanes_of(
                    state, plan, plan.cells(zone, owner), state.size[plan.size_index(zone, owner)]
                )


def lanes_of(state: StateRecord, plan: SearchPlan, cell: int, size: int) -> int:
    """Pack the cards in `size` cells of `StateRecord.card_array` into one word, a few bits for each card."""
    lanes = 0
    for index in dynamic_range(size):
        lanes |= state.card_array[cell + index] << index * plan.bits
    return lanes


# ── chips ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def lay_chips(state: StateRecord, known: StateRecord, search: Search, plan: SearchPlan) -> None:
    """Deal the chips that the seat does not know, pile by pile. The other chips stay in the pile."""
    held = 0
    for pile in plan.piles:
        if search.hidden[pile] > 0:
            held = deal_chips(state, known, search, plan, pile, held)
        else:
            empty_pile(state, plan, pile)
            for index in dynamic_range(known.left[pile]):
                add_chip(state, plan, pile, chip_at(known, plan, pile, index))


def deal_chips(state: StateRecord, known: StateRecord, search: Search, plan: SearchPlan, pile: int, held: int) -> int:
    """Deal the chips of a pile to its holders, from index `held` of `Search.chip_holder` on.

    Return the index of the next pile's holders.
    """
    first = search.chip_pool[pile]
    count = search.hidden[pile]
    for index in dynamic_range(count):
        state.card_array[first + index] = known.card_array[first + index]
    stir(state, plan, first, count)
    dealt = 0
    while search.chip_holder[held + dealt] >= 0:
        for seat in plan.seats:
            if search.chip_holder[held + dealt] == seat:
                state.bonus[seat] += plan.program.chip_values[pile][state.card_array[first + dealt]]
        dealt += 1
    sort(state, first + dealt, count - dealt)
    empty_pile(state, plan, pile)
    for index in dynamic_range(count - dealt):
        add_chip(state, plan, pile, plan.program.chip_values[pile][state.card_array[first + dealt + index]])
    return held + dealt + 1


def sort(state: StateRecord, first: int, count: int) -> None:
    """Sort, in place and ascending, `count` entries of `StateRecord.card_array` from index `first` on."""
    for number in dynamic_range(count):
        value = state.card_array[first + number]
        index = number
        while index > 0 and state.card_array[first + index - 1] > value:
            state.card_array[first + index] = state.card_array[first + index - 1]
            index -= 1
        state.card_array[first + index] = value


# ── before a search ─────────────────────────────────────────────────────────────────────────────────────────────────


def write(known: StateRecord, search: Search, plan: SearchPlan, knowledge: HiddenCards) -> None:
    """Write what is certain into `known` and `search`, and list what each world deals again.

    Raise `UnsupportedError` for a position that no game can reach.
    """
    state = knowledge.template
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
    for zone in plan.zones:
        if plan.program.zones[zone].layout:
            _write_layout(known, plan, knowledge, zone)
        elif plan.is_stored(zone):
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
    for pile in plan.piles:
        empty_pile(known, plan, pile)
        for chip in state.piles[pile]:
            add_chip(known, plan, pile, plan.program.chip_values[pile][chip])
    _Deal(known, search, plan).write(knowledge)


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
    """Write cards into `StateRecord.card_array` from `first` on. Absent cards and cards to deal become 0."""
    known.card_array[first : first + len(cards)] = (
        cards if min(cards, default=0) >= 0 else [max(card, 0) for card in cards]
    )


def _numbers(values: list[int]) -> Any:
    """Return numbers as an array that the kernel can borrow."""
    return array("q", values)


class _Deal:
    """Writes what each world deals again: pools of cards and chips, and the places to fill."""

    def __init__(self, known: StateRecord, search: Search, plan: SearchPlan) -> None:
        self.known = known
        self.search = search
        self.plan = plan
        self.end = plan.first_pool
        self.copied: list[int] = []

    def write(self, knowledge: HiddenCards) -> None:
        search = self.search
        # Runs of cells whose cards are the same in every world can be copied.
        for zone, owners in enumerate(knowledge.template.zones):
            for owner, cards in enumerate(owners):
                first = self.plan.cells(zone, owner)
                if first >= 0 and max(cards, default=-1) >= 0:
                    start = 0
                    for certain, stretch in groupby(cards, (-1).__lt__):
                        count = len(list(stretch))
                        self._copy(first + start, count * certain)
                        start += count
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
        holders: list[int] = []  # of dealt chips, pile by pile, with -1 after each pile
        for pile in self.plan.piles:
            search.hidden[pile] = 0
        for hidden in knowledge.chips:
            search.hidden[hidden.pile], search.chip_pool[hidden.pile] = len(hidden.pool), self.end
            self.known.card_array[self.end : self.end + len(hidden.pool)] = hidden.pool
            self.end += len(hidden.pool)
            holders += [seat for seat, _ in hidden.slots] + [-1]
        search.chip_holder = _numbers(holders)

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
            # Append the pool, with room for `more` cards that other pools pass on to it.
            more = received[number]
            if self.end + len(part.pool) + more > self.plan.world_size:
                raise UnsupportedError("more is hidden than the box holds")
            self.known.card_array[self.end : self.end + len(part.pool)] = part.pool
            self._copy(self.end, len(part.pool))
            self.end += len(part.pool) + more
        assert len(rows) == GROUP_INTS * len(knowledge.parts)
        return rows, filled
