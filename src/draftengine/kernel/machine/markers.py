"""Markers: who holds them next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.expressions import evaluate
from draftengine.kernel.machine.jit import compiled, inlined
from draftengine.kernel.memory import (
    BEFORE,
    GIVE_LEFT,
    GIVE_MOST,
    GIVE_NOBODY,
    GIVE_STAYS,
    MARKERS,
    PLAYERS,
    WORDS,
)

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@inlined
def give(rom: Memory, ram: Memory, cells: Memory, row: Number) -> None:
    """A marker goes to another player."""
    marker, to, measure, tie = rom[row + 2], rom[row + 3], rom[row + 4], rom[row + 5]
    if measure >= 0:
        taker = _foremost(rom, ram, cells, measure, to)
        if taker >= 0:
            ram[MARKERS + marker] = taker
            return
        to = tie
    holder, last = ram[MARKERS + marker], rom[PLAYERS] - 1
    if to == GIVE_NOBODY:
        ram[MARKERS + marker] = -1
    elif holder >= 0 and to != GIVE_STAYS:
        neighbour = holder + (1 if to == GIVE_LEFT else last)
        while neighbour > last:
            neighbour -= rom[PLAYERS]
        ram[MARKERS + marker] = neighbour


@compiled
def _foremost(rom: Memory, ram: Memory, cells: Memory, measure: Number, to: Number) -> Number:
    """The player who alone has most (or fewest); -1 if several do."""
    values = evaluate(rom, ram, cells, measure, WORDS, BEFORE)
    sign = 1 if to == GIVE_MOST else -1
    best, ties, taker = -(1 << 40), 0, -1
    for seat in range(rom[PLAYERS]):
        value = sign * ram[values + seat]
        if value > best:
            best, ties, taker = value, 1, seat
        elif value == best:
            ties += 1
    return taker if ties == 1 else -1
