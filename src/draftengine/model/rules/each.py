"""Each: every one of something scores an equal number of points.

The number may be below zero. Ledger O-23, O-24.

    soup: {kind: each, of: soup, points: 2}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from draftengine.model.rules.fields import CONSTANT, Count, N, count, number
from draftengine.model.rules.kind import OneSeatKind, QuickReference, rule_kind
from draftengine.support.locale.catalogue import signed
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.model.rules.kind import Phraser
    from draftengine.support.locale.phrases import Phrase


@rule_kind("each", "Points for each")
class Each(OneSeatKind[N], frozen=True, kw_only=True):
    of: Annotated[Count, count("What is counted.", "soup", "soup + bread")]
    points: Annotated[N, CONSTANT, number("Points", "What each one scores.", 2, -1)]

    def score(self: Each[int], values: Sequence[int]) -> int:
        (count,) = values
        return count * self.points

    def explain(self: Each[int], values: Sequence[int], points: int) -> Phrase:
        return said("why.each", count=str(values[0]), each=str(self.points), points=str(points))

    def sentence(self, numbers: Each[int], phraser: Phraser) -> str:
        each, adders = numbers.points, phraser.cards_adding_to(self.of)
        if adders and each > 0:
            first, *others = [(noun, amount * each) for noun, amount in adders]
            phrases = [phraser.phrase("each.first", of=first[0], points=first[1])]
            phrases += [phraser.phrase("each.next", of=noun, points=points) for noun, points in others]
            return phraser.phrase("each.list", rest=phraser.join_list(phrases, "comma"))
        key = "each" if each > 0 else "each.loss" if each else "each.nothing"
        return phraser.phrase(key, of=phraser.noun(self.of), points=abs(each))

    def quick_reference(self, numbers: Each[int], phraser: Phraser) -> QuickReference:
        return QuickReference(phraser.phrase("quick.each"), (("", signed(numbers.points)),), copies=1)

    def example_text(self: Each[int], values: Sequence[int], points: int, phraser: Phraser) -> str:
        if self.points == 1:
            return phraser.phrase("told.count", count=values[0])
        return phraser.phrase("told.each", count=values[0], each=self.points, points=points)

    def example_values(self) -> tuple[tuple[int, ...], ...]:
        return ((2,), (3,))
