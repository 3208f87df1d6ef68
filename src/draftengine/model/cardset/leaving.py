"""Cards that effects, actions, steps and abilities can remove from a tableau before it is cleared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.effects import discarded
from draftengine.model.cardset.facts import steps_of
from draftengine.model.cardset.records import TABLEAU
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.piles import MoveStep

if TYPE_CHECKING:
    from draftengine.model.cardset.records import CardSet
    from draftengine.support.source import Span


def leaving(model: CardSet) -> dict[str, tuple[Span, str]]:
    """Return the cards that can leave a tableau before it is cleared, with the place that says so."""
    taken_back = {
        ability.card: (ability.span, f"/abilities/{ability.id}/returns_to")
        for ability in model.abilities
        if ability.returns_to != "stays"
    }
    return {**_chosen_again(model), **discarded(model), **taken_back}


def _chosen_again(model: CardSet) -> dict[str, tuple[Span, str]]:
    """Return the cards that a step can take from the tableau, with the first such step."""
    places: dict[str, tuple[Span, str]] = {}
    for path, step in steps_of(model):
        if isinstance(step, (ChooseStep, MoveStep)) and step.from_ == TABLEAU:
            ways = step.as_ if isinstance(step, ChooseStep) else ()
            for card in model.cards:
                if not ways or any(not way.takes_none and way.admits(card.id, card.family) for way in ways):
                    places.setdefault(card.id, (step.span, path))
    return places
