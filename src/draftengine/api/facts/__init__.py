"""Facts of a game in one language, from which rulebooks, player aids, cards and lists are printed.

A *fact* is one statement about the game, in sentences (`Fact`). A fact that gives points also has *lines* (`Line`). A
line says which cards count and how many points they give, for all numbers of players with the same points. Rulebooks
and other pages select facts and lay them out without reading the card set. Facts have no layout and do not depend on a
game in progress.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from draftengine.api.facts import choices
from draftengine.api.facts.box import Boxed, SetUp, boxed_cards, maker_said, pieces_said, set_up
from draftengine.api.facts.choices import Assumption, Menu, Question, Variant
from draftengine.api.facts.steps import Flow, StepList, flow_of, list_of, steps_said
from draftengine.api.facts.things import Cell, Fact, Line, Things
from draftengine.api.facts.worth import event_facts, scoring_facts, sections_of, special_facts
from draftengine.api.labels import Labels
from draftengine.api.phrasing.sentences import winner_said
from draftengine.model.cardset.facts import steps_of_round

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.api.game import Ruleset
    from draftengine.api.phrasing import CardSetPhraser

__all__ = ["Assumption", "Boxed", "Cell", "Fact", "Facts", "Line", "Menu", "Question", "SetUp", "Things", "Variant"]


class Facts:
    """All facts of a game in one language, for some numbers of players. Each fact is made when first read."""

    def __init__(self, rules: Ruleset, speech: CardSetPhraser) -> None:
        """Prepare the facts of `rules` in the language of `speech`, for the numbers of players it covers."""
        self.rules, self.speech = rules, speech
        self.things = Things(Labels(rules.model, speech.language), speech)

    @cached_property
    def maker(self) -> str:
        """The sentence about author and publisher; empty if the card set names nobody."""
        return maker_said(self.speech)

    @cached_property
    def rounds(self) -> str:
        """The sentence about the number of rounds. It mentions collecting cards if scoring rules count cards."""
        key = "aim.open" if self.rules.model.until else "aim.rounds"
        collected = any(fact.cards for fact in self.scoring)
        return self._for_each_number(key if collected else f"{key}.bare")

    def _for_each_number(self, key: str) -> str:
        """Return a sentence about the number of rounds, for each such number if it depends on the players."""
        rounds = self.rules.model.rounds_with
        return self.speech.by_players(lambda speech: speech.phrase(key, rounds=rounds(speech.counts[0])))

    @cached_property
    def ends(self) -> str:
        """The sentence about the end of the game."""
        if until := self.rules.model.until:
            return self.speech.phrase("end.until", condition=self.speech.condition(until.expr))
        return self._for_each_number("end.rounds")

    @cached_property
    def box(self) -> tuple[Boxed, ...]:
        """The cards in the box."""
        return tuple(boxed_cards(self.speech, self.scoring))

    @cached_property
    def pieces(self) -> tuple[tuple[str, str], ...]:
        """Chips, markers, cubes and dice in the box, as pairs of id and text."""
        return tuple(pieces_said(self.speech))

    @cached_property
    def set_up(self) -> SetUp:
        """The parts of the set-up that are not steps of the card set."""
        return set_up(self.speech)

    @cached_property
    def setup_steps(self) -> StepList:
        """The steps before the first round."""
        return list_of(self.rules.model.setup, self.speech)

    @cached_property
    def round_steps(self) -> tuple[str, ...]:
        """The steps of a round, as a numbered list."""
        return steps_said(steps_of_round(self.rules.model), self.speech)

    @cached_property
    def finish_steps(self) -> StepList:
        """The steps after the last round."""
        return list_of(self.rules.model.finish, self.speech)

    @cached_property
    def flow(self) -> Flow:
        """The stages of a round, for a picture."""
        return flow_of(self.speech)

    @cached_property
    def scoring(self) -> tuple[Fact, ...]:
        """The scoring rules."""
        return scoring_facts(self.rules, self.things)

    @cached_property
    def sections(self) -> tuple[Fact, ...]:
        """The scoring rules as they are printed: rules for a series of similar cards are joined into one fact."""
        return _once(sections_of(self.scoring, self.speech))

    @cached_property
    def special(self) -> tuple[Fact, ...]:
        """Cards that do something besides scoring."""
        return _once(special_facts(self.things, self.scoring))

    @cached_property
    def events(self) -> tuple[Fact, ...]:
        """The triggers, whose effects happen during play."""
        return tuple(event_facts(self.things))

    @cached_property
    def wins(self) -> str:
        """The sentences about the winner."""
        return winner_said(self.speech)

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """All variants, including those of menus."""
        return tuple(choices.variants_of(self.rules, self.speech))

    @cached_property
    def menus(self) -> tuple[Menu, ...]:
        """The menus with names. A menu is a list of variants that are played together."""
        return choices.menus_and_groups(self.rules, self.speech)[0]

    @cached_property
    def groups(self) -> tuple[Menu, ...]:
        """Groups of variants (*dishes*) from which players always choose a fixed number."""
        return choices.menus_and_groups(self.rules, self.speech)[1]

    @cached_property
    def exclusions(self) -> tuple[str, ...]:
        """Sentences about variants that cannot be combined."""
        offered = [variant.id for variant in self.variants if variant.offered]
        return tuple(choices.exclusions_said(self.rules, self.speech, offered))

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Questions that the rules leave open."""
        return tuple(choices.questions_of(self.rules, self.speech))

    @cached_property
    def assumed(self) -> tuple[Assumption, ...]:
        """Assumptions about the rules that no document confirms."""
        return tuple(choices.assumptions_of(self.speech))

    @property
    def lines(self) -> tuple[Line, ...]:
        """Lines about everything that gives points, changes points or takes cards."""
        return tuple(line for fact in (*self.sections, *self.events, *self.special) for line in fact.lines)


def _once(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the facts without repetitions: copies of a card that are told apart have the same rules."""
    first: dict[tuple[str, str], Fact] = {}
    for fact in facts:
        first.setdefault((fact.title, fact.text), fact)
    return tuple(first.values())
