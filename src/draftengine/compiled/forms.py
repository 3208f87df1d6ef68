"""Functions of the text specialised to a game and compiled, with the records that they work on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from draftengine.compiled import (
    at_random,
    chance,
    choices,
    effects,
    expected,
    flow,
    formulas,
    layouts,
    learning,
    moving,
    options,
    playing,
    policies,
    scoring,
    tally,
    view,
    worth,
    zones,
)
from draftengine.staging import machine
from draftengine.staging.layout import layout
from draftengine.staging.specialise import LATER, Specialiser
from draftengine.staging.to_llvm import Entry, Inline, Split, emit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType

    from draftengine.compiled.plan import Plan
    from draftengine.staging.record import Record
    from draftengine.staging.residual import Residual

TEXT = (
    at_random, chance, choices, effects, expected, flow, formulas, layouts, learning, moving, options, playing,
    policies, scoring, tally, view, worth, zones,
)  # fmt: skip
"""The modules that the text consists of."""


def inlined(residual: Residual) -> Inline:
    """What moves are worth is a function of its own: it is long, and all players share it."""
    return Inline.FREE if residual.text.name.startswith("evaluate") else Inline.ALWAYS


class Compiled:
    """A function of the text, compiled for a plan. It is called with numbers; its records are its own."""

    def __init__(
        self,
        function: Callable[..., object],
        plan: Plan,
        records: Mapping[str, type[Record]],
        numbers: int,
        *,
        text: Sequence[ModuleType] = TEXT,
        inline: Callable[[Residual], Inline] = inlined,
        split: Split = Split.OWN,
    ) -> None:
        """For a function of `records`, the plan, and so many numbers, in this order.

        `split`: what becomes of the fields at known places. Usually nothing is read of them before, or looked at
        afterwards.
        """
        specialiser = Specialiser(text)
        residual = specialiser.function(function, [*[LATER] * len(records), plan, *[LATER] * numbers])
        layouts_of: dict[type[Record], Any] = {own: layout(own, plan.sizes) for own in records.values()}
        entry = Entry("run", residual, split)
        source = emit(specialiser.program, [entry], layouts_of.values(), inline=inline)
        self.memory = {name: layouts_of[own].memory() for name, own in records.items()}
        self._run = machine.load(source, kept=True)["run"]

    def __call__(self, *numbers: int) -> int:
        """Run it; what it returns."""
        return int(self._run(*self.memory.values(), *numbers))
