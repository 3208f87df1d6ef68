"""Suggests known names that are similar to an unknown name."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from draftengine.support.locale.phrases import either, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.support.locale.phrases import Phrase, Text

_LONGEST = 64
"""The largest length of a text that is compared. Names are shorter, and longer texts would take time."""


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that is most similar to `name`, or ``None`` if none is similar.

    Differences in case, spaces and hyphens count little.
    """
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
    return (
        max(by_form[matches[0]], key=lambda candidate: SequenceMatcher(None, name, candidate).ratio())
        if matches
        else None
    )


def did_you_mean(name: str, candidates: Iterable[str]) -> Text:
    """Return a hint that suggests the most similar candidate; empty if none is similar."""
    meant = closest(name, candidates)
    return said("hint.did-you-mean", meant=meant) if meant else ""


_LONGEST = 60
"""The largest length of a value in a hint."""


def written(value: Any) -> str:
    """Return a value as YAML on one line; ``…`` if it is too long for a hint."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, list):
        text = f"[{', '.join(map(written, value))}]"
    elif isinstance(value, dict):
        text = f"{{{', '.join(f'{key}: {written(item)}' for key, item in value.items())}}}"
    else:
        text = str(value)
    return text if len(text) <= _LONGEST else "…"


def write(text: object) -> Phrase:
    """Return the hint ``Write “…”.`` with this text."""
    return said("hint.write", text=str(text))


def possible(words: Iterable[object]) -> Phrase:
    """Return the hint that lists the possible words, or only the first of many."""
    return said("hint.possible", names=some_of(words))


def known_names(names: Sequence[str], kind: Phrase) -> Phrase:
    """Return the hint that lists the first known names of a kind, or says that there are none."""
    if not names:
        return said("hint.declares-no", kind=kind)
    return said("hint.known", names=", ".join([*names[:_SOME], *["…"][: len(names) > _SOME]]))


def some_of(words: Iterable[object]) -> Text:
    """Return the words as text: ``a``, ``a or b`` or ``a, b or c``. Of many words, only some are named."""
    texts = [str(word) for word in words]
    return f"{', '.join(texts[:_MANY])}, …" if len(texts) > _MANY else either(texts)


_SOME = 10
_MANY = 12
"""The largest number of words that a hint lists."""


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
    """Return the number for an English word from zero to twelve, or ``None``."""
    return NUMBER_WORDS.index(word.lower()) if word.lower() in NUMBER_WORDS else None


def is_slip(name: str, meant: str, candidates: Iterable[str]) -> bool:
    """True if a name can only be a misspelling of `meant`.

    One letter (two in long names) may be wrong, missing, doubled or exchanged with the next letter. The result is False
    if another candidate is as similar, or if the digits differ.
    """
    if _digits(name) != _digits(meant):
        return False
    near = _distance(_form(name), _form(meant))
    allowed = 0 if len(meant) < _SHORT else 1 if len(meant) < _LONG else MOST_SLIPS
    form = _form(name)
    others = (_form(candidate) for candidate in candidates if candidate not in {name, meant})
    # Computing distances is slow, so it is left out for candidates with too few common letters.
    near_ones = (other for other in others if max(len(form), len(other)) - _shared(form, other) <= max(near, 1))
    return near <= allowed and all(_distance(form, other) > max(near, 1) for other in near_ones)


def may_be_slip(name: str, meant: str) -> bool:
    """True if `is_slip` may be true: the lengths are nearly equal, and the digits are equal."""
    return abs(len(name) - len(meant)) <= MOST_SLIPS and _digits(name) == _digits(meant)


MOST_SLIPS = 2
_SHORT, _LONG = 4, 8
"""The length from which a name may have one misspelt letter, and that from which it may have two."""


@lru_cache(1 << 12)
def _digits(name: str) -> str:
    return "".join(char for char in name if char.isdigit())


def _distance(one: str, other: str) -> int:
    """Return the number of wrong, missing, extra or exchanged letters (optimal string alignment).

    If there are more than `MOST_SLIPS`, the result may be too small.
    """
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
"""The share of their letters that two names must have in common for one to be suggested for the other."""


def _shared(one: str, other: str) -> int:
    """Return an upper bound of the number of letters that two words have in common, at any positions."""
    return (_letters(one) & _letters(other)).bit_count()


@lru_cache(1 << 12)
def _letters(form: str) -> int:
    """Return the letters of a word as bits, with one bit for each occurrence of a letter.

    Different letters may share a bit (`_KINDS_OF_LETTERS`), so that comparisons give only bounds.
    """
    bits, seen = 0, Counter[int]()
    for letter in map(ord, form):
        kind = letter % _KINDS_OF_LETTERS
        bits |= 1 << (kind + _KINDS_OF_LETTERS * seen[kind])
        seen[kind] += 1
    return bits


_KINDS_OF_LETTERS = 64
