"""The instructions of a flow while they are written, one after the other."""

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
    """A name for every step of a list: its `id`, or its verb, numbered from the second one on (``choose-2``)."""
    names: list[str] = []
    verbs: Counter[str] = Counter()
    for step in steps:
        verbs[step.verb] += 1
        number = verbs[step.verb]
        names.append(step.id or (step.verb if number == 1 else f"{step.verb}-{number}"))
    return tuple(names)


class Code:
    """Instructions; some of them are only written when their targets are known."""

    def __init__(self) -> None:
        self.instructions: list[Instruction | None] = []
        self.path: list[str] = []
        """The names of the step that is being compiled and of those around it."""

    def __len__(self) -> int:
        """How many instructions there are: the place of the next one."""
        return len(self.instructions)

    def append(self, make: Callable[[int], Instruction]) -> None:
        """Write an instruction that is made of the place of the one which follows it."""
        self.instructions.append(make(len(self) + 1))

    def reserve(self) -> int:
        """Keep a place for an instruction that is written later, and give its number."""
        self.instructions.append(None)
        return len(self) - 1

    def only_if(self, when: Value, compile_it: Callable[[], None]) -> None:
        """Write instructions that are left out unless a condition holds."""
        slot = self.reserve()
        compile_it()
        self.instructions[slot] = SkipUnless(when, slot + 1, len(self))
