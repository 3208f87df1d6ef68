"""The arrays that games side by side write, and scratch for what stands in them."""

from __future__ import annotations

from draftengine.staging.record import Record, cells


class Arrays(Record):
    """What players see and get, by table and player; it lies in memory that is given."""

    action: list[int] = cells("i64", "", "What the players do.", borrowed=True)
    mask: list[int] = cells("u8", "", "One for every legal action.", borrowed=True)
    reward: list[float] = cells("f32", "", "What the game that ended is worth to each player.", borrowed=True)
    over: list[int] = cells("u8", "", "By table: did its game end.", borrowed=True)
    wide: list[float] = cells("f32", "", "Observations.", borrowed=True)
    narrow: list[int] = cells("i16", "", "The same, if they are to be small.", borrowed=True)
    image: list[int] = cells("i32", "image", "What everybody sees, by seat (see `draftengine.compiled.views`).")
    left: list[int] = cells("i32", "column", "By column, the cards of the box that nobody sees.")
