"""The differences between two card sets, in the words of the game.

A *statement* is one thing that a card set says. Statements are compared by meaning. Rules that differ only in the names
of cards are equal, so a renamed card is mentioned only once.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.facts.box import pieces_said
from draftengine.api.facts.things import Things
from draftengine.api.phrasing.sentences import amounts_of, sides_of, winner_said
from draftengine.model import limits
from draftengine.model.cardset.facts import constant
from draftengine.model.verbs.verb import with_else
from draftengine.support.locale import spoken
from draftengine.support.locale.catalogue import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.api.game import Ruleset
    from draftengine.api.phrasing import CardSetPhraser
    from draftengine.model.verbs.verb import Step


PARTS = {
    "box": "",
    "set-up": "setup",
    "round": "round",
    "cards": "",
    "scoring": "",
    "events": "",
    "end": "finish",
    "variants": "",
    "questions": "",
}
"""The parts of a rulebook in order, each with its list of steps in the card set, if it has one."""
_DECLARED = {
    "counters": ("start", "min", "max", "die", "keep"),
    "markers": ("start",),
    "zones": ("per", "seen_by", "counts", "layout"),
}
"""For each kind of named thing, the properties to compare although no sentence mentions them."""


class Statement(Struct, frozen=True):
    """One thing that a card set says."""

    part: str
    """A key of `PARTS`."""
    id: str
    about: str
    text: str
    meaning: object
    """The content of the statement without names. Statements with equal meanings differ only in words."""
    shared: bool = False
    """True if the statement is compared only when both card sets declare the thing that it is about."""


def statements(things: Things) -> Iterator[Statement]:
    """Yield all statements except those about steps.

    Scoring rules are equal if they agree for every number of players.
    """
    speech = things.speech
    yield from _of_the_box(speech)
    for modifier, fact in zip(speech.model.modifiers, things.modifiers, strict=True):
        then = [(to.counter, to.formula.text) for to in modifier.then]
        meaning = modifier.card, modifier.applies_to, then, modifier.capacity, modifier.opens
        yield Statement("cards", f"modifier {modifier.id}", speech.card_name(modifier.card), fact.plain, meaning)
    for ability, fact in zip(speech.model.abilities, things.abilities, strict=True):
        use = ability.when, ability.per_turn, ability.returns_to, ability.turns_up
        does = ability.card, ability.take, use
        yield Statement("cards", ability.id, speech.card_name(ability.card), fact.plain, does)
    for trigger, fact in zip(speech.model.triggers, things.triggers, strict=True):
        effects = [effect.sentence(speech) for effect in trigger.do]
        unless = None if trigger.unless is None else trigger.unless.text
        after = trigger.after, trigger.who.text, trigger.only, unless
        yield Statement("events", trigger.id, speech.text(trigger.label), fact.plain, (after, effects))
    for rule, fact in zip(speech.model.scoring, things.rules, strict=True):
        inputs = tuple(formula.expr for formula in rule.spec.inputs())
        values = (partial(constant, model=speech.model, players=players) for players in speech.counts)
        numbers = [rule.spec.resolve(value).numbers() for value in values]
        when = None if rule.when is None else rule.when.text
        text = speech.joined([fact.moment, fact.plain])
        yield Statement("scoring", rule.id, speech.text(rule.label), text, (rule.kind, rule.at, inputs, numbers, when))
    winner = speech.model.winner
    ties = [(tie.order, tie.measure.text) for tie in winner.tie_breakers]
    bound = f", ≤ {speech.model.rounds}" if speech.model.until and speech.model.rounds != limits.ROUNDS else ""
    rounds = str(speech.rounds or speech.phrase("turn.open")) + bound
    yield Statement("end", "rounds", "rounds", rounds, (rounds, speech.model.rounds_by))
    yield Statement("end", "winner", speech.phrase("h.end"), plain(winner_said(speech)), (winner.order, ties))
    variants = speech.model.variants
    for one in variants:  # equal ones differ if only one of them excludes others of its group
        rivals = [other for other in variants if other.group == one.group and one.group and other.id != one.id]
        titles = speech.join_list([speech.text(other.title) for other in rivals]) if rivals else ""
        text = speech.joined([speech.text(one.text), speech.phrase("not_with", list=titles) if rivals else ""])
        title = speech.text(one.title)
        yield Statement("variants", one.id, title, text or title, bool(rivals))
    for reading in speech.model.readings:
        chosen = next(option for option in reading.options if option.id == reading.chosen)
        yield Statement("questions", reading.id, speech.text(reading.question), speech.text(chosen.text), chosen.id)


def steps_in_order(steps: Sequence[Step], speech: CardSetPhraser) -> Iterator[tuple[str, str]]:
    """Yield (key, sentence) for each step, inner steps first. Steps with equal keys do the same."""
    for step in with_else(steps):
        yield from steps_in_order(speech.listed(step), speech)
        text = plain(speech.step(step))
        # A step that clears tableaus has a constant key: which cards stay is a property of the cards.
        yield step.verb if step.verb == "clear" else text, text


def _of_the_box(speech: CardSetPhraser) -> Iterator[Statement]:
    """Yield statements about the text on the box, its contents, and their declared properties."""
    model, about = speech.model, speech.model.about
    printed = {
        "players": f"{model.min_players}–{model.max_players}",
        "age": "" if about.age is None else f"{about.age}+",
        "minutes": str(about.minutes or ""),
        "author": about.author,
        "publisher": about.publisher,
        "year": str(about.year or ""),
    }
    yield from (Statement("box", f"the {name}", name, text, text) for name, text in printed.items())
    for card in model.cards:
        adds = [*amounts_of(card, speech), *(f"{speech.value_name(name)} {number}" for name, number in card.has)]
        kept = [speech.phrase("card.kept")] if card.keep else []
        name = speech.card_name(card.id)
        first = name if card.side_of else f"{card.count} × {name}"
        text = "; ".join([part for part in (first, sides_of(card, speech), *adds, *kept) if part])
        yield Statement("box", card.id, speech.card_name(card.id), text, text)
    yield from (Statement("box", f"piece {name}", text, text, text) for name, text in pieces_said(speech))
    seats = [speech.text(seat.label) for seat in model.extra_seats]
    yield from (Statement("box", f"seat {text}", text, text, text) for text in seats)
    for thing, key in [
        (thing, key) for things, keys in _DECLARED.items() for thing in getattr(model, things) for key in keys
    ]:
        value = getattr(thing, key)
        name, text = f"{speech.thing(thing.id)}: {speech.phrase(f'declared.{key}')}", str(value).lower()
        text = str(len(value)) if isinstance(value, tuple) else text
        yield Statement("box", f"{thing.id}.{key}", name, text, value, shared=True)


class Difference(Struct, frozen=True):
    """A difference between two card sets."""

    part: str
    """Part of the rulebook: box, set-up, round, cards, scoring, events, end, variants or questions."""
    about: str
    before: str
    """The text in the first card set; empty if the thing is missing there."""
    after: str
    """The text in the second card set; empty if the thing is missing there."""


def differences(first: Things, second: Things) -> tuple[Difference, ...]:
    """Return all differences, in the order of a rulebook."""
    before, after = ({(one.part, one.id): one for one in statements(things)} for things in (first, second))
    listed: list[Difference] = []
    for part, steps in PARTS.items():
        if steps:
            old, new = (
                [*steps_in_order(getattr(speech.model, steps), speech)] for speech in (first.speech, second.speech)
            )
            matched = SequenceMatcher(None, [key for key, _ in old], [key for key, _ in new], autojunk=False)
            for kind, low_a, high_a, low_b, high_b in matched.get_opcodes():
                if kind != "equal":
                    texts = (" ".join(text for _, text in run) for run in (old[low_a:high_a], new[low_b:high_b]))
                    listed.append(Difference(part, part, *texts))
        for key in dict.fromkeys([*before, *after]):
            one, other = before.get(key), after.get(key)
            known = one or other
            if known is None or known.part != part or (known.shared and not (one and other)):
                continue
            if one is None or other is None or one.meaning != other.meaning:
                listed.append(Difference(part, known.about, one.text if one else "", other.text if other else ""))
    return tuple(listed)


_TITLES = {
    "box": "h.box",
    "set-up": "h.setup",
    "round": "h.round",
    "cards": "h.special",
    "scoring": "h.scoring",
    "events": "h.events",
    "end": "h.end",
    "variants": "h.variants",
    "questions": "command.diff.questions",
}
"""For each part in `PARTS`, the key of the message with its title."""
_NAMED = frozenset(
    {("end", "rounds"), *(("box", each) for each in ("age", "author", "minutes", "players", "publisher", "year"))}
)
"""(part, thing) pairs whose names the message catalogue has, such as ``("box", "author")``."""


class ChangedThing(Struct, frozen=True):
    """One thing that differs between two card sets. Each line is a pair of a sign and a text.

    − marks a text of the old card set, + a text of the new one, and = a text that both have. ≠ marks a sentence that
    describes the difference, or says that no sentence can.
    """

    about: str
    lines: tuple[tuple[str, str], ...]


def changes_between(old: Ruleset, new: Ruleset, language: str = "en") -> Sequence[Difference]:
    """Return the differences between two card sets, with texts in a language."""
    return differences(Things(old.labels_in(language)), Things(new.labels_in(language)))


def in_parts(changes: Iterable[Difference], language: str = "en") -> Iterator[tuple[str, list[ChangedThing]]]:
    """Yield (title, changed things) for each part of the rulebook that differs."""
    words = spoken(language)
    for part, group in groupby(changes, key=lambda change: change.part):
        things = []
        for change in group:
            about = change.about
            if (part, about) in _NAMED:
                about = words.phrase(f"command.diff.{about}")
            if change.about == part:
                about = words.phrase("command.diff.steps")
            pairs: tuple[tuple[str, str], ...] = (("−", change.before), ("+", change.after))
            if change.before == change.after:
                pairs = (("=", change.after), ("≠", words.phrase("command.diff.untold")))
            elif (part, change.about) == ("end", "rounds") and change.before.isdecimal() and change.after.isdecimal():
                about = words.phrase("command.diff.rounds.other", count=int(change.after), before=change.before)
                pairs = (("≠", about),)
            things.append(ChangedThing(about, tuple(pair for pair in pairs if pair[1])))
        yield words.phrase(_TITLES[part], count=2), things
