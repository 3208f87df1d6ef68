"""Menus in a rulebook: their composition, those with names, and the dishes that are not in play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from draftengine.api.phrasing.phraser import CardSetPhraser
from draftengine.api.phrasing.sentences import ability_said, card_said, modifier_said, trigger_said
from draftengine.api.ruleset import Ruleset
from draftengine.model.language.evaluate import references
from draftengine.model.selection import Selection
from draftengine.render.rulebook.book import Paragraph, Rule, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.cardset import records as m
    from draftengine.render.rulebook.book import Block


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


_Thing = TypeVar("_Thing", bound=_Identified)


def dishes_in(rules: Ruleset) -> tuple[m.VariantInfo, ...]:
    """Return the *dishes*: variants whose group is always played with a fixed number of them."""
    return tuple(variant for variant in rules.model.variants if variant.group in rules.allowances)


def menus_said(rules: Ruleset, speech: CardSetPhraser) -> Iterator[Block]:
    """Yield the composition of a menu and the menus that have names; nothing without menus."""
    dishes = dishes_in(rules)
    if not dishes:
        return
    yield Paragraph(speech.phrase("menus.about"))
    groups = [
        (f"{count} × {_words(group)}", _titles((dish for dish in dishes if dish.group == group), speech))
        for group, count in rules.allowances.items()
    ]
    yield Table((speech.phrase("menus.number"), speech.phrase("menus.choice")), tuple(groups), texts=True)
    known = {dish.id: dish for dish in dishes}
    named = [
        (_words(name).capitalize(), _titles((known[dish_id] for dish_id in menu if dish_id in known), speech))
        for name, menu in rules.menus.items()
    ]
    if named:
        head = (speech.phrase("menus.menu"), speech.phrase("menus.dishes"))
        yield Table(head, tuple(named), speech.phrase("menus.named"), texts=True)


def dishes_said(rules: Ruleset, speech: CardSetPhraser) -> Iterator[Rule]:
    """Yield a rule for each dish that is not in play, with its cards and their effects."""
    return (_told(dish, rules, speech) for dish in dishes_in(rules) if dish.id not in rules.model.active)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _titles(dishes: Iterable[m.VariantInfo], speech: CardSetPhraser) -> str:
    return speech.join_list([speech.text(dish.title) for dish in dishes], "comma")


def _told(dish: m.VariantInfo, rules: Ruleset, speech: CardSetPhraser) -> Rule:
    """Return a rule about a dish that is not in play: its cards and their effects."""
    with_it = Ruleset(rules.document, Selection(_menu_with(dish, rules)))
    new_speech = CardSetPhraser(with_it.model, speech.language, speech.counts)
    cards = _new(with_it.model.cards, rules.model.cards)
    lead = new_speech.join_list([f"{card.count} × {new_speech.card_name(card.id)}" for card in cards], "comma")
    return Rule(
        speech.text(dish.title),
        (),
        new_speech.joined(
            [*dict.fromkeys(_brings(cards, with_it.model, rules.model, new_speech)), speech.text(dish.text)]
        ),
        speech.phrase("lead", text=lead) if cards else "",
    )


def _menu_with(dish: m.VariantInfo, rules: Ruleset) -> tuple[str, ...]:
    """Return the current menu with a dish in place of another of its group, if possible an excluded one."""
    played = [variant for variant in dishes_in(rules) if variant.id in rules.model.active]
    together = {variant.id: variant.id not in dish.excludes and dish.id not in variant.excludes for variant in played}
    leaves = min((variant.id for variant in played if variant.group == dish.group), key=together.__getitem__)
    stays = [variant.id for variant in played if variant.id != leaves and together[variant.id]]
    return tuple(dict.fromkeys([dish.id, *dish.requires, *stays]))


def _brings(cards: list[m.Card], model: m.CardSet, before: m.CardSet, speech: CardSetPhraser) -> Iterator[str]:
    """Yield the sentences about new cards.

    If formulas or effects would need long explanations, the cards' own texts are used.
    """
    scoring, triggers = _new(model.scoring, before.scoring), _new(model.triggers, before.triggers)
    texts = [text for card in cards if (text := speech.own_text(card.text))]
    mine = {card.id for card in cards} | {name for card in cards for name in (*card.family, *dict(card.adds))}
    involved = triggers or not scoring or any(rule.kind == "formula" or not _names_in(rule) & mine for rule in scoring)
    if texts and involved:
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


def _names_in(rule: m.Rule) -> set[str]:
    return {name for formula in rule.spec.inputs() for _, name in references(formula.expr)}


def _new(things: Iterable[_Thing], before: Iterable[_Thing]) -> list[_Thing]:
    known = {thing.id for thing in before}
    return [thing for thing in things if thing.id not in known]
