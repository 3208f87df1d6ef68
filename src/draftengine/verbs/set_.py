"""Set: the seat's counters become what formulas come to, within what is declared for them.

- set: {stars: 0}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.records.record import SeatAmounts, key
from draftengine.verbs.add import Changing
from draftengine.verbs.verb import Verb

if TYPE_CHECKING:
    from draftengine.verbs.verb import Words


class Spec(Changing, frozen=True, kw_only=True):
    verb: ClassVar[str] = "set"

    amounts: Annotated[SeatAmounts, key("Set", "Set counters.", {"stars": 0})]


def sentence(step: Spec, words: Words) -> str:
    return words.listed(
        [
            words.say("effect.set", of=words.counter(own.counter), text=words.amount(own.formula.expr))
            for own in step.amounts
        ]
    )


VERB = Verb(spec=Spec, sentence=sentence)
