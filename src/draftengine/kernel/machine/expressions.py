"""Formulas, as in `draftengine.language.evaluate`: an operation computes its value for every seat at once.

A register holds one number for each seat. Operations have no effects and none can fail, so both sides of a choice are
computed; a division by zero, which a choice keeps from being asked for, gives 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.jit import compiled, inlined, int64, ones, uint64
from draftengine.kernel.machine.layouts import lying
from draftengine.kernel.machine.rows import slot_of
from draftengine.kernel.memory import (
    BEFORE,
    COUNTS,
    DEPTH,
    EX_ABS,
    EX_ADD,
    EX_AND,
    EX_AT_LEAST,
    EX_AT_MOST,
    EX_CARDS,
    EX_CHOICE,
    EX_EQUAL,
    EX_FIELD,
    EX_GAINED,
    EX_HAS,
    EX_HOLDS,
    EX_LEADS,
    EX_LESS,
    EX_MAX,
    EX_MIN,
    EX_MORE,
    EX_MOST,
    EX_NEGATE,
    EX_NOT,
    EX_NUMBER,
    EX_OR,
    EX_OTHERS_FEWEST,
    EX_OTHERS_MOST,
    EX_OTHERS_TOTAL,
    EX_POINTS,
    EX_POSITIVE,
    EX_QUOTIENT,
    EX_REMAINDER,
    EX_ROUND,
    EX_SUBTRACT,
    EX_TIMES,
    EX_TOTAL,
    EX_TURN,
    EX_UNEQUAL,
    EXPRESSIONS,
    EXPRESSIONS_ROW,
    MARKERS,
    NUMBER,
    OPERATIONS,
    OPERATIONS_ROW,
    RANKED,
    REGISTERS,
    ROUND,
    SCORES,
    SEAT_STRIDE,
    SEATS,
    TURNS,
    WORDS,
    ZONE_OWNERS,
    ZONE_PLACE_COUNT,
    ZONES,
    ZONES_ROW,
)  # fmt: skip

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@compiled
def evaluate(
    rom: Memory,
    ram: Memory,
    cells: Memory,  # noqa: ARG001 (every function of the machine is given its memories)
    expression: Number,
    words: Number,
    before: Number,
) -> Number:
    """Compute an expression for all seats; where its values lie. `words`, `before`: where the counters lie."""
    row = rom[EXPRESSIONS] + expression * EXPRESSIONS_ROW
    seats = rom[SEATS]
    for number in range(rom[row], rom[row + 1]):
        operation = rom[OPERATIONS] + number * OPERATIONS_ROW
        kind = rom[operation]
        target = REGISTERS + rom[operation + 1] * SEAT_STRIDE
        first, second, third = rom[operation + 2], rom[operation + 3], rom[operation + 4]
        if kind == EX_FIELD:
            for seat in range(seats):
                word = uint64(ram[words + seat])
                ram[target + seat] = int64((word >> uint64(first)) & uint64(second)) - third
        elif kind == EX_HAS:
            for seat in range(seats):
                word = uint64(ram[words + seat])
                ram[target + seat] = 1 if int64((word >> uint64(first)) & uint64(second)) > third else 0
        elif kind == EX_NUMBER:
            for seat in range(seats):
                ram[target + seat] = first
        elif kind == EX_LEADS:
            _leads(rom, ram, target, uint64(first), uint64(second), words, before)
        elif kind >= EX_MOST:
            _aggregate(rom, ram, kind, target, REGISTERS + first * SEAT_STRIDE)
        elif kind >= EX_NEGATE:
            _combine(ram, kind, target, first, second, third, seats)
        else:
            for seat in range(seats):
                ram[target + seat] = _read(rom, ram, kind, seat, first, second, words, before)
    return REGISTERS + rom[row + 2] * SEAT_STRIDE


@inlined
def _read(
    rom: Memory,
    ram: Memory,
    kind: Number,
    seat: Number,
    first: Number,
    second: Number,
    words: Number,
    before: Number,
) -> Number:
    if kind == EX_GAINED:
        shift, mask = uint64(first), uint64(second)
        now, then = uint64(ram[words + seat]) >> shift & mask, uint64(ram[before + seat]) >> shift & mask
        return int64(now) - int64(then)
    if kind == EX_POINTS:
        return ram[SCORES + seat]
    if kind == EX_ROUND:
        return ram[ROUND]
    if kind == EX_TURN:
        return ram[TURNS + ram[DEPTH] - 1] if ram[DEPTH] > 0 else 0
    if kind == EX_HOLDS:
        return 1 if ram[MARKERS + first] == seat else 0
    if kind == EX_CARDS:
        return _cards(rom, ram, first, seat)
    return 0


@inlined
def _cards(rom: Memory, ram: Memory, zone: Number, seat: Number) -> Number:
    row = rom[ZONES] + zone * ZONES_ROW
    if rom[row + ZONE_PLACE_COUNT] == 0:
        return ram[COUNTS + slot_of(rom, ram, zone, seat if rom[row + ZONE_OWNERS] > 1 else 0)]
    return int64(ones(lying(rom, ram, zone)))


@inlined
def _combine(
    ram: Memory, kind: Number, target: Number, first: Number, second: Number, third: Number, seats: Number
) -> None:
    """An operation on registers. The most usual ones have loops of their own."""
    one = REGISTERS + first * SEAT_STRIDE
    two = REGISTERS + second * SEAT_STRIDE
    three = REGISTERS + third * SEAT_STRIDE
    if kind == EX_NEGATE:
        for seat in range(seats):
            ram[target + seat] = -ram[one + seat]
    elif kind == EX_NOT:
        for seat in range(seats):
            ram[target + seat] = ram[one + seat] == 0
    elif kind == EX_ADD:
        for seat in range(seats):
            ram[target + seat] = ram[one + seat] + ram[two + seat]
    elif kind == EX_SUBTRACT:
        for seat in range(seats):
            ram[target + seat] = ram[one + seat] - ram[two + seat]
    elif kind == EX_EQUAL:
        for seat in range(seats):
            ram[target + seat] = ram[one + seat] == ram[two + seat]
    elif kind == EX_LESS:
        for seat in range(seats):
            ram[target + seat] = ram[one + seat] < ram[two + seat]
    elif kind == EX_MORE:
        for seat in range(seats):
            ram[target + seat] = ram[one + seat] > ram[two + seat]
    elif kind == EX_POSITIVE:
        for seat in range(seats):
            ram[target + seat] = ram[one + seat] > 0
    elif kind == EX_AND:
        for seat in range(seats):
            ram[target + seat] = ram[two + seat] if ram[one + seat] != 0 else 0
    else:
        for seat in range(seats):
            ram[target + seat] = _combined(kind, ram[one + seat], ram[two + seat], ram[three + seat])


@inlined
def _combined(kind: Number, one: Number, two: Number, three: Number) -> Number:
    if kind == EX_TIMES:
        return one * two
    if kind == EX_QUOTIENT:
        return one // two if two != 0 else 0
    if kind == EX_REMAINDER:
        return one % two if two != 0 else 0
    if kind == EX_UNEQUAL:
        return 1 if one != two else 0
    if kind == EX_AT_MOST:
        return 1 if one <= two else 0
    if kind == EX_AT_LEAST:
        return 1 if one >= two else 0
    if kind == EX_OR:
        return one if one != 0 else two
    if kind == EX_CHOICE:
        return two if one != 0 else three
    if kind == EX_MIN:
        return min(one, two)
    if kind == EX_MAX:
        return max(one, two)
    if kind == EX_ABS:
        return abs(one)
    return 0


@inlined
def _leads(
    rom: Memory, ram: Memory, target: Number, shift: Number, mask: Number, words: Number, before: Number
) -> None:
    """Has a seat got more of a counter and, of those that are ranked, most of it: what many triggers ask."""
    most = uint64(0)
    for seat in range(rom[RANKED]):
        most = max(most, uint64(ram[words + seat]) >> shift & mask)
    for seat in range(rom[SEATS]):
        now, then = uint64(ram[words + seat]) >> shift & mask, uint64(ram[before + seat]) >> shift & mask
        ram[target + seat] = (now > then) & (now == most)


@inlined
def _aggregate(rom: Memory, ram: Memory, kind: Number, target: Number, source: Number) -> None:
    ranked, seats = rom[RANKED], rom[SEATS]
    if kind == EX_OTHERS_MOST or kind == EX_OTHERS_FEWEST or kind == EX_OTHERS_TOTAL:
        for seat in range(seats):
            ram[target + seat] = _of_seats(ram, kind, source, ranked, seat)
    else:
        value = _of_seats(ram, kind, source, ranked, -1)
        for seat in range(seats):
            ram[target + seat] = value


@compiled
def _of_seats(ram: Memory, kind: Number, source: Number, ranked: Number, without: Number) -> Number:
    found, any_seat = 0, False
    for seat in range(ranked):
        if seat != without:
            value = ram[source + seat]
            if kind == EX_TOTAL or kind == EX_OTHERS_TOTAL:
                found += value
            elif not any_seat:
                found = value
            elif kind == EX_MOST or kind == EX_OTHERS_MOST:
                found = max(found, value)
            else:
                found = min(found, value)
            any_seat = True
    return found


@inlined
def value_by(
    rom: Memory, ram: Memory, cells: Memory, expression: Number, words: Number, before: Number, seat: Number
) -> Number:
    """The value of an expression for a seat by some counters (see `evaluate`)."""
    if expression >= NUMBER:
        return expression - NUMBER
    return ram[evaluate(rom, ram, cells, expression, words, before) + seat]


@inlined
def value_of(rom: Memory, ram: Memory, cells: Memory, expression: Number, seat: Number) -> Number:
    """The value of an expression for a seat as things lie."""
    return value_by(rom, ram, cells, expression, WORDS, BEFORE, seat)
