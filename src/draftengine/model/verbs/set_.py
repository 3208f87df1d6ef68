"""Set: counters of the seat take the values of formulas, within the declared bounds.

- set: {stars: 0}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.model.language.tree import Call, Name
from draftengine.model.records.record import SeatAmounts, field
from draftengine.model.verbs.add import Changing
from draftengine.model.verbs.verb import Verb

if TYPE_CHECKING:
    from draftengine.model.records.values import Amount
    from draftengine.model.verbs.verb import Words


class SetStep(Changing, frozen=True, kw_only=True):
    verb: ClassVar[str] = "set"

    amounts: Annotated[SeatAmounts, field("Set", "Set counters.", {"stars": 0})]


def sentence(step: SetStep, words: Words) -> str:
    return words.join_list([_one(amount, words) for amount in step.amounts])


def _one(amount: Amount, words: Words) -> str:
    """Phrase one counter; `max` and `min` with its own value read “raise to” and “lower to”."""
    key_, expr = "effect.set", amount.formula.expr
    if isinstance(expr, Call) and expr.function in {"max", "min"}:
        others = [part for part in expr.arguments if not (isinstance(part, Name) and part.id == amount.counter)]
        if len(others) == 1 and len(expr.arguments) > 1:
            key_, expr = "effect.raise" if expr.function == "max" else "effect.lower", others[0]
    return words.phrase(key_, of=words.counter(amount.counter), text=words.amount(expr))


VERB = Verb(spec=SetStep, sentence=sentence)
