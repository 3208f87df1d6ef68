"""The list of instructions while the flow is compiled, with forward references."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from draftengine.engine.control import SkipUnless

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.engine.instruction import Instruction
    from draftengine.engine.program import Value
    from draftengine.model.verbs.verb import Step


def names_of(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return a name for every step of a list.

    It is the `id` of the step, or else its verb, numbered from the second one on (``choose-2``).
    """
    names: list[str] = []
    verbs: Counter[str] = Counter()
    for step in steps:
        verbs[step.verb] += 1
        number = verbs[step.verb]
        names.append(step.id or (step.verb if number == 1 else f"{step.verb}-{number}"))
    return tuple(names)


class Code:
    """A growing list of instructions, with places kept for those whose targets are not known yet."""

    def __init__(self) -> None:
        self.instructions: list[Instruction | None] = []
        self.path: list[str] = []
        """Names of the step that is being compiled and of the steps around it, outermost first."""

    def __len__(self) -> int:
        """Return the number of instructions, which is the index of the next one."""
        return len(self.instructions)

    def append(self, make: Callable[[int], Instruction]) -> None:
        """Append the instruction that `make` returns for the index of the instruction after it."""
        self.instructions.append(make(len(self) + 1))

    def reserve(self) -> int:
        """Keep a place for an instruction that is written later, and return its index."""
        self.instructions.append(None)
        return len(self) - 1

    def only_if(self, when: Value, compile_it: Callable[[], None]) -> None:
        """Append the instructions that `compile_it` writes, to be skipped unless a condition holds."""
        slot = self.reserve()
        compile_it()
        self.instructions[slot] = SkipUnless(when, slot + 1, len(self))
