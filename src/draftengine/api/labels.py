"""What things in a game are called: the labels and pictures that a card set gives them, in one language."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from draftengine.api.phrasing.phraser import CardSetPhraser
from draftengine.api.phrasing.sentences import title_of
from draftengine.model.cardset.facts import all_steps
from draftengine.model.cardset.pieces import as_played, card_in, lies_on
from draftengine.model.cardset.records import forms_in, text_in
from draftengine.model.records.record import default_label
from draftengine.model.verbs import choose
from draftengine.support.identity import IdentityKey

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.model.cardset.records import CardSet, Rule
    from draftengine.model.records.values import Formula, Texts


__all__ = ["Labels", "as_played", "card_in"]


class Labels:
    """Names for people. What has no label is called by its id.

    The texts are those of the card set, whoever wrote it: escape them for the screen or page that shows them.
    """

    def __init__(self, model: CardSet, language: str = "en") -> None:
        self.model = model
        self.language = language
        things: tuple[Any, ...] = (
            *model.counters, *model.modifiers, *model.abilities, *model.zones, *model.markers, *model.chips,
        )  # fmt: skip
        cards = {card.id for card in model.cards} if language != "en" else set()
        named_after = [thing for thing in things if thing.id in cards and thing.label == default_label(thing.id)]
        self._things = self._by_id(thing for thing in things if thing not in named_after)
        self._things |= {counter.id: plural for counter in model.counters if (plural := self._plural(counter.label))}
        self._causes = self._by_id(model.triggers)
        self._seats = self._by_id(model.extra_seats)
        chosen = (way for step in all_steps(model) if isinstance(step, choose.ChooseStep) for way in step.as_)
        self._ways = self._by_id(way for way in chosen if way.id)
        self._cards = self._by_id(model.cards)
        self._icons = {card.id: card.icon for card in model.cards}
        for card in model.cards:
            if card.face is not None and card.face not in self._cards:
                self._cards[card.face] = card.face.replace("_", " ").capitalize()
                self._icons[card.face] = card.icon

    @cached_property
    def _rules(self) -> dict[str, str]:
        if self.language == "en":
            return self._by_id(self.model.scoring)
        return {rule.id: title_of(rule, self.speech) for rule in self.model.scoring}

    @cached_property
    def speech(self) -> CardSetPhraser:
        """What says sentences in this language."""
        return CardSetPhraser(self.model, self.language)

    @cached_property
    def _rules_said(self) -> dict[IdentityKey[Rule], str]:
        return {}

    def rule_said(self, rule: Rule) -> str:
        """What a scoring rule gives, with marks. Every card says it again of the rules that look at it."""
        key = IdentityKey(rule)
        if key not in self._rules_said:
            self._rules_said[key] = self.speech.rule(rule)
        return self._rules_said[key]

    def _by_id(self, labelled: Iterable[Any]) -> dict[str, str]:
        return {thing.id: self.text(thing.label) or thing.id for thing in labelled}

    def _plural(self, texts: Texts) -> str:
        """The form for many, by which a counter is known; empty if its label has but one form."""
        forms = forms_in(texts, self.language) or forms_in(texts, "en")
        return forms.get("other") or forms.get("few") or ""

    def text(self, texts: Texts) -> str:
        """A text of the card set in this language; empty if there is none."""
        return text_in(texts, self.language)

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.text(self.model.title) or self.model.id

    def card(self, name: str) -> str:
        """A card, a face, or a card in a form: ``triple@soup`` is *Triple as Soup*.

        A way is called by its label, a card that goes it by both: ``soup@sell`` is *Soup: Sell*. Where it is told what
        lies on what, ``bread^butter`` is *Bread on Butter*, and ``butter-0`` is *Butter (used)*.
        """
        front, _, last = name.rpartition("@")
        if last in self._ways:
            return f"{self.card(front)}: {self._ways[last]}" if front else self._ways[last]
        card, _, form = as_played(name).partition("@")
        label = self._cards.get(card, card)
        form_label = self.card(form) if form else label
        label = label if form_label == label else self.speech.phrase("expr.form", card=label, form=form_label)
        return self._lying(label, lies_on(name))

    def _lying(self, label: str, how: Iterable[str]) -> str:
        """*Bread on Butter*, *Butter (used)*, *Butter (used) on Tray*."""
        for mark in sorted(how, key=lambda mark: mark.startswith("^")):
            say = self.speech.phrase
            if mark.startswith("^"):
                label = say("lies.on", card=label, what=self.thing(mark[1:]))
            else:
                key = {"-0": "lies.used", "-closed": "lies.closed"}.get(mark, "lies.left")
                label = say("lies.with", card=label, note=say(key, count=mark[1:]))
        return label

    @property
    def ways(self) -> dict[str, str]:
        """What the ways of choices are called, by their ids."""
        return dict(self._ways)

    def icon(self, name: str) -> str:
        """The picture of a card, a face or a card in a form; empty if it has none."""
        return self._icons.get(card_in(name), "")

    def thing(self, name: str) -> str:
        """A counter, modifier, ability, zone, marker or chip pile; or a card."""
        return self._things.get(name) or self._cards.get(card_in(name)) or name

    def seat(self, name: str) -> str:
        """An extra seat."""
        return self._seats.get(name) or name

    def rule(self, name: str) -> str:
        """What gives points: a rule, which may have the name of what it counts, or what gives them at once."""
        return self._rules.get(name) or self.cause(name)

    def cause(self, name: str) -> str:
        """What gives points or chips at once: a trigger, a way or a card."""
        return self._causes.get(name) or self._ways.get(name) or self.thing(name)

    def variant(self, name: str) -> str:
        """The title of a variant."""
        titles = {variant.id: self.text(variant.title) for variant in self.model.variants}
        return titles.get(name) or name

    def moment(self, label: str) -> str:
        """When the rules of a label are scored (see `Game.moments`)."""
        key = {"round": "this_round", "game": "h.end"}.get(label)
        return self.speech.phrase(key) if key else label.replace("_", " ").capitalize()

    def called(self, formula: Formula) -> str:
        """How a formula is called in a sentence: the label of what it names, else as it is written."""
        text = formula.text
        if not text.replace("_", "a").isalnum() or text.isdecimal():
            return text
        label = self.thing(text)
        return label.lower() if label != text else text.replace("_", " ")
