"""Menus: their composition, those with names, and the dishes that are not in play.

A *dish* is a variant whose group is always played with a fixed number of its variants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import Struct

from draftengine.api.phrasing.phraser import CardSetPhraser
from draftengine.api.phrasing.sentences import ability_said, card_said, modifier_said, trigger_said
from draftengine.api.ruleset import Ruleset
from draftengine.model.language.evaluate import references
from draftengine.model.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.cardset.records import Card, CardSet, VariantInfo


class Dish(Struct, frozen=True):
    """A dish that is not in play."""

    title: str
    cards: str
    """Its cards with their numbers; empty if it brings none."""
    text: str
    """Sentences about its cards."""


class Menus(Struct, frozen=True):
    """The menus of a game; all is empty without any."""

    groups: tuple[tuple[str, str], ...]
    """The number of dishes of each group, and their titles."""
    named: tuple[tuple[str, str], ...]
    """Menus that have names, and the titles of their dishes."""
    others: tuple[Dish, ...]


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


_Thing = TypeVar("_Thing", bound=_Identified)


def menus_of(rules: Ruleset, speech: CardSetPhraser) -> Menus:
    """Return the menus. Each dish that is not in play takes as long as another card set."""
    titles = {
        dish.id: (dish, speech.text(dish.title)) for dish in rules.model.variants if dish.group in rules.allowances
    }
    groups = [
        (f"{count} × {group.replace('_', ' ')}", [title for dish, title in titles.values() if dish.group == group])
        for group, count in rules.allowances.items()
    ]
    named = [
        (name.replace("_", " ").capitalize(), [titles[dish][1] for dish in menu if dish in titles])
        for name, menu in rules.menus.items()
    ]
    return Menus(
        tuple((number, speech.join_list(dishes, "comma")) for number, dishes in groups if titles),
        tuple((name, speech.join_list(dishes, "comma")) for name, dishes in named if titles),
        tuple(_dish(dish, rules, speech) for dish, _ in titles.values() if dish.id not in rules.model.active),
    )


def _dish(dish: VariantInfo, rules: Ruleset, speech: CardSetPhraser) -> Dish:
    """Return a dish that is not in play, with what its menu says about its cards."""
    active = rules.model.active
    played = [other for other in rules.model.variants if other.id in active and other.group in rules.allowances]
    together = {variant.id: variant.id not in dish.excludes and dish.id not in variant.excludes for variant in played}
    leaves = min((variant.id for variant in played if variant.group == dish.group), key=together.__getitem__)
    stays = [variant.id for variant in played if variant.id != leaves and together[variant.id]]
    menu_with = tuple(dict.fromkeys([dish.id, *dish.requires, *stays]))
    with_it = Ruleset(rules.document, Selection(menu_with))
    new_speech = CardSetPhraser(with_it.model, speech.language, speech.counts)
    cards = _new(with_it.model.cards, rules.model.cards)
    counted = new_speech.join_list([f"{card.count} × {new_speech.card_name(card.id)}" for card in cards], "comma")
    sentences = dict.fromkeys(_brings(cards, with_it.model, rules.model, new_speech))
    text = new_speech.joined([*sentences, speech.text(dish.text)])
    return Dish(speech.text(dish.title), counted if cards else "", text)


def _brings(cards: list[Card], model: CardSet, before: CardSet, speech: CardSetPhraser) -> Iterator[str]:
    """Yield the sentences about new cards.

    If formulas or effects would need long explanations, the cards' own texts are used.
    """
    scoring, triggers = _new(model.scoring, before.scoring), _new(model.triggers, before.triggers)
    texts = [text for card in cards if (text := speech.own_text(card.text))]
    mine = {card.id for card in cards} | {name for card in cards for name in (*card.family, *dict(card.adds))}
    read = [{name for one in rule.spec.inputs() for _, name in references(one.expr)} for rule in scoring]
    formulas = any(rule.kind == "formula" or not names & mine for rule, names in zip(scoring, read, strict=True))
    if texts and (triggers or not scoring or formulas):
        yield from texts
        return
    for card in cards:
        yield from card_said(card, speech)
    yield from (modifier_said(modifier, speech) for modifier in _new(model.modifiers, before.modifiers))
    yield from (ability_said(ability, speech) for ability in _new(model.abilities, before.abilities))
    for rule in scoring:
        yield from ([speech.phrase("at.game")] if rule.at == "game" else [])
        yield speech.rule(rule)
    yield from (trigger_said(trigger, speech) for trigger in triggers)


def _new(things: Iterable[_Thing], before: Iterable[_Thing]) -> list[_Thing]:
    known = {thing.id for thing in before}
    return [thing for thing in things if thing.id not in known]
