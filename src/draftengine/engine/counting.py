"""How many sequences of cards there are: exact numbers without listing one of them."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product
from math import comb, perm, prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

HandShape = tuple[tuple[tuple[tuple[int, ...], int], int], ...]
"""A hand without its names: for every sort of card (how many forms it has in each stretch, copies) and how many kinds
of card are of that sort."""

_REMEMBERED = 1 << 14


def shape_of(forms: Sequence[Sequence[int]], copies: Sequence[int]) -> HandShape:
    """The shape of a hand from the forms of each kind of card in each stretch (`forms[stretch][kind]`)."""
    sorts = Counter((tuple(column), count) for *column, count in zip(*forms, copies, strict=True) if count)
    return tuple(sorted(sorts.items()))


@lru_cache(_REMEMBERED)
def sequences(shape: HandShape, lengths: tuple[int, ...]) -> int:
    """In how many ways can cards be taken one by one, in stretches of these lengths, each card in one of its forms.

    Two ways differ if they name something else at some place. This is the coefficient of a product of exponential
    generating functions, one for each kind of card.
    """
    row = dict.fromkeys(product(*(range(length + 1) for length in lengths)), 0)
    row[(0,) * len(lengths)] = 1
    for (forms, copies), kinds in shape:
        taken = list(_taken(forms, copies, lengths))
        for _ in range(kinds):
            row = {place: _ways(row, place, taken) for place in row}
    return row[lengths]


def _taken(forms: Sequence[int], copies: int, lengths: Sequence[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """How many copies of one kind of card each stretch can take, and in how many ways they have their forms."""
    for counts in product(*(range(min(copies, length) + 1) for length in lengths)):
        ways = prod(form**count for form, count in zip(forms, counts, strict=True))
        if sum(counts) <= copies and ways:
            yield counts, ways


def _ways(row: dict[tuple[int, ...], int], place: tuple[int, ...], taken: list[tuple[tuple[int, ...], int]]) -> int:
    """One entry of the product: the places of a stretch that a kind of card takes are any of them."""
    total = 0
    for counts, ways in taken:
        before = tuple([number - count for number, count in zip(place, counts, strict=True)])
        if min(before, default=0) >= 0 and row[before]:
            total += row[before] * ways * prod(map(comb, place, counts))
    return total


def layout_sequences(open_places: Collection[int], covers: Sequence[Collection[int]], first: int, further: int) -> int:
    """In how many ways can `main` open places of a layout be taken, and then `further` places that are open after that.

    `covers` has, for each place that becomes open when places of `open_places` are gone, those places.
    """
    left = len(open_places) - first
    if left < 0:
        return 0
    freed = _freed(open_places, covers, first)
    return sum(number * perm(first) * perm(left + more, further) for more, number in freed.items())


def _freed(open_places: Collection[int], covers: Sequence[Collection[int]], first: int) -> dict[int, int]:
    """How many choices of `main` open places free how many other places, place by place.

    On the way it matters only how many places were taken, how many others are free, and which of the others that are
    not decided yet will stay covered; in layouts that people lay out these are few.
    """
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
    other, freed = len(open_places) - len(deciding), Counter[int]()
    for (taken, free, _), number in ways.items():
        freed[free] += number * comb(other, first - taken)
    return dict(freed)
