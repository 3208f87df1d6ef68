"""What a seat can take from, as a list that gets shorter, and how a move is put together from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.choosing import open_places
from draftengine.kernel.machine.jit import compiled, inlined, int64
from draftengine.kernel.machine.rows import slot_of
from draftengine.kernel.memory import (
    ALSO,
    ALSO_ROW,
    CARD_OPTION_COUNT,
    CARD_OPTIONS,
    CARDS,
    CARDS_ROW,
    CELLS,
    CHOICE_ALSO,
    CHOICE_ALSO_COUNT,
    CHOICE_LAYOUT,
    CHOICE_SOURCE,
    COUNTS,
    MARKERS,
    OPTION_LISTS,
    STOCK,
)  # fmt: skip

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@compiled
def stock_of(rom: Memory, ram: Memory, cells: Memory, row: Number, seat: Number) -> Number:
    """List what a seat can take from, to `STOCK`: the cards of its hand, or the open places; how many."""
    source = rom[row + CHOICE_SOURCE]
    if rom[row + CHOICE_LAYOUT] == 1:
        return open_places(rom, ram, source, STOCK)
    slot = slot_of(rom, ram, source, seat)
    start = slot * rom[CELLS]
    for place in range(ram[COUNTS + slot]):
        ram[STOCK + place] = int64(cells[start + place])
    return ram[COUNTS + slot]


@inlined
def remove(ram: Memory, place: Number, count: Number) -> Number:
    for at in range(STOCK + place, STOCK + count - 1):
        ram[at] = ram[at + 1]
    return count - 1


@inlined
def reserved(rom: Memory, ram: Memory, row: Number, seat: Number) -> Number:
    """How many cards the seat has to choose for others."""
    found = 0
    for number in range(rom[row + CHOICE_ALSO_COUNT]):
        other = rom[ALSO] + (rom[row + CHOICE_ALSO] + number) * ALSO_ROW
        if ram[MARKERS + rom[other + 1]] == seat:
            found += rom[other + 2]
    return found


@inlined
def left_for_ability(rom: Memory, ram: Memory, row: Number, seat: Number, stock: Number) -> Number:
    """Cards for an ability: not those that the seat has to choose for others."""
    return stock - reserved(rom, ram, row, seat)


@inlined
def some_wild(rom: Memory, ram: Memory, stock: Number) -> Number:
    found = False
    for place in range(stock):
        found |= rom[rom[CARDS] + ram[STOCK + place] * CARDS_ROW + CARD_OPTION_COUNT] > 1
    return found


@inlined
def last_option(rom: Memory, card: Number) -> Number:
    """The last option of a card: its only one, or a wild card's bare face."""
    row = rom[CARDS] + card * CARDS_ROW
    return rom[rom[OPTION_LISTS] + rom[row + CARD_OPTIONS] + rom[row + CARD_OPTION_COUNT] - 1]


@inlined
def name(ram: Memory, move: Number, channel: Number, item: Number) -> None:
    """One more code of a move."""
    count = ram[move]
    ram[move + 2 + 2 * count], ram[move + 3 + 2 * count] = channel, item
    ram[move] = count + 1
