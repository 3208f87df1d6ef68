"""Effects of played cards and triggers, and scoring: what changes points, counters and markers."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.events import Event
from draftengine.engine.explain import arithmetic, cards_behind
from draftengine.engine.program import RankedRule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.flow.instruction import Tell
    from draftengine.engine.program import Change, CompiledRule, Field, Watch
    from draftengine.engine.state import State


class Due(Struct, frozen=True):
    """An effect that is about to happen to a seat."""

    change: Change
    values: Sequence[int]
    """Its points, or what it says of each of its counters."""


def carry_out(state: State, effect: int, seat: int, cause: str, tell: Tell, source: tuple[str, ...] = ()) -> None:
    """Carry out one effect for a seat. `cause` is the card or trigger it comes from."""
    change = state.program.effects[effect]
    _EFFECTS[change.kind](state, _due(state, change, seat), seat, cause, tell, source)


def _due(state: State, change: Change, seat: int) -> Due:
    """Read all that an effect needs, before anything is done."""
    if change.value is not None:
        return Due(change, (change.value(state, seat),))
    return Due(change, [amount.value(state, seat) for amount in change.amounts])


def expect(state: State, effect: int, seat: int) -> int:
    """What can be expected of an effect: its points, and counters as it leaves them, a die with its middle side up.

    A chip is worth the mean of its pile. Markers are left out, and discards of more than one kind of card.
    """
    change = state.program.effects[effect]
    if change.kind == "chip":
        return state.program.mean_chips[change.target]
    if change.kind == "points":
        assert change.value is not None
        return change.value(state, seat)
    if change.kind == "roll":
        field = change.amounts[0].field
        _write(state, field, seat, 1 + change.sides // 2)
    elif change.kind in {"add", "set", "open"}:
        _counters(state, _due(state, change, seat), seat, "", None, ())
    elif change.kind == "discard" and change.target >= 0:
        assert change.value is not None
        word = state.words[seat]
        leaving = min(change.value(state, seat), change.amounts[0].field.read(word))
        state.words[seat] = word - max(leaving, 0) * state.program.increments[change.target]
    return 0


def expect_of_reveal(state: State, seat: int) -> int:
    """What can be expected of the triggers that wait for a reveal: counters as they leave them; the seat's points."""
    found = 0
    for watch in state.program.watches:
        for concerned in _concerned(state, watch) if watch.model.after == "reveal" else ():
            points = sum([expect(state, effect, concerned) for effect in watch.effects])
            found += points if concerned == seat else 0
    return found


def run_watches(state: State, moment: str, tell: Tell) -> None:
    """Run the triggers of a moment (``reveal``, ``turn``, a score label or a step), in the order of the file."""
    for watch in state.program.watches:
        if watch.model.after == moment:
            for group in _groups(state, watch):
                _run(state, watch, group, tell)


def _run(state: State, watch: Watch, group: Sequence[int], tell: Tell) -> None:
    """What a trigger does to several seats at once."""
    cause, source = watch.model.id, watch.model.source
    if not watch.in_steps:
        for seat in group:
            for effect in watch.effects:
                carry_out(state, effect, seat, cause, tell, source)
        return
    for effect in watch.effects:
        change = state.program.effects[effect]
        values = [_due(state, change, seat) for seat in group]
        for seat, own in zip(group, values, strict=True):
            _EFFECTS[change.kind](state, own, seat, cause, tell, source)


def _groups(state: State, watch: Watch) -> list[list[int]]:
    """The seats that a trigger concerns now, those together to whom it happens at once."""
    seats = _concerned(state, watch)
    if watch.by is None:
        return [seats]
    values = {seat: watch.by(state, seat) for seat in seats}
    return [[seat for seat in seats if values[seat] == value] for value in sorted(set(values.values()))]


def _concerned(state: State, watch: Watch) -> list[int]:
    """The seats to which a trigger happens now."""
    seats = [seat for seat in range(state.program.ranked) if watch.who(state, seat)]
    if watch.model.only == "single" and len(seats) != 1:
        return []
    return [seat for seat in seats if watch.unless is None or not watch.unless(state, seat)]


def _points(state: State, due: Due, seat: int, cause: str, tell: Tell, source: tuple[str, ...]) -> None:
    (amount,) = due.values
    state.scores[seat] += amount
    points = tuple(amount if other == seat else 0 for other in range(state.program.seats))
    state.ledger.append((state.program.sources_of_points.index(cause), state.round, points))
    if tell is not None and amount:
        tell(Event("points", seat, name=cause, amount=amount, source=source))


def _take(state: State, due: Due, seat: int, cause: str, tell: Tell, source: tuple[str, ...]) -> None:  # noqa: ARG001
    holder = state.markers[due.change.target]
    state.markers[due.change.target] = seat
    if tell is not None and holder != seat:
        tell(Event("marker", seat, name=state.program.markers[due.change.target].id, other=holder, source=source))


def _write(state: State, field: Field, seat: int, value: int) -> None:
    for own in range(field.shared) if field.shared else (seat,):
        word = state.words[own]
        state.words[own] = word + ((value - field.read(word)) << field.shift)


def _roll(state: State, due: Due, seat: int, cause: str, tell: Tell, source: tuple[str, ...]) -> None:  # noqa: ARG001
    field = due.change.amounts[0].field
    value = 1 + state.chance.below(due.change.sides)
    _write(state, field, seat, value)
    if tell is not None:
        tell(Event("rolled", seat, name=field.name, amount=value, source=source))


def _counters(state: State, due: Due, seat: int, cause: str, tell: Tell, source: tuple[str, ...]) -> None:  # noqa: ARG001
    for amount, value in zip(due.change.amounts, due.values, strict=True):
        field, low, high = amount.field, amount.low, amount.high
        before = field.read(state.words[seat])
        after = value
        if due.change.kind != "set":  # what cards added beyond the bounds stays
            after, low, high = before + after, min(low, before), max(high, before)
        after = max(low, min(high, after))
        _write(state, field, seat, after)
        if tell is not None and after != before and due.change.kind != "open":
            tell(Event("counter", seat, name=field.name, amount=after, source=source))


def draw_chip(state: State, pile: int, seat: int, cause: str, tell: Tell, source: tuple[str, ...] = ()) -> None:
    """A seat draws a chip blind from a pile, if one is left."""
    left = state.piles[pile]
    if not left:
        return
    chip = left.pop(state.chance.below(len(left)))
    state.chips[seat].append((pile, chip))
    if tell is not None:
        name = state.program.model.chips[pile].id
        value = state.program.chip_values[pile][chip]
        tell(Event("chip", seat, seen_by=1 << seat, name=name, amount=value, text=cause, source=source, count=1))


def _chip(state: State, due: Due, seat: int, cause: str, tell: Tell, source: tuple[str, ...]) -> None:
    draw_chip(state, due.change.target, seat, cause, tell, source)


def _discard(state: State, due: Due, seat: int, cause: str, tell: Tell, source: tuple[str, ...]) -> None:  # noqa: ARG001
    program = state.program
    tableau = state.zones[program.zone_index("tableau")][seat]
    (count,) = due.values
    for _ in range(count):
        play = next((play for play in reversed(tableau) if due.change.admits[play]), None)
        if play is None:
            return
        tableau.remove(play)
        state.words[seat] -= program.increments[play]
        state.zones[program.zone_index("discard")][0].append(program.card_of[play])
        if tell is not None:
            tell(Event("discarded", seat, (program.plays[play].name,), source=source))


_EFFECTS = {
    "points": _points,
    "take": _take,
    "roll": _roll,
    "add": _counters,
    "set": _counters,
    "open": _counters,
    "chip": _chip,
    "discard": _discard,
}


class Score(Struct, frozen=True):
    """Score every rule of a label, then the triggers that wait for it."""

    label: str
    rules: tuple[int, ...]
    following: int

    def run(self, state: State, tell: Tell) -> int:
        score_rules(state, self.rules, tell)
        if state.program.watches:
            run_watches(state, self.label, tell)
        return self.following


def score_rules(state: State, rules: Sequence[int], tell: Tell) -> None:
    """Score rules at once: all of them on the table as it lies, then their points (or chips) are given together."""
    program = state.program
    given, rows = [], []
    for index in rules:
        rule = program.rules[index]
        if rule.when is not None and not rule.when(state, 0):
            continue
        points = points_of(state, rule)
        if tell is not None:
            _tell_points(state, rule, points, tell)
        if isinstance(rule, RankedRule) and rule.chip >= 0:
            _give_chips(state, rule, points, tell)
            continue
        given.append(index)
        rows.append(points)
    state.ledger += zip(given, repeat(state.round), rows)
    state.scores = list(map(sum, zip(state.scores, *rows, strict=True)))


def points_of(state: State, rule: CompiledRule) -> tuple[int, ...]:
    """The points (or chips) of each seat under one rule, as things lie."""
    each = points_of_one(state, rule)
    if rule.copies is None:
        return each
    return tuple(own and own * rule.copies(state, seat) for seat, own in enumerate(each))


def points_of_one(state: State, rule: CompiledRule) -> tuple[int, ...]:
    """The same for one copy of the card on which the rule stands."""
    program = state.program
    if isinstance(rule, RankedRule):
        points = rule.points(measures(state, rule))
    else:
        values = [tuple([value(state, seat) for value in rule.inputs]) for seat in range(program.ranked)]
        points = tuple(map(rule.points, values))
    return points + (0,) * (program.seats - program.ranked)


def measures(state: State, rule: RankedRule) -> tuple[int, ...]:
    """What a ranking compares, by seat that is ranked."""
    return tuple(rule.measure(state, seat) for seat in range(state.program.ranked))


def _give_chips(state: State, rule: RankedRule, chips: tuple[int, ...], tell: Tell) -> None:
    for seat, count in enumerate(chips):
        for _ in range(count):
            draw_chip(state, rule.chip, seat, rule.model.id, tell, rule.model.source)


def _tell_points(state: State, rule: CompiledRule, points: tuple[int, ...], tell: Tell) -> None:
    """Tell what a rule gives every seat, points or chips, with the cards and the arithmetic behind it."""
    assert tell is not None
    kind = "awarded" if isinstance(rule, RankedRule) and rule.chip >= 0 else "points"
    name, source = rule.model.id, rule.model.source
    for seat, (text, cards) in enumerate(zip(arithmetic(state, rule), cards_behind(state, rule), strict=True)):
        if points[seat] or text:
            tell(Event(kind, seat, cards, name=name, amount=points[seat], text=text, source=source))
