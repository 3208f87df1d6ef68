"""Collection: every complete set of one of each scores.

As many sets as there are of the rarest of them; the rest scores nothing. A count below zero counts as none.

    menu: {kind: collection, of: [soup, bread, cake], points: 7}      # 2 soups, 3 breads, 2 cakes: 2 sets, 14
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.rules.fields import formulas, number
from draftengine.model.rules.kind import OneSeatKind, Progress, QuickReference
from draftengine.support.locale.catalogue import signed
from draftengine.support.locale.english_lists import counted, join_list, times

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.model.loading.reader import Reader
    from draftengine.model.records.values import Formula
    from draftengine.model.rules.kind import Constant, Phraser

PROPERTIES = {
    "of": formulas("What belongs to a set: one of each.", [["soup", "bread", "cake"]], longest=50),
    "points": number("Points", "What each complete set scores.", [7, 10]),
}


class Spec(Struct, frozen=True):
    of: tuple[Formula, ...]
    points: Formula


class Numbers(Struct, frozen=True):
    points: int


def read(reader: Reader) -> Spec:
    return Spec(of=reader.formulas("of"), points=reader.formula("points"))


def inputs(spec: Spec) -> tuple[Formula, ...]:
    return spec.of


def constants(spec: Spec) -> tuple[Formula, ...]:
    return (spec.points,)


def resolve(spec: Spec, constant: Constant) -> Numbers:
    return Numbers(points=constant(spec.points))


def score(numbers: Numbers, values: Sequence[int]) -> int:
    """The rarest of them decides."""
    return _sets(values) * numbers.points


def _sets(values: Sequence[int]) -> int:
    return max(0, min(values))


def explain(numbers: Numbers, values: Sequence[int], points: int) -> str:
    sets = _sets(values)
    have = join_list([str(value) for value in values])
    if not sets:
        return f"{have} make no complete set: {points}"
    return f"{have} make {counted(sets, 'complete set')}: {times(sets, numbers.points)}"


def progress(_numbers: Numbers, values: Sequence[int]) -> Progress:
    """The set that was begun last, or completed last if none is begun."""
    sets = _sets(values)
    begun = sum(value > sets for value in values)
    have = len(values) if sets and not begun else begun
    return Progress(have, len(values), f"{have}/{len(values)}")


def sentence(spec: Spec, numbers: Numbers, speaker: Phraser) -> str:
    parts = [speaker.phrase("collection.part", of=speaker.noun(formula)) for formula in spec.of]
    return speaker.phrase("collection", parts=speaker.join_list(parts), points=numbers.points)


def quick_reference(_spec: Spec, numbers: Numbers, speaker: Phraser) -> QuickReference:
    return QuickReference(speaker.phrase("quick.collection"), (("", signed(numbers.points)),))


def example_text(_numbers: Numbers, values: Sequence[int], _points: int, speaker: Phraser) -> str:
    sets = max(0, min(values))
    return speaker.phrase("told.sets", sets=sets) if sets else speaker.phrase("told.incomplete")


def example_values(_numbers: Numbers) -> tuple[tuple[int, ...], ...]:
    return ()


KIND = OneSeatKind(
    name="collection",
    title="Points for every set of one of each",
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
