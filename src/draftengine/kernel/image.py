"""What a seat knows, written where the machine makes worlds of it (`draftengine.kernel.machine.worlds`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from draftengine.kernel import memory as at
from draftengine.kernel.formulas import UnsupportedError
from draftengine.kernel.rom import signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.redeal import Knowledge
    from draftengine.engine.state import State
    from draftengine.kernel.player import Player


def write(player: Player, knowledge: Knowledge) -> None:
    """Write down what worlds have in common, and what is dealt. Raises `UnsupportedError` if there is no room."""
    state = knowledge.template
    _Image(player, state).write()
    _Deals(player).write(knowledge)


class _Image:
    """Everything that is certain."""

    def __init__(self, player: Player, state: State) -> None:
        self.player = player
        self.state = state
        self.image = player.ram[at.IMAGE : at.IMAGE + at.IMAGE_SIZE]

    def write(self) -> None:
        state, image = self.state, self.image
        image[:] = 0
        image[at.POLICIES : at.POLICIES + at.SEAT_STRIDE] = self.player.ram[at.POLICIES : at.POLICIES + at.SEAT_STRIDE]
        for place, numbers in (
            (at.WORDS, [signed(word) for word in state.words]),
            (at.BEFORE, [signed(word) for word in state.before]),
            (at.SCORES, state.scores),
            (at.MARKERS, state.markers),
            (at.TURNS, state.turns),
            (at.CHIP_COUNTS, [len(own) for own in state.chips]),
        ):
            image[place : place + len(numbers)] = numbers
        image[at.ROUND], image[at.DEPTH] = state.round, len(state.turns)
        self.player.ram[at.START] = state.pc
        self._chips()
        self._zones()

    def _chips(self) -> None:
        for seat, own in enumerate(self.state.chips):
            for number, (pile, chip) in enumerate(own):
                self.image[at.CHIPS + seat * at.MAX_CHIPS + number] = pile << 32 | max(chip, 0)
        for pile, chips in enumerate(self.state.piles):
            row = at.PILES + pile * at.PILES_ROW
            self.image[row : row + 1 + len(chips)] = [len(chips), *chips]

    def _zones(self) -> None:
        player, row, place = self.player, 0, 0
        packed = player.packed
        start = -(-len(player.start) // 8) * 8
        rows = np.zeros(packed.rows * packed.cells, dtype=np.uint8)
        for model, zone, down in zip(player.program.zones, self.state.zones, self.state.down, strict=True):
            for owner in zone:
                empty = at.EMPTY if model.layout else 0
                first = row * packed.cells
                rows[first : first + len(owner)] = [empty if card < 0 else card for card in owner]
                self.image[at.SLOTS + row], self.image[at.COUNTS + row] = row, len(owner)
                row += 1
            self.image[at.DOWN + place] = signed(sum(1 << own for own in down))
            place += len(model.layout)
        player.ram[at.IMAGE_CELLS] = start
        player.cells = np.concatenate([player.start, np.zeros(start - len(player.start), dtype=np.uint8), rows])


class _Deals:
    """What is dealt anew."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.pools: list[Any] = [player.cells]
        self.end = len(player.cells)
        self.rows: list[list[int]] = []
        self.slots: list[int] = []

    def write(self, knowledge: Knowledge) -> None:
        """Pools and places in the order of `draftengine.engine.redeal.Knowledge.world`."""
        starts, cells = self._row_starts(), self.player.packed.cells
        most = sum(len(part.pool) for part in knowledge.parts)
        for part in knowledge.parts:
            slots = [(starts[zone] + owner) * cells + place for zone, owner, place in part.slots]
            self._add(at.DEAL_CARDS, part.pool, slots, part.into, most)
        for zone, owner in knowledge.stirred:
            self._stir(starts[zone] + owner)
        for hidden in knowledge.chips:
            slots = [seat * at.MAX_CHIPS + place for seat, place in hidden.slots]
            self._add(at.DEAL_CHIPS, hidden.pool, slots, hidden.pile, len(hidden.pool))
        if len(self.rows) > at.MAX_DEALS or len(self.slots) > at.MAX_SLOTS:
            raise UnsupportedError("too much is hidden")
        ram = self.player.ram
        ram[at.DEAL_COUNT] = len(self.rows)
        for number, row in enumerate(self.rows):
            first = at.DEALS + number * at.DEALS_ROW
            ram[first : first + len(row)] = row
        ram[at.DEALT_TO : at.DEALT_TO + len(self.slots)] = self.slots
        self.player.cells = np.concatenate(self.pools)

    def _row_starts(self) -> list[int]:
        starts = [0]
        for zone in self.player.program.zones:
            starts.append(starts[-1] + (self.player.program.seats if zone.per == "seat" else 1))
        return starts

    def _add(self, kind: int, pool: Sequence[int], slots: list[int], into: int, most: int) -> None:
        copy = self.end + len(pool)
        self.rows.append([kind, self.end, copy, len(pool), len(self.slots), len(slots), into])
        self.slots += slots
        self.pools.append(np.array([*pool, *[0] * most], dtype=np.uint8))
        self.end = copy + most

    def _stir(self, row: int) -> None:
        self.rows.append([at.DEAL_STIR, self.end, self.end, 0, row, 0, len(self.rows)])
