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
    words, eight, one = in_words(cells), uint64(EIGHT), uint64(1)
    start, left = first_word(rom, slot), ram[COUNTS + slot] - 1
    ram[COUNTS + slot] = left
    at, last = start + uint64(place) // eight, start + uint64(left) // eight
    before = (one << (uint64(place) % eight * eight)) - one
    if left < 2 * EIGHT:  # most hands: the card lies anywhere, and no processor could guess where
        low, high = uint64(words[start]), uint64(words[start + one])
        is_low = place < EIGHT
        if_low = (low & before) | (low >> eight & ~before) | high << uint64(56)
        if_high = (high & before) | (high >> eight & ~before)
        words[start] = int64(if_low if is_low else low)
        words[start + one] = int64(high >> eight if is_low else if_high)
        return
    word = uint64(words[at])
    word = (word & before) | (word >> eight & ~before)
    while at < last:
        behind = uint64(words[at + one])
        words[at] = int64(word | behind << uint64(56))
        word = behind >> eight
        at += one
    words[at] = int64(word)


@inlined
def first_of(rom: Memory, cells: Memory, slot: Number, card: Number) -> Number:
    """The first place in a row with a card; it must be there."""
    words, start, wanted = in_words(cells), first_word(rom, slot), uint64(card) * uint64(LOW_BITS)
    one, eight = uint64(1), uint64(EIGHT)
    low, high = _zeros(uint64(words[start]) ^ wanted), _zeros(uint64(words[start + one]) ^ wanted)
    if low | high != uint64(0):  # see `remove_at`
        place = lowest(low) // eight if low != uint64(0) else eight + lowest(high) // eight
        return int64(place)
    at = start + uint64(2)
    while True:
        found = _zeros(uint64(words[at]) ^ wanted)
        if found != uint64(0):
            return int64((at - start) * eight + lowest(found) // eight)
        at += one


@inlined
def _zeros(word: Number) -> Number:
    """The highest bit of the first byte that is 0, and perhaps of some behind it."""
    return (word - uint64(LOW_BITS)) & ~word & uint64(HIGH_BITS)


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
