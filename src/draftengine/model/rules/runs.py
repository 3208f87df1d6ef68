"""Rule kind *runs*: cards with consecutive numbers score by the length of the run.

`of` lists the counters for 1, 2, 3 and so on, in order. Every card belongs to exactly one run, and the cards are
divided into the runs that give the most points. No run can be longer than the list `points`. The best division is found
for all lists of points, even if short runs pay better. A count below zero counts as 0.

    street: {runs: [page_1, page_2, page_3, page_4], points: [1, 4, 8, 13]}      # 2, 3, 4, 4: 8 + 1 = 9

The division is a flow in a network. Its nodes are the gaps: one before every number, and one at the end. A run from `p`
to `q` is an edge from the gap before `p` to the gap after `q`. Every card with the number `p` lies on one run. If there
are k more cards with `p` than with `p - 1`, then k more runs start than end at the gap before `p`. The best flow is
found by augmenting along best paths. This is exact, and quick for any number of cards.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated

from draftengine.model.rules.kind import (
    CONSTANT,
    Counts,
    N,
    OneSeatKind,
    Progress,
    QuickReference,
    counts,
    numbers,
    rule_kind,
)
from draftengine.support.locale.catalogue import row, signed
from draftengine.support.locale.phrases import said, summed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.model.rules.kind import Phraser
    from draftengine.support.locale.phrases import Phrase

_LONG = 4
"""If runs can have at least this length, the example shows a run of three cards and a single card."""


@rule_kind("runs", "Points for runs of consecutive numbers")
class Runs(OneSeatKind[N], frozen=True, kw_only=True):
    of: Annotated[
        Counts,
        counts("The counters for the numbers 1, 2, 3 and so on, in order.", ["page_1", "page_2", "page_3"], longest=20),
    ]
    points: Annotated[
        tuple[N, ...],
        CONSTANT,
        numbers("Points", "The points for a run of 1 card, 2 cards, 3 cards and so on.", [1, 4, 8, 13, 20], longest=20),
    ]

    def score(self: Runs[int], values: Sequence[int]) -> int:
        return sum(self.points[length - 1] for length in self.best_lengths(values))

    def best_lengths(self: Runs[int], values: Sequence[int]) -> tuple[int, ...]:
        """Return the lengths of the runs that give the most points, longest first.

        If several divisions into runs give the most, choose one with the fewest runs.
        """
        return best_division(self.points, [max(0, value) for value in values])

    def explain(self: Runs[int], values: Sequence[int], points: int) -> Phrase:
        lengths, total = self.best_lengths(values), str(points)
        if not lengths:
            return said("why.runs.none", points=total)
        if len(lengths) == 1:
            return said("why.runs.one", length=lengths[0], points=total)
        terms = summed([self.points[length - 1] for length in lengths])
        return said("why.runs", lengths=tuple(map(str, lengths)), sum=terms, points=total)

    def progress(self: Runs[int], values: Sequence[int]) -> Progress:
        """Return the lengths of the runs that give the most points now."""
        lengths = self.best_lengths(values)
        return Progress(sum(lengths), count="" if lengths else "0", runs=tuple(lengths))

    def sentence(self, numbers: Runs[int], phraser: Phraser) -> str:
        cells = row([(str(length), f"**{signed(points)}**") for length, points in enumerate(numbers.points, start=1)])
        family = phraser.family_of_formulas(self.of)
        if family is not None:
            return phraser.phrase("runs", of=family, row=cells)
        names = [phraser.noun(formula).form("name") for formula in self.of]
        return phraser.phrase("runs.named", names=phraser.join_list(names), row=cells)

    def quick_reference(self, numbers: Runs[int], phraser: Phraser) -> QuickReference:
        cells = tuple((str(length), signed(points)) for length, points in enumerate(numbers.points, start=1))
        lengths = phraser.join_list([head for head, _ in cells], "comma")
        return QuickReference(phraser.phrase("quick.run", list=lengths), cells)

    def example_text(self: Runs[int], values: Sequence[int], _points: int, phraser: Phraser) -> str:
        lengths = self.best_lengths(values)
        if not lengths:
            return phraser.phrase("told.incomplete")
        return phraser.phrase("told.runs", lengths=phraser.join_list(list(map(str, lengths))), count=len(lengths))

    def example_values(self: Runs[int]) -> tuple[tuple[int, ...], ...]:
        length = len(self.points)
        first = (0, 1, 1, 2) if length >= _LONG else (1, 1)
        return ((*first, *[0] * length)[:length],)


def best_division(points: Sequence[int], counts: Sequence[int]) -> tuple[int, ...]:
    """Return the lengths of the runs that give the most points, longest first.

    The result is the best flow in the network that the module describes. It is augmented along best paths until every
    gap is balanced.
    """
    # Scaled so that, among divisions with equal points, the one with fewer runs wins.
    gains = [value * (sum(counts) + 1) - 1 for value in points]
    surplus = [here - before for before, here in pairwise([0, *counts, 0])]
    runs: Counter[tuple[int, int]] = Counter()
    while any(surplus):
        path = _best_path(gains, surplus, runs)
        steps = list(pairwise(path))
        # A run can be undone only as many times as it was taken.
        amount = min(surplus[path[0]], -surplus[path[-1]], *(runs[end, start] for start, end in steps if end < start))
        for start, end in steps:
            runs[min(start, end), max(start, end)] += amount if start < end else -amount
        surplus[path[0]] -= amount
        surplus[path[-1]] += amount
    return tuple(sorted((end - start for start, end in runs.elements()), reverse=True))


def _best_path(gains: Sequence[int], surplus: Sequence[int], runs: Counter[tuple[int, int]]) -> tuple[int, ...]:
    """Return the most profitable path from a gap where runs must start to a gap where runs must end.

    This is the algorithm of Bellman and Ford. An edge used forward adds a run; used backward, it removes one. No cycle
    gains anything, so the search ends.
    """
    gaps = len(surplus)
    steps = [
        (start, start + length, gain)
        for start in range(gaps)
        for length, gain in enumerate(gains[: gaps - 1 - start], start=1)
    ]
    steps += [(end, start, -gains[end - start - 1]) for (start, end), times in runs.items() if times]
    best: dict[int, tuple[int, tuple[int, ...]]] = {gap: (0, (gap,)) for gap, more in enumerate(surplus) if more > 0}
    changed = True
    while changed:
        changed = False
        for start, end, gain in steps:
            if start in best and (end not in best or best[start][0] + gain > best[end][0]):
                best[end] = (best[start][0] + gain, (*best[start][1], end))
                changed = True
    ends = [best[gap] for gap, more in enumerate(surplus) if more < 0 and gap in best]
    return max(ends, key=lambda path: path[0])[1]
