"""The differences between two card sets, in the words of the game.

Rules are compared by meaning. A rule that differs only in the names of cards is equal; the other name is mentioned
once, with the card.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.api.facts.box import pieces_said
from draftengine.api.phrasing.sentences import ability_said, amounts_of, modifier_said, trigger_said, winner_said
from draftengine.model.cardset.facts import constant
from draftengine.support.locale.catalogue import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from draftengine.api.phrasing.phraser import CardSetPhraser
    from draftengine.model.cardset.records import CardSet, Rule, VariantInfo
    from draftengine.model.verbs.verb import Step


class Difference(Struct, frozen=True):
    """A difference between two card sets."""

    part: str
    """Part of the rulebook: box, set-up, round, cards, scoring, events, end, variants or questions."""
    about: str
    before: str
    """Text in the first card set; empty if it has no such thing."""
    after: str
    """Text in the second card set; empty if it has no such thing."""


def differences(first: CardSetPhraser, second: CardSetPhraser) -> tuple[Difference, ...]:
    """Return all differences, in the order of a rulebook."""
    return tuple(
        difference
        for compare in (_box, _declared, _flow, _special, _scoring, _events, _end, _variants, _questions)
        for difference in compare(first, second)
    )


def _box(first: CardSetPhraser, second: CardSetPhraser) -> Iterator[Difference]:
    for about in _about(first.model):
        before, after = (_about(speech.model)[about] for speech in (first, second))
        if before != after:
            yield Difference("box", about, before, after)
    cards_a, cards_b = ({card.id: card for card in speech.model.cards} for speech in (first, second))
    for name in dict.fromkeys([*cards_a, *cards_b]):
        before, after = (_card(speech, cards.get(name)) for speech, cards in ((first, cards_a), (second, cards_b)))
        if before != after:
            label = (first if name in cards_a else second).card_name(name)
            yield Difference("box", label, before, after)
    pieces_a, pieces_b = dict(pieces_said(first)), dict(pieces_said(second))
    for name in dict.fromkeys([*pieces_a, *pieces_b]):
        before, after = pieces_a.get(name, ""), pieces_b.get(name, "")
        if before != after:
            yield Difference("box", before or after, before, after)
    seats_a, seats_b = ([speech.text(seat.label) for seat in speech.model.extra_seats] for speech in (first, second))
    yield from (Difference("box", text, text, "") for text in seats_a if text not in seats_b)
    yield from (Difference("box", text, "", text) for text in seats_b if text not in seats_a)


def _about(model: CardSet) -> dict[str, str]:
    """Return the facts printed on the box: for whom the game is, and by whom."""
    about = model.about
    return {
        "players": f"{model.min_players}–{model.max_players}",
        "rounds": str(model.rounds),
        "age": "" if about.age is None else f"{about.age}+",
        "minutes": "" if about.minutes is None else str(about.minutes),
        "author": about.author,
        "publisher": about.publisher,
        "year": "" if about.year is None else str(about.year),
    }


_DECLARED = {
    "counters": ("start", "min", "max", "die", "keep"),
    "markers": ("start",),
    "zones": ("per", "seen_by", "counts", "layout"),
}
"""Declared properties that no sentence mentions, by kind of thing."""


def _declared(first: CardSetPhraser, second: CardSetPhraser) -> Iterator[Difference]:
    for things, keys in _DECLARED.items():
        before, after = ({thing.id: thing for thing in getattr(speech.model, things)} for speech in (first, second))
        for name in (shared for shared in before if shared in after):
            for key in keys:
                values = [getattr(declared[name], key) for declared in (before, after)]
                if values[0] != values[1]:
                    yield Difference("box", f"{first.thing(name)}: {key.replace('_', ' ')}", *map(_as_declared, values))


def _as_declared(value: object) -> str:
    """Return a declared value as a short text."""
    return str(len(value)) if isinstance(value, tuple) else str(value).lower()


def _card(speech: CardSetPhraser, card: Any) -> str:
    if card is None:
        return ""
    adds = amounts_of(card, speech)
    adds += [f"{name.replace('_', ' ')} {number}" for name, number in card.has]
    kept = [speech.phrase("card.kept")] if card.keep else []
    return "; ".join([f"{card.count} × {speech.card_name(card.id)}", *adds, *kept])


def _flow(first: CardSetPhraser, second: CardSetPhraser) -> Iterator[Difference]:
    for part, steps in (("set-up", "setup"), ("round", "round"), ("end", "finish")):
        before, after = (_told(getattr(speech.model, steps), speech) for speech in (first, second))
        matched = SequenceMatcher(None, [key for key, _ in before], [key for key, _ in after], autojunk=False)
        for kind, low_a, high_a, low_b, high_b in matched.get_opcodes():
            if kind != "equal":
                texts = (
                    " ".join(text for _, text in stretch) for stretch in (before[low_a:high_a], after[low_b:high_b])
                )
                yield Difference(part, part, *texts)


def _told(steps: Sequence[Step], speech: CardSetPhraser) -> list[tuple[str, str]]:
    """Return steps in order, each with its text and a key for comparison that omits card names."""
    sentences = []
    for step in steps:
        sentences += _told(step.within, speech)
        text = plain(speech.step(step))
        sentences.append((step.verb if step.verb == "clear" else text, text))
    return sentences


def _compared(
    part: str, pairs: tuple[dict[str, Any], dict[str, Any]], describe: Callable[[Any, bool], tuple[str, str, object]]
) -> Iterator[Difference]:
    """Yield the differences of things by id; `describe` returns label, sentence and meaning of one.

    Its second argument is true for things of the second card set.
    """
    a, b = pairs
    for name in dict.fromkeys([*a, *b]):
        before = describe(a[name], False) if name in a else ("", "", None)  # noqa: FBT003 (which of the two)
        after = describe(b[name], True) if name in b else ("", "", None)  # noqa: FBT003 (which of the two)
        if before[2] != after[2]:
            yield Difference(part, before[0] or after[0], before[1], after[1])


def _by_id(things: Sequence[Any]) -> dict[str, Any]:
    return {thing.id: thing for thing in things}


def _special(first: CardSetPhraser, second: CardSetPhraser) -> Iterator[Difference]:
    pairs = _by_id(first.model.modifiers), _by_id(second.model.modifiers)

    def modifier(thing: Any, other: bool) -> tuple[str, str, object]:  # noqa: FBT001 (which of the two)
        speech = second if other else first
        meaning = (
            thing.card,
            thing.applies_to,
            [(to.counter, to.formula.text) for to in thing.then],
            thing.capacity,
            thing.opens,
        )
        return speech.card_name(thing.card), plain(modifier_said(thing, speech)), meaning

    yield from _compared("cards", pairs, modifier)
    pairs = _by_id(first.model.abilities), _by_id(second.model.abilities)

    def ability(thing: Any, other: bool) -> tuple[str, str, object]:  # noqa: FBT001 (which of the two)
        speech = second if other else first
        meaning = (thing.card, thing.take, thing.when, thing.per_turn, thing.returns_to, thing.turns_up)
        return speech.card_name(thing.card), plain(ability_said(thing, speech)), meaning

    yield from _compared("cards", pairs, ability)


def _scoring(first: CardSetPhraser, second: CardSetPhraser) -> Iterator[Difference]:
    pairs = _by_id(first.model.scoring), _by_id(second.model.scoring)

    def rule(thing: Rule, other: bool) -> tuple[str, str, object]:  # noqa: FBT001 (which of the two)
        speech = second if other else first
        lead = (
            ""
            if thing.at == "round"
            else speech.phrase("at.game")
            if thing.at == "game"
            else speech.phrase("at", label=thing.at)
        )
        text = speech.joined([lead, plain(speech.rule(thing))])
        return speech.text(thing.label), text, _meaning(thing, speech)

    yield from _compared("scoring", pairs, rule)


def _meaning(rule: Rule, speech: CardSetPhraser) -> object:
    """Return what a rule does, for every number of players and regardless of names."""
    inputs = tuple(formula.expr for formula in rule.spec.inputs())
    counts = speech.counts
    numbers = [(players, rule.spec.resolve(_value(speech.model, players)).numbers()) for players in counts]
    when = None if rule.when is None else rule.when.text
    return rule.kind, rule.at, inputs, numbers, when


def _value(model: CardSet, players: int) -> Callable[[Any], int]:
    return lambda formula: constant(formula, model, players)


def _events(first: CardSetPhraser, second: CardSetPhraser) -> Iterator[Difference]:
    pairs = _by_id(first.model.triggers), _by_id(second.model.triggers)

    def trigger(thing: Any, other: bool) -> tuple[str, str, object]:  # noqa: FBT001 (which of the two)
        speech = second if other else first
        text = plain(trigger_said(thing, speech))
        effects = [effect.sentence(speech) for effect in thing.do]
        unless = None if thing.unless is None else thing.unless.text
        return speech.text(thing.label), text, (thing.after, thing.who.text, thing.only, unless, effects)

    yield from _compared("events", pairs, trigger)


def _end(first: CardSetPhraser, second: CardSetPhraser) -> Iterator[Difference]:
    meanings = [
        (speech.model.winner.order, [(tie.order, tie.measure.text) for tie in speech.model.winner.tie_breakers])
        for speech in (first, second)
    ]
    if meanings[0] != meanings[1]:
        yield Difference("end", first.phrase("h.end"), plain(winner_said(first)), plain(winner_said(second)))


def _variants(first: CardSetPhraser, second: CardSetPhraser) -> Iterator[Difference]:
    pairs = _by_id(first.model.variants), _by_id(second.model.variants)

    def variant(thing: Any, other: bool) -> tuple[str, str, object]:  # noqa: FBT001 (which of the two)
        speech = second if other else first
        rivals = _rivals(thing, speech)
        alone = speech.phrase("not_with", list=speech.join_list(rivals)) if rivals else ""
        return speech.text(thing.title), speech.joined([speech.text(thing.text), alone]), bool(rivals)

    yield from _compared("variants", pairs, variant)


def _rivals(variant: VariantInfo, speech: CardSetPhraser) -> list[str]:
    """Return the titles of the variants that cannot be combined with a variant."""
    group = [other for other in speech.model.variants if other.group == variant.group and variant.group]
    return [speech.text(other.title) for other in group if other.id != variant.id]


def _questions(first: CardSetPhraser, second: CardSetPhraser) -> Iterator[Difference]:
    """Yield readings that only one card set has, or that have other answers."""
    pairs = _by_id(first.model.readings), _by_id(second.model.readings)

    def question(thing: Any, other: bool) -> tuple[str, str, object]:  # noqa: FBT001 (which of the two)
        speech = second if other else first
        chosen = next(option for option in thing.options if option.id == thing.chosen)
        return speech.text(thing.question), speech.text(chosen.text), thing.chosen

    yield from _compared("questions", pairs, question)
