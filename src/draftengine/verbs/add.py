"""Add: the seat's counters change by what formulas come to, within what is declared for them.

- add: {stars: 1}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.records.record import SeatAmounts, key
from draftengine.verbs.verb import Step, Verb

if TYPE_CHECKING:
    from draftengine.records.values import Formula
    from draftengine.verbs.verb import Words


class Changing(Step, frozen=True, kw_only=True):
    """What `add` and `set` have in common."""

    bare: ClassVar[bool] = True

    amounts: SeatAmounts


class Spec(Changing, frozen=True, kw_only=True):
    verb: ClassVar[str] = "add"

    amounts: Annotated[SeatAmounts, key("Add", "Add to counters.", {"stars": 1})]


def sentence(step: Spec, words: Words) -> str:
    return ", ".join(f"{words.thing(own.counter)} {_by(own.formula)}" for own in step.amounts)


def _by(formula: Formula) -> str:
    """``+2``, ``-1``, ``+(2 * players)``."""
    number = formula.text
    if number.removeprefix("-").isdecimal():
        return number if number.startswith("-") else f"+{number}"
    return f"+({number})"


VERB = Verb(spec=Spec, sentence=sentence)
