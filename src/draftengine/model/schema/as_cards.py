"""Hints for cards written with a number, such as ``soup x2``, where a list names each card separately."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Self

from draftengine.model.records.numbers import is_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

_COUNTED = re.compile(r"(\d+) *[x×*]? *([a-z][a-z0-9_]*)|([a-z][a-z0-9_]*) *[x×*] *(\d+)")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_FEW = 12
"""The most cards that a hint writes out."""


class Replacement(str):
    """A hint such as ``Write “soup”.``, whose replacement is its `text`."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> Self:
        hint = super().__new__(cls, f"Write “{text}”.")
        hint.text = text
        return hint


def as_cards(text: str) -> str:
    """Return a hint that replaces a card with its number, such as ``soup x2``; empty for other texts."""
    counted = _counted(text)
    if counted is None:
        return ""
    card, number = counted
    cards = each_card({card: number})
    return Replacement(cards) if cards else f"Write “{card}” as often as there are such cards."


def each_card(counts: Mapping[str, int]) -> str:
    """Return the cards of a list with each as often as its number; empty if it cannot be shown.

    It cannot for no cards, for more than `_FEW`, or if keys are not names.
    """
    if not all(map(_NAME.fullmatch, counts)) or not 0 < sum(counts.values()) <= _FEW:
        return ""
    return ", ".join(name for name, copies in counts.items() for _ in range(copies))


def instead_of_counts(value: object) -> str:
    """Return a hint that replaces numbers by card with a list of cards; empty for other values."""
    counts = (
        {str(card): number for card, number in value.items() if is_whole(number)} if isinstance(value, dict) else {}
    )
    cards = each_card(counts) if isinstance(value, dict) and len(counts) == len(value) else ""
    return f"Write each card by itself: “[{cards}]”." if cards else ""


def each_by_itself(texts: list[str]) -> list[str]:
    """Return the texts with each ``soup x2`` replaced by that many cards, up to `_FEW`."""
    cards = []
    for text in texts:
        card, number = _counted(text) or (text, 1)
        cards += [card] * number if number <= _FEW else [text]
    return cards


def _counted(text: str) -> tuple[str, int] | None:
    """Return the card and the number in a text such as ``soup x2``; ``None`` for other texts."""
    match = _COUNTED.fullmatch(text)
    return (match[2] or match[3], int(match[1] or match[4])) if match else None
