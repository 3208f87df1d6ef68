"""Kernel source: names from data never reach it, records are found by annotation, natives replace it."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from draftengine.jit import python_backend as to_python
from draftengine.jit.llvm import module as to_llvm
from draftengine.jit.records import layout
from draftengine.jit.specializer import DYNAMIC, Specialiser
from staging.programs import RECORDS, SIZES, modules

HEAD = "from __future__ import annotations\nfrom fuzz_records import *\n"
HOSTILE = """
def f(g: Game, plan: Plan, x: int) -> int:
    total = 0
    for name in plan.names:
        total += worth(g, plan, name, x)
    return total

def worth(g: Game, plan: Plan, name: str, x: int) -> int:
    if name in plan.known:
        return plan.known[name] * x
    if name == plan.names[0]:
        g.a += len(name) * g.b
    return KINDS[kind_of(plan, name)](g, x)

def kind_of(plan: Plan, name: str) -> str:
    return "one" if name < plan.names[0] else "two"

def one(g: Game, x: int) -> int:
    g.b += x
    return g.a

def two(g: Game, x: int) -> int:
    return g.b

KINDS = {"one": one, "two": two}
"""
CLOSED = re.compile(r"(f|worth|one|two)__\d+|def|return|g|x|a|b|total|for|in|if|else|range|pass|\d+")
names = st.lists(
    st.text(min_size=1) | st.sampled_from(["__import__('os')", "a;b", "\n", "ret i64 0", '"', "x", "{}"]),
    min_size=1,
    unique=True,
)


@given(names)
def test_names_of_data_never_reach_the_text(hostile):
    """Identifiers of residual code and LLVM come from the source alone, never from data."""
    with modules(("fuzz_records", RECORDS), ("fuzz_case", HEAD + HOSTILE)) as (records, case):
        plan = records.Plan(flag=False)
        plan.names, plan.known = hostile, {name: at for at, name in enumerate(hostile[1::2])}
        specialiser = Specialiser([case])
        residual = specialiser.function(case.f, [DYNAMIC, plan, DYNAMIC])
        source = specialiser.program.source([residual])
        assert [word for word in re.findall(r"[^\W]+", source) if not CLOSED.fullmatch(word)] == []
        assert not set(source) & set("'\"\\;")
        emitted = to_llvm.emit(specialiser.program, [to_llvm.Entry("f", residual)], [layout(records.Game, SIZES)])
        assert re.fullmatch(r"[\w\s@#%.,:=(){}\[\]!\"*-]*", emitted.text, re.ASCII)
        assert re.findall('"[^"]*"', emitted.text) == ['"branch_weights"']


def test_records_that_are_imported_for_types_only():
    """Records imported only for type checking are found by their annotations."""
    text = (
        "from __future__ import annotations\nfrom typing import TYPE_CHECKING\nimport fuzz_records\n"
        "if TYPE_CHECKING:\n    from fuzz_records import Game as State\n"
        "def f(g: State, other: fuzz_records.Other, third: 'State') -> int:\n    return g.a + other.z + third.b\n"
    )
    with modules(("fuzz_records", RECORDS), ("fuzz_case", text)) as (records, case):
        specialiser = Specialiser([case])
        residual = specialiser.function(case.f, [DYNAMIC, DYNAMIC, DYNAMIC])
        assert residual.text.records == {"g": records.Game, "other": records.Other, "third": records.Game}


def test_what_is_known_disappears():
    """Static values disappear: calls through dictionaries and modules, defaults, memoised functions."""
    text = (
        HEAD
        + """
from functools import cache
import sys

@cache
def square(n: int) -> int:
    return n * n

def chosen(g: Game, plan: Plan) -> tuple[int, ...]:
    return plan.table

def at(g: Game, plan: Plan, n: int = 2, *, more: int = 3) -> int:
    return chosen(g, plan)[n] + square(more) + g.a

def f(g: Game, plan: Plan) -> int:
    here = sys.modules[__name__]
    assert plan.table is not None
    return here.at(g, plan) + {"x": at}["x"](g, plan, more=n_of("four"))

def n_of(word: str) -> int:
    return len(word)
"""
    )
    with modules(("fuzz_records", RECORDS), ("fuzz_case", text)) as (records, case):
        specialiser = Specialiser([case])
        residual = specialiser.function(case.f, [DYNAMIC, records.Plan(flag=False)])
        assert specialiser.program.source([residual]) == "def f__0(g):\n    return 13 + g.a + (20 + g.a)\n"


def test_last_calls_in_a_circle_do_not_pile_up_in_python():
    """Thousands of circular tail calls need only a few Python frames."""
    text = (
        HEAD
        + """
def step(g: Game) -> int:
    g.a += 1
    if g.a > 20000:
        return 7
    return other(g)

def other(g: Game) -> int:
    g.b += g.a & 1
    return step(g)

def f(g: Game) -> int:
    return other(g) + 1
"""
    )
    with modules(("fuzz_records", RECORDS), ("fuzz_case", text)) as (records, case):
        specialiser = Specialiser([case])
        residual = specialiser.function(case.f, [DYNAMIC])
        run, source = to_python.whole(specialiser.program, residual)
        game = layout(records.Game, SIZES).fresh()
        assert (run(game), game.a, game.b) == (8, 20001, 10000)
    assert "while" in source


def test_a_table_of_equal_numbers_disappears_unless_its_index_acts():
    """A reading of a table of equal numbers becomes that number; an index that changes a record stays."""
    text = (
        HEAD
        + """
def move(g: Game) -> int:
    g.a += 1
    return g.a & 1

def f(g: Game, x: int) -> int:
    return (7, 7, 7)[x] + (8, 8)[move(g)] + (True, True)[x] + (1, 2)[x]
"""
    )
    with modules(("fuzz_records", RECORDS), ("fuzz_case", text)) as (_, case):
        specialiser = Specialiser([case])
        residual = specialiser.function(case.f, [DYNAMIC, DYNAMIC])
        source = specialiser.program.source([residual])
        assert "return 7 + table__t0[move__1(g)] + 1 + table__t1[x]" in source
