"""Statements, specialised: what is known is carried out, known branches and loops disappear, the rest stays."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, ClassVar

from draftengine.jit.calls import Calls
from draftengine.jit.primitives import dynamic_range, row
from draftengine.jit.residual import calls, constant, ended
from draftengine.jit.struct_type import RecordType
from draftengine.jit.values import DYNAMIC, UNSET, Env, Row, Value, is_neutral, key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from draftengine.jit.source_functions import Text
    from draftengine.jit.specializer import Specialiser


class Statements(Calls):
    """The statements of one function, for what is known of its arguments."""

    def __init__(self, whole: Specialiser, text: Text) -> None:
        super().__init__(whole, text)
        self._objects: list[tuple[ast.Return, Value]] = []
        """Returns of known values that are no numbers."""

    def whole_body(self, env: Env) -> list[ast.stmt]:
        """What is left of the function. Only one that does nothing else can return what is no number."""
        out = self.body(self.text.tree.body, env)
        alone = len(out) == 1 and isinstance(out[0], ast.Return)
        for own, value in [] if alone else self._objects:
            self.number(value, own)
        return out

    def body(self, statements: Sequence[ast.stmt], env: Env) -> list[ast.stmt]:
        """What is left of statements. The environment becomes what it is behind them."""
        out: list[ast.stmt] = []
        for own in statements:
            rule = self._STATEMENTS.get(type(own))
            if rule is None:
                self.refuse(f"the dialect has no {type(own).__name__}", own)
            for made in rule(self, own, env):
                made.lineno = own.lineno if not hasattr(made, "lineno") else made.lineno
                out.append(made)
            if ended(out):
                break
        return out

    def _pass(self, _own: ast.Pass, _env: Env) -> list[ast.stmt]:
        return []

    def _return(self, own: ast.Return, env: Env) -> list[ast.stmt]:
        if own.value is None:
            return [ast.Return(value=None)]
        value = self.value(own.value, env)
        if isinstance(value, ast.expr | int | float):
            return [ast.Return(value=self.number(value, own))]
        self._objects.append((own, value))
        known: Any = value
        return [ast.Return(value=ast.Constant(known))]

    def _expr(self, own: ast.Expr, env: Env) -> list[ast.stmt]:
        if isinstance(own.value, ast.Constant):
            return []
        if not isinstance(own.value, ast.Call):
            self.refuse("an expression that does nothing", own)
        value = self.call(own.value, env, valued=False)
        return [ast.Expr(value=value)] if isinstance(value, ast.expr) and calls(value) else []

    def _assert(self, own: ast.Assert, env: Env) -> list[ast.stmt]:
        test = self.test(own.test, env)
        if isinstance(test, ast.expr):
            return [ast.Assert(test=test, msg=None)]
        if not test:
            self.refuse("this does not hold", own)
        return []

    # ── assignments ──

    def _assign(self, own: ast.Assign, env: Env) -> list[ast.stmt]:
        if len(own.targets) != 1:
            self.refuse("several targets", own)
        return self._assigned(own.targets[0], own.value, env)

    def _ann_assign(self, own: ast.AnnAssign, env: Env) -> list[ast.stmt]:
        return [] if own.value is None else self._assigned(own.target, own.value, env)

    def _assigned(self, target: ast.expr, value: ast.expr, env: Env) -> list[ast.stmt]:
        if isinstance(value, ast.Call) and isinstance(target, ast.Name) and self.known(value.func, env) == (True, row):
            return self._rowed(target, value, env)
        if isinstance(target, ast.Tuple):
            return self._unpacked(target, value, env)
        return self._put(target, self.value(value, env), env)

    def _rowed(self, target: ast.Name, value: ast.Call, env: Env) -> list[ast.stmt]:
        known, length = self.known(value.args[0], env)
        if not known or not isinstance(length, int):
            self.refuse("a row of unknown length", value)
        made = env[target.id] = Row(target.id, length)
        return [ast.Assign(targets=[made.variable(at)], value=ast.Constant(0)) for at in range(length)]

    def _unpacked(self, target: ast.Tuple, value: ast.expr, env: Env) -> list[ast.stmt]:
        """Several values at once; those that are not known are held until all are there."""
        if not isinstance(value, ast.Tuple) or len(value.elts) != len(target.elts):
            self.bind(target, self.known_items(value, env, "several values from what is not known"), env)
            return []
        out: list[ast.stmt] = []
        found = [self.value(own, env) for own in value.elts]
        for at, own in enumerate(found):
            if isinstance(own, ast.expr) and not isinstance(own, ast.Constant):
                held = ast.Name(self.whole.fresh_name("held"))
                out.append(ast.Assign(targets=[held], value=own))
                found[at] = held
        for one, own in zip(target.elts, found, strict=True):
            out += self._put(one, own, env)
        return out

    def _put(self, target: ast.expr, value: Value, env: Env) -> list[ast.stmt]:
        if isinstance(target, ast.Tuple) and not isinstance(value, ast.expr):
            self.bind(target, value, env)
            return []
        if isinstance(target, ast.Name):
            if isinstance(env.get(target.id), RecordType):
                self.refuse("another value for a record", target)
            env[target.id] = DYNAMIC if isinstance(value, ast.expr) else value
            return [ast.Assign(targets=[ast.Name(target.id)], value=value)] if isinstance(value, ast.expr) else []
        return [ast.Assign(targets=[self._target(target, env)], value=self.number(value, target))]

    def _aug_assign(self, own: ast.AugAssign, env: Env) -> list[ast.stmt]:
        value = self.value(own.value, env)
        if isinstance(own.target, ast.Name):
            new = self.binary(own.op, self.value(_loaded(own.target), env), value, own)
            if isinstance(new, ast.Name) and new.id == own.target.id:
                return []
            return self._put(own.target, new, env)
        target = self._target(own.target, env)
        if is_neutral(own.op, value) and not calls(target):
            return []
        return [ast.AugAssign(target=target, op=own.op, value=self.number(value, own))]

    def _target(self, node: ast.expr, env: Env) -> Any:
        """A place that a value is written to."""
        known = isinstance(node, ast.Subscript | ast.Attribute) and self.known(node.value, env)[0]
        if known or not isinstance(node, ast.Attribute | ast.Subscript):
            self.refuse("an assignment to this", node)
        return self.value(node, env)

    # ── branches ──

    def _if(self, own: ast.If, env: Env) -> list[ast.stmt]:
        test = self.test(own.test, env)
        if not isinstance(test, ast.expr):
            return self.body(own.body if test else own.orelse, env)
        one, two = dict(env), dict(env)
        yes, no = self.body(own.body, one), self.body(own.orelse, two)
        if ended(yes) or ended(no):
            env.update(two if ended(yes) else one)
        else:
            for name in self.text.stored(own):
                env[name] = self._joined(name, (one.get(name, UNSET), yes), (two.get(name, UNSET), no))
        if not yes and not no and not calls(test):
            return []
        return [ast.If(test=test, body=yes or [ast.Pass()], orelse=no)]

    def _joined(self, name: str, *ways: tuple[Value, list[ast.stmt]]) -> Value:
        """The value of a name behind two ways; where they differ, each sets a variable."""
        (one, _), (two, _) = ways
        if one is two or key_of(one) == key_of(two):
            return one
        if not all(own is DYNAMIC or isinstance(own, int | float) for own, _ in ways):
            return UNSET
        for own, statements in ways:
            if isinstance(own, int | float):
                statements.append(_variable(name, own))
        return DYNAMIC

    # ── loops ──

    def _while(self, own: ast.While, env: Env) -> list[ast.stmt]:
        if own.orelse:
            self.refuse("an `else` of a loop", own)
        before = self._freed(self.text.stored(own), env)
        test = self.test(own.test, env)
        if not isinstance(test, ast.expr):
            if not test:
                return before
            test = ast.Constant(1)
        return [*before, ast.While(test=test, body=self._repeated(own, env), orelse=[])]

    def _for(self, own: ast.For, env: Env) -> list[ast.stmt]:
        if own.orelse:
            self.refuse("an `else` of a loop", own)
        if isinstance(own.iter, ast.Call) and self.known(own.iter.func, env) == (True, dynamic_range):
            return self._counted(own, own.iter, env)
        out: list[ast.stmt] = []
        for value in self.known_items(own.iter, env, "an unknown bound of an unrolled loop"):
            self.bind(own.target, value, env)
            out += self.body(own.body, env)
            if ended(out):
                break
        return out

    def _counted(self, own: ast.For, bound: ast.Call, env: Env) -> list[ast.stmt]:
        """A loop that stays, over the numbers below a bound."""
        if not isinstance(own.target, ast.Name):
            self.refuse("several targets", own)
        count = self.number(self.value(bound.args[0], env), bound)
        before = self._freed([name for name in self.text.stored(own) if name != own.target.id], env)
        env[own.target.id] = DYNAMIC
        numbers = ast.Call(func=ast.Name("range"), args=[count], keywords=[])
        body = self._repeated(own, env)
        env[own.target.id] = UNSET
        return [*before, ast.For(target=ast.Name(own.target.id), iter=numbers, body=body, orelse=[])]

    def _freed(self, names: Iterable[str], env: Env) -> list[ast.stmt]:
        """What a loop that stays assigns becomes a variable before it."""
        before: list[ast.stmt] = []
        for name in names:
            value = env.get(name, UNSET)
            if isinstance(value, int | float):
                before.append(_variable(name, value))
                env[name] = DYNAMIC
            elif value is not DYNAMIC:
                env[name] = UNSET
        return before

    def _repeated(self, own: ast.While | ast.For, env: Env) -> list[ast.stmt]:
        """The body of a loop that stays. At its end, what it assigned is put back into the variables."""
        inner = dict(env)
        out = self.body(own.body, inner)
        for name in self.text.stored(own):
            value = inner.get(name, UNSET)
            if env.get(name) is DYNAMIC and value is not DYNAMIC and not ended(out):
                if not isinstance(value, int | float):
                    self.refuse(f"{name} has no value, or not the same known one, on every way", own)
                out.append(_variable(name, value))
        return out or [ast.Pass()]

    _STATEMENTS: ClassVar[Mapping[type[ast.stmt], Callable[[Statements, Any, Env], list[ast.stmt]]]] = {
        ast.Pass: _pass,
        ast.Return: _return,
        ast.Expr: _expr,
        ast.Assert: _assert,
        ast.Assign: _assign,
        ast.AnnAssign: _ann_assign,
        ast.AugAssign: _aug_assign,
        ast.If: _if,
        ast.While: _while,
        ast.For: _for,
    }


def _variable(name: str, value: float) -> ast.Assign:
    return ast.Assign(targets=[ast.Name(name)], value=constant(value))


def _loaded(name: ast.Name) -> ast.Name:
    return ast.copy_location(ast.Name(name.id, ast.Load()), name)
