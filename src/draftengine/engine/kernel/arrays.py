"""Arrays that a batch of games writes, and scratch for filling them."""

from __future__ import annotations

from draftengine.jit.records import Record, array


class Arrays(Record):
    """Record of what players see and get, by table and player, in borrowed memory."""

    action: list[int] = array("i64", "", "By table and player: the number of the action that it takes.", borrowed=True)
    mask: list[int] = array("u8", "", "By table, player and action: 1 if it is legal, else 0.", borrowed=True)
    reward: list[float] = array("f32", "", "By table and player: what the game that ended is worth.", borrowed=True)
    over: list[int] = array("u8", "", "By table: 1 if its game ended, else 0.", borrowed=True)
    wide: list[float] = array("f32", "", "By table and player: observation vectors, if not small.", borrowed=True)
    narrow: list[int] = array("i16", "", "By table and player: observation vectors, if small.", borrowed=True)
    image: list[int] = array(
        "i32", "image", "What everybody sees, by seat (see `draftengine.engine.plan.observations`)."
    )
    left: list[int] = array("i32", "column", "By column, the cards of the box that nobody sees.")
