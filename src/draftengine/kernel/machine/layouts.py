"""Layouts: cards at places that cover each other, as sets of places: one bit each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.jit import compiled, inlined, int64, lowest, uint64
from draftengine.kernel.machine.regions import in_words
from draftengine.kernel.machine.rows import EIGHT, HIGH_BITS, change_at, first_word, slot_of
from draftengine.kernel.memory import (
    CELLS,
    COVERS,
    COVERS_ROW,
    DOWN,
    EMPTY,
    LYING,
    WORD_BITS,
    ZONE_COUNT,
    ZONE_COVERS,
    ZONE_PLACE_COUNT,
    ZONE_PLACES,
    ZONES,
    ZONES_ROW,
)

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number

_GATHER = 0x0102040810204080
"""A factor that brings the lowest bits of eight bytes together in the highest byte."""


@inlined
def lying(rom: Memory, ram: Memory, zone: Number) -> Number:
    """The places where a card lies."""
    return uint64(ram[LYING + rom[rom[ZONES] + zone * ZONES_ROW + ZONE_PLACES]])


@compiled
def look(rom: Memory, ram: Memory, cells: Memory) -> None:
    """Look at all layouts, where cards lie."""
    words = in_words(cells)
    for zone in range(rom[ZONE_COUNT]):
        row = rom[ZONES] + zone * ZONES_ROW
        places, start, found = (
            uint64(rom[row + ZONE_PLACE_COUNT]),
            first_word(rom, slot_of(rom, ram, zone, 0)),
            uint64(0),
        )
        for at in range((places + uint64(7)) // uint64(EIGHT)):
            cards, low = ~uint64(words[start + at]), ~uint64(HIGH_BITS)  # 0 where no card lies
            there = ((cards & low) + low | cards) & uint64(HIGH_BITS)
            found |= ((there >> uint64(7)) * uint64(_GATHER) >> uint64(56)) << (at * uint64(EIGHT))
        if places > uint64(0):
            ram[LYING + rom[row + ZONE_PLACES]] = int64(found & (~uint64(0) >> (uint64(WORD_BITS) - places)))


@inlined
def put(rom: Memory, ram: Memory, cells: Memory, zone: Number, place: Number, card: Number) -> None:
    """Lay a card at a place, or `EMPTY`."""
    change_at(rom, cells, slot_of(rom, ram, zone, 0), place, card)
    at, bit = LYING + rom[rom[ZONES] + zone * ZONES_ROW + ZONE_PLACES], uint64(1) << uint64(place)
    there = uint64(ram[at])
    ram[at] = int64(there & ~bit if card == EMPTY else there | bit)


@inlined
def take(rom: Memory, ram: Memory, cells: Memory, zone: Number, place: Number) -> Number:
    """Take the card from a place."""
    card = int64(cells[slot_of(rom, ram, zone, 0) * rom[CELLS] + place])
    put(rom, ram, cells, zone, place, int64(EMPTY))
    return card


@inlined
def covered(rom: Memory, zone: Number, there: Number) -> Number:
    """The places on which something lies, if cards lie where `there` has bits."""
    row = rom[ZONES] + zone * ZONES_ROW
    table, found, left = uint64(rom[COVERS] + rom[row + ZONE_COVERS]), uint64(0), uint64(there)
    while left != uint64(0):
        found |= uint64(rom[table + (left & uint64(COVERS_ROW - 1))])
        table += uint64(COVERS_ROW)
        left >>= uint64(EIGHT)
    return found


@inlined
def free(rom: Memory, zone: Number, there: Number) -> Number:
    """The places whose card can be taken."""
    return there & ~covered(rom, zone, there)


@inlined
def turn_up(rom: Memory, ram: Memory, zone: Number) -> None:
    """Face-down cards that nothing covers any more turn up."""
    down = DOWN + rom[rom[ZONES] + zone * ZONES_ROW + ZONE_PLACES]
    if ram[down] != 0:
        there = lying(rom, ram, zone)
        ram[down] = int64(uint64(ram[down]) & there & covered(rom, zone, there))


@inlined
def place_numbered(places: Number, number: Number) -> Number:
    """One of some places, counted from 0."""
    for _ in range(number):
        places &= places - uint64(1)
    return lowest(places)
