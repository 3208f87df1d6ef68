"""Series: cards from one entry of the file, which lists show in one line."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.phrasing.vocabulary import Vocabulary
    from draftengine.model.cardset.records import Card

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
    names = [vocabulary.card_name(card.id) for card in cards]
    if len(cards) == 1:
        return names[0]
    numbers = [_NUMBER.findall(name) for name in names]
    if any(len(digits) != 1 for digits in numbers):
        return f"{names[0]}, …, {names[-1]}"
    listed = vocabulary.catalogue.comma.join([*(digits[0] for digits in numbers[:_SHOWN]), "…", numbers[-1][0]])
    return _NUMBER.sub(listed, names[0])
