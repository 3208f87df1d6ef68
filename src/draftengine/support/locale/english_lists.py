"""Small words that explanations and rulebook sentences share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def counted(number: int, noun: str) -> str:
    """``1 set``, ``3 sets``."""
    return f"{number} {noun if abs(number) == 1 else noun + 's'}"


def ordinal(place: int) -> str:
    """``first`` for 1; figures from 11 on."""
    return _ORDINALS[place - 1] if place <= len(_ORDINALS) else f"{place}th"


def join_list(items: Sequence[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return f" {last} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def sentence(text: object) -> str:
    """Return a message as a sentence: ``The box is empty.`` for ``the box is empty``."""
    return f"{str(text)[:1].upper()}{str(text)[1:]}."


def measured(text: str) -> str:
    """What is counted, written as a formula: a condition would run into the sentence around it."""
    return f"({text})" if " if " in text else text


def times(count: int, points: int) -> str:
    """``2 x 5 = 10``; only the points when there is one to count."""
    return f"{points}" if count == 1 else f"{count} x {points} = {count * points}"


def summed(terms: Sequence[int]) -> str:
    """``8 + 1``, ``8 - 1``."""
    return str(terms[0]) + "".join(f" {'-' if term < 0 else '+'} {abs(term)}" for term in terms[1:])


def quantity(text: str, noun: str) -> str:
    """A number written as a formula, with its noun: ``1 point``, ``6 points``, ``(3 - players) points``."""
    if text in {"1", "-1"}:
        return f"{text} {noun}"
    single = text.removeprefix("-").isdecimal() or text.replace(" ", "_").isidentifier()
    return f"{text if single else f'({text})'} {noun}s"
