"""Evaluation of formulas: a formula is compiled to a Python function of a state and a seat.

``//`` is floor division (it rounds down, also below zero). The remainder ``%`` has the divisor's sign: ``-7 // 2 ==
-4``, ``-7 % 2 == 1``. ``and``, ``or`` and ``if`` evaluate only the parts that they need. Parts that are constant during
a game are evaluated when the formula is compiled.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic

from msgspec import Struct

from draftengine.model.language.builtins import (
    BETWEEN,
    BUILTINS,
    HAS,
    Aggregate,
    MacroFunction,
    NumericFunction,
    OtherSeatFunction,
    StateFunction,
    ZoneAggregate,
)
from draftengine.model.language.check import check
from draftengine.model.language.environment import Constants, Environment, NameInfo, Scope, State, Value
from draftengine.model.language.macros import is_condition
from draftengine.model.language.tree import (
    Binary,
    BooleanLiteral,
    Call,
    Comparison,
    Conditional,
    Expr,
    LogicalOp,
    Name,
    Number,
    Unary,
    nodes_in,
    parts,
    with_parts,
)
from draftengine.support.identity import by_identity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_REMEMBERED = 1 << 12
"""The size of the caches of `references` and `functions_in`."""

Keep = Callable[[Expr, Value[State]], Value[State]]
"""A function that gets a formula and its compiled form, and may return this with a cache around it."""


Told = Callable[[Expr, int], None]
"""A function that is called with each evaluated condition or compared number, and its value."""


def compile_formula(
    expr: Expr, env: Environment[State], keep: Keep[State] = lambda _, value: value, tell: Told | None = None
) -> Value[State]:
    """Compile a formula without mistakes into a function of a state and a seat.

    `keep` may add a cache to calls of numeric functions such as `max`. `tell` is called whenever one of these parts is
    evaluated: the formula itself if it is a condition, the condition of every `if`, and the left side of every
    comparison.
    """
    compiler = _Compiler(env, keep, tell)
    if "my" not in functions_in(expr):
        return compiler.whole(expr)
    by_seat: dict[int, Value[State]] = {0: compiler.whole(bound(expr, 0))}

    def asked(state: State, seat: int) -> int:
        if seat not in by_seat:
            by_seat[seat] = compiler.whole(bound(expr, seat))
        return by_seat[seat](state, seat)

    return asked


def conditions_in(expr: Expr) -> tuple[Expr, ...]:
    """Return the formula if it is a condition, and the condition of every ``if`` in it."""

    def asked_in(expr: Expr) -> Iterator[Expr]:
        if isinstance(expr, Conditional):
            yield expr.condition
        for part in parts(expr):
            yield from asked_in(part)

    return (*((expr,) if is_condition(expr) else ()), *asked_in(expr))


def bound(expr: Expr, seat: int) -> Expr:
    """Return the formula with `seat`, at which it is evaluated, as a second argument of every ``my(x)``."""
    below = [bound(part, seat) for part in parts(expr)]
    if isinstance(expr, Call) and expr.function == "my":
        below.append(Number(seat))
    return with_parts(expr, below)


def constant_value(expr: Expr, env: Constants) -> int | None:
    """Return the value of a formula that reads only constants; ``None`` if it reads more or has mistakes."""
    if isinstance(expr, Number):  # most formulas are plain numbers
        return expr.value
    names: dict[str, NameInfo] = {}
    for function, name in references(expr):
        value = env.constant(name)
        if function != "name" or value is None:
            return None
        names[name] = NameInfo("fact", low=value, high=value, per_seat=False)
    scope = Scope(names, seat=True, max_seats=env.seat_count, min_seats=env.seat_count)
    if check(expr, scope).mistakes:
        return None
    return _Compiler(_NothingElse(env), lambda _, value: value).part(bound(expr, 0)).constant


@by_identity(_REMEMBERED)
def references(expr: Expr) -> frozenset[tuple[str, str]]:
    """Return everything that a formula reads, as pairs (kind, name).

    Kinds are ``name``, ``gained``, ``holds``, ``best_of``, ``cards`` (the number of cards in a zone) and ``among``
    (which cards are in a zone).
    """
    return _references_of(expr)


def _references_of(expr: Expr) -> frozenset[tuple[str, str]]:
    match expr:
        case Name():
            return frozenset({("name", expr.id)})
        case Call() if isinstance(BUILTINS.get(expr.function), StateFunction):
            return frozenset((expr.function, argument.id) for argument in expr.arguments if isinstance(argument, Name))
        case Call(arguments=(Name() as zone,)) if isinstance(BUILTINS.get(expr.function), ZoneAggregate):
            return frozenset({("cards", zone.id)})
        case Call(arguments=(Name() as zone, *rest)) if isinstance(BUILTINS.get(expr.function), ZoneAggregate):
            return frozenset({("among", zone.id)}).union(*map(_references_of, rest))
        case Call(function="of", arguments=(Name() as marker, argument)):
            return frozenset({("holds", marker.id)}) | _references_of(argument)
        case _:
            return frozenset().union(*map(_references_of, parts(expr)))


@by_identity(_REMEMBERED)
def functions_in(expr: Expr) -> frozenset[str]:
    """Return the names of the functions that a formula calls."""
    return frozenset(node.function for node in nodes_in(expr) if isinstance(node, Call))


def compares_seats(expr: Expr) -> bool:
    """True if the value of a formula at one seat can depend on other seats."""
    if isinstance(expr, Call) and isinstance(BUILTINS.get(expr.function), Aggregate | OtherSeatFunction):
        return True
    if isinstance(expr, Call) and expr.function == "best_of":  # a card may compare seats
        return True
    return any(map(compares_seats, parts(expr)))


class _NothingElse(Struct, frozen=True):
    """An environment that has only constants. It raises an error for any other name, which would be a bug."""

    constants: Constants

    @property
    def seat_count(self) -> int:
        return self.constants.seat_count

    @property
    def player_count(self) -> int:
        return self.constants.player_count

    def constant(self, name: str, /) -> int | None:
        return self.constants.constant(name)

    def value(self, _name: str, /) -> Value[object]:
        return _unknown

    def among(self, _zone: str, _what: object, /) -> Callable[[object, int], list[int]]:
        return _unknown  # type: ignore[return-value]

    each = among
    gained = holds = cards = best_of = value


def _unknown(_state: object, _seat: int) -> int:
    raise AssertionError("a constant depends on the state")


_UNARY: Mapping[str, Callable[[int], int]] = {"-": operator.neg, "not": operator.not_}


class _Part(Struct, Generic[State], frozen=True):
    """A compiled node and, if it is constant, its value."""

    run: Value[State]
    constant: int | None = None


def _always(value: int) -> _Part[State]:
    return _Part(lambda _state, _seat: value, value)


class _Compiler(Struct, Generic[State], frozen=True):
    env: Environment[State]
    keep: Keep[State]
    told: Told | None = None

    def whole(self, expr: Expr) -> Value[State]:
        """Compile a whole formula. If it is a condition, each of its values is passed to `told`."""
        run = self.part(expr).run
        return self._telling(expr, run) if is_condition(expr) else run

    def _telling(self, expr: Expr, run: Value[State]) -> Value[State]:
        """Return `run`, wrapped so that each value is passed to `told` if there is such a function."""
        tell = self.told
        if tell is None:
            return run

        def telling(state: State, seat: int) -> int:
            value = run(state, seat)
            tell(expr, value)
            return value

        return telling

    def part(self, expr: Expr) -> _Part[State]:  # noqa: PLR0911 - one for each kind of node
        match expr:
            case Number() | BooleanLiteral():
                return _always(expr.value)
            case Name():
                constant = self.env.constant(expr.id)
                return _Part(self.env.value(expr.id)) if constant is None else _always(constant)
            case Unary():
                apply = _UNARY[expr.op]
                operand = self.part(expr.operand)
                if operand.constant is not None:
                    return _always(apply(operand.constant))
                run = operand.run
                return _Part(lambda state, seat: apply(run(state, seat)))
            case Binary() | Comparison():
                return self._pair(expr)
            case LogicalOp():
                left, right = self.part(expr.left), self.part(expr.right)
                if left.constant is not None:
                    return right if bool(left.constant) == (expr.op == "and") else left
                first, second = left.run, right.run
                if expr.op == "and":
                    return _Part(lambda state, seat: first(state, seat) and second(state, seat))
                return _Part(lambda state, seat: first(state, seat) or second(state, seat))
            case Conditional():
                condition = self.part(expr.condition)
                if condition.constant is not None and self.told is None:
                    return self.part(expr.then if condition.constant else expr.otherwise)
                holds = self._telling(expr.condition, condition.run)
                then, otherwise = self.part(expr.then).run, self.part(expr.otherwise).run
                return _Part(lambda state, seat: then(state, seat) if holds(state, seat) else otherwise(state, seat))
            case Call():
                return self._call(expr)

    def _pair(self, expr: Binary | Comparison) -> _Part[State]:
        apply, left, right = BETWEEN[expr.op], self.part(expr.left), self.part(expr.right)
        if left.constant is not None and right.constant is not None:
            return _always(apply(left.constant, right.constant))
        first, second, fixed = left.run, right.run, right.constant
        if isinstance(expr, Comparison):
            first = self._telling(expr.left, first)
        if fixed is not None:
            return _Part(lambda state, seat: apply(first(state, seat), fixed))
        return _Part(lambda state, seat: apply(first(state, seat), second(state, seat)))

    def _call(self, expr: Call) -> _Part[State]:
        match BUILTINS[expr.function]:
            case NumericFunction() as plain:
                apply, arguments = plain.value, [self.part(argument) for argument in expr.arguments]
                constants = [argument.constant for argument in arguments if argument.constant is not None]
                if len(constants) == len(arguments):
                    return _always(apply(constants))
                runs = tuple(argument.run for argument in arguments)
                return _Part(self.keep(expr, lambda state, seat: apply([run(state, seat) for run in runs])))
            case Aggregate() as aggregate:
                return self._aggregate(aggregate, self.part(expr.arguments[0]))
            case StateFunction() as reading:
                (argument,) = expr.arguments
                assert isinstance(argument, Name)
                return _Part(reading.value(self.env, argument.id))
            case ZoneAggregate() as among:
                return self._among(among, expr)
            case OtherSeatFunction() as elsewhere:
                return self._elsewhere(elsewhere, expr)
            case MacroFunction():
                raise AssertionError("a formula is not expanded")

    def _among(self, among: ZoneAggregate, expr: Call) -> _Part[State]:
        zone, *rest = expr.arguments
        assert isinstance(zone, Name)
        if not rest:
            return _Part(self.env.cards(zone.id))
        what, *otherwise = rest
        apply = among.value
        if isinstance(what, Name) and what.id.startswith(HAS):
            lying = self.env.among(zone.id, what.id.removeprefix(HAS))
        else:
            lying = self.env.each(zone.id, self.part(what).run)
        if not otherwise:
            return _Part(lambda state, seat: apply(lying(state, seat)))
        nothing = self.part(otherwise[0]).run

        def of_those(state: State, seat: int) -> int:
            cards = lying(state, seat)
            return apply(cards) if cards else nothing(state, seat)

        return _Part(of_those)

    def _elsewhere(self, elsewhere: OtherSeatFunction, expr: Call) -> _Part[State]:
        """Compile a call whose argument is evaluated at another seat.

        If that seat does not exist, the value is 0 or, for a condition, false.
        """
        if elsewhere.whose == "asking":
            argument, asking = expr.arguments
            assert isinstance(asking, Number)
            part, place = self.part(argument), asking.value
            run = part.run
            return _Part(lambda state, _seat: run(state, place), part.constant)
        *markers, argument = expr.arguments
        run, nothing = self.part(argument).run, False if is_condition(argument) else 0
        if elsewhere.whose == "holder":
            (marker,) = markers
            assert isinstance(marker, Name)
            holds, seats = self.env.holds(marker.id), range(self.env.seat_count)

            def at_holder(state: State, _seat: int) -> int:
                return next((run(state, seat) for seat in seats if holds(state, seat)), nothing)

            return _Part(at_holder)
        players = self.env.player_count
        step = 1 if elsewhere.whose == "left" else players - 1

        def beside(state: State, seat: int) -> int:
            return run(state, (seat + step) % players) if players > 1 and seat < players else nothing

        return _Part(beside)

    def _aggregate(self, aggregate: Aggregate, argument: _Part[State]) -> _Part[State]:
        apply, run, seats = aggregate.value, argument.run, range(self.env.seat_count)
        if argument.constant is not None:
            same = [argument.constant] * (len(seats) - aggregate.others)
            return _always(apply(same) if same else 0)
        if not aggregate.others:
            return _Part(lambda state, _seat: apply([run(state, seat) for seat in seats]))

        def of_others(state: State, seat: int) -> int:
            values = [run(state, other) for other in seats if other != seat]
            return apply(values) if values else 0

        return _Part(of_others)
