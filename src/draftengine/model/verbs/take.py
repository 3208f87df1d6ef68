"""Take: the seat takes a marker from its holder.

- take: trophy
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.model.records.record import MarkerTaken, field
from draftengine.model.verbs.verb import Step, Verb

if TYPE_CHECKING:
    from draftengine.model.verbs.verb import Words


class TakeStep(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "take"
    bare: ClassVar[bool] = True

    marker: Annotated[MarkerTaken, field("Take", "The seat takes the marker.", "trophy")]


def sentence(step: TakeStep, words: Words) -> str:
    return words.phrase("effect.take", marker=words.marker(step.marker))


VERB = Verb(spec=TakeStep, sentence=sentence)
