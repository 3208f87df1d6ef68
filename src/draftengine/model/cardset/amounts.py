"""Amounts that cards add to the counters of their seat, as themselves or in a form.

The module also tells which modifiers apply to a card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.effects import all_effects, cards_wander
from draftengine.model.verbs.effects import Changing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.model.cardset.records import Card, CardSet, Modifier


def open_counter(modifier: str) -> str:
    """Return the name of the counter that holds the open slots of a modifier."""
    return f"modifier:{modifier}"


def amounts_alone(card: Card) -> dict[str, int]:
    """Return the amounts written on a card: 1 for its id and for each family, and what it `adds`."""
    amounts = {card.id: 1, **dict.fromkeys(card.family, 1)}
    for counter, amount in card.adds:
        amounts[counter] = amounts.get(counter, 0) + amount
    return amounts


def amounts_of(model: CardSet, card: Card) -> dict[str, int]:
    """Return the amounts that a card adds to its seat's counters before modifiers, with its open slots."""
    amounts = amounts_alone(card)
    for modifier in model.modifiers:
        if modifier.card == card.id:
            amounts[open_counter(modifier.id)] = modifier.capacity
    return amounts


def amounts_as(model: CardSet, wild: Card, form: Card) -> dict[str, int]:
    """Return the amounts that a wild card adds in a form: its amounts plus those of the form.

    They include one for ``wild@form``, so that formulas can tell it from the real card.
    """
    return as_another(wild.id, amounts_of(model, wild), form.id, amounts_of(model, form))


def as_another(wild: str, amounts: Mapping[str, int], form: str, added: Mapping[str, int]) -> dict[str, int]:
    """Return the sum of the amounts of a wild card and of its form, and 1 for ``wild@form``."""
    both = dict(amounts)
    for name, amount in added.items():
        both[name] = both.get(name, 0) + amount
    both[f"{wild}@{form}"] = 1
    return both


def amounts_in(zone: str, amounts: Mapping[str, int]) -> dict[str, int]:
    """Return the amounts of a card in a zone that counts: for its seat, and again as ``zone.counter``."""
    return {**amounts, **{f"{zone}.{counter}": amount for counter, amount in amounts.items()}}


def named_by_zone(model: CardSet) -> tuple[tuple[str, str], ...]:
    """Return the (zone, counter) pairs that formulas can name together (``relics.coins``).

    Counters that effects change are left out: only what cards add lies in a zone. Empty if cards count in the tableau
    only and stay there.
    """
    if not cards_wander(model):
        return ()
    added = dict.fromkeys(name for card in model.cards for name in amounts_of(model, card))
    changed = {
        amount.counter for effect in all_effects(model) if isinstance(effect, Changing) for amount in effect.amounts
    }
    names = [name for name in added if name not in changed and not name.startswith("modifier:")]
    return tuple((zone.id, name) for zone in model.zones if zone.counts for name in names)


def modifiers_for(model: CardSet, card: Card) -> tuple[Modifier, ...]:
    """Return the modifiers that apply to a card, by its id or one of its families."""
    kinds = {card.id, *card.family}
    return tuple(modifier for modifier in model.modifiers if kinds & set(modifier.applies_to))
