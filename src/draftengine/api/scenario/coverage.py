"""Coverage of a card set by scenarios: which of its rules, cards, conditions and variants they test.

A rule is *reached* if it gave points and a scenario expects these points. A card is reached if it lay in front of a
seat. A condition is a whole formula such as `when`, or the part of a formula after `if`. It is reached if it was true
at one time and false at another. `HeardConditions` counts how often each condition was true and how often false.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from draftengine.model.cardset.pieces import card_in
from draftengine.model.checks.context import uses_of
from draftengine.model.language.evaluate import conditions_in
from draftengine.model.language.tree import BooleanLiteral
from draftengine.model.selection import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.api.scenario.files import CaseResult
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.checks.context import FormulaUse
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.reader import Formula
    from draftengine.model.selection import Document
    from draftengine.support.source import Span

Place = tuple[str, int, int]
"""The name of a file, and the start and end of a span in it."""


class Condition(Struct, frozen=True):
    """A whole formula that is true or false, such as `when`, or the part of a formula after `if`."""

    use: FormulaUse
    expr: Expr
    span: Span

    @property
    def text(self) -> str:
        return self.use.formula.text[self.expr.start : self.expr.end]


def conditions_of(model: CardSet) -> Iterator[Condition]:
    """Yield every condition of a card set, in the order of `uses_of`."""
    for use in uses_of(model):
        for expr in conditions_in(use.formula.expr):
            if not isinstance(expr, BooleanLiteral):
                yield Condition(use, expr, use.formula.inside(expr.start, expr.end))


class HeardConditions:
    """Counts how often each condition of a card set was true or false when games evaluated it.

    A condition is identified by its place in the file. Pass `hear` as the argument `heard` of `Ruleset.heard`.
    """

    def __init__(self) -> None:
        self.heard = 0
        self._values: dict[Place, Counter[int]] = defaultdict(Counter)
        self._known: dict[tuple[int, int], tuple[Formula, Expr, Counter[int]]] = {}
        """(formula, part, number of times that each value occurred), by the Python ids of formula and part.

        Both objects are kept, so that Python does not reuse their ids.
        """

    def hear(self, formula: Formula, expr: Expr, value: int) -> None:
        """Record the value of a condition, or of a number that a condition compares, when it is evaluated."""
        self.heard += 1
        key = id(formula), id(expr)
        if key not in self._known:
            place = place_of(formula.inside(expr.start, expr.end))
            self._known[key] = formula, expr, self._values[place]
        self._known[key][2][value] += 1

    def swap(self, other: HeardConditions) -> None:
        """Exchange all counts with `other`."""
        self.heard, other.heard = other.heard, self.heard
        self._values, other._values = other._values, self._values
        self._known, other._known = other._known, self._known

    def held(self, condition: Condition) -> Counter[int]:
        """Return the number of times that a condition was true, and that it was false, as counts by value."""
        return self.values(condition.use.formula, condition.expr)

    def values(self, formula: Formula, expr: Expr) -> Counter[int]:
        """Return, for each value of a part of a formula, the number of times that it occurred."""
        return self._values.get(place_of(formula.inside(expr.start, expr.end)), Counter())


def place_of(span: Span) -> Place:
    """Return the name of a span's file and its start and end, as a key for dictionaries."""
    return span.source.name, span.start, span.end


Kind = Literal["rule", "card", "condition", "variant"]

SAYS_POINTS = frozenset({"round", "game", "total"})
"""Keys under ``expect`` in a scenario whose values are sums over the points of all rules."""


class Item(Struct, frozen=True):
    """A rule, card, condition or variant of a card set, with the reason if no scenario reaches it."""

    kind: Kind
    name: str
    """The name of the rule, card or variant; the text of a condition."""
    span: Span
    missing: str = ""
    """The id of the message that says why the item is not reached; empty if it is reached."""

    @property
    def reached(self) -> bool:
        return not self.missing


class Coverage:
    """The rules, cards, conditions and variants of one card set that scenarios have reached so far."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.scenarios = 0
        self.conditions = HeardConditions()
        self.scored: set[str] = set()
        """Rules that gave points."""
        self.played: set[str] = set()
        """Cards that lay in front of a seat."""
        self._checked: set[str] = set()
        self._variants: set[str] = set()
        self._models: list[CardSet] = []

    def add(self, examined: CaseResult) -> None:
        """Record what a scenario reached. A scenario that could not be played is ignored."""
        game, scenario, played = examined.game, examined.scenario, examined.played
        if game is None or scenario is None or played is None:
            return
        self.scenarios += 1
        if game.model not in self._models:
            self._models.append(game.model)
        self._variants |= set(game.variants)
        rules = {event.name for event in played.events if event.kind in {"points", "awarded"} and event.amount}
        gave = rules | {line.rule for line in played.state.explain() if line.points}
        self.scored |= gave
        expected = scenario.expect
        if not SAYS_POINTS.isdisjoint(expected):
            self._checked |= gave
        self._checked |= gave & set(expected.get("points", {}))
        tables = (*scenario.position.tables, *played.tables)
        turned_up = (event.cards for event in played.events if event.kind in {"revealed", "asked"})
        self.played |= {card_in(name) for names in (*tables, *turned_up) for name in names}

    def items(self) -> tuple[Item, ...]:
        """Return all items of the base game, then the additional items of other games that scenarios played.

        The items of a game are grouped by kind, then in the order of the file.
        """
        base, _ = resolve(self.document)
        models = [*([base] if base is not None else []), *self._models]
        items: dict[tuple[Kind, str, Place], Item] = {}
        for model in models:
            listed: list[Item] = []
            for rule in model.scoring:
                missing = "test.missing.never-scores" if rule.id not in self.scored else ""
                if not missing and rule.id not in self._checked:
                    missing = "test.missing.unsaid"
                listed.append(Item("rule", rule.id, rule.span, missing))
            for card in model.cards:
                missing = "" if card.id in self.played else "test.missing.never-played"
                listed.append(Item("card", card.id, card.span, missing))
            for condition in conditions_of(model):
                held = self.conditions.held(condition)
                never = ("false" if True in held else "true") if held else "asked"
                missing = "" if len(held) > 1 else f"test.missing.never-{never}"
                listed.append(Item("condition", condition.text, condition.span, missing))
            for variant in model.variants:
                missing = "" if variant.id in self._variants else "test.missing.never-played"
                listed.append(Item("variant", variant.id, variant.span, missing))
            for item in listed:
                place = ("", 0, 0) if item.kind in {"rule", "card", "variant"} else place_of(item.span)
                items.setdefault((item.kind, item.name, place), item)
        return tuple(items.values())

    def is_own(self, item: Item) -> bool:
        """True if an item is declared in this card set, not in a card set that it extends."""
        return item.span.source.name == self.document.files[0].source.name


def summary(items: Iterable[Item]) -> dict[Kind, tuple[int, int]]:
    """Return (number reached, total) for each kind of item."""
    totals: dict[Kind, tuple[int, int]] = {}
    for item in items:
        reached, count = totals.get(item.kind, (0, 0))
        totals[item.kind] = reached + item.reached, count + 1
    return totals
