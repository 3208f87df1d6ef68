"""The facts of a game in one language, from which rulebooks, aids, cards and lists are printed.

A *fact* is one statement about the game in force, in sentences (`Fact`). A fact that gives points also has *lines*
(`Line`): what counts and its points, for each group of numbers of players. A renderer selects facts and lays them out
without reading the card set. Facts have no layout and know nothing of a game in progress.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.facts.box import Boxed, SetUp, boxed_cards, maker_said, pieces_said, set_up
from draftengine.api.facts.choices import (
    Assumption,
    Menu,
    Question,
    Variant,
    assumptions_of,
    exclusions_said,
    menus_and_groups,
    questions_of,
    variants_of,
)
from draftengine.api.facts.worth import Cell, Fact, Line, event_facts, scoring_facts, sections_of, special_facts
from draftengine.api.phrasing.sentences import winner_said

if TYPE_CHECKING:
    from draftengine.api.game import Ruleset
    from draftengine.api.phrasing.phraser import CardSetPhraser

__all__ = ["Assumption", "Boxed", "Cell", "Fact", "Facts", "Line", "Menu", "Question", "SetUp", "Variant", "facts_of"]


class Facts(Struct, frozen=True, kw_only=True):
    """All facts of a game, for some numbers of players."""

    maker: str
    """The sentence about author and publisher; empty if the card set names nobody."""
    rounds: str
    """The sentence about the number of rounds."""
    ends: str
    """The sentence about the end of the game."""
    box: tuple[Boxed, ...]
    """The cards in the box."""
    pieces: tuple[tuple[str, str], ...]
    """Pieces beside the cards, as (id, text)."""
    set_up: SetUp
    scoring: tuple[Fact, ...]
    """The scoring rules."""
    sections: tuple[Fact, ...]
    """The scoring rules to print, with those of a series of cards together."""
    special: tuple[Fact, ...]
    """Cards that do something besides scoring."""
    events: tuple[Fact, ...]
    """Triggers, which happen during play."""
    wins: str
    """The sentences about the winner."""
    variants: tuple[Variant, ...]
    menus: tuple[Menu, ...]
    """Menus that have names."""
    groups: tuple[Menu, ...]
    """Groups of dishes."""
    exclusions: tuple[str, ...]
    """Sentences about variants that cannot be combined."""
    questions: tuple[Question, ...]
    assumed: tuple[Assumption, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        """Lines of everything that gives points, changes them or takes cards."""
        return tuple(line for fact in (*self.sections, *self.events, *self.special) for line in fact.lines)


def facts_of(rules: Ruleset, speech: CardSetPhraser) -> Facts:
    """Return the facts in the language of a phraser, for its numbers of players."""
    scoring, variants = scoring_facts(rules, speech), tuple(variants_of(rules, speech))
    offered = [variant.id for variant in variants if variant.offered]
    until = rules.model.until
    menus, groups = menus_and_groups(rules, speech)
    return Facts(
        maker=maker_said(speech),
        rounds=speech.phrase("aim.open" if until else "aim.rounds", rounds=rules.model.rounds),
        ends=speech.phrase("end.until", condition=speech.condition(until.expr))
        if until
        else speech.phrase("end.rounds", rounds=rules.model.rounds),
        box=tuple(boxed_cards(speech, scoring)),
        pieces=tuple(pieces_said(speech)),
        set_up=set_up(speech),
        scoring=scoring,
        sections=tuple(sections_of(scoring, speech)),
        special=tuple(special_facts(speech, scoring)),
        events=tuple(event_facts(speech)),
        wins=winner_said(speech),
        variants=variants,
        menus=menus,
        groups=groups,
        exclusions=tuple(exclusions_said(rules, speech, offered)),
        questions=tuple(questions_of(rules, speech)),
        assumed=tuple(assumptions_of(speech)),
    )
