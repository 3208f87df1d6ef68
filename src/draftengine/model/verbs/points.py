"""Points: the seat gains points at once, or loses them.

- points: 2
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.model.records.record import SeatNumber, field
from draftengine.model.verbs.verb import Step, Verb

if TYPE_CHECKING:
    from draftengine.model.verbs.verb import Words


class PointsStep(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "points"
    bare: ClassVar[bool] = True

    amount: Annotated[SeatNumber, field("Points", "The seat gets so many points.", 2)]


def sentence(step: PointsStep, words: Words) -> str:
    value = words.constant(step.amount.expr)
    if value is None:
        return words.phrase("effect.points_of", text=words.amount(step.amount.expr))
    return words.phrase("effect.points" if value >= 0 else "effect.loss", points=abs(value))


VERB = Verb(spec=PointsStep, sentence=sentence)
