"""Specialising expressions: static ones become values, the others become residual expressions."""

from __future__ import annotations

import ast
import operator
from types import BuiltinFunctionType, FunctionType
from typing import TYPE_CHECKING, Any, NoReturn, TypeGuard

from draftengine.jit.primitives import COMPUTING, unknown
from draftengine.jit.records import RecordType
from draftengine.jit.residual import (
    APPLIED,
    COMMUTING,
    COMPARISONS,
    DYNAMIC,
    MARKS,
    OPERATORS,
    UNARY,
    UNSET,
    Env,
    Row,
    Value,
    calls,
    constant,
    is_neutral,
    truth,
    unfolded,
)
from draftengine.jit.source_functions import SpecialisationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from draftengine.jit.records import Field
    from draftengine.jit.source_functions import Text
    from draftengine.jit.specializer import Specialiser


_GATHERED: Mapping[Any, str] = {function: function.__name__ for function in (sum, min, max, any, all)}


class Expressions:
    """The specialiser of the expressions of one function, for given static arguments."""

    def __init__(self, whole: Specialiser, text: Text) -> None:
        self.whole = whole
        self.text = text

    def refuse(self, reason: str, node: ast.AST) -> NoReturn:
        excerpt = ast.unparse(node).partition("\n")[0]
        raise SpecialisationError(reason, self.text.place(node), excerpt, tuple(self.whole.calls))

    # ── static values ──

    def known(self, node: ast.expr, env: Env) -> tuple[bool, Value]:
        """Return a pair: True and the computed value if an expression is static, otherwise False."""
        if isinstance(node, ast.Constant):
            return True, node.value
        if isinstance(node, ast.Name) and node.id in self.text.locals:
            value = env.get(node.id, UNSET)
            return (False, None) if isinstance(value, MARKS) else (True, value)
        if isinstance(node, ast.Name):
            try:
                return True, self.text.module.named(node.id)
            except NameError as error:
                self.refuse(str(error), node)
        names = self.text.names(node)
        if names.stays or any(isinstance(env.get(name, UNSET), MARKS) for name in names.locals):
            return False, None
        if names.changes:
            self.refuse("a method that changes what it belongs to", node)
        return True, self.whole.carried_out(self, node, [env[name] for name in sorted(names.locals)])

    def number(self, value: Value, node: ast.AST) -> ast.expr:
        """Return a value as a residual expression. Raise an error for a static value that is not a number."""
        if isinstance(value, ast.expr):
            return value
        if not isinstance(value, int | float):
            self.refuse(f"not a number, {type(value).__name__} {value!r:.60}", node)
        return constant(value)

    # ── by the kind of expression ──

    def value(self, node: ast.expr, env: Env) -> Value:  # noqa: PLR0911 (one for each kind of expression)
        """Return the value of an expression: a static value, or a residual expression."""
        known, value = self.known(node, env)
        if known:
            return value
        match node:
            case ast.Name():
                return self._name(node, env)
            case ast.Call():
                return self.call(node, env)
            case ast.Attribute():
                attribute, field = self.field(node, env)
                if field.way != "number":
                    self.refuse("a field with places, without a place", node)
                return attribute
            case ast.Subscript():
                return self._subscript(node, env)
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(op, self.value(left, env), self.value(right, env), node)
            case ast.Compare():
                return self._compare(node, env)
            case ast.BoolOp(op=op, values=values):
                return self.logic(node, op, (self.value(value, env) for value in values), tested=False)
            case ast.UnaryOp(op=op, operand=operand):
                inner = self.test(operand, env) if isinstance(op, ast.Not) else self.value(operand, env)
                return ast.UnaryOp(op=op, operand=inner) if isinstance(inner, ast.expr) else UNARY[type(op)](inner)
        if not isinstance(node, ast.IfExp):
            self.refuse(f"{type(node).__name__} of what is not known", node)
        decided = self.test(node.test, env)
        if not isinstance(decided, ast.expr):
            return self.value(node.body if decided else node.orelse, env)
        one, two = (self.number(self.value(branch, env), branch) for branch in (node.body, node.orelse))
        return ast.IfExp(test=decided, body=one, orelse=two)

    def test(self, node: ast.expr, env: Env) -> Value:
        """Return the value of an expression that is only tested for truth."""
        known, value = self.known(node, env)
        if not known and isinstance(node, ast.BoolOp):
            return self.logic(node, node.op, (self.test(value, env) for value in node.values), tested=True)
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

    def field(self, node: ast.Attribute, env: Env) -> tuple[ast.Attribute, Field]:
        """Return a field of a record as an expression, and its declaration."""
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
            attribute, field = self.field(base, env)
            if field.way == "number":
                self.refuse("a place of a single number", node)
            if field.way == "split":
                split_place = ast.Constant(self.known_place(node.slice, env, "a split field"))
                return ast.Subscript(value=attribute, slice=split_place)
            return ast.Subscript(value=attribute, slice=self.number(self.value(node.slice, env), node))
        table, index = self.value(base, env), self.value(node.slice, env)
        if isinstance(table, ast.expr):
            self.refuse("a place of what is not known", node)
        if not isinstance(index, ast.expr):
            return self.whole.computed(self, node, operator.getitem, table, index)
        if not calls(index) and is_uniform(table):
            return int(table[0])
        return ast.Subscript(value=ast.Name(self.whole.table(self, table, node)), slice=index)

    def known_place(self, node: ast.expr, env: Env, of: str) -> int:
        place = self.value(node, env)
        if isinstance(place, ast.expr):
            self.refuse(f"an unknown place of {of}", node)
        if not isinstance(place, int) or place < 0:
            self.refuse(f"no place of {of}: {place!r}", node)
        return int(place)

    def logic(self, node: ast.AST, op: ast.boolop, values: Iterator[Value], *, tested: bool) -> Value:
        """Specialise `and` or `or`. Values are taken one by one until a static value decides."""
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
        if tested and not isinstance(last, ast.expr) and bool(last) == decides and not any(map(calls, left)):
            return decides
        if not isinstance(last, ast.expr) and (bool(last) == decides or not tested):
            left.append(self.number(last, node))
        return left[0] if len(left) == 1 else ast.BoolOp(op=op, values=left)

    def binary(self, op: ast.operator, one: Value, two: Value, node: ast.AST) -> Value:
        """Specialise a binary operator. An operation that changes nothing is dropped."""
        if type(op) not in OPERATORS:
            self.refuse("no operator of the dialect", node)
        if not isinstance(one, ast.expr) and not isinstance(two, ast.expr):
            return self.whole.computed(self, node, OPERATORS[type(op)], one, two)
        if is_neutral(op, two):
            return one
        if isinstance(op, COMMUTING) and is_neutral(op, one):
            return two
        if isinstance(op, ast.Mult | ast.BitAnd) and any(
            type(mine) is int and mine == 0 and isinstance(other, ast.expr) and not calls(other)
            for mine, other in ((one, two), (two, one))
        ):
            return 0
        return ast.BinOp(left=self.number(one, node), op=op, right=self.number(two, node))

    def _compare(self, node: ast.Compare, env: Env) -> Value:
        """Specialise comparisons. The middle of a chain is computed twice, so it must have no effects."""
        operands = [node.left, *node.comparators]
        values = [self.value(node.left, env)]
        parts: list[Value] = []
        for op, operand in zip(node.ops, operands[1:], strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                if len(node.ops) > 1:
                    self.refuse("`in` inside a chain of comparisons", node)
                one = values[-1]
                if isinstance(operand, ast.Tuple | ast.List | ast.Set):
                    items = [self.value(element, env) for element in operand.elts]
                else:
                    items = list(self.known_items(operand, env, "an unknown collection"))
                if isinstance(one, ast.expr) and calls(one) and len(items) > 1:
                    self.refuse("what is looked for acts", operand)
                each, both = (ast.Eq(), ast.Or()) if isinstance(op, ast.In) else (ast.NotEq(), ast.And())
                parts.append(
                    self.logic(operand, both, (self.compared(each, one, item, operand) for item in items), tested=False)
                )
            else:
                values.append(self.value(operand, env))
                parts.append(self.compared(op, values[-2], values[-1], node))
        if any(isinstance(value, ast.expr) and calls(value) for value in values[1:-1]):
            self.refuse("the middle of a chain of comparisons acts", node)
        return parts[0] if len(parts) == 1 else self.logic(node, ast.And(), iter(parts), tested=False)

    def compared(self, op: ast.cmpop, one: Value, two: Value, node: ast.AST) -> Value:
        if not isinstance(one, ast.expr) and not isinstance(two, ast.expr):
            return self.whole.computed(self, node, OPERATORS[type(op)], one, two)
        if not isinstance(op, COMPARISONS):
            self.refuse("no comparison for what is not known", node)
        return ast.Compare(left=self.number(one, node), ops=[op], comparators=[self.number(two, node)])

    def known_items(self, node: ast.expr, env: Env, reason: str) -> Iterable[Value]:
        known, values = self.known(node, env)
        if not known and isinstance(node, ast.IfExp):
            decided, test = self.known(node.test, env)
            if decided:
                return self.known_items(node.body if test else node.orelse, env, reason)
        if not known:
            self.refuse(reason, node)
        if not hasattr(values, "__iter__"):
            self.refuse("nothing to go through", node)
        items: Iterable[Value] = values
        return items

    def bind(self, target: ast.expr, value: Value, env: Env) -> None:
        """Give the names in the target of an assignment their static values in `env`."""
        if isinstance(target, ast.Name):
            env[target.id] = value
        elif isinstance(target, ast.Tuple):
            parts: Any = value
            try:
                pairs = list(zip(target.elts, parts, strict=True))
            except (TypeError, ValueError) as error:
                self.refuse(str(error), target)
            for element, part in pairs:
                self.bind(element, part, env)
        else:
            self.refuse("an assignment to this", target)

    # ── calls ──

    def call(self, node: ast.Call, env: Env, *, valued: bool = True) -> Value:
        """Specialise a call. `valued` is true if its result is used."""
        known, function = self.known(node.func, env)
        if not known:
            self.refuse("an unknown function", node)
        if not isinstance(function, FunctionType | BuiltinFunctionType):
            self.refuse("a function that is not in kernel source, of what is not known", node)
        if function in self.whole.texts:
            return self._text_call(self.whole.texts[function], node, env, valued=valued)
        if function in _GATHERED and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return self._gathered(_GATHERED[function], node, node.args[0], env)
        if function in APPLIED and len(node.args) == 2 and not node.keywords:  # noqa: PLR2004 (a binary operator)
            # A function of the module `operator` becomes the operator itself.
            op, (one, two) = APPLIED[function](), (self.value(arg, env) for arg in node.args)
            return self.compared(op, one, two, node) if isinstance(op, ast.cmpop) else self.binary(op, one, two, node)
        if function not in COMPUTING and function is not unknown:
            self.refuse("a function that is not in kernel source, of what is not known", node)
        if node.keywords:
            self.refuse("a primitive takes no keywords", node)
        values = [self.value(arg, env) for arg in node.args]
        if function is unknown:
            return self.number(values[0], node)
        if not any(isinstance(value, ast.expr) for value in values):
            return self.whole.computed(self, node, function, *values)
        arguments = [self.number(value, node) for value in values]
        return ast.Call(func=ast.Name(COMPUTING[function]), args=arguments, keywords=[])

    def _text_call(self, text: Text, node: ast.Call, env: Env, *, valued: bool) -> Value:
        given = {name: self._argument(text, name, argument, env) for name, argument in self._arguments(text, node)}
        values = {name: given[name] if name in given else text.defaults.get(name, UNSET) for name in text.parameters}
        if UNSET in values.values():
            self.refuse("an argument is missing", node)
        known = {name: DYNAMIC if isinstance(value, ast.expr) else value for name, value in values.items()}
        residual = self.whole.residual(text, known, self.text.place(node))
        arguments = {name: self.number(values[name], node) for name in residual.parameters}
        acting = [name for name in given if name in arguments and calls(arguments[name])]
        if acting and [name for name in given if name in arguments] != [*arguments]:
            self.refuse("arguments that act, not in the order of the parameters", node)
        records = [
            argument.id
            for name, argument in arguments.items()
            if name in text.records and isinstance(argument, ast.Name)
        ]
        if len(set(records)) < len(records):
            self.refuse("one record under two names", node)
        if valued:
            self.whole.valued.append((residual, self, node, tuple(self.whole.calls)))
        return unfolded(residual, arguments, valued=valued)

    def _arguments(self, text: Text, node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
        """Yield the parameters of a call with their arguments, in the order of the arguments in the source."""
        only_by_name = {argument.arg for argument in text.tree.args.kwonlyargs}
        positional = [name for name in text.parameters if name not in only_by_name]
        if len(node.args) > len(positional):
            self.refuse(f"{text.name} takes {len(positional)} arguments", node)
        seen = positional[: len(node.args)]
        for name, arg in zip(positional, node.args, strict=False):
            if isinstance(arg, ast.Starred):
                self.refuse("any number of arguments", node)
            yield name, arg
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

    # ── sum, min, max, any and all of generators ──

    def _gathered(self, how: str, node: ast.Call, made: ast.GeneratorExp, env: Env) -> Value:
        items = self._items(made, env)
        if how in {"any", "all"}:
            values = (truth(item) if isinstance(item, ast.expr) else item for item in items)
            result = self.logic(node, ast.Or() if how == "any" else ast.And(), values, tested=True)
            return truth(result) if isinstance(result, ast.expr) else bool(result)
        values_found = list(items)
        if how == "sum":
            total: Value = 0
            for value in values_found:
                total = self.binary(ast.Add(), total, value, node)
            return total
        if not values_found:
            self.refuse("nothing to choose from", node)
        best = values_found[0]
        for value in values_found[1:]:
            if isinstance(best, ast.expr) or isinstance(value, ast.expr):
                both = [self.number(best, node), self.number(value, node)]
                best = ast.Call(func=ast.Name(how), args=both, keywords=[])
            else:
                best = self.whole.computed(self, node, min if how == "min" else max, best, value)
        return best

    def _items(self, made: ast.GeneratorExp, env: Env) -> Iterator[Value]:
        if len(made.generators) != 1:
            self.refuse("one loop inside another", made)
        (loop,) = made.generators
        for item in self.known_items(loop.iter, env, "an unknown bound of an unrolled loop"):
            inner = dict(env)
            self.bind(loop.target, item, inner)
            tests = [self.test(condition, inner) for condition in loop.ifs]
            if any(isinstance(test, ast.expr) for test in tests):
                self.refuse("an unknown choice of what is gathered", made)
            if all(tests):
                yield self.value(made.elt, inner)


def is_uniform(table: Any) -> TypeGuard[Sequence[int]]:
    """True if all numbers of a static table are the same whole number, so that no index matters."""
    if not isinstance(table, tuple | list) or not table or not isinstance(table[0], int):
        return False
    return table[0] == table[-1] and all(item == table[0] for item in table)
