"""Advice and reviews in words, for the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.api.labels import card_in
from draftengine.apps.play.move_builder import MoveBuilder, sentence
from draftengine.apps.play.review import MOST, judge
from draftengine.bots.hints.phrases import because as _because
from draftengine.bots.hints.phrases import points as _points

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from draftengine.api.moves import Move, PickedCard
    from draftengine.api.view import View
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.review import GameReview, ReviewedChoice
    from draftengine.bots.hints.hints import Evaluator, Hint

UNITS = {"gain": "points at once", "margin": "expected final margin"}
"""What the values of a decision are, in words."""
_INDENT = 6
_NONE_RETURNS = "What you leave does not come back to you this round."


def hint(
    picking: MoveBuilder, advices: Sequence[Hint], names: Names, keys: Mapping[str, str] | None = None
) -> list[str]:
    """The best ways to go on, a line (or more) for each: what to type, the cards, the value, and why.

    `keys` are what is typed for cards; without them it is their numbers.
    """
    if not advices:
        return ["  There is nothing to advise on."]
    typed = [_typed(picking.rest(advice.move), picking, keys) for advice in advices]
    return _advice("Hint", typed, picking, advices, names)


def opinion(given: Evaluator, move: Move, names: Names) -> list[str]:
    """What the adviser thought best, and what it thinks of the move that was made."""
    style, advices = names.style, given.hints()
    ranks = [f"{number}." for number in range(1, len(advices) + 1)]
    lines = _advice("A bot’s opinion", ranks, MoveBuilder.of(given.view), advices, names)
    choice, taken = judge(given, move), _sentence(given.view, move, names)
    if choice is None:
        text = f"It gave no thought to {taken}."
    elif choice.better is not None:
        text = f"{taken} is about {_points(choice.cost, 1)} worse than the best."
    else:
        text = f"{taken}: nothing is clearly better."
    return [*lines, *style.wrapped(style.typed(text).split(), _INDENT, "  ")]


def _advice(title: str, typed: Sequence[str], picking: MoveBuilder, advices: Sequence[Hint], names: Names) -> list[str]:
    style = names.style
    rests = [picking.rest(advice.move) for advice in advices]
    wide = max(4, *map(len, typed))
    unit = advices[0].unit
    none_returns = all(_returns(advice) == 0 for advice in advices)
    lines = [f"  {style.bold(style.typed(title))}{style.faint(f'  {UNITS.get(unit, unit)}')}"]
    for advice, rest, numbers in zip(advices, rests, typed, strict=True):
        cards = sentence(rest, picking, names) or "nothing more"
        first = f"{style.accent(numbers.rjust(wide))}  {cards}  {style.bold(_value(advice.value, unit))}  "
        why = _because(advice, names, but="returns" if none_returns else "")
        lines += style.wrapped(style.typed(why).split(), _INDENT, first)
    if none_returns:
        lines += style.wrapped(_NONE_RETURNS.split(), _INDENT, " " * _INDENT)
    return [line.rstrip() for line in lines]


def _returns(advice: Hint) -> float | None:
    return next((reason.amount for reason in advice.reasons if reason.kind == "returns"), None)


def _typed(rest: Sequence[PickedCard], picking: MoveBuilder, keys: Mapping[str, str] | None) -> str:
    """What a person types for the rest of a move."""
    numbers = {
        item.name: str(item.number) if keys is None else keys.get(card_in(item.name), "") for item in picking.items
    }
    return ", ".join(numbers[pick.card] for pick in rest) or "Enter"


def _value(value: float, unit: str) -> str:
    digits = 0 if unit == "gain" else 1
    rounded = round(value, digits)
    return f"{rounded:+.{digits}f}" if rounded else f"{0:.{digits}f}"


# ── looking back ────────────────────────────────────────────────────────────────────────────────────────────────────


def looking_back(review: GameReview, names: Names) -> list[str]:
    """The costliest choices of a seat, each with what would have been better and why, and all of them in a sentence."""
    alone = names.seat(review.seat) == "You"
    lines = [] if alone else ["", f"  {names.style.bold(names.seat(review.seat))}"]
    for choice in review.costly[:MOST]:
        lines += _costly(choice, names)
    return [*lines, *_summary(review, names)]


def _costly(judged: ReviewedChoice, names: Names) -> list[str]:
    assert judged.better is not None
    style = names.style
    taken, better = (_sentence(judged.view, move, names) for move in (judged.move, judged.better.move))
    first = f"  {style.bold(moment(judged.view, names).capitalize())}  {style.bad(_points(judged.cost, 1))}: "
    lines = style.wrapped(f"{better} instead of {taken}".split(), _INDENT, first)
    if why := style.typed(_because(judged.better, names, but="returns")):
        lines += style.wrapped(why.split(), _INDENT, " " * _INDENT)
    return lines


def _summary(review: GameReview, names: Names) -> list[str]:
    who = names.seat(review.seat)
    choice = review.costly[0] if review.costly else review.best
    counted = f", counted in {UNITS.get(choice.unit, choice.unit)}" if choice is not None else ""
    if review.costly:
        points, many = _points(review.cost, 1), len(review.costly)
        text = f"{who} gave away about {points} in {many} of {review.choices} choices{counted}."
    else:
        text = f"{who} gave nothing away in {review.choices} choices{counted}."
    if review.best is not None:
        whose = "Your" if who == "You" else "The"
        card = _sentence(review.best.view, review.best.move, names)
        better = f"{_points(review.best.lead, 1)} better than the average choice there"
        text += f" {whose} best turn was {moment(review.best.view, names)}: {card}, {better}."
    return names.style.wrapped(names.style.typed(text).split(), 2, "  ")


def moment(view: View, names: Names) -> str:
    """When it was: ``round 2, turn 5``."""
    parts = [f"round {view.round}"] if names.game.model.rounds > 1 else []
    parts += [f"turn {view.turn}"] if view.turn else []
    return ", ".join(parts) or "the game"


def _sentence(view: View, move: Move, names: Names) -> str:
    return sentence(move.taken, MoveBuilder.of(view), names) or "no card"
