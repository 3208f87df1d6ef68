"""Runs: cards with consecutive numbers score by the length of the run.

`of` lists what stands for 1, 2, 3 and so on, in order. The cards are divided into runs, each card in exactly one, so
that the points are highest; a run longer than the table is not possible and has to be divided. The division is the best
one for every table, also where short runs pay better. A count below zero counts as none. Ledger A-37, Q16.

    street: {kind: runs, of: [page_1, page_2, page_3, page_4], points: [1, 4, 8, 13]}      # 2, 3, 4, 4: 8 + 1 = 9

How: put a gap before every number and one at the end. A run from `p` to `q` leads from the gap before `p` to the gap
after `q`, and every card at `p` lies on one run. So at the gap before `p` as many more runs start than end as there are
more cards at `p` than at `p - 1`: the division is a flow, and the best flow is found along best paths. That is exact,
and quick however many cards there are.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.rules.fields import formulas, numbers
from draftengine.model.rules.kind import OneSeatKind, Progress, QuickReference
from draftengine.support.locale.catalogue import row, signed
from draftengine.support.locale.english_lists import join_list, summed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.model.loading.reader import Reader
    from draftengine.model.records.values import Formula
    from draftengine.model.rules.kind import Constant, Phraser

PROPERTIES = {
    "of": formulas("What stands for 1, 2, 3 and so on, in order.", [["page_1", "page_2", "page_3"]], longest=20),
    "points": numbers("Points", "The points of a run of 1, 2, 3 and so on.", [[1, 4, 8, 13, 20]], longest=20),
}


class Spec(Struct, frozen=True):
    of: tuple[Formula, ...]
    points: tuple[Formula, ...]


class Numbers(Struct, frozen=True):
    points: tuple[int, ...]


def read(reader: Reader) -> Spec:
    return Spec(of=reader.formulas("of"), points=reader.formulas("points"))


def inputs(spec: Spec) -> tuple[Formula, ...]:
    return spec.of


def constants(spec: Spec) -> tuple[Formula, ...]:
    return spec.points


def resolve(spec: Spec, constant: Constant) -> Numbers:
    return Numbers(points=tuple(map(constant, spec.points)))


def score(numbers: Numbers, values: Sequence[int]) -> int:
    """Add up the runs of the best division."""
    return sum(numbers.points[length - 1] for length in best_lengths(numbers, values))


def best_lengths(numbers: Numbers, values: Sequence[int]) -> tuple[int, ...]:
    """The lengths of the runs of a best division, longest first; of several best ones, one with the fewest runs."""
    counts = [max(0, value) for value in values]
    gains = _gains(numbers.points, sum(counts))
    surplus = [here - before for before, here in pairwise([0, *counts, 0])]
    runs: Counter[tuple[int, int]] = Counter()
    while any(surplus):
        _carry(_best_path(gains, surplus, runs), surplus, runs)
    return tuple(sorted((end - start for start, end in runs.elements()), reverse=True))


def _gains(points: Sequence[int], cards: int) -> tuple[int, ...]:
    """What a run of each length is worth, scaled so that fewer runs win among divisions with equal points."""
    return tuple(value * (cards + 1) - 1 for value in points)


def _best_path(gains: Sequence[int], surplus: Sequence[int], runs: Counter[tuple[int, int]]) -> tuple[int, ...]:
    """The gaps along the best way from a gap with too few starting runs to one with too few ending runs.

    A step forward adds a run, a step back takes one away. There are no circles that gain, so this ends.
    """
    best: dict[int, tuple[int, tuple[int, ...]]] = {gap: (0, (gap,)) for gap, more in enumerate(surplus) if more > 0}
    steps = list(_steps(gains, len(surplus), runs))
    changed = True
    while changed:
        changed = False
        for start, end, gain in steps:
            if start in best and (end not in best or best[start][0] + gain > best[end][0]):
                best[end] = (best[start][0] + gain, (*best[start][1], end))
                changed = True
    ways = [best[gap] for gap, more in enumerate(surplus) if more < 0 and gap in best]
    return max(ways, key=lambda way: way[0])[1]


def _steps(gains: Sequence[int], gaps: int, runs: Counter[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    for start in range(gaps):
        for length, gain in enumerate(gains[: gaps - 1 - start], start=1):
            yield start, start + length, gain
    for (start, end), times in runs.items():
        if times:
            yield end, start, -gains[end - start - 1]


def _carry(path: Sequence[int], surplus: list[int], runs: Counter[tuple[int, int]]) -> None:
    """Add and take away runs along `path`, as many as possible at once."""
    steps = list(pairwise(path))
    amount = min(surplus[path[0]], -surplus[path[-1]], *(runs[end, start] for start, end in steps if end < start))
    for start, end in steps:
        runs[min(start, end), max(start, end)] += amount if start < end else -amount
    surplus[path[0]] -= amount
    surplus[path[-1]] += amount


def explain(numbers: Numbers, values: Sequence[int], points: int) -> str:
    lengths = best_lengths(numbers, values)
    if not lengths:
        return f"no run: {points}"
    if len(lengths) == 1:
        return f"a run of {lengths[0]}: {points}"
    terms = [numbers.points[length - 1] for length in lengths]
    return f"runs of {join_list([str(length) for length in lengths])}: {summed(terms)} = {points}"


def progress(numbers: Numbers, values: Sequence[int]) -> Progress:
    """The lengths of the runs of the best division."""
    lengths = best_lengths(numbers, values)
    text = f"run of {lengths[0]}" if len(lengths) == 1 else f"runs of {join_list(list(map(str, lengths)))}"
    return Progress(sum(lengths), text=text if lengths else "0")


def sentence(spec: Spec, numbers: Numbers, speaker: Phraser) -> str:
    cells = [(str(length), f"**{signed(points)}**") for length, points in enumerate(numbers.points, start=1)]
    together = speaker.family_of_formulas(spec.of)
    if together is not None:
        return speaker.phrase("runs", of=together, row=row(cells))
    names = [speaker.noun(formula).forms["name"] for formula in spec.of]
    return speaker.phrase("runs.named", names=speaker.join_list(names), row=row(cells))


def quick_reference(_spec: Spec, numbers: Numbers, speaker: Phraser) -> QuickReference:
    cells = tuple((str(length), signed(points)) for length, points in enumerate(numbers.points, start=1))
    return QuickReference(
        speaker.phrase("quick.run", list=speaker.join_list([head for head, _ in cells], "comma")), cells
    )


def example_text(numbers: Numbers, values: Sequence[int], _points: int, speaker: Phraser) -> str:
    lengths = best_lengths(numbers, values)
    if not lengths:
        return speaker.phrase("told.incomplete")
    return speaker.phrase(
        "told.runs", lengths=speaker.join_list([str(length) for length in lengths]), count=len(lengths)
    )


def example_values(numbers: Numbers) -> tuple[tuple[int, ...], ...]:
    length = len(numbers.points)
    return ((0, 1, 1, 2, *([0] * length))[:length],) if length > 3 else ((1, 1, *([0] * length))[:length],)  # noqa: PLR2004


KIND = OneSeatKind(
    name="runs",
    title="Points for runs of consecutive numbers",
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
