"""Which cards a rule looks at, and a rule in a line: for the quick reference of a rulebook, and for the cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.facts import constant
from draftengine.model.cardset.pieces import card_in
from draftengine.model.records.record import default_label

if TYPE_CHECKING:
    from draftengine.api.phrasing.phraser import CardSetPhraser
    from draftengine.api.ruleset import Ruleset
    from draftengine.model.cardset.records import Card, Rule
    from draftengine.model.rules.kind import QuickReference

_MOST_SIGNS = 5


class CardRules:
    """The rules of a card set by the cards that they look at, in the language of a `CardSetPhraser`."""

    def __init__(self, rules: Ruleset, speech: CardSetPhraser) -> None:
        self.model, self.speech = rules.model, speech
        program = rules.game(speech.counts[0]).program
        changing = {modifier.card for modifier in self.model.modifiers}
        self._behind: dict[str, set[str]] = {}
        for compiled, behind in zip(program.rules, program.plays_read_by_rule, strict=True):
            plays = {card_in(program.plays[play].name) for play in behind}
            self._behind[compiled.model.id] = plays - changing or plays

    def behind(self, rule: Rule) -> set[str]:
        """The cards that a rule looks at, without those that only change others."""
        return self._behind[rule.id]

    def signs(self, rule: Rule) -> tuple[str, ...]:
        """The cards that a rule looks at, one of each sign."""
        behind = self.behind(rule)
        signs: dict[str, str] = {}
        for card in self.model.cards:
            if card.id in behind and card.forms is None:
                signs.setdefault(card.icon or card.id, card.id)
        return tuple(signs.values())[:_MOST_SIGNS]

    def heads(self, rule: Rule) -> tuple[str, ...]:
        """The cards whose signs stand beside a rule: the one on which it stands or whose name it has, else `signs`."""
        card_ids = [card.id for card in self.model.cards if card.id == rule.card or self._named_after(rule, card)]
        return tuple(card_ids[:1]) or self.signs(rule)

    def _named_after(self, rule: Rule, card: Card) -> bool:
        return card.id in self.behind(rule) and (card.id == rule.id or card.label == rule.label)

    def head(self, rule: Rule) -> str:
        """The one card whose sign stands for a rule; none if it looks at cards of several families."""
        heads = self.heads(rule)
        families = {card.family or (card.id,) for card in self.model.cards if card.id in heads}
        return heads[0] if len(families) == 1 else ""

    def counts_others(self, rule: Rule) -> bool:
        """Does a rule stand on a card, and look at other cards."""
        return bool(rule.card) and not self.behind(rule) <= {rule.card}

    def title(self, rule: Rule) -> str:
        """The label of a rule; without one of its own, what it counts."""
        if rule.card or rule.label != default_label(rule.id):
            return self.speech.text(rule.label)
        formulas = rule.spec.inputs()
        noun = self.speech.noun(formulas[0]) if len(formulas) == 1 else self.speech.family_of_formulas(formulas)
        if noun is not None and noun.sort == "card":
            name = noun.form("name").strip("„”「」")
            return name[:1].upper() + name[1:]
        family = next((candidate for candidate in self.model.families if candidate.id == rule.id), None)
        return self.speech.text(family.label) if family is not None else self.speech.text(rule.label)

    def short(self, rule: Rule) -> QuickReference:
        """A rule in short, for the largest number of players that is spoken of."""
        count = self.speech.counts[-1]
        numbers = rule.spec.resolve(lambda formula: constant(formula, self.model, count))
        return rule.spec.quick_reference(numbers, self.speech)

    def cards_adding_to(self, rule: Rule) -> dict[str, int]:
        """Cards that score what they add to a counter or what is printed on them, each with its amount."""
        formulas = rule.spec.inputs()
        if rule.kind != "each" or len(formulas) != 1 or not self.speech.cards_adding_to(formulas[0]):
            return {}
        return self.speech.by_card(formulas[0])
