"""What leaves the dialect is refused, with its place, its reason and the calls that led there."""

from __future__ import annotations

import pytest

from draftengine.staging import to_llvm
from draftengine.staging.layout import layout
from draftengine.staging.refused import Refused
from draftengine.staging.specialise import LATER, Specialiser
from staging.programs import RECORDS, SIZES, modules

HEAD = "from __future__ import annotations\nfrom fuzz_records import *\n"
DEF = "def f(g: Game, plan: Plan) -> int:\n"
NO_VALUE = "has no value, or not the same known one, on every way"
CASES = {
    "set on one way": ("    if g.a > 1:\n        v = 1\n    return v\n", f"v {NO_VALUE}"),
    "known objects that differ": ("    v = 'x'\n    if g.a:\n        v = 'y'\n    return v == 'x'\n", f"v {NO_VALUE}"),
    "set in a loop only": ("    for n in counted(g.a):\n        v = 3\n    return v\n", f"v {NO_VALUE}"),
    "the number of a loop behind it": ("    for n in counted(g.a):\n        pass\n    return n\n", f"n {NO_VALUE}"),
    "unknown bound": (
        "    for n in range(g.a):\n        g.b = n\n    return 0\n",
        "an unknown bound of an unrolled loop",
    ),
    "a place of a split field": ("    return g.w[g.a]\n", "an unknown place of a split field"),
    "a place before a split field": ("    return g.w[-1]\n", "no place of a split field: -1"),
    "a place of a row": ("    v = row(2)\n    return v[g.a]\n", "an unknown place of a row"),
    "a place behind a row": ("    v = row(2)\n    return v[2]\n", "a row of 2 places"),
    "no such field": ("    g.aa = 1\n    return 0\n", "Game has no such field"),
    "a field without its place": ("    return g.w\n", "a field with places, without a place"),
    "a place of a number": ("    return g.a[0]\n", "a place of a single number"),
    "a record as a value": ("    v = g\n    return v.a\n", "a record is used by its fields only"),
    "another value for a record": ("    g = 3\n    return g\n", "another value for a record"),
    "a row as a value": ("    v = row(2)\n    w = v\n    return w[0]\n", "a row is used by its places only"),
    "no number": ("    g.a = 'x'\n    return 0\n", "not a number, str 'x'"),
    "none in its place": (
        "    g.a = plan.nothing\n    return 0\n",
        "AttributeError: 'Plan' object has no attribute 'nothing'",
    ),
    "an unknown step": ("    {}['jump'](g)\n    return 0\n", "KeyError: 'jump'"),
    "try": ("    try:\n        g.a = 1\n    finally:\n        g.b = 2\n    return 0\n", "the dialect has no Try"),
    "break": ("    while g.a < 3:\n        break\n    return 0\n", "the dialect has no Break"),
    "raise": ("    if g.a:\n        raise ValueError\n    return 0\n", "the dialect has no Raise"),
    "else of a loop": (
        "    while g.a < 3:\n        g.a += 1\n    else:\n        g.b = 1\n    return 0\n",
        "an `else` of a loop",
    ),
    "a method of a row": ("    return g.w.index(3)\n", "an unknown function"),
    "a foreign function": (
        "    return divmod(g.a, 3)[0]\n",
        "a function that is none of the text, of what is not known",
    ),
    "a foreign function's value": (
        "    return len([g.a])\n",
        "a function that is none of the text, of what is not known",
    ),
    "a method of what is known": (
        "    return plan.table.index(g.a)\n",
        "a function that is none of the text, of what is not known",
    ),
    "a known list that changes": (
        "    v = []\n    v.append(g.a)\n    return 0\n",
        "a function that is none of the text, of what is not known",
    ),
    "a known list that changes by what is known": (
        "    v = []\n    v.append(3)\n    return 0\n",
        "a function that is none of the text, of what is not known",
    ),
    "a known list that changes in passing": (
        "    v = [3]\n    return v.pop()\n",
        "a method that changes what it belongs to",
    ),
    "a known place written to": ("    plan.seats[0] = 3\n    return 0\n", "an assignment to this"),
    "keywords of a primitive": ("    return shr(g.a, count=3)\n", "a primitive takes no keywords"),
    "too many arguments": ("    return h(g, 1, 2)\n", "h takes 2 arguments"),
    "too few arguments": ("    return h(g)\n", "an argument is missing"),
    "no such parameter": ("    return h(g, b=g.a)\n", "h has no such parameter left"),
    "a record that is none": ("    return h(g.a, 1)\n", "h wants a record Game for g"),
    "a record for a number": ("    return h(g, g)\n", "h declares no record for n"),
    "one record twice": ("    return two(g, g)\n", "one record under two names"),
    "keywords out of order": (
        "    return swapped(g, m=h(g, 1), n=h(g, g.b))\n",
        "arguments that act, not in the order of the parameters",
    ),
    "no value on some way": ("    return partly(g)\n", "the value of a function that does not return one on every way"),
    "what does not hold": ("    assert plan.flag\n    return 0\n", "this does not hold"),
    "an endless recursion": ("    return endless(g, 0)\n", "more than 300 functions"),
    "a power": ("    return g.a ** 2\n", "no operator of the dialect"),
    "a division by nothing": ("    return (1 // 0) + g.a\n", "ZeroDivisionError: integer division or modulo by zero"),
    "an identity": ("    return g.a is None\n", "no comparison for what is not known"),
    "an unknown name": ("    return nobody + g.a\n", "name 'nobody' is not defined"),
    "no table": ("    return ('x', 'y')[g.a & 1]\n", "no table of numbers"),
    "an empty table": ("    return ()[g.a]\n", "a place of an empty table"),
    "an unknown choice": ("    return sum(n for n in range(3) if g.a > n)\n", "an unknown choice of what is gathered"),
    "nothing to choose from": ("    return max(g.a + n for n in range(0))\n", "nothing to choose from"),
    "several values": ("    v, w = h(g, g.a)\n    return v\n", "several values from what is not known"),
    "the middle of a chain": ("    return 0 < h(g, g.a) < 3\n", "the middle of a chain of comparisons acts"),
    "a comprehension": (
        "    return len([v for v in (g.a, g.b)])\n",
        "a function that is none of the text, of what is not known",
    ),
}
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

def endless(g: Game, n: int) -> int:
    g.a = n
    return endless(g, n + 1)
"""
FLOATS = {
    "a variable of both kinds": (
        "    v = g.b\n    if g.a:\n        v = g.f\n    return truncated(v)\n",
        "a floating-point number where a whole one is wanted",
    ),
    "a float as a place": ("    return g.c[g.f]\n", "a floating-point number where a whole one is wanted"),
    "a float from a whole function": ("    return g.f\n", "a floating-point number where a whole one is wanted"),
    "one of both kinds": (
        "    v = g.f if g.a else g.b\n    return truncated(v)\n",
        "a whole number or a floating-point one",
    ),
    "bits of a float": ("    return truncated(g.f & 3)\n", "no operator for floating-point numbers"),
    "a place behind a split field": ("    g.w[3] = 1\n    return 0\n", "place 3 of w, which has 3"),
    "too long a number": ("    return g.a + (1 << 70)\n", "a number of more than 64 bits"),
}


@pytest.fixture
def specialised(monkeypatch):
    """Specialises the function `f` of a text."""
    monkeypatch.setattr("draftengine.staging.specialise.MOST_FUNCTIONS", 300)

    def specialise(body):
        texts = ("fuzz_records", RECORDS), ("fuzz_case", HEAD + DEF + body + OTHERS)
        with modules(*texts) as (records, case):
            specialiser = Specialiser([case])
            residual = specialiser.function(case.f, [LATER, records.Plan(flag=False)])
            return to_llvm.emit(specialiser.program, [to_llvm.Entry("f", residual)], [layout(records.Game, SIZES)])

    return specialise


@pytest.mark.parametrize("case", [*CASES, *FLOATS])
def test_what_is_refused(specialised, case):
    """With the sentence that says why, in the line where it stands."""
    body, reason = {**CASES, **FLOATS}[case]
    with pytest.raises(Refused) as found:
        specialised(body)
    assert found.value.reason == reason
    assert found.value.place.file == "<fuzz_case>"
    assert found.value.place.line > 2


def test_the_calls_that_led_there(specialised):
    """The innermost one first, each with its line."""
    body = "    return outer(g, g.b)\n"
    outer = "def outer(g: Game, n: int) -> int:\n    return inner(g, n)\n"
    inner = "def inner(g: Game, n: int) -> int:\n    return g.w[n]\n"
    with pytest.raises(Refused) as found:
        specialised(body + outer + inner)
    assert str(found.value) == (
        "<fuzz_case>:8, in inner: an unknown place of a split field: n\n"
        "  called from <fuzz_case>:6, in outer\n"
        "  called from <fuzz_case>:4, in f"
    )


def test_no_function_of_the_text():
    """Only functions of the modules can be specialised."""
    with (
        modules(("fuzz_records", RECORDS)) as (records,),
        pytest.raises(ValueError, match="is no function of these modules"),
    ):
        Specialiser([records]).function(len, [3])


@pytest.mark.parametrize("name", ["two__scores", "café", "shr", "range", "__init"])
def test_names_that_a_text_cannot_give(name):
    """Two underscores are for what the specialiser makes, other alphabets for nobody, some words for primitives."""
    text = HEAD + f"def f(g: Game) -> int:\n    {name} = g.a\n    return {name}\n"
    with modules(("fuzz_records", RECORDS), ("fuzz_case", text)) as (_, case), pytest.raises(Refused) as found:
        Specialiser([case])
    assert found.value.reason == "no name for a function or variable of a text"
    assert name in str(found.value)
