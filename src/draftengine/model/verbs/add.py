"""Add: formulas are added to counters of the seat, within the declared bounds.

- add: {stars: 1}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.model.language.tree import Binary, Number, Unary
from draftengine.model.records.record import SeatAmounts, field
from draftengine.model.verbs.verb import Step, Verb

if TYPE_CHECKING:
    from draftengine.model.records.values import Amount
    from draftengine.model.verbs.verb import Words


class Changing(Step, frozen=True, kw_only=True):
    """The base of `add` and `set`."""

    bare: ClassVar[bool] = True

    amounts: SeatAmounts


class AddStep(Changing, frozen=True, kw_only=True):
    verb: ClassVar[str] = "add"

    amounts: Annotated[SeatAmounts, field("Add", "Add to counters.", {"stars": 1})]


def sentence(step: AddStep, words: Words) -> str:
    return words.join_list([_one(amount, words) for amount in step.amounts])


def _one(amount: Amount, words: Words) -> str:
    counter = words.counter(amount.counter)
    match amount.formula.expr:
        case Unary("-", less) | Binary("-", Number(0), less) if words.constant(amount.formula.expr) is None:
            return words.phrase("effect.subtract", of=counter, text=words.amount(less))
    value = words.constant(amount.formula.expr)
    text = words.amount(amount.formula.expr) if value is None else str(abs(value))
    return words.phrase("effect.subtract" if value is not None and value < 0 else "effect.add", of=counter, text=text)


VERB = Verb(spec=AddStep, sentence=sentence)
