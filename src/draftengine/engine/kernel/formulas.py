"""The value of formulas: each function evaluates one kind of node of the syntax tree for a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from draftengine.engine.kernel.zones import COMBINE, card_at, position, zone_size
from draftengine.engine.plan.base import NOTHING
from draftengine.jit.primitives import dynamic_range, popcount, row
from draftengine.model.language import tree
from draftengine.model.language.builtins import (
    BETWEEN,
    BUILTINS,
    HAS,
    LYING,
    Aggregate,
    NumericFunction,
    OtherSeatFunction,
    StateFunction,
    ZoneAggregate,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.compile.formulas import FormulaNames
    from draftengine.engine.instructions import CounterField, Value
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.plan import Plan
    from draftengine.engine.state import StateRecord
    from draftengine.jit.records import Packed

EXAMINED = -1
"""The examined seat, whose counters are copied to `StateRecord.examined` before formulas read them.

It can be any seat. So a formula about counters exists once for all seats.
"""


def formula(state: StateRecord, plan: AnyPlan, value: Value | None, seat: int) -> int:
    if plan.plain:
        assert value is not None
        return value(state, seat)
    return part(state, plan, plan.formula(value)[0], plan.asked(value, seat), seat)


def part(state: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Expr, seat: int) -> int:
    """Evaluate one node of a formula's syntax tree for a seat."""
    return NODES[type(expr)](state, plan, names, expr, seat)


def read(word: Packed, field: CounterField) -> int:
    """Return the value of one counter in a packed word."""
    return (word >> field.shift & field.mask) - field.offset


def name_of(expr: tree.Expr) -> str:
    """Return the name in a node that is known to be a name."""
    assert isinstance(expr, tree.Name)
    return expr.id


def constant(
    state: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Number | tree.BooleanLiteral, seat: int
) -> int:
    return int(expr.value)


def name(  # noqa: PLR0911 (one for each kind of name)
    state: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Name, seat: int
) -> int:
    if plan.is_constant(names, expr.id):
        return plan.constant(names, expr.id)
    if expr.id == "round":
        return state.round
    if expr.id == "turn":
        return state.turn
    if expr.id == "points":
        return state.scores[seat]
    if expr.id == "seat":
        return seat
    if expr.id.startswith(("its.", LYING)):
        return plan.numbers_of(expr.id.partition(".")[2])[
            state.formula_zone_card if expr.id.startswith(LYING) else state.formula_card
        ]
    if seat == EXAMINED:
        return read(state.examined[0], plan.field(names, expr.id))
    return read(state.words[seat], plan.field(names, expr.id))


def unary(state: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Unary, seat: int) -> int:
    if expr.op == "-":
        return -part(state, plan, names, expr.operand, seat)
    return not part(state, plan, names, expr.operand, seat)


def binary(state: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Binary | tree.Comparison, seat: int) -> int:
    return BETWEEN[expr.op](part(state, plan, names, expr.left, seat), part(state, plan, names, expr.right, seat))


def logic(state: StateRecord, plan: Plan, names: FormulaNames, expr: tree.LogicalOp, seat: int) -> int:
    if expr.op == "and":
        return part(state, plan, names, expr.left, seat) != 0 and part(state, plan, names, expr.right, seat) != 0
    return part(state, plan, names, expr.left, seat) != 0 or part(state, plan, names, expr.right, seat) != 0


def conditional(state: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Conditional, seat: int) -> int:
    if part(state, plan, names, expr.condition, seat):
        return part(state, plan, names, expr.then, seat)
    return part(state, plan, names, expr.otherwise, seat)


def call(state: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Call, seat: int) -> int:
    return CALLS[type(BUILTINS[expr.function])](state, plan, names, expr, seat)


def reading(state: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Call, seat: int) -> int:
    return READINGS[expr.function](state, plan, names, name_of(expr.arguments[0]), seat)


def among(state: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Call, seat: int) -> int:
    """Evaluate a function over the cards in a zone."""
    if len(expr.arguments) == 1:
        return cards(state, plan, name_of(expr.arguments[0]), seat)
    zone = plan.program.zone_index(name_of(expr.arguments[0]))
    value = gathered(state, plan, names, expr, zone, plan.owner(zone, seat), seat)
    if len(expr.arguments) > 2:  # noqa: PLR2004 (the value where no card has the number)
        if value == NOTHING[expr.function]:
            return part(state, plan, names, expr.arguments[2], seat)
    return value


def elsewhere(state: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Call, seat: int) -> int:
    return ELSEWHERE[expr.function](state, plan, names, expr.arguments, seat)


def plain(state: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Call, seat: int) -> int:
    if expr.function in FUNCTIONS:
        return FUNCTIONS[expr.function](state, plan, names, expr.arguments, seat)
    return GATHERING[expr.function](part(state, plan, names, argument, seat) for argument in expr.arguments)


def aggregate(state: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Call, seat: int) -> int:
    """Evaluate the sum, maximum, … of values at several seats; 0 if there are no such seats."""
    if not others(names, expr, seat):
        return 0
    return GATHERING[expr.function](
        part(state, plan, names, expr.arguments[0], other) for other in others(names, expr, seat)
    )


def others(names: FormulaNames, expr: tree.Call, seat: int) -> tuple[int, ...]:
    """Return the seats whose values an aggregate function combines."""
    left_out = seat if expr.function.startswith("others_") else -1
    return tuple(other for other in range(names.seat_count) if other != left_out)


def gained(state: StateRecord, plan: Plan, names: FormulaNames, counter: str, seat: int) -> int:
    return read(state.words[seat], plan.field(names, counter)) - read(
        state.words_before_choice[seat], plan.field(names, counter)
    )


def holds(state: StateRecord, plan: Plan, names: FormulaNames, marker: str, seat: int) -> int:
    return state.markers[plan.marker(marker)] == seat


def cards(state: StateRecord, plan: Plan, zone: str, seat: int) -> int:
    if plan.program.zones[plan.program.zone_index(zone)].layout:
        return popcount(state.lying[plan.layout(plan.program.zone_index(zone))])
    return state.size[plan.size_index(plan.program.zone_index(zone), plan.owner(plan.program.zone_index(zone), seat))]


def room(state: StateRecord, plan: Plan, zone: int, owner: int) -> int:
    """Return the number of cards in an owner's zone; for a layout, the number of its places."""
    if plan.program.zones[zone].layout:
        return len(plan.program.zones[zone].layout)
    return zone_size(state, plan, zone, owner)


def lying(state: StateRecord, plan: Plan, zone: int, owner: int, number: int, has: tuple[int, ...]) -> int:
    """Return the `number`-th card of a zone, or -1 if `has` is false for that card."""
    if plan.program.zones[zone].layout:
        if not state.lying[plan.layout(zone)] >> number & 1:
            return -1
        card = state.row[plan.first_place(zone) + number]
    else:
        card = card_at(state, plan, zone, owner, position(plan, zone, number))
    if all(has):
        return card
    return card if has[card] else -1


def gathered(
    state: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Call, zone: int, owner: int, seat: int
) -> int:
    """Combine numbers of the cards in a zone, and keep the result if the cards alone determine it.

    In zones of `keeps_gauges`, the result is always up to date (see `draftengine.engine.kernel.zones`).
    """
    if not plan.has_gauge(expr):
        return gather(state, plan, names, expr, zone, owner, seat, 0, NOTHING[expr.function])
    gauge = plan.gauge(expr, owner)
    if plan.keeps_gauges(zone):
        return state.gauge[gauge]
    if state.gauged[gauge] != zone_size(state, plan, zone, owner) + 1:
        update_gauge(state, plan, names, expr, zone, owner, seat, gauge)
    return state.gauge[gauge]


def update_gauge(
    state: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Call, zone: int, owner: int, seat: int, gauge: int
) -> None:
    """Bring a gauge up to date: include the cards that were added, or all cards if others changed."""
    first = state.gauged[gauge] - 1
    if first < 0:
        first = 0
        state.gauge[gauge] = NOTHING[expr.function]
    state.gauge[gauge] = gather(state, plan, names, expr, zone, owner, seat, first, state.gauge[gauge])
    state.gauged[gauge] = zone_size(state, plan, zone, owner) + 1


def gather(
    state: StateRecord,
    plan: Plan,
    names: FormulaNames,
    expr: tree.Call,
    zone: int,
    owner: int,
    seat: int,
    first: int,
    before: int,
) -> int:
    """Combine `before` with the numbers of a zone's cards, from the card at index `first` on."""
    what = expr.arguments[1]
    has, _ = asked_of(plan, zone, what)
    result = before
    for number in dynamic_range(room(state, plan, zone, owner) - first):
        card = lying(state, plan, zone, owner, first + number, has)
        if expr.function == "cards" and picks_out(what):
            result += card >= 0
        elif card >= 0:
            result = COMBINE[expr.function](result, of_one(state, plan, names, what, zone, card, seat))
    return result


def asked_of(plan: Plan, zone: int, what: tree.Expr) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return two rows by card: a flag for cards that a zone function includes, and the card's number.

    If `what` is a name, only cards with that name are included; if it is a formula, all cards are.
    """
    return plan.numbers_in(zone, name_of(what).removeprefix(HAS)) if picks_out(what) else plan.cards_in(zone)


def picks_out(what: tree.Expr) -> bool:
    """True if an argument is a name that only some cards have; False if it is a formula about each card."""
    return isinstance(what, tree.Name) and what.id.startswith(HAS)


def of_one(
    state: StateRecord, plan: Plan, names: FormulaNames, what: tree.Expr, zone: int, card: int, seat: int
) -> int:
    """Return a number printed on a card in a zone, or the value of a formula about that card."""
    if picks_out(what):
        return asked_of(plan, zone, what)[1][card]
    before = state.formula_zone_card
    state.formula_zone_card = plan.cards_in(zone)[1][card]
    value = part(state, plan, names, what, seat)
    state.formula_zone_card = before
    return value


def left(state: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], seat: int) -> int:
    """Evaluate a formula at the next player to the left; 0 at an extra seat, or without another player."""
    if len(plan.players) > 1 and seat < len(plan.players):
        return part(state, plan, names, arguments[0], (seat + 1) % len(plan.players))
    return 0


def right(state: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], seat: int) -> int:
    if len(plan.players) > 1 and seat < len(plan.players):
        return part(state, plan, names, arguments[0], (seat + len(plan.players) - 1) % len(plan.players))
    return 0


def asking(state: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], seat: int) -> int:
    """Evaluate ``my(x)``: `x` at the seat for which the whole formula is evaluated."""
    return part(state, plan, names, arguments[0], plan.number(arguments[1]))


def holder(state: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], seat: int) -> int:
    """Evaluate a formula at the seat that holds a marker; 0 if no compared seat holds it."""
    for each in range(names.seat_count):
        if state.markers[plan.marker(name_of(arguments[0]))] == each:
            return part(state, plan, names, arguments[1], each)
    return 0


def kinds(state: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], seat: int) -> int:
    return sum(part(state, plan, names, argument, seat) > 0 for argument in arguments)


def top(state: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], seat: int) -> int:
    """Add up the largest values; the first argument is their number. Of equal values, the first are taken."""
    if is_all(arguments):
        return sum(part(state, plan, names, argument, seat) for argument in arguments[1:])
    if is_one(arguments):
        return max(part(state, plan, names, argument, seat) for argument in arguments[1:])
    count = len(arguments) - 1
    values = row(count)
    for index in range(count):
        values[index] = part(state, plan, names, arguments[index + 1], seat)
    wanted = part(state, plan, names, arguments[0], seat)
    total = 0
    for index in range(count):
        before = sum(values[other] >= values[index] for other in range(index))
        before += sum(values[other] > values[index] for other in range(index + 1, count))
        if before < wanted:
            total += values[index]
    return total


def is_all(arguments: tuple[tree.Expr, ...]) -> bool:
    """True if ``top`` adds up all its values, because their number is a large enough constant."""
    return isinstance(arguments[0], tree.Number) and arguments[0].value >= len(arguments) - 1


def is_one(arguments: tuple[tree.Expr, ...]) -> bool:
    """True if ``top`` returns only the largest value, because the number is the constant 1."""
    return isinstance(arguments[0], tree.Number) and arguments[0].value == 1


def absolute(state: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], seat: int) -> int:
    return abs(part(state, plan, names, arguments[0], seat))


GATHERING: dict[Any, Callable[..., int]] = {
    function.name: function.value for function in BUILTINS.values() if isinstance(function, NumericFunction | Aggregate)
}
READINGS: dict[Any, Callable[..., int]] = {"gained": gained, "holds": holds}
FUNCTIONS: dict[Any, Callable[..., int]] = {"kinds": kinds, "abs": absolute, "top": top}
ELSEWHERE: dict[Any, Callable[..., int]] = {"left": left, "right": right, "my": asking, "of": holder}
CALLS: dict[Any, Callable[..., int]] = {
    Aggregate: aggregate, StateFunction: reading, ZoneAggregate: among, OtherSeatFunction: elsewhere, NumericFunction:
    plain,
}  # fmt: skip
NODES: dict[Any, Callable[..., int]] = {
    tree.Number: constant, tree.BooleanLiteral: constant, tree.Name: name, tree.Unary: unary, tree.Binary: binary,
    tree.Comparison: binary, tree.LogicalOp: logic, tree.Conditional: conditional, tree.Call: call,
}  # fmt: skip
