"""English lists, sentences and sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


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
