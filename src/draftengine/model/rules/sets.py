"""Set: every `size` of something score; what is left over scores nothing.

Any number of sets. A count below zero makes none. Ledger O-20, O-21.

    soup: {kind: set, of: soup, size: 3, points: 10}      # 7 soups make 2 sets: 20
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.rules.fields import formula, number
from draftengine.model.rules.kind import OneSeatKind, Progress, QuickReference, UnusableNumberError
from draftengine.support.locale.catalogue import signed
from draftengine.support.locale.english_lists import counted, times

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.model.loading.reader import Reader
    from draftengine.model.records.values import Formula
    from draftengine.model.rules.kind import Constant, Phraser

PROPERTIES = {
    "of": formula("What the sets are made of.", ["soup", "soup + bread"]),
    "size": number("Size", "How many make a set; 1 or more.", [2, 3], minimum=1),
    "points": number("Points", "What each complete set scores.", [5, 10]),
}


class Spec(Struct, frozen=True):
    of: Formula
    size: Formula
    points: Formula


class Numbers(Struct, frozen=True):
    size: int
    points: int


def read(reader: Reader) -> Spec:
    return Spec(of=reader.formula("of"), size=reader.formula("size"), points=reader.formula("points"))


def inputs(spec: Spec) -> tuple[Formula, ...]:
    return (spec.of,)


def constants(spec: Spec) -> tuple[Formula, ...]:
    return (spec.size, spec.points)


def resolve(spec: Spec, constant: Constant) -> Numbers:
    size = constant(spec.size)
    if size < 1:
        raise UnusableNumberError(spec.size, f"A set needs a size of at least 1; here it is {size}.")
    return Numbers(size=size, points=constant(spec.points))


def score(numbers: Numbers, values: Sequence[int]) -> int:
    """Only complete sets count."""
    return _sets(numbers, values)[0] * numbers.points


def _sets(numbers: Numbers, values: Sequence[int]) -> tuple[int, int]:
    """Complete sets, and how many are left over."""
    (count,) = values
    return divmod(max(0, count), numbers.size)


def explain(numbers: Numbers, values: Sequence[int], points: int) -> str:
    sets, rest = _sets(numbers, values)
    if not sets:
        return f"{values[0]} of the {numbers.size} for a set: {points}"
    left = f", {rest} left over" if rest else ""
    return f"{values[0]} make {counted(sets, 'set')} of {numbers.size}{left}: {times(sets, numbers.points)}"


def progress(numbers: Numbers, values: Sequence[int]) -> Progress:
    """The set that was begun last, or completed last if none is begun."""
    sets, rest = _sets(numbers, values)
    have = numbers.size if sets and not rest else rest
    return Progress(have, numbers.size, f"{have}/{numbers.size}")


def sentence(spec: Spec, numbers: Numbers, speaker: Phraser) -> str:
    of, size = speaker.noun(spec.of), numbers.size
    every = speaker.phrase("set", of=of, size=size, points=numbers.points)
    if size == 1:
        return speaker.phrase("each", of=of, points=numbers.points)
    rest = ("set.one_left", "set.two_left")[size - 2] if size <= 3 else "set.left"  # noqa: PLR2004 (said in words)
    return f"{every}{speaker.phrase('space')}{speaker.phrase(rest, of=of)}"


def quick_reference(_spec: Spec, numbers: Numbers, speaker: Phraser) -> QuickReference:
    return QuickReference(speaker.phrase("quick.set", size=numbers.size), (("", signed(numbers.points)),), numbers.size)


def example_text(numbers: Numbers, values: Sequence[int], _points: int, speaker: Phraser) -> str:
    sets, rest = _sets(numbers, values)
    if not sets:
        return speaker.phrase("told.short", count=numbers.size - rest)
    return speaker.phrase("told.sets_left" if rest else "told.sets", sets=sets, rest=rest)


def example_values(numbers: Numbers) -> tuple[tuple[int, ...], ...]:
    return ((numbers.size + 1,), (max(numbers.size - 1, 1),))


KIND = OneSeatKind(
    name="set",
    title="Points for every complete set",
    properties=PROPERTIES,
    required=("of", "size", "points"),
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
