"""Programs that the generator rarely writes behave alike in every form, too."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from draftengine.jit import python_backend as to_python
from draftengine.jit.llvm import machine
from draftengine.jit.llvm import module as to_llvm
from draftengine.jit.records import layout
from draftengine.jit.specializer import DYNAMIC, Specialiser
from staging.programs import RECORDS, SIZES, modules, written
from written import cases_in

ROOT = "def root(g: Game, o: Other, plan: Plan, k: int, x: int) -> int:\n"
CHANGE = """
def change(g: Game, n: int) -> int:
    g.a += n
    told(g, n, g.a, 0)
    return g.a & 3

"""
PROGRAMS = {own["name"]: own["program"] for own in cases_in(Path(__file__).with_name("written.yaml"))}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("level", [0, 2])
def test_every_form_does_the_same(name, level):
    """Forms in memory and in registers, checked or not, agree."""
    program = PROGRAMS[name]
    if not program.startswith("def "):
        program = ROOT + indent(program, "    ")
    with written(CHANGE + program, level=level) as forms:
        assert forms.wrong() is None, forms.source()


def test_two_records_of_a_kind():
    """Two records of one type can change places in circular tail calls."""
    text = """
from __future__ import annotations
from fuzz_records import *

def turn(one: Game, two: Game, n: int) -> int:
    if n <= 0:
        return one.a * 100 + two.a
    one.a += n
    return turn(two, one, n - 1)

def f(one: Game, two: Game, n: int) -> int:
    return turn(one, two, n)
"""
    with modules(("fuzz_records", RECORDS), ("fuzz_case", text)) as (records, case):
        specialiser = Specialiser([case])
        residual = specialiser.function(case.f, [DYNAMIC, DYNAMIC, DYNAMIC])
        game = layout(records.Game, SIZES)
        code = machine.load(to_llvm.emit(specialiser.program, [to_llvm.Entry("f", residual)], [game]))
        whole, _ = to_python.whole(specialiser.program, residual)
        for n in range(6):
            wanted = case.f(game.fresh(), game.fresh(), n)
            assert code["f"](game.memory(), game.memory(), n) == wanted
            assert whole(game.fresh(), game.fresh(), n) == wanted
