"""What players know of where cards lie, as in `draftengine.engine.memory` and `draftengine.engine.observe`.

The machine plays without that; here everything that it does to cards is followed, card by card. Cards are counted by
rows of cells, which travel when hands are passed on, so what is known of a hand travels with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.choosing import choice_row
from draftengine.kernel.machine.jit import compiled, inlined, int64, uint64
from draftengine.kernel.machine.rows import slot_of
from draftengine.kernel.memory import (
    ABILITIES,
    ABILITIES_ROW,
    ABILITY_CARD,
    ABILITY_RETURNS,
    ABILITY_TAKE,
    ALSO,
    ALSO_ROW,
    CELLS,
    CHOICE_ALSO,
    CHOICE_FIRST_OTHER,
    CHOICE_LAYOUT,
    CHOICE_SOURCE,
    CHOICE_TARGET,
    CHOICE_TO_TABLEAU,
    COUNTS,
    DISCARD,
    EMPTY,
    MARKERS,
    MOVES,
    MOVES_ROW,
    OUT,
    PLAYERS,
    ROW_COUNT,
    SEATS,
    SLOTS,
    STAYS,
    TABLEAU,
    TO_DISCARD,
    TO_HAND,
    ZONE_COUNT,
    ZONE_FACE_DOWN,
    ZONE_OWNERS,
    ZONE_PLACE_COUNT,
    ZONE_ROW,
    ZONES,
    ZONES_ROW,
)
from draftengine.kernel.table_memory import (
    BY_ALL,
    BY_OWNER,
    COLUMN_OF_CARD,
    COLUMN_OF_OPTION,
    COLUMN_OF_PLAY,
    COLUMNS,
    EVENTFUL,
    EVERYBODY,
    GONE,
    KNOWN_ROW,
    REMEMBERED,
    SHOWN,
    SIGHTS,
    STALE,
    STALE_TABLEAUS,
)

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@inlined
def sight(plan: Memory, zone: Number, owner: Number) -> Number:
    """The seats that may look into a zone of an owner, as bits."""
    seen_by = plan[plan[SIGHTS] + zone]
    if seen_by == BY_ALL:
        return EVERYBODY
    return 1 << owner if seen_by == BY_OWNER else 0


@inlined
def _column_of(plan: Memory, card: Number) -> Number:
    return plan[plan[COLUMN_OF_CARD] + card]


# ── what lies there ───────────────────────────────────────────────────────────────────────────────────────────────────


@inlined
def forget_all(rom: Memory, ram: Memory, plan: Memory, known: Memory) -> None:
    """A game begins: nobody knows anything, and nothing is counted."""
    for at in range(plan[KNOWN_ROW]):
        known[at] = 0
    for slot in range(rom[ROW_COUNT]):
        ram[STALE + slot] = 1
    ram[STALE_TABLEAUS] = 1


@compiled
def spoil(rom: Memory, ram: Memory, zone: Number) -> None:
    """The cards of a zone change."""
    row = rom[ZONES] + zone * ZONES_ROW
    for owner in range(rom[row + ZONE_OWNERS]):
        ram[STALE + ram[SLOTS + rom[row + ZONE_ROW] + owner]] = 1
    if zone == rom[TABLEAU]:
        ram[STALE_TABLEAUS] = 1


@inlined
def spoil_all(rom: Memory, ram: Memory) -> None:
    for zone in range(rom[ZONE_COUNT]):
        spoil(rom, ram, zone)


@compiled
def count_again(rom: Memory, ram: Memory, cells: Memory, plan: Memory, known: Memory, slot: Number) -> None:
    """Count the cards of a row, if they have changed and somebody looks at them."""
    first = plan[plan[SHOWN] + slot]
    if ram[STALE + slot] == 0 or first < 0:
        return
    ram[STALE + slot] = 0
    for column in range(plan[COLUMNS]):
        known[first + column] = 0
    start = slot * rom[CELLS]
    for place in range(ram[COUNTS + slot]):
        known[first + _column_of(plan, int64(cells[start + place]))] += 1


@inlined
def count_all(rom: Memory, ram: Memory, cells: Memory, plan: Memory, known: Memory) -> None:
    """The same for everything, and for the cards in tableaus."""
    for slot in range(rom[ROW_COUNT]):
        count_again(rom, ram, cells, plan, known, slot)
    if ram[STALE_TABLEAUS] == 1:
        ram[STALE_TABLEAUS] = 0
        for column in range(plan[COLUMNS]):
            known[plan[GONE] + column] = 0
        for seat in range(rom[SEATS]):
            slot = slot_of(rom, ram, rom[TABLEAU], seat)
            start = slot * rom[CELLS]
            for place in range(ram[COUNTS + slot]):
                known[plan[GONE] + plan[plan[COLUMN_OF_PLAY] + int64(cells[start + place])]] += 1


# ── what is remembered ────────────────────────────────────────────────────────────────────────────────────────────────


@compiled
def _leave(rom: Memory, plan: Memory, known: Memory, slot: Number, column: Number, seats: Number) -> None:
    """One card leaves a row; `seats` see which."""
    if plan[plan[SHOWN] + slot] >= 0:
        known[plan[plan[SHOWN] + slot] + column] -= 1
    first, columns = plan[plan[REMEMBERED] + slot], plan[COLUMNS]
    if first < 0:
        return
    for viewer in range(rom[PLAYERS]):
        if seats >> viewer & 1:
            known[first + column] -= known[first + column] > 0
        else:
            for other in range(columns):
                known[first + other] -= known[first + other] > 0
        first += columns


@compiled
def _arrive(rom: Memory, plan: Memory, known: Memory, slot: Number, column: Number, seats: Number) -> None:
    """One card comes to a row; `seats` see which."""
    if plan[plan[SHOWN] + slot] >= 0:
        known[plan[plan[SHOWN] + slot] + column] += 1
    first, columns = plan[plan[REMEMBERED] + slot], plan[COLUMNS]
    if first < 0:
        return
    for viewer in range(rom[PLAYERS]):
        known[first + column] += seats >> viewer & 1
        first += columns


@compiled
def forget(rom: Memory, ram: Memory, plan: Memory, known: Memory, zone: Number) -> None:
    """A zone is shuffled or emptied: nothing is known of it."""
    row = rom[ZONES] + zone * ZONES_ROW
    for owner in range(rom[row + ZONE_OWNERS]):
        first = plan[plan[REMEMBERED] + ram[SLOTS + rom[row + ZONE_ROW] + owner]]
        if first >= 0:
            for at in range(first, first + rom[PLAYERS] * plan[COLUMNS]):
                known[at] = 0


@inlined
def look(rom: Memory, ram: Memory, cells: Memory, plan: Memory, known: Memory, zone: Number) -> None:
    """Owners look into a zone that is theirs to look into."""
    if plan[plan[SIGHTS] + zone] == BY_OWNER:
        row, columns = rom[ZONES] + zone * ZONES_ROW, plan[COLUMNS]
        for owner in range(min(rom[PLAYERS], rom[row + ZONE_OWNERS])):
            slot = ram[SLOTS + rom[row + ZONE_ROW] + owner]
            count_again(rom, ram, cells, plan, known, slot)
            shown, own = plan[plan[SHOWN] + slot], plan[plan[REMEMBERED] + slot] + owner * columns
            for column in range(columns):
                known[own + column] = known[shown + column]


@inlined
def follow_deal(rom: Memory, ram: Memory, cells: Memory, plan: Memory, known: Memory, row: Number) -> None:
    """Follow a deal that is done; `OUT` has how many cards each target had before (see `before_deal`)."""
    source, target, marker = rom[row + 2], rom[row + 3], rom[row + 5]
    into = rom[ZONES] + target * ZONES_ROW
    shared = rom[rom[ZONES] + source * ZONES_ROW + ZONE_OWNERS] == 1
    for owner in range(1 if rom[into + ZONE_OWNERS] == 1 else rom[PLAYERS]):
        if marker >= 0 and rom[into + ZONE_OWNERS] > 1 and ram[MARKERS + marker] != owner:
            continue
        giver, taker = slot_of(rom, ram, source, 0 if shared else owner), slot_of(rom, ram, target, owner)
        start, seats = taker * rom[CELLS], sight(plan, target, owner)
        for place in range(rom[into + ZONE_PLACE_COUNT]):
            card = int64(cells[start + place])
            if card != EMPTY:
                down = uint64(rom[into + ZONE_FACE_DOWN]) >> uint64(place) & uint64(1)
                _leave(rom, plan, known, giver, _column_of(plan, card), 0 if down else EVERYBODY)
        if rom[into + ZONE_PLACE_COUNT] == 0:
            for place in range(ram[OUT + owner], ram[COUNTS + taker]):
                column = _column_of(plan, int64(cells[start + place]))
                _leave(rom, plan, known, giver, column, seats)
                _arrive(rom, plan, known, taker, column, seats)
    spoil(rom, ram, source)
    spoil(rom, ram, target)


@inlined
def before_deal(rom: Memory, ram: Memory, target: Number) -> None:
    """Note how many cards the owners of a zone have."""
    for owner in range(rom[rom[ZONES] + target * ZONES_ROW + ZONE_OWNERS]):
        ram[OUT + owner] = ram[COUNTS + slot_of(rom, ram, target, owner)]


@inlined
def follow_move(rom: Memory, ram: Memory, plan: Memory, known: Memory, source: Number, target: Number) -> None:
    """Whole zones will be put into others: what was known of them is known there."""
    to_shared = rom[rom[ZONES] + target * ZONES_ROW + ZONE_OWNERS] == 1
    for owner in range(rom[rom[ZONES] + source * ZONES_ROW + ZONE_OWNERS]):
        giver = slot_of(rom, ram, source, owner)
        from_ = plan[plan[REMEMBERED] + giver]
        to = plan[plan[REMEMBERED] + slot_of(rom, ram, target, 0 if to_shared else owner)]
        if ram[COUNTS + giver] > 0 and from_ >= 0:
            for at in range(rom[PLAYERS] * plan[COLUMNS]):
                if to >= 0:
                    known[to + at] += known[from_ + at]
                known[from_ + at] = 0
    spoil(rom, ram, source)
    spoil(rom, ram, target)


@inlined
def follow_choice(
    rom: Memory, ram: Memory, cells: Memory, plan: Memory, known: Memory, choice: Number, seats: Number
) -> None:
    """What `seats` have chosen will be laid down: follow it, move by move."""
    row = choice_row(rom, choice)
    for seat in range(rom[PLAYERS]):
        if seats >> seat & 1:
            _follow(rom, ram, cells, plan, known, row, seat)
    if plan[EVENTFUL] == 1:
        spoil(rom, ram, rom[TABLEAU])
        spoil(rom, ram, rom[DISCARD])


@inlined
def _follow(rom: Memory, ram: Memory, cells: Memory, plan: Memory, known: Memory, row: Number, seat: Number) -> None:
    source, target, layout = rom[row + CHOICE_SOURCE], rom[row + CHOICE_TARGET], rom[row + CHOICE_LAYOUT] == 1
    move, first_other = MOVES + seat * MOVES_ROW, rom[row + CHOICE_FIRST_OTHER]
    slot = slot_of(rom, ram, source, 0 if layout else seat)
    ability, taken = -1, 0
    for number in range(ram[move]):
        channel, item, receiver = ram[move + 2 + 2 * number], ram[move + 3 + 2 * number], seat
        if channel >= first_other:
            receiver = rom[rom[ALSO] + (rom[row + CHOICE_ALSO] + channel - first_other) * ALSO_ROW]
        elif channel > 0:
            ability = channel - 1
            taken += 1
        if layout:
            column = _column_of(plan, int64(cells[slot * rom[CELLS] + item]))
        else:
            column = plan[plan[COLUMN_OF_OPTION] + item]
        seen_by = EVERYBODY
        if rom[row + CHOICE_TO_TABLEAU] == 0:
            owner = receiver if rom[rom[ZONES] + target * ZONES_ROW + ZONE_OWNERS] > 1 else 0
            seen_by = sight(plan, target, owner)
            _arrive(rom, plan, known, slot_of(rom, ram, target, owner), column, seen_by)
        else:
            known[plan[GONE] + column] += 1
        if not layout:
            _leave(rom, plan, known, slot, column, seen_by)
    if ability >= 0:
        own = rom[ABILITIES] + ability * ABILITIES_ROW
        take, to, column = (
            rom[own + ABILITY_TAKE],
            rom[own + ABILITY_RETURNS],
            _column_of(plan, rom[own + ABILITY_CARD]),
        )
        for _ in range((taken + take - 1) // take):
            known[plan[GONE] + column] -= to != STAYS
            if to == TO_HAND:
                _arrive(rom, plan, known, slot, column, EVERYBODY)
        if to == TO_DISCARD:
            spoil(rom, ram, rom[DISCARD])


@inlined
def in_view(rom: Memory, ram: Memory, plan: Memory, zone: Number, owner: Number, viewer: Number) -> Number:
    """Where in `known` stands what a player knows of a zone without places; -1 for nothing."""
    slot = slot_of(rom, ram, zone, owner)
    seen_by = plan[plan[SIGHTS] + zone]
    if seen_by == BY_ALL or (seen_by == BY_OWNER and owner == viewer):
        return plan[plan[SHOWN] + slot]
    first = plan[plan[REMEMBERED] + slot]
    return first + viewer * plan[COLUMNS] if first >= 0 else -1


@inlined
def face_at(cells: Memory, plan: Memory, place: Number) -> Number:
    """The column of the card at a place of the cells."""
    return _column_of(plan, int64(cells[place]))
