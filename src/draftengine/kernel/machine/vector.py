"""Observation vectors of players at a table; what every part of them shows is told by the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.jit import compiled, inlined, int64, uint64
from draftengine.kernel.machine.knowledge import face_at, in_view
from draftengine.kernel.machine.layouts import lying
from draftengine.kernel.machine.rows import slot_of
from draftengine.kernel.memory import (
    CELLS,
    CHIP_COUNTS,
    CHIPS,
    COUNTS,
    DEPTH,
    DOWN,
    EMPTY,
    MARKERS,
    MAX_CHIPS,
    PILE_COUNT,
    PILES,
    PILES_ROW,
    PILES_START,
    PLAYERS,
    ROUND,
    SCORES,
    SEATS,
    TABLEAU,
    TURNS,
    WORDS,
    ZONE_COUNT,
    ZONE_OWNERS,
    ZONE_PLACE_COUNT,
    ZONE_PLACES,
    ZONES,
    ZONES_ROW,
)
from draftengine.kernel.table_memory import (
    CHOICE,
    COLUMNS,
    COPIES_BY_COLUMN,
    FIELD_COUNT,
    FIELDS,
    FIELDS_ROW,
    GONE,
    LEFT,
    MOST_POINTS,
    NAMED,
    NAMED_ROW,
    PART_COUNT,
    PARTS,
    PARTS_ROW,
    PENDING,
    SHOWS_CARDS,
    SHOWS_CHIPS,
    SHOWS_CHIPS_LEFT,
    SHOWS_CHIPS_WORTH,
    SHOWS_CHOICE,
    SHOWS_CHOOSING,
    SHOWS_COUNTERS,
    SHOWS_MARKER,
    SHOWS_PLACES,
    SHOWS_ROUND,
    SHOWS_SCORES,
    SHOWS_SIZE,
    SHOWS_TAKEN,
    SHOWS_TURN,
    SHOWS_UNSEEN,
)

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@inlined
def seat_at(rom: Memory, viewer: Number, place: Number) -> Number:
    """The seat that is so many places on from a player; extra seats come last."""
    players = rom[PLAYERS]
    if place >= players:
        return place
    seat = viewer + place
    return seat - players if seat >= players else seat


@compiled
def write_vector(
    rom: Memory, ram: Memory, cells: Memory, plan: Memory, kept: Memory, known: Memory, viewer: Number, out: Memory
) -> None:
    """All that a player may know."""
    _count_left(rom, ram, cells, plan, known, viewer)
    parts, columns, seats = plan[PARTS], plan[COLUMNS], rom[SEATS]
    for number in range(plan[PART_COUNT]):
        part = parts + number * PARTS_ROW
        kind, about, at = plan[part], plan[part + 1], plan[part + 3]
        seat = seat_at(rom, viewer, plan[part + 2])
        if kind == SHOWS_CARDS:
            first = in_view(rom, ram, plan, about, _owner(rom, about, seat), viewer)
            for column in range(columns):
                out[at + column] = known[first + column] if first >= 0 else 0
        elif kind == SHOWS_SIZE:
            out[at] = _size(rom, ram, about, _owner(rom, about, seat))
        elif kind == SHOWS_COUNTERS:
            word = uint64(ram[WORDS + seat])
            for field in range(plan[FIELD_COUNT]):
                row = plan[FIELDS] + field * FIELDS_ROW
                out[at + field] = int64(word >> uint64(plan[row]) & uint64(plan[row + 1])) - plan[row + 2]
        elif kind == SHOWS_UNSEEN:
            for column in range(columns):
                out[at + column] = max(ram[LEFT + column], 0)
        elif kind == SHOWS_TAKEN:
            for action in range(plan[part + 4]):
                out[at + action] = 0
            add_taken(plan, kept, viewer, out, at)
        elif kind == SHOWS_SCORES:
            for place in range(seats):
                points = ram[SCORES + seat_at(rom, viewer, place)]
                out[at + place] = max(-plan[MOST_POINTS], min(points, plan[MOST_POINTS]))
        elif kind == SHOWS_CHOOSING:
            for place in range(rom[PLAYERS]):
                out[at + place] = kept[PENDING] >> seat_at(rom, viewer, place) & 1
        elif kind == SHOWS_CHOICE:
            for choice in range(plan[part + 4]):
                out[at + choice] = choice == kept[CHOICE]
        elif kind == SHOWS_ROUND:
            out[at] = ram[ROUND]
        elif kind == SHOWS_TURN:
            out[at] = ram[TURNS + ram[DEPTH] - 1] if ram[DEPTH] > 0 else 0
        else:
            _write_rare(rom, ram, cells, plan, kind, about, seat, viewer, out, at)


@inlined
def _owner(rom: Memory, zone: Number, seat: Number) -> Number:
    """The owner of a zone where a seat has it, or all have it together."""
    return seat if rom[rom[ZONES] + zone * ZONES_ROW + ZONE_OWNERS] > 1 else 0


@inlined
def add_taken(plan: Memory, kept: Memory, viewer: Number, out: Memory, at: Number) -> None:
    """Count the actions of the move that a player is making."""
    named = plan[NAMED] + viewer * plan[NAMED_ROW]
    for number in range(kept[named]):
        out[at + kept[named + 1 + number]] += 1


@compiled
def rewrite_taken(plan: Memory, kept: Memory, viewer: Number, out: Memory) -> None:
    """Write only the move that a player is making."""
    for number in range(plan[PART_COUNT]):
        part = plan[PARTS] + number * PARTS_ROW
        if plan[part] == SHOWS_TAKEN:
            at = plan[part + 3]
            for action in range(plan[part + 4]):
                out[at + action] = 0
            add_taken(plan, kept, viewer, out, at)


@compiled
def _write_rare(
    rom: Memory,
    ram: Memory,
    cells: Memory,
    plan: Memory,
    kind: Number,
    about: Number,
    seat: Number,
    viewer: Number,
    out: Memory,
    at: Number,
) -> None:
    """Layouts, markers and chips."""
    if kind == SHOWS_PLACES:
        _write_places(rom, ram, cells, plan, about, out, at)
    elif kind == SHOWS_MARKER:
        holder = ram[MARKERS + about]
        out[at] = holder < 0
        for place in range(rom[SEATS]):
            out[at + 1 + place] = holder == seat_at(rom, viewer, place)
    elif kind == SHOWS_CHIPS_LEFT:
        for pile in range(rom[PILE_COUNT]):
            out[at + pile] = ram[PILES + pile * PILES_ROW]
    elif kind == SHOWS_CHIPS or kind == SHOWS_CHIPS_WORTH:
        for pile in range(rom[PILE_COUNT]):
            out[at + pile] = 0
        for number in range(ram[CHIP_COUNTS + seat]):
            chip = ram[CHIPS + seat * MAX_CHIPS + number]
            pile = chip >> 32
            if kind == SHOWS_CHIPS:
                out[at + pile] += 1
            elif seat == viewer:
                out[at + pile] += rom[rom[PILES_START] + pile * PILES_ROW + 1 + (chip & 0xFFFFFFFF)]


@inlined
def _write_places(rom: Memory, ram: Memory, cells: Memory, plan: Memory, zone: Number, out: Memory, at: Number) -> None:
    """For each place of a layout: face down, or one of the faces."""
    row, width = rom[ZONES] + zone * ZONES_ROW, plan[COLUMNS] + 1
    start = slot_of(rom, ram, zone, 0) * rom[CELLS]
    for place in range(rom[row + ZONE_PLACE_COUNT]):
        first = at + place * width
        for column in range(width):
            out[first + column] = 0
        if cells[start + place] != EMPTY:
            down = _is_down(rom, ram, row, place)
            out[first + (0 if down else 1 + face_at(cells, plan, start + place))] = 1


@inlined
def _is_down(rom: Memory, ram: Memory, zone: Number, place: Number) -> Number:
    """Does the card at a place of a layout (the row of its zone) lie face down."""
    return uint64(ram[DOWN + rom[zone + ZONE_PLACES]]) >> uint64(place) & uint64(1) != uint64(0)


@inlined
def _size(rom: Memory, ram: Memory, zone: Number, owner: Number) -> Number:
    slot, places = slot_of(rom, ram, zone, owner), rom[rom[ZONES] + zone * ZONES_ROW + ZONE_PLACE_COUNT]
    if places == 0:
        return ram[COUNTS + slot]
    there, found = lying(rom, ram, zone), 0
    for place in range(places):
        found += int64(there >> uint64(place) & uint64(1))
    return found


@inlined
def _count_left(rom: Memory, ram: Memory, cells: Memory, plan: Memory, known: Memory, viewer: Number) -> None:
    """The cards of the box without those that a player can place, to `LEFT`."""
    columns = plan[COLUMNS]
    for column in range(columns):
        ram[LEFT + column] = plan[plan[COPIES_BY_COLUMN] + column] - known[plan[GONE] + column]
    for zone in range(rom[ZONE_COUNT]):
        row = rom[ZONES] + zone * ZONES_ROW
        if zone == rom[TABLEAU]:
            continue
        if rom[row + ZONE_PLACE_COUNT] > 0:
            start = slot_of(rom, ram, zone, 0) * rom[CELLS]
            for place in range(rom[row + ZONE_PLACE_COUNT]):
                if cells[start + place] != EMPTY and not _is_down(rom, ram, row, place):
                    ram[LEFT + face_at(cells, plan, start + place)] -= 1
            continue
        for owner in range(rom[row + ZONE_OWNERS]):
            first = in_view(rom, ram, plan, zone, owner, viewer)
            if first >= 0:
                for column in range(columns):
                    ram[LEFT + column] -= known[first + column]
