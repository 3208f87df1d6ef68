"""Tables of one compiled game, played side by side. The caller chooses for all seats."""

from __future__ import annotations

from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, TypeAlias
from weakref import finalize

import numpy as np

from draftengine.bots.worth.tables import at_hand
from draftengine.engine.chance import root_of
from draftengine.engine.forms import NativeBatch
from draftengine.engine.kernel.batch import step_table
from draftengine.engine.kernel.flow import TO_DEAL
from draftengine.engine.plan import Plan
from draftengine.engine.plan.observations import CELLS, ObservationSpec, VectorPart
from draftengine.engine.state import Arrays, MoveScratch, StateRecord
from draftengine.jit.records import signed
from draftengine.studies.environments.table import NothingToChooseError
from draftengine.studies.runner.playing import BY_TABLE
from draftengine.support.identity import by_identity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from draftengine.engine.program import Program
    from draftengine.jit.records import Memory
    from draftengine.studies.environments.table import Encoder

_Share: TypeAlias = tuple[list[int], int, int]
"""The tables that one thread plays: the addresses of its records, the first table and the end."""
_Jobs: TypeAlias = "SimpleQueue[tuple[SimpleQueue[int], _Share] | None]"
"""Shares for other threads, with the queue for the tables that they reach; None ends a thread."""
_RECORDS = {"state": StateRecord, "view": StateRecord, "options": MoveScratch, "arrays": Arrays}


class CompiledTables:
    """Tables of one compiled game. The constructor raises `UnsupportedError` if it cannot be compiled."""

    engine = "compiled"

    def __init__(
        self, encoder: Encoder, games: int, opponents: Mapping[int, str], *, reward: str, dtype: str, threads: int
    ) -> None:
        program, numbers = encoder.program, numbers_of(encoder, reward, dtype)
        self._rows = _compiled(program, numbers, tuple(opponents.get(seat, "") for seat in range(program.players)))
        worth = at_hand(program).worth.worth if BY_TABLE in opponents.values() else []
        self._worth = np.array(worth, dtype=np.int32)
        actors = program.players - len(opponents)
        self.masks = np.zeros((games, actors, encoder.done + 1), dtype=np.int8)
        self.vectors = np.zeros((games, actors, encoder.length), dtype=dtype)
        self.rewards = np.zeros((games, actors), dtype=np.float32)
        self.over = np.zeros(games, dtype=np.bool_)
        self.actions = np.zeros((games, actors), dtype=np.int64)
        layout = self._rows.layouts["state"]
        # The states of all games: the two blocks of a record, one game after the other.
        self._split = np.zeros((games, layout.split_size // 8), dtype=np.int64)
        self._cells = np.zeros((games, layout.cells_size), dtype=np.uint8)
        self._mask_at = np.arange(games * actors, dtype=np.int64).reshape(games, actors) * (encoder.done + 1)
        count = min(threads, games)
        ends = [games * number // count for number in range(count + 1)]
        self._scratch = [self._fresh_scratch() for _ in range(count)]
        rows = [self._split.ctypes.data, self._cells.ctypes.data]
        self._shares: list[_Share] = [
            ([*rows, *(address for memory in scratch for address in memory.addresses)], first, end)
            for scratch, first, end in zip(self._scratch, ends, ends[1:], strict=False)
        ]
        self._jobs: _Jobs = SimpleQueue()
        for _ in range(count - 1):
            Thread(target=_help, args=(self._rows, self._jobs), daemon=True).start()
            finalize(self, self._jobs.put, None)

    def _fresh_scratch(self) -> list[Memory]:
        """Return the records that one thread needs for itself."""
        view, options, arrays = (self._rows.layouts[name].memory() for name in ("view", "options", "arrays"))
        for name, array in (
            ("action", self.actions),
            ("mask", self.masks),
            ("reward", self.rewards),
            ("over", self.over.view(np.uint8)),
            (CELLS[self.vectors.dtype.name].array, self.vectors),
        ):
            arrays.bind_array(name, array.reshape(-1))
        options.bind_array("worth", self._worth)
        return [view, options, arrays]

    def deal(self, seed: int, first: int) -> None:
        """Deal games of a seed, from game `first` on, one to every table."""
        games = len(self.over)
        self._field("root")[:] = signed(root_of(seed))
        self._field("games")[:] = games
        self._field("game")[:] = np.arange(first, first + games)
        self._field("pc")[:] = TO_DEAL
        self._run()

    def latest(self) -> int:
        """Return the number of the latest game dealt."""
        return int(self._field("game").max())

    def illegal(self, actions: NDArray[np.int64]) -> int:
        """Return the index of the first action that its seat cannot take, or -1 if all are legal.

        Actions are counted table by table and seat by seat.
        """
        known = actions.view(np.uint64) < self.masks.shape[-1]
        if known.all():
            known = self.masks.reshape(-1)[self._mask_at + actions] != 0
            if known.all():
                return -1
        else:
            known &= self.masks.reshape(-1)[self._mask_at + np.where(known, actions, 0)] != 0
        return int(known.argmin())

    def step(self, actions: NDArray[np.int64] | None) -> None:
        """Carry out the actions of all seats. They must be legal, which is not checked here."""
        self.actions[:] = -1 if actions is None else actions
        self._run()

    def _field(self, name: str) -> NDArray[np.int64]:
        """Return a view of one field in the states of all games."""
        column: NDArray[np.int64] = self._split[:, self._rows.layouts["state"].positions[name].offset // 8]
        return column

    def _run(self) -> None:
        """Play all tables to the next choice. The thread of the caller plays a share, too.

        Raises `NothingToChooseError` if a game ends before any seat has to choose.
        """
        ends: SimpleQueue[int] = SimpleQueue()
        for share in self._shares[1:]:
            self._jobs.put((ends, share))
        reached = [self._rows(*self._shares[0]), *(ends.get() for _ in self._shares[1:])]
        if sorted(reached) != [end for _, _, end in self._shares]:
            raise NothingToChooseError("a game was over before anybody had to choose")


def _help(rows: NativeBatch, jobs: _Jobs) -> None:
    """Play shares of the tables until there are no more jobs. Machine code releases the GIL."""
    while (job := jobs.get()) is not None:
        ends, share = job
        ends.put(rows(*share))


@by_identity(8)
def _compiled(program: Program, numbers: ObservationSpec, opponents: tuple[str, ...]) -> NativeBatch:
    """Compile a game with the observations and actions that `numbers` describes, and the bots' policies."""
    actors = [seat for seat, name in enumerate(opponents) if not name]
    plan = Plan(program, [name or "random" for name in opponents], actors=actors, numbers=numbers)
    return NativeBatch(step_table, plan, _RECORDS, ("state",))


def numbers_of(encoder: Encoder, reward: str, dtype: str) -> ObservationSpec:
    """Return the specification of a game's observation vector, actions and rewards for the compiler."""
    parts = zip(encoder.subjects(), encoder.parts(), strict=True)
    shows = tuple(VectorPart(*subject, part.start, part.length) for subject, part in parts)
    return ObservationSpec(shows, encoder.codes, encoder.length, reward, CELLS[dtype])
