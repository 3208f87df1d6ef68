"""Worked examples: small tables that show how rules score, with points computed by the engine.

Each rule kind names numbers that make good examples, and this module finds cards that produce them. Each rule has its
own example, which can occur in the game: no seat has more cards than it can play, and the box has all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.events import cards_behind, measures, points_of
from draftengine.engine.position import Position
from draftengine.engine.program import OneSeatRule
from draftengine.model.cardset.pieces import card_in
from draftengine.model.flow import flow_bounds
from draftengine.model.language.builtins import HAS, LYING
from draftengine.model.language.evaluate import references
from draftengine.model.language.tree import Call, Name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.game import Game
    from draftengine.api.phrasing import CardSetPhraser
    from draftengine.api.state import State
    from draftengine.engine.program import CompiledRule
    from draftengine.model.cardset.records import Card
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.reader import Formula

SEATS = 4
"""The number of seats in an example: enough to show a first place, a tie and a last place."""
_FALLBACK = 4


class ExampleRow(Struct, frozen=True):
    """One row of an example: the points that a rule gives to seats with equal results."""

    rule: str
    seats: tuple[int, ...]
    cards: tuple[str, ...]
    """Names of the cards that the rule counts."""
    text: str
    """The counted things, in a few words."""
    points: int
    chips: bool
    """True if the rule gives chips instead of points."""


def worked(game: Game, speech: CardSetPhraser) -> tuple[ExampleRow, ...]:
    """Return the worked examples of a game, rule by rule."""
    rows: list[ExampleRow] = []
    for rule in game.program.rules:
        # No seat gets more cards than it can play. If the box has no more copies, an equivalent card replaces one.
        bounds = flow_bounds(game.model, game.players)
        cards = {card.id: card for card in game.model.cards}
        boxes = {name: card.count for name, card in cards.items()}
        tables: list[tuple[str, ...]] = []
        for hand in _cards_for(game, rule, speech)[: game.seats]:
            table: list[str] = []
            for play in hand:
                card = cards[card_in(play)]
                alike = [other.id for other in cards.values() if card.family and _counts(other) == _counts(card)]
                name = next((name for name in (card.id, *alike) if boxes[cards[name].side_of or name]), None)
                if name and len(table) < (bounds.plays_in_game if card.keep else bounds.plays):
                    boxes[cards[name].side_of or name] -= 1
                    table.append(play if name == card.id else name)
            tables.append(tuple(table))
        # In the last round, because some rules only count then.
        laid = (*tables, *[()] * (game.seats - len(tables)))
        rows += _rows(game.lay_out(Position(tables=laid, round=game.model.rounds)), rule, laid, speech)
    return tuple(rows)


def _counts(card: Card) -> object:
    return card.family[:1], card.adds, card.forms


def _rows(
    state: State, rule: CompiledRule, laid: Sequence[tuple[str, ...]], speech: CardSetPhraser
) -> Iterator[ExampleRow]:
    """Yield the rows about a rule, one for all seats with equal results.

    A ranking also shows a seat without counted cards, unless the ranking counts every card of the game. There are no
    rows if no seat gets points, except for a ranking of seats that have cards.
    """
    position = state.position
    # A formula that looks at each card of a zone may count any of the cards, which were laid for this example only.
    reads = (kind for formula in rule.model.spec.inputs() for kind, _ in references(formula.expr))
    cards = laid if "among" in reads else cards_behind(position, rule)
    points = points_of(position, rule)
    texts: list[str] = []
    ranked, program = not isinstance(rule, OneSeatRule), position.program
    counted = {program.plays[play].card for play in program.plays_read_by_rule[program.rules.index(rule)]}
    can_lack = ranked and len(counted) < len(program.model.cards)
    if isinstance(rule, OneSeatRule):
        for seat in range(program.ranked):
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
        if can_lack or cards[seat]:
            shared.setdefault((tuple(cards[seat]), text, points[seat]), []).append(seat)
    if not any(points) and not (ranked and any(cards)):
        return
    for (counted_cards, text, gained), seats in shared.items():
        yield ExampleRow(rule.model.id, tuple(seats), counted_cards, text, gained, rule.model.spec.pile is not None)


# ── Which cards ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _cards_for(game: Game, rule: CompiledRule, speech: CardSetPhraser) -> list[list[str]]:
    """Return, for each seat, the names of cards that show how a rule works."""

    def worth(formula: Formula, value: int) -> list[str]:
        amounts = speech.by_card(formula)
        return _adding(amounts, value) if amounts else _worth(game, formula.expr, value)

    formulas = rule.model.spec.inputs()
    if isinstance(rule, OneSeatRule):
        # For a counter that a modifier changes, one hand has only a card that the modifier changes, the other one more.
        read = {name for formula in formulas for _, name in references(formula.expr)}
        for modifier in game.model.modifiers:
            for counter in [amount.counter for amount in modifier.then if amount.counter in read][:1]:
                amounts = [(dict(card.adds).get(counter, 0), card.id) for card in game.model.cards]
                if adders := sorted((amount, card) for amount, card in amounts if amount):
                    low, high = adders[0][1], adders[-1][1]
                    return [[modifier.card, high], [modifier.card, low, high]]
        hands = [
            [card for formula, value in zip(formulas, values, strict=True) for card in worth(formula, value)]
            for values in rule.numbers.example_values()
            if len(values) == len(formulas)
        ]
        if hands:
            return hands
        # Two hands of different size, for a rule without example numbers. The rule's card comes first.
        names = dict.fromkeys(card for formula in formulas for card in _cards_in(game, formula.expr))
        cards = sorted(names, key=lambda card: card != rule.model.id)[:_FALLBACK]
        if not cards and not rule.model.card:
            cards = _of_different_worth(game, rule)
        return [[*cards, *cards[-1:]], cards[:-1] or cards]
    (values,) = rule.numbers.example_values()
    return [worth(formulas[0], value) for value in values]


def _cards_in(game: Game, expr: Expr) -> list[str]:
    """Return a card for each name that a formula uses: for a counter, the card that adds least to it."""
    least: dict[str, int] = {}
    for card in game.model.cards:
        for name, amount in card.adds:
            if amount > 0:
                least[name] = min(amount, least.get(name, amount))
    names = dict.fromkeys(name.removeprefix(LYING).removeprefix(HAS) for _, name in sorted(references(expr)))
    return [card for name in names for card in _worth(game, Name(name), least.get(name, 1))[:1]]


def _of_different_worth(game: Game, rule: CompiledRule) -> list[str]:
    """Return cards that score differently, for a rule whose formula names no card."""
    cards: dict[int, str] = {}
    for card in (card.id for card in game.model.cards if card.count and card.forms is None):
        state = game.lay_out(Position(tables=((card,), *[()] * (game.seats - 1)), round=game.model.rounds))
        if points := points_of(state.position, rule)[0]:
            cards.setdefault(points, card)
    return [card for _, card in sorted(cards.items())][:_FALLBACK]


def _worth(game: Game, expr: Expr, value: int) -> list[str]:
    """Return cards with which a simple formula has the value `value`; else `value` copies of one card."""
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
    return _adding({card.id: dict(card.adds).get(expr.id, 0) for card in game.model.cards}, value)


def _adding(amounts: dict[str, int], value: int) -> list[str]:
    """Return cards whose amounts add up to `value`, or to less if no amount fits the remainder."""
    cards: list[str] = []
    for amount, card in sorted(((amount, card) for card, amount in amounts.items() if amount > 0), reverse=True):
        count, value = divmod(value, amount)
        cards += [card] * count
    return cards
