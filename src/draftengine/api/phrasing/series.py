"""Cards for which one entry of the file stands, which lists tell in one line."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.phrasing.vocabulary import Vocabulary
    from draftengine.model.cardset.records import Card

_FEWEST = 6
"""Fewer cards than these are told one by one."""
_NUMBER = re.compile(r"\d+")
_SHOWN = 3


def series_of(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """The cards in their order, those of a series together, but for what a later file changes of one."""
    for _, found in groupby(cards, _alike):
        own = tuple(found)
        if len(own) >= _FEWEST:
            yield own
        else:
            yield from ((card,) for card in own)


def _alike(card: Card) -> object:
    return card.span, card.text_at, card.family, card.count, card.counts, card.icon


def series_name(cards: Sequence[Card], vocabulary: Vocabulary) -> str:
    """``Row 1, 5, 9, …, 117``."""
    names = [vocabulary.card_name(card.id) for card in cards]
    if len(cards) == 1:
        return names[0]
    numbers = [_NUMBER.findall(name) for name in names]
    if any(len(own) != 1 for own in numbers):
        return f"{names[0]}, …, {names[-1]}"
    shown = vocabulary.catalogue.comma.join([*(own[0] for own in numbers[:_SHOWN]), "…", numbers[-1][0]])
    return _NUMBER.sub(shown, names[0])
