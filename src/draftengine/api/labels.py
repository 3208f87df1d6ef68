"""Labels and pictures of the named things in a game, in one language.

Sentences about these things come from `draftengine.api.facts`.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Any

from draftengine.api.phrasing import CardSetPhraser
from draftengine.api.phrasing.sentences import title_of
from draftengine.model.cardset.facts import all_steps
from draftengine.model.cardset.pieces import as_played, card_in, lies_on
from draftengine.model.cardset.records import forms_in, text_in
from draftengine.model.records import default_label
from draftengine.model.verbs.choose import ChooseStep
from draftengine.support.identity import IdentityKey
from draftengine.support.locale import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.model.cardset.records import CardSet, Rule
    from draftengine.model.records.reader import Formula, Texts


__all__ = ["Labels", "as_played", "card_in"]


class Labels:
    """Labels for people. A thing without a label is called by its id.

    The texts come from the card set and are not trusted: escape them for the screen or page that shows them.
    """

    def __init__(self, model: CardSet, language: str = "en", counts: Sequence[int] = ()) -> None:
        """Prepare the labels of a card set.

        `counts` are the numbers of players that sentences cover, by default all possible ones.
        """
        self.model = model
        self.language = language
        self._counts = counts
        things: tuple[Any, ...] = (
            *model.counters, *model.modifiers, *model.abilities, *model.zones, *model.markers, *model.chips,
        )  # fmt: skip
        cards = {card.id for card in model.cards} if language != "en" else set()
        named_after = [thing for thing in things if thing.id in cards and thing.label == default_label(thing.id)]
        self._things = self._by_id(thing for thing in things if thing not in named_after)
        for counter in model.counters:
            forms = forms_in(counter.label, language) or forms_in(counter.label, "en")
            if plural := forms.get("other") or forms.get("few"):
                self._things[counter.id] = plural
        self._causes = {verb: spoken(language).phrase(f"cause.{verb}") for verb in ("in_turn", "do")}
        self._causes |= self._by_id(model.triggers)
        self._seats = self._by_id(model.extra_seats)
        self._cards = self._by_id(model.cards)
        chosen = (way for step in all_steps(model) if isinstance(step, ChooseStep) for way in step.as_)
        self._ways = {way.id: self.text(way.label) or self.thing(way.id) for way in chosen if way.id}
        self._icons = {card.id: card.icon for card in model.cards}
        for card in model.cards:
            if card.face is not None and card.face not in self._cards:
                self._cards[card.face] = card.face.replace("_", " ").capitalize()
                self._icons[card.face] = card.icon

    @cached_property
    def _rules(self) -> dict[str, str]:
        titles = {rule.id: title_of(rule, self.speech) for rule in self.model.scoring}
        if self.language == "en":  # rules that count the same things are called by their own labels
            times = Counter(titles.values())
            titles |= {rule.id: self.text(rule.label) for rule in self.model.scoring if times[titles[rule.id]] > 1}
        return titles

    @cached_property
    def speech(self) -> CardSetPhraser:
        """The `CardSetPhraser` that makes sentences in this language."""
        return CardSetPhraser(self.model, self.language, self._counts)

    @cached_property
    def _rules_said(self) -> dict[IdentityKey[Rule], str]:
        return {}

    def rule_said(self, rule: Rule) -> str:
        """Return a sentence about the points that a scoring rule gives, with marks for bold print."""
        key = IdentityKey(rule)
        if key not in self._rules_said:
            self._rules_said[key] = self.speech.rule(rule)
        return self._rules_said[key]

    def _by_id(self, labelled: Iterable[Any]) -> dict[str, str]:
        return {thing.id: self.text(thing.label) or thing.id for thing in labelled}

    def text(self, texts: Texts) -> str:
        """Return a text of the card set in this language; empty if there is none."""
        return text_in(texts, self.language)

    @property
    def title(self) -> str:
        return self.text(self.model.title) or self.model.id

    def card(self, name: str) -> str:
        """Return the label of a card, a face, or a card in a form: ``triple@soup`` is *Triple as Soup*.

        An action has its own label, and so has a card used for an action: ``soup@sell`` is *Soup: Sell*. Labels of
        pieces say where a card lies: ``bread^butter`` is *Bread on Butter*, and ``butter-0^tray`` is *Butter (used) on
        Tray*.
        """
        front, _, last = name.rpartition("@")
        if last in self._ways:
            return f"{self.card(front)}: {self._ways[last]}" if front else self._ways[last]
        card, _, form = as_played(name).partition("@")
        label = self._cards.get(card, card)
        form_label = self.card(form) if form else label
        say = self.speech.phrase
        label = label if form_label == label else say("expr.form", card=label, form=form_label)
        for mark in sorted(lies_on(name), key=lambda mark: mark.startswith("^")):
            if mark.startswith("^"):
                label = say("lies.on", card=label, what=self.thing(mark[1:]))
            else:
                key = {"-0": "lies.used", "-closed": "lies.closed"}.get(mark, "lies.left")
                label = say("lies.with", card=label, note=say(key, count=mark[1:]))
        return label

    @property
    def ways(self) -> dict[str, str]:
        """Labels of the actions of choices, by id."""
        return dict(self._ways)

    def icon(self, name: str) -> str:
        """Return the picture of a card, a face or a card in a form; empty if it has none."""
        return self._icons.get(card_in(name), "")

    def thing(self, name: str) -> str:
        """Return the label of a counter, modifier, ability, zone, marker, chip pile or card."""
        return self._things.get(name) or self._cards.get(card_in(name)) or name

    def seat(self, name: str) -> str:
        return self._seats.get(name) or name

    def rule(self, name: str) -> str:
        """Return the label of a source of points: a rule, or a name that `cause` accepts."""
        return self._rules.get(name) or self.cause(name)

    def cause(self, name: str) -> str:
        """Return the label of a source of immediate points or chips: a trigger, an action, a card or a step."""
        return self._causes.get(name) or self._ways.get(name) or self.thing(name)

    def variant(self, name: str) -> str:
        titles = {variant.id: self.text(variant.title) for variant in self.model.variants}
        return titles.get(name) or name

    def moment(self, label: str) -> str:
        """Return the label of a scoring moment (see `Game.moments`)."""
        key = {"round": "this_round", "game": "h.end"}.get(label)
        return self.speech.phrase(key) if key else label.replace("_", " ").capitalize()

    def called(self, formula: Formula) -> str:
        """Return a formula for use in a sentence: a label for a single name, otherwise the formula as written."""
        text = formula.text
        if not text.replace("_", "a").isalnum() or text.isdecimal():
            return text
        label = self.thing(text)
        return label.lower() if label != text else text.replace("_", " ")
