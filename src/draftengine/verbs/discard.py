"""Discard: such a card leaves the seat's tableau with what it added, if one lies there.

- discard: soup
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.records.record import CardName, key
from draftengine.verbs.verb import Step, Verb

if TYPE_CHECKING:
    from draftengine.verbs.verb import Words


class Spec(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "discard"
    bare: ClassVar[bool] = True

    card: Annotated[CardName, key("Discard", "Discard such a card from the seat's tableau.", "soup")]


def sentence(step: Spec, words: Words) -> str:
    return words.say("effect.discard", of=words.card_noun(step.card))


VERB = Verb(spec=Spec, sentence=sentence)
