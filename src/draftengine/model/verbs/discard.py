"""Discard: cards leave the seat's tableau, with all that they added; the last laid leaves first.

Cards that no modifier changed leave before those that one did. If fewer cards lie there than the step names, all of
them leave.

- discard: soup                           # one of them
- discard: {of: [soup, bread]}            # all of them
- discard: {of: soup, cards: soups_now}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from draftengine.model.language.tree import Number
from draftengine.model.records.record import CardOrFamilyNames, SeatNumber, field
from draftengine.model.records.schema_fragments import CARD_OR_SLOT, MAX_NAME, ref
from draftengine.model.records.values import Formula
from draftengine.model.verbs.verb import Step, Verb

if TYPE_CHECKING:
    from draftengine.model.cardset.records import Card
    from draftengine.model.loading.reader import Reader
    from draftengine.model.verbs.verb import Words
    from draftengine.support.locale.catalogue import Noun


class DiscardStep(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "discard"

    of: Annotated[
        CardOrFamilyNames, field("Of", "Cards, or families of cards, that leave.", "soup", schema=ref("meant"))
    ]
    cards: Annotated[
        SeatNumber | None, field("Cards", "How many of them at most, those laid last; without it all.", 2)
    ] = None

    @classmethod
    def read(cls, reader: Reader, **given: Any) -> Self:
        name = reader.optional_word(cls.verb)
        if name is None:
            return super().read(reader, **given)
        return cls(**given, of=(name,), cards=Formula("1", Number(1), reader.span))

    @classmethod
    def path_to(cls, name: str) -> str:
        return "/discard" if name == "of" else super().path_to(name)

    def admits(self, card: Card) -> bool:
        """True if a card, or a wild card played as it, is among those that leave."""
        return not {card.id, *card.family}.isdisjoint(self.of)


def sentence(step: DiscardStep, words: Words) -> str:
    nouns = [words.family(name) if words.is_family(name) else words.card_noun(name) for name in step.of]
    if step.cards is None:
        return words.join_list([words.phrase("effect.discard_all", of=noun) for noun in nouns])
    number = words.constant(step.cards.expr)
    if number == 1:
        return words.phrase("effect.discard", of=_either(nouns, words))
    how = "effect.discard_some" if number is None else "effect.discard_number"
    return words.phrase(how, of=_either(nouns, words), text=words.amount(step.cards.expr))


def _either(nouns: list[Noun], words: Words) -> Noun:
    """Return a noun for several kinds of cards together."""
    if len(nouns) == 1:
        return nouns[0]
    return type(nouns[0])(
        nouns[0].sort, {form: words.join_list([noun.form(form) for noun in nouns], "or") for form in nouns[0].forms}
    )


VERB = Verb(
    spec=DiscardStep,
    said=field("Discard", "Discard such a card from the seat's tableau, or several.", "soup", {"of": "soup"}),
    alone={"pattern": CARD_OR_SLOT, "maxLength": MAX_NAME},
    sentence=sentence,
)
