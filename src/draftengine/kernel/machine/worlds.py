"""Worlds: states that a seat cannot tell from the real one, dealt as `draftengine.engine.redeal` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.chance import next_word, shuffle
from draftengine.kernel.machine.jit import compiled, inlined, int64, uint64
from draftengine.kernel.machine.layouts import look
from draftengine.kernel.machine.regions import in_words
from draftengine.kernel.memory import (
    BOT,
    CELLS,
    CHANCE,
    CHIP_COUNTS,
    CHIPS,
    COUNTS,
    DEAL,
    DEAL_CARDS,
    DEAL_COPY,
    DEAL_COUNT,
    DEAL_COUNT_NOW,
    DEAL_FROM,
    DEAL_INTO,
    DEAL_KIND,
    DEAL_PILE,
    DEAL_SIZE,
    DEAL_SLOT_COUNT,
    DEAL_SLOTS,
    DEAL_STIR,
    DEALS,
    DEALS_ROW,
    DEALT_TO,
    HELD,
    IMAGE,
    IMAGE_CELLS,
    LOG_COUNT,
    PILE_COUNT,
    PILES,
    PILES_ROW,
    REGISTERS,
    ROW_COUNT,
    WINNERS,
)

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@compiled
def lay_world(rom: Memory, ram: Memory, cells: Memory) -> None:
    """A new world, with chance from `BOT`."""
    bot = ram[BOT]
    _copy(ram, 0, CHIP_COUNTS)
    if rom[PILE_COUNT] > 0:
        _copy(ram, CHIP_COUNTS, COUNTS)
    _copy(ram, COUNTS, REGISTERS)
    ram[BOT] = bot
    ram[HELD] = ram[WINNERS] = ram[LOG_COUNT] = 0
    words = in_words(cells)
    count = uint64(rom[CELLS] * rom[ROW_COUNT]) // uint64(8)
    start = uint64(ram[IMAGE_CELLS]) // uint64(8)
    for word in range(count):
        words[word] = words[start + word]
    ram[DEAL] = int64(next_word(ram, BOT))
    ram[CHANCE] = int64(next_word(ram, BOT))
    for number in range(ram[DEAL_COUNT]):
        deal = DEALS + number * DEALS_ROW
        copy = ram[deal + DEAL_COPY]
        for card in range(ram[deal + DEAL_SIZE]):
            cells[copy + card] = cells[ram[deal + DEAL_FROM] + card]
        ram[deal + DEAL_COUNT_NOW] = ram[deal + DEAL_SIZE]
    for number in range(ram[DEAL_COUNT]):
        deal = DEALS + number * DEALS_ROW
        if ram[deal + DEAL_KIND] == DEAL_STIR:
            row = ram[deal + DEAL_SLOTS]
            shuffle(ram, cells, row * rom[CELLS], ram[COUNTS + row], BOT, 0)
        else:
            shuffle(ram, cells, ram[deal + DEAL_COPY], ram[deal + DEAL_COUNT_NOW], BOT, 0)
            if ram[deal + DEAL_KIND] == DEAL_CARDS:
                _deal_cards(ram, cells, deal)
            else:
                _deal_chips(ram, cells, deal)
    look(rom, ram, cells)


@inlined
def _copy(ram: Memory, first: Number, last: Number) -> None:
    for at in range(first, last):
        ram[at] = ram[IMAGE + at]


@inlined
def _deal_cards(ram: Memory, cells: Memory, deal: Number) -> None:
    """Fill the places from the pool; the others go behind the pool of a later deal."""
    copy, count = ram[deal + DEAL_COPY], ram[deal + DEAL_SLOT_COUNT]
    for number in range(count):
        cells[ram[DEALT_TO + ram[deal + DEAL_SLOTS] + number]] = cells[copy + number]
    into = DEALS + ram[deal + DEAL_INTO] * DEALS_ROW
    if into != deal:
        behind = ram[into + DEAL_COPY] + ram[into + DEAL_COUNT_NOW]
        for number in range(count, ram[deal + DEAL_COUNT_NOW]):
            cells[behind + number - count] = cells[copy + number]
        ram[into + DEAL_COUNT_NOW] += ram[deal + DEAL_COUNT_NOW] - count


@inlined
def _deal_chips(ram: Memory, cells: Memory, deal: Number) -> None:
    """Fill the places of hidden chips; those left over are the pile, in ascending order."""
    copy, count, pile = ram[deal + DEAL_COPY], ram[deal + DEAL_SLOT_COUNT], ram[deal + DEAL_PILE]
    for number in range(count):
        ram[CHIPS + ram[DEALT_TO + ram[deal + DEAL_SLOTS] + number]] = pile << 32 | int64(cells[copy + number])
    left = uint64(0)
    for number in range(count, ram[deal + DEAL_COUNT_NOW]):
        left |= uint64(1) << uint64(cells[copy + number])
    found, chip = 0, 0
    while left != uint64(0):
        if left & uint64(1) != uint64(0):
            ram[PILES + pile * PILES_ROW + 1 + found] = chip
            found += 1
        left >>= uint64(1)
        chip += 1
    ram[PILES + pile * PILES_ROW] = found
