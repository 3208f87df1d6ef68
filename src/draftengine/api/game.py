"""A game: the rules for one number of players, ready to be started."""

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
    """A card set with its variants, for one number of players. Immutable; made by `draftengine.load`."""

    def __init__(self, ruleset: Ruleset, program: Program) -> None:
        self.ruleset = ruleset
        self.program = program
        """The compiled game, for use by the engine."""

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
        """The title in English, or in another language of the card set if there is no English one."""
        return self.labels.title

    @cached_property
    def labels(self) -> Labels:
        """Labels in English, or in another language of the card set where English is missing."""
        return self.labels_in("en")

    def labels_in(self, language: str) -> Labels:
        """Return the labels in a language. Texts that the card set lacks in it fall back to others."""
        return Labels(self.model, language)

    def rules_about(self, card: str, labels: Labels | None = None) -> tuple[tuple[str, str], ...]:
        """Return (label, text) for each ability and scoring rule that looks at a card.

        Raises `NotInGameError` for a card that the game does not have.
        """
        cards = {entry.id: entry for entry in self.model.cards}
        subject = cards[checked_name("card", card, cards)]
        return tuple(sentences.of_rules_about(subject, self.program, labels or self.labels))

    @cached_property
    def chip_rules(self) -> frozenset[str]:
        """Ids of the scoring rules that award chips instead of points."""
        return frozenset(
            rule.model.id for rule in self.program.rules if isinstance(rule, RankedRule) and rule.chip >= 0
        )

    @cached_property
    def turn_markers(self) -> frozenset[str]:
        """Markers that only say which seat chooses alone: no formula and no tie-breaker reads them."""
        asked = {name for use in uses_of(self.model) for kind, name in references(use.formula.expr) if kind == "holds"}
        return flow.choosers(self.program) - asked

    @cached_property
    def notes(self) -> frozenset[str]:
        """Counters that only control play: no scoring rule, winner rule, tie-breaker or price uses them."""
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
        """The number on each card, by which cards are sorted.

        Empty unless every card has a number of one common kind and no card has a face.
        """
        cards = [card for card in self.model.cards if card.count]
        kinds = {name for card in cards for name, _ in card.has}
        if len(kinds) != 1 or not all(card.has and card.face is None for card in cards):
            return {}
        return {card.id: number for card in cards for _, number in card.has}

    @cached_property
    def aims(self) -> dict[str, str]:
        """The open pile that each action without cards is about, such as the prize of a bid, by action id."""
        return target_piles(self.model, self.players)

    @cached_property
    def bids(self) -> frozenset[str]:
        """Counters that only note a bid. They say nothing once the bid is settled."""
        return bids(self.model, self.aims) & self.notes

    @cached_property
    def full_title(self) -> str:
        """The title of the game, followed by the titles of the variants in force."""
        return ", ".join([self.title, *(self.labels.variant(variant) for variant in self.variants)])

    @property
    def model(self) -> CardSet:
        """The content of the card set: cards, zones, steps, rules, texts."""
        return self.program.model

    @property
    def players(self) -> int:
        return self.program.players

    @property
    def seats(self) -> int:
        """The number of players and extra seats. Extra seats come last."""
        return self.program.seats

    @property
    def moments(self) -> tuple[str, ...]:
        """Labels of the scoring moments (``round``, ``game``, ...), in order."""
        return labels(self.program)

    @property
    def moments_of_rounds(self) -> frozenset[str]:
        """The moments that occur in every round. The others come after the last round."""
        return groups.scored_in_rounds(self.program)

    @property
    def sources_of_points(self) -> tuple[str, ...]:
        """Names of everything that gives points: rules, then triggers, then cards with effects."""
        return self.program.sources_of_points

    @property
    def variants(self) -> tuple[str, ...]:
        """Variants in force, in the order in which they apply."""
        return self.model.active

    @property
    def fingerprint(self) -> str:
        """The hash of the rules, which identifies them in records and learnt tables."""
        return self.program.rules_hash

    def start(self, seed: int | str, game: int = 0) -> State:
        """Return the first decision of game number `game` under a seed.

        Equal arguments deal equal games on every machine. Raises `WrongArgumentError` for a seed that is neither a
        whole number nor a text, or for a negative `game`.
        """
        turned = start(self.program, checked_seed(seed), game=checked_count("the number of the game", game, 0))
        return State(self, turned.state, turned.events, seed=seed, number=game)

    def set_up(self, position: Position, seed: int | str = 0) -> State:
        """Return the first decision of a turn that starts from the given cards.

        Raises `WrongPositionError`.
        """
        turned = set_up(self.program, checked_position(position, self.seats), seed=checked_seed(seed))
        return State(self, turned.state, turned.events, seed=seed, number=0)

    def lay_out(self, position: Position, seed: int | str = 0) -> State:
        """Return a state with the given cards in which no seat chooses, for scoring them.

        Raises `WrongPositionError`.
        """
        laid_out = lay_out(self.program, checked_position(position, self.seats), seed=checked_seed(seed))
        return State(self, laid_out, (), seed=seed, number=0)

    def replay(self, seed: int | str, moves: Iterable[tuple[int, Written]], game: int = 0) -> State:
        """Return the state after `moves`, which are (seat, move) pairs from the start of the game.

        Raises `IllegalMove`.
        """
        state = self.start(seed, game)
        for seat, move in pairs(moves):
            state = state.commit(seat, move)
        return state


def _game_of(ruleset: Ruleset, players: int) -> Game:
    """Return a game from its pickled parts."""
    return ruleset.game(players)
