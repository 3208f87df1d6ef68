"""Events: what happened in a game, who may see it, and the calculations that prove the points given."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from draftengine.engine.program import OneSeatRule, RankedRule
from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from draftengine.engine.program import CompiledRule
    from draftengine.engine.state import GameState
    from draftengine.support.locale.phrases import Phrase


EVERYONE = -1


class Event(Struct, frozen=True):
    """One thing that happened in a game.

    `kind` is one of `EVENT_KINDS`. `seat` is the seat to which it happened (-1: the table). `cards` names cards or
    plays. `seen_by` is a bit mask of the seats that see these names (`EVERYONE` = all); the others see only the number
    of cards.

    Events of the kinds ``points`` and ``awarded`` say how many points or chips a rule gave a seat. They include the
    calculation and the cards that the rule counted. For each chip that is then drawn, an event ``chip`` follows.
    """

    kind: str
    seat: int = -1
    cards: tuple[str, ...] = ()
    seen_by: int = EVERYONE
    zone: str = ""
    other: int = -1
    """Another seat, such as the giver of passed cards or the former holder."""
    name: str = ""
    """The name of the rule, trigger, ability, marker, counter or pile."""
    amount: int = 0
    text: str = ""
    """The calculation of an amount, in English; for a chip, the reason why it was drawn."""
    source: tuple[str, ...] = ()
    count: int = 0
    """The number of cards, also for seats that may not see which cards."""
    why: Phrase | None = None
    """The calculation of an amount, as a message for any language."""


EVENT_KINDS = (
    "game-started", "round-started", "turn-started", "shuffled", "dealt", "revealed", "placed", "modified",
    "ability-used", "passed", "moved", "flipped", "turned", "thrown", "marker", "rolled", "counter", "points",
    "awarded", "chip", "cleared", "discarded", "way", "asked", "stopped", "round-ended", "game-over",
)  # fmt: skip


EventSink = Callable[[Event], None] | None
"""A callback for events. ``None`` means that nobody listens, so no events are made."""


def view(event: Event, seat: int) -> Event:
    """Return the event as `seat` may know it (-1: a spectator)."""
    if event.seen_by == EVERYONE or (seat >= 0 and event.seen_by >> seat & 1):
        return event
    amount = 0 if event.kind == "chip" else event.amount
    return replace(event, cards=(), amount=amount, text="", why=None, seen_by=0)


def to_json(event: Event) -> dict[str, Any]:
    """Return the event as plain data without empty fields."""
    data: dict[str, Any] = {"kind": event.kind}
    for key in ("zone", "name", "text"):
        if getattr(event, key):
            data[key] = getattr(event, key)
    for key in ("cards", "source"):
        if getattr(event, key):
            data[key] = list(getattr(event, key))
    for key in ("seat", "other"):
        if getattr(event, key) >= 0:
            data[key] = getattr(event, key)
    if event.count:
        data["count"] = event.count
    if event.kind in {"points", "awarded", "rolled", "counter", "chip", "round-started", "turn-started"}:
        data["amount"] = event.amount
    return data


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
    """A line of a proof: the points of one seat under one rule, with the calculation."""

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

    If the rule belongs to a card, the result is empty for a seat without that card.
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
