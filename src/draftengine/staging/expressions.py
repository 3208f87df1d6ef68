"""Expressions, specialised: the value of what is known, and an expression of the rest.

A value is an `ast.expr` (residual: to be computed later) or any other object (known). The environment gives each local
name its value; `LATER` stands for a variable of that name, `UNSET` for a name without a value on some way there.
"""

from __future__ import annotations

import ast
import operator
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeAlias

from draftengine.staging.primitives import COMPUTING, Acting, unknown
from draftengine.staging.record import RecordType
from draftengine.staging.refused import Refused
from draftengine.staging.residual import calls, constant, rebuilt, truth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from draftengine.staging.record import Field
    from draftengine.staging.residual import Residual
    from draftengine.staging.specialise import Specialiser
    from draftengine.staging.text import Text

Value: TypeAlias = object
Env: TypeAlias = "dict[str, Value]"


class Mark:
    """A value that stands for something."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


LATER = Mark("LATER")
"""What is not known before the residual program runs."""
UNSET = Mark("UNSET")
"""A name that has no value, or not the same known one, on every way."""


@dataclass(frozen=True)
class Row:
    """A local row of known length: a variable for each place."""

    name: str
    length: int

    def variable(self, place: int) -> ast.Name:
        return ast.Name(f"{self.name}__p{range(self.length)[place]}")


_MARKS = Mark | Row | RecordType
"""What is no known value of a name."""
OPERATORS: Mapping[type[ast.operator | ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
COMPARISONS = ast.Eq | ast.NotEq | ast.Lt | ast.LtE | ast.Gt | ast.GtE
_RIGHT_NEUTRAL: Mapping[type[ast.operator], int] = {
    ast.Add: 0,
    ast.Sub: 0,
    ast.BitOr: 0,
    ast.BitXor: 0,
    ast.LShift: 0,
    ast.RShift: 0,
    ast.Mult: 1,
    ast.FloorDiv: 1,
}
_COMMUTING = ast.Add | ast.BitOr | ast.BitXor | ast.Mult
_UNARY: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.Not: operator.not_,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}


def is_neutral(op: ast.operator, value: Value) -> bool:
    """Does a known number on the right of an operator change nothing."""
    return isinstance(value, int) and value == _RIGHT_NEUTRAL.get(type(op))


class Expressions:
    """The expressions of one function, for what is known of its arguments."""

    def __init__(self, whole: Specialiser, text: Text) -> None:
        self.whole = whole
        self.text = text

    def refuse(self, reason: str, node: ast.AST) -> NoReturn:
        excerpt = ast.unparse(node).partition("\n")[0]
        raise Refused(reason, self.text.place(node), excerpt, tuple(self.whole.calls))

    # ── what is known ──

    def known(self, node: ast.expr, env: Env) -> tuple[bool, Value]:
        """Whether an expression is known, and its value: one of known names is carried out, unless it acts."""
        if isinstance(node, ast.Constant):
            return True, node.value
        if isinstance(node, ast.Name):
            return self._known_name(node, env)
        names = self.text.names(node)
        values = [env.get(name, UNSET) for name in names.locals]
        if names.stays or any(isinstance(value, _MARKS) for value in values):
            return False, None
        if names.changes:
            self.refuse("a method that changes what it belongs to", node)
        return self.whole.carried_out(self, node, values)

    def _known_name(self, node: ast.Name, env: Env) -> tuple[bool, Value]:
        if node.id in self.text.locals:
            value = env.get(node.id, UNSET)
            return (False, None) if isinstance(value, _MARKS) else (True, value)
        try:
            return True, self.text.module.named(node.id)
        except NameError as error:
            self.refuse(str(error), node)

    def number(self, value: Value, node: ast.AST) -> ast.expr:
        """A value as an expression."""
        if isinstance(value, ast.expr):
            return value
        if not isinstance(value, int | float):
            self.refuse(f"not a number, {type(value).__name__} {value!r:.60}", node)
        return constant(value)

    # ── by the kind of expression ──

    def value(self, node: ast.expr, env: Env) -> Value:
        """The value of an expression."""
        known, value = self.known(node, env)
        if known:
            return value
        rule = self._RULES.get(type(node))
        if rule is None:
            self.refuse(f"{type(node).__name__} of what is not known", node)
        return rule(self, node, env)

    def test(self, node: ast.expr, env: Env) -> Value:
        """The value of an expression that is asked only whether it is true."""
        known, value = self.known(node, env)
        if not known and isinstance(node, ast.BoolOp):
            return self._logic(node, node.op, (self.test(own, env) for own in node.values), tested=True)
        return value if known else self.value(node, env)

    def _name(self, node: ast.Name, env: Env) -> Value:
        match env.get(node.id, UNSET):
            case RecordType():
                self.refuse("a record is used by its fields only", node)
            case Row():
                self.refuse("a row is used by its places only", node)
            case mark if mark is UNSET:
                self.refuse(f"{node.id} has no value, or not the same known one, on every way", node)
        return ast.Name(node.id)

    def _attribute(self, node: ast.Attribute, env: Env) -> Value:
        found, field = self.field(node, env)
        if field.way != "number":
            self.refuse("a field with places, without a place", node)
        return found

    def field(self, node: ast.Attribute, env: Env) -> tuple[ast.Attribute, Field]:
        """A field of a record, and its declaration."""
        record = env.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if not isinstance(node.value, ast.Name) or not isinstance(record, RecordType):
            self.refuse("a part of what is not known", node)
        if node.attr not in record.fields:
            self.refuse(f"{record.__name__} has no such field", node)
        return ast.Attribute(value=ast.Name(node.value.id), attr=node.attr), record.fields[node.attr]

    def _subscript(self, node: ast.Subscript, env: Env) -> Value:
        base = node.value
        owner = env.get(base.id) if isinstance(base, ast.Name) else None
        if isinstance(owner, Row):
            place = self.known_place(node.slice, env, "a row")
            if place >= owner.length:
                self.refuse(f"a row of {owner.length} places", node)
            return owner.variable(place)
        if isinstance(base, ast.Attribute) and not self.known(base, env)[0]:
            return self._place_of_field(*self.field(base, env), node, env)
        table, at = self.value(base, env), self.value(node.slice, env)
        if isinstance(table, ast.expr):
            self.refuse("a place of what is not known", node)
        if not isinstance(at, ast.expr):
            return self.whole.computed(self, node, operator.getitem, table, at)
        return ast.Subscript(value=ast.Name(self.whole.table(self, table, node)), slice=at)

    def _place_of_field(self, found: ast.Attribute, field: Field, node: ast.Subscript, env: Env) -> Value:
        if field.way == "number":
            self.refuse("a place of a single number", node)
        if field.way == "split":
            return ast.Subscript(value=found, slice=ast.Constant(self.known_place(node.slice, env, "a split field")))
        return ast.Subscript(value=found, slice=self.number(self.value(node.slice, env), node))

    def known_place(self, node: ast.expr, env: Env, of: str) -> int:
        place = self.value(node, env)
        if isinstance(place, ast.expr):
            self.refuse(f"an unknown place of {of}", node)
        if not isinstance(place, int) or place < 0:
            self.refuse(f"no place of {of}: {place!r}", node)
        return int(place)

    def _bool_op(self, node: ast.BoolOp, env: Env) -> Value:
        return self._logic(node, node.op, (self.value(own, env) for own in node.values), tested=False)

    def _logic(self, node: ast.AST, op: ast.boolop, values: Iterator[Value], *, tested: bool) -> Value:
        """`and` or `or` of values, which are asked for until one is known to decide."""
        decides = isinstance(op, ast.Or)
        left: list[ast.expr] = []
        last: Value = not decides
        for value in values:
            last = value
            if isinstance(value, ast.expr):
                left.append(value)
            elif bool(value) == decides:
                break
        if not left:
            return last
        if not isinstance(last, ast.expr) and (bool(last) == decides or not tested):
            left.append(self.number(last, node))
        return left[0] if len(left) == 1 else ast.BoolOp(op=op, values=left)

    def _unary_op(self, node: ast.UnaryOp, env: Env) -> Value:
        inner = self.test(node.operand, env) if isinstance(node.op, ast.Not) else self.value(node.operand, env)
        if isinstance(inner, ast.expr):
            return ast.UnaryOp(op=node.op, operand=inner)
        return _UNARY[type(node.op)](inner)

    def _if_exp(self, node: ast.IfExp, env: Env) -> Value:
        test = self.test(node.test, env)
        if not isinstance(test, ast.expr):
            return self.value(node.body if test else node.orelse, env)
        one, two = (self.number(self.value(own, env), own) for own in (node.body, node.orelse))
        return ast.IfExp(test=test, body=one, orelse=two)

    def _bin_op(self, node: ast.BinOp, env: Env) -> Value:
        return self.binary(node.op, self.value(node.left, env), self.value(node.right, env), node)

    def binary(self, op: ast.operator, one: Value, two: Value, node: ast.AST) -> Value:
        """An operator between values; what changes nothing is left out."""
        if type(op) not in OPERATORS:
            self.refuse("no operator of the dialect", node)
        if not isinstance(one, ast.expr) and not isinstance(two, ast.expr):
            return self.whole.computed(self, node, OPERATORS[type(op)], one, two)
        if is_neutral(op, two):
            return one
        if isinstance(op, _COMMUTING) and is_neutral(op, one):
            return two
        if isinstance(op, ast.Mult | ast.BitAnd) and any(
            type(mine) is int and mine == 0 and isinstance(other, ast.expr) and not calls(other)
            for mine, other in ((one, two), (two, one))
        ):
            return 0
        return ast.BinOp(left=self.number(one, node), op=op, right=self.number(two, node))

    def _compare(self, node: ast.Compare, env: Env) -> Value:
        """Comparisons; of a chain, what stands in its middle is computed twice, so it must not act."""
        operands = [node.left, *node.comparators]
        values = [self.value(node.left, env)]
        parts: list[Value] = []
        for op, operand in zip(node.ops, operands[1:], strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                if len(node.ops) > 1:
                    self.refuse("`in` inside a chain of comparisons", node)
                parts.append(self._contained(op, values[-1], operand, env))
            else:
                values.append(self.value(operand, env))
                parts.append(self._compared(op, values[-2], values[-1], node))
        if any(isinstance(own, ast.expr) and calls(own) for own in values[1:-1]):
            self.refuse("the middle of a chain of comparisons acts", node)
        return parts[0] if len(parts) == 1 else self._logic(node, ast.And(), iter(parts), tested=False)

    def _compared(self, op: ast.cmpop, one: Value, two: Value, node: ast.AST) -> Value:
        if not isinstance(one, ast.expr) and not isinstance(two, ast.expr):
            return self.whole.computed(self, node, OPERATORS[type(op)], one, two)
        if not isinstance(op, COMPARISONS):
            self.refuse("no comparison for what is not known", node)
        return ast.Compare(left=self.number(one, node), ops=[op], comparators=[self.number(two, node)])

    def _contained(self, op: ast.In | ast.NotIn, one: Value, operand: ast.expr, env: Env) -> Value:
        """Whether a number is among some."""
        items = self._members(operand, env)
        if isinstance(one, ast.expr) and calls(one) and len(items) > 1:
            self.refuse("what is looked for acts", operand)
        each, both = (ast.Eq(), ast.Or()) if isinstance(op, ast.In) else (ast.NotEq(), ast.And())
        return self._logic(operand, both, (self._compared(each, one, own, operand) for own in items), tested=False)

    def _members(self, node: ast.expr, env: Env) -> list[Value]:
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            return [self.value(own, env) for own in node.elts]
        return list(self.known_items(node, env, "an unknown collection"))

    # ── calls ──

    def _call(self, node: ast.Call, env: Env) -> Value:
        return self.call(node, env, valued=True)

    def call(self, node: ast.Call, env: Env, *, valued: bool) -> Value:
        """A call; `valued` if somebody wants what it gives."""
        known, function = self.known(node.func, env)
        if not known:
            self.refuse("an unknown function", node)
        if isinstance(function, Acting):
            return self._act(function, node, env)
        if not isinstance(function, FunctionType | BuiltinFunctionType):
            self.refuse("a function that is none of the text, of what is not known", node)
        if function in self.whole.texts:
            return self._text_call(self.whole.texts[function], node, env, valued=valued)
        if function in GATHERING and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return self._gathered(GATHERING[function], node, node.args[0], env)
        return self._primitive(function, node, env)

    def _primitive(self, function: Callable[..., object], node: ast.Call, env: Env) -> Value:
        if function not in COMPUTING and function is not unknown:
            self.refuse("a function that is none of the text, of what is not known", node)
        if node.keywords:
            self.refuse("a primitive takes no keywords", node)
        values = [self.value(own, env) for own in node.args]
        if function is unknown:
            return self.number(values[0], node)
        if not any(isinstance(own, ast.expr) for own in values):
            return self.whole.computed(self, node, function, *values)
        arguments = [self.number(own, node) for own in values]
        return ast.Call(func=ast.Name(COMPUTING[function]), args=arguments, keywords=[])

    def _act(self, hook: Acting[Any], node: ast.Call, env: Env) -> Value:
        if node.keywords:
            self.refuse("a primitive takes no keywords", node)
        arguments = [self.number(self.value(own, env), node) for own in node.args]
        return ast.Call(func=ast.Name(self.whole.hook(self, hook, node)), args=arguments, keywords=[])

    def _text_call(self, text: Text, node: ast.Call, env: Env, *, valued: bool) -> Value:
        given = {name: self._argument(text, name, own, env) for name, own in self._arguments(text, node)}
        values = {name: given[name] if name in given else text.defaults.get(name, UNSET) for name in text.parameters}
        if UNSET in values.values():
            self.refuse("an argument is missing", node)
        known = {
            name: LATER if isinstance(own, ast.expr) and name not in text.records else own
            for name, own in values.items()
        }
        residual = self.whole.residual(text, {**known, **dict.fromkeys(text.records, LATER)}, self.text.place(node))
        arguments = {name: self.number(values[name], node) for name in residual.parameters}
        acting = [name for name in given if name in arguments and calls(arguments[name])]
        if acting and [name for name in given if name in arguments] != [*arguments]:
            self.refuse("arguments that act, not in the order of the parameters", node)
        records = [own.id for name, own in arguments.items() if name in text.records and isinstance(own, ast.Name)]
        if len(set(records)) < len(records):
            self.refuse("one record under two names", node)
        if valued:
            self.whole.valued.append((residual, self, node, tuple(self.whole.calls)))
        return unfolded(residual, arguments, valued=valued)

    def _arguments(self, text: Text, node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
        """The parameters of a call with what is given for them, as they are written."""
        only_by_name = {own.arg for own in text.tree.args.kwonlyargs}
        positional = [name for name in text.parameters if name not in only_by_name]
        if len(node.args) > len(positional):
            self.refuse(f"{text.name} takes {len(positional)} arguments", node)
        seen = positional[: len(node.args)]
        for name, own in zip(positional, node.args, strict=False):
            if isinstance(own, ast.Starred):
                self.refuse("any number of arguments", node)
            yield name, own
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg not in text.parameters or keyword.arg in seen:
                self.refuse(f"{text.name} has no such parameter left", node)
            yield keyword.arg, keyword.value

    def _argument(self, text: Text, name: str, node: ast.expr, env: Env) -> Value:
        given = env.get(node.id) if isinstance(node, ast.Name) else None
        if name in text.records:
            if not isinstance(node, ast.Name) or given is not text.records[name]:
                self.refuse(f"{text.name} wants a record {text.records[name].__name__} for {name}", node)
            return ast.Name(node.id)
        if isinstance(given, RecordType):
            self.refuse(f"{text.name} declares no record for {name}", node)
        return self.value(node, env)

    # ── sum, min, max, any and all of known numbers of things ──

    def _gathered(self, how: str, node: ast.Call, made: ast.GeneratorExp, env: Env) -> Value:
        items = self._items(made, env)
        if how in {"any", "all"}:
            values = (self._as_truth(own) for own in items)
            found = self._logic(node, ast.Or() if how == "any" else ast.And(), values, tested=True)
            return truth(found) if isinstance(found, ast.expr) else bool(found)
        values_found = list(items)
        if how == "sum":
            total: Value = 0
            for own in values_found:
                total = self.binary(ast.Add(), total, own, node)
            return total
        if not values_found:
            self.refuse("nothing to choose from", node)
        best = values_found[0]
        for own in values_found[1:]:
            if isinstance(best, ast.expr) or isinstance(own, ast.expr):
                both = [self.number(best, node), self.number(own, node)]
                best = ast.Call(func=ast.Name(how), args=both, keywords=[])
            else:
                best = self.whole.computed(self, node, min if how == "min" else max, best, own)
        return best

    @staticmethod
    def _as_truth(value: Value) -> Value:
        return truth(value) if isinstance(value, ast.expr) else value

    def _items(self, made: ast.GeneratorExp, env: Env) -> Iterator[Value]:
        if len(made.generators) != 1:
            self.refuse("one loop inside another", made)
        (loop,) = made.generators
        for item in self.known_items(loop.iter, env, "an unknown bound of an unrolled loop"):
            inner = dict(env)
            self.bind(loop.target, item, inner)
            tests = [self.test(own, inner) for own in loop.ifs]
            if any(isinstance(own, ast.expr) for own in tests):
                self.refuse("an unknown choice of what is gathered", made)
            if all(tests):
                yield self.value(made.elt, inner)

    def known_items(self, node: ast.expr, env: Env, reason: str) -> Iterable[Value]:
        known, values = self.known(node, env)
        if not known:
            self.refuse(reason, node)
        if not hasattr(values, "__iter__"):
            self.refuse("nothing to go through", node)
        found: Iterable[Value] = values
        return found

    def bind(self, target: ast.expr, value: Value, env: Env) -> None:
        """Give known values to the names of a target."""
        if isinstance(target, ast.Name):
            env[target.id] = value
        elif isinstance(target, ast.Tuple):
            parts: Any = value
            try:
                pairs = list(zip(target.elts, parts, strict=True))
            except (TypeError, ValueError) as error:
                self.refuse(str(error), target)
            for own, part in pairs:
                self.bind(own, part, env)
        else:
            self.refuse("an assignment to this", target)

    _RULES: ClassVar[Mapping[type[ast.expr], Callable[[Expressions, Any, Env], Value]]] = {
        ast.Name: _name,
        ast.Attribute: _attribute,
        ast.Subscript: _subscript,
        ast.BoolOp: _bool_op,
        ast.UnaryOp: _unary_op,
        ast.IfExp: _if_exp,
        ast.BinOp: _bin_op,
        ast.Compare: _compare,
        ast.Call: _call,
    }


def unfolded(residual: Residual, arguments: Mapping[str, ast.expr], *, valued: bool) -> Value:
    """A call of what is a single expression is that expression, if nothing acts in it or is computed twice."""
    call = ast.Call(func=ast.Name(residual.name), args=list(arguments.values()), keywords=[])
    if not residual.finished or len(residual.body) > 1 or any(map(calls, arguments.values())):
        return call
    if not residual.body:
        return call if valued else None
    (only,) = residual.body
    if not isinstance(only, ast.Return) or only.value is None:
        return call
    if isinstance(only.value, ast.Constant):
        return only.value.value
    simple = {name for name, own in arguments.items() if isinstance(own, ast.Name | ast.Constant)}
    used = [own.id for own in ast.walk(only.value) if isinstance(own, ast.Name)]
    twice = {name for name in used if used.count(name) > 1}
    if (twice | (set(arguments) if calls(only.value) else set())) & set(arguments) - simple:
        return call
    return rebuilt(only.value, lambda node: arguments.get(node.id, node) if isinstance(node, ast.Name) else node)


GATHERING: Mapping[Any, str] = {own: own.__name__ for own in (sum, min, max, any, all)}
