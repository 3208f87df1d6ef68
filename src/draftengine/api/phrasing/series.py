"""Series: cards from one entry of the file, which lists show in one line."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from draftengine.api.phrasing.vocabulary import Vocabulary
    from draftengine.model.cardset.records import Card

T = TypeVar("T")
_FEWEST = 6
"""The fewest cards of a series that are joined in one line."""
_NUMBER = re.compile(r"\d+")
_SHOWN = 3


def series_of(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield the cards in order, with those of a series together.

    A card that a later file changes is not part of its series.
    """
    for _, group in groupby(cards, _alike):
        series = tuple(group)
        if len(series) >= _FEWEST:
            yield series
        else:
            yield from ((card,) for card in series)


def _alike(card: Card) -> object:
    return card.span, card.text_at, card.family, card.count, card.counts, card.icon


def series_name(cards: Sequence[Card], vocabulary: Vocabulary) -> str:
    """Return the name of a series: ``Row 1, 5, 9, …, 117``."""
    return name_of_all([vocabulary.card_name(card.id) for card in cards], vocabulary)


def name_of_all(names: Sequence[str], vocabulary: Vocabulary) -> str:
    """Return names that differ by a number as one: ``Row 1, 5, 9, …, 117``."""
    if len(names) == 1:
        return names[0]
    numbers = [_NUMBER.findall(name) for name in names]
    if any(len(digits) != 1 for digits in numbers):
        return f"{names[0]}, …, {names[-1]}"
    listed = vocabulary.catalogue.comma.join([*(digits[0] for digits in numbers[:_SHOWN]), "…", numbers[-1][0]])
    return _NUMBER.sub(listed, names[0])


def alike(texts: Sequence[Sequence[str]]) -> bool:
    """True if lists of texts differ by one number alone, which is the only one of each first text."""
    numbers = [_NUMBER.findall(row[0]) for row in texts]
    forms = {tuple(_NUMBER.sub("#", text) for text in row) for row in texts}
    if len(forms) > 1 or any(len(digits) != 1 for digits in numbers):
        return False
    rows = [[digits for text in row for digits in _NUMBER.findall(text)] for row in texts]
    first = [digits[0] for digits in numbers]
    return all(len(set(column)) == 1 or [*column] == first for column in zip(*rows, strict=True))


def runs_of(items: Sequence[T], texts: Callable[[T], Sequence[str]]) -> Iterator[list[T]]:
    """Yield items in order. Many in a row whose texts differ by a number alone are yielded together."""
    runs: list[list[T]] = []
    for item in items:
        if runs and alike([texts(runs[-1][0]), texts(item)]):
            runs[-1].append(item)
        else:
            runs.append([item])
    for run in runs:
        yield from [run] if len(run) >= _FEWEST else ([item] for item in run)
