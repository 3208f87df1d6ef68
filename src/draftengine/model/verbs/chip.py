"""Chip: the seat draws a chip blind from a pile, if one is left.

- chip: soup_chips
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.model.records.record import PileName, field
from draftengine.model.verbs.verb import Step, Verb

if TYPE_CHECKING:
    from draftengine.model.verbs.verb import Words


class ChipStep(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "chip"
    bare: ClassVar[bool] = True

    pile: Annotated[PileName, field("Chip", "Draw a chip of this pile.", "soup_chips")]


def sentence(step: ChipStep, words: Words) -> str:
    return words.phrase("effect.chip", pile=words.pile(step.pile))


VERB = Verb(spec=ChipStep, sentence=sentence)
