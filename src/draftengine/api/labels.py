"""Labels, pictures and descriptions of things in a game, in one language.

Functions `of_…` return texts without marks for bold print.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.api.phrasing.phraser import CardSetPhraser
from draftengine.api.phrasing.sentences import (
    ability_said,
    bounds_said,
    card_said,
    counter_said,
    marker_said,
    modifier_said,
    numbers_said,
    of_neighbours,
    tie_said,
    title_of,
    trigger_said,
)
from draftengine.model.cardset.facts import all_steps
from draftengine.model.cardset.pieces import as_played, card_in, lies_on
from draftengine.model.cardset.records import forms_in, text_in
from draftengine.model.loading.texts import own_rules
from draftengine.model.records.record import default_label
from draftengine.model.verbs.action_phrases import way_does
from draftengine.model.verbs.choose import ChooseStep
from draftengine.support.identity import IdentityKey
from draftengine.support.locale.catalogue import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.engine.program import Program
    from draftengine.model.cardset.records import Ability, Card, CardSet, Counter, Marker, Modifier, Rule, Trigger
    from draftengine.model.records.values import Formula, Texts


__all__ = ["Labels", "as_played", "card_in"]


class Labels:
    """Labels for people. Anything without a label is called by its id.

    The texts come from the card set and are not trusted: escape them for the screen or page that shows them.
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
        for counter in model.counters:
            forms = forms_in(counter.label, language) or forms_in(counter.label, "en")
            if plural := forms.get("other") or forms.get("few"):
                self._things[counter.id] = plural
        self._causes = self._by_id(model.triggers)
        self._seats = self._by_id(model.extra_seats)
        chosen = (way for step in all_steps(model) if isinstance(step, ChooseStep) for way in step.as_)
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
        """The phraser for this language."""
        return CardSetPhraser(self.model, self.language)

    @cached_property
    def _rules_said(self) -> dict[IdentityKey[Rule], str]:
        return {}

    def rule_said(self, rule: Rule) -> str:
        """Return what a scoring rule gives, with marks.

        Cached, because every card repeats the rules that look at it.
        """
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

        An action has its own label, and a card that takes it has both: ``soup@sell`` is *Soup: Sell*. Pieces are
        included: ``bread^butter`` is *Bread on Butter*, and ``butter-0^tray`` is *Butter (used) on Tray*.
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
        """Return the label of a source of points: a rule, or anything that `cause` accepts."""
        return self._rules.get(name) or self.cause(name)

    def cause(self, name: str) -> str:
        """Return the label of a source of immediate points or chips: a trigger, an action or a card."""
        return self._causes.get(name) or self._ways.get(name) or self.thing(name)

    def variant(self, name: str) -> str:
        titles = {variant.id: self.text(variant.title) for variant in self.model.variants}
        return titles.get(name) or name

    def moment(self, label: str) -> str:
        """Return the label of a scoring moment (see `Game.moments`)."""
        key = {"round": "this_round", "game": "h.end"}.get(label)
        return self.speech.phrase(key) if key else label.replace("_", " ").capitalize()

    def called(self, formula: Formula) -> str:
        """Return a formula for use in a sentence: the label of the one name it consists of, else its text."""
        text = formula.text
        if not text.replace("_", "a").isalnum() or text.isdecimal():
            return text
        label = self.thing(text)
        return label.lower() if label != text else text.replace("_", " ")


class WayText(Struct, frozen=True):
    """An action of a choice, for people."""

    id: str
    label: str
    text: str
    """The card set's own text about it; often empty."""
    does: str
    """A sentence with its conditions, its price and its effects."""
    source: tuple[str, ...]


def of_ways(labels: Labels) -> tuple[WayText, ...]:
    """Return every action that people can choose by its name."""
    ways = []
    for step in (step for step in all_steps(labels.model) if isinstance(step, ChooseStep)):
        for way in step.as_:
            if way.id:
                text = plain(way_does(step, way, labels.speech))
                does = labels.speech.phrase("list.sentence", text=text[:1].upper() + text[1:]) if text else ""
                ways.append(WayText(way.id, labels.cause(way.id), labels.text(way.text), does, way.source))
    return tuple(ways)


class RuleText(Struct, frozen=True):
    """A scoring rule, for people."""

    id: str
    at: str
    """The moment at which it is scored (see `Game.moments`)."""
    label: str
    text: str
    """The points that it gives, as a rulebook would say it."""
    source: tuple[str, ...]
    """Statements of the rulebook that it is based on."""


def of_rules(labels: Labels) -> tuple[RuleText, ...]:
    """Return every scoring rule of a game."""
    return tuple(
        RuleText(rule.id, rule.at, labels.rule(rule.id), of_rule(rule, labels), rule.source)
        for rule in labels.model.scoring
    )


def of_rule(rule: Rule, labels: Labels) -> str:
    """Return what a scoring rule gives, as a rulebook would say it."""
    speech = labels.speech
    sentences = [labels.rule_said(rule), of_neighbours(rule.spec.inputs(), speech)]
    return plain(speech.joined(sentences))


def of_rules_about(card: Card, program: Program, labels: Labels) -> Iterator[tuple[str, str]]:
    """Yield (label, sentence) for each ability and scoring rule that looks at a card."""
    for ability in program.model.abilities:
        if ability.card == card.id and labels.text(ability.text):
            yield labels.thing(ability.id), labels.text(ability.text)
    index = program.card_index(card.id)
    for rule, watched in zip(program.rules, program.plays_read_by_rule, strict=True):
        if any(program.plays[play].card == index for play in watched):
            yield labels.rule(rule.model.id), of_rule(rule.model, labels)


_MOST_RULES = 8
"""The most rules that are given in full for a card; more are listed by name."""


def of_card(card: Card, labels: Labels, *, with_rules: bool = True) -> str:
    """Return the card set's text about a card, or else its properties and, `with_rules`, its rules.

    Rules that are formulas, which are long, are only included if there is nothing else.
    """
    model, speech = labels.model, labels.speech
    text = speech.own_text(card.text)
    if text:
        return plain(speech.joined([numbers_said(card, speech), text]))
    sentences = [numbers_said(card, speech), *card_said(card, speech)]
    if with_rules:
        rules = [rule for rule in own_rules(model, card) if rule.kind != "formula" or rule.card or not any(sentences)]
        if len(rules) > _MOST_RULES:  # the list of rules has them in full
            sentences.append(speech.joined([f"{speech.join_list([labels.rule(rule.id) for rule in rules], 'comma')}."]))
        else:
            sentences += map(labels.rule_said, rules)
        sentences += [modifier_said(modifier, speech) for modifier in model.modifiers if modifier.card == card.id]
        sentences += [ability_said(ability, speech) for ability in model.abilities if ability.card == card.id]
    return plain(speech.joined(sentences))


def of_counter(counter: Counter, labels: Labels, players: int) -> str:
    """Return sentences about the start and bounds of a counter for a number of players."""
    speech = CardSetPhraser(labels.model, labels.language, [players])
    begins = counter_said(counter, speech) if counter.start else ""
    return plain(speech.joined([begins, bounds_said(counter, speech)]))


def of_marker(marker: Marker, labels: Labels) -> str:
    """Return sentences about a marker: its first holder, its steps, and the ties it breaks."""
    model, speech = labels.model, labels.speech
    sentences = [marker_said(marker, speech)]
    sentences += [speech.step(step) for step in all_steps(model) if getattr(step, "marker", "") == marker.id]
    sentences += [tie_said(tie, speech) for tie in model.winner.tie_breakers if tie.holder == marker.id]
    return plain(speech.joined(list(dict.fromkeys(sentences))))


def of_modifier(modifier: Modifier, labels: Labels) -> str:
    """Return what a modifier does to which cards."""
    return plain(modifier_said(modifier, labels.speech))


def of_ability(ability: Ability, labels: Labels) -> str:
    """Return what an ability does."""
    return plain(ability_said(ability, labels.speech))


def of_trigger(trigger: Trigger, labels: Labels) -> str:
    """Return the sentence of a trigger: its moment, its seats and its effects."""
    return plain(trigger_said(trigger, labels.speech))


class ThingText(Struct, frozen=True):
    """A thing of a game besides cards and scoring rules, for people."""

    kind: str
    """``counter``, ``marker``, ``modifier``, ``ability`` or ``trigger``."""
    id: str
    text: str
    source: tuple[str, ...]


def of_things(labels: Labels, players: int) -> Iterator[ThingText]:
    """Yield the counters that do not start at 0, the markers, modifiers, abilities and triggers."""
    model = labels.model
    for counter in model.counters:
        if counter.start:
            yield ThingText("counter", counter.id, of_counter(counter, labels, players), counter.source)
    for marker in model.markers:
        yield ThingText("marker", marker.id, of_marker(marker, labels), marker.source)
    for modifier in model.modifiers:
        yield ThingText("modifier", modifier.id, of_modifier(modifier, labels), modifier.source)
    for ability in model.abilities:
        yield ThingText("ability", ability.id, of_ability(ability, labels), ability.source)
    for trigger in model.triggers:
        yield ThingText("trigger", trigger.id, of_trigger(trigger, labels), trigger.source)
