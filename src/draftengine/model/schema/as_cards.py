"""How cards are written in a list of which it is said how many they are: each stands there by itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Self

from draftengine.model.records.numbers import is_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

_COUNTED = re.compile(r"(\d+) *[x×*]? *([a-z][a-z0-9_]*)|([a-z][a-z0-9_]*) *[x×*] *(\d+)")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_FEW = 12
"""So many cards are written out."""


class Replacement(str):
    """The hint to write something instead, which is its `text`: ``Write “soup”.``."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> Self:
        hint = super().__new__(cls, f"Write “{text}”.")
        hint.text = text
        return hint


def as_cards(text: str) -> str:
    """What to write instead of a text that says how many of a card there are; empty if it does not."""
    counted = _counted(text)
    if counted is None:
        return ""
    card, number = counted
    cards = each_card({card: number})
    return Replacement(cards) if cards else f"Write “{card}” as often as there are such cards."


def each_card(counts: Mapping[str, int]) -> str:
    """So many of each card, as they stand in a list; empty if they are too many to be shown, or no cards."""
    if not all(map(_NAME.fullmatch, counts)) or not 0 < sum(counts.values()) <= _FEW:
        return ""
    return ", ".join(name for name, copies in counts.items() for _ in range(copies))


def instead_of_counts(value: object) -> str:
    """What to write instead of numbers of cards where a list of cards is wanted; empty if these are none."""
    counts = (
        {str(card): number for card, number in value.items() if is_whole(number)} if isinstance(value, dict) else {}
    )
    cards = each_card(counts) if isinstance(value, dict) and len(counts) == len(value) else ""
    return f"Write each card by itself: “[{cards}]”." if cards else ""


def each_by_itself(texts: list[str]) -> list[str]:
    """The texts, of which those that say how many of a card there are become so many cards."""
    cards = []
    for text in texts:
        card, number = _counted(text) or (text, 1)
        cards += [card] * number if number <= _FEW else [text]
    return cards


def _counted(text: str) -> tuple[str, int] | None:
    """A card and how many of it, where a text says both: ``soup x2``."""
    match = _COUNTED.fullmatch(text)
    return (match[2] or match[3], int(match[1] or match[4])) if match else None
