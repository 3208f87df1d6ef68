"""Rule kinds: *each* scores single cards, *set* equal cards, and *collection* one card of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from draftengine.model.rules.kind import (
    CONSTANT,
    Count,
    Counts,
    N,
    OneSeatKind,
    Progress,
    QuickReference,
    UnusableNumberError,
    count,
    counts,
    number,
    rule_kind,
)
from draftengine.support.locale.catalogue import signed
from draftengine.support.locale.phrases import said, times

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.model.records.reader import Formula
    from draftengine.model.rules.kind import Phraser
    from draftengine.support.locale.phrases import Phrase

_LEFT_OVER = {2: "set.one_left", 3: "set.two_left"}
"""Keys of the sentence about leftover cards, by the size of a set. Larger sets share one sentence."""


@rule_kind("set", "Points for every complete set")
class Set(OneSeatKind[N], frozen=True, kw_only=True):
    """Rule kind *set*: each group of `size` equal cards scores `points`. Leftover cards score nothing.

    There can be any number of sets. A count below zero makes none.

        soup: {set: soup, size: 3, points: 10}      # 7 soups make 2 sets: 20
    """

    of: Annotated[Count, count("The cards or amounts that make up sets.", "soup", "soup + bread")]
    size: Annotated[N, CONSTANT, number("Size", "The number in one set, at least 1.", 2, 3, minimum=1)]
    points: Annotated[N, CONSTANT, number("Points", "The points for each complete set.", 5, 10)]

    def check(self: Set[Formula], resolved: Set[int]) -> None:
        if resolved.size < 1:
            raise UnusableNumberError(self.size, "size", resolved.size)

    def sets_and_rest(self: Set[int], values: Sequence[int]) -> tuple[int, int]:
        """Return the number of complete sets, and the number of cards left over."""
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
        """Return the progress of the unfinished set; if no set is unfinished, of a complete one."""
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


@rule_kind("each", "Points for each")
class Each(OneSeatKind[N], frozen=True, kw_only=True):
    """Rule kind *each*: every counted card scores the same number of points, which may be negative.

    soup: {each: soup, points: 2}
    """

    of: Annotated[Count, count("The number to count, often the number of cards with a name.", "soup", "soup + bread")]
    points: Annotated[N, CONSTANT, number("Points", "The points for each one that is counted.", 2, -1)]

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
            return ""  # the points say it
        return phraser.phrase("told.each", count=values[0], each=self.points, points=points)

    def example_values(self) -> tuple[tuple[int, ...], ...]:
        return ((2,), (3,))


@rule_kind("collection", "Points for every set of one of each")
class Collection(OneSeatKind[N], frozen=True, kw_only=True):
    """Rule kind *collection*: every complete set scores. A set is one card of each kind.

    The number of sets is the smallest of the counts. Leftover cards score nothing. A count below zero counts as 0.

        menu: {collection: [soup, bread, cake], points: 7}      # 2 soups, 3 breads, 2 cakes: 2 sets, 14
    """

    of: Annotated[Counts, counts("The parts of a set. A set has one of each.", ["soup", "bread", "cake"], longest=50)]
    points: Annotated[N, CONSTANT, number("Points", "The points for each complete set.", 7, 10)]

    def score(self: Collection[int], values: Sequence[int]) -> int:
        return complete_sets(values) * self.points

    def explain(self: Collection[int], values: Sequence[int], points: int) -> Phrase:
        sets, have = complete_sets(values), tuple(map(str, values))
        if not sets:
            return said("why.collection.short", have=have, points=str(points))
        return said("why.collection", have=have, sets=sets, points=times(sets, self.points))

    def progress(self, values: Sequence[int]) -> Progress:
        """Return the number of cards in the unfinished set; if no set is unfinished, in a complete one."""
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
    """Return the number of sets of one card of each kind: the smallest count, but at least 0."""
    return max(0, min(values))
