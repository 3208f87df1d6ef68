"""What scenarios reach of a card set: rules that gave points, cards that were played, conditions that held and did not.

A rule counts once it gave points and a scenario said how many. A card counts once it lay before somebody.
A condition (a whole one, such as `when`, or the one behind `if`) should have held in one scenario and not in another;
one that depends on the number of players alone is asked as soon as a scenario is for so many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from draftengine.api.conditions import HeardConditions, Place, conditions_of, place_of
from draftengine.model.cardset.pieces import card_in
from draftengine.model.selection import resolve

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from draftengine.api.scenario.files import CaseResult
    from draftengine.api.scenario.run import ScenarioRun
    from draftengine.api.scenario.scenario import Scenario
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.selection import Document
    from draftengine.support.source import Span

Kind = Literal["rule", "card", "condition", "variant"]

SAYS_POINTS = frozenset({"round", "game", "total"})
"""What a scenario can expect that counts the points of every rule."""


class Item(Struct, frozen=True):
    """Something that a scenario may reach."""

    kind: Kind
    name: str
    """Of the rule, card or variant; the text of a condition."""
    span: Span
    missing: str = ""
    """What no scenario has shown; empty if there is nothing."""

    @property
    def reached(self) -> bool:
        return not self.missing


class Coverage:
    """What the scenarios about one card set have reached so far."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.scenarios = 0
        self.conditions = HeardConditions()
        self.scored: set[str] = set()
        """The rules that gave points."""
        self.played: set[str] = set()
        """The cards that lay before somebody."""
        self._checked: set[str] = set()
        self._variants: set[str] = set()
        self._models: list[CardSet] = []

    def add(self, examined: CaseResult) -> None:
        """A scenario was run."""
        game, scenario, played = examined.game, examined.scenario, examined.played
        if game is None or scenario is None or played is None:
            return
        self.scenarios += 1
        if game.model not in self._models:
            self._models.append(game.model)
        self._variants |= set(game.variants)
        gave = _gave_points(played)
        self.scored |= gave
        expected = scenario.expect
        if not SAYS_POINTS.isdisjoint(expected):
            self._checked |= gave
        self._checked |= gave & set(expected.get("points", {}))
        self.played |= set(_lying(scenario, played))

    def items(self) -> tuple[Item, ...]:
        """Everything there is to reach, in the order of the file: of the game and of the variants that were played."""
        base, _ = resolve(self.document)
        models = [*([base] if base is not None else []), *self._models]
        items: dict[tuple[Kind, str, Place], Item] = {}
        for model in models:
            for item in (*self._rules(model), *self._cards(model), *self._conditions(model), *self._of_variants(model)):
                place = ("", 0, 0) if item.kind in {"rule", "card", "variant"} else place_of(item.span)
                items.setdefault((item.kind, item.name, place), item)
        return tuple(items.values())

    def is_own(self, item: Item) -> bool:
        """Does it stand in the card set itself, not in one that it extends."""
        return item.span.source.name == self.document.files[0].source.name

    def _rules(self, model: CardSet) -> Iterator[Item]:
        for rule in model.scoring:
            missing = "never scores" if rule.id not in self.scored else ""
            if not missing and rule.id not in self._checked:
                missing = "scores, but no scenario says how much"
            yield Item("rule", rule.id, rule.span, missing)

    def _cards(self, model: CardSet) -> Iterator[Item]:
        for card in model.cards:
            yield Item("card", card.id, card.span, "" if card.id in self.played else "is never played")

    def _of_variants(self, model: CardSet) -> Iterator[Item]:
        for variant in model.variants:
            yield Item("variant", variant.id, variant.span, "" if variant.id in self._variants else "is never played")

    def _conditions(self, model: CardSet) -> Iterator[Item]:
        for condition in conditions_of(model):
            yield Item("condition", condition.text, condition.span, _never(self.conditions.held(condition)))


def _never(held: Collection[int]) -> str:
    if not held:
        return "is never asked"
    return "" if len(held) > 1 else f"is never {'false' if True in held else 'true'}"


def _gave_points(played: ScenarioRun) -> set[str]:
    """The rules that gave points, during the moves or as things lie."""
    rules = {event.name for event in played.events if event.kind in {"points", "awarded"} and event.amount}
    return rules | {line.rule for line in played.state.explain() if line.points}


def _lying(scenario: Scenario, played: ScenarioRun) -> Iterator[str]:
    """The cards that lay before somebody: at the beginning, revealed by moves, at the end."""
    revealed = (card for event in played.events if event.kind in {"revealed", "asked"} for card in event.cards)
    names: Iterable[str] = (card for table in (*scenario.position.tables, *played.tables) for card in table)
    for name in (*names, *revealed):
        yield card_in(name)


def summary(items: Iterable[Item]) -> dict[Kind, tuple[int, int]]:
    """By kind how many are reached, and of how many."""
    totals: dict[Kind, tuple[int, int]] = {}
    for item in items:
        reached, count = totals.get(item.kind, (0, 0))
        totals[item.kind] = reached + item.reached, count + 1
    return totals
