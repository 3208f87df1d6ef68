"""Names that somebody may have meant."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 64
"""No name is longer, and comparing long texts takes time."""


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like `name`, or ``None`` if none is like it. Case, spaces and hyphens count little."""
    known = [candidate for candidate in dict.fromkeys(candidates) if candidate != name]
    if len(name) > _LONGEST:
        return None
    by_form: dict[str, list[str]] = {}
    form = _form(name)
    for candidate in known:
        other_form = _form(candidate)
        if _ALIKE * (len(form) + len(other_form)) <= 2 * _shared(form, other_form):
            by_form.setdefault(other_form, []).append(candidate)
    matches = get_close_matches(form, by_form, n=1, cutoff=_ALIKE)
    return max(by_form[matches[0]], key=lambda candidate: _likeness(name, candidate)) if matches else None


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """A hint that names the closest candidate; empty if there is none."""
    meant = closest(name, candidates)
    return f"Did you mean “{meant}”?" if meant else ""


NUMBER_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def digits(word: str) -> int | None:
    """The number that a word says."""
    return NUMBER_WORDS.index(word.lower()) if word.lower() in NUMBER_WORDS else None


def is_slip(name: str, meant: str, candidates: Iterable[str]) -> bool:
    """Whether a name can only be `meant`, misspelt: one letter is wrong, missing, doubled or exchanged with the next.

    Of long names two may be. Another candidate that is just as near, or another number in the name, leaves doubt.
    """
    if _digits(name) != _digits(meant):
        return False
    near = _distance(_form(name), _form(meant))
    allowed = 0 if len(meant) < _SHORT else 1 if len(meant) < _LONG else MOST_SLIPS
    form = _form(name)
    others = (_form(candidate) for candidate in candidates if candidate not in {name, meant})
    # Whatever shares too few letters is farther away: there can be hundreds of candidates.
    near_ones = (other for other in others if max(len(form), len(other)) - _shared(form, other) <= max(near, 1))
    return near <= allowed and all(_distance(form, other) > max(near, 1) for other in near_ones)


def may_be_slip(name: str, meant: str) -> bool:
    """Whether it is worth asking if a name is `meant`, misspelt: it is nearly as long and has the same numbers."""
    return abs(len(name) - len(meant)) <= MOST_SLIPS and _digits(name) == _digits(meant)


MOST_SLIPS = 2
_SHORT, _LONG = 4, 8
"""From how many letters on a name may have one slip, and two."""


@lru_cache(1 << 12)
def _digits(name: str) -> str:
    return "".join(char for char in name if char.isdigit())


def _distance(one: str, other: str) -> int:
    """How many letters are wrong, missing, too many or exchanged with the next (optimal string alignment)."""
    if abs(len(one) - len(other)) > MOST_SLIPS:
        return MOST_SLIPS + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, char in enumerate(one, 1):
        current = [i]
        for j, other_char in enumerate(other, 1):
            best = min(row[j] + 1, current[j - 1] + 1, row[j - 1] + (char != other_char))
            if i > 1 and j > 1 and char == other[j - 2] and one[i - 2] == other_char:
                best = min(best, before[j - 2] + 1)
            current.append(best)
        before, row = row, current
    return row[-1]


def _form(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


_ALIKE = 0.6
"""How much of two names has to be the same."""


def _shared(one: str, other: str) -> int:
    """At most so many letters stand in both, wherever they stand."""
    return (_letters(one) & _letters(other)).bit_count()


@lru_cache(1 << 12)
def _letters(form: str) -> int:
    """The letters of a word in one number: a bit for the first of each, one for the second, and so on."""
    bits, seen = 0, Counter[int]()
    for letter in map(ord, form):
        kind = letter % _KINDS_OF_LETTERS
        bits |= 1 << (kind + _KINDS_OF_LETTERS * seen[kind])
        seen[kind] += 1
    return bits


_KINDS_OF_LETTERS = 64


def _likeness(name: str, candidate: str) -> float:
    return SequenceMatcher(None, name, candidate).ratio()
