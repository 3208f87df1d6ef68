"""English number words and lists, shared by explanations and rulebook sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 set``, ``3 sets``."""
    return f"{number} {noun if abs(number) == 1 else noun + 's'}"


def ordinal(place: int) -> str:
    """Return an ordinal: ``first`` for 1; figures from 11 on."""
    return _ORDINALS[place - 1] if place <= len(_ORDINALS) else f"{place}th"


def join_list(items: Sequence[str], last: str = "and") -> str:
    """Return a list in words: ``a``, ``a and b``, ``a, b and c``."""
    return f" {last} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def sentence(text: object) -> str:
    """Return a message as a sentence: ``The box is empty.`` for ``the box is empty``."""
    return f"{str(text)[:1].upper()}{str(text)[1:]}."


def times(count: int, points: int) -> str:
    """Return a product: ``2 x 5 = 10``; only the points if the count is 1."""
    return f"{points}" if count == 1 else f"{count} x {points} = {count * points}"


def summed(terms: Sequence[int]) -> str:
    """Return a sum: ``8 + 1``, ``8 - 1``."""
    return str(terms[0]) + "".join(f" {'-' if term < 0 else '+'} {abs(term)}" for term in terms[1:])
