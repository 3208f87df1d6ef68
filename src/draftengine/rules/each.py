"""Each: every one of something scores the same.

Any whole number of points, also below zero. Ledger O-23, O-24.

    soup: {kind: each, of: soup, points: 2}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.rules.fragments import formula, number
from draftengine.rules.kind import OneSeatKind, Progress
from draftengine.rules.words import measured, quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.cardset.reader import Reader
    from draftengine.records.values import Formula
    from draftengine.rules.kind import Constant, NameOf

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


def sentence(spec: Spec, name_of: NameOf) -> str:
    return f"Score {quantity(name_of(spec.points), 'point')} for each {measured(name_of(spec.of))}."


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
)
