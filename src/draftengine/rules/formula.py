"""Formula: the points are whatever the formula says, for what no other kind can say.

    balance: {kind: formula, points: 10 - abs(soup - bread)}

Everything a formula can name is allowed, also what the other seats have. Points below zero are a loss.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.rules.fragments import formula
from draftengine.rules.kind import OneSeatKind, Progress
from draftengine.rules.words import quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.cardset.reader import Reader
    from draftengine.records.values import Formula
    from draftengine.rules.kind import Constant, NameOf

PROPERTIES = {
    "points": formula("The points of the seat.", ["10 - abs(soup - bread)", "3 if soup == most(soup) else 0"])
}


class Spec(Struct, frozen=True):
    points: Formula


class Numbers(Struct, frozen=True):
    """Nothing is fixed beforehand."""


def read(reader: Reader) -> Spec:
    return Spec(points=reader.formula("points"))


def inputs(spec: Spec) -> tuple[Formula, ...]:
    return (spec.points,)


def constants(_spec: Spec) -> tuple[Formula, ...]:
    return ()


def resolve(_spec: Spec, _constant: Constant) -> Numbers:
    return Numbers()


def score(_numbers: Numbers, values: Sequence[int]) -> int:
    """Take the value as it is."""
    (points,) = values
    return int(points)


def explain(_numbers: Numbers, _values: Sequence[int], points: int) -> str:
    return f"by the formula: {points}"


def progress(_numbers: Numbers, values: Sequence[int]) -> Progress:
    """A formula counts whatever it likes: all that can be told are its points."""
    return Progress(values[0])


def sentence(spec: Spec, name_of: NameOf) -> str:
    return f"Score {quantity(name_of(spec.points), 'point')}."


KIND = OneSeatKind(
    name="formula",
    title="Points by a formula",
    properties=PROPERTIES,
    required=("points",),
    read=read,
    inputs=inputs,
    constants=constants,
    resolve=resolve,
    score=score,
    explain=explain,
    progress=progress,
    sentence=sentence,
)
