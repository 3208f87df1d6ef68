"""What cards, modifiers, abilities, triggers and scoring rules do: sentences made from what the card set declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.cardset.facts import all_steps, has_label
from draftengine.language.evaluate import functions_in
from draftengine.rules import KINDS
from draftengine.rules.words import counted, listed
from draftengine.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.labels import Labels
    from draftengine.cardset.model import Ability, Card, Modifier, Rule, Trigger
    from draftengine.engine.program import Program
    from draftengine.records.values import Formula
    from draftengine.verbs.verb import Step

_TWO = 2
_GOES = {
    "hand": "the card goes back into the hand",
    "place": "the card goes to the place of the card taken",
    "discard": "the card is discarded",
    "stays": "the card stays",
}


class RuleText(Struct, frozen=True):
    """A scoring rule for people."""

    id: str
    at: str
    """When it is scored (see `Game.moments`)."""
    label: str
    text: str
    """What it gives, as a rulebook would say it."""
    source: tuple[str, ...]
    """The statements of the rulebook that it rests on."""


def of_rules(labels: Labels) -> tuple[RuleText, ...]:
    """Every scoring rule of a game."""
    return tuple(
        RuleText(rule.id, rule.at, labels.rule(rule.id), of_rule(rule, labels), rule.source)
        for rule in labels.model.scoring
    )


def of_rule(rule: Rule, labels: Labels) -> str:
    """What a scoring rule gives, as a rulebook would say it."""
    sentence = KINDS[rule.kind].sentence(rule.spec, labels.called)
    for pile in labels.model.chips:
        sentence = sentence.replace(pile.id, f"the pile {labels.thing(pile.id)}")
    if rule.when is not None:
        sentence = f"{sentence} Only if {rule.when.text}."
    return sentence + _of_neighbours(KINDS[rule.kind].inputs(rule.spec), labels)


def _of_neighbours(formulas: Sequence[Formula | None], labels: Labels) -> str:
    """What has to be said of neighbours where two can play."""
    asked = frozenset[str]().union(*(functions_in(own.expr) for own in formulas if own is not None))
    if labels.model.min_players == _TWO and {"left", "right"} <= asked:
        return " With two players the left and the right neighbour are the same seat, which counts twice."
    return ""


def of_rules_about(card: Card, program: Program, labels: Labels) -> Iterator[tuple[str, str]]:
    """The abilities and scoring rules that look at a card, each with its label and its sentence."""
    for ability in program.model.abilities:
        if ability.card == card.id and labels.text(ability.text):
            yield labels.thing(ability.id), labels.text(ability.text)
    index = program.card_index(card.id)
    for rule, watched in zip(program.rules, program.cards_behind, strict=True):
        if any(program.plays[play].card == index for play in watched):
            yield labels.rule(rule.model.id), of_rule(rule.model, labels)


def of_card(card: Card, labels: Labels) -> str:
    """What the card set says about a card; else what it may be played as, and what happens when it is played."""
    return labels.text(card.text) or " ".join(_of_card(card, labels))


def _of_card(card: Card, labels: Labels) -> Iterator[str]:
    if card.forms is not None:
        condition = f", if {card.forms.when.text}" if card.forms.when else ""
        yield f"Is played as {listed([labels.card(form) for form in card.forms.of], 'or')}{condition}."
    if card.adds:
        yield f"Counts as {listed([f'{number} {labels.thing(counter)}' for counter, number in card.adds])}."
    if card.on_play:
        yield f"When played: {_done(card.on_play, labels)}."


def of_modifier(modifier: Modifier, labels: Labels) -> str:
    """What cards a card makes different, and how."""
    after = listed([labels.card(card) for card in modifier.applies_to], "or")
    up_to = f"the next {modifier.capacity}" if modifier.capacity > 1 else "the next"
    changed = listed([f"{labels.thing(own.counter)} {own.formula.text}" for own in modifier.then])
    late = ", but none that is taken together with it" if modifier.opens == "after_reveal" else ""
    return f"{labels.card(modifier.card)} makes {up_to} {after} count as {changed}{late}."


def of_ability(ability: Ability, labels: Labels) -> str:
    """How many cards an ability takes, and what becomes of its own card."""
    when = "before" if ability.when == "before_reveal" else "after"
    often = "" if ability.per_turn == 1 else f", {ability.per_turn} times a turn"
    more = counted(ability.take, "more card")
    return f"With {labels.card(ability.card)} take {more} {when} the reveal{often}; {_GOES[ability.returns_to]}."


def of_trigger(trigger: Trigger, labels: Labels) -> str:
    """When a trigger is looked at, for whom, and what happens."""
    when = _moment(trigger.after, labels)
    who = "the only seat with" if trigger.only == "single" else "each seat with"
    unless = f", unless {trigger.unless.text}" if trigger.unless else ""
    sentence = f"After {when}, {who} {trigger.who.text}{unless}: {_done(trigger.do, labels)}."
    if trigger.by is not None:
        sentence = f"{sentence} The lowest {trigger.by.text} comes first, and who is equal at once."
    return sentence + _of_neighbours((trigger.who, trigger.unless, trigger.by), labels)


def _moment(name: str, labels: Labels) -> str:
    """When a trigger is looked at."""
    if name == "reveal":
        return "each reveal"
    if any(step.id == name for step in all_steps(labels.model)):
        return f"the step {labels.moment(name).lower()}"
    if name == "turn" and not has_label(labels.model, name):
        return "each turn"
    return f"the scoring of {labels.moment(name).lower()}"


def _done(effects: Sequence[Step], labels: Labels) -> str:
    return ", ".join(VERBS[effect.verb].sentence(effect, labels) for effect in effects)
