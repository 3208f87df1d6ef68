"""Plays stretches of games with the machine, and teaches it what it does not know yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from draftengine.engine.chance import mix
from draftengine.engine.program import RankedRule
from draftengine.kernel import cache
from draftengine.kernel import memory as at
from draftengine.kernel.accounting import Shape, parts_of
from draftengine.kernel.formulas import UnsupportedError
from draftengine.kernel.pack import Packed

with cache.kept_in(cache.folder()):
    from draftengine.kernel.machine.run import run_games

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.program import Program
    from draftengine.engine.worth import Worth

_run_games = cache.rebuilt(run_games)
_FIRST_ROOM = 1 << 10
_NO_ROWS = np.zeros((0, 1), dtype=np.int32)
POLICIES = {"random": at.RANDOM, "greedy": at.GREEDY}
"""The policies that the machine knows."""
_BY_WORTH = {"table": at.TABLE, "playout": at.PLAYOUT, "search": at.SEARCH}
"""Those that need a table of worths."""


class Stretch(NamedTuple):
    """What came out of some games: their tally, and a row for each if asked for."""

    tally: Any
    rows: Any


class Player:
    """The machine with a game loaded, and so much more room. Raises `UnsupportedError` if it cannot play it."""

    def __init__(
        self,
        program: Program,
        policies: Sequence[str],
        *,
        tracked: bool = False,
        logged: bool = False,
        worth: Worth | None = None,
        room: int = 0,
    ) -> None:
        self.program = program
        self.packed = Packed(program, tracked=tracked, logged=logged)
        known = POLICIES if worth is None else POLICIES | _BY_WORTH
        unknown = [name for name in policies if name not in known]
        compared = [name for name in policies if name != "random"]
        if unknown or (compared and not self.packed.flow.greedy_fits):
            raise UnsupportedError(f"the kernel cannot play {', '.join(unknown or compared[:1])} here")
        if worth is not None:
            start = int(self.packed.rom[at.WORTH])
            self.packed.rom[start : start + len(worth.values)] = worth.values
        self.shape = Shape(program.seats, len(self.packed.sources), len(program.plays) if logged else 0)
        self.ram = np.zeros(at.RAM_SIZE + room, dtype=np.int64)
        rows = np.zeros(self.packed.rows * self.packed.cells, dtype=np.uint8)
        self.start = np.concatenate([rows, np.array(self.packed.start_cells, dtype=np.uint8)])
        self.cells = self.start
        self._shape = np.array(self.shape, dtype=np.int64)
        parts = parts_of(self.shape, most_wins=program.model.winner.order == "most")
        self._parts = np.array(parts, dtype=np.int64)
        for seat, name in enumerate(policies):
            self.ram[at.POLICIES + seat] = known[name]
        self._memo: dict[int, int] = {}
        self._known: list[int] = []
        self._room = _FIRST_ROOM
        self.rom = self._with_room()

    def play(self, root: int, first: int, last: int, *, rows: bool = False) -> Stretch:
        """Play the games `first` to `last - 1` under the root of a seed (see `draftengine.engine.chance`)."""
        columns = self.shape.seats * (1 + self.shape.sources) + 1
        written = np.zeros((last - first if rows else 0, columns), dtype=np.int32)
        return Stretch(self.run(root, first, last, written), written)

    def run(self, root: int, first: int, last: int, written: Any = _NO_ROWS) -> Any:
        """The same in whatever mode the machine is; the tally."""
        tally = np.zeros(self.shape.size, dtype=np.int64)
        signed = root - (1 << 64) if root >= 1 << 63 else root
        game = first
        while game < last:
            game, ended = _run_games(
                self.rom, self.ram, self.cells, signed, first, game, last, tally, self._shape, self._parts, written
            )
            if ended == at.TOO_MUCH:
                raise UnsupportedError("a seat has too many moves to choose from")
            if ended == at.UNKNOWN_POINTS:
                self.learn()
        return tally

    # ── what the machine asks for ─────────────────────────────────────────────────────────────────────────────────────

    def learn(self) -> None:
        """Compute the points of a rule for what the machine asks, by the rule's own definition."""
        number = int(self.ram[at.TRAP_RULE])
        rule = self.program.rules[number]
        values = self.ram[at.TRAP_VALUES : at.TRAP_VALUES + self.ram[at.TRAP_COUNT]].tolist()
        if isinstance(rule, RankedRule):
            points = list(rule.points(tuple(values)))
            self._remember_ranks(number, values, rule.kind.threshold(rule.numbers), points)
        else:
            points = [rule.kind.score(rule.numbers, values)]
            self._remember(self._input_key(number, values), points)

    def _input_key(self, rule: int, values: Sequence[int]) -> int:
        key = 0
        first = int(self.packed.rom[self.packed.rom[at.RULES] + rule * at.RULES_ROW + at.RULE_A])
        for value, (_, low, size) in zip(values, self.packed.inputs[first : first + len(values)], strict=True):
            key = key * size + value - low
        return key * len(self.program.rules) + rule | 1 << 62

    def _remember_ranks(self, rule: int, values: Sequence[int], least: int, points: Sequence[int]) -> None:
        """Under the key that `draftengine.kernel.machine.scoring` makes of measures."""
        few = len(values) <= at.FEW_SEATS
        key = 0 if few else rule
        for own in values:
            key = key << (2 if few else 4) | sum(other > own for other in values)
        key = key << (3 if few else 4) | sum(own >= least for own in values)
        if few:
            known = self._keep(points) + 1
            place = int(self.rom[at.RANKS]) + rule * at.RANKS_ROW + key
            self.packed.rom[place] = self.rom[place] = known
        else:
            self._remember(key, points)

    def _remember(self, key: int, points: Sequence[int]) -> None:
        self._memo[key] = self._keep(points)
        self._insert(self.rom, key)

    def _keep(self, points: Sequence[int]) -> int:
        """Write points down; where they lie behind `KNOWN`."""
        if max(len(self._known) + len(points), 2 * (len(self._memo) + 1)) > self._room:
            self._room *= 2
            self.rom = self._with_room()
        place = len(self._known)
        start = int(self.rom[at.KNOWN]) + place
        self.rom[start : start + len(points)] = points
        self._known += points
        return place

    def _with_room(self) -> Any:
        """The program with room behind it for what the machine learns, and all that it has learnt."""
        size, room = self.packed.rom.size, self._room
        rom = np.concatenate([self.packed.rom, np.full(2 * room, -1, dtype=np.int64), np.zeros(room, dtype=np.int64)])
        rom[at.MEMO], rom[at.MEMO_MASK], rom[at.KNOWN] = size, room - 1, size + 2 * room
        rom[size + 2 * room : size + 2 * room + len(self._known)] = self._known
        for key in self._memo:
            self._insert(rom, key)
        return rom

    def _insert(self, rom: Any, key: int) -> None:
        first, mask = int(rom[at.MEMO]), int(rom[at.MEMO_MASK])
        place = mix(key) & mask
        while rom[first + 2 * place] != -1:
            place = (place + 1) & mask
        rom[first + 2 * place], rom[first + 2 * place + 1] = key, self._memo[key]
