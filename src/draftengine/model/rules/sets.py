"""Set: every `size` of something score; what is left over scores nothing.

Any number of sets. A count below zero makes none. Ledger O-20, O-21.

    soup: {kind: set, of: soup, size: 3, points: 10}      # 7 soups make 2 sets: 20
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from draftengine.model.rules.fields import CONSTANT, Count, N, count, number
from draftengine.model.rules.kind import OneSeatKind, QuickReference, UnusableNumberError, rule_kind
from draftengine.model.rules.progress import Progress
from draftengine.support.locale.catalogue import signed
from draftengine.support.locale.english_lists import times
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.model.records.values import Formula
    from draftengine.model.rules.kind import Phraser
    from draftengine.support.locale.phrases import Phrase

_LEFT_OVER = {2: "set.one_left", 3: "set.two_left"}
"""By size of a set, the sentence about cards left over; larger sets have a general one."""


@rule_kind("set", "Points for every complete set")
class Set(OneSeatKind[N], frozen=True, kw_only=True):
    of: Annotated[Count, count("What the sets are made of.", "soup", "soup + bread")]
    size: Annotated[N, CONSTANT, number("Size", "How many make a set; 1 or more.", 2, 3, minimum=1)]
    points: Annotated[N, CONSTANT, number("Points", "What each complete set scores.", 5, 10)]

    def check(self: Set[Formula], resolved: Set[int]) -> None:
        if resolved.size < 1:
            raise UnusableNumberError(self.size, "size", resolved.size)

    def sets_and_rest(self: Set[int], values: Sequence[int]) -> tuple[int, int]:
        """Return the numbers of complete sets and of cards left over."""
        (count,) = values
        return divmod(max(0, count), self.size)

    def score(self: Set[int], values: Sequence[int]) -> int:
        return self.sets_and_rest(values)[0] * self.points

    def explain(self: Set[int], values: Sequence[int], points: int) -> Phrase:
        sets, rest = self.sets_and_rest(values)
        if not sets:
            return said("why.set.short", count=str(values[0]), size=self.size, points=str(points))
        key, terms = "why.set.left" if rest else "why.set", times(sets, self.points)
        return said(key, count=values[0], sets=sets, size=self.size, rest=rest, points=terms)

    def progress(self: Set[int], values: Sequence[int]) -> Progress:
        """Return how far the set begun last has come; a complete one if none is begun."""
        sets, rest = self.sets_and_rest(values)
        have = self.size if sets and not rest else rest
        return Progress(have, self.size, count=f"{have}/{self.size}")

    def sentence(self, numbers: Set[int], phraser: Phraser) -> str:
        of, size = phraser.noun(self.of), numbers.size
        if size == 1:
            return phraser.phrase("each", of=of, points=numbers.points)
        every = phraser.phrase("set", of=of, size=size, points=numbers.points)
        return phraser.phrase("space").join([every, phraser.phrase(_LEFT_OVER.get(size, "set.left"), of=of)])

    def quick_reference(self, numbers: Set[int], phraser: Phraser) -> QuickReference:
        size = numbers.size
        return QuickReference(phraser.phrase("quick.set", size=size), (("", signed(numbers.points)),), copies=size)

    def example_text(self: Set[int], values: Sequence[int], _points: int, phraser: Phraser) -> str:
        sets, rest = self.sets_and_rest(values)
        if not sets:
            return phraser.phrase("told.short", count=self.size - rest)
        return phraser.phrase("told.sets_left" if rest else "told.sets", sets=sets, rest=rest)

    def example_values(self: Set[int]) -> tuple[tuple[int, ...], ...]:
        return ((self.size + 1,), (max(self.size - 1, 1),))
