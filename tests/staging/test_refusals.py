"""Source outside the dialect is refused, with place, reason and the calls that led there."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import indent

import pytest

from draftengine.jit.llvm import module as to_llvm
from draftengine.jit.records import layout
from draftengine.jit.source_functions import CodeTooLarge, SpecialisationError
from draftengine.jit.specializer import DYNAMIC, Specialiser
from staging.programs import RECORDS, SIZES, modules
from written import cases_in

HEAD = "from __future__ import annotations\nfrom fuzz_records import *\n"
DEF = "def f(g: Game, plan: Plan) -> int:\n"
OTHERS = """
def h(g: Game, n: int) -> int:
    g.a += n
    return n

def two(g: Game, other: Game) -> int:
    g.a = other.a
    return 0

def swapped(g: Game, n: int, m: int) -> int:
    g.a = n
    return m

def partly(g: Game) -> int:
    if g.a > 1:
        return 2

def text_of(g: Game) -> str:
    g.a = 1
    return 'x'


def table_of(g: Game) -> tuple[int, ...]:
    return 1, 2


def endless(g: Game, n: int) -> int:
    g.a = n
    return endless(g, n + 1)
"""
CASES = {own["name"]: own for own in cases_in(Path(__file__).with_name("refusals.yaml"))}


@pytest.fixture
def specialised(monkeypatch):
    """Specialise the function `f` of a module."""
    monkeypatch.setattr("draftengine.jit.specializer.MOST_FUNCTIONS", 300)

    def specialise(body, more=""):
        texts = ("fuzz_records", RECORDS), ("fuzz_case", HEAD + DEF + indent(body, "    ") + OTHERS + more)
        with modules(*texts) as (records, case):
            specialiser = Specialiser([case])
            residual = specialiser.function(case.f, [DYNAMIC, records.Plan(flag=False)])
            return to_llvm.emit(specialiser.program, [to_llvm.Entry("f", residual)], [layout(records.Game, SIZES)])

    return specialise


def test_more_than_anybody_waits_for(specialised, monkeypatch):
    """Residual code with more statements than the limit is refused, even in few functions."""
    body = "for n in range(20):\n    h(g, n)\nreturn 0\n"
    monkeypatch.setattr("draftengine.jit.specializer.MOST_STATEMENTS", 41)
    specialised(body)
    monkeypatch.setattr("draftengine.jit.specializer.MOST_STATEMENTS", 30)
    with pytest.raises(CodeTooLarge, match="more than 30 statements"):
        specialised(body)


@pytest.mark.parametrize("name", CASES)
def test_what_is_refused(specialised, name):
    """Each case is refused with its sentence, in its line."""
    with pytest.raises(SpecialisationError) as found:
        specialised(CASES[name]["body"])
    assert found.value.reason == CASES[name]["reason"]
    assert found.value.place.file == "<fuzz_case>"
    assert found.value.place.line > 2


def test_the_calls_that_led_there(specialised):
    """A refusal lists the calls that led there, innermost first, with their lines."""
    outer = "def outer(g: Game, n: int) -> int:\n    return inner(g, n)\n"
    inner = "def inner(g: Game, n: int) -> int:\n    return g.w[n]\n"
    with pytest.raises(SpecialisationError) as found:
        specialised("return outer(g, g.b)\n", outer + inner)
    refused, *calls = str(found.value).split("\n  called from ")
    assert refused == f"{found.value.place}: an unknown place of a split field: n"
    assert [own.partition(":")[2] for own in calls] == [f"{found.value.place.line - 2}, in outer", "4, in f"]


def test_no_function_of_the_text():
    """Only functions of the given modules can be specialised."""
    with (
        modules(("fuzz_records", RECORDS)) as (records,),
        pytest.raises(ValueError, match="is no function of these modules"),
    ):
        Specialiser([records]).function(len, [3])


@pytest.mark.parametrize("parameters", ["*numbers: int", "**numbers: int"])
def test_functions_with_any_number_of_arguments(parameters):
    """Functions with variable arguments are outside the dialect."""
    text = HEAD + f"def f({parameters}) -> int:\n    return 0\n"
    with (
        modules(("fuzz_records", RECORDS), ("fuzz_case", text)) as (_, case),
        pytest.raises(SpecialisationError) as found,
    ):
        Specialiser([case])
    assert str(found.value) == "<fuzz_case>:3, in f: a function with any number of arguments"


def test_a_module_without_source():
    """A module without source is refused."""
    with pytest.raises(SpecialisationError, match="sys:1, in sys: a module without source"):
        Specialiser([sys])


def test_a_record_without_a_layout():
    """A record without a layout is refused for machine code."""
    text = HEAD + "def f(g: Game) -> int:\n    return g.a\n"
    with modules(("fuzz_records", RECORDS), ("fuzz_case", text)) as (_, case):
        specialiser = Specialiser([case])
        residual = specialiser.function(case.f, [DYNAMIC])
        with pytest.raises(SpecialisationError, match="Game has no layout"):
            to_llvm.emit(specialiser.program, [to_llvm.Entry("f", residual)], [])


def test_nothing_is_left_half_made():
    """After a refusal the specialiser refuses that again, and can do other work."""
    fails = "def f(g: Game) -> int:\n    return h(g)\ndef h(g: Game) -> int:\n    return g.w[g.a]\n"
    text = HEAD + fails + "def fine(g: Game) -> int:\n    return g.a\n"
    with modules(("fuzz_records", RECORDS), ("fuzz_case", text)) as (_, case):
        specialiser = Specialiser([case])
        told = []
        for _ in range(2):
            with pytest.raises(SpecialisationError) as found:
                specialiser.function(case.f, [DYNAMIC])
            told.append(str(found.value))
        assert told[0] == told[1]
        residual = specialiser.function(case.fine, [DYNAMIC])
        assert list(specialiser.program.functions.values()) == [residual]


@pytest.mark.parametrize("name", ["two__scores", "café", "shr", "range", "__init"])
def test_names_that_a_text_cannot_give(name):
    """Names with two underscores, other alphabets, and names of primitives are refused."""
    text = HEAD + f"def f(g: Game) -> int:\n    {name} = g.a\n    return {name}\n"
    with (
        modules(("fuzz_records", RECORDS), ("fuzz_case", text)) as (_, case),
        pytest.raises(SpecialisationError) as found,
    ):
        Specialiser([case])
    assert found.value.reason == "no name for a function or variable of kernel source"
    assert name in str(found.value)
