"""Functions of the kernel specialised to a game, for CPython or compiled, with the records that they work on."""

from __future__ import annotations

from array import array
from contextlib import suppress
from copy import copy
from threading import Lock
from typing import TYPE_CHECKING, Any

from draftengine.engine.kernel import (
    actions as ways,
)
from draftengine.engine.kernel import (
    batch as side_by_side,
)
from draftengine.engine.kernel import (
    beliefs as memory,
)
from draftengine.engine.kernel import (
    best_moves as comparing,
)
from draftengine.engine.kernel import (
    chance,
    chips,
    choices,
    clearing,
    effects,
    flow,
    formulas,
    lanes,
    laying,
    layouts,
    learning,
    listing,
    moving,
    naming,
    options,
    playing,
    plays,
    policies,
    scoring,
    showing,
    tally,
    turns,
    view,
    worth,
    zones,
)
from draftengine.engine.kernel import (
    expected_gain as expected,
)
from draftengine.engine.kernel import (
    provisional_scores as standing,
)
from draftengine.engine.kernel import (
    random_policy as at_random,
)
from draftengine.engine.kernel import (
    wild_cards as wild,
)
from draftengine.engine.kernel import (
    worth_tables as worths,
)
from draftengine.engine.plan.limits import UnsupportedError
from draftengine.jit.errors import CodeTooLarge
from draftengine.jit.interpreter_settings import deep_recursion
from draftengine.jit.llvm import machine
from draftengine.jit.llvm.module import Entry, Inline, Split, emit
from draftengine.jit.python_backend import TooNestedError, whole
from draftengine.jit.specializer import DYNAMIC, Specialiser
from draftengine.jit.struct_layout import FORMATS, layout

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType

    from draftengine.engine.plan.plan import Plan
    from draftengine.jit.residual import Program, Residual
    from draftengine.jit.struct_layout import Layout, Memory
    from draftengine.jit.struct_type import Record

KERNEL_MODULES = (
    at_random, chance, chips, choices, clearing, comparing, effects, expected, flow, formulas, lanes, laying, layouts,
    learning, listing, memory, moving, naming, options, playing, plays, policies, scoring, showing, side_by_side,
    standing, tally, turns, view, ways, wild, worth, worths, zones,
)  # fmt: skip
"""The modules of the kernel."""


def inlined(residual: Residual) -> Inline:
    """What moves are worth is a function of its own: it is long, and all players share it.

    So is what formulas say again and again, where names stand for names: each copy would hold copies of all below it.
    """
    return Inline.FREE if residual.text.name.startswith(_APART) else Inline.ALWAYS


_APART = ("evaluate", "outermost", "conditional")


def specialised(
    function: Callable[..., object], plan: Plan, records: int, numbers: int, text: Sequence[ModuleType]
) -> tuple[Program, Residual]:
    """A function of the kernel for a plan: what is left of it. Raises `UnsupportedError` if that is too much."""
    specialiser = Specialiser(text)
    try:
        residual = specialiser.function(function, [*[DYNAMIC] * records, plan, *[DYNAMIC] * numbers])
    except CodeTooLarge as error:
        raise UnsupportedError("what happens in the game depends on too much") from error
    return specialiser.program, residual


class PythonForm:
    """A function of the kernel in CPython, for a plan. It is called with numbers; its records are its own.

    It runs as it stands until it is specialised, which takes as long as dozens of games do. Where that leaves too much,
    it goes on as it stands. One thread at a time may use it; for another thread there is `another`.
    """

    def __init__(
        self,
        function: Callable[..., object],
        plan: Plan,
        records: Mapping[str, type[Record]],
        *,
        text: Sequence[ModuleType] = KERNEL_MODULES,
    ) -> None:
        """For a function of `records`, the plan, and numbers, in this order."""
        self._kinds = records
        self._known = function, plan, text
        self._shared = _Shared()
        self.records = self._fresh()

    def _fresh(self) -> dict[str, Any]:
        return {name: layout(kind, self._known[1].sizes).fresh() for name, kind in self._kinds.items()}

    def another(self) -> PythonForm:
        """The same function with records of its own; both run specialised as soon as one of them does."""
        twin = copy(self)
        twin.records = self._fresh()
        return twin

    def specialise(self, numbers: int) -> None:
        """From now on it runs specialised to the plan, for so many numbers, if it can be."""
        shared = self._shared
        with shared.lock:
            if not shared.tried:
                function, plan, text = self._known
                with suppress(UnsupportedError, TooNestedError):
                    shared.whole, _ = whole(*specialised(function, plan, len(self.records), numbers, text))
                shared.tried = True

    def bind_array(self, record: str, field: str, values: Sequence[float]) -> list[Any]:
        """Let a field be these cells; what can be read when the function has run."""
        cells = list(values)
        setattr(self.records[record], field, cells)
        return cells

    def __call__(self, *numbers: int) -> int:
        """Run it; what it returns."""
        if self._shared.whole is not None:
            return int(self._shared.whole(*self.records.values(), *numbers))
        function, plan, _ = self._known
        with deep_recursion():  # each step calls the next one
            result: Any = function(*self.records.values(), plan, *numbers)
        return int(result)


class _Shared:
    """What all have together that run the same function in CPython: what it is specialised to, if it is."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.tried = False
        self.whole: Callable[..., Any] | None = None


class NativeForm:
    """A function of the kernel, compiled for a plan. It is called with numbers; its records are its own.

    One thread at a time may use it; for another thread there is `another`. Raises `UnsupportedError` if that is too
    much to compile.
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
    ) -> None:
        """For a function of `records`, the plan, and so many numbers, in this order.

        `split`: what becomes of the fields at known places. Usually nothing is read of them before, or looked at
        afterwards. `longest`: see `draftengine.jit.llvm.machine.load`.
        """
        program, residual = specialised(function, plan, len(records), numbers, text)
        layouts_of: dict[type[Record], Any] = {record: layout(record, plan.sizes) for record in records.values()}
        source = emit(program, [Entry("run", residual, split)], layouts_of.values(), inline=inline)
        self._layouts = {name: layouts_of[kind] for name, kind in records.items()}
        self.memory = self._fresh()
        self._run = machine.load(source, kept=True, longest=longest)["run"]

    def _fresh(self) -> dict[str, Memory]:
        return {name: kind.memory() for name, kind in self._layouts.items()}

    def another(self) -> NativeForm:
        """The same function with records of its own."""
        twin = copy(self)
        twin.memory = self._fresh()
        return twin

    def bind_array(self, record: str, field: str, values: Sequence[float]) -> Any:
        """Let a field be these cells; what can be read when the function has run."""
        memory = self.memory[record]
        cells: Any = array(FORMATS[memory.layout.positions[field].field.kind], values)
        memory.bind_array(field, cells)
        return cells

    def __call__(self, *numbers: int) -> int:
        """Run it; what it returns."""
        return int(self._run(*self.memory.values(), *numbers))


class NativeBatch:
    """A function of the kernel that goes through rows of records, compiled: from one number on, until another.

    It ends early where the function gives anything but 0, and gives the number at which it ended. Raises
    `UnsupportedError` as `NativeForm` does.
    """

    def __init__(
        self, function: Callable[..., object], plan: Plan, records: Mapping[str, type[Record]], rows: Sequence[str]
    ) -> None:
        """For a function of `records`, the plan, and a number; of some records there are `rows`."""
        program, residual = specialised(function, plan, len(records), 1, KERNEL_MODULES)
        layouts_of = {record: layout(record, plan.sizes) for record in records.values()}
        self.layouts: dict[str, Layout[Any]] = {name: layouts_of[record] for name, record in records.items()}
        entry = Entry("run", residual, rows=frozenset(rows))
        source = emit(program, [entry], layouts_of.values(), inline=_shared)
        self._run = machine.load(source, level=1, kept=True, vectors=True)["run"]

    def __call__(self, addresses: Sequence[int], first: int, last: int) -> int:
        """With the addresses of the records' blocks, in their order: of rows those of the first record."""
        result: int = self._run.raw(*addresses, first, last)
        return result


def _shared(residual: Residual) -> Inline:
    """What can be named is asked twice, and is long."""
    return Inline.NEVER if residual.text.name == "list_actions" else Inline.FREE
