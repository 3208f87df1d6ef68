"""A game: rules for a number of players, ready to be started."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from draftengine.api import groups
from draftengine.api import turns as flow
from draftengine.api.arguments import checked_count, checked_name, checked_position, checked_seed
from draftengine.api.labels import Labels
from draftengine.api.moves import pairs
from draftengine.api.phrasing import sentences
from draftengine.api.state import State
from draftengine.api.targets import bids, target_piles
from draftengine.engine.game import start
from draftengine.engine.position import labels, lay_out, set_up
from draftengine.engine.program import RankedRule
from draftengine.model.checks.formula_uses import uses_of
from draftengine.model.language.evaluate import references

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.api.moves import Written
    from draftengine.api.ruleset import Ruleset
    from draftengine.engine.position import Position
    from draftengine.engine.program import Program
    from draftengine.model.cardset.records import CardSet


class Game:
    """A card set with its variants, for a number of players. Immutable; made by `draftengine.load`."""

    def __init__(self, ruleset: Ruleset, program: Program) -> None:
        self.ruleset = ruleset
        self.program = program
        """The compiled game: for the engine's own use."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _game_of, (self.ruleset, self.players)

    def __repr__(self) -> str:
        variants = f", variants={list(self.variants)}" if self.variants else ""
        return f"<Game {self.id}, players={self.players}{variants}>"

    @property
    def id(self) -> str:
        return self.model.id

    @property
    def title(self) -> str:
        """The title in English, or in the language that it has."""
        return self.labels.title

    @cached_property
    def labels(self) -> Labels:
        """What things are called, in English or in the language that the card set has."""
        return self.labels_in("en")

    def labels_in(self, language: str) -> Labels:
        """What things are called in a language, as far as the card set has it."""
        return Labels(self.model, language)

    def rules_about(self, card: str, labels: Labels | None = None) -> tuple[tuple[str, str], ...]:
        """The abilities and scoring rules that look at a card, each with its label and what it does.

        Raises `NotInGameError` for a card that the game does not have.
        """
        cards = {entry.id: entry for entry in self.model.cards}
        subject = cards[checked_name("card", card, cards)]
        return tuple(sentences.of_rules_about(subject, self.program, labels or self.labels))

    @cached_property
    def chip_rules(self) -> frozenset[str]:
        """The scoring rules that give chips instead of points."""
        return frozenset(
            rule.model.id for rule in self.program.rules if isinstance(rule, RankedRule) and rule.chip >= 0
        )

    @cached_property
    def turn_markers(self) -> frozenset[str]:
        """The markers that say who chooses alone, and nothing else: no formula and no tie asks for their holder."""
        asked = {name for use in uses_of(self.model) for kind, name in references(use.formula.expr) if kind == "holds"}
        return flow.choosers(self.program) - asked

    @cached_property
    def notes(self) -> frozenset[str]:
        """The counters that only keep something in mind for other effects: no rule, tie or price looks at them."""
        deciding: set[str] = set()
        for use in uses_of(self.model):
            *_, part, name = use.path.split("/")
            if use.path.startswith(("/scoring/", "/wins", "/winner/")):
                deciding |= {reference for _, reference in references(use.formula.expr)}
            elif part == "pay":
                deciding.add(name)
        return frozenset(counter.id for counter in self.model.counters) - deciding

    @cached_property
    def ranks(self) -> dict[str, int]:
        """The numbers by which cards are sorted where they lie, if all cards have one of the same kind; else none."""
        cards = [card for card in self.model.cards if card.count]
        kinds = {name for card in cards for name, _ in card.has}
        if len(kinds) != 1 or not all(card.has and card.face is None for card in cards):
            return {}
        return {card.id: number for card in cards for _, number in card.has}

    @cached_property
    def aims(self) -> dict[str, str]:
        """The open pile that a way without cards is about (what is bid for), by the ids of way and pile."""
        return target_piles(self.model, self.players)

    @cached_property
    def bids(self) -> frozenset[str]:
        """The counters that only note what was bid for: once that is settled, they say nothing any more."""
        return bids(self.model, self.aims) & self.notes

    @cached_property
    def full_title(self) -> str:
        """What the game is called, with the titles of the variants that are played."""
        return ", ".join([self.title, *(self.labels.variant(variant) for variant in self.variants)])

    @property
    def model(self) -> CardSet:
        """What the card set says: cards, zones, steps, rules, texts."""
        return self.program.model

    @property
    def players(self) -> int:
        return self.program.players

    @property
    def seats(self) -> int:
        """Players and extra seats; extra seats come last."""
        return self.program.seats

    @property
    def moments(self) -> tuple[str, ...]:
        """When rules are scored (``round``, ``game``, ...), in order."""
        return labels(self.program)

    @property
    def moments_of_rounds(self) -> frozenset[str]:
        """Those of the moments that come in every round; the others come when all rounds are over."""
        return groups.scored_in_rounds(self.program)

    @property
    def sources_of_points(self) -> tuple[str, ...]:
        """The names of everything that gives points: rules, then triggers, then cards with effects."""
        return self.program.sources_of_points

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants in force, in the order in which they apply."""
        return self.model.active

    @property
    def fingerprint(self) -> str:
        """The hash of the rules, by which records and learnt tables know them."""
        return self.program.rules_hash

    def start(self, seed: int | str, game: int = 0) -> State:
        """The first decision of game number `game` under a seed. Equal arguments deal equal games on every machine.

        Raises `WrongArgumentError` for a seed that is neither a whole number nor a text.
        """
        turned = start(self.program, checked_seed(seed), game=checked_count("the number of the game", game, 0))
        return State(self, turned.state, turned.events, seed=seed, number=game)

    def set_up(self, position: Position, seed: int | str = 0) -> State:
        """The first decision of a turn that starts from cards as they lie. Raises `WrongPositionError`."""
        turned = set_up(self.program, checked_position(position, self.seats), seed=checked_seed(seed))
        return State(self, turned.state, turned.events, seed=seed, number=0)

    def lay_out(self, position: Position, seed: int | str = 0) -> State:
        """Cards as they lie, and nobody is to choose: for asking what they are worth. Raises `WrongPositionError`."""
        laid_out = lay_out(self.program, checked_position(position, self.seats), seed=checked_seed(seed))
        return State(self, laid_out, (), seed=seed, number=0)

    def replay(self, seed: int | str, moves: Iterable[tuple[int, Written]], game: int = 0) -> State:
        """The state after moves of a game that was played before, as (seat, move). Raises `IllegalMove`."""
        state = self.start(seed, game)
        for seat, move in pairs(moves):
            state = state.commit(seat, move)
        return state


def _game_of(ruleset: Ruleset, players: int) -> Game:
    """The game that was sent to another process."""
    return ruleset.game(players)
