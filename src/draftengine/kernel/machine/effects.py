"""Effects of played cards and triggers, as in `draftengine.engine.effects`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.chance import below
from draftengine.kernel.machine.expressions import evaluate, value_by, value_of
from draftengine.kernel.machine.jit import compiled, in_short, inlined, int64, uint64
from draftengine.kernel.machine.rows import append, remove_first, slot_of
from draftengine.kernel.memory import (
    AMOUNTS,
    AMOUNTS_ROW,
    BEFORE,
    CELLS,
    CHANCE,
    CHIP_COUNTS,
    CHIPS,
    COUNTS,
    DISCARD,
    DO_ADD,
    DO_CHIP,
    DO_DISCARD,
    DO_POINTS,
    DO_ROLL,
    DO_SET,
    DO_TAKE,
    EFFECT_AMOUNT_COUNT,
    EFFECT_AMOUNTS,
    EFFECT_KIND,
    EFFECT_LISTS,
    EFFECT_SIDES,
    EFFECT_TARGET,
    EFFECT_VALUE,
    EFFECTS,
    EFFECTS_ROW,
    GUESS,
    INCREMENTS,
    MARKERS,
    MAX_CHIPS,
    MEAN_CHIPS,
    PILES,
    PILES_ROW,
    PLAY_CARD,
    PLAYS,
    PLAYS_ROW,
    POINTS,
    RANKED,
    REVEAL,
    SCORES,
    SEAT_STRIDE,
    TABLEAU,
    TRACKED,
    WATCH_COUNT,
    WATCH_EFFECT_COUNT,
    WATCH_EFFECTS,
    WATCH_GUARD,
    WATCH_LABEL,
    WATCH_SINGLE,
    WATCH_SOURCE,
    WATCH_UNLESS,
    WATCH_WHO,
    WATCHES,
    WATCHES_ROW,
    WORDS,
)  # fmt: skip

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@inlined
def some_changed(rom: Memory, ram: Memory, bits: Number, words: Number, before: Number) -> Number:
    """Did a counter change, at any seat."""
    changed = 0
    for seat in range(rom[RANKED]):
        changed |= ram[words + seat] ^ ram[before + seat]
    return changed & bits != 0


@inlined
def run_watches(rom: Memory, ram: Memory, cells: Memory, label: Number) -> None:
    """Run the triggers of a moment."""
    _watch(rom, ram, cells, int64(label), int64(WORDS), int64(BEFORE), int64(-1))


@inlined
def expect_of_reveal(rom: Memory, ram: Memory, cells: Memory, seat: Number) -> Number:
    """What can be expected of the triggers of a reveal, in `GUESS`; the points of a seat."""
    return _watch(rom, ram, cells, int64(REVEAL), int64(GUESS), int64(WORDS), int64(seat))


@compiled
def _watch(
    rom: Memory, ram: Memory, cells: Memory, label: Number, words: Number, before: Number, expecting: Number
) -> Number:
    """Run the triggers of a moment; or only expect what they do, for the points of the seat `expecting`."""
    in_short()
    ranked, points = rom[RANKED], 0
    for watch in range(rom[WATCH_COUNT]):
        row = rom[WATCHES] + watch * WATCHES_ROW
        if rom[row + WATCH_LABEL] != label:
            continue
        guard = rom[row + WATCH_GUARD]
        if guard != 0 and not some_changed(rom, ram, guard, words, before):
            continue
        values = evaluate(rom, ram, cells, rom[row + WATCH_WHO], words, before)
        concerned, found = 0, 0
        for seat in range(ranked):
            if ram[values + seat] != 0:
                concerned |= 1 << seat
                found += 1
        if found == 0 or (rom[row + WATCH_SINGLE] == 1 and found != 1):
            continue
        unless, first, count = rom[row + WATCH_UNLESS], rom[row + WATCH_EFFECTS], rom[row + WATCH_EFFECT_COUNT]
        for seat in range(ranked):
            if concerned >> seat & 1 == 0:
                continue
            if unless >= 0 and value_by(rom, ram, cells, unless, words, before, seat) != 0:
                continue
            if expecting < 0:
                carry_out(rom, ram, cells, first, count, seat, rom[row + WATCH_SOURCE])
                continue
            more = expect(rom, ram, cells, first, count, seat)
            points += more if seat == expecting else 0
    return points


@compiled
def carry_out(
    rom: Memory, ram: Memory, cells: Memory, first: Number, count: Number, seat: Number, source: Number
) -> None:
    """Carry out effects for a seat."""
    for number in range(first, first + count):
        row = rom[EFFECTS] + rom[rom[EFFECT_LISTS] + number] * EFFECTS_ROW
        kind, target = rom[row + EFFECT_KIND], rom[row + EFFECT_TARGET]
        if kind == DO_POINTS:
            points = value_of(rom, ram, cells, rom[row + EFFECT_VALUE], seat)
            ram[SCORES + seat] += points
            ram[POINTS + source * SEAT_STRIDE + seat] += points
        elif kind == DO_TAKE:
            ram[MARKERS + target] = seat
        elif kind == DO_CHIP:
            draw_chip(ram, target, seat)
        elif kind == DO_DISCARD:
            _discard(rom, ram, cells, seat, target)
        else:
            rolled = 1 + below(ram, CHANCE, rom[row + EFFECT_SIDES]) if kind == DO_ROLL else 0
            _change(rom, ram, cells, row, seat, int64(WORDS), int64(BEFORE), rolled)


@compiled
def expect(rom: Memory, ram: Memory, cells: Memory, first: Number, count: Number, seat: Number) -> Number:
    """What can be expected of effects, in `GUESS` (see `draftengine.engine.effects.expect`): the points."""
    points, words, before = 0, int64(GUESS), int64(WORDS)
    for number in range(first, first + count):
        row = rom[EFFECTS] + rom[rom[EFFECT_LISTS] + number] * EFFECTS_ROW
        kind = rom[row + EFFECT_KIND]
        if kind == DO_POINTS:
            points += value_by(rom, ram, cells, rom[row + EFFECT_VALUE], words, before, seat)
        elif kind == DO_CHIP:
            points += rom[rom[MEAN_CHIPS] + rom[row + EFFECT_TARGET]]
        elif kind == DO_ROLL or kind == DO_ADD or kind == DO_SET:
            _change(rom, ram, cells, row, seat, words, before, 1 + rom[row + EFFECT_SIDES] // 2)
    return points


@compiled
def _change(
    rom: Memory,
    ram: Memory,
    cells: Memory,
    effect: Number,
    seat: Number,
    words: Number,
    before: Number,
    rolled: Number,
) -> None:
    """Set a die to what was rolled, or set or add to counters, in `words`."""
    first, kind = rom[effect + EFFECT_AMOUNTS], rom[effect + EFFECT_KIND]
    for number in range(first, first + rom[effect + EFFECT_AMOUNT_COUNT]):
        amount = rom[AMOUNTS] + number * AMOUNTS_ROW
        shift, mask, bias = uint64(rom[amount]), rom[amount + 1], rom[amount + 2]
        word = uint64(ram[words + seat])
        now = int64((word >> shift) & uint64(mask)) - bias
        if kind == DO_ROLL:
            value = rolled
        else:
            value = value_by(rom, ram, cells, rom[amount + 3], words, before, seat)
            low, high = rom[amount + 4], rom[amount + 5]
            if kind == DO_ADD:
                value, low, high = now + value, min(low, now), max(high, now)
            value = max(low, min(high, value))
        ram[words + seat] = int64(word + (uint64(value - now) << shift))
        if kind == DO_ROLL:
            break


@compiled
def draw_chip(ram: Memory, pile: Number, seat: Number) -> None:
    """A seat draws a chip blind from a pile, if one is left."""
    row = PILES + pile * PILES_ROW
    left = ram[row]
    if left == 0:
        return
    at = row + 1 + below(ram, CHANCE, left)
    chip = ram[at]
    for place in range(at, row + left):
        ram[place] = ram[place + 1]
    ram[row] = left - 1
    ram[CHIPS + seat * MAX_CHIPS + ram[CHIP_COUNTS + seat]] = pile << 32 | chip
    ram[CHIP_COUNTS + seat] += 1


@inlined
def _discard(rom: Memory, ram: Memory, cells: Memory, seat: Number, card: Number) -> None:
    """The last play of a card before a seat goes to the discard pile (as the first of its kind, like the others)."""
    slot = slot_of(rom, ram, rom[TABLEAU], seat)
    start = slot * rom[CELLS]
    for place in range(ram[COUNTS + slot] - 1, -1, -1):
        play = int64(cells[start + place])
        if rom[rom[PLAYS] + play * PLAYS_ROW + PLAY_CARD] == card:
            remove_first(rom, ram, cells, slot, play)
            ram[WORDS + seat] -= rom[rom[INCREMENTS] + play]
            if rom[TRACKED] == 1:
                append(rom, ram, cells, slot_of(rom, ram, rom[DISCARD], 0), card)
            return
