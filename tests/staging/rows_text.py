"""Kernel source that visits rows of records and writes arrays."""

from __future__ import annotations

from draftengine.jit.records import Record, array, fields, number


class Row(Record):
    """One record of many."""

    sum: int = number("What was added up.")
    pair: list[int] = fields("pair", "Two numbers.")
    flags: list[int] = array("u8", "flag", "Three flags.")


class Shown(Record):
    """Arrays that all rows write to."""

    wide: list[float] = array("f32", "", "Thirds.", borrowed=True)
    narrow: list[int] = array("i16", "", "Sums.", borrowed=True)


def add(g: Row, shown: Shown, stop: int, at: int) -> int:
    """Add to the sums and write them; return true where to stop."""
    g.sum += at
    g.pair[1] = -g.sum
    g.flags[at % 3] += 1
    shown.wide[at] = g.sum / 3
    shown.narrow[at] = g.pair[1]
    shown.narrow[at] += shown.wide[0] > 0
    return at == stop
