"""What scenarios reach of a card set: rules that gave points, cards that were played, conditions that held and did not.

A rule counts once it gave points and a scenario said how many. A card counts once it lay before somebody.
A condition (a whole one, such as `when`, or the one behind `if`) should have held in one scenario and not in another;
one that depends on the number of players alone is asked as soon as a scenario is for so many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from draftengine.model.cardset.pieces import card_in
from draftengine.model.checks.formula_uses import uses_of
from draftengine.model.checks.spans import inside
from draftengine.model.language.evaluate import conditions_in
from draftengine.model.language.tree import BooleanLiteral
from draftengine.model.selection import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.api.scenario.files import CaseResult
    from draftengine.api.scenario.run import ScenarioRun
    from draftengine.api.scenario.scenario import Scenario
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.values import Formula
    from draftengine.model.selection import Document
    from draftengine.support.source import Span

Kind = Literal["rule", "card", "condition", "variant"]
_Place = tuple[str, int, int]
"""The name of a file, and where something begins and ends there."""

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
        self._scored: set[str] = set()
        self._checked: set[str] = set()
        self._played: set[str] = set()
        self._variants: set[str] = set()
        self._held: dict[_Place, set[bool]] = {}
        self._models: list[CardSet] = []

    def hear(self, formula: Formula, condition: Expr, held: bool) -> None:  # noqa: FBT001 (called by the engine)
        """A condition was evaluated."""
        self._held.setdefault(_place(inside(formula, condition.start, condition.end)), set()).add(held)

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
        self._scored |= gave
        expected = scenario.expect
        if not SAYS_POINTS.isdisjoint(expected):
            self._checked |= gave
        self._checked |= gave & set(expected.get("points", {}))
        self._played |= set(_lying(scenario, played))

    def items(self) -> tuple[Item, ...]:
        """Everything there is to reach, in the order of the file: of the game and of the variants that were played."""
        base, _ = resolve(self.document)
        models = [*([base] if base is not None else []), *self._models]
        items: dict[tuple[Kind, str, _Place], Item] = {}
        for model in models:
            for item in (*self._rules(model), *self._cards(model), *self._conditions(model), *self._of_variants(model)):
                place = ("", 0, 0) if item.kind in {"rule", "card", "variant"} else _place(item.span)
                items.setdefault((item.kind, item.name, place), item)
        return tuple(items.values())

    def is_own(self, item: Item) -> bool:
        """Does it stand in the card set itself, not in one that it extends."""
        return item.span.source.name == self.document.files[0].source.name

    def _rules(self, model: CardSet) -> Iterator[Item]:
        for rule in model.scoring:
            missing = "never scores" if rule.id not in self._scored else ""
            if not missing and rule.id not in self._checked:
                missing = "scores, but no scenario says how much"
            yield Item("rule", rule.id, rule.span, missing)

    def _cards(self, model: CardSet) -> Iterator[Item]:
        for card in model.cards:
            yield Item("card", card.id, card.span, "" if card.id in self._played else "is never played")

    def _of_variants(self, model: CardSet) -> Iterator[Item]:
        for variant in model.variants:
            yield Item("variant", variant.id, variant.span, "" if variant.id in self._variants else "is never played")

    def _conditions(self, model: CardSet) -> Iterator[Item]:
        for use in uses_of(model):
            for condition in conditions_in(use.formula.expr):
                if isinstance(condition, BooleanLiteral):
                    continue
                span = inside(use.formula, condition.start, condition.end)
                text = use.formula.text[condition.start : condition.end]
                yield Item("condition", text, span, _never(self._held.get(_place(span), set())))


def _never(held: set[bool]) -> str:
    if not held:
        return "is never asked"
    return "" if len(held) > 1 else f"is never {'false' if True in held else 'true'}"


def _place(span: Span) -> _Place:
    return span.source.name, span.start, span.end


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
