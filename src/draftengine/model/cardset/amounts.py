"""What a card adds to the counters of its seat, by itself or as another one, and which modifiers apply to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.effects import all_effects, cards_wander
from draftengine.model.verbs.add import Changing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.model.cardset.records import Card, CardSet, Modifier

MAX_MODIFIERS = 6
"""So many modifiers may apply to one card: every combination of them is tabulated."""


def open_counter(modifier: str) -> str:
    """The name of the counter of a modifier's open places."""
    return f"modifier:{modifier}"


def amounts_alone(card: Card) -> dict[str, int]:
    """What stands at a card about what it adds."""
    amounts = {card.id: 1, **dict.fromkeys(card.family, 1)}
    for counter, amount in card.adds:
        amounts[counter] = amounts.get(counter, 0) + amount
    return amounts


def amounts_of(model: CardSet, card: Card) -> dict[str, int]:
    """What a card adds to the counters of its seat, before modifiers."""
    amounts = amounts_alone(card)
    for modifier in model.modifiers:
        if modifier.card == card.id:
            amounts[open_counter(modifier.id)] = modifier.capacity
    return amounts


def amounts_as(model: CardSet, wild: Card, form: Card) -> dict[str, int]:
    """What a wild card adds when it is played as another card: its own amounts and those of the card.

    Also one to ``wild@form``, by which formulas can tell it from the card itself.
    """
    return as_another(wild.id, amounts_of(model, wild), form.id, amounts_of(model, form))


def as_another(wild: str, amounts: Mapping[str, int], form: str, added: Mapping[str, int]) -> dict[str, int]:
    """What a wild card adds that is played as another card, of both of which the amounts are known."""
    both = dict(amounts)
    for name, amount in added.items():
        both[name] = both.get(name, 0) + amount
    both[f"{wild}@{form}"] = 1
    return both


def amounts_in(zone: str, amounts: Mapping[str, int]) -> dict[str, int]:
    """What a card adds while it lies in a zone that counts: to the counters of its seat, and to those of the zone."""
    return {**amounts, **{f"{zone}.{counter}": amount for counter, amount in amounts.items()}}


def named_by_zone(model: CardSet) -> tuple[tuple[str, str], ...]:
    """The zones and counters that formulas can name together (``relics.coins``): only what cards add lies in a zone."""
    if not cards_wander(model):
        return ()
    added = dict.fromkeys(name for card in model.cards for name in amounts_of(model, card))
    changed = {
        amount.counter for effect in all_effects(model) if isinstance(effect, Changing) for amount in effect.amounts
    }
    names = [name for name in added if name not in changed and not name.startswith("modifier:")]
    return tuple((zone.id, name) for zone in model.zones if zone.counts for name in names)


def modifiers_for(model: CardSet, card: Card) -> tuple[Modifier, ...]:
    """The modifiers that apply to a card."""
    kinds = {card.id, *card.family}
    return tuple(modifier for modifier in model.modifiers if kinds & set(modifier.applies_to))
