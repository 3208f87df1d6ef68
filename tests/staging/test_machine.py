"""Compiled functions: findings of the checked mode, split parts, jumps, and kinds of calls."""

from __future__ import annotations

import re
from array import array
from contextlib import contextmanager

import pytest

from draftengine.jit.llvm import Inline, Split, machine
from draftengine.jit.llvm import module as to_llvm
from draftengine.jit.llvm.copies import merged, unfolded, with_few_copies
from draftengine.jit.llvm.module import Entry, emit
from draftengine.jit.records import layout
from draftengine.jit.specializer import DYNAMIC, Specialiser
from staging.programs import RECORDS, SIZES, modules

HEAD = "from __future__ import annotations\nfrom fuzz_records import *\n"
DEF = "def f(g: Game, x: int) -> int:\n"
HUGE = 1 << 62


@contextmanager
def code_of(text, *, checked=False, split=Split.IN_MEMORY, **options):
    """Return the code of a function `f` of a record and a number, with a record."""
    with modules(("fuzz_records", RECORDS), ("fuzz_case", HEAD + text)) as (records, case):
        specialiser = Specialiser([case])
        residual = specialiser.function(case.f, [DYNAMIC, DYNAMIC])
        game = layout(records.Game, SIZES)
        source = to_llvm.emit(specialiser.program, [Entry("f", residual, split)], [game], checked=checked, **options)
        memory = game.memory()
        memory.bind_array("lent", array("q", [5, 6, 7]))
        yield machine.load(source, level=1), memory


FAILURES = {
    "a place behind cells": ("    return g.c[x]\n", 8, "no place of c"),
    "a place before cells": ("    return g.c[x]\n", -1, "no place of c"),
    "a place behind borrowed cells": ("    return g.lent[x]\n", 3, "no place of lent"),
    "a place to write to": ("    g.bytes[x] = 1\n    return 0\n", 8, "no place of bytes"),
    "a place of a table": ("    return (3, 4, 5)[x]\n", 3, "no place of a table"),
    "a sum": ("    return x + 1\n", (1 << 63) - 1, "a number of more than 64 bits"),
    "a difference": ("    return x - 2\n", -(1 << 63) + 1, "a number of more than 64 bits"),
    "a product": ("    return x * x\n", 1 << 32, "a number of more than 64 bits"),
    "a negation": ("    return -x\n", -(1 << 63), "a number of more than 64 bits"),
    "a value without its sign": ("    return abs(x)\n", -(1 << 63), "a number of more than 64 bits"),
    "a shift to the left": ("    return x << 3\n", 1 << 61, "a number of more than 64 bits"),
    "too long a shift": ("    return 1 << x\n", 64, "a shift by other than 0 to 63 bits"),
    "a shift back": ("    return 5 >> x\n", -1, "a shift by other than 0 to 63 bits"),
    "a shift of a word": ("    return shr(5, x)\n", 64, "a shift by other than 0 to 63 bits"),
    "a quotient": ("    return 5 // x\n", 0, "a division by 0"),
    "a remainder": ("    return 5 % x\n", 0, "a division by 0"),
    "the largest quotient": ("    return unknown(-9223372036854775808) // x\n", -1, "a number of more than 64 bits"),
    "a ratio": ("    return truncated(1.5 / x)\n", 0, "a division by 0"),
    "a byte": ("    g.bytes[0] = x\n    return 0\n", 256, "too large for u8"),
    "a byte below 0": ("    g.bytes[0] = x\n    return 0\n", -1, "too large for u8"),
    "a short number": ("    g.small[0] = x\n    return 0\n", 1 << 31, "too large for i32"),
    "a short float": ("    g.short[0] = x\n    return 0\n", 1 << 31, "too large for f32"),
    "a long float": ("    g.f = x\n    return 0\n", (1 << 53) + 1, "too large for a floating-point number"),
    "a fraction": ("    return truncated(x * 1e10)\n", 1 << 40, "a number of more than 64 bits"),
    "a root": ("    return truncated(square_root(x))\n", -1, "the root of less than 0"),
    "the lowest one": ("    return trailing(x)\n", 0, "the lowest one of 0"),
    "what is asserted": ("    assert x < 5\n    return x\n", 5, "what is asserted does not hold"),
    "a loop that would not end": ("    while g.c[x] == 0:\n        x += 1\n    return x\n", 0, "no place of c"),
    "a circle that would not end": (
        "    if g.c[x] == 1:\n        return 3\n    return f(g, x + 1)\n",
        0,
        "no place of c",
    ),
}


@pytest.mark.parametrize("case", FAILURES)
def test_the_checked_mode_finds(case):
    """Checked code reports the first fault with its place, stops, and is ready for the next call."""
    body, argument, reason = FAILURES[case]
    with code_of(DEF + body, checked=True) as (code, memory):
        code["f"](memory, argument)
        failure = code.failure()
        assert failure.endswith(f", in f: {reason}")
        assert failure.startswith("<fuzz_case>:")
        assert code.failure() is None


FINE = {
    "a wrapped product": ("    return high_half(wrap((x + 7) * 0x9E3779B97F4A7C15), 10) + 0 * x\n", HUGE),
    "wrapped in the middle": ("    return wrap((x << 3) * (x - 9) + (x ^ 5)) & 1023\n", HUGE),
    "places within": ("    return g.c[x] + (3, 4, 5)[x] + g.lent[x]\n", 2),
    "what need not be asked": (
        "    if x < 8 and g.c[x] == 0:\n        return 1\n    return 0 if x > 7 or g.c[x] else 4\n",
        99,
    ),
    "the other way": ("    return g.c[x] if x < 8 else 7\n", 8),
    "what holds": ("    assert x == 3\n    return 5\n", 3),
}


@pytest.mark.parametrize("case", FINE)
def test_the_checked_mode_lets_pass(case):
    """Code that Python runs without error passes checked mode with an equal result."""
    body, argument = FINE[case]
    with code_of(DEF + body, checked=True) as (checked, memory), code_of(DEF + body) as (code, other):
        assert checked["f"](memory, argument) == code["f"](other, argument)
        assert checked.failure() is code.failure() is None


def test_where_split_parts_lie():
    """Fields in memory, or copied in and out, change the record; local copies leave it, except arrays."""
    seen = {}
    for split in Split:
        with code_of(DEF + "    g.a = x\n    g.w[1] = g.a + 1\n    g.c[2] = 9\n    return g.w[1]\n", split=split) as (
            code,
            memory,
        ):
            assert code["f"](memory, 4) == 5
            seen[split] = memory.get("a"), memory.get("w"), memory.get("c")[2]
    assert seen == {
        Split.IN_MEMORY: (4, [0, 5, 0], 9),
        Split.COPY_IN_OUT: (4, [0, 5, 0], 9),
        Split.LOCAL: (0, [0, 0, 0], 9),
    }


@pytest.mark.parametrize("how", Inline)
def test_calls_of_every_kind(how):
    """Every kind of call gives the same result."""
    text = "def h(g: Game, n: int) -> int:\n    g.a += n\n    return g.a * 2\n" + DEF + "    return h(g, x) + h(g, 1)\n"
    with code_of(text, inline=lambda _: how) as (code, memory):
        assert code["f"](memory, 3) == 6 + 8
        assert memory.get("a") == 4


@pytest.mark.parametrize(
    ("depth", "longest", "treatment"),
    [(3, machine.LONG, (1, "alwaysinline")), (18, machine.LONG, (1, "noinline")), (3, 0, (0, "noinline"))],
)
def test_only_optimised_code_without_many_copies_is_inlined(monkeypatch, depth, longest, treatment):
    """Check that calls are inlined only where code is optimised and copies within copies are few."""
    text = DEF + f"    return h{depth}(g, x)\ndef h0(g: Game, n: int) -> int:\n    g.a += n\n    return g.a\n"
    for n in range(depth):
        text += f"def h{n + 1}(g: Game, n: int) -> int:\n    g.b += 1\n    return h{n}(g, n) + h{n}(g, 1)\n"
    treated = []
    real = machine.compiled

    def compiled(text, level, **options):
        treated.append((level, re.search(r"attributes #0 = \{ (\w+) \}", text)[1]))
        return real(text, level, **options)

    monkeypatch.setattr(machine, "compiled", compiled)
    with modules(("fuzz_records", RECORDS), ("fuzz_case", HEAD + text)) as (records, case):
        specialiser, game = Specialiser([case]), layout(records.Game, SIZES)
        emitted = emit(specialiser.program, [Entry("f", specialiser.function(case.f, [DYNAMIC, DYNAMIC]))], [game])
        memory = game.memory()
        machine.load(emitted, level=1, longest=longest)["f"](memory, 1)
        assert (memory.get("a"), memory.get("b")) == (2**depth, 2**depth - 1)
    assert treated == [treatment]


@pytest.mark.parametrize(("how", "lines"), [(Inline.ALWAYS, 4 + 2 * 5 + 3), (Inline.NEVER, 4 + 5 + 3)])
def test_a_text_is_as_long_as_with_all_that_is_put_in_place(how, lines):
    """The inlined size of a function counts it once for each call, with everything below it."""
    leaf = f"define internal i64 @h__2(ptr %g) {how.value} {{\n" + 4 * "  ret\n"
    middle = "define internal i64 @f__1(ptr %g) #0 {\n" + 2 * "  %a = call i64 @h__2(ptr %g)\n" + "  ret\n"
    entry = "define i64 @entry__f(ptr %g) {\n  %a = call i64 @f__1(ptr %g)\n  ret\n"
    assert unfolded([leaf, middle, entry]) == lines


def function(name, lines, *called):
    calls = [f"  %a{number} = call i64 @{other}(ptr %g)" for number, other in enumerate(called)]
    return "\n".join([f"define internal i64 @{name}(ptr %g) #0 {{", *calls, *lines * ["  ret"]])


@pytest.mark.parametrize(
    ("long", "short", "inlined"),
    [(40, 2, {"once", "long", "short", "again"}), (2_000, 2, {"once", "short", "again"}), (0, 3_000, set())],
)
def test_long_modules_inline_short_functions_and_those_called_once(long, short, inlined):
    """The longer a module gets by inlining, the shorter the functions that it inlines at any call."""
    functions = [
        function("root", 200, "once", *long * ["long"], *short * ["short"]),
        function("once", 150),
        function("long", 40),
        function("short", 20, "again"),
        function("again", 5, "again"),
    ]
    assert {text.split("@")[1].split("(")[0] for text in with_few_copies(functions) if "#1 {" in text} == inlined


def test_functions_that_differ_only_in_constants_are_merged():
    """Numbers, places, tables and whole chains of calls become arguments; what differs otherwise stays."""
    text = DEF + "    return " + " + ".join(f"f{n}(g, x)" for n in range(6)) + "\n"
    for n in range(6):
        text += f"def f{n}(g: Game, x: int) -> int:\n    if x > {n}:\n        g.w[{n % 3}] += {n * 7}\n"
        text += f"    return h{n}(g, x) {'+-'[n == 5]} {n}\n"
        text += (
            f"def h{n}(g: Game, x: int) -> int:\n    g.c[{n}] += (3, {n}, 5)[x % 3]\n    return g.w[{n // 2}] + 2 * x\n"
        )
    with code_of(text) as (code, memory), code_of(text, longest=0) as (short, other):
        for x in range(8):
            assert code["f"](memory, x) == short["f"](other, x)
            assert [memory.get(name) for name in ("w", "c")] == [other.get(name) for name in ("w", "c")]


def test_merging_leaves_one_function_for_all_copies():
    """A function with too many different constants stays, and so do one that calls itself and an entry."""

    def copy(name, *numbers, calls=(), head="internal i64"):
        lines = [f"  store i64 {number}, ptr %g, align 8" for number in numbers]
        lines += [f"  %a{place} = call i64 @{other}(ptr %g)" for place, other in enumerate(calls)]
        return "\n".join([f"define {head} @{name}(ptr %g) #0 {{", *lines, "  ret i64 0", "}\n"])

    alike = [copy(f"f__{n}", n, 5, n, n + 1, calls=[f"h__{n}"]) for n in range(3)]
    below = [copy(f"h__{n}", n, n * n, n, n * n) for n in range(3)]
    apart = [copy(f"many__{n}", *range(n, n + 7)) for n in range(2)]
    again = [copy(f"again__{n}", n, n, n, calls=[f"again__{n}"]) for n in range(2)]
    entry = copy("entry__f", calls=["f__0", "f__1", "f__2", "many__0", "again__1"], head="i64")
    out = merged([entry, *alike, *below, *apart, *again])
    heads = [text.partition("\n")[0] for text in out]
    assert sorted(head.split("@")[1].split("__")[0] for head in heads) == [
        "again", "again", "entry", "f", "h", "many", "many"
    ]  # fmt: skip
    (chain,) = (text for text in out if "@f__0(" in text.partition("\n")[0])
    assert chain == (
        "define internal i64 @f__0(ptr %g, i64 %.constant0, i64 %.constant1, i64 %.constant2) #0 {\n"
        "  store i64 %.constant0, ptr %g, align 8\n  store i64 5, ptr %g, align 8\n"
        "  store i64 %.constant0, ptr %g, align 8\n  store i64 %.constant1, ptr %g, align 8\n"
        "  %a0 = call i64 @h__0(ptr %g, i64 %.constant0, i64 %.constant2)\n  ret i64 0\n}\n"
    )
    (root,) = (text for text in out if text.startswith("define i64"))
    assert "call i64 @f__0(ptr %g, i64 2, i64 3, i64 4)" in root


def test_last_calls_take_no_room():
    """Circular tail calls run for any length in constant space."""
    text = (
        DEF + "    if x <= 0:\n        return g.a\n    g.a += 1\n    return other(g, x - 1)\n"
        "def other(g: Game, y: int) -> int:\n    return f(g, y)\n"
    )
    with code_of(text, inline=lambda _: Inline.NEVER) as (code, memory):
        assert code["f"](memory, 3_000_000) == 3_000_000


def test_a_cycle_of_last_calls_is_written_once():
    """Several functions lead into the cycle by last calls, and all of them share its code."""
    text = (
        DEF + "    return enter(g, x) + 1\n"
        "def enter(g: Game, x: int) -> int:\n"
        "    if x > 3:\n        return first(g, x)\n    g.a += 5\n    return second(g, x)\n"
        "def first(g: Game, x: int) -> int:\n"
        "    if x <= 0:\n        return g.a\n    g.a += 77\n    return second(g, x - 1)\n"
        "def second(g: Game, x: int) -> int:\n    return first(g, x - 1)\n"
    )
    with modules(("fuzz_records", RECORDS), ("fuzz_case", HEAD + text)) as (records, case):
        specialiser, game = Specialiser([case]), layout(records.Game, SIZES)
        emitted = emit(specialiser.program, [Entry("f", specialiser.function(case.f, [DYNAMIC, DYNAMIC]))], [game])
        assert emitted.text.count(", 77\n") == 1
        for x, a in ((6, 3 * 77), (3, 5 + 77)):
            memory = game.memory()
            assert machine.load(emitted)["f"](memory, x) == memory.get("a") + 1 == a + 1


def test_words_are_given_and_read_as_they_are():
    """64-bit words are passed and returned unchanged, even above the signed maximum."""
    with code_of(DEF + "    g.word = wrap(g.word + x)\n    return g.word == x\n") as (code, memory):
        assert code["f"](memory, (1 << 64) - 1) == 1
        assert memory.get("word") == -1


def test_floats_go_in_and_out():
    """An entry can take and return floating-point numbers."""
    text = HEAD + "def f(g: Game, x: float) -> float:\n    g.f += x\n    return g.f / 4\n"
    with modules(("fuzz_records", RECORDS), ("fuzz_case", text)) as (records, case):
        specialiser = Specialiser([case])
        residual = specialiser.function(case.f, [DYNAMIC, DYNAMIC])
        game = layout(records.Game, SIZES)
        code = machine.load(to_llvm.emit(specialiser.program, [Entry("f", residual)], [game]))
        memory = game.memory()
        assert [code["f"](memory, 1.5), code["f"](memory, 3)] == [0.375, 1.125]


def test_several_entries_of_one_module():
    """Several entries of a module share the functions that they call."""
    text = (
        HEAD
        + "def f(g: Game) -> int:\n    return h(g, 1)\ndef h(g: Game, n: int) -> int:\n    g.a += n\n    return g.a\n"
    )
    with modules(("fuzz_records", RECORDS), ("fuzz_case", text)) as (records, case):
        specialiser = Specialiser([case])
        entries = [
            Entry("one", specialiser.function(case.f, [DYNAMIC])),
            Entry("any", specialiser.function(case.h, [DYNAMIC, DYNAMIC])),
        ]
        game = layout(records.Game, SIZES)
        code = machine.load(to_llvm.emit(specialiser.program, entries, [game]))
        memory = game.memory()
        assert [code["one"](memory), code["any"](memory, 5)] == [1, 6]
        with pytest.raises(ValueError, match="'a b' is no name for an entry"):
            to_llvm.emit(specialiser.program, [Entry("a b", entries[0].residual)], [game])
