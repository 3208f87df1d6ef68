"""The points that scoring rules give for a state, with proofs: cards, calculation and source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.program import OneSeatRule, RankedRule
from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from draftengine.engine.program import CompiledRule
    from draftengine.engine.state import GameState
    from draftengine.support.locale.phrases import Phrase


def points_of(state: GameState, rule: CompiledRule) -> tuple[int, ...]:
    """Compute the points (or chips) of each seat under one rule; seats that are not ranked get 0."""
    program = state.program
    if isinstance(rule, RankedRule):
        points = rule.points(measures(state, rule))
    else:
        values = [tuple([value(state, seat) for value in rule.inputs]) for seat in range(program.ranked)]
        points = tuple(map(rule.points, values))
    if rule.copies is not None:
        points = tuple([value and value * rule.copies(state, seat) for seat, value in enumerate(points)])
    return points + (0,) * (program.seats - program.ranked)


def measures(state: GameState, rule: RankedRule) -> tuple[int, ...]:
    """Compute the measure of each ranked seat."""
    return tuple([rule.measure(state, seat) for seat in range(state.program.ranked)])


class Line(Struct, frozen=True):
    """A line of a proof: what a rule gave to one seat, and why."""

    rule: str
    seat: int
    points: int
    cards: tuple[str, ...]
    """The plays of the seat that the rule counts, in the order of play."""
    text: str
    """The calculation in English."""
    source: tuple[str, ...]
    why: Phrase | None = None
    """The calculation as a message for any language."""


def arithmetic(state: GameState, rule: CompiledRule) -> list[Phrase | None]:
    """Return, for each seat, the calculation of one rule.

    The calculation is ``None`` for a seat that is not ranked or lacks the card of the rule.
    """
    program = state.program
    reasons: list[Phrase | None]
    if isinstance(rule, OneSeatRule):
        values = [[value(state, seat) for value in rule.inputs] for seat in range(program.ranked)]
        reasons = [rule.numbers.explain(inputs, rule.points(tuple(inputs))) for inputs in values]
    else:
        compared = measures(state, rule)
        reasons = list(map(rule.numbers.explain, compared, rule.awards(compared)))
    reasons += [None] * (program.seats - program.ranked)
    if rule.copies is None:
        return reasons
    copies = [rule.copies(state, seat) for seat in range(state.program.seats)]
    return [
        (reason if count == 1 or reason is None else said("why.copies", count=count, text=reason)) if count else None
        for reason, count in zip(reasons, copies, strict=True)
    ]


def in_english(reason: Phrase | None) -> str:
    """Return a calculation in English; empty if there is none."""
    return reason.within(spoken("en")) if reason is not None else ""


def lines(state: GameState, rule: CompiledRule) -> tuple[Line, ...]:
    """Return the proof of one rule for all seats."""
    points, cards = points_of(state, rule), cards_behind(state, rule)
    return tuple(
        Line(rule.model.id, seat, points[seat], cards[seat], in_english(why), rule.model.source, why)
        for seat, why in enumerate(arithmetic(state, rule))
    )


def cards_behind(state: GameState, rule: CompiledRule) -> list[tuple[str, ...]]:
    """Return, for each seat, the plays that a rule counts, in the order of play.

    If the rule belongs to a card, a seat without that card has no such plays.
    """
    program = state.program
    watched = program.plays_read_by_rule[program.rules.index(rule)]
    counting, names = program.counting, program.play_names
    return [
        tuple([names[play] for zone in counting for play in state.zones[zone][seat] if play in watched])
        if rule.copies is None or rule.copies(state, seat)
        else ()
        for seat in range(program.seats)
    ]
