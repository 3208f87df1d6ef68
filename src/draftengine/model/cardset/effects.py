"""Lists of effects in a card set: those of played cards, of chosen actions and of triggers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.cardset.facts import all_steps, steps_of
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.effects import DiscardStep
from draftengine.model.verbs.piles import MoveStep
from draftengine.model.verbs.turns import InTurnStep

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import CardSet
    from draftengine.model.flow import FlowBounds
    from draftengine.model.records.values import Formula
    from draftengine.model.verbs.verb import Step
    from draftengine.support.source import Span


class EffectList(Struct, frozen=True):
    """A list of effects that happen to one seat, one after the other."""

    path: str
    """JSON Pointer of the list."""
    effects: tuple[Step, ...]
    moment: str
    """``play``, ``way`` (also for the turns of `in_turn`), or the moment for which a trigger waits."""
    when: Formula | None = None
    """Condition under which the action is allowed."""

    def times(self, plan: FlowBounds, plays: int) -> int:
        """Return how often the list can happen to one seat in a game; `plays` is the bound for cards played."""
        if self.moment == "play":
            return plays
        if self.moment == "way":
            return plan.choices
        return plan.reveals if self.moment == "reveal" else plan.times(self.moment)


def effect_lists(model: CardSet) -> Iterator[EffectList]:
    """Yield all lists of effects: those of cards, then of steps, then of triggers."""
    for card in model.cards:
        if card.on_play:
            yield EffectList(f"/cards/{card.id}/on_play", card.on_play, "play")
    for path, step in steps_of(model):
        if isinstance(step, ChooseStep):
            for way in step.as_:
                yield EffectList(f"{path}/as/{way.id}/do", way.effects, "way", way.when)
        if isinstance(step, InTurnStep):
            yield EffectList(f"{path}/do", step.do, "way")
    for trigger in model.triggers:
        yield EffectList(f"/triggers/{trigger.id}/do", trigger.do, trigger.after)


def discarded(model: CardSet) -> dict[str, tuple[Span, str]]:
    """Return the cards that effects discard or actions give away, with the first place that says so.

    Forms count as well.
    """
    places: dict[str, tuple[Span, str]] = {}
    for listed in effect_lists(model):
        for effect in listed.effects:
            if isinstance(effect, DiscardStep):
                for card in filter(effect.admits, model.cards):
                    places.setdefault(card.id, (effect.span, listed.path))
    for path, step in steps_of(model):
        for way in step.as_ if isinstance(step, ChooseStep) else ():
            if way.give is not None:
                places.setdefault(way.give, (way.span, f"{path}/as/{way.id}/give"))
    return places


def cards_wander(model: CardSet) -> bool:
    """True if cards count outside the tableau, or if steps can take them from where they count."""
    counting = {zone.id for zone in model.zones if zone.counts}
    return len(counting) > 1 or any(
        isinstance(step, (ChooseStep, MoveStep)) and step.from_ in counting for step in all_steps(model)
    )


def all_effects(model: CardSet) -> Iterator[Step]:
    """Yield every effect of every list."""
    for listed in effect_lists(model):
        yield from listed.effects
