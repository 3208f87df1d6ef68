"""Worked examples: small tables that show what rules do, scored by the engine.

The tables follow from the rules alone. Each rule kind says which numbers make good examples, and this module finds
cards that give them. All rules are shown with the same cards, so their points add up.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.explain import cards_behind, measures, points_of
from draftengine.engine.position import Position
from draftengine.engine.program import OneSeatRule
from draftengine.model.cardset.pieces import card_in
from draftengine.model.language.evaluate import references
from draftengine.model.language.tree import Call, Name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.game import Game
    from draftengine.api.phrasing.phraser import CardSetPhraser
    from draftengine.api.state import State
    from draftengine.engine.program import CompiledRule
    from draftengine.model.language.tree import Expr

SEATS = 4
"""Enough seats to show a first place, a tie and a last place at once."""
_FALLBACK = 4


class ExampleRow(Struct, frozen=True):
    """Points from one rule for seats with equal results."""

    rule: str
    seats: tuple[int, ...]
    cards: tuple[str, ...]
    """Cards that the rule looks at."""
    text: str
    """The things that were counted, in a few words."""
    points: int
    chips: bool
    """True if the points are chips."""


class ExampleTable(Struct, frozen=True):
    """Cards before each seat, and what every rule gives for them."""

    tables: tuple[tuple[str, ...], ...]
    rows: tuple[ExampleRow, ...]
    points: tuple[tuple[str, tuple[int, ...]], ...]
    """Points of every seat by moment (``round``, ``game``)."""
    chips: bool
    """True if rules give chips, so that points do not add up."""

    def of(self, rule: str) -> tuple[ExampleRow, ...]:
        """Return the rows of a rule."""
        return tuple(row for row in self.rows if row.rule == rule)


def worked(game: Game, speech: CardSetPhraser) -> ExampleTable:
    """Return the worked examples of a game."""
    tables: list[list[str]] = [[] for _ in range(game.seats)]
    for rule in game.program.rules:
        hands = _cards_for(game, rule)
        laid = {card for table in tables for card in table}
        if not isinstance(rule, OneSeatRule) and {card for hand in hands for card in hand} <= laid:
            continue  # the cards lie there already, and more of them would spoil the examples of other rules
        for seat, cards in enumerate(hands):
            if seat < len(tables):
                _add(tables[seat], cards)
    boxes = {card.id: card.count for card in game.model.cards}
    # In the last round, because some rules only count then.
    state = game.lay_out(
        Position(tables=tuple(_fitting(table, boxes, game) for table in tables), round=game.model.rounds)
    )
    rows = tuple(row for rule in game.program.rules for row in _rows(state, rule, speech))
    moments: dict[str, list[int]] = {}
    for line in state.explain():
        moment = next(scoring_rule.at for scoring_rule in game.model.scoring if scoring_rule.id == line.rule)
        moments.setdefault(moment, [0] * game.seats)[line.seat] += line.points
    points = tuple((moment, tuple(totals)) for moment, totals in moments.items())
    return ExampleTable(state.tableaus, rows, points, bool(game.chip_rules))


def _fitting(cards: Sequence[str], boxes: dict[str, int], game: Game) -> tuple[str, ...]:
    """Return as many of the cards as `boxes` has copies of.

    If cards also count outside tableaus, those returned are removed from `boxes`, in place.
    """
    left, fitting = boxes if game.program.cards_count_elsewhere else dict(boxes), []
    for card in cards:
        name = card_in(card)
        if left[name]:
            left[name] -= 1
            fitting.append(card)
    return tuple(fitting)


def _add(table: list[str], cards: Sequence[str]) -> None:
    """Add to a table the cards that it lacks, in place."""
    there = Counter(table)
    for card in cards:
        if there[card]:
            there[card] -= 1
        else:
            table.append(card)


def _rows(state: State, rule: CompiledRule, speech: CardSetPhraser) -> Iterator[ExampleRow]:
    """Yield a row of a rule for seats with equal results, if they have something to show.

    Yields nothing if the rule gives no seat any points.
    """
    position = state.position
    cards, points = cards_behind(position, rule), points_of(position, rule)
    texts: list[str] = []
    ranked = not isinstance(rule, OneSeatRule)
    if isinstance(rule, OneSeatRule):
        for seat in range(position.program.ranked):
            values = [value(position, seat) for value in rule.inputs]
            texts.append(rule.numbers.example_text(values, points[seat], speech))
    else:
        compared = measures(position, rule)
        won = rule.awards(compared)
        texts = [
            rule.numbers.example_text(measure, award, speech) for measure, award in zip(compared, won, strict=True)
        ]
    shared: dict[tuple[tuple[str, ...], str, int], list[int]] = {}
    for seat, text in enumerate(texts):
        if ranked or cards[seat]:
            shared.setdefault((tuple(cards[seat]), text, points[seat]), []).append(seat)
    if not any(points):
        return
    for (laid, text, gained), seats in shared.items():
        yield ExampleRow(rule.model.id, tuple(seats), laid, text, gained, rule.model.spec.pile is not None)


# ── Which cards ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _cards_for(game: Game, rule: CompiledRule) -> list[list[str]]:
    """Return, for each seat, cards that show how a rule works."""
    if isinstance(rule, OneSeatRule):
        changed = _changed(game, rule)
        if changed:
            return changed
        exprs = [formula.expr for formula in rule.model.spec.inputs()]
        examples = rule.numbers.example_values()
        hands = [
            [card for expr, value in zip(exprs, values, strict=True) for card in _worth(game, expr, value)]
            for values in examples
            if len(values) == len(exprs)
        ]
        return _spread(hands or _some(game, exprs), rule.model.id, game)
    (expr,) = [formula.expr for formula in rule.model.spec.inputs()]
    (values,) = rule.numbers.example_values()
    hands = [_worth(game, expr, value) for value in values]
    turned = [scoring_rule.id for scoring_rule in game.model.scoring].index(rule.model.id) % len(hands)
    return hands[-turned:] + hands[:-turned] if len(game.model.scoring) > 1 else hands


def _spread(hands: list[list[str]], rule: str, game: Game) -> list[list[str]]:
    """Distribute example hands so that they do not all lie before the first seat."""
    index = [scoring_rule.id for scoring_rule in game.model.scoring].index(rule)
    seats = min(game.players, SEATS)
    tables: list[list[str]] = [[] for _ in range(seats)]
    for number, cards in enumerate(hands):
        tables[(index + 2 * number) % seats if len(hands) <= 2 else number % seats] += cards  # noqa: PLR2004 (a pair)
    return tables


def _changed(game: Game, rule: CompiledRule) -> list[list[str]]:
    """Return two hands for a counter that a modifier changes.

    The first is a card on the modifier, and the second has another card beside it.

    Returns an empty list if no modifier changes what the rule counts.
    """
    names = {name for formula in rule.model.spec.inputs() for _, name in references(formula.expr)}
    for modifier in game.model.modifiers:
        for counter in [amount.counter for amount in modifier.then if amount.counter in names][:1]:
            adders = sorted(
                (dict(card.adds).get(counter, 0), card.id) for card in game.model.cards if dict(card.adds).get(counter)
            )
            if adders:
                low, high = adders[0][1], adders[-1][1]
                return [[modifier.card, high], [], [], [modifier.card, low, high]]
    return []


def _some(game: Game, exprs: Sequence[Expr]) -> list[list[str]]:
    """Return two hands of different size for a rule without example numbers."""
    names = [card for expr in exprs for card in _cards_in(game, expr)]
    cards = list(dict.fromkeys(names))[:_FALLBACK]
    return [[*cards, *cards[:1]], cards[:-1]] if len(cards) > 1 else [cards * 2, cards]


def _cards_in(game: Game, expr: Expr) -> list[str]:
    """Return a card for each name that a formula uses."""
    return [card for _, name in sorted(references(expr)) for card in _worth(game, Name(name), 1)[:1]]


def _worth(game: Game, expr: Expr, value: int) -> list[str]:
    """Return cards for which a formula has a given value, in cases that are simple."""
    if value <= 0:
        return []
    if isinstance(expr, Call) and expr.function == "kinds":
        return [card for argument in expr.arguments[:value] for card in _worth(game, argument, 1)]
    if not isinstance(expr, Name):
        first = _cards_in(game, expr)
        return first[:1] * value
    base = card_in(expr.id)
    if any(card.id == base for card in game.model.cards):
        return [expr.id] * value
    members = [card.id for card in game.model.cards if expr.id in card.family and card.forms is None]
    if members:
        return [members[0]] * value
    adders = sorted(
        ((dict(card.adds)[expr.id], card.id) for card in game.model.cards if dict(card.adds).get(expr.id, 0) > 0),
        reverse=True,
    )
    cards: list[str] = []
    for amount, card in adders:
        count, value = divmod(value, amount)
        cards += [card] * count
    return cards
