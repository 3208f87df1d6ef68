"""Table: points by number, written out for 1, 2, 3 and so on.

A number beyond the table counts as the last one (`last`), starts the table over (`repeat`) or scores nothing
(`nothing`). Having none scores `none`; a number below zero counts as none. Ledger O-22.

    soup: {kind: table, of: soup, points: [1, 3, 6], beyond: repeat}      # 4 soups: 6 + 1 = 7
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from msgspec import Struct

from draftengine.model.rules.fields import formula, number, numbers, word
from draftengine.model.rules.kind import OneSeatKind, Progress, QuickReference
from draftengine.support.locale.catalogue import abridged, in_print, row, signed
from draftengine.support.locale.english_lists import summed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.model.loading.reader import Reader
    from draftengine.model.records.values import Formula
    from draftengine.model.rules.kind import Constant, Phraser
    from draftengine.support.locale.catalogue import Noun

Beyond = Literal["last", "repeat", "nothing"]

BEYOND = {
    "last": "counts as the last number of the table",
    "repeat": "the table starts over",
    "nothing": "scores nothing",
}

PROPERTIES = {
    "of": formula("What is counted.", ["soup", "kinds(soup, bread)"]),
    "points": numbers("Points", "The points for 1, 2, 3 and so on.", [[1, 3, 6, 10, 15]], longest=100),
    "beyond": word(BEYOND, "last", "Beyond the table", "What a number beyond the table does."),
    "none": number("Points for none", "What having none scores.", [-2], default=0),
}


class Spec(Struct, frozen=True):
    of: Formula
    points: tuple[Formula, ...]
    beyond: Beyond
    none: Formula | None


class Numbers(Struct, frozen=True):
    points: tuple[int, ...]
    beyond: Beyond
    none: int


def read(reader: Reader) -> Spec:
    return Spec(
        of=reader.formula("of"),
        points=reader.formulas("points"),
        beyond=cast("Beyond", reader.word("beyond", "last")),
        none=reader.optional_formula("none"),
    )


def inputs(spec: Spec) -> tuple[Formula, ...]:
    return (spec.of,)


def constants(spec: Spec) -> tuple[Formula, ...]:
    return spec.points if spec.none is None else (*spec.points, spec.none)


def resolve(spec: Spec, constant: Constant) -> Numbers:
    none = 0 if spec.none is None else constant(spec.none)
    return Numbers(points=tuple(map(constant, spec.points)), beyond=spec.beyond, none=none)


def score(numbers: Numbers, values: Sequence[int]) -> int:
    """Look the number up."""
    (count,) = values
    if count <= 0:
        return numbers.none
    rounds, rest = _turns(numbers, count)
    return rounds * numbers.points[-1] + (numbers.points[rest - 1] if rest else 0)


def _turns(numbers: Numbers, count: int) -> tuple[int, int]:
    """How often the whole table is gone through, and how far once more."""
    length = len(numbers.points)
    if count <= length:
        return 0, count
    if numbers.beyond == "repeat":
        return divmod(count, length)
    return (1, 0) if numbers.beyond == "last" else (0, 0)


def explain(numbers: Numbers, values: Sequence[int], points: int) -> str:
    (count,) = values
    length = len(numbers.points)
    if count <= 0:
        return f"none scores {points}"
    if count <= length:
        return f"{count} scores {points}"
    if numbers.beyond == "last":
        return f"{count} scores as {length}: {points}"
    if numbers.beyond == "nothing":
        return f"{count} is beyond {length}: {points}"
    parts, added = _chunks(numbers, count)
    return f"{count} is {parts}: {added} = {points}"


def _chunks(numbers: Numbers, count: int) -> tuple[str, str]:
    """``3 + 3 + 1`` for 7, and ``6 + 6 + 1``."""
    rounds, rest = _turns(numbers, count)
    parts = [len(numbers.points)] * rounds + [rest] * (rest > 0)
    return summed(parts), summed([numbers.points[part - 1] for part in parts])


def progress(_numbers: Numbers, values: Sequence[int]) -> Progress:
    return Progress(values[0], text=str(values[0]))


def sentence(spec: Spec, numbers: Numbers, speaker: Phraser) -> str:
    of = speaker.noun(spec.of)
    rising = list(numbers.points) == sorted(set(numbers.points)) and numbers.points[0] > 0
    cells = [(str(count), f"**{signed(points)}**") for count, points in enumerate(numbers.points, start=1)]
    if numbers.beyond == "last":
        cells[-1] = speaker.phrase("or_more", count=cells[-1][0]), cells[-1][1]
    text = speaker.phrase("table.rising" if rising else "table", of=of, row=row(cells))
    return speaker.phrase("space").join([text, *_further(spec, numbers, speaker, of)])


def _further(spec: Spec, numbers: Numbers, speaker: Phraser, of: Noun) -> Iterator[str]:
    beyond = len(numbers.points) + 1
    if numbers.beyond == "repeat":
        yield speaker.phrase("table.repeat", count=beyond)
    if numbers.beyond == "nothing":
        yield speaker.phrase("table.nothing", count=beyond)
    if spec.none is not None and numbers.none:
        yield speaker.phrase("table.none_loses" if numbers.none < 0 else "table.none", of=of, points=abs(numbers.none))


def quick_reference(_spec: Spec, numbers: Numbers, speaker: Phraser) -> QuickReference:
    cells = [(str(count), signed(points)) for count, points in enumerate(numbers.points, start=1)]
    heads = [head for head, _ in cells]
    if numbers.beyond == "last":
        heads[-1] = speaker.phrase("or_more", count=heads[-1])
        cells[-1] = f"{cells[-1][0]}+", cells[-1][1]
    if numbers.none:
        cells.insert(0, ("0", signed(numbers.none)))
        heads.insert(0, "0")
    return QuickReference(
        speaker.phrase("quick.number", list=speaker.join_list(abridged(heads), "comma")), tuple(cells)
    )


def example_text(numbers: Numbers, values: Sequence[int], _points: int, speaker: Phraser) -> str:
    (count,) = values
    if count > len(numbers.points):
        if numbers.beyond == "last":
            return speaker.phrase("told.as", count=count, limit=len(numbers.points))
        if numbers.beyond == "repeat":
            parts, added = _chunks(numbers, count)
            return speaker.phrase("told.parts", count=count, parts=parts, points=in_print(added))
    return speaker.phrase("told.count", count=max(count, 0))


def example_values(numbers: Numbers) -> tuple[tuple[int, ...], ...]:
    return ((len(numbers.points) + 1,), (2,))


KIND = OneSeatKind(
    name="table",
    title="Points by number, from a table",
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
