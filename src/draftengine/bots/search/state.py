"""The record of a search."""

from __future__ import annotations

from draftengine.jit.struct_type import Record, array, number


class Search(Record):
    """A search of one decision: its objective, the source of its worlds, and the trees of all seats.

    The first slots of the trees are the roots, one for every player.
    """

    searcher: int = number("The seat that searches.")
    alone: int = number("Has only this seat a tree, of one move.")
    near: int = number("So many playouts end with the round, later ones with the game.")
    few: int = number("In so many playouts opponents follow their trees less often than in those that follow.")
    by_models: int = number("Do opponents play by models of them.")
    by_margin: int = number("Does the margin itself count, not the chance to win.")
    exploration: int = number(
        "The weight of what was tried seldom, in parts of `draftengine.engine.worth_tables.SCALE`."
    )
    model: list[int] = array(
        "i64", "model", "By player the limits of `draftengine.bots.search.objectives.OpponentMix`."
    )
    chances: list[int] = array(
        "i64", "", "The chance to win by margin: at the end of a round, then of the game.", borrowed=True
    )
    log: list[float] = array(
        "f64", "", "By whole number, its natural logarithm; that of 0 is not asked for.", borrowed=True
    )

    copies: int = number("How many stretches of cells are the same in every world.")
    copied: list[int] = array(
        "i64", "", "Of each stretch that is the same in every world: its first cell, and how many.", borrowed=True
    )
    parts: int = number("How many parts are dealt.")
    part: list[int] = array(
        "i64",
        "",
        "Of each part: first cell of its pool, cards in it, stretches that it fills, part that gets the rest.",
        borrowed=True,
    )
    now: list[int] = array("i64", "", "How many cards are in the pool of each part now.", borrowed=True)
    filled: list[int] = array(
        "i64",
        "",
        "Of each stretch that parts fill: its first cell (-1: nobody asks for it), and how many.",
        borrowed=True,
    )
    stirs: int = number("How many zones are shuffled before a world is played.")
    reshuffled_zones: list[int] = array(
        "i64", "", "Of each zone that is shuffled: its first cell, and how many cards.", borrowed=True
    )
    hidden: list[int] = array("i64", "pile", "How many chips of a pile the seat does not know.")
    chip_pool: list[int] = array("i64", "pile", "The cell where the chips of a pile begin that the seat does not know.")
    chip_holder: list[int] = array(
        "i64", "", "Pile by pile, who holds each of those that were drawn; -1 behind the last.", borrowed=True
    )

    node: list[int] = array("i64", "player", "The slot at which each player is in its tree; -1 = it has left it.")
    length: list[int] = array("i64", "player", "By player: how many moves it has made in its tree.")
    path: list[int] = array("i64", "path", "By player: the slots of the moves that it has made in its tree.")
    branch: list[int] = array("i64", "place", "The slots of the moves that are looked at, the best first.")
    lowest: list[int] = array("i64", "player", "The lowest utility that each player has seen.")
    highest: list[int] = array("i64", "player", "The highest utility that each player has seen.")

    count: int = number("How many slots are in use.")
    room: int = number("How many slots there is room for.")
    deepest: int = number("How many moves the longest path had.")
    visits: list[int] = array("i32", "", "By slot, how often a move was tried.", borrowed=True)
    available: list[int] = array("i32", "", "By slot, how often a move could have been tried.", borrowed=True)
    child: list[int] = array("i32", "", "By slot, the first slot of the moves behind it; 0 = none yet.", borrowed=True)
    further: list[int] = array(
        "i32", "", "By slot, the first slot of the moves that take one more card; 0 = none yet.", borrowed=True
    )
    total: list[int] = array("i64", "", "By slot, the utilities that its move led to, added up.", borrowed=True)
    margins: list[int] = array(
        "i64", "", "By slot, the margins that its move led to, added up, in parts of a point.", borrowed=True
    )
