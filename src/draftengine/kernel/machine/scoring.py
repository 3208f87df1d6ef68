"""Rules and effects, as in `draftengine.engine.effects`.

The points of a rule are looked up: by a counter's value, or in the memo by a key of all that the rule looks at. What
the memo does not know yet is asked for (`UNKNOWN_POINTS`), computed by the rule's own definition, and remembered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.worth import SCALE
from draftengine.kernel.machine.chance import mix
from draftengine.kernel.machine.effects import draw_chip
from draftengine.kernel.machine.expressions import evaluate, value_of
from draftengine.kernel.machine.jit import compiled, inlined, int64, uint64
from draftengine.kernel.memory import (
    AT_END,
    AT_END_COUNT,
    AT_END_ROW,
    BEFORE,
    CHIP_COUNTS,
    CHIPS,
    FEW_SEATS,
    GATHERED,
    GUESS,
    INPUTS,
    INPUTS_ROW,
    KNOWN,
    LUTS,
    MAX_CHIPS,
    MEAN_CHIPS,
    MEMO,
    MEMO_MASK,
    OUT,
    PILES_ROW,
    PILES_START,
    POINTS,
    RANKED,
    RANKS,
    RANKS_ROW,
    REGISTERS,
    ROUND,
    ROUNDS,
    RULE_A,
    RULE_B,
    RULE_C,
    RULE_CHIP,
    RULE_COUNT,
    RULE_D,
    RULE_KIND,
    RULE_LISTS,
    RULE_LUT,
    RULE_RANKED_FIELD,
    RULE_TABLE,
    RULE_WHEN,
    RULES,
    RULES_ROW,
    SCORES,
    SEAT_STRIDE,
    SEATS,
    TRAP_COUNT,
    TRAP_RULE,
    TRAP_VALUES,
    WORDS,
)  # fmt: skip

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


NOT_KNOWN = -(1 << 40)
"""Where points should be that nobody has worked out yet."""


@inlined
def find(rom: Memory, key: Number) -> Number:
    """Where the points of a key lie; -1 if nobody has asked for them yet."""
    first, mask = uint64(rom[MEMO]), uint64(rom[MEMO_MASK])
    at = mix(uint64(key)) & mask
    while True:
        entry = first + uint64(2) * at
        if rom[entry] == key:
            return rom[entry + uint64(1)]
        if rom[entry] == -1:
            return -1
        at = (at + uint64(1)) & mask


@compiled
def points_of(rom: Memory, ram: Memory, cells: Memory, rule: Number, words: Number, before: Number) -> Number:
    """The points (or chips) of every seat under a rule, to `OUT`. False: they are not known yet."""
    row = rom[RULES] + rule * RULES_ROW
    kind = rom[row + RULE_KIND]
    ranked = rom[RANKED]
    for seat in range(ranked, rom[SEATS]):
        ram[OUT + seat] = 0
    if kind == RULE_LUT:
        shift, mask, lut = uint64(rom[row + RULE_A]), uint64(rom[row + RULE_B]), rom[LUTS] + rom[row + RULE_C]
        for seat in range(ranked):
            ram[OUT + seat] = rom[lut + int64((uint64(ram[words + seat]) >> shift) & mask)]
        return True
    if kind == RULE_TABLE:
        return _by_inputs(rom, ram, cells, rule, words, before)
    return _by_rank(rom, ram, cells, rule, words, before)


@inlined
def _by_rank(rom: Memory, ram: Memory, cells: Memory, rule: Number, words: Number, before: Number) -> Number:
    """A ranking depends on who has more than whom, and on who has enough: that is the key."""
    row = rom[RULES] + rule * RULES_ROW
    ranked, least = rom[RANKED], rom[row + RULE_D]
    measures = REGISTERS
    if rom[row + RULE_KIND] == RULE_RANKED_FIELD:
        shift, mask, bias = uint64(rom[row + RULE_A]), uint64(rom[row + RULE_B]), rom[row + RULE_C]
        for seat in range(ranked):
            ram[measures + seat] = int64((uint64(ram[words + seat]) >> shift) & mask) - bias
    else:
        measures = evaluate(rom, ram, cells, rom[row + RULE_A], words, before)
    start, seats = uint64(measures), uint64(ranked)
    width = uint64(2 if ranked <= FEW_SEATS else 4)
    if ranked == 2:  # noqa: PLR2004 (loops of a known length are unrolled)
        key = _order(ram, start, uint64(2), width, least)
    elif ranked == 3:  # noqa: PLR2004
        key = _order(ram, start, uint64(3), width, least)
    elif ranked == 4:  # noqa: PLR2004
        key = _order(ram, start, uint64(4), width, least)
    elif ranked == 5:  # noqa: PLR2004
        key = _order(ram, start, uint64(5), width, least)
    else:
        key = _order(ram, start, seats, width, least)
    if ranked <= FEW_SEATS:
        at = rom[uint64(rom[RANKS]) + uint64(rule) * uint64(RANKS_ROW) + key] - 1
    else:
        at = find(rom, int64(uint64(rule) << uint64(4 * ranked + 4) | key))
    if at < 0:
        _ask(ram, rule, measures, ranked)
        return False
    for seat in range(ranked):
        ram[OUT + seat] = rom[rom[KNOWN] + at + seat]
    return True


@inlined
def _order(ram: Memory, start: Number, seats: Number, width: Number, least: Number) -> Number:
    """How many seats have more than each, and, in the last bits, how many have enough."""
    key, enough = uint64(0), uint64(0)
    for seat in range(seats):
        own = ram[start + seat]
        above = uint64(0)
        for other in range(seats):
            above += uint64(ram[start + other] > own)
        enough += uint64(own >= least)
        key = key << width | above
    return key << (width // uint64(2) + uint64(2)) | enough


@inlined
def _by_inputs(rom: Memory, ram: Memory, cells: Memory, rule: Number, words: Number, before: Number) -> Number:
    row = rom[RULES] + rule * RULES_ROW
    first, count = rom[row + RULE_A], rom[row + RULE_B]
    ranked = rom[RANKED]
    for seat in range(ranked):
        ram[OUT + seat] = 0
    for number in range(count):
        declared = rom[INPUTS] + (first + number) * INPUTS_ROW
        values = evaluate(rom, ram, cells, rom[declared], words, before)
        low, size = rom[declared + 1], rom[declared + 2]
        for seat in range(ranked):
            ram[OUT + seat] = ram[OUT + seat] * size + (ram[values + seat] - low)
    for seat in range(ranked):
        # The rule is the last digit: other rules look at other numbers of inputs.
        at = find(rom, (ram[OUT + seat] * rom[RULE_COUNT] + rule) | (int64(1) << 62))
        if at < 0:
            for number in range(count):
                expression = rom[rom[INPUTS] + (first + number) * INPUTS_ROW]
                ram[TRAP_VALUES + number] = ram[evaluate(rom, ram, cells, expression, words, before) + seat]
            ram[TRAP_RULE], ram[TRAP_COUNT] = rule, count
            return False
        ram[OUT + seat] = rom[rom[KNOWN] + at]
    return True


@inlined
def _ask(ram: Memory, rule: Number, values: Number, count: Number) -> None:
    ram[TRAP_RULE], ram[TRAP_COUNT] = rule, count
    for number in range(count):
        ram[TRAP_VALUES + number] = ram[values + number]


@inlined
def score(
    rom: Memory,
    ram: Memory,
    cells: Memory,
    first: Number,
    count: Number,
    together: Number,
    plain: Number,
) -> Number:
    """Score the rules of a label. False: the points of some are not known yet, and the game has to be played again.

    Rules that look at nothing that scoring changes give their points one after the other, the first `plain` ones by
    table; otherwise (`together`) all are scored on the table as it lies before any are given.
    """
    _give_by_counters(rom, ram, first, plain)
    for number in range(first + plain, first + count):
        rule = rom[rom[RULE_LISTS] + number]
        row = rom[RULES] + rule * RULES_ROW
        when = rom[row + RULE_WHEN]
        counts = when < 0 or value_of(rom, ram, cells, when, 0) != 0
        if counts and not points_of(rom, ram, cells, rule, WORDS, BEFORE):
            return False
        for seat in range(rom[SEATS]):
            ram[GATHERED + rule * SEAT_STRIDE + seat] = ram[OUT + seat] if counts else 0
        if not together:
            _give(rom, ram, rule)
    if together:
        for number in range(first, first + count):
            _give(rom, ram, rom[rom[RULE_LISTS] + number])
    return True


@inlined
def _give_by_counters(rom: Memory, ram: Memory, first: Number, count: Number) -> None:
    """The points of rules that look at one counter alone."""
    begin, rules, luts = uint64(rom[RULE_LISTS] + first), uint64(rom[RULES]), uint64(rom[LUTS])
    ranked = uint64(rom[RANKED])
    for number in range(uint64(count)):
        rule = uint64(rom[begin + number])
        row = rules + rule * uint64(RULES_ROW)
        shift, mask = uint64(rom[row + uint64(RULE_A)]), uint64(rom[row + uint64(RULE_B)])
        lut, into = luts + uint64(rom[row + uint64(RULE_C)]), uint64(POINTS) + rule * uint64(SEAT_STRIDE)
        for seat in range(ranked):
            points = rom[lut + ((uint64(ram[uint64(WORDS) + seat]) >> shift) & mask)]
            ram[into + seat] += points
            ram[uint64(SCORES) + seat] += points


@inlined
def _give(rom: Memory, ram: Memory, rule: Number) -> None:
    """Give the points (or chips) of a rule."""
    chip = rom[rom[RULES] + rule * RULES_ROW + RULE_CHIP]
    for seat in range(rom[SEATS]):
        points = ram[GATHERED + rule * SEAT_STRIDE + seat]
        if chip < 0:
            ram[SCORES + seat] += points
            ram[POINTS + rule * SEAT_STRIDE + seat] += points
        else:
            for _ in range(points):
                draw_chip(ram, chip, seat)


@compiled
def standing(rom: Memory, ram: Memory, cells: Memory, rules: Number, words: Number, seat: Number) -> Number:
    """What all rules would give a seat if everything were scored with these counters, or `NOT_KNOWN`."""
    total = 0
    for rule in range(rules):
        points = standing_by(rom, ram, cells, rule, words, seat)
        if points == NOT_KNOWN:
            return points
        total += points
    return total


@inlined
def standing_by(rom: Memory, ram: Memory, cells: Memory, rule: Number, words: Number, seat: Number) -> Number:
    """What one rule would give a seat, or `NOT_KNOWN`."""
    words, before = int64(words), int64(WORDS)  # one copy of what is called, wherever the counters lie
    row = rom[RULES] + rule * RULES_ROW
    when = rom[row + RULE_WHEN]
    if rom[row + RULE_KIND] == RULE_LUT and when < 0:
        if seat >= rom[RANKED]:
            return 0
        shift, mask = uint64(rom[row + RULE_A]), uint64(rom[row + RULE_B])
        at = rom[row + RULE_C] + int64((uint64(ram[words + seat]) >> shift) & mask)
        return rom[rom[LUTS] + at]
    if when >= 0 and ram[evaluate(rom, ram, cells, when, words, before)] == 0:
        return 0
    if not points_of(rom, ram, cells, rule, words, before):
        return NOT_KNOWN
    return _in_points(rom, rule, ram[OUT + seat])


@inlined
def _in_points(rom: Memory, rule: Number, amount: Number) -> Number:
    """What a rule gives, in points: a chip is worth the mean of its pile."""
    chip = rom[rom[RULES] + rule * RULES_ROW + RULE_CHIP]
    return amount if chip < 0 else amount * rom[rom[MEAN_CHIPS] + chip]


@inlined
def uses_of(
    word: Number, before: Number, shift: Number, mask: Number, bias: Number, offer: Number, most: Number
) -> Number:
    """How often an ability may be used: at an offer its card must have lain there when the turn began."""
    ready = int64((word >> shift) & mask) - bias
    if offer:
        ready = min(ready, int64((before >> shift) & mask) - bias)
    return min(ready, most)


@inlined
def total(rom: Memory, ram: Memory, seat: Number) -> Number:
    """A seat's points with the values of its chips."""
    points = ram[SCORES + seat]
    for number in range(ram[CHIP_COUNTS + seat]):
        chip = ram[CHIPS + seat * MAX_CHIPS + number]
        points += rom[rom[PILES_START] + (chip >> 32) * PILES_ROW + 1 + (chip & 0xFFFFFFFF)]
    return points


@compiled
def prospects(rom: Memory, ram: Memory, cells: Memory, over: Number) -> Number:
    """As `draftengine.engine.prospect.prospects`, to `GUESS`. False: the points of a rule are not known yet."""
    for seat in range(rom[SEATS]):
        ram[GUESS + seat] = rom[ROUNDS] * total(rom, ram, seat)
    if not over and not _add_pending(rom, ram, cells):
        return False
    for seat in range(rom[SEATS]):
        ram[GUESS + seat] = SCALE * ram[GUESS + seat] // rom[ROUNDS]
    return True


@inlined
def _add_pending(rom: Memory, ram: Memory, cells: Memory) -> Number:
    """What the rules of the end of the game would give each seat, times the rounds that it counts for, to `GUESS`."""
    for number in range(rom[AT_END_COUNT]):
        row = rom[AT_END] + number * AT_END_ROW
        rule, weight = rom[row], rom[ROUNDS] if rom[row + 1] == 1 else ram[ROUND]
        when = rom[rom[RULES] + rule * RULES_ROW + RULE_WHEN]
        if when >= 0 and value_of(rom, ram, cells, when, 0) == 0:
            continue
        if not points_of(rom, ram, cells, rule, WORDS, BEFORE):
            return False
        for seat in range(rom[SEATS]):
            ram[GUESS + seat] += weight * _in_points(rom, rule, ram[OUT + seat])
    return True
