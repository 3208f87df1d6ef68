"""What cards, modifiers, abilities, triggers and scoring rules do: sentences made from what the card set declares.

They are the sentences of the rulebook, without its marks for bold print; `phraser` makes those of scoring rules.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.phrasing.phraser import CardSetPhraser
from draftengine.model.cardset.effects import effect_lists
from draftengine.model.cardset.facts import all_steps, has_label
from draftengine.model.language.evaluate import functions_in
from draftengine.model.language.tree import Binary, Comparison, Name, Number
from draftengine.model.loading.texts import own_rules
from draftengine.model.verbs import choose
from draftengine.model.verbs.action_phrases import way_does
from draftengine.model.verbs.in_turn import order_said
from draftengine.support.locale.catalogue import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.labels import Labels
    from draftengine.engine.program import Program
    from draftengine.model.cardset.records import Ability, Card, Counter, Marker, Modifier, Rule, TieBreaker, Trigger
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.values import Amount, Formula
    from draftengine.model.verbs.actions import Way

_TWO = 2


class WayText(Struct, frozen=True):
    """A way of a choice for people."""

    id: str
    label: str
    text: str
    """What the card set says of it in words of its own; often nothing."""
    does: str
    """For whom it is open, what it costs, and what it does."""
    source: tuple[str, ...]


def of_ways(labels: Labels) -> tuple[WayText, ...]:
    """Every way that people can choose by its name."""
    return tuple(
        WayText(way.id, labels.cause(way.id), labels.text(way.text), _way(step, way, labels.speech), way.source)
        for step in all_steps(labels.model)
        if isinstance(step, choose.ChooseStep)
        for way in step.as_
        if way.id
    )


def _way(step: choose.ChooseStep, way: Way, speech: CardSetPhraser) -> str:
    text = plain(way_does(step, way, speech))
    return speech.phrase("list.sentence", text=text[:1].upper() + text[1:]) if text else ""


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
    speech = labels.speech
    sentences = [labels.rule_said(rule), of_neighbours(rule.spec.inputs(), speech)]
    return plain(speech.joined(sentences))


def of_neighbours(formulas: Sequence[Formula | None], speech: CardSetPhraser) -> str:
    """What has to be said of neighbours where two can play; where nobody else can, these are “the other player”."""
    asked = frozenset[str]().union(*(functions_in(formula.expr) for formula in formulas if formula is not None))
    one_of_many = _TWO in speech.counts and len(speech.counts) > 1
    return speech.phrase("neighbours") if one_of_many and {"left", "right"} <= asked else ""


def of_rules_about(card: Card, program: Program, labels: Labels) -> Iterator[tuple[str, str]]:
    """The abilities and scoring rules that look at a card, each with its label and its sentence."""
    for ability in program.model.abilities:
        if ability.card == card.id and labels.text(ability.text):
            yield labels.thing(ability.id), labels.text(ability.text)
    index = program.card_index(card.id)
    for rule, watched in zip(program.rules, program.plays_read_by_rule, strict=True):
        if any(program.plays[play].card == index for play in watched):
            yield labels.rule(rule.model.id), of_rule(rule.model, labels)


def title_of(rule: Rule, speech: CardSetPhraser) -> str:
    """Return the label of a rule; without one of its own, what it counts."""
    if rule.labelled or rule.card:
        return speech.text(rule.label)
    formulas = rule.spec.inputs()
    noun = speech.noun(formulas[0]) if len(formulas) == 1 else speech.family_of_formulas(formulas)
    if noun is not None and noun.sort == "card":
        return begun(noun.form("name"))
    family = next((candidate for candidate in speech.model.families if candidate.id == rule.id), None)
    return speech.text(rule.label if family is None else family.label)


def begun(name: str) -> str:
    """Return a noun as a title: without quotation marks, begun with a capital letter."""
    name = name.strip("„”「」")
    return name[:1].upper() + name[1:]


_MOST_RULES = 8
"""The rules of a card are said in full if they are no more than these; else they are named."""


def of_card(card: Card, labels: Labels, *, with_rules: bool = True) -> str:
    """What the card set says about a card; else what it is, and `with_rules` what rules say of it.

    Formulas, which are long, are told of cards of which nothing else could be said.
    """
    model, speech = labels.model, labels.speech
    text = speech.own_text(card.text)
    if text:
        return plain(speech.joined([numbers_said(card, speech), text]))
    sentences = [numbers_said(card, speech), *card_said(card, speech)]
    if with_rules:
        rules = [rule for rule in own_rules(model, card) if rule.kind != "formula" or rule.card or not any(sentences)]
        if len(rules) > _MOST_RULES:  # in full they stand among the rules, once for all cards
            sentences.append(speech.joined([f"{speech.join_list([labels.rule(rule.id) for rule in rules], 'comma')}."]))
        else:
            sentences += map(labels.rule_said, rules)
        sentences += [modifier_said(modifier, speech) for modifier in model.modifiers if modifier.card == card.id]
        sentences += [ability_said(ability, speech) for ability in model.abilities if ability.card == card.id]
    return plain(speech.joined(sentences))


def numbers_of(card: Card, speech: CardSetPhraser) -> list[str]:
    """The numbers that a card has, each with what it is called, without those that are a part of its name."""
    name = re.findall(r"\d+", speech.card_name(card.id))
    return [
        speech.phrase("card.number", name=speech.thing(key), number=number)
        for key, number in card.has
        if str(abs(number)) not in name
    ]


def numbers_said(card: Card, speech: CardSetPhraser) -> str:
    """The numbers that a card has, as a sentence; empty if there are none."""
    numbers = speech.join_list(numbers_of(card, speech), "comma")
    return speech.phrase("lead", text=numbers[:1].upper() + numbers[1:]) if numbers else ""


def amounts_of(card: Card, speech: CardSetPhraser) -> list[str]:
    """What a card adds to counters, each with what is counted."""
    return [speech.phrase("card.add", of=speech.counter(name), amount=number) for name, number in card.adds]


def card_said(card: Card, speech: CardSetPhraser) -> Iterator[str]:
    """What a card is besides its scoring: forms, amounts, what happens when it is played."""
    if card.forms is not None:
        forms = speech.join_list([speech.card_noun(form).form("name") for form in card.forms.of], "or")
        if card.forms.when is None or speech.constant(card.forms.when.expr):
            yield speech.phrase("card.forms", forms=forms)
        elif _lies_there(card.forms.when.expr):
            yield speech.phrase("card.forms_before", forms=forms)
        else:
            yield speech.phrase("card.forms_if", forms=forms, condition=speech.condition(card.forms.when.expr))
    if card.adds:
        yield speech.phrase("card.adds", list=speech.join_list(amounts_of(card, speech)))
    if card.on_play:
        yield speech.phrase("card.on_play", effects=speech.effects(card.on_play))


def _lies_there(expr: Expr) -> bool:
    """Does a condition ask for a card of the same name or family before the seat."""
    return (
        isinstance(expr, Comparison)
        and isinstance(expr.left, Name)
        and expr.left.id in {"card", "family"}
        and expr.op == ">"
        and expr.right == Number(0)
    )


def starts_said(speech: CardSetPhraser) -> Iterator[str]:
    """What counters say and who holds markers when the game begins, as far as it is not 0 and not nobody."""
    for counter in speech.model.counters:
        if counter.start:
            yield counter_said(counter, speech)
    yield from (marker_said(marker, speech) for marker in speech.model.markers if marker.start != "nobody")


def counter_said(counter: Counter, speech: CardSetPhraser) -> str:
    """How a counter begins."""
    key = "start.table" if counter.per == "table" else "start"
    return speech.phrase(key, of=speech.counter(counter.id), count=counter.start)


def bounds_said(counter: Counter, speech: CardSetPhraser) -> str:
    """Between which values a counter stays, whatever happens; empty if nothing is said of that."""
    values = _set_to(counter, speech)
    sentences = []
    if counter.min is not None:
        sentences.append(speech.phrase("bounds.min", count=max([counter.min, *([min(values)] if values else [])])))
    if counter.max is not None:
        sentences.append(speech.phrase("bounds.max", count=min([counter.max, *([max(values)] if values else [])])))
    return speech.joined(sentences)


def _set_to(counter: Counter, speech: CardSetPhraser) -> set[int]:
    """All that a counter can be, if it is only ever set to numbers that are known before play; else nothing."""
    if counter.die is not None or any(name == counter.id for card in speech.model.cards for name, _ in card.adds):
        return set()
    values = {counter.start}
    for listed in effect_lists(speech.model):
        if listed.when is not None and speech.constant(listed.when.expr) == 0:
            continue
        for effect in listed.effects:
            for amount in getattr(effect, "amounts", ()):
                if amount.counter == counter.id:
                    value = speech.constant(amount.formula.expr) if effect.verb == "set" else None
                    if value is None:
                        return set()
                    values.add(value)
    return values


def of_counter(counter: Counter, labels: Labels, players: int) -> str:
    """How a counter begins, and between which values it stays when so many play; empty if that says nothing."""
    speech = CardSetPhraser(labels.model, labels.language, [players])
    begins = counter_said(counter, speech) if counter.start else ""
    return plain(speech.joined([begins, bounds_said(counter, speech)]))


def of_marker(marker: Marker, labels: Labels) -> str:
    """Who holds a marker at first, how it goes on, and which ties its holder wins."""
    model, speech = labels.model, labels.speech
    sentences = [marker_said(marker, speech)]
    sentences += [speech.step(step) for step in all_steps(model) if getattr(step, "marker", "") == marker.id]
    sentences += [tie_said(tie, speech) for tie in model.winner.tie_breakers if tie.holder == marker.id]
    return plain(speech.joined(list(dict.fromkeys(sentences))))


def marker_said(marker: Marker, speech: CardSetPhraser) -> str:
    """Who holds a marker when the game begins."""
    name = speech.marker(marker.id)
    if isinstance(marker.start, int):
        first = speech.phrase("start.seat", marker=name, number=marker.start + 1)
    else:
        first = speech.phrase(f"start.{marker.start}", marker=name)
    order = speech.model.turn_order
    return speech.joined(
        [first, speech.phrase("start.order", marker=name) if order and order.marker == marker.id else ""]
    )


def of_modifier(modifier: Modifier, labels: Labels) -> str:
    """What cards a card makes different, and how."""
    return plain(modifier_said(modifier, labels.speech))


def modifier_said(modifier: Modifier, speech: CardSetPhraser) -> str:
    """What cards a card makes different, and how, with marks for bold print."""
    target = speech.join_list([target_said(name, speech) for name in modifier.applies_to], "or")
    card = speech.card_noun(modifier.card)
    title = card.form("name").strip("„”「」")
    key = "modifier.many" if modifier.capacity > 1 else "modifier"
    sentence = speech.phrase(
        key, target=target, card=title, capacity=modifier.capacity, factor=_times_said(modifier, speech)
    )
    return speech.joined([sentence, speech.phrase("modifier.late") if modifier.opens == "after_reveal" else ""])


def target_said(name: str, speech: CardSetPhraser) -> str:
    """What cards or families are called that a modifier changes."""
    noun = speech.family(name) if any(name in card.family for card in speech.model.cards) else speech.card_noun(name)
    return noun.form("name")


def _times_said(modifier: Modifier, speech: CardSetPhraser) -> str:
    """``three times``, if all amounts are multiplied alike; else what becomes of each."""
    factor = factor_of(modifier)
    if factor is None:
        parts = []
        for amount in modifier.then:
            counter, expr = speech.counter(amount.counter), amount.formula.expr
            match expr:
                case Binary("+", Name("amount"), Number(more)):
                    parts.append(speech.phrase("modifier.more", of=counter, count=more))
                case _:
                    parts.append(speech.phrase("modifier.amount", of=counter, text=_changed(expr, speech)))
        return speech.phrase("modifier.other", amounts=speech.join_list(parts))
    return (
        speech.phrase(f"modifier.{factor}")
        if speech.has(f"modifier.{factor}")
        else speech.phrase("modifier.times", factor=factor)
    )


def factor_of(modifier: Modifier) -> int | None:
    """By what a modifier multiplies all that it changes, if it does nothing else."""
    factors = {_times(amount) for amount in modifier.then}
    return factors.pop() if len(factors) == 1 else None


def _changed(expr: Expr, speech: CardSetPhraser) -> str:
    if isinstance(expr, Name) and expr.id == "amount":
        return speech.phrase("modifier.own")
    value = speech.constant(expr)
    return speech.written(expr).replace("amount", "x") if value is None else str(value)


def _times(amount: Amount) -> int | None:
    match amount.formula.expr:
        case Binary("*", Number(factor), Name("amount")) | Binary("*", Name("amount"), Number(factor)):
            return factor
    return None


def of_ability(ability: Ability, labels: Labels) -> str:
    """How many cards an ability takes, and what becomes of its own card."""
    return plain(ability_said(ability, labels.speech))


def ability_said(ability: Ability, speech: CardSetPhraser) -> str:
    """What an ability does, with marks for bold print."""
    card = speech.card_noun(ability.card)
    takes = [step for step in all_steps(speech.model) if isinstance(step, choose.ChooseStep)]
    openly = ability.when == "after_reveal" and all(speech.in_the_open(step.from_) for step in takes)
    when = "after_first" if openly else ability.when  # cards that lie in the open are not turned up
    return speech.joined(
        [
            speech.phrase(
                "ability",
                of=card,
                more=speech.phrase("ability.more", count=ability.take),
                when=speech.phrase(f"ability.{when}"),
                back=speech.phrase(f"ability.{ability.returns_to}", of=card),
            ),
            speech.phrase("ability.call", call=speech.text(ability.call)) if ability.call else "",
            speech.phrase("ability.once" if ability.per_turn == 1 else "ability.times", count=ability.per_turn),
        ]
    )


def of_trigger(trigger: Trigger, labels: Labels) -> str:
    """When a trigger is looked at, for whom, and what happens."""
    return plain(trigger_said(trigger, labels.speech))


def trigger_said(trigger: Trigger, speech: CardSetPhraser) -> str:
    """Its text; else when it is looked at, for whom, and what happens, with marks for bold print."""
    if text := speech.own_text(trigger.text):
        return text
    sentence = speech.phrase(
        "trigger",
        when=_moment(trigger.after, speech),
        who=speech.condition(trigger.who.expr),
        single=speech.phrase("trigger.single") if trigger.only == "single" else "",
        unless=speech.phrase("trigger.unless", condition=speech.condition(trigger.unless.expr))
        if trigger.unless
        else "",
        effects=speech.effects(trigger.do),
    )
    order = [order_said(trigger.by.expr, speech), speech.phrase("trigger.equal")] if trigger.by else []
    return speech.joined([sentence, *order, of_neighbours((trigger.who, trigger.unless, trigger.by), speech)])


def _moment(name: str, speech: CardSetPhraser) -> str:
    """When a trigger is looked at."""
    is_step = any(step.id == name for step in all_steps(speech.model))
    if is_step or (name == "turn" and has_label(speech.model, name)) or not speech.has(f"trigger.{name}"):
        return speech.phrase("trigger.after", label=name.replace("_", " "))
    return speech.phrase(f"trigger.{name}")


def tie_said(tie: TieBreaker, speech: CardSetPhraser) -> str:
    """What decides a tie."""
    if tie.holder:
        return speech.phrase("winner.tie_holder", marker=speech.marker(tie.holder))
    return speech.phrase(f"winner.tie_{tie.order}", of=speech.noun(tie.measure))


def winner_said(speech: CardSetPhraser) -> str:
    """Who wins, and what decides ties."""
    winner = speech.model.winner
    sentences = (
        [speech.phrase("winner.at_once", condition=speech.condition(wins.expr))] if (wins := speech.model.wins) else []
    )
    sentences.append(speech.phrase(f"winner.{winner.order}"))
    sentences += [tie_said(tie, speech) for tie in winner.tie_breakers]
    sentences.append(speech.phrase("winner.still" if winner.tie_breakers else "winner.shared"))
    sentences += [
        speech.phrase("winner.extra", seat=speech.seat(seat.id)) for seat in speech.model.extra_seats if not seat.wins
    ]
    return speech.joined(sentences)
