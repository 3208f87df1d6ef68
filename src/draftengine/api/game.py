"""A game: the rules for one number of players, ready to be started.

An action may lead to an open pile, as a bid does: people want to see the pile. Only the constants that an action sets
are considered.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from draftengine.api import groups
from draftengine.api import turns as flow
from draftengine.api.errors import checked_count, checked_name, checked_position, checked_seed
from draftengine.api.labels import Labels, of_rules_about
from draftengine.api.moves import pairs
from draftengine.api.state import State
from draftengine.engine.game import start
from draftengine.engine.position import labels, lay_out, set_up
from draftengine.engine.program import RankedRule
from draftengine.model.cardset.facts import all_steps, constant_facts
from draftengine.model.checks.formula_uses import uses_of
from draftengine.model.language.evaluate import constant_value, functions_in, references
from draftengine.model.language.tree import LogicalOp
from draftengine.model.records.values import Formula
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.effects import SetStep

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from draftengine.api.moves import Written
    from draftengine.api.ruleset import Ruleset
    from draftengine.engine.position import Position
    from draftengine.engine.program import Program
    from draftengine.model.cardset.facts import Constants
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.language.tree import Expr
    from draftengine.model.verbs.verb import Step


def target_piles(model: CardSet, players: int) -> dict[str, str]:
    """Return the pile of each action that leads to exactly one, by action id."""
    facts = constant_facts(model, players)
    piles = {zone.id for zone in model.zones if zone.per == "table" and zone.seen_by == "everyone" and not zone.layout}
    taken = [(pile, when) for part in (model.setup, model.round, model.finish) for pile, when in _taken(part, piles)]
    targets = {}
    for step in all_steps(model):
        for way in step.as_ if isinstance(step, ChooseStep) else ():
            amounts = [amount for effect in way.do if isinstance(effect, SetStep) for amount in effect.amounts]
            values = {amount.counter: constant_value(amount.formula.expr, facts) for amount in amounts}
            sets = {counter: int(value) for counter, value in values.items() if value is not None}
            then = constant_facts(model, players, **sets)
            candidates = {pile for pile, when in taken if sets and _because(when, facts, then)}
            candidates |= {pile for pile, _ in _taken(way.do, piles)}
            if len(candidates) == 1:
                targets[way.id] = candidates.pop()
    return targets


def bids(model: CardSet, aimed: Container[str]) -> frozenset[str]:
    """Return the counters that the `aimed` actions set."""
    steps = (step for step in all_steps(model) if isinstance(step, ChooseStep))
    ways = (way for step in steps for way in step.as_ if way.id in aimed)
    effects = (effect for way in ways for effect in way.do if isinstance(effect, SetStep))
    return frozenset(amount.counter for effect in effects for amount in effect.amounts)


def _taken(
    steps: Iterable[Step], piles: set[str], when: tuple[Expr, ...] = ()
) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    """Yield each pile that steps take from, with the conditions of the step and all outer steps."""
    for step in steps:
        conditions = [
            formula.expr for formula in (step.when, getattr(step, "who", None)) if isinstance(formula, Formula)
        ]
        asked = (*when, *(part for condition in conditions for part in _parts(condition)))
        if (source := getattr(step, "from_", None)) in piles:
            yield source, asked
        yield from _taken(step.within, piles, asked)
        for _, branch in step.branches:
            yield from _taken(branch, piles, asked)


def _parts(expr: Expr) -> Iterator[Expr]:
    """Yield the conditions that are joined by ``and``."""
    if isinstance(expr, LogicalOp) and expr.op == "and":
        yield from _parts(expr.left)
        yield from _parts(expr.right)
    else:
        yield expr


def _because(when: Iterable[Expr], before: Constants, then: Constants) -> bool:
    """True if no condition is known to fail after the change and at least one becomes known to hold.

    A condition that is still unknown may hold or not.
    """
    # values at other seats are not known
    own_seat = [condition for condition in when if not functions_in(condition)]
    known = [(constant_value(condition, before), constant_value(condition, then)) for condition in own_seat]
    return all(after != 0 for _, after in known) and any(was is None and after for was, after in known)


class Game:
    """A card set with its variants, for one number of players. Immutable; made by `draftengine.load`."""

    def __init__(self, ruleset: Ruleset, program: Program) -> None:
        self.ruleset = ruleset
        self.program = program
        """The compiled game, for use by the engine."""

    def __reduce__(self) -> tuple[Any, ...]:
        return self.ruleset.game, (self.players,)

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
        return tuple(of_rules_about(subject, self.program, labels or self.labels))

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
        return self.title_in("en")

    def title_in(self, language: str) -> str:
        """Return `full_title` in a language."""
        labels = self.labels_in(language)
        return ", ".join([labels.title, *map(labels.variant, self.variants)])

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
