"""Tables of one game, played side by side by the machine, with somebody else choosing for all seats."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from draftengine.engine.chance import root_of
from draftengine.engine.flow.cards import MoveAll
from draftengine.engine.flow.control import StartTurns
from draftengine.kernel import NothingToChooseError, cache
from draftengine.kernel import memory as at
from draftengine.kernel import table_memory as tm
from draftengine.kernel.formulas import UnsupportedError
from draftengine.kernel.player import Player
from draftengine.kernel.rom import Rom

with cache.kept_in(cache.folder()):
    from draftengine.kernel.machine.tables import first_illegal, step_tables, write_vectors

if TYPE_CHECKING:
    from draftengine.engine.program import Program

_first_illegal = cache.rebuilt(first_illegal)
_step_tables = cache.rebuilt(step_tables)
_write_vectors = cache.rebuilt(write_vectors)


class Shows(NamedTuple):
    """What a part of an observation vector shows."""

    kind: str
    """One of `draftengine.kernel.table_memory.KINDS`."""
    about: int
    """The zone or the marker that it is about."""
    place: int
    """The seat that it is about: so many places on from the own one, extra seats last."""
    start: int
    """Its first entry."""
    length: int


class Numbers(NamedTuple):
    """What a game is in numbers, for those who play it."""

    parts: tuple[Shows, ...]
    codes: tuple[int, ...]
    """The code of every action but the last, which is *done*."""
    length: int
    """Entries of a vector."""


class Tables:
    """Tables side by side. Raises `UnsupportedError` if the machine cannot play the game."""

    engine = "kernel"

    def __init__(
        self, program: Program, numbers: Numbers, games: int, *, reward: str, dtype: str, threads: int
    ) -> None:
        policies, threads = ["random"] * program.players, min(threads, games)
        self.machines = [Player(program, policies, tracked=True, room=tm.TABLES_ROOM) for _ in range(threads)]
        """One for every thread: each has memory of its own, and learns points by itself."""
        self.plan = _Plan(self.machines[0], numbers, games, tm.REWARDS.index(reward), dtype)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        plan, players, start = self.plan, program.players, self.machines[0].start
        self.cells = np.zeros((games, plan.cells), dtype=np.uint8)
        self.cells[:, : len(start)] = start
        self.kept = np.zeros((games, plan.kept), dtype=np.int64)
        self.known = np.zeros((games, plan.known), dtype=np.int16)
        self.masks = np.zeros((games, players, len(numbers.codes) + 1), dtype=np.int8)
        self.vectors = np.zeros((games, players, numbers.length), dtype=dtype)
        self.rewards = np.zeros((games, players), dtype=np.float32)
        self.over = np.zeros(games, dtype=np.bool_)
        self._root = 0

    def deal(self, seed: int, first: int) -> None:
        """Deal the games of a seed from number `first` on, one to every table."""
        root = root_of(seed)
        self._root = root - (1 << 64) if root >= 1 << 63 else root
        self.kept[:, tm.STAGE] = tm.TO_DEAL
        self.kept[:, tm.GAME] = np.arange(first, first + len(self.kept))
        self._run(np.zeros(self.rewards.shape, dtype=np.int64))

    def latest(self) -> int:
        """The highest number of a game that was dealt."""
        return int(self.kept[:, tm.GAME].max())

    def illegal(self, actions: Any) -> int:
        """The first of the actions, table by table and seat by seat, that its seat cannot take; -1 if all are legal."""
        return int(_first_illegal(self.plan.array, self.masks, actions, actions.size))

    def step(self, actions: Any) -> None:
        """All seats act, `actions` (64-bit numbers) must be legal: the machine does not look again."""
        self._run(actions)

    def _run(self, actions: Any) -> None:
        games, threads = len(self.kept), len(self.machines)
        if self._pool is None:
            self._play(self.machines[0], actions, 0, games)
            return
        ends = [games * number // threads for number in range(threads + 1)]
        # Waits for all, and raises what one of them raised.
        list(self._pool.map(self._play, self.machines, [actions] * threads, ends, ends[1:]))

    def _play(self, machine: Player, actions: Any, first: int, last: int) -> None:
        """A stretch of the tables."""
        table = first
        while table < last:
            table, ended = _step_tables(
                machine.rom, machine.ram, self.cells, self.plan.array, self.kept, self.known, actions, self.masks,
                self.rewards, self.over.view(np.uint8), self._root, table, last,
            )  # fmt: skip
            if ended == at.UNKNOWN_POINTS:
                machine.learn()
            elif ended == tm.NO_CHOICE:
                raise NothingToChooseError("a game was over before anybody had to choose")
        _write_vectors(
            machine.rom, machine.ram, self.cells, self.plan.array, self.kept, self.known, self.vectors, first, last
        )


class _Plan:
    """The plan (see `draftengine.kernel.table_memory`), and how long the rows of a table are."""

    def __init__(self, player: Player, numbers: Numbers, games: int, reward: int, dtype: str) -> None:
        self.player = player
        self.program = player.program
        self.numbers = numbers
        self.rom = Rom(tm.PLAN_HEAD)
        faces = sorted(set(self.program.face_of))
        self.columns = {face: column for column, face in enumerate(faces)}
        if len(faces) > tm.MOST_COLUMNS:
            raise UnsupportedError("there are too many faces")
        self.cells = -(-len(player.start) // 8) * 8
        self._knowledge()
        self._columns()
        self._kept()
        self._actions()
        self._parts()
        most = np.iinfo(dtype).max if np.issubdtype(dtype, np.integer) else 1 << at.WORD_BITS - 2
        for place, value in (
            (tm.GAMES, games),
            (tm.EVENTFUL, int(self.program.eventful or bool(self.program.watches))),
            (tm.COLUMNS, len(faces)),
            (tm.DONE, len(numbers.codes)),
            (tm.LENGTH, numbers.length),
            (tm.REWARD, reward),
            (tm.MOST_POINTS, most),
            (tm.KEPT_ROW, self.kept),
            (tm.CELLS_ROW, self.cells),
            (tm.KNOWN_ROW, self.known),
        ):
            self.rom.scalar(place, value)
        self.array = self.rom.array()

    def _knowledge(self) -> None:
        """Room for what lies in every row that somebody sees, and for what is remembered of the others."""
        program, columns = self.program, len(self.columns)
        moved = {own.source for own in program.code if isinstance(own, MoveAll)}
        sights = {"everyone": tm.BY_ALL, "owner": tm.BY_OWNER, "nobody": tm.BY_NOBODY}
        shown: list[int] = []
        remembered: list[int] = []
        place = 0
        for index, zone in enumerate(program.zones):
            plain = not zone.layout and index != program.tableau
            for _ in range(program.seats if zone.per == "seat" else 1):
                for into, wanted, size in (
                    (shown, plain and zone.seen_by != "nobody", columns),
                    (remembered, plain and (zone.seen_by != "everyone" or index in moved), columns * program.players),
                ):
                    into.append(place if wanted else -1)
                    place += size if wanted else 0
        self.rom.table(tm.SHOWN, [*shown, -1])  # nobody looks at the row that belongs to no zone
        self.rom.table(tm.REMEMBERED, [*remembered, -1])
        self.rom.table(tm.SIGHTS, [sights[zone.seen_by] for zone in program.zones])
        self.rom.scalar(tm.GONE, place)
        self.known = place + columns

    def _columns(self) -> None:
        program, columns, rom = self.program, self.columns, self.rom
        no_card = [0] * (at.EMPTY + 1 - len(program.cards))
        rom.table(tm.COLUMN_OF_CARD, [*(columns[face] for face in program.face_of), *no_card])
        rom.table(tm.COLUMN_OF_PLAY, [columns[face] for face in program.face_of_play])
        rom.table(tm.COLUMN_OF_OPTION, [columns[program.face_of[own.plays[0][0]]] for own in program.options])
        rom.table(tm.COPIES_BY_COLUMN, [program.copies[face] for face in columns])

    def _kept(self) -> None:
        """What of the machine's memory makes up the state of a game, and the moves that are being made."""
        program, packed = self.program, self.player.packed
        seats, chips = program.seats, sum(map(len, program.chip_values))
        places_of_layouts = sum(len(zone.layout) for zone in program.zones)
        depth = sum(isinstance(own, StartTurns) for own in program.code)
        places: list[int] = []
        for start, count in (
            (at.WORDS, seats),
            (at.BEFORE, seats),
            (at.SCORES, seats),
            (at.MARKERS, len(program.markers)),
            (at.ROUND, 1),
            (at.DEPTH, 1),
            (at.TURNS, depth),
            (at.DEAL, 1),
            (at.CHANCE, 1),
            (at.COUNTS, packed.rows),
            (at.SLOTS, packed.rows),
            (at.DOWN, places_of_layouts),
            (at.LYING, places_of_layouts),
            (at.CHIP_COUNTS, seats),
            *((at.CHIPS + seat * at.MAX_CHIPS, chips) for seat in range(seats)),
            *((at.PILES + pile * at.PILES_ROW, 1 + len(own)) for pile, own in enumerate(program.chip_values)),
        ):
            places += range(start, start + count)
        named = tm.KEPT_HEAD + len(places)
        self.rom.table(tm.KEPT_PLACES, places)
        self.rom.scalar(tm.KEPT_COUNT, len(places))
        self.rom.scalar(tm.NAMED, named)
        self.rom.scalar(tm.NAMED_ROW, 1 + packed.flow.most_codes)
        self.kept = named + program.players * (1 + packed.flow.most_codes)

    def _actions(self) -> None:
        width, codes = self.program.width, self.numbers.codes
        actions = [-1] * (width * (1 + max(codes, default=0) // width))
        for action, code in enumerate(codes):
            actions[code] = action
        self.rom.table(tm.CHANNELS, [code // width for code in codes])
        self.rom.table(tm.ITEMS, [code % width for code in codes])
        self.rom.table(tm.ACTIONS, actions)
        self.rom.scalar(tm.WIDTH, width)

    def _parts(self) -> None:
        parts, fields = self.numbers.parts, self.program.fields
        self.rom.table(
            tm.PARTS,
            [(tm.KINDS.index(own.kind), own.about, own.place, own.start, own.length) for own in parts],
            tm.PARTS_ROW,
        )
        self.rom.scalar(tm.PART_COUNT, len(parts))
        self.rom.table(tm.FIELDS, [(own.shift, own.mask, own.bias) for own in fields], tm.FIELDS_ROW)
        self.rom.scalar(tm.FIELD_COUNT, len(fields))
