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

_FIRST_MEMO = 1 << 10
POLICIES = {"random": at.RANDOM, "greedy": at.GREEDY}
"""The policies that the machine knows."""
_MOST_LOGGED = 1 << 14


class Stretch(NamedTuple):
    """What came out of some games: their tally, and a row for each if asked for."""

    tally: Any
    rows: Any


class Player:
    """The machine with a game loaded. Raises `UnsupportedError` if it cannot play it."""

    def __init__(
        self, program: Program, policies: Sequence[str], *, tracked: bool = False, logged: bool = False
    ) -> None:
        self.program = program
        self.packed = Packed(program, tracked=tracked, logged=logged)
        unknown = [name for name in policies if name not in POLICIES]
        if unknown or ("greedy" in policies and not self.packed.greedy_fits):
            raise UnsupportedError(f"the kernel cannot play {', '.join(unknown) or 'greedy'} here")
        self.shape = Shape(program.seats, len(self.packed.sources), len(program.plays) if logged else 0)
        self.ram = np.zeros(at.RAM_SIZE, dtype=np.int64)
        rows = np.zeros(self.packed.rows * self.packed.cells, dtype=np.uint8)
        self.cells = np.concatenate([rows, np.array(self.packed.start_cells, dtype=np.uint8)])
        self._hands = np.zeros(at.SEAT_STRIDE, dtype=np.int64)
        self._gathered = np.zeros((max(len(program.rules), 1), at.SEAT_STRIDE), dtype=np.int64)
        self.log = np.zeros(_MOST_LOGGED, dtype=np.int64)
        self._shape = np.array(self.shape, dtype=np.int64)
        parts = parts_of(self.shape, most_wins=program.model.winner.order == "most")
        self._parts = np.array(parts, dtype=np.int64)
        for seat, name in enumerate(policies):
            self.ram[at.POLICIES + seat] = POLICIES[name]
        self._memo = _empty_memo(_FIRST_MEMO)
        self._used = 0
        self._known = np.zeros(_FIRST_MEMO, dtype=np.int64)
        self._known_used = 0

    def play(self, root: int, first: int, last: int, *, rows: bool = False) -> Stretch:
        """Play the games `first` to `last - 1` under the root of a seed (see `draftengine.engine.chance`)."""
        tally = np.zeros(self.shape.size, dtype=np.int64)
        columns = self.shape.seats * (1 + self.shape.sources) + 1
        written = np.zeros((last - first if rows else 0, columns), dtype=np.int32)
        signed = root - (1 << 64) if root >= 1 << 63 else root
        game = first
        while game < last:
            game, ended = run_games(
                self.packed.rom, self.ram, self.cells, self._hands, self._memo, self._known, self._gathered, self.log,
                signed, first, game, last, tally, self._shape, self._parts, written,
            )  # fmt: skip
            if ended == at.TOO_MUCH:
                raise UnsupportedError("a seat has too many moves to choose from")
            if ended == at.UNKNOWN_POINTS:
                self._learn()
        return Stretch(tally, written)

    # ── what the machine asks for ─────────────────────────────────────────────────────────────────────────────────────

    def _learn(self) -> None:
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
        key = rule
        first = int(self.packed.rom[self.packed.rom[at.RULES] + rule * at.RULES_ROW + at.RULE_A])
        for value, (_, low, size) in zip(values, self.packed.inputs[first : first + len(values)], strict=True):
            key = key * size + value - low
        return key | 1 << 62

    def _remember_ranks(self, rule: int, values: Sequence[int], least: int, points: Sequence[int]) -> None:
        """Under the key that `draftengine.kernel.machine.scoring` makes of measures."""
        few = len(values) <= at.FEW_SEATS
        key = 0 if few else rule
        for own in values:
            key = key << (2 if few else 4) | sum(other > own for other in values)
        key = key << (3 if few else 4) | sum(own >= least for own in values)
        if few:
            rom = self.packed.rom
            rom[rom[at.RANKS] + rule * at.RANKS_ROW + key] = self._keep(points) + 1
        else:
            self._remember(key, points)

    def _remember(self, key: int, points: Sequence[int]) -> None:
        if 2 * (self._used + 1) > self._memo.size // 2:
            self._grow_memo()
        _insert(self._memo, key, self._keep(points))
        self._used += 1

    def _keep(self, points: Sequence[int]) -> int:
        """Write points down; where they lie."""
        place = self._known_used
        while place + len(points) > self._known.size:
            self._known = np.concatenate([self._known, np.zeros_like(self._known)])
        self._known[place : place + len(points)] = points
        self._known_used += len(points)
        return place

    def _grow_memo(self) -> None:
        old, self._memo = self._memo, _empty_memo(2 * (int(self._memo[0]) + 1))
        for place in range(1, old.size, 2):
            if old[place] != -1:
                _insert(self._memo, int(old[place]), int(old[place + 1]))


def _empty_memo(size: int) -> Any:
    memo = np.full(1 + 2 * size, -1, dtype=np.int64)
    memo[0] = size - 1
    return memo


def _insert(memo: Any, key: int, where: int) -> None:
    mask = int(memo[0])
    place = mix(key) & mask
    while memo[1 + 2 * place] != -1:
        place = (place + 1) & mask
    memo[1 + 2 * place], memo[2 + 2 * place] = key, where
