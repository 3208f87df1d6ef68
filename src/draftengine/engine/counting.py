"""Exact numbers of sequences of cards, computed without listing the sequences."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product
from math import comb, perm, prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

HandShape = tuple[tuple[tuple[tuple[int, ...], int], int], ...]
"""A hand without the names of its cards: pairs of a sort of card and its number of kinds.

The cards of a move are taken in consecutive groups, one for each purpose. A sort is a pair: the number of forms in each
group, and the number of copies.
"""

_REMEMBERED = 1 << 14


def shape_of(forms: Sequence[Sequence[int]], copies: Sequence[int]) -> HandShape:
    """Compute the shape of a hand: for each sort of card, its number of kinds (see `HandShape`).

    `forms[group][kind]` is the number of forms in which a kind of card can be taken for a group.
    """
    sorts = Counter((tuple(column), count) for *column, count in zip(*forms, copies, strict=True) if count)
    return tuple(sorted(sorts.items()))


@lru_cache(_REMEMBERED)
def sequences(shape: HandShape, lengths: tuple[int, ...]) -> int:
    """Count the ways to name cards in order, in groups of these lengths, each card in one of its forms.

    Two ways differ if they name a different card or form at any position. Mathematically, the count is a coefficient
    in a product of exponential generating functions, one for each kind of card.
    """
    row = dict.fromkeys(product(*(range(length + 1) for length in lengths)), 0)
    row[(0,) * len(lengths)] = 1
    for (forms, copies), kinds in shape:
        # For each distribution of one kind's copies to the groups, the number of ways to choose their forms.
        taken = [
            (counts, ways)
            for counts in product(*(range(min(copies, length) + 1) for length in lengths))
            if sum(counts) <= copies and (ways := prod(map(pow, forms, counts)))
        ]
        for _ in range(kinds):
            last, row = row, dict.fromkeys(row, 0)
            for place in row:
                for counts, ways in taken:
                    before = tuple([number - count for number, count in zip(place, counts, strict=True)])
                    if min(before, default=0) >= 0 and last[before]:  # the cards of one kind may stand anywhere
                        row[place] += last[before] * ways * prod(map(comb, place, counts))
    return row[lengths]


def layout_sequences(open_places: Collection[int], covers: Sequence[Collection[int]], first: int, further: int) -> int:
    """Count the ways to take `first` open places of a layout, then `further` places that are open by then.

    For each place that can become open, `covers` has the open places that must be taken before it.
    """
    left = len(open_places) - first
    if left < 0:
        return 0
    # Places are decided one by one. Only three things matter: how many were taken, how many others are free,
    # and which undecided places will stay covered. In real layouts there are few such combinations.
    deciding = sorted({place for cover in covers for place in cover})
    last = {index: max(cover) for index, cover in enumerate(covers) if cover}
    ways = {(0, sum(not cover for cover in covers), frozenset[int]()): 1}
    for place in deciding:
        touched = frozenset(index for index, cover in enumerate(covers) if place in cover)
        done = frozenset(index for index in touched if last[index] == place)
        after: Counter[tuple[int, int, frozenset[int]]] = Counter()
        for (taken, free, covered), number in ways.items():
            after[taken, free, (covered | touched) - done] += number
            if taken < first:
                after[taken + 1, free + len(done - covered), covered - done] += number
        ways = after
    other = len(open_places) - len(deciding)
    return sum(
        number * comb(other, first - taken) * perm(first) * perm(left + free, further)
        for (taken, free, _), number in ways.items()
    )
