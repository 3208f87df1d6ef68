"""The steps of a turn, one after the other: as far as nobody has to be asked for a move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.choosing import choice_row
from draftengine.kernel.machine.cycle import is_even
from draftengine.kernel.machine.expressions import value_of
from draftengine.kernel.machine.jit import compiled, in_short, inlined, int64, uint64
from draftengine.kernel.machine.layouts import lying
from draftengine.kernel.machine.markers import give
from draftengine.kernel.machine.rows import append, slot_of, slots_of
from draftengine.kernel.machine.turns import nobody_offers, settle_at_random, settle_plain
from draftengine.kernel.memory import (
    CELLS,
    CHOICE_PLAIN,
    CODE,
    CODE_ROW,
    COUNTS,
    DEPTH,
    DIRECTIONS,
    DOWN,
    EMPTY,
    FIRST_OF_TURNS,
    LYING,
    MARKERS,
    OP_CHOOSE,
    OP_DEAL,
    OP_GIVE,
    OP_MOVE_ALL,
    OP_NEXT_TURN,
    OP_PASS,
    PLAYERS,
    ROUND,
    SLOTS,
    TURNS,
    ZONE_FACE_DOWN,
    ZONE_OWNERS,
    ZONE_PLACE_COUNT,
    ZONE_PLACES,
    ZONE_ROW,
    ZONES,
    ZONES_ROW,
)

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@compiled
def play_turns(rom: Memory, ram: Memory, cells: Memory, at: Number, at_random: Number) -> Number:
    """Play from an instruction to the first that is no step of turns, or a choice that has to be asked for; which."""
    in_short()
    while True:
        row = rom[CODE] + at * CODE_ROW
        kind, following = rom[row], rom[row + 1]
        if kind == OP_CHOOSE:
            if not at_random:
                return at
            choice = rom[row + 2]
            own = choice_row(rom, choice)
            if is_even(rom, ram, choice, at_random):
                settle_at_random(rom, ram, cells, own)
            elif rom[own + CHOICE_PLAIN] == 1:
                settle_plain(rom, ram, cells, own)
            elif not nobody_offers(rom, ram, own):
                return at
            at = following
        elif kind >= FIRST_OF_TURNS:
            at = turn_step(rom, ram, cells, row, kind, following)
        else:
            return at


@inlined
def turn_step(rom: Memory, ram: Memory, cells: Memory, row: Number, kind: Number, following: Number) -> Number:
    """A step of a turn in which nobody chooses; the instruction that follows."""
    if kind == OP_NEXT_TURN:
        return _next_turn(rom, ram, cells, row)
    if kind == OP_PASS:
        _pass(rom, ram, rom[row + 2], rom[row + 3])
    elif kind == OP_GIVE:
        give(rom, ram, cells, row)
    elif kind == OP_DEAL:
        _deal(rom, ram, cells, row)
    elif kind == OP_MOVE_ALL:
        _move_all(rom, ram, cells, rom[row + 2], rom[row + 3])
    return following


@inlined
def _next_turn(rom: Memory, ram: Memory, cells: Memory, row: Number) -> Number:
    zone, layout, times, until = rom[row + 2], rom[row + 3], rom[row + 4], rom[row + 5]
    if zone >= 0:
        slots, cards = slots_of(rom, zone), 0
        for owner in range(rom[rom[ZONES] + zone * ZONES_ROW + ZONE_OWNERS]):
            cards |= ram[COUNTS + ram[slots + owner]]
        done = cards == 0
    elif layout >= 0:
        done = lying(rom, ram, layout) == uint64(0)
    elif times >= 0:
        done = ram[TURNS + ram[DEPTH] - 1] >= value_of(rom, ram, cells, times, 0)
    else:
        done = until >= 0 and value_of(rom, ram, cells, until, 0) != 0
    if done:
        ram[DEPTH] -= 1
        return rom[row + 6]
    ram[TURNS + ram[DEPTH] - 1] += 1
    return rom[row + 1]


@inlined
def _pass(rom: Memory, ram: Memory, zone: Number, directions: Number) -> None:
    """The rows of the players travel one seat on: to the left (1) or to the right (-1)."""
    rows = SLOTS + rom[rom[ZONES] + zone * ZONES_ROW + ZONE_ROW]
    last = rom[PLAYERS] - 1
    if rom[rom[DIRECTIONS] + directions + ram[ROUND]] == 1:
        carried = ram[rows + last]
        for seat in range(last, 0, -1):
            ram[rows + seat] = ram[rows + seat - 1]
        ram[rows] = carried
    else:
        carried = ram[rows]
        for seat in range(last):
            ram[rows + seat] = ram[rows + seat + 1]
        ram[rows + last] = carried


@inlined
def _deal(rom: Memory, ram: Memory, cells: Memory, row: Number) -> None:
    """Cards from the top (the end) of a zone to each owner of another."""
    source, target, cards, marker = rom[row + 2], rom[row + 3], rom[row + 4], rom[row + 5]
    count = value_of(rom, ram, cells, cards, 0)
    into = rom[ZONES] + target * ZONES_ROW
    shared = rom[rom[ZONES] + source * ZONES_ROW + ZONE_OWNERS] == 1
    owners = 1 if rom[into + ZONE_OWNERS] == 1 else rom[PLAYERS]
    for owner in range(owners):
        if marker >= 0 and rom[into + ZONE_OWNERS] > 1 and ram[MARKERS + marker] != owner:
            continue
        giver = slot_of(rom, ram, source, 0 if shared else owner)
        taker = slot_of(rom, ram, target, owner)
        left = ram[COUNTS + giver]
        dealt = max(0, min(count, left))
        from_, to = giver * rom[CELLS] + left - 1, taker * rom[CELLS]
        if rom[into + ZONE_PLACE_COUNT] > 0:
            _lay_out(rom, ram, cells, into, from_, to, dealt)
        else:
            behind, top = uint64(to + ram[COUNTS + taker]), uint64(from_)
            for number in range(uint64(dealt)):
                cells[behind + number] = cells[top - number]
            ram[COUNTS + taker] += dealt
        ram[COUNTS + giver] = left - dealt


@inlined
def _lay_out(rom: Memory, ram: Memory, cells: Memory, zone: Number, from_: Number, to: Number, dealt: Number) -> None:
    places, laid = rom[zone + ZONE_PLACE_COUNT], uint64(0)
    for place in range(places):
        cells[to + place] = cells[from_ - place] if place < dealt else EMPTY
        laid |= uint64(place < dealt) << uint64(place)
    ram[LYING + rom[zone + ZONE_PLACES]] = int64(laid)
    ram[DOWN + rom[zone + ZONE_PLACES]] = int64(laid & uint64(rom[zone + ZONE_FACE_DOWN]))


@inlined
def _move_all(rom: Memory, ram: Memory, cells: Memory, source: Number, target: Number) -> None:
    to_shared = rom[rom[ZONES] + target * ZONES_ROW + ZONE_OWNERS] == 1
    for owner in range(rom[rom[ZONES] + source * ZONES_ROW + ZONE_OWNERS]):
        giver = slot_of(rom, ram, source, owner)
        taker = slot_of(rom, ram, target, 0 if to_shared else owner)
        for place in range(ram[COUNTS + giver]):
            append(rom, ram, cells, taker, cells[giver * rom[CELLS] + place])
        ram[COUNTS + giver] = 0
