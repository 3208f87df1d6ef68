"""Do counters and points stay within bounds that can be proved, and can what was added be taken back."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from draftengine.model.cardset.amounts import MAX_MODIFIERS, modifiers_for
from draftengine.model.cardset.effects import cards_wander, effect_lists
from draftengine.model.cardset.facts import MAX_POINTS, most_points
from draftengine.model.cardset.pieces import MOST_PIECES, pieces_in
from draftengine.model.checks.spans import word_in
from draftengine.model.diagnostics.diagnostic import Diagnostic
from draftengine.model.verbs import points
from draftengine.model.verbs.add import Changing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import Card, CardSet, Rule
    from draftengine.model.checks.context import CheckContext
    from draftengine.model.records.values import Formula
    from draftengine.model.verbs.verb import Step
    from draftengine.support.source import Span

MAX_WIDTH = 1 << 20
"""The range of a counter: packed words have to stay small."""


def check_cards(model: CardSet) -> Iterator[Diagnostic]:
    """Modifiers that meet on one card, and cards that leave a tableau with what modifiers made of them."""
    if cards_wander(model):
        yield from _told_apart(model)
    for card in model.cards:
        applied = modifiers_for(model, card)
        if len(applied) > MAX_MODIFIERS:
            message = f"{len(applied)} modifiers apply to “{card.id}”; at most {MAX_MODIFIERS} can."
            yield Diagnostic(
                "too-many-modifiers", "error", message, card.span, f"/cards/{card.id}", "Merge some of them."
            )
        yield from _wild_cards_that_leave(model, card)
    yield from _pieces_told_apart(model)


def _pieces_told_apart(model: CardSet) -> Iterator[Diagnostic]:
    """Where cards on modifiers leave, or modifiers do, everything as what one can lie is a play of its own."""
    pieces = list(pieces_in(model))
    if sum(count for _, count in pieces) > MOST_PIECES:
        card, count = max(pieces, key=itemgetter(1))
        message = f"Cards that modifiers change, and those that change them, can lie in more than {MOST_PIECES} ways."
        hint = f"“{card.id}” alone can in {count}: let fewer cards leave, or fewer modifiers apply to them."
        first = model.modifiers[0]
        yield Diagnostic("too-many-pieces", "error", message, first.span, f"/modifiers/{first.id}", hint)


def _told_apart(model: CardSet) -> Iterator[Diagnostic]:
    """Where cards count in several zones, or leave one, everybody has to see which of them goes."""
    card = next((card for card in model.cards if card.face is not None), None)
    if card is not None:
        message = "No cards can share a face where cards count in several zones, or leave one before it is cleared."
        hint = "Leave that out, or let cards count in the tableau alone, until it is cleared."
        path = f"/cards/{card.id}/face"
        yield Diagnostic("card-not-plain", "error", message, word_in(card.span, "face"), path, hint)


def check_bounds(model: CardSet) -> Iterator[Diagnostic]:
    """Counters that would have to be above and below at once."""
    for counter in model.counters:
        if counter.min is not None and counter.max is not None and counter.min > counter.max:
            message = f"The counter “{counter.id}” cannot be at least {counter.min} and at most {counter.max}."
            yield Diagnostic(
                "out-of-range", "error", message, counter.span, f"/counters/{counter.id}", "Exchange “min” and “max”."
            )


def _wild_cards_that_leave(model: CardSet, card: Card) -> Iterator[Diagnostic]:
    """An ability takes its own card back, which lies there as itself: no wild card does, and none is that card."""
    for ability in model.abilities:
        if card.forms and ability.returns_to != "stays" and ability.card in {card.id, *card.forms.of}:
            if ability.card == card.id:
                message = (
                    f"“{card.id}” is laid down as another card, so the ability “{ability.id}” cannot take it back."
                )
                hint = "Take its forms away, or let it stay (returns_to: stays)."
            else:
                forms = f"“{card.id}” can be played as “{ability.card}”"
                message = f"{forms}, which the ability “{ability.id}” takes out of the tableau."
                hint = f"Leave “{ability.card}” out of the forms, or let the ability's card stay (returns_to: stays)."
            yield Diagnostic("wild-card-leaves", "error", message, card.forms.span, f"/cards/{card.id}/forms", hint)


def _effects(model: CardSet) -> Iterator[tuple[str, Step]]:
    for listed in effect_lists(model):
        yield from ((listed.path, effect) for effect in listed.effects)


def check_copies(table: CheckContext) -> Iterator[Diagnostic]:
    """Tables of copies that lack a number of players."""
    for card in table.model.cards:
        if card.counts and table.players not in dict(card.counts):
            message = f"How many “{card.id}” there are is not said."
            hint = f"Add {table.players}: and a number; 0 keeps the card out."
            span = word_in(card.span, "count")
            yield Diagnostic("missing-player-count", "error", message, span, f"/cards/{card.id}/count", hint)


def check_counters(table: CheckContext) -> Iterator[Diagnostic]:
    """Counters without bounds, and counters with bounds too far apart."""
    declared = {counter.id: counter for counter in table.model.counters}
    for info in table.counters:
        if info.bounded and info.high - info.low <= MAX_WIDTH:
            continue
        counter = declared.get(info.id)
        span = counter.span if counter else _changed_at(table.model, info.id)
        hint = f"Declare its bounds: counters: {{{info.id}: {{min: 0, max: 20}}}}."
        message = f"Nothing limits the counter “{info.id}”."
        if info.bounded:
            message = f"The counter “{info.id}” can become as large as {max(info.high, -info.low)}."
            hint = "Let cards add less."
        yield Diagnostic("counter-unlimited", "error", message, span, f"/counters/{info.id}", hint)


def _changed_at(model: CardSet, counter: str) -> Span:
    changing = (effect for _, effect in _effects(model) if isinstance(effect, Changing))
    changes = [amount.span for effect in changing for amount in effect.amounts if amount.counter == counter]
    changes += [change.span for modifier in model.modifiers for change in modifier.then if change.counter == counter]
    changes += [word_in(card.span, counter) for card in model.cards if counter in dict(card.adds)]
    return changes[0]


def check_points(table: CheckContext) -> Iterator[Diagnostic]:
    """Points stay within what formulas count on: by induction, as all changes together do."""
    total = 0
    for size, span, path in _changes(table):
        total += size
        if total > MAX_POINTS:
            message = f"Points could grow beyond {MAX_POINTS} here."
            hint = "Limit what is scored, for example with min(…, 100)."
            yield Diagnostic("points-unlimited", "error", message, span, path, hint)
            return


def _changes(table: CheckContext) -> Iterator[tuple[int, Span, str]]:
    """How much everything that gives points can change them in a whole game."""
    scored = dict(table.plan.scored)
    for rule in table.model.scoring:
        yield scored.get(rule.at, 0) * _most_points(rule, table), rule.span, rule.path
    again = sum(ability.take * ability.per_turn for ability in table.model.abilities)
    plays = table.plan.plays_in_game + again * table.plan.reveals
    for listed in effect_lists(table.model):
        yield from _effect_changes(table, listed.effects, listed.times(table.plan, plays), listed.path)


def _effect_changes(
    table: CheckContext, effects: tuple[Step, ...], times: int, path: str
) -> Iterator[tuple[int, Span, str]]:
    for effect in effects:
        if isinstance(effect, points.PointsStep):
            yield times * _size(effect.amount, table), effect.amount.span, path


def _size(formula: Formula, table: CheckContext) -> int:
    checked = table.checked(formula)
    return max(abs(checked.low), abs(checked.high))


def _most_points(rule: Rule, table: CheckContext) -> int:
    copies = table.most.get(rule.card, 1)
    return max(1, copies) * most_points(rule, table.model, table.players, table.seat)
