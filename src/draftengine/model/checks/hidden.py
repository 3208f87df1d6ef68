"""Check that the moves offered to a seat do not reveal hidden cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.facts import steps_of
from draftengine.model.checks.spans import word_in
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.verbs.choose import ChooseStep

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import Card, CardSet
    from draftengine.model.diagnostics.diagnostic import Diagnostic


def check(model: CardSet) -> Iterator[Diagnostic]:
    """Yield wild cards that share a face, actions that tell such cards apart, and choices of unseen cards."""
    yield from _wild_cards(model)
    yield from _ways(model)
    yield from _choices(model)


def _wild_cards(model: CardSet) -> Iterator[Diagnostic]:
    """Yield wild cards that share a face: the forms offered would show which card it is."""
    in_the_box = [card for card in model.cards if card.count]
    for card in (card for card in in_the_box if card.forms):
        alike = [other for other in in_the_box if other is not card and _face(other) == _face(card)]
        if alike:
            faced = card if card.face else alike[0]
            span = word_in(faced.span, _face(card))
            yield diagnose(
                "face-given-away", span, f"/cards/{faced.id}/face", say="forms", card=card.id, other=alike[0].id
            )


def _ways(model: CardSet) -> Iterator[Diagnostic]:
    """Yield actions open to one card but not to another with its face: they would tell them apart."""
    in_the_box = [card for card in model.cards if card.count]
    for path, step in steps_of(model):
        for way in step.as_ if isinstance(step, ChooseStep) else ():
            going = {_face(card) for card in in_the_box if way.admits(card.id, card.family)}
            staying = [card for card in in_the_box if not way.admits(card.id, card.family) and _face(card) in going]
            faced = next((card for card in in_the_box if card.face), None) if way.is_about_a_card else None
            if faced:
                yield diagnose(
                    "face-given-away", way.span, f"{path}/as/{way.id}", say="asked", way=way.id, face=faced.face
                )
            if staying:
                yield diagnose(
                    "face-given-away",
                    way.span,
                    f"{path}/as/{way.id}/of",
                    say="left-behind",
                    card=staying[0].id,
                    way=way.id,
                )


def _face(card: Card) -> str:
    return card.face or card.id


def _choices(model: CardSet) -> Iterator[Diagnostic]:
    """Yield choices from zones that nobody sees: the chooser is offered cards by name.

    Layouts are left out: their cards lie open, regardless of `seen_by`.
    """
    unseen = {zone.id: zone.per for zone in model.zones if zone.seen_by == "nobody" and not zone.layout}
    for path, step in steps_of(model):
        per = unseen.get(step.from_) if isinstance(step, ChooseStep) else None
        if isinstance(step, ChooseStep) and (per == "seat" or (per and step.for_one)):
            look = "their owner look (seen_by: owner)" if per == "seat" else "everyone look (seen_by: everyone)"
            yield diagnose("blind-choice", word_in(step.span, step.from_), path, zone=step.from_, look=look)
