"""Runners of ranges of games, with the kernel specialised to card set and policies.

The kernel runs compiled, or in CPython.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from draftengine.engine.accounting import DIGEST
from draftengine.engine.forms import NativeForm, PythonForm
from draftengine.engine.kernel.options import MoveScratch
from draftengine.engine.kernel.playing import learn_from_games, play_games
from draftengine.engine.kernel.tally import Sums
from draftengine.engine.plan.plan import Plan
from draftengine.engine.record import StateRecord
from draftengine.jit.records import signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.accounting import TallyLayout
    from draftengine.engine.program import Program
    from draftengine.engine.worth_tables import Worth

FEW = 30
"""The number of games up to which playing unspecialised is faster than specialising first."""


class GameRunner:
    """Runner of ranges of games, with a policy for each player.

    Raises `UnsupportedError` if the kernel cannot play the game.
    """

    def __init__(
        self,
        program: Program,
        policies: Sequence[str],
        *,
        logged: bool = False,
        worth: Worth | None = None,
        compiled: bool = True,
    ) -> None:
        self.plan = Plan(program, policies, logged=logged, in_words=compiled)
        self.shape: TallyLayout = self.plan.shape
        self._games = (
            NativeForm(play_games, self.plan, _PLAYING, 5) if compiled else PythonForm(play_games, self.plan, _PLAYING)
        )
        self._played = 0
        self._playing = Lock()  # other threads wait
        if worth is not None:
            self._games.bind_array("options", "worth", worth.worth)

    def play(
        self, root: int, first: int, last: int, *, rows: bool, copies: bool = False
    ) -> tuple[list[int], list[list[int]]]:
        """Play the games `first` to `last - 1` of a root. Return their tally and, with `rows`, a row for each.

        With `copies` a row ends with the number of times that each seat made each play.
        """
        self._played += last - first
        if self._played > FEW:
            self.specialise()
        columns = self.plan.columns + copies * self.shape.plays * self.shape.seats
        with self._playing:
            tally = self._games.bind_array("sums", "tally", [0] * self.shape.size)
            written = self._games.bind_array("sums", "rows", [0] * (columns * (last - first) * rows))
            self._games(root, first, last, int(rows), int(copies))
            cells, sums = list(written), list(tally)
        sums[DIGEST] = signed(sums[DIGEST])
        return sums, [cells[start : start + columns] for start in range(0, len(cells), columns)]

    def specialise(self) -> None:
        """Specialise the kernel unless it is specialised; `play` does so after `FEW` games."""
        if isinstance(self._games, PythonForm):
            self._games.specialise(5)


class LearningRunner:
    """Runner of games that teach a worth table.

    Raises `UnsupportedError` if the kernel cannot play the game.
    """

    def __init__(self, program: Program, *, compiled: bool = True) -> None:
        self.compiled = compiled
        self._learning = Lock()  # other threads wait
        plan = Plan(program, ["playout"] * program.players, learning=True, in_words=compiled)
        self._games: NativeForm | PythonForm
        if compiled:
            self._games = NativeForm(learn_from_games, plan, _LEARNING, 3, longest=_LONGEST)
        else:
            self._games = PythonForm(learn_from_games, plan, _LEARNING)
            self._games.specialise(3)

    def learn(self, worth: Worth, key: int, first: int, last: int) -> tuple[list[int], list[int], list[int], int]:
        """Play the games `first` to `last - 1` with a worth table.

        Returns three lists by entry of the table: gains to the end of rounds (in parts of a point), gains to the end of
        games, and the number of visits. The last value is the sum of the winners' leads in points.
        """
        nothing, lend = [0] * len(worth.values), self._games.bind_array
        with self._learning:
            lend("options", "worth", worth.worth)
            tables = [lend("options", name, nothing) for name in ("in_round", "in_game", "met")]
            lead = lend("options", "lead", [0])
            self._games(key, first, last)
            return list(tables[0]), list(tables[1]), list(tables[2]), lead[0]


_LONGEST = 0
"""The size up to which LLVM optimises: none.

Optimising would take 1 to 15 seconds, for games that take less than one second together.
"""
_PLAYING = {"state": StateRecord, "view": StateRecord, "sums": Sums, "options": MoveScratch}
_LEARNING = {"state": StateRecord, "view": StateRecord, "options": MoveScratch}
