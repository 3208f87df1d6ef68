"""Plays stretches of games compiled: the text specialised to a card set and its policies, through LLVM."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from draftengine.compiled.forms import Compiled
from draftengine.compiled.limits import UnsupportedError
from draftengine.compiled.options import Options
from draftengine.compiled.plan import Plan
from draftengine.compiled.playing import learn_from_games, play_games
from draftengine.compiled.state import Game
from draftengine.compiled.tally import Sums
from draftengine.compiled.worth import by_decision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.accounting import Shape
    from draftengine.engine.program import Program
    from draftengine.engine.worth import Worth


def why_not(program: Program, policies: Sequence[str]) -> str:
    """What does not fit into machine words; empty if everything does."""
    try:
        Plan(program, policies)
    except UnsupportedError as error:
        return str(error)
    return ""


class Player:
    """A game compiled for some policies. Raises `UnsupportedError` if it cannot be."""

    def __init__(
        self, program: Program, policies: Sequence[str], *, logged: bool = False, worth: Worth | None = None
    ) -> None:
        self.plan = Plan(program, policies, logged=logged)
        self.shape: Shape = self.plan.shape
        self._games = Compiled(play_games, self.plan, {"g": Game, "view": Game, "sums": Sums, "options": Options}, 4)
        if worth is not None:
            self._games.memory["options"].lend("worth", array("i", by_decision(worth)))

    def play(self, root: int, first: int, last: int, *, rows: bool) -> tuple[list[int], list[list[int]]]:
        """Play the games `first` to `last - 1` under a root: their tally, and a row for each if asked for."""
        columns = self.shape.seats * (1 + self.shape.sources) + 1
        tally = array("q", bytes(8 * self.shape.size))
        written = array("i", bytes(4 * columns * (last - first) * rows))
        self._games.memory["sums"].lend("tally", tally)
        self._games.memory["sums"].lend("rows", written)
        self._games(root, first, last, int(rows))
        found = written.tolist()
        return tally.tolist(), [found[at : at + columns] for at in range(0, len(found), columns)]


class Learner:
    """A game compiled to learn from what cards are worth. Raises `UnsupportedError` if it cannot be."""

    def __init__(self, program: Program) -> None:
        plan = Plan(program, ["playout"] * program.players, learning=True)
        self._games = Compiled(learn_from_games, plan, {"g": Game, "view": Game, "options": Options}, 3)

    def learn(self, worth: Worth, key: int, first: int, last: int) -> tuple[list[int], list[int], list[int], int]:
        """Play games by a table: what was gained to the end of rounds and games, by entry; how often; the lead."""
        size, options = len(worth.values), self._games.memory["options"]
        found = [array("q", bytes(8 * size)) for _ in range(3)]
        lead = array("q", bytes(8))
        options.lend("worth", array("i", by_decision(worth)))
        for name, sums in zip(("in_round", "in_game", "met"), found, strict=True):
            options.lend(name, sums)
        options.lend("lead", lead)
        self._games(key, first, last)
        return found[0].tolist(), found[1].tolist(), found[2].tolist(), lead[0]
