"""Ranges of cards in a choice, expanded to one action for each number of cards.

    - choose: {from: hand, to: kept, cards: 0-2}

becomes three actions, `take_0`, `take_1` and `take_2`. So all code that knows actions also handles ranges. In a
person's move, the number of cards tells which action it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.language.tree import Number
from draftengine.model.records.values import ByPlayerCount, Formula

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.loading.reader import Reader
    from draftengine.model.records.values import Texts
    from draftengine.model.verbs.actions import Way

ONLY = "take"
"""The entry that a range expands from where the choice has no other actions."""
MOST = 20
"""The most cards of a range."""

Range = tuple[int, int]
_RANGE = re.compile(r"\s*(\d{1,3})\s*-\s*(\d{1,3})\s*")


def range_in(reader: Reader, key: str) -> Range | None:
    """Return the range under a key; None if the value is a number or a formula."""
    match = _RANGE.fullmatch(reader.word(key))
    if match is None:
        return None
    low, high = int(match[1]), int(match[2])
    if low < high:
        return low, high
    if " " in match[0]:
        return None  # with spaces, as formulas are written, it is a subtraction
    instead = low if low == high else f"{high}-{low}"
    reader.report("formula-syntax", key, say="range", instead=instead)
    return None


def numbered(name: str, count: int) -> str:
    """Return the name of the action that takes `count` cards of a range."""
    return f"{name}_{count}"


def written_out(way: Way, between: Range) -> Iterator[Way]:
    """Yield an action for each number of cards in the range.

    All but the lowest require exactly their number: they are open only to seats with enough cards.
    """
    low, high = between
    for count in range(low, min(high, MOST) + 1):
        yield replace(
            way,
            id=numbered(way.id, count),
            label=_label(way.label, count, named=way.id != ONLY),
            cards=ByPlayerCount(((None, Formula(str(count), Number(count), way.span)),), way.span),
            part_of=way.id,
            between=between,
            exactly=way.exactly or count > low,
        )


def _label(label: Texts, count: int, *, named: bool) -> Texts:
    """Return the label in every language: ``2 cards``, after the action's own label if it has one."""
    from draftengine.support.locale import LANGUAGES, spoken  # noqa: PLC0415 (the words are loaded only for card sets with ranges)

    names = dict(label)
    texts = []
    for language in LANGUAGES:
        words = spoken(language)
        cards = words.phrase("cards", count=count) if count else words.phrase("cards.none")
        name = names.get(language) or names.get("") or names.get("en") or next(iter(names.values()), "")
        texts.append((language, f"{name}: {cards}" if named and name else cards))
    return tuple(texts)
