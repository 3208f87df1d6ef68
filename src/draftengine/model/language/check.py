"""Checks of formulas that need no game: types, ranges, the cost of evaluation, and mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from msgspec import Struct, field
from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.diagnostics import hint_for
from draftengine.model.diagnostics.suggest import closest, did_you_mean, digits, is_slip
from draftengine.model.language.builtins import (
    BUILTINS,
    HAS,
    LYING,
    Aggregate,
    MacroFunction,
    NumericFunction,
    OtherSeatFunction,
    StateFunction,
    Type,
    ZoneAggregate,
    at_seat,
)
from draftengine.model.language.environment import OPERATORS, TRUTH, NameInfo, Range, Scope, hull, negated
from draftengine.model.language.macros import NAMED, TRACK
from draftengine.model.language.mistakes import FOREIGN
from draftengine.model.language.parse import KEYWORDS
from draftengine.model.language.tree import (
    MAX_INT,
    MIN_INT,
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
    print_formula,
)
from draftengine.support.identity import by_identity
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.model.language.builtins import Builtin
    from draftengine.support.locale.phrases import Phrase, Text, Value

_REMEMBERED = 1 << 12
"""The size of the cache. Most formulas of a card set are the same in all variants."""


class TypeProblem(Struct, frozen=True):
    """A mistake in the part ``[start, end)`` of a formula's text."""

    code: str
    text: Phrase
    hint: Text
    start: int
    end: int
    known: tuple[str, ...] = ()
    """If the mistake is an unknown name: the names that are allowed here."""
    again: tuple[tuple[int, int], ...] = ()
    """If the mistake is an unknown name: the other parts of the text that use it."""


class CheckResult(Struct, frozen=True):
    """The properties of a formula. If it has mistakes, the type is a guess and the range has no meaning."""

    type: Type
    low: int
    high: int
    cost: int
    """The largest number of nodes that one evaluation can visit."""
    names: frozenset[str]
    mistakes: tuple[TypeProblem, ...]


def check(expr: Expr, scope: Scope) -> CheckResult:
    """Return the properties of a formula in a scope, with its mistakes in the order of the text.

    A formula without mistakes never fails when it is evaluated, provided that the value of every name is in its range.
    """
    names = _names_in(expr)
    infos = tuple([scope.names[name] for name in names if name in scope.names])
    seats = scope.min_seats, scope.max_seats
    checked = _sound(expr, infos, seats, seat=scope.seat) if len(infos) == len(names) else None
    return _check(expr, scope) if checked is None else checked


@by_identity(_REMEMBERED)
def _names_in(expr: Expr) -> tuple[str, ...]:
    """Return all names in a formula, except the names of functions."""
    return tuple(dict.fromkeys(node.id for node in nodes_in(expr) if isinstance(node, Name)))


@by_identity(_REMEMBERED)
def _sound(expr: Expr, infos: tuple[NameInfo, ...], seats: tuple[int, int], *, seat: bool) -> CheckResult | None:
    """Return the properties of a formula, or None if it has mistakes.

    They depend only on the names that the formula uses, so scopes in which these names are equal share the cached
    result.
    """
    names = dict(zip(_names_in(expr), infos, strict=True))
    checked = _check(expr, Scope(names, seat, seats[1], seats[0]))
    return None if checked.mistakes else checked


def _check(expr: Expr, scope: Scope) -> CheckResult:
    walk = _Walk(scope)
    fact = walk.visit(expr, seat=scope.seat)
    if fact.cost > limits.COST:
        walk.report("too-costly", "it", expr, cost=fact.cost, most=limits.COST)
    low, high = fact.range or (0, 0)
    walk.mistakes.sort(key=lambda mistake: (mistake.start, mistake.end, mistake.code))
    alike: dict[object, list[TypeProblem]] = {}
    without_seat = [(mistake.start, mistake.end) for mistake in walk.mistakes if mistake.code == "seat-needed"]
    for mistake in walk.mistakes:
        place = mistake.start, mistake.end
        around = [other for other in without_seat if other[0] <= place[0] and place[1] <= other[1] and other != place]
        if mistake.code == "seat-needed" and around:
            continue  # it is not evaluated for a seat because a function around it is not
        # Each unknown name is reported only once, with its other places.
        key = (mistake.text, mistake.hint) if mistake.code == "unknown-name" else mistake
        alike.setdefault(key, []).append(mistake)
    once = tuple(
        replace(first, again=tuple((other.start, other.end) for other in others)) if others else first
        for first, *others in alike.values()
    )
    return CheckResult(fact.type or "int", low, high, fact.cost, frozenset(walk.names), once)


class _Fact(Struct, frozen=True):
    """The properties of a node. A property is ``None`` if a mistake makes it unknown.

    Checks skip unknown properties, so each mistake is reported only once.
    """

    type: Type | None
    range: Range | None
    cost: int


def _hull_of_known(*ranges: Range | None) -> Range | None:
    """Return the smallest range that contains all the ranges; ``None`` if one of them is unknown."""
    known = [each for each in ranges if each is not None]
    return hull(known) if len(known) == len(ranges) else None


_OF_SEATS = frozenset({"left", "right", "my"})
"""Functions of other seats that people tend to write with a dot: ``left.soup`` for ``left(soup)``."""
_RANKING = frozenset({"most", "fewest"})

_TAKES = {"of": 2}
"""The number of arguments for functions of other seats that have not exactly one."""
_READERS = {builtin.reads: builtin.name for builtin in BUILTINS.values() if isinstance(builtin, StateFunction)} | {
    "zone": "cards"
}


class _Walk(Struct):
    scope: Scope
    mistakes: list[TypeProblem] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    away: int = 0
    """The number of functions around the current node that read other seats."""
    of_each: bool = False
    """True inside a formula about each card of a zone."""

    def report(
        self,
        code: str,
        say: str,
        expr: Expr,
        *,
        end: int | None = None,
        known: Iterable[str] = (),
        hint: Text = "",
        **values: Value,
    ) -> None:
        """Report a mistake with the catalogue's text for `code` and `say`. `hint` replaces its hint."""
        text, last = said(f"{code}.{say}", **values), expr.end if end is None else end
        self.mistakes.append(
            TypeProblem(code, text, hint or hint_for(code, say, values), expr.start, last, tuple(known))
        )

    def visit(self, expr: Expr, *, seat: bool) -> _Fact:  # noqa: PLR0911 - one for each kind of node
        """Return the properties of a node. `seat` is true if the node is evaluated for a certain seat."""
        match expr:
            case Number():
                return self._number(expr, (expr.value, expr.value), 1)
            case BooleanLiteral():
                return _Fact("bool", TRUTH, 1)
            case Name():
                info = self.scope.names.get(expr.id)
                if info is None:
                    return self._unknown(expr, expr.id, expr.end)
                self.names.add(expr.id)
                if info.is_thing:
                    what, read = said(f"kind.{info.kind}"), f"{_READERS[info.kind]}({expr.id})"
                    self.report("wrong-type", "thing", expr, name=expr.id, what=what, read=read)
                    return _Fact(None, None, 1)
                self._need_seat(expr, expr.id.removeprefix(NAMED), needed=info.per_seat and not seat)
                return self._number(expr, (info.low, info.high), 1)
            case Unary():
                negation = expr.op == "not"
                operand = self._expect(expr.operand, "bool" if negation else "int", seat=seat)
                if negation:
                    return _Fact("bool", TRUTH, 1 + operand.cost)
                return self._number(expr, operand.range and negated(operand.range), 1 + operand.cost)
            case Binary():
                return self._binary(expr, seat=seat)
            case Comparison() | LogicalOp():
                wanted: Type = "int" if isinstance(expr, Comparison) else "bool"
                sides = [self._expect(part, wanted, seat=seat) for part in (expr.left, expr.right)]
                return _Fact("bool", TRUTH, 1 + sum(side.cost for side in sides))
            case Conditional():
                then = self.visit(expr.then, seat=seat)
                condition = self._expect(expr.condition, "bool", seat=seat)
                expected = then.type
                otherwise = (
                    self._expect(expr.otherwise, expected, seat=seat)
                    if expected
                    else self.visit(expr.otherwise, seat=seat)
                )
                cost = 1 + condition.cost + max(then.cost, otherwise.cost)
                return _Fact(then.type or otherwise.type, _hull_of_known(then.range, otherwise.range), cost)
            case Call():
                return self._call(expr, seat=seat)

    def _expect(self, expr: Expr, wanted: Type, *, seat: bool) -> _Fact:
        """Return the properties of a part, and report it if it does not have the type `wanted`."""
        fact = self.visit(expr, seat=seat)
        if fact.type is None or fact.type == wanted:
            return fact
        if wanted == "int":
            self.report("wrong-type", "truth", expr)
        elif isinstance(expr, Call) and expr.function in _RANKING:
            self.report("wrong-type", "ranking", expr, function=expr.function)
        elif isinstance(expr, Name) and ":" not in expr.id and not expr.id.startswith(("its.", "*")):
            self.report("wrong-type", "amount", expr, name=expr.id)
        else:
            self.report("wrong-type", "number", expr)
        return _Fact(wanted, None, fact.cost)

    def _number(self, expr: Expr, value: Range | None, cost: int) -> _Fact:
        """Return the properties of a node whose value is a number. Report values that are out of bounds."""
        if value is not None and not (value[0] >= MIN_INT and value[1] <= MAX_INT):
            extreme = value[0] if value[0] < MIN_INT else value[1]
            self.report("out-of-range", "formula", expr, extreme=extreme, least=MIN_INT, most=MAX_INT)
            value = None
        return _Fact("int", value, cost)

    def _unknown(self, expr: Name | Call, name: str, end: int) -> _Fact:
        known: tuple[str, ...] = ()
        values: dict[str, Any] = {"name": name}
        if isinstance(expr, Call) and name in self._given():
            say, values["call"] = "called", f"of({name}, {', '.join(map(print_formula, expr.arguments))})"
        elif isinstance(expr, Call):
            say = "no-function" if name in self.scope.names else FOREIGN.get(name.lower(), "function")
            known = (*BUILTINS, *KEYWORDS) if say == "function" else ()
            values["names"] = ", ".join(BUILTINS)
            if say == "how-many":
                counted = next((each.id for each in expr.arguments if isinstance(each, Name)), "")
                if counted in self.scope.elsewhere:  # that is reported, and contradicts the hint
                    return _Fact(None, None, 1)
                info = self.scope.names.get(counted)
                values["counted"] = counted if info is not None and not info.is_thing else "soup"
        elif name in self.scope.elsewhere:
            if name.startswith(TRACK):  # the values of the track, which are compared with it, are reported
                return _Fact(None, None, 1)
            say, values = "elsewhere", {"name": name.removeprefix(NAMED), "names": self._possible()}
        else:
            say = self._unknown_value(name, values)
            known = () if say in {"is-function", "digits", "named"} else self._known(name)
        hint = did_you_mean(name, known) if say in {"function", "it"} else ""
        self.report("unknown-name", say, expr, end=end, known=known, hint=hint, **values)
        return _Fact(None, None, 1)

    def _possible(self) -> str:
        """Return the names that are allowed here as a list, for a message about a name that is not."""
        return ", ".join(sorted(name for name, info in self.scope.names.items() if info.kind in {"fact", "parameter"}))

    def _unknown_value(self, name: str, values: dict[str, Any]) -> str:
        """Return the key of the message about an unknown name, and add the values for its text to `values`."""
        zone, dot, counter = name.partition(".")
        if name in BUILTINS:
            values["signature"] = BUILTINS[name].signature
            return "is-function"
        if self.of_each and f"its.{name}" in self.scope.names:
            return "its"
        if (asked := self._seat_of(name)) is not None:
            seat, thing = asked
            info = self.scope.names.get(thing)
            values["call"] = at_seat(seat, f"cards({thing})" if info is not None and info.kind == "zone" else thing)
            return "of-seat"
        zones = [other.partition(".")[0] for other in self.scope.names if other.endswith(f".{counter}")]
        if dot and not closest(zone, zones) and not any(name.startswith(f"{zone}.") for name in self.scope.names):
            values["whole"] = zone if zone in self.scope.names and counter not in self.scope.names else counter
            return "part"
        if (number := digits(name)) is not None:
            values["number"] = number
            return "digits"
        given = self._given()
        meant = name if name in given else closest(name, (*self._known(name), *given))
        if meant in given:
            values["meant"] = meant
        return "named" if meant in given else "it"

    def _seat_of(self, name: str) -> tuple[str, str] | None:
        """Return the seat and the thing of a name such as ``left.stash``; ``None`` for any other name."""
        seat, dot, thing = name.partition(".")
        info = self.scope.names.get(seat)
        is_seat = seat in _OF_SEATS or seat in self._given() or (info is not None and info.kind == "marker")
        return (seat, thing) if dot and is_seat else None

    def _given(self) -> tuple[str, ...]:
        """Return the names that steps give to zones, cards and players."""
        return tuple(name.removeprefix(NAMED) for name in self.scope.names if name.startswith(NAMED))

    def _known(self, meant: str) -> tuple[str, ...]:
        """Return the names that are allowed here, and the keywords for which `meant` may be a slip."""
        names = tuple(
            name for name in self.scope.names if ":" not in name and not name.startswith((HAS, LYING, "its."))
        )
        return (*names, *(word for word in KEYWORDS if is_slip(meant, word, names)))

    def _need_seat(self, expr: Expr, name: str, *, needed: bool) -> None:
        if needed:
            is_given = isinstance(expr, Name) and expr.id.startswith(NAMED)
            self.report("seat-needed", "named" if is_given else "it", expr, name=name)

    def _binary(self, expr: Binary, *, seat: bool) -> _Fact:
        if isinstance(expr.left, Name) and isinstance(expr.right, Name) and expr.right.start == expr.left.end + 1:
            meant = f"{expr.left.id}_{expr.right.id}"  # such as `hot-dish`
            if meant in self.scope.names and not {expr.left.id, expr.right.id} <= self.scope.names.keys():
                hint, name = said("hint.did-you-mean", meant=meant), f"{expr.left.id}{expr.op}{expr.right.id}"
                self.report("unknown-name", "it", expr, known=(meant,), hint=hint, name=name)
                return _Fact(None, None, 1)
        left, right = (self._expect(part, "int", seat=seat) for part in (expr.left, expr.right))
        cost = 1 + left.cost + right.cost
        if expr.op in {"//", "%"} and right.range is not None and right.range[0] <= 0 <= right.range[1]:
            self.report("division-by-zero", "sometimes" if right.range[1] > 0 else "always", expr.right)
            return _Fact("int", None, cost)
        if left.range is None or right.range is None:
            return _Fact("int", None, cost)
        return self._number(expr, OPERATORS[expr.op](left.range, right.range), cost)

    def _call(self, expr: Call, *, seat: bool) -> _Fact:  # noqa: PLR0911 - one for each kind of function
        builtin = BUILTINS.get(expr.function)
        if builtin is None:
            for argument in expr.arguments:
                info = self.scope.names.get(argument.id) if isinstance(argument, Name) else None
                if info is None or not info.is_thing:  # the unknown function may be meant to take a thing
                    self.visit(argument, seat=True)
            return self._unknown(expr, expr.function, expr.start + len(expr.function))
        self._count_arguments(builtin, expr)
        match builtin:
            case NumericFunction():
                # The author may have written none of the names that depend on the seat.
                made = [self.scope.names.get(name) for name in _names_in(expr)] if expr.written else []
                for_seat = any(info is not None and info.per_seat for info in made)
                self._need_seat(expr, expr.word, needed=for_seat and not seat)
                facts = [self._expect(argument, "int", seat=seat or for_seat) for argument in expr.arguments]
                ranges = [fact.range for fact in facts if fact.range is not None]
                known = len(ranges) == len(facts) >= builtin.fewest
                cost = 1 + sum(fact.cost for fact in facts)
                return self._number(expr, builtin.range(ranges) if known else None, cost)
            case Aggregate():
                self._need_seat(expr, expr.word, needed=builtin.others and not seat)
                few, many = (max(0, seats - builtin.others) for seats in (self.scope.min_seats, self.scope.max_seats))
                self.away += 1
                facts = [self._expect(argument, builtin.takes, seat=True) for argument in expr.arguments]
                self.away -= 1
                inner = facts[0].range if facts else None
                value = builtin.range(inner, (few, many)) if inner is not None else None
                return self._number(expr, value, 1 + many * sum(fact.cost for fact in facts))
            case StateFunction():
                infos = [self._read(expr, builtin.reads, argument) for argument in expr.arguments]
                info = infos[0] if infos else None
                if info is None:
                    return _Fact(builtin.gives, None, 1)
                self._need_seat(expr, expr.word, needed=info.per_seat and not seat)
                value = builtin.range((info.low, info.high))
                return self._number(expr, value, 1) if builtin.gives == "int" else _Fact("bool", value, 1)
            case ZoneAggregate():
                return self._among(builtin, expr, seat=seat)
            case OtherSeatFunction():
                return self._elsewhere(builtin, expr, seat=seat)
            case MacroFunction():
                if len(expr.arguments) == builtin.arguments:
                    asked, hint = expr.arguments[0], cast("Text", "")
                    if builtin.name == "chosen" and isinstance(asked, Name):
                        hint = did_you_mean(asked.id, self._given())
                    self.report("wrong-arguments", builtin.name, expr, hint=hint, signature=builtin.signature)
                return _Fact("int", None, 1)

    def _count_arguments(self, builtin: Builtin, expr: Call) -> None:
        fewest, most = (
            (builtin.fewest, builtin.most)
            if isinstance(builtin, NumericFunction | ZoneAggregate)
            else (builtin.arguments if isinstance(builtin, MacroFunction) else _TAKES.get(builtin.name, 1),) * 2
        )
        count = len(expr.arguments)
        if count < fewest or (most is not None and count > most):
            amount = "exactly" if most == fewest else "between" if most else "at-least"
            wanted = said(f"arguments.{amount}", fewest=fewest, most=most or fewest)
            values: dict[str, Any] = {"function": builtin.name, "wanted": wanted, "count": count}
            of_seats = count == 1 and builtin.name in {"min", "max"}
            self.report(
                "wrong-arguments",
                f"one-{builtin.name}" if of_seats else "count",
                expr,
                signature=builtin.signature,
                **values,
            )

    def _among(self, builtin: ZoneAggregate, expr: Call, *, seat: bool) -> _Fact:
        """Return the properties of a function of the cards in a zone, or of one of their attributes."""
        if not builtin.fewest <= len(expr.arguments) <= builtin.most:
            return _Fact("int", None, 1)
        zone, *rest = expr.arguments
        info = self._read(expr, "zone", zone)
        if info is None:
            for argument in rest[1:]:
                self.visit(argument, seat=seat)
            return _Fact("int", None, 1)
        self._need_seat(expr, expr.word, needed=info.per_seat and not seat)
        if not rest:
            return self._number(expr, (info.low, info.high), 1)
        if info.hidden:
            assert isinstance(zone, Name)
            self.report("hidden-cards", "it", zone, zone=zone.id)
        if builtin.name == "on_top" and not info.ordered:
            assert isinstance(zone, Name)
            self.report("zone-misuse", "no-top", zone, zone=zone.id)
        named = isinstance(rest[0], Name) and rest[0].id.startswith(HAS)
        self.of_each, around = True, self.of_each
        has = self._expect(rest[0], "int" if named else builtin.takes, seat=seat)
        self.of_each = around
        cost = 1 + info.high * has.cost
        value = None if has.range is None else builtin.range(has.range, info.high)
        if len(rest) == 1:
            return self._number(expr, value, cost)
        otherwise = self._expect(rest[1], "int", seat=seat)
        return self._number(expr, _hull_of_known(value, otherwise.range), cost + otherwise.cost)

    def _elsewhere(self, builtin: OtherSeatFunction, expr: Call, *, seat: bool) -> _Fact:
        """Return the properties of a call whose last argument is evaluated at another seat.

        If that seat does not exist, the value is 0 or false.
        """
        if len(expr.arguments) != _TAKES.get(builtin.name, 1):
            return _Fact(None, None, 1)
        *markers, argument = expr.arguments
        for marker in markers:
            self._read(expr, "marker", marker)
        around = self.away
        if builtin.whose == "asking":
            self._need_seat(expr, expr.word, needed=not self.scope.seat)
            if self.scope.seat and not (around or self.of_each or self.scope.defined):
                self.report("wrong-arguments", "my", expr)
        else:
            self._need_seat(expr, expr.word, needed=builtin.whose != "holder" and not seat)
        self.away = 0 if builtin.whose == "asking" else around + 1
        fact = self.visit(argument, seat=True)
        self.away = around
        value = fact.range
        if value is not None and builtin.whose != "asking":
            value = hull([value, (0, 0)])
        cost = 1 + fact.cost
        return _Fact("bool", value, cost) if fact.type == "bool" else self._number(expr, value, cost)

    def _read(
        self, call: Call, kind: Literal["counter", "marker", "zone", "scores"], argument: Expr
    ) -> NameInfo | None:
        """Return the properties of the name in an argument if it has the right `kind`; else report a mistake."""
        wanted = said(f"kind.{kind}")
        if isinstance(argument, Name):
            info = self.scope.names.get(argument.id)
            if info is not None and info.kind in {kind, "anything"}:
                self.names.add(argument.id)
                return info
            if info is None and kind == "scores":
                self.report("unknown-name", "scores", argument)
            elif info is None and argument.id in self.scope.elsewhere:
                name = f"{call.word}({argument.id})"
                self.report("unknown-name", "elsewhere", argument, name=name, names=self._possible())
            elif info is None and (first := f"{argument.id}_1") in self.scope.names:
                self.report("unknown-name", "copies", argument, name=argument.id, first=first)
            elif info is None and kind == "zone" and (asked := self._seat_of(argument.id)) is not None:
                seat, zone = asked
                arguments = (replace(each, id=zone) if each is argument else each for each in call.arguments)
                written = (print_formula(each).replace(LYING, "").replace(HAS, "") for each in arguments)
                meant = f"{call.word}({', '.join(written)})"
                self.report("unknown-name", "of-seat", argument, name=argument.id, call=at_seat(seat, meant))
            elif info is None:
                names = [name for name, other in self.scope.names.items() if other.kind == kind]
                given = self._given() if call.word == "of" or kind == "zone" else ()
                values: dict[str, Any] = {
                    "kind": said(f"thing.{kind}"),
                    "name": argument.id,
                    "function": call.word,
                    "wanted": wanted,
                }
                say = "of" if call.word == "of" else "kind"
                if argument.id in given:
                    say, values = "named", {"name": argument.id, "meant": argument.id}
                names = [*names, *given]
                hint = did_you_mean(argument.id, names) if say != "named" else ""
                self.report("unknown-name", say, argument, known=names, hint=hint, **values)
            if info is None:
                return None
        say = "sum" if call.function == "sum" else "name"
        signature = BUILTINS[call.word].signature
        self.report("wrong-arguments", say, argument, function=call.word, wanted=wanted, signature=signature)
        return None
