"""Formulas: what they mean for a seat, node by node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from draftengine.engine.kernel.zones import card_at, zone_size, position
from draftengine.jit.primitives import dynamic_range, popcount, row
from draftengine.model.language import tree
from draftengine.model.language.builtins import (
    BETWEEN,
    BUILTINS,
    HAS,
    LYING,
    Aggregate,
    ZoneAggregate,
    OtherSeatFunction,
    NumericFunction,
    StateFunction,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.compile.formulas import FormulaNames
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.program import CounterField, Value
    from draftengine.engine.record import StateRecord
    from draftengine.jit.struct_type import Packed


def formula(g: StateRecord, plan: AnyPlan, value: Value | None, seat: int) -> int:
    """The value of a formula for a seat."""
    if plan.plain:
        assert value is not None
        return value(g, seat)  # type: ignore[arg-type]  # asked for most of all: see `NumericFunction.state`
    return part(g, plan, plan.formula(value)[0], plan.asked(value, seat), seat)


def part(g: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Expr, seat: int) -> int:
    """The value of one node of a formula for a seat."""
    return NODES[type(expr)](g, plan, names, expr, seat)


def read(word: Packed, field: CounterField) -> int:
    """The value of one counter in a word of packed counters."""
    return (word >> field.shift & field.mask) - field.offset


def name_of(expr: tree.Expr) -> str:
    """The name of a node that is known to be a name."""
    assert isinstance(expr, tree.Name)
    return expr.id


def constant(g: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Number | tree.BooleanLiteral, seat: int) -> int:
    return int(expr.value)


def name(g: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Name, seat: int) -> int:
    if plan.is_constant(names, expr.id):
        return plan.constant(names, expr.id)
    if expr.id == "round":
        return g.round
    if expr.id == "turn":
        return g.turn
    if expr.id == "points":
        return g.scores[seat]
    if expr.id.startswith(("its.", LYING)):
        return plan.numbers_of(expr.id.partition(".")[2])[g.formula_zone_card if expr.id.startswith(LYING) else g.formula_card]
    return read(g.words[seat], plan.field(names, expr.id))


def unary(g: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Unary, seat: int) -> int:
    if expr.op == "-":
        return -part(g, plan, names, expr.operand, seat)
    return not part(g, plan, names, expr.operand, seat)


def binary(g: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Binary | tree.Comparison, seat: int) -> int:
    return BETWEEN[expr.op](part(g, plan, names, expr.left, seat), part(g, plan, names, expr.right, seat))


def logic(g: StateRecord, plan: Plan, names: FormulaNames, expr: tree.LogicalOp, seat: int) -> int:
    if expr.op == "and":
        return part(g, plan, names, expr.left, seat) != 0 and part(g, plan, names, expr.right, seat) != 0
    return part(g, plan, names, expr.left, seat) != 0 or part(g, plan, names, expr.right, seat) != 0


def conditional(g: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Conditional, seat: int) -> int:
    if part(g, plan, names, expr.condition, seat):
        return part(g, plan, names, expr.then, seat)
    return part(g, plan, names, expr.otherwise, seat)


def call(g: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Call, seat: int) -> int:
    return CALLS[type(BUILTINS[expr.function])](g, plan, names, expr, seat)


def reading(g: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Call, seat: int) -> int:
    return READINGS[expr.function](g, plan, names, name_of(expr.arguments[0]), seat)


def among(g: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Call, seat: int) -> int:
    if len(expr.arguments) == 1:
        return cards(g, plan, name_of(expr.arguments[0]), seat)
    zone = plan.program.zone_index(name_of(expr.arguments[0]))
    return AMONG[expr.function](g, plan, names, expr.arguments, zone, plan.owner(zone, seat), seat)


def elsewhere(g: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Call, seat: int) -> int:
    return ELSEWHERE[expr.function](g, plan, names, expr.arguments, seat)


def plain(g: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Call, seat: int) -> int:
    if expr.function in FUNCTIONS:
        return FUNCTIONS[expr.function](g, plan, names, expr.arguments, seat)
    return GATHERING[expr.function](part(g, plan, names, own, seat) for own in expr.arguments)


def aggregate(g: StateRecord, plan: Plan, names: FormulaNames, expr: tree.Call, seat: int) -> int:
    """The sum, maximum, … of the values at the seats that an aggregate looks at; 0 if there are none."""
    if not others(names, expr, seat):
        return 0
    return GATHERING[expr.function](part(g, plan, names, expr.arguments[0], own) for own in others(names, expr, seat))


def others(names: FormulaNames, expr: tree.Call, seat: int) -> tuple[int, ...]:
    """The seats that an aggregate looks at."""
    left_out = seat if expr.function.startswith("others_") else -1
    return tuple(own for own in range(names.seat_count) if own != left_out)


def gained(g: StateRecord, plan: Plan, names: FormulaNames, counter: str, seat: int) -> int:
    return read(g.words[seat], plan.field(names, counter)) - read(g.words_before_choice[seat], plan.field(names, counter))


def holds(g: StateRecord, plan: Plan, names: FormulaNames, marker: str, seat: int) -> int:
    return g.markers[plan.marker(marker)] == seat


def cards(g: StateRecord, plan: Plan, zone: str, seat: int) -> int:
    if plan.program.zones[plan.program.zone_index(zone)].layout:
        return popcount(g.lying[plan.layout(plan.program.zone_index(zone))])
    return g.size[plan.size_index(plan.program.zone_index(zone), plan.owner(plan.program.zone_index(zone), seat))]


def room(g: StateRecord, plan: Plan, zone: int, owner: int) -> int:
    """How many cards, or places of a layout, have to be looked at in a zone of an owner."""
    if plan.program.zones[zone].layout:
        return len(plan.program.zones[zone].layout)
    return zone_size(g, plan, zone, owner)


def lying(g: StateRecord, plan: Plan, zone: int, owner: int, number: int, has: tuple[int, ...]) -> int:
    """The card at the `number`-th place of a zone, if it has something; −1 if not."""
    if plan.program.zones[zone].layout:
        if not g.lying[plan.layout(zone)] >> number & 1:
            return -1
        card = g.row[plan.first_place(zone) + number]
    else:
        card = card_at(g, plan, zone, owner, position(plan, zone, number))
    return card if has[card] else -1


def named(
    g: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], zone: int, owner: int, seat: int
) -> int:
    """How many cards of a name or family lie in a zone, or for how many a condition holds."""
    has, _ = asked_of(plan, zone, arguments[1])
    found = 0
    for number in dynamic_range(room(g, plan, zone, owner)):
        card = lying(g, plan, zone, owner, number, has)
        if picks_out(arguments[1]):
            found += card >= 0
        elif card >= 0:
            found += of_one(g, plan, names, arguments[1], zone, card, seat)
    return found


def together(
    g: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], zone: int, owner: int, seat: int
) -> int:
    """The sum of a number of the cards of a zone, over those that have one."""
    has, _ = asked_of(plan, zone, arguments[1])
    found = 0
    for number in dynamic_range(room(g, plan, zone, owner)):
        card = lying(g, plan, zone, owner, number, has)
        if card >= 0:
            found += of_one(g, plan, names, arguments[1], zone, card, seat)
    return found


def asked_of(plan: Plan, zone: int, what: tree.Expr) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Which cards that can lie in a zone are asked for something: those with a name, or all if it is a formula."""
    return plan.numbers_in(zone, name_of(what).removeprefix(HAS)) if picks_out(what) else plan.cards_in(zone)


def picks_out(what: tree.Expr) -> bool:
    """Are only cards meant that have something, not what a formula says about each of them."""
    return isinstance(what, tree.Name) and what.id.startswith(HAS)


def of_one(g: StateRecord, plan: Plan, names: FormulaNames, what: tree.Expr, zone: int, card: int, seat: int) -> int:
    """What a card in a zone has: a number, or what a formula says about it."""
    if picks_out(what):
        return asked_of(plan, zone, what)[1][card]
    before = g.formula_zone_card
    g.formula_zone_card = plan.cards_in(zone)[1][card]
    found = part(g, plan, names, what, seat)
    g.formula_zone_card = before
    return found


def highest(
    g: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], zone: int, owner: int, seat: int
) -> int:
    """The largest number among the cards of a zone that have one."""
    return outermost(g, plan, names, arguments, zone, owner, seat, 1)


def lowest(
    g: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], zone: int, owner: int, seat: int
) -> int:
    """The smallest number among the cards of a zone that have one."""
    return outermost(g, plan, names, arguments, zone, owner, seat, -1)


def outermost(
    g: StateRecord,
    plan: Plan,
    names: FormulaNames,
    arguments: tuple[tree.Expr, ...],
    zone: int,
    owner: int,
    seat: int,
    sign: int,
) -> int:
    """The largest (`sign` 1) or smallest (-1) number among the cards of a zone; another value, if none has one."""
    has, _ = asked_of(plan, zone, arguments[1])
    best = 0
    found = 0
    for number in dynamic_range(room(g, plan, zone, owner)):
        card = lying(g, plan, zone, owner, number, has)
        if card >= 0:
            value = of_one(g, plan, names, arguments[1], zone, card, seat)
            if found == 0 or sign * value > sign * best:
                best = value
            found = 1
    if found == 0:
        return part(g, plan, names, arguments[2], seat)
    return best


def left(g: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], seat: int) -> int:
    """The value at the next player to the left. Nobody is beside an extra seat, or beside somebody who is alone."""
    if len(plan.players) > 1 and seat < len(plan.players):
        return part(g, plan, names, arguments[0], (seat + 1) % len(plan.players))
    return 0


def right(g: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], seat: int) -> int:
    if len(plan.players) > 1 and seat < len(plan.players):
        return part(g, plan, names, arguments[0], (seat + len(plan.players) - 1) % len(plan.players))
    return 0


def asking(g: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], seat: int) -> int:
    """The value at the seat for which the whole formula is asked, which stands behind it."""
    return part(g, plan, names, arguments[0], plan.number(arguments[1]))


def holder(g: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], seat: int) -> int:
    """The value at the seat that holds a marker; 0 if none of those that are compared does."""
    for own in range(names.seat_count):
        if g.markers[plan.marker(name_of(arguments[0]))] == own:
            return part(g, plan, names, arguments[1], own)
    return 0


def kinds(g: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], seat: int) -> int:
    return sum(part(g, plan, names, own, seat) > 0 for own in arguments)


def top(g: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], seat: int) -> int:
    """The sum of the largest of some values: of those that fewer stand before than are asked for."""
    if is_all(arguments):
        return sum(part(g, plan, names, own, seat) for own in arguments[1:])
    if is_one(arguments):
        return max(part(g, plan, names, own, seat) for own in arguments[1:])
    count = len(arguments) - 1
    values = row(count)
    for at in range(count):
        values[at] = part(g, plan, names, arguments[at + 1], seat)
    wanted = part(g, plan, names, arguments[0], seat)
    found = 0
    for at in range(count):
        before = sum(values[other] >= values[at] for other in range(at))
        before += sum(values[other] > values[at] for other in range(at + 1, count))
        if before < wanted:
            found += values[at]
    return found


def is_all(arguments: tuple[tree.Expr, ...]) -> bool:
    """Are as many of the largest values asked for as there are values."""
    return isinstance(arguments[0], tree.Number) and arguments[0].value >= len(arguments) - 1


def is_one(arguments: tuple[tree.Expr, ...]) -> bool:
    """Is only the largest value asked for."""
    return isinstance(arguments[0], tree.Number) and arguments[0].value == 1


def absolute(g: StateRecord, plan: Plan, names: FormulaNames, arguments: tuple[tree.Expr, ...], seat: int) -> int:
    return abs(part(g, plan, names, arguments[0], seat))


GATHERING: dict[Any, Callable[..., int]] = {
    own.name: own.value for own in BUILTINS.values() if isinstance(own, NumericFunction | Aggregate)
}
READINGS: dict[Any, Callable[..., int]] = {"gained": gained, "holds": holds}
AMONG: dict[Any, Callable[..., int]] = {"cards": named, "highest": highest, "lowest": lowest, "sum": together}
FUNCTIONS: dict[Any, Callable[..., int]] = {
    "kinds": kinds,
    "abs": absolute,
    "top": top,
}
ELSEWHERE: dict[Any, Callable[..., int]] = {"left": left, "right": right, "my": asking, "of": holder}
CALLS: dict[Any, Callable[..., int]] = {
    Aggregate: aggregate, StateFunction: reading, ZoneAggregate: among, OtherSeatFunction: elsewhere, NumericFunction: plain,
}  # fmt: skip
NODES: dict[Any, Callable[..., int]] = {
    tree.Number: constant, tree.BooleanLiteral: constant, tree.Name: name, tree.Unary: unary, tree.Binary: binary,
    tree.Comparison: binary, tree.LogicalOp: logic, tree.Conditional: conditional, tree.Call: call,
}  # fmt: skip
