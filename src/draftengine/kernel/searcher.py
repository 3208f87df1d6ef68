"""Searches and learning with the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from draftengine.engine.worth import LOGISTIC_SIZE, SCALE, size_of
from draftengine.kernel import image
from draftengine.kernel import memory as at
from draftengine.kernel.player import Player

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.program import Program
    from draftengine.engine.redeal import Knowledge
    from draftengine.engine.worth import Worth

ROOM = 1 << 18
"""So many nodes a search has room for."""


class Branch(NamedTuple):
    """What a search found out about one move of the seat that searches."""

    key: tuple[int, int, int, int]
    """Its item, the number of the ability, the item taken with it, the item for another seat; -1 for none."""
    visits: int
    total: int
    margins: int


class Searcher:
    """Searches for any seat. Raises `UnsupportedError` where the machine cannot play this game."""

    def __init__(
        self, program: Program, worth: Worth, *, near: int, few: int, by_margin: bool, logistic: Sequence[Sequence[int]]
    ) -> None:
        """`near`, `few`, `by_margin`, `logistic`: as in `draftengine.bots.trees.Aim`."""
        self.player = Player(program, ["search"] * program.players, worth=worth, room=ROOM * at.TREE_ROW)
        ram = self.player.ram
        ram[at.MODE] = at.SEARCHING
        ram[at.NEAR], ram[at.FEW], ram[at.BY_MARGIN] = near, few, int(by_margin)
        ram[at.LOGISTIC : at.LOGISTIC + 2 * LOGISTIC_SIZE] = [chance for own in logistic for chance in own]
        ram[at.TREE_ROOM] = ROOM

    def begin(
        self, knowledge: Knowledge, seat: int, exploration: float, models: Sequence[Sequence[int]], *, alone: bool
    ) -> None:
        """A new search for a seat, with nothing but the roots; `alone`: only it has a tree, of one move.

        `models`: by seat, how it plays in playouts (`draftengine.bots.trees.Model`); none where nobody plays by one.
        """
        ram, players = self.player.ram, self.player.program.players
        image.write(self.player, knowledge)
        ram[at.EXPLORATION] = round(exploration * SCALE)
        ram[at.TREE_COUNT] = players
        ram[at.ALONE], ram[at.SEARCHER] = int(alone), seat
        ram[at.LOWEST : at.LOWEST + at.SEAT_STRIDE] = 1 << 60
        ram[at.HIGHEST : at.HIGHEST + at.SEAT_STRIDE] = -(1 << 60)
        ram[at.BY_MODELS] = int(bool(models))
        limits = [limit for model in models for limit in model]
        ram[at.MODELS : at.MODELS + len(limits)] = limits
        for root in range(players):
            row = at.RAM_SIZE + root * at.TREE_ROW
            ram[row : row + at.TREE_ROW] = 0
            ram[row + at.TREE_CHILD] = -1

    def run(self, key: int, first: int, last: int) -> None:
        """The playouts `first` to `last - 1`."""
        self.player.run(key, first, last)

    def branches(self, seat: int) -> list[Branch]:
        """What was found out about the moves of a seat."""
        ram, found = self.player.ram, []
        child = int(ram[at.RAM_SIZE + seat * at.TREE_ROW + at.TREE_CHILD])
        while child >= 0:
            row = ram[at.RAM_SIZE + child * at.TREE_ROW :][: at.TREE_ROW].tolist()
            key = row[at.TREE_KEY]
            parts = tuple((key >> shift & 0xFFFF) - 1 for shift in (48, 32, 16, 0))
            found.append(Branch(parts, row[at.TREE_VISITS], row[at.TREE_TOTAL], row[at.TREE_MARGIN]))
            child = row[at.TREE_NEXT]
        return found


def learn(
    program: Program, worth: Worth, key: int, first: int, last: int
) -> tuple[list[int], list[int], list[int], int]:
    """Play games by a table with some exploring moves: what `draftengine.bots.learning.Sums` says of them."""
    size = size_of(program)
    player = Player(program, ["playout"] * program.players, worth=worth, room=3 * size)
    player.ram[at.MODE] = at.LEARNING
    player.run(key, first, last)
    found = player.ram[at.RAM_SIZE :].tolist()
    return found[:size], found[size : 2 * size], found[2 * size :], int(player.ram[at.LEAD])
