"""Rows of cards: what lies in the zones of the seats and of the table.

A card is a byte, and a row begins at a whole word, so eight cards are looked at or moved at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.jit import compiled, inlined, int64, lowest, uint64
from draftengine.kernel.machine.regions import in_words
from draftengine.kernel.memory import CELLS, COUNTS, SLOTS, ZONE_ROW, ZONES, ZONES_ROW

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number

LOW_BITS, HIGH_BITS = 0x0101010101010101, 0x8080808080808080
"""The lowest and the highest bit of every byte of a word."""
EIGHT = 8
"""Cards in a word, and bits of a card."""


@inlined
def slot_of(rom: Memory, ram: Memory, zone: Number, owner: Number) -> Number:
    """The row of cells with the cards of an owner's zone."""
    return ram[slots_of(rom, zone) + owner]


@inlined
def slots_of(rom: Memory, zone: Number) -> Number:
    """Where the rows of all owners of a zone are listed."""
    return SLOTS + rom[rom[ZONES] + zone * ZONES_ROW + ZONE_ROW]


@inlined
def first_word(rom: Memory, slot: Number) -> Number:
    """The first word of a row."""
    return uint64(slot) * (uint64(rom[CELLS]) // uint64(EIGHT))


@inlined
def change_at(rom: Memory, cells: Memory, slot: Number, place: Number, card: Number) -> None:
    """Lay another card at a place. A whole word is written, so that the next who reads it does not have to wait."""
    words, at = in_words(cells), first_word(rom, slot) + uint64(place) // uint64(EIGHT)
    shift = uint64(place) % uint64(EIGHT) * uint64(EIGHT)
    words[at] = int64(uint64(words[at]) & ~(uint64(0xFF) << shift) | uint64(card) << shift)


@inlined
def append(rom: Memory, ram: Memory, cells: Memory, slot: Number, card: Number) -> None:
    at = ram[COUNTS + slot]
    change_at(rom, cells, slot, at, card)
    ram[COUNTS + slot] = at + 1


@inlined
def remove_at(rom: Memory, ram: Memory, cells: Memory, slot: Number, place: Number) -> None:
    """Take a card out; those behind it move up."""
    words, eight = in_words(cells), uint64(EIGHT)
    start = first_word(rom, slot)
    left = ram[COUNTS + slot] - 1
    at, last = start + uint64(place) // eight, start + uint64(left) // eight
    before = (uint64(1) << (uint64(place) % eight * eight)) - uint64(1)
    word = uint64(words[at])
    word = (word & before) | (word >> eight & ~before)
    while at < last:
        behind = uint64(words[at + uint64(1)])
        words[at] = int64(word | behind << uint64(56))
        word = behind >> eight
        at += uint64(1)
    words[at] = int64(word)
    ram[COUNTS + slot] = left


@inlined
def first_of(rom: Memory, cells: Memory, slot: Number, card: Number) -> Number:
    """The first place in a row with a card; it must be there."""
    words, start, wanted = in_words(cells), first_word(rom, slot), uint64(card) * uint64(LOW_BITS)
    at = start
    while True:
        other = uint64(words[at]) ^ wanted  # 0 where the card lies
        found = (other - uint64(LOW_BITS)) & ~other & uint64(HIGH_BITS)
        if found != uint64(0):
            return int64((at - start) * uint64(EIGHT) + lowest(found) // uint64(EIGHT))
        at += uint64(1)


@compiled
def remove_first(rom: Memory, ram: Memory, cells: Memory, slot: Number, card: Number) -> None:
    """Take the first of some equal cards out; one must be there."""
    remove_at(rom, ram, cells, slot, first_of(rom, cells, slot, card))


@inlined
def copy_row(rom: Memory, ram: Memory, cells: Memory, slot: Number, to: Number) -> None:
    """Lay the same cards into another row."""
    words, count = in_words(cells), ram[COUNTS + slot]
    start, into = first_word(rom, slot), first_word(rom, to)
    for at in range((uint64(count) + uint64(7)) // uint64(EIGHT)):
        words[into + at] = words[start + at]
    ram[COUNTS + to] = count
