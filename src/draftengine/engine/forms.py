"""The kernel functions for one plan, interpreted or compiled, and classes that run many games."""

from __future__ import annotations

import warnings
from array import array
from contextlib import suppress
from copy import copy
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING, Any

from msgspec import msgpack

from draftengine.engine.accounting import DIGEST
from draftengine.engine.kernel import (
    batch,
    beliefs,
    best_moves,
    chance,
    choices,
    effects,
    expected_gain,
    flow,
    formulas,
    laying,
    learning,
    listing,
    moving,
    options,
    playing,
    policies,
    scoring,
    showing,
    turns,
    wild_cards,
    zones,
)
from draftengine.engine.kernel.playing import Sums, learn_from_games, play_games
from draftengine.engine.plan import Plan
from draftengine.engine.plan.base import UnsupportedError
from draftengine.engine.state import MoveScratch, StateRecord
from draftengine.jit.interpreter_settings import deep_recursion
from draftengine.jit.llvm import Inline, Split, machine
from draftengine.jit.records import FORMATS, layout, signed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import ModuleType

    from draftengine.engine.accounting import TallyLayout
    from draftengine.engine.policies import Worth
    from draftengine.engine.program import Program
    from draftengine.jit.records import Layout, Memory, Record
    from draftengine.jit.residual import Residual

KERNEL_MODULES = (
    batch, beliefs, best_moves, chance, choices, effects, expected_gain, flow, formulas, laying, learning, listing,
    moving, options, playing, policies, scoring, showing, turns, wild_cards, zones,
)  # fmt: skip
"""The modules that the kernel consists of."""


def inlined(residual: Residual) -> Inline:
    """Decide whether to inline a residual function, which is a function that specialising produced.

    It is not inlined if it is long and called from several places. Such functions compute the worth of moves, or
    formulas that occur in several places. Each inlined copy would contain copies of everything that the function
    calls.
    """
    return Inline.FREE if residual.text.name.startswith(_APART) else Inline.ALWAYS


_APART = ("evaluate", "update_gauge", "gather", "conditional")


def name_of(function: Callable[..., object], plan: Plan, records: Iterable[str], *more: object) -> str:
    """Return a name for a function's machine code, without specialising the function."""
    parts = (function.__module__, function.__qualname__, *records, *more, *plan.identity)
    model = sha256(msgpack.encode(plan.program.model)).hexdigest()
    return "\n".join([model, str(plan.program.players), *map(str, parts)])


class PythonForm:
    """A kernel function in CPython for one plan. It has its own records, and its arguments are numbers.

    It runs unspecialised until `specialise` is called, which costs as much as dozens of games. It stays
    unspecialised if the result would be too large. Only one thread at a time may use it; make `another` for a
    second thread.
    """

    def __init__(
        self,
        function: Callable[..., object],
        plan: Plan,
        records: Mapping[str, type[Record]],
        *,
        text: Sequence[ModuleType] = KERNEL_MODULES,
    ) -> None:
        """Create the form of a function whose arguments are `records`, the plan and numbers, in this order."""
        self._kinds = records
        self._known = function, plan, text
        self._shared = _Shared()
        self.records = self._fresh()

    def _fresh(self) -> dict[str, Any]:
        return {name: layout(kind, self._known[1].sizes).fresh() for name, kind in self._kinds.items()}

    def another(self) -> PythonForm:
        """Return a form with its own records. If one of the two forms is specialised, so is the other."""
        twin = copy(self)
        twin.records = self._fresh()
        return twin

    @property
    def is_specialised(self) -> bool:
        return self._shared.whole is not None

    def specialise(self, numbers: int) -> None:
        """Specialise the function for calls with this number of numeric arguments, if that is possible."""
        shared = self._shared
        with shared.lock:
            if not shared.tried:
                from draftengine.engine.specialising import in_python  # noqa: PLC0415 (slow to import)

                function, plan, text = self._known
                with suppress(UnsupportedError):
                    shared.whole = in_python(function, plan, len(self.records), numbers, text)
                shared.tried = True

    def bind_array(self, record: str, field: str, values: Sequence[float]) -> list[Any]:
        """Store values in a field of a record.

        Return the list that holds the values, from which results can be read.
        """
        cells = list(values)
        setattr(self.records[record], field, cells)
        return cells

    def __call__(self, *numbers: int) -> int:
        """Run the function, specialised if possible, and return its result."""
        if self._shared.whole is not None:
            return int(self._shared.whole(*self.records.values(), *numbers))
        function, plan, _ = self._known
        with deep_recursion():  # each step calls the next one
            result: Any = function(*self.records.values(), plan, *numbers)
        return int(result)


class _Shared:
    """State that all copies of one CPython form share: the specialised function, if there is one."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.tried = False
        self.whole: Callable[..., Any] | None = None


class NativeForm:
    """A kernel function compiled for one plan. It owns its records, and its arguments are numbers.

    Only one thread at a time may use it; make `another` for a second thread. The constructor raises `UnsupportedError`
    if there is too much to compile.
    """

    def __init__(  # noqa: PLR0913 (what is compiled, and how)
        self,
        function: Callable[..., object],
        plan: Plan,
        records: Mapping[str, type[Record]],
        numbers: int,
        *,
        text: Sequence[ModuleType] = KERNEL_MODULES,
        inline: Callable[[Residual], Inline] = inlined,
        split: Split = Split.LOCAL,
        longest: int = machine.LONG,
        waiting: bool = True,
    ) -> None:
        """Compile a function whose arguments are `records`, the plan and `numbers` integers, in this order.

        With `waiting` false, nothing is compiled: if the machine code is not in the cache, `UnsupportedError` is raised
        within some milliseconds.

        `split` says how fields at static indices are stored. By default, such a field is neither set before a run nor
        read after it. `longest`: see `draftengine.jit.llvm.machine.load`.
        """
        layouts_of: dict[type[Record], Any] = {record: layout(record, plan.sizes) for record in records.values()}
        self._layouts = {name: layouts_of[kind] for name, kind in records.items()}
        self.memory = self._fresh()
        name = name_of(function, plan, records, numbers, inline.__qualname__, split, longest)
        code = machine.known(name)
        if code is None:
            if not waiting:
                raise UnsupportedError("nobody has compiled it before")
            from draftengine.engine.specialising import Shape, source_of  # noqa: PLC0415 (slow to import)

            shape = Shape(tuple(layouts_of.values()), inline, split)
            source = source_of(function, plan, len(records), numbers, text, shape)
            code = machine.load(source, kept=True, longest=longest, name=name)
        self._run = code["run"]

    def _fresh(self) -> dict[str, Memory]:
        return {name: kind.memory() for name, kind in self._layouts.items()}

    def another(self) -> NativeForm:
        twin = copy(self)
        twin.memory = self._fresh()
        return twin

    def bind_array(self, record: str, field: str, values: Sequence[float]) -> Any:
        """Store values in a field of a record.

        Return the array that holds the values, from which results can be read.
        """
        memory = self.memory[record]
        cells: Any = array(FORMATS[memory.layout.positions[field].field.kind], values)
        memory.bind_array(field, cells)
        return cells

    def __call__(self, *numbers: int) -> int:
        return int(self._run(*self.memory.values(), *numbers))


class NativeBatch:
    """A compiled kernel function that runs over rows of records, from one index to another.

    It stops at the first index for which the function returns anything but 0, and returns that index. The constructor
    raises `UnsupportedError` if there is too much to compile.
    """

    def __init__(
        self, function: Callable[..., object], plan: Plan, records: Mapping[str, type[Record]], rows: Sequence[str]
    ) -> None:
        """Compile a function whose arguments are `records`, the plan and an index.

        The records named in `rows` have many rows.
        """
        layouts_of = {record: layout(record, plan.sizes) for record in records.values()}
        self.layouts: dict[str, Layout[Any]] = {name: layouts_of[record] for name, record in records.items()}
        name = name_of(function, plan, records, 1, *rows)
        code = machine.known(name)
        if code is None:
            from draftengine.engine.specialising import Shape, source_of  # noqa: PLC0415 (slow to import)

            shape = Shape(tuple(layouts_of.values()), _shared, rows=frozenset(rows))
            source = source_of(function, plan, len(records), 1, KERNEL_MODULES, shape)
            level = 3 if source.unfolded <= _LONG_IN_BATCHES else 1
            code = machine.load(source, level=level, kept=True, vectors=True, name=name)
        self._run = code["run"]

    def __call__(self, addresses: Sequence[int], first: int, last: int) -> int:
        """Run over the rows `first` to `last - 1`.

        `addresses` has the address of each record. If a record has rows, that is the address of its first row.
        """
        result: int = self._run.raw(*addresses, first, last)
        return result


_LONG_IN_BATCHES = 30_000
"""The number of lines up to which LLVM fully optimises batches; optimising takes a fifth longer."""


def _shared(residual: Residual) -> Inline:
    """Decide what to inline in batches: all residual functions except `list_actions`, which is long."""
    return Inline.NEVER if residual.text.name == "list_actions" else Inline.FREE


FEW = 30
"""Up to this number of games, the reference engine is faster than specialising the kernel first."""


def is_specialisable(plan: Plan) -> bool:
    """True if the games of a plan can be specialised.

    The only way to know is to try, which takes seconds for long formulas.
    """
    from draftengine.engine.specialising import specialised  # noqa: PLC0415 (slow to import)

    with warnings.catch_warnings(), suppress(UnsupportedError):
        warnings.simplefilter("ignore")
        return bool(specialised(play_games, plan, len(_PLAYING), _NUMBERS, KERNEL_MODULES))
    return False


class GameRunner:
    """Runs games with consecutive numbers, with a policy for each player.

    The constructor raises `UnsupportedError` if the kernel cannot play the game.
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
            NativeForm(play_games, self.plan, _PLAYING, _NUMBERS)
            if compiled
            else PythonForm(play_games, self.plan, _PLAYING)
        )
        self._playing = Lock()  # other threads wait
        if worth is not None:
            self._games.bind_array("options", "worth", worth.worth)

    def play(
        self, root: int, first: int, last: int, *, rows: bool, copies: bool = False
    ) -> tuple[list[int], list[list[int]]]:
        """Play the games `first` to `last - 1` of a root seed.

        Returns their tally and, with `rows`, one row for each game. With `copies`, a row ends with the number of times
        that each seat made each play.
        """
        columns = self.plan.columns + copies * self.shape.plays * self.shape.seats
        with self._playing:
            tally = self._games.bind_array("sums", "tally", [0] * self.shape.size)
            written = self._games.bind_array("sums", "rows", [0] * (columns * (last - first) * rows))
            self._games(root, first, last, int(rows), int(copies))
            cells, sums = list(written), list(tally)
        sums[DIGEST] = signed(sums[DIGEST])
        return sums, [cells[start : start + columns] for start in range(0, len(cells), columns)]

    def specialise(self) -> bool:
        """Specialise the kernel unless it is specialised. Return False if that would produce too much code."""
        if isinstance(self._games, PythonForm):
            self._games.specialise(_NUMBERS)
            return self._games.is_specialised
        return True


class LearningRunner:
    """Runs games from which a worth table is learnt.

    The constructor raises `UnsupportedError` if the kernel cannot play the game. Without `specialised`, the kernel runs
    as ordinary Python, which takes seconds for each game.
    """

    def __init__(self, program: Program, *, compiled: bool = True, specialised: bool = True) -> None:
        self.compiled = compiled
        self._learning = Lock()  # other threads wait
        plan = Plan(program, ["playout"] * program.players, learning=True, in_words=compiled)
        self._games: NativeForm | PythonForm
        if compiled:
            self._games = NativeForm(learn_from_games, plan, _LEARNING, 3, longest=_LONGEST)
        else:
            self._games = PythonForm(learn_from_games, plan, _LEARNING)
            if specialised:
                self._games.specialise(3)
        self.specialised = compiled or (isinstance(self._games, PythonForm) and self._games.is_specialised)

    def learn(self, worth: Worth, key: int, first: int, last: int) -> tuple[list[int], list[int], list[int], int]:
        """Play the games `first` to `last - 1` with a worth table.

        Returns three lists by entry of the table: gains to the end of rounds, gains to the end of games, and the number
        of visits. Gains are in units of 1 / `SCALE` points. The last value is the sum of the winners' leads in points.
        """
        nothing, lend = [0] * len(worth.values), self._games.bind_array
        with self._learning:
            lend("options", "worth", worth.worth)
            tables = [lend("options", name, nothing) for name in ("in_round", "in_game", "met")]
            lead = lend("options", "lead", [0])
            self._games(key, first, last)
            return list(tables[0]), list(tables[1]), list(tables[2]), lead[0]


_LONGEST = 0
"""The number of lines up to which LLVM optimises a module. Zero means that it never does.

Optimising would take 1 to 15 seconds, for games that take less than one second in total.
"""
_PLAYING = {"state": StateRecord, "view": StateRecord, "sums": Sums, "options": MoveScratch}
_NUMBERS = 5
"""The number of arguments of `play_games` that are integers instead of records."""
_LEARNING = {"state": StateRecord, "view": StateRecord, "options": MoveScratch}
