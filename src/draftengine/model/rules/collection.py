"""Collection: every complete set of one of each scores.

The rarest of them limits the number of sets; the rest scores nothing. A count below zero counts as none.

    menu: {kind: collection, of: [soup, bread, cake], points: 7}      # 2 soups, 3 breads, 2 cakes: 2 sets, 14
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from draftengine.model.rules.fields import CONSTANT, Counts, N, counts, number
from draftengine.model.rules.kind import OneSeatKind, QuickReference, rule_kind
from draftengine.model.rules.progress import Progress
from draftengine.support.locale.catalogue import signed
from draftengine.support.locale.english_lists import times
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.model.rules.kind import Phraser
    from draftengine.support.locale.phrases import Phrase


@rule_kind("collection", "Points for every set of one of each")
class Collection(OneSeatKind[N], frozen=True, kw_only=True):
    of: Annotated[Counts, counts("What belongs to a set: one of each.", ["soup", "bread", "cake"], longest=50)]
    points: Annotated[N, CONSTANT, number("Points", "What each complete set scores.", 7, 10)]

    def score(self: Collection[int], values: Sequence[int]) -> int:
        return complete_sets(values) * self.points

    def explain(self: Collection[int], values: Sequence[int], points: int) -> Phrase:
        sets, have = complete_sets(values), tuple(map(str, values))
        if not sets:
            return said("why.collection.short", have=have, points=str(points))
        return said("why.collection", have=have, sets=sets, points=times(sets, self.points))

    def progress(self, values: Sequence[int]) -> Progress:
        """Return the progress of the set begun last, or of a complete one if none is begun."""
        sets, size = complete_sets(values), len(values)
        begun = sum(value > sets for value in values)
        have = size if sets and not begun else begun
        return Progress(have, size, count=f"{have}/{size}")

    def sentence(self, numbers: Collection[int], phraser: Phraser) -> str:
        parts = [phraser.phrase("collection.part", of=phraser.noun(formula)) for formula in self.of]
        return phraser.phrase("collection", parts=phraser.join_list(parts), points=numbers.points)

    def quick_reference(self, numbers: Collection[int], phraser: Phraser) -> QuickReference:
        return QuickReference(phraser.phrase("quick.collection"), (("", signed(numbers.points)),))

    def example_text(self, values: Sequence[int], _points: int, phraser: Phraser) -> str:
        sets = complete_sets(values)
        return phraser.phrase("told.sets", sets=sets) if sets else phraser.phrase("told.incomplete")


def complete_sets(values: Sequence[int]) -> int:
    """Return the number of sets of one of each: the smallest count, at least 0."""
    return max(0, min(values))
