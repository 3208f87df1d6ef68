"""Roll: the die of a counter is thrown, and the counter takes the number thrown.

- roll: fortune
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.model.records.record import DieName, field
from draftengine.model.verbs.verb import Step, Verb

if TYPE_CHECKING:
    from draftengine.model.verbs.verb import Words


class RollStep(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "roll"
    bare: ClassVar[bool] = True

    counter: Annotated[DieName, field("Roll", "Roll the die of this counter.", "fortune")]


def sentence(step: RollStep, words: Words) -> str:
    return words.phrase("effect.roll", of=words.counter(step.counter))


VERB = Verb(spec=RollStep, sentence=sentence)
