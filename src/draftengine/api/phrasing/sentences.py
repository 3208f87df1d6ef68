"""Sentences about cards, modifiers, abilities, triggers, markers and the winner.

They include marks for bold print. `phraser` phrases the scoring rules.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from draftengine.api.phrasing.payments import paid_said
from draftengine.model.cardset.effects import effect_lists, gives_points
from draftengine.model.cardset.facts import all_steps, card_points, has_label, with_most_copies
from draftengine.model.checks.context import families_asked
from draftengine.model.language.evaluate import functions_in, references
from draftengine.model.language.tree import Binary, Comparison, Name, Number
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.give import GiveStep, Ranked
from draftengine.model.verbs.turns import order_said
from draftengine.model.verbs.who import EVERYBODY
from draftengine.support.locale.catalogue import begun_small

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.phrasing import CardSetPhraser
    from draftengine.model.cardset.records import Ability, Card, Counter, Marker, Modifier, Rule, TieBreaker, Trigger
    from draftengine.model.records.reader import Formula

_TWO = 2
_MANY_FORMS = 4
"""The ratio of a wild card's forms to other cards from which a sentence names the other cards."""
_QUOTED = re.compile(r"\A[“„「]([^“„「”」]*)[”」]([^“„「]*)\Z")
"""The pattern of a name that begins with quoted words and has no other quotation marks."""


def of_neighbours(formulas: Sequence[Formula | None], speech: CardSetPhraser) -> str:
    """Return a note that both neighbours are the same player in a game of two; otherwise an empty text.

    The note is needed if formulas read both neighbours and other numbers of players are covered, too. If only two can
    play, sentences say “the other player” instead.
    """
    asked = frozenset[str]().union(*(functions_in(formula.expr) for formula in formulas if formula is not None))
    one_of_many = _TWO in speech.counts and len(speech.counts) > 1
    return speech.phrase("neighbours") if one_of_many and {"left", "right"} <= asked else ""


def moment_said(at: str, speech: CardSetPhraser) -> str:
    """Return a sentence about the moment at which rules score; empty for the end of every round."""
    if at == "round":
        return ""
    return speech.phrase("at.game") if at == "game" else speech.phrase("at", label=at)


def title_of(rule: Rule, speech: CardSetPhraser) -> str:
    """Return the label of a rule or, if the author gave none, the noun for the things that it counts."""
    if rule.labelled or rule.card:
        return speech.text(rule.label)
    formulas = rule.spec.inputs()
    noun = speech.noun(formulas[0]) if len(formulas) == 1 else speech.family_of_formulas(formulas)
    if noun is not None and noun.sort == "card":
        card = len(formulas) == 1 and any(card.id == formulas[0].text for card in speech.model.cards)
        return begun(speech.card_name(formulas[0].text) if card else noun.form("name"))  # with “The”, as on the card
    if any(counter.id == rule.id for counter in speech.model.counters):
        return begun(speech.plural(speech.counter(rule.id)))
    if len(formulas) == 1 and (of := speech.family_of(speech.by_card(formulas[0]))) is not None:
        return begun(of.form("name"))
    family = next((candidate for candidate in speech.model.families if candidate.id == rule.id), None)
    return speech.text(rule.label if family is None else family.label)


def begun(name: str) -> str:
    """Return a noun as a title: with an initial capital letter, and without quotation marks."""
    bare = _QUOTED.sub(r"\1\2", name)
    return bare[:1].upper() + bare[1:]


def families_said(card: Card, speech: CardSetPhraser) -> list[str]:
    """Return the families of a card that formulas ask for, without those that the name of the card says."""
    labels = {family.id: speech.text(family.label) for family in speech.model.families}
    name = speech.card_name(card.id).casefold()
    asked = families_asked(speech.model)
    names = [labels.get(family) or family.replace("_", " ") for family in card.family if family in asked]
    return [begun_small(label) for label in names if label.casefold()[: max(_STEM, len(label) - 2)] not in name]


_STEM = 4
"""The smallest number of characters of a word whose end may be inflected."""


def numbers_of(card: Card, speech: CardSetPhraser) -> list[str]:
    """Return the numbers printed on a card, each with its name.

    Numbers that the names of all cards in its series contain are left out. Last come the points that the card scores by
    itself, and its price.
    """
    series = [other for other in speech.model.cards if other.span == card.span]

    def is_said(key: str) -> bool:
        names = ((dict(other.has).get(key), speech.card_name(other.id)) for other in series)
        return all(number is not None and str(abs(number)) in re.findall(r"\d+", name) for number, name in names)

    numbers = [(speech.value_name(key), number) for key, number in card.has if not is_said(key)]
    if (scored := card_points(speech.model)) is not None:
        numbers.append((title_of(scored[0], speech), scored[1][card.id]))
    return [
        *(speech.phrase("card.number", name=label, number=number) for label, number in numbers),
        *paid_said(card, speech),
    ]


def numbers_said(card: Card, speech: CardSetPhraser) -> str:
    """Return a sentence with the families and the numbers on a card; empty if there are none."""
    numbers = speech.join_list([*families_said(card, speech), *numbers_of(card, speech)], "comma")
    return speech.phrase("list.sentence", text=numbers[:1].upper() + numbers[1:]) if numbers else ""


def amounts_of(card: Card, speech: CardSetPhraser) -> list[str]:
    """Return a phrase for each amount that a card adds to a counter."""
    return [speech.units(speech.counter(name), number) for name, number in card.adds]


def sides_of(card: Card, speech: CardSetPhraser) -> str:
    """Return a note with the sides of a die, or the other side of a two-sided card; empty for other cards."""
    others = [(speech.card_name(side), count) for side, count in card.sides if side != card.id]
    if card.is_die:
        others = [(speech.phrase("card.side", side=name, count=count), count) for name, count in others]
    return speech.join_list([name for name, _ in others])


def card_said(card: Card, speech: CardSetPhraser) -> Iterator[str]:
    """Yield sentences about a card: its sides and forms, what it adds, and its effects when played."""
    if sides := sides_of(card, speech):
        yield speech.phrase("card.sides", list=sides) if card.is_die else speech.phrase("card.back", side=sides)
    if card.forms is not None:
        there = with_most_copies(speech.model.cards)
        cards = [other.id for other in there if other.count and not (other.forms or other.is_die)]
        others = [other for other in cards if other not in card.forms.of]
        nearly_all = len(card.forms.of) >= _MANY_FORMS * (1 + len(others))
        names = dict.fromkeys(speech.card_noun(name).form("name") for name in (others if nearly_all else card.forms.of))
        forms = speech.join_list([*names], "or")
        if nearly_all:
            forms = speech.phrase("card.any_but" if names else "card.any", list=forms)
        match None if card.forms.when is None else card.forms.when.expr:
            case Comparison(">", Name("card" | "family"), Number(0)):
                yield speech.phrase("card.forms_before", forms=forms)
                if not card.forms.or_itself:
                    yield speech.phrase("card.forms_not_first")
            case expr if expr is None or speech.constant(expr):
                yield speech.phrase("card.forms", forms=forms)
            case expr:
                yield speech.phrase("card.forms_if", forms=forms, condition=speech.condition(expr))
        if card.forms.or_itself:
            yield speech.phrase("card.forms_itself")
        yield speech.phrase("card.formed.open" if _all_open(speech) else "card.formed")
    if card.adds:
        yield speech.phrase("card.adds", list=speech.join_list(amounts_of(card, speech)))
    if card.on_play:
        yield speech.phrase("card.on_play", effects=speech.effects(card.on_play))


def starts_said(speech: CardSetPhraser) -> Iterator[str]:
    """Yield sentences about counters that do not start at 0, and markers that have a holder at the start."""
    counters = {counter.label_of_all or counter.id: counter for counter in speech.model.counters}
    yield from (counter_said(counter, speech) for counter in counters.values() if counter.start)
    for marker in speech.model.markers:
        if marker.start != "nobody" and not _goes_at_once(marker, speech):
            yield marker_said(marker, speech)


def _goes_at_once(marker: Marker, speech: CardSetPhraser) -> bool:
    """True if every round begins by giving the marker to the seat that holds another marker."""
    first = speech.model.round[0]
    if not isinstance(first, GiveStep) or first.marker != marker.id or not isinstance(first.to, Ranked):
        return False
    return first.to.order == "most" and speech.holder(first.to.measure.expr) is not None


def counter_said(counter: Counter, speech: CardSetPhraser) -> str:
    """Return the sentence about the starting value of a counter."""
    key = "start.card" if counter.card else "start.table" if counter.per == "table" else "start"
    starts = dict(counter.starts)

    def sentence(speech: CardSetPhraser) -> str:
        start = starts.get(speech.counts[0], 0) if starts else counter.start
        return speech.phrase(key, of=speech.counter(counter.id), count=start)

    return speech.by_players(sentence)


def bounds_said(counter: Counter, speech: CardSetPhraser) -> str:
    """Return sentences about the lowest and highest value of a counter; empty if it has no bounds."""
    values = _set_to(counter, speech)
    sentences = []
    if counter.min is not None:
        sentences.append(speech.phrase("bounds.min", count=max([counter.min, *([min(values)] if values else [])])))
    if counter.max is not None:
        sentences.append(speech.phrase("bounds.max", count=min([counter.max, *([max(values)] if values else [])])))
    return speech.joined(sentences)


def _set_to(counter: Counter, speech: CardSetPhraser) -> set[int]:
    """Return all values that a counter can have, if effects only set it to constants; otherwise empty."""
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


def marker_said(marker: Marker, speech: CardSetPhraser) -> str:
    """Return the sentence about the first holder of a marker."""
    name = speech.marker(marker.id)
    if isinstance(marker.start, int):
        first = speech.phrase("start.seat", marker=name, number=marker.start + 1)
    else:
        first = speech.phrase(f"start.{marker.start}", marker=name)
    order = speech.model.turn_order
    return speech.joined(
        [first, speech.phrase("start.order", marker=name) if order and order.marker == marker.id else ""]
    )


def modifier_said(modifier: Modifier, speech: CardSetPhraser) -> str:
    """Return a sentence about the cards that a modifier changes and how, with marks for bold print."""
    asked = {name for amount in modifier.then for _, name in references(amount.formula.expr)}
    if asked & {"players", "seats"}:
        return speech.by_players(lambda players: _modifier_said(modifier, players))
    return _modifier_said(modifier, speech)


def _modifier_said(modifier: Modifier, speech: CardSetPhraser) -> str:
    target = speech.join_list([target_said(name, speech) for name in modifier.applies_to], "or")
    card = speech.card_noun(modifier.card)
    title = card.form("name").strip("„”「」")
    key = "modifier.many" if modifier.capacity > 1 else "modifier"
    factor = factor_of(modifier)
    if factor is None:
        parts = []
        for amount in modifier.then:
            counter, expr = speech.counter(amount.counter), speech.settled(amount.formula.expr)
            match expr:
                case Binary("+", Name("amount"), Number(more)):
                    parts.append(speech.phrase("modifier.more", of=counter, count=more))
                case Number() | Name("amount"):
                    parts.append(speech.phrase("modifier.amount", of=counter, text=speech.amount(expr)))
                case _:
                    parts.append(speech.phrase("modifier.formula", of=counter, text=speech.amount(expr)))
        times = speech.phrase("modifier.other", amounts=speech.join_list(parts))
    else:
        times = (
            speech.phrase(f"modifier.{factor}")
            if speech.has(f"modifier.{factor}")
            else speech.phrase("modifier.times", factor=factor)
        )
    sentence = speech.phrase(key, target=target, card=title, capacity=modifier.capacity, factor=times)
    return speech.joined([sentence, speech.phrase("modifier.late") if modifier.opens == "after_reveal" else ""])


def target_said(name: str, speech: CardSetPhraser) -> str:
    """Return the name of a card or family that a modifier changes."""
    noun = speech.family(name) if any(name in card.family for card in speech.model.cards) else speech.card_noun(name)
    return noun.form("name")


def factor_of(modifier: Modifier) -> int | None:
    """Return the factor of a modifier that multiplies all its amounts alike; ``None`` for other modifiers."""
    factors: set[int | None] = set()
    for amount in modifier.then:
        match amount.formula.expr:
            case Binary("*", Number(factor), Name("amount")) | Binary("*", Name("amount"), Number(factor)):
                factors.add(factor)
            case _:
                factors.add(None)
    return factors.pop() if len(factors) == 1 else None


def ability_said(ability: Ability, speech: CardSetPhraser) -> str:
    """Return sentences about an ability and its use, with marks for bold print."""
    card = speech.card_noun(ability.card)
    when = "after_first" if ability.when == "after_reveal" and _all_open(speech) else ability.when
    return speech.joined(
        [
            speech.phrase(
                "ability.calling" if ability.call else "ability",
                of=card,
                call=speech.text(ability.call),
                more=speech.phrase("ability.more", count=ability.take),
                when=speech.phrase(f"ability.{when}"),
                back=speech.phrase(f"ability.{ability.returns_to}", of=card),
            ),
            speech.phrase("ability.late") if when == "after_reveal" else "",
            speech.phrase("ability.once" if ability.per_turn == 1 else "ability.times", count=ability.per_turn),
            speech.phrase("ability.last"),
        ]
    )


def trigger_said(trigger: Trigger, speech: CardSetPhraser) -> str:
    """Return the author's text of a trigger, or else a sentence about its moment, seats and effects."""
    if text := speech.own_text(trigger.text):
        return text
    name = trigger.after
    is_step = any(step.id == name for step in all_steps(speech.model))
    if name == "reveal" and not is_step and _all_open(speech):
        when = speech.phrase("trigger.choice")
    elif is_step or (name == "turn" and has_label(speech.model, name)) or not speech.has(f"trigger.{name}"):
        when = speech.phrase("trigger.after", label=name.replace("_", " "))
    else:
        when = speech.phrase(f"trigger.{name}")
    each = trigger.each or trigger
    sentence = speech.phrase(
        "trigger.all" if each.who.expr == EVERYBODY.expr and trigger.only == "each" else "trigger",
        when=when,
        who=speech.condition(each.who.expr),
        single=speech.phrase("trigger.single") if trigger.only == "single" else "",
        unless=speech.phrase("trigger.unless", condition=speech.condition(trigger.unless.expr))
        if trigger.unless
        else "",
        effects=speech.effects(each.do),
    )
    if trigger.card:
        one = trigger.do == each.do  # the amounts of several copies are multiplied by their number
        sentence = speech.phrase("trigger.card.one" if one else "trigger.card", text=begun_small(sentence))
    order = [order_said(trigger.by.expr, speech), speech.phrase("trigger.equal")] if trigger.by else []
    return speech.joined([sentence, *order, of_neighbours((trigger.who, trigger.unless, trigger.by), speech)])


def _all_open(speech: CardSetPhraser) -> bool:
    """True if no seat chooses cards in secret, so that nothing is revealed."""
    chosen = (step for step in all_steps(speech.model) if isinstance(step, ChooseStep))
    return all(step.who or speech.in_the_open(step.from_) for step in chosen)


def tie_said(tie: TieBreaker, speech: CardSetPhraser) -> str:
    """Return the sentence about a tie-breaker."""
    if tie.holder:
        return speech.phrase("winner.tie_holder", marker=speech.marker(tie.holder))
    on_track = any(tie.measure.expr == Name(counter.id) and counter.track for counter in speech.model.counters)
    return speech.phrase(f"winner.tie_{tie.order}{'.track' if on_track else ''}", of=speech.noun(tie.measure))


def wins_said(speech: CardSetPhraser) -> str:
    """Return a sentence about the condition that ends the game with a win; empty if there is none."""
    wins = speech.model.wins
    return speech.phrase("winner.at_once", condition=speech.condition(wins.expr)) if wins is not None else ""


def winner_said(speech: CardSetPhraser) -> str:
    """Return sentences about the winner and the tie-breakers."""
    winner = speech.model.winner
    sentences = [sentence] if (sentence := wins_said(speech)) else []
    by_points = gives_points(speech.model)
    sentences += [speech.phrase(f"winner.{winner.order}")] if by_points else []
    sentences += [tie_said(tie, speech) for tie in winner.tie_breakers]
    shared = "winner.shared" if by_points else "winner.nobody"
    sentences.append(speech.phrase("winner.still" if winner.tie_breakers else shared))
    sentences += [
        speech.phrase("winner.extra", seat=speech.seat(seat.id)) for seat in speech.model.extra_seats if not seat.wins
    ]
    return speech.joined(sentences)
