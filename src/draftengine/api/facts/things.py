"""Facts about everything in a card set that has a name, such as cards, rules and triggers.

A fact is one true statement about a game, in sentences. If it gives points, it also has lines.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.phrasing.sentences import (
    ability_said,
    bounds_said,
    card_said,
    counter_said,
    marker_said,
    modifier_said,
    moment_said,
    numbers_said,
    tie_said,
    trigger_said,
)
from draftengine.model.cardset.facts import all_steps
from draftengine.model.loading.texts import own_rules
from draftengine.model.verbs.action_phrases import way_does
from draftengine.model.verbs.choose import ChooseStep
from draftengine.support.locale.catalogue import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from draftengine.api.labels import Labels
    from draftengine.api.phrasing import CardSetPhraser
    from draftengine.model.cardset.records import Ability, Card, Marker, Modifier, Trigger


Cell = tuple[str, str]
"""A heading, which may be empty, and its points, such as ``("most", "6")``."""


class Line(Struct, frozen=True, kw_only=True):
    """A line that says how many points something gives: a row of a quick reference, or a strip on a card."""

    title: str
    text: str
    """The counted things, then the moment of scoring, the numbers of players, and notes.

    An example is ``at the end: most, fewest (3–5 players); ties share``.
    """
    cells: tuple[Cell, ...] = ()
    """Pairs of a heading and its points; empty if only a sentence can express the points."""
    players: tuple[int, ...]
    """The numbers of players for which the line holds."""
    span: str = ""
    """`players` in words, in brackets; empty if the line holds for all numbers that the facts cover."""
    condition: str = ""
    """The condition under which the line holds; empty if it always holds."""
    counts: str = ""
    """The counted things, without the additions that `text` has."""
    icon: str = ""
    """The id of the card whose picture the line shows."""
    card: str = ""
    """The id of the card that the line is about, if the rule has a line for each card; otherwise empty."""
    copies: int = 0
    """The number of cards in a set; 0 if the rule scores no sets, or counts amounts printed on cards."""

    @property
    def points(self) -> list[str]:
        """The points of `cells`, in the order of their headings."""
        return [value for _, value in self.cells]


class Fact(Struct, frozen=True, kw_only=True):
    """A true statement about a game: a rule, a card with a rule of its own, or an event."""

    id: str
    title: str
    text: str
    """One or more sentences, with marks for bold print (see `draftengine.support.locale.catalogue`)."""
    written: bool = False
    """True if `text` is the card set author's; false if it was made from the rules."""
    source: tuple[str, ...] = ()
    """References to the passages of the rulebook on which the fact is based."""
    at: str = ""
    """The moment at which the rule scores: ``round``, ``game`` or the label of a step."""
    moment: str = ""
    """A sentence about the moment `at`; empty if it occurs in every round."""
    icons: tuple[str, ...] = ()
    """Ids of cards whose pictures illustrate the fact; empty if there are too many."""
    signs: tuple[str, ...] = ()
    """Ids of counted cards, one for each different picture; empty if there are too many."""
    cards: frozenset[str] = frozenset()
    """Ids of the cards that the fact counts. Cards that only change other cards are left out."""
    lines: tuple[Line, ...] = ()
    counts_others: bool = False
    """True if the fact is printed on a card but counts other cards."""

    @property
    def plain(self) -> str:
        """The text without marks."""
        return plain(self.text)


_MOST_RULES = 8
"""The largest number of rules that a card's text states in full. More rules are listed by name."""


class Things:
    """Facts about the named things of a card set, in one language and for some numbers of players."""

    def __init__(self, labels: Labels, speech: CardSetPhraser | None = None) -> None:
        """Take language, numbers of players and names from `labels`, and sentences from `speech`.

        The default for `speech` is `labels.speech`.
        """
        self.labels, self.model, self.speech = labels, labels.model, speech or labels.speech

    @cached_property
    def rules(self) -> tuple[Fact, ...]:
        """The scoring rules, phrased as in a rulebook."""
        return tuple(
            Fact(
                id=rule.id,
                title=self.labels.rule(rule.id),
                text=self.speech.rule(rule),
                source=rule.source,
                at=rule.at,
                moment=moment_said(rule.at, self.speech),
            )
            for rule in self.model.scoring
        )

    @cached_property
    def modifiers(self) -> tuple[Fact, ...]:
        """The modifiers: their cards, and the amounts that they change."""
        return self._facts(self.model.modifiers, lambda modifier: modifier_said(modifier, self.speech))

    @cached_property
    def abilities(self) -> tuple[Fact, ...]:
        """The abilities: their cards, and the cards that they let a seat take."""
        return self._facts(self.model.abilities, lambda ability: ability_said(ability, self.speech))

    @cached_property
    def triggers(self) -> tuple[Fact, ...]:
        """The triggers: when each happens, to which seats, and with which effects."""
        triggers = self._facts(self.model.triggers, lambda trigger: trigger_said(trigger, self.speech))
        return tuple(replace(fact, title=self.labels.cause(fact.id)) for fact in triggers)

    @cached_property
    def counters(self) -> tuple[Fact, ...]:
        """The start value and the bounds of each counter that declares them."""
        return self._facts(
            self.model.counters,
            lambda counter: self.speech.joined(
                [counter_said(counter, self.speech) if counter.start else "", bounds_said(counter, self.speech)]
            ),
        )

    @cached_property
    def markers(self) -> tuple[Fact, ...]:
        """The markers: who holds each first, which steps move it, and which ties it breaks."""
        model, speech = self.model, self.speech

        def stated(marker: Marker) -> str:
            sentences = [marker_said(marker, speech)]
            sentences += [speech.step(step) for step in all_steps(model) if getattr(step, "marker", "") == marker.id]
            sentences += [tie_said(tie, speech) for tie in model.winner.tie_breakers if tie.holder == marker.id]
            return speech.joined(list(dict.fromkeys(sentences)))

        return self._facts(model.markers, stated)

    def _facts(self, things: Iterable[Any], sentence: Callable[[Any], str]) -> tuple[Fact, ...]:
        return tuple(
            Fact(id=thing.id, title=self.labels.thing(thing.id), text=sentence(thing), source=thing.source)
            for thing in things
        )

    @cached_property
    def ways(self) -> tuple[Fact, ...]:
        """The actions that people choose by name: their conditions, prices and effects."""
        choices = (step for step in all_steps(self.model) if isinstance(step, ChooseStep))
        facts = []
        for step, way in ((choice, way) for choice in choices for way in choice.as_ if way.id):
            written, does = self.speech.text(way.text), way_does(step, way, self.speech)
            text = self.speech.phrase("list.sentence", text=does[:1].upper() + does[1:]) if does else ""
            title, text = self.labels.cause(way.id), written or text
            facts.append(Fact(id=way.id, title=title, text=text, written=bool(written), source=way.source))
        return tuple(facts)

    def card(self, card: Card, *, with_rules: bool = True) -> Fact:
        """Return a fact about a card: the author's text, or else its properties and (`with_rules`) its rules.

        Rules of the kind ``formula`` make long sentences. They are included only if there is nothing else to say about
        the card.
        """
        speech = self.speech
        sentences = [numbers_said(card, speech)]
        if text := speech.own_text(card.text):
            sentences.append(text)
        else:
            sentences += card_said(card, speech)
            if with_rules:
                does_something = any(sentences)
                counting = own_rules(self.model, card)
                ids = {rule.id for rule in counting if rule.kind != "formula" or rule.card or not does_something}
                rules = [fact for fact in self.rules if fact.id in ids]
                if len(rules) > _MOST_RULES:  # the list of rules has them in full
                    sentences.append(f"{self.speech.join_list([fact.title for fact in rules], 'comma')}.")
                else:
                    sentences += [fact.text for fact in rules]
                model = self.model
                bearers: list[Modifier | Ability | Trigger] = [*model.modifiers, *model.abilities, *model.triggers]
                facts = (*self.modifiers, *self.abilities, *self.triggers)
                sentences += [fact.text for fact, thing in zip(facts, bearers, strict=True) if thing.card == card.id]
        return Fact(id=card.id, title=self.labels.card(card.id), text=speech.joined(sentences), source=card.source)
