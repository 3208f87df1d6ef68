"""Each: every one of something scores the same.

Any whole number of points, also below zero. Ledger O-23, O-24.

    soup: {kind: each, of: soup, points: 2}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.rules.fields import formula, number
from draftengine.model.rules.kind import OneSeatKind, Progress, QuickReference
from draftengine.support.locale.catalogue import signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.model.loading.reader import Reader
    from draftengine.model.records.values import Formula
    from draftengine.model.rules.kind import Constant, Phraser

PROPERTIES = {
    "of": formula("What is counted.", ["soup", "soup + bread"]),
    "points": number("Points", "What each one scores.", [2, -1]),
}


class Spec(Struct, frozen=True):
    of: Formula
    points: Formula


class Numbers(Struct, frozen=True):
    points: int


def read(reader: Reader) -> Spec:
    return Spec(of=reader.formula("of"), points=reader.formula("points"))


def inputs(spec: Spec) -> tuple[Formula, ...]:
    return (spec.of,)


def constants(spec: Spec) -> tuple[Formula, ...]:
    return (spec.points,)


def resolve(spec: Spec, constant: Constant) -> Numbers:
    return Numbers(points=constant(spec.points))


def score(numbers: Numbers, values: Sequence[int]) -> int:
    """Multiply."""
    (count,) = values
    return count * numbers.points


def explain(numbers: Numbers, values: Sequence[int], points: int) -> str:
    return f"{values[0]} x {numbers.points} = {points}"


def progress(_numbers: Numbers, values: Sequence[int]) -> Progress:
    return Progress(values[0], text=str(values[0]))


def sentence(spec: Spec, numbers: Numbers, speaker: Phraser) -> str:
    adders = speaker.cards_adding_to(spec.of)
    if adders and numbers.points > 0:
        (first, amount), *others = adders
        rest = [speaker.phrase("each.next", of=noun, points=times * numbers.points) for noun, times in others]
        return speaker.phrase(
            "each.list",
            rest=speaker.join_list(
                [speaker.phrase("each.first", of=first, points=amount * numbers.points), *rest], "comma"
            ),
        )
    key = "each" if numbers.points > 0 else "each.loss" if numbers.points else "each.nothing"
    return speaker.phrase(key, of=speaker.noun(spec.of), points=abs(numbers.points))


def quick_reference(_spec: Spec, numbers: Numbers, speaker: Phraser) -> QuickReference:
    return QuickReference(speaker.phrase("quick.each"), (("", signed(numbers.points)),), 1)


def example_text(numbers: Numbers, values: Sequence[int], points: int, speaker: Phraser) -> str:
    if numbers.points == 1:
        return speaker.phrase("told.count", count=values[0])
    return speaker.phrase("told.each", count=values[0], each=numbers.points, points=points)


def example_values(_numbers: Numbers) -> tuple[tuple[int, ...], ...]:
    return ((2,), (3,))


KIND = OneSeatKind(
    name="each",
    title="Points for each",
    properties=PROPERTIES,
    required=("of", "points"),
    read=read,
    inputs=inputs,
    constants=constants,
    resolve=resolve,
    score=score,
    explain=explain,
    progress=progress,
    sentence=sentence,
    quick_reference=quick_reference,
    example_text=example_text,
    example_values=example_values,
)
