"""Wrong translations planted in the specialiser and its forms are detected by the comparison."""

from __future__ import annotations

import ast

import pytest

from draftengine.jit import inlining, residual, specializer
from draftengine.jit import specializer as specialise
from draftengine.jit.llvm import function as llvm_function
from draftengine.jit.llvm.operations import Arithmetic
from draftengine.jit.residual import called_names
from staging.programs import written

ROOT = "def root(g: Game, o: Other, plan: Plan, k: int, x: int) -> int:\n"


def wrong_join(monkeypatch):
    """Give a name after a branch the value of the first arm."""
    monkeypatch.setattr(specializer.Statements, "_joined", lambda _self, _name, one, _two: one[0])


def dropped_effect(monkeypatch):
    """Drop a call with an unused value, in spite of its effects."""
    monkeypatch.setattr(specializer, "calls", lambda _node: False)


def dropped_test(monkeypatch):
    """Drop a test with effects together with its empty branches."""
    dropped_effect(monkeypatch)


def stale_constant(monkeypatch):
    """Keep the known value from before a loop for a name that the loop assigns."""
    monkeypatch.setattr(specializer.Statements, "_freed", lambda _self, _names, _env: [])


def not_put_back(monkeypatch):
    """Forget to store a known value, assigned in a loop, in its variable for the next pass."""

    def repeated(self, own, env):
        return self.body(own.body, dict(env))

    monkeypatch.setattr(specializer.Statements, "_repeated", repeated)


def index_twice(monkeypatch):
    """Evaluate the index of `+=` twice, once to read and once to write."""

    def aug_assign(self, own, env):
        target = self._target(own.target, env)
        added = self.inside.number(self.inside.value(own.value, env), own)
        value = ast.BinOp(left=target, op=own.op, right=added)
        return [ast.Assign(targets=[target], value=value)]

    monkeypatch.setattr(specializer.Statements, "_aug_assign", aug_assign)


def one_after_the_other(monkeypatch):
    """Let a later value of a multiple assignment see an earlier assignment."""

    def unpacked(self, target, value, env):
        pairs = zip(target.elts, value.elts, strict=True)
        return [made for one, own in pairs for made in self._put(one, self.inside.value(own, env), env)]

    monkeypatch.setattr(specializer.Statements, "_unpacked", unpacked)


def shared_too_widely(monkeypatch):
    """Share a function between calls with different known arguments."""
    monkeypatch.setattr(specialise, "key_of", type)


def unfolded_away(monkeypatch):
    """Put an argument with effects in the place of a parameter that is never used."""
    monkeypatch.setattr(residual, "calls", lambda _node: False)


def python_reads_late(monkeypatch):
    """Read a value that was computed first after a call that changes it."""

    def several(self, nodes, names):
        made = [self.expression(node, names) for node in nodes]
        return [own for before, _ in made for own in before], [found for _, found in made]

    monkeypatch.setattr(inlining.Inliner, "_several", several)


def field_not_written_back(monkeypatch):
    """Forget to write back a field that a function keeps in a variable."""
    monkeypatch.setattr(inlining, "assigned_names", lambda _statements: set())


def llvm_reads_late(monkeypatch):
    """Read the target of `+=` after computing the addend."""

    def aug_assign(self, own):
        cell = self.cell(own.target)
        value = self.plain(own.value)
        self.store(cell, self.binary(own.op, self.load(cell), value))

    monkeypatch.setattr(llvm_function.FunctionWriter, "_aug_assign", aug_assign)


def llvm_rounds_to_zero(monkeypatch):
    """Round division to zero, as C does."""

    def divided(self, op, one, two):
        return self.op("srem" if isinstance(op, ast.Mod) else "sdiv", one, two)

    monkeypatch.setattr(Arithmetic, "_divided", divided)


def llvm_jumps_with_new_values(monkeypatch):
    """Assign the arguments of a jump one after the other."""
    plain = llvm_function.FunctionWriter.plain

    def jump(self, call):
        (name,) = called_names([call])[:1]
        target = self._scopes.get(name)
        if target is None:
            return False
        for own, node in zip(target.residual.parameters, call.args, strict=True):
            if own in target.variables:
                self.write(target.variables[own], plain(self, node))
        self.go_to(target.label)
        return True

    monkeypatch.setattr(llvm_function.FunctionWriter, "_jump", jump)


CHANGES = "def change(g: Game) -> int:\n    g.a += 1\n    return g.a\n"
PLANTED = [
    (wrong_join, ROOT + "    v = 1\n    if x > 0:\n        v = 2\n    return v\n"),
    (dropped_effect, CHANGES + ROOT + "    change(g)\n    return 0\n"),
    (dropped_test, CHANGES + ROOT + "    if change(g) > 3:\n        pass\n    return 0\n"),
    (stale_constant, ROOT + "    n = 0\n    for c in dynamic_range(3):\n        n += 2\n    return n\n"),
    (not_put_back, ROOT + "    n = 5\n    for c in dynamic_range(3):\n        g.a += n\n        n = 7\n    return n\n"),
    (index_twice, CHANGES + ROOT + "    g.c[change(g) & 7] += 1\n    return 0\n"),
    (one_after_the_other, ROOT + "    v = x\n    w = g.a\n    v, w = w, v\n    return v * 100 + w\n"),
    (
        shared_too_widely,
        "def by(g: Game, n: int) -> int:\n    return g.a * n\n" + ROOT + "    return by(g, 2) + by(g, 3)\n",
    ),
    (
        unfolded_away,
        CHANGES + "def other(n: int, m: int) -> int:\n    return m\n" + ROOT + "    return other(change(g), x)\n",
    ),
    (python_reads_late, CHANGES + ROOT + "    return g.a + change(g)\n"),
    (field_not_written_back, ROOT + "    g.a = x\n    return 0\n"),
    (llvm_reads_late, CHANGES + ROOT + "    g.a += change(g)\n    return 0\n"),
    (llvm_rounds_to_zero, ROOT + "    return (x - 7) // 3 * 100 + (x - 7) % 3\n"),
    (
        llvm_jumps_with_new_values,
        "def turn(g: Game, a: int, b: int, n: int) -> int:\n    if n <= 0:\n        return a * 10 + b\n"
        "    return turn(g, b, a, n - 1)\n" + ROOT + "    return turn(g, x, unknown(3), unknown(5))\n",
    ),
]


@pytest.mark.parametrize(("plant", "program"), PLANTED, ids=[own.__name__ for own, _ in PLANTED])
def test_a_wrong_translation_is_seen(plant, program, monkeypatch):
    """All forms agree without the planted mistake, and at least one differs with it."""
    with written(program) as forms:
        assert forms.wrong() is None, forms.source()
    plant(monkeypatch)
    with written(program) as forms:
        assert forms.wrong() is not None, forms.source()
