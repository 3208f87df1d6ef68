"""Every move of a seat, numbered as `draftengine.engine.moves.legal_moves` sorts them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.choosing import choice_row, list_items, uncovered, uses
from draftengine.kernel.machine.jit import compiled, in_short, inlined, int64, lowest, uint64
from draftengine.kernel.machine.layouts import free, lying
from draftengine.kernel.machine.rows import slot_of
from draftengine.kernel.machine.stock import left_for_ability, name, remove, stock_of
from draftengine.kernel.memory import (
    ABILITY_LISTS,
    ALLOWED,
    ALSO,
    ALSO_ROW,
    CANDIDATES,
    CARD_COUNT,
    CELLS,
    CHOICE_ABILITIES,
    CHOICE_ABILITY_COUNT,
    CHOICE_ALSO,
    CHOICE_ALSO_COUNT,
    CHOICE_FIRST_OTHER,
    CHOICE_LAYOUT,
    CHOICE_OFFER,
    CHOICE_SOURCE,
    COUNTS,
    MARKERS,
    MAX_CANDIDATES,
    MOVES,
    MOVES_ROW,
    OPTION_COUNT,
    OPTION_PLAYS,
    SIMPLE,
    STOCK,
    WORD_BITS,
    ZONE_PLACE_COUNT,
    ZONES,
    ZONES_ROW,
)  # fmt: skip

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@inlined
def list_moves(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number) -> Number:
    """All moves as (own item, ability, its item, item for another seat), -1 for none; how many, -1 for too many."""
    row = choice_row(rom, choice)
    layout = rom[row + CHOICE_LAYOUT] == 1
    as_sets = layout or (rom[SIMPLE] == 1 and rom[CARD_COUNT] <= WORD_BITS)
    if as_sets and rom[row + CHOICE_ALSO_COUNT] == 0:
        return _list_from_set(rom, ram, choice, seat, _items(rom, ram, cells, choice, seat))
    if rom[SIMPLE] == 0 and not layout:
        list_items(rom, ram, cells, choice, seat)
    if rom[row + CHOICE_OFFER] == 1:
        return _moves_with(rom, ram, cells, choice, seat, -1, 0)
    found = 0
    for item in range(_item_count(rom, choice)):
        stock = stock_of(rom, ram, cells, row, seat)
        if _has(rom, ram, item, stock, layout):
            found = _moves_with(rom, ram, cells, choice, seat, item, found)
            if found < 0:
                break
    return found


@inlined
def _items(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number) -> tuple[Number, Number]:
    """The cards in a hand, or the places whose card can be taken, as bits; and those that are there more than once."""
    row = choice_row(rom, choice)
    source = rom[row + CHOICE_SOURCE]
    items, several = uint64(0), uint64(0)
    if rom[row + CHOICE_LAYOUT] == 1:
        items = free(rom, source, lying(rom, ram, source))
    else:
        slot = slot_of(rom, ram, source, seat)
        start = uint64(slot * rom[CELLS])
        for place in range(uint64(ram[COUNTS + slot])):
            bit = uint64(1) << uint64(cells[start + place])
            several |= items & bit
            items |= bit
    return items, several


@compiled
def _list_from_set(rom: Memory, ram: Memory, choice: Number, seat: Number, having: tuple[Number, Number]) -> Number:
    """The moves of a seat that chooses for nobody else."""
    row, (items, several) = choice_row(rom, choice), having
    source, layout = rom[row + CHOICE_SOURCE], rom[row + CHOICE_LAYOUT] == 1
    ready = uint64(0)
    for number in range(rom[row + CHOICE_ABILITY_COUNT]):
        ability = rom[rom[ABILITY_LISTS] + rom[row + CHOICE_ABILITIES] + number]
        ready |= uint64(uses(rom, ram, choice, ability, seat) > 0) << uint64(number)
    if rom[row + CHOICE_OFFER] == 1:
        return _with_abilities(rom, ram, row, ready, items, -1, _add(ram, 0, -1, -1, -1, -1))
    found, left = 0, items
    while left != uint64(0):
        own = lowest(left)
        bit = uint64(1) << own
        left &= left - uint64(1)
        found = _add(ram, found, int64(own), -1, -1, -1)
        if ready != uint64(0):
            rest = free(rom, source, lying(rom, ram, source) & ~bit) if layout else items & ~(bit & ~several)
            found = _with_abilities(rom, ram, row, ready, rest, int64(own), found)
    return found


@inlined
def _with_abilities(
    rom: Memory, ram: Memory, row: Number, ready: Number, rest: Number, own: Number, found: Number
) -> Number:
    """The moves that take one of the rest with an ability."""
    for number in range(rom[row + CHOICE_ABILITY_COUNT]):
        if ready >> uint64(number) & uint64(1) != uint64(0):
            ability, left = rom[rom[ABILITY_LISTS] + rom[row + CHOICE_ABILITIES] + number], rest
            while left != uint64(0):
                found = _add(ram, found, own, ability, int64(lowest(left)), -1)
                left &= left - uint64(1)
    return found


@inlined
def _item_count(rom: Memory, choice: Number) -> Number:
    """How many options or places there are to name."""
    row = choice_row(rom, choice)
    if rom[row + CHOICE_LAYOUT] == 1:
        return rom[rom[ZONES] + rom[row + CHOICE_SOURCE] * ZONES_ROW + ZONE_PLACE_COUNT]
    return rom[OPTION_COUNT]


@compiled
def _find(rom: Memory, ram: Memory, item: Number, stock: Number, layout: Number) -> Number:
    """The first place in the stock with what an item means; -1 if there is none."""
    for place in range(stock):
        card = ram[STOCK + place]
        if layout or rom[SIMPLE] == 1:
            if card == item:
                return place
        elif ram[ALLOWED + item] == 1 and rom[rom[OPTION_PLAYS] + item * rom[CARD_COUNT] + card] >= 0:
            return place
    return -1


@inlined
def _has(rom: Memory, ram: Memory, item: Number, stock: Number, layout: Number) -> Number:
    return _find(rom, ram, item, stock, layout) >= 0


@compiled
def _take_out(rom: Memory, ram: Memory, item: Number, stock: Number, layout: Number) -> Number:
    return remove(ram, _find(rom, ram, item, stock, layout), stock)


@inlined
def _add(ram: Memory, found: Number, own: Number, ability: Number, more: Number, other: Number) -> Number:
    if found >= MAX_CANDIDATES or found < 0:
        return -1
    at = CANDIDATES + 4 * found
    ram[at], ram[at + 1], ram[at + 2], ram[at + 3] = own, ability, more, other
    return found + 1


@compiled
def _moves_with(
    rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number, own: Number, found: Number
) -> Number:
    """The moves that begin with an own item, in order: codes of abilities come before those of other seats."""
    in_short()
    row = choice_row(rom, choice)
    layout = rom[row + CHOICE_LAYOUT] == 1
    for_other = False
    for number in range(rom[row + CHOICE_ALSO_COUNT]):
        for_other |= ram[MARKERS + rom[rom[ALSO] + (rom[row + CHOICE_ALSO] + number) * ALSO_ROW + 1]] == seat
    if not for_other:
        found = _add(ram, found, own, -1, -1, -1)
    for number in range(rom[row + CHOICE_ABILITY_COUNT]):
        ability = rom[rom[ABILITY_LISTS] + rom[row + CHOICE_ABILITIES] + number]
        if uses(rom, ram, choice, ability, seat) <= 0:
            continue
        wider = _after_own(rom, ram, cells, choice, seat, own, layout)
        if left_for_ability(rom, ram, row, seat, wider) < 1:
            continue
        for item in range(_item_count(rom, choice)):
            if not _has(rom, ram, item, wider, layout):
                continue
            if for_other:
                rest = _take_out(rom, ram, item, wider, layout)
                found = _moves_for_other(rom, ram, choice, own, ability, item, rest, found, layout)
                wider = _after_own(rom, ram, cells, choice, seat, own, layout)
            else:
                found = _add(ram, found, own, ability, item, -1)
    if for_other:
        rest = stock_of(rom, ram, cells, choice_row(rom, choice), seat)
        if own >= 0:
            rest = _take_out(rom, ram, own, rest, layout)
        found = _moves_for_other(rom, ram, choice, own, -1, -1, rest, found, layout)
    return found


@compiled
def _after_own(
    rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number, own: Number, layout: Number
) -> Number:
    """What an ability may take after the seat's own pick, to `STOCK`; how many."""
    if layout:
        return uncovered(rom, ram, rom[choice_row(rom, choice) + CHOICE_SOURCE], own, STOCK)
    stock = stock_of(rom, ram, cells, choice_row(rom, choice), seat)
    return _take_out(rom, ram, own, stock, layout) if own >= 0 else stock


@compiled
def _moves_for_other(
    rom: Memory,
    ram: Memory,
    choice: Number,
    own: Number,
    ability: Number,
    more: Number,
    stock: Number,
    found: Number,
    layout: Number,
) -> Number:
    if stock == 0:
        return _add(ram, found, own, ability, more, -1)
    for item in range(_item_count(rom, choice)):
        if _has(rom, ram, item, stock, layout):
            found = _add(ram, found, own, ability, more, item)
    return found


@inlined
def write_move(rom: Memory, ram: Memory, choice: Number, seat: Number, chosen: Number) -> None:
    row = choice_row(rom, choice)
    move = MOVES + seat * MOVES_ROW
    ram[move] = 0
    own, ability, more, other = ram[chosen], ram[chosen + 1], ram[chosen + 2], ram[chosen + 3]
    if own >= 0:
        name(ram, move, 0, own)
    if ability >= 0:
        name(ram, move, 1 + ability, more)
    if other >= 0:
        name(ram, move, rom[row + CHOICE_FIRST_OTHER], other)
