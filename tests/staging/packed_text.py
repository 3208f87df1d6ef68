"""Kernel source that works on packed numbers, and on words cut out of them."""

from __future__ import annotations

from draftengine.jit.primitives import as_packed, row, wrap
from draftengine.jit.records import Packed, Record, array, number, packed

TOP = 110
"""The shift of the highest field."""
FIELDS = ((0, 7), (60, 255), (TOP, 63))
RISES = (1, 1 << TOP, (1 << TOP) - (5 << 60), (1 << 64) - 3, -(1 << TOP))


class Packs(Record):
    word: list[int] = packed("seat", "Packed numbers.")
    was: list[int] = packed("seat", "What they were.")
    sum: int = number("A number.")
    shift: list[int] = array("i32", "field", "Where fields begin.")


def cut(word: Packed, shift: int, mask: int) -> int:
    return word >> shift & mask


def risen(word: Packed, rise: int) -> Packed:
    if word & (255 << 60):
        return word + RISES[rise]
    return word - RISES[rise]


def changed(g: Packs) -> Packed:
    found = 0
    for seat in range(2):
        found |= g.word[seat] ^ g.was[seat]
    return found


def work(g: Packs, rise: int, value: int) -> int:
    """Use every operation on packed numbers; return a checksum."""
    kept = row(2)
    for seat in range(2):
        kept[seat] = g.word[seat]
        g.was[seat] = g.word[seat]
    g.word[0] = risen(g.word[0], rise)
    g.word[1] += as_packed(value - cut(g.word[1], TOP, 63)) << TOP
    g.word[1] = (g.word[1] & ((63 << TOP) + 7)) + ((9 << 60) - 2)
    g.word[0] += as_packed(value - 30) << 60
    more = rise
    if value > 50:
        more = RISES[(rise + value) % 5]
    g.word[1] += more
    bits = changed(g)
    g.sum = 0
    for shift, mask in FIELDS:
        g.sum = g.sum * 300 + cut(g.word[0], shift, mask)
        if bits & mask << shift:
            g.sum += 7
    g.sum += max(g.word[1] >> g.shift[rise % 3] & value, 3)
    g.sum += (g.word[0] == kept[0]) + 2 * (g.word[1] < kept[1]) + 4 * (g.word[0] != 0)
    chosen = g.word[0] if value > 20 else kept[1]
    g.sum += chosen >> 60 & 1
    if value > 40:
        g.word[0] = kept[0]
    return wrap(g.sum * 3) & 65535


def too_wide(g: Packs) -> int:
    g.sum = g.word[0] >> 1
    return 0
