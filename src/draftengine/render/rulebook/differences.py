"""The differences between two card sets, in the words of the game.

Statements are compared by meaning. A rule that differs only in the names of cards is equal; the other name is mentioned
once, with the card.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.facts.statements import PARTS, statements, steps_in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from draftengine.api.facts.statements import Statement
    from draftengine.api.phrasing.phraser import CardSetPhraser


class Difference(Struct, frozen=True):
    """A difference between two card sets."""

    part: str
    """Part of the rulebook: box, set-up, round, cards, scoring, events, end, variants or questions."""
    about: str
    before: str
    """Text in the first card set; empty if it has no such thing."""
    after: str
    """Text in the second card set; empty if it has no such thing."""


def differences(first: CardSetPhraser, second: CardSetPhraser) -> tuple[Difference, ...]:
    """Return all differences, in the order of a rulebook."""
    before, after = ({(one.part, one.id): one for one in statements(speech)} for speech in (first, second))
    listed: list[Difference] = []
    for part, steps in PARTS.items():
        listed += _of_steps(part, steps, first, second) if steps else ()
        listed += _of_statements(part, before, after)
    return tuple(listed)


def _of_steps(part: str, steps: str, first: CardSetPhraser, second: CardSetPhraser) -> Iterator[Difference]:
    before, after = ([*steps_in_order(getattr(speech.model, steps), speech)] for speech in (first, second))
    matched = SequenceMatcher(None, [key for key, _ in before], [key for key, _ in after], autojunk=False)
    for kind, low_a, high_a, low_b, high_b in matched.get_opcodes():
        if kind != "equal":
            texts = (" ".join(text for _, text in run) for run in (before[low_a:high_a], after[low_b:high_b]))
            yield Difference(part, part, *texts)


def _of_statements(
    part: str, before: Mapping[tuple[str, str], Statement], after: Mapping[tuple[str, str], Statement]
) -> Iterator[Difference]:
    for key in dict.fromkeys([*before, *after]):
        one, other = before.get(key), after.get(key)
        known = one or other
        if known is None or known.part != part or (known.shared and not (one and other)):
            continue
        if one is None or other is None or one.meaning != other.meaning:
            yield Difference(part, known.about, one.text if one else "", other.text if other else "")
