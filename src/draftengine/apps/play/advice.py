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
    from draftengine.apps.play.review import ReviewedChoice, GameReview
    from draftengine.bots.hints.hints import Hint, Evaluator

UNITS = {"gain": "points at once", "margin": "expected final margin"}
"""What the values of a decision are, in words."""
_INDENT = 6
_NONE_RETURNS = "What you leave does not come back to you this round."


def hint(picking: MoveBuilder, advices: Sequence[Hint], names: Names, keys: Mapping[str, str] | None = None) -> list[str]:
    """The best ways to go on, a line (or more) for each: what to type, the cards, the value, and why.

    `keys` are what is typed for cards; without them it is their numbers.
    """
    if not advices:
        return ["  There is nothing to advise on."]
    typed = [_typed(picking.rest(own.move), picking, keys) for own in advices]
    return _advice("Hint", typed, picking, advices, names)


def opinion(given: Evaluator, move: Move, names: Names) -> list[str]:
    """What the adviser thought best, and what it thinks of the move that was made."""
    style, found = names.style, given.hints()
    ranks = [f"{number}." for number in range(1, len(found) + 1)]
    lines = _advice("A bot’s opinion", ranks, MoveBuilder.of(given.view), found, names)
    own, taken = judge(given, move), _sentence(given.view, move, names)
    if own is None:
        said = f"It gave no thought to {taken}."
    elif own.better is not None:
        said = f"{taken} is about {_points(own.cost, 1)} worse than the best."
    else:
        said = f"{taken}: nothing is clearly better."
    return [*lines, *style.wrapped(style.typed(said).split(), _INDENT, "  ")]


def _advice(title: str, typed: Sequence[str], picking: MoveBuilder, advices: Sequence[Hint], names: Names) -> list[str]:
    style = names.style
    rests = [picking.rest(own.move) for own in advices]
    wide = max(4, *map(len, typed))
    unit = advices[0].unit
    none_returns = all(_returns(own) == 0 for own in advices)
    lines = [f"  {style.bold(style.typed(title))}{style.faint(f'  {UNITS.get(unit, unit)}')}"]
    for own, rest, numbers in zip(advices, rests, typed, strict=True):
        cards = sentence(rest, picking, names) or "nothing more"
        first = f"{style.accent(numbers.rjust(wide))}  {cards}  {style.bold(_value(own.value, unit))}  "
        why = _because(own, names, but="returns" if none_returns else "")
        lines += style.wrapped(style.typed(why).split(), _INDENT, first)
    if none_returns:
        lines += style.wrapped(_NONE_RETURNS.split(), _INDENT, " " * _INDENT)
    return [line.rstrip() for line in lines]


def _returns(advice: Hint) -> float | None:
    return next((own.amount for own in advice.reasons if own.kind == "returns"), None)


def _typed(rest: Sequence[PickedCard], picking: MoveBuilder, keys: Mapping[str, str] | None) -> str:
    """What a person types for the rest of a move."""
    numbers = {
        item.name: str(item.number) if keys is None else keys.get(card_in(item.name), "") for item in picking.items
    }
    return ", ".join(numbers[own.card] for own in rest) or "Enter"


def _value(value: float, unit: str) -> str:
    digits = 0 if unit == "gain" else 1
    shown = round(value, digits)
    return f"{shown:+.{digits}f}" if shown else f"{0:.{digits}f}"


# ── looking back ────────────────────────────────────────────────────────────────────────────────────────────────────


def looking_back(found: GameReview, names: Names) -> list[str]:
    """The costliest choices of a seat, each with what would have been better and why, and all of them in a sentence."""
    alone = names.seat(found.seat) == "You"
    lines = [] if alone else ["", f"  {names.style.bold(names.seat(found.seat))}"]
    for own in found.costly[:MOST]:
        lines += _costly(own, names)
    return [*lines, *_summary(found, names)]


def _costly(judged: ReviewedChoice, names: Names) -> list[str]:
    assert judged.better is not None
    style = names.style
    taken, better = (_sentence(judged.view, move, names) for move in (judged.move, judged.better.move))
    first = f"  {style.bold(moment(judged.view, names).capitalize())}  {style.bad(_points(judged.cost, 1))}: "
    lines = style.wrapped(f"{better} instead of {taken}".split(), _INDENT, first)
    if why := style.typed(_because(judged.better, names, but="returns")):
        lines += style.wrapped(why.split(), _INDENT, " " * _INDENT)
    return lines


def _summary(found: GameReview, names: Names) -> list[str]:
    who = names.seat(found.seat)
    told = found.costly[0] if found.costly else found.best
    counted = f", counted in {UNITS.get(told.unit, told.unit)}" if told is not None else ""
    if found.costly:
        points, many = _points(found.cost, 1), len(found.costly)
        text = f"{who} gave away about {points} in {many} of {found.choices} choices{counted}."
    else:
        text = f"{who} gave nothing away in {found.choices} choices{counted}."
    if found.best is not None:
        whose = "Your" if who == "You" else "The"
        card = _sentence(found.best.view, found.best.move, names)
        better = f"{_points(found.best.lead, 1)} better than the average choice there"
        text += f" {whose} best turn was {moment(found.best.view, names)}: {card}, {better}."
    return names.style.wrapped(names.style.typed(text).split(), 2, "  ")


def moment(view: View, names: Names) -> str:
    """When it was: ``round 2, turn 5``."""
    parts = [f"round {view.round}"] if names.game.model.rounds > 1 else []
    parts += [f"turn {view.turn}"] if view.turn else []
    return ", ".join(parts) or "the game"


def _sentence(view: View, move: Move, names: Names) -> str:
    return sentence(move.taken, MoveBuilder.of(view), names) or "no card"
