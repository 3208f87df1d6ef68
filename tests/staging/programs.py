"""Random programs of the dialect, and all forms in which they can run."""

from __future__ import annotations

import linecache
import sys
import types
from array import array
from contextlib import contextmanager
from random import Random

from draftengine.jit import python_backend as to_python
from draftengine.jit.llvm import Inline, machine
from draftengine.jit.llvm import module as to_llvm
from draftengine.jit.records import layout
from draftengine.jit.specializer import DYNAMIC, Specialiser
from staging.memories import differences, write_into

RECORDS = '''
from __future__ import annotations

import operator

from draftengine.jit.primitives import (
    dynamic_range, high_half, likely, popcount, row, shr, square_root, trailing, truncated, unknown, wrap)
from draftengine.jit.records import Record, array, fields, number


class Game(Record):
    a: int = number("A number.")
    b: int = number("Another one.")
    word: int = number("A word.")
    told: int = number("What was told in all, as a word: no two orders give the same one.")
    f: float = number("A floating-point number.", "f64")
    w: list[int] = fields("seat", "A row of known places.")
    c: list[int] = array("i64", "heap", "A row of any place.")
    bytes: list[int] = array("u8", "heap", "A row of bytes.")
    small: list[int] = array("i32", "heap", "A row of short numbers.")
    reals: list[float] = array("f64", "heap", "A row of floating-point numbers.")
    short: list[float] = array("f32", "heap", "A row of short floating-point numbers.")
    lent: list[int] = array("i64", "", "Somebody else's row.", borrowed=True)


class Other(Record):
    z: int = number("A number of another record.")
    y: list[int] = fields("seat", "Its row of known places.")


class Plan:
    """What is known."""

    def __init__(self, flag):
        self.flag = flag
        self.table = (3, 1, 4, 1, 5, 9, 2, 6)
        self.halves = (0.5, 1.5, -2.25, 4.0, 0.0, 1.0, 3.5, 8.0)
        self.seats = [0, 1, 2]


def told(g: Game, what: int, seat: int, number: int) -> None:
    g.told = wrap((g.told ^ wrap(what + seat * 1000 + number * 1000000)) * 0x9E3779B97F4A7C15 + 1)
'''
SIZES = {"seat": 3, "heap": 8}
ARGUMENTS = (0, 1, 5, -3)


def module_of(name, text):
    """Return a module with this source, registered so that it can be imported and its lines read."""
    made = types.ModuleType(name)
    made.__file__ = f"<{name}>"
    linecache.cache[made.__file__] = len(text), None, text.splitlines(keepends=True), made.__file__
    sys.modules[name] = made
    exec(compile(text, made.__file__, "exec"), vars(made))  # noqa: S102 (the tests wrote it)
    return made


@contextmanager
def modules(*texts):
    """Yield modules that can import each other until the block ends."""
    made = []
    try:
        for name, text in texts:
            made.append(module_of(name, text))
        yield made
    finally:
        for own in made:
            sys.modules.pop(own.__name__, None)
            linecache.cache.pop(own.__file__, None)


class Maker:
    """Writes a program: functions `f0` to `f3` in two modules, and a circle of tail calls."""

    def __init__(self, seed):
        self.random = Random(seed)
        self.lines = []
        self.index = self.loops = 0
        self.few = False
        """True where only the first record is available."""

    def texts(self):
        return ("fuzz_records", RECORDS), ("fuzz_low", self.module(range(2))), ("fuzz_high", self.module(range(2, 4)))

    def module(self, numbers):
        self.lines = ["from __future__ import annotations", "from fuzz_records import *"]
        if 0 not in numbers:
            self.lines += ["import fuzz_low", "from fuzz_low import f0", "TABLE = {'one': fuzz_low.f1, 'none': f0}"]
        for index in numbers:
            self.function(index)
        if 0 not in numbers:
            self.circle()
            self.root()
        return "\n".join(self.lines) + "\n"

    def function(self, index):
        self.index = index
        names = ["k", "x"]
        self.lines.append(f"def f{index}(g: Game, o: Other, plan: Plan, k: int, x: int) -> int:")
        self.block(1, names, 0)
        self.lines.append(f"    return {self.number(['k', 'x'], 2)}")
        self.few = True
        self.lines.append(f"def r{index}(g: Game, y: float, *, k: int = 2) -> float:")
        self.lines.append(f"    g.f = {self.real(['y'], 2)}")
        self.lines.append(f"    return {self.real(['y', 'k'], 2)}")
        self.few = False

    def circle(self):
        one, two = (self.leaf(["n", "x"]) for _ in range(2))
        self.lines += [
            "def there(g: Game, o: Other, plan: Plan, n: int, x: int) -> int:",
            "    if n <= 0:",
            f"        return {one}",
            f"    g.a = ({two}) % 1000",
            "    return back(g, o, plan, x % 1000, n - 1)",
            "def back(g: Game, o: Other, plan: Plan, x: int, n: int) -> int:",
            "    if plan.flag:",
            "        told(g, 7, n, x)",
            "    o.z += x % 5",
            "    if g.a & 1:",
            "        return there(g, o, plan, n, x + o.z)",
            "    return there(g, o, plan, n - 1, x)",
        ]

    def root(self):
        self.lines += [
            "def root(g: Game, o: Other, plan: Plan, k: int, x: int) -> int:",
            "    held = f3(g, o, plan, k, x)",
            "    g.f = r3(g, g.f / 3, k=k) + r2(g, y=1.5)",
            "    return (held + there(g, o, plan, x & 15, x)) % 1000003",
        ]

    def out(self, depth, text):
        self.lines.append("    " * depth + text)

    def pick(self, *choices):
        return self.random.choice(choices)

    def known(self, names):
        loops = [name for name in names if name.startswith("i")]
        return self.pick(str(self.random.randint(-3, 9)), "k", "k + 1", "plan.table[2]", *loops)

    def leaf(self, names):
        fields = ["g.a", "g.b", f"g.w[{self.random.randint(0, 2)}]"]
        fields += [] if self.few else ["o.z", f"o.y[{self.random.randint(0, 2)}]"]
        cells = [f"g.{row}[{self.random.randint(0, 7)}]" for row in ("c", "bytes", "small", "lent")]
        return self.pick(str(self.random.randint(-5, 20)), *names, *names, *fields, *cells)

    def number(self, names, depth):
        if depth <= 0:
            return self.leaf(names)
        a, b = self.number(names, depth - 1), self.number(names, depth - 1)
        number, pick = self.random.randint, self.pick
        forms = (
            (0.25, lambda: self.leaf(names)),
            (0.45, lambda: f"({a} {pick('+', '-', '&', '|', '^')} {b})"),
            (0.50, lambda: f"({a} * {b} % {number(2, 97)})"),
            (0.55, lambda: f"({a} {pick('//', '%')} {pick('3', '7', '-5', '8', f'(1 + ({b}) * ({b}) % 9)')})"),
            (0.58, lambda: f"({a} {pick('<< 2', '>> 1', f'>> ({b} & 7)')})"),
            (0.64, lambda: f"({a} if {self.test(names, depth - 1)} else {b})"),
            (0.68, lambda: f"({self.test(names, depth - 1)})"),
            (0.70, lambda: f"(({a}) {pick('and', 'or')} ({b}))"),
            (0.75, lambda: f"g.{pick('c', 'bytes', 'small', 'lent')}[{a} & 7]"),
            (0.79, lambda: f"{pick('max', 'min')}({a}, {b})"),
            (0.80, lambda: f"abs({a})"),
            (0.85, lambda: f"{pick('sum', 'max', 'min')}({self.any_number(names)} for j in range({number(1, 3)}))"),
            (0.88, lambda: f"plan.table[{a} & 7]"),
            (0.90, lambda: f"truncated({self.real(names, 1)})"),
            (0.92, lambda: f"popcount(({a}) & 255)"),
            (1.01, lambda: self.call(names, a, b)),
        )
        return self.chosen(forms)

    def call(self, names, a, b):
        if self.index == 0:
            return a
        other = self.random.randint(0, self.index - 1)
        module = "fuzz_low." if self.index > 1 and other < 2 else ""
        if module and other == 1 and self.random.random() < 0.3:
            return f"TABLE['one'](g, o, plan, {self.pick(self.known(names), a)}, {b})"
        if self.random.random() < 0.2:
            return f"{module}f{other}(g, o, plan, x={self.leaf(names)}, k={self.known(names)})"
        return f"{module}f{other}(g, o, plan, {self.pick(self.known(names), a)}, {b})"

    def real(self, names, depth):
        if depth <= 0:
            return self.real_leaf()
        a, b = self.real(names, depth - 1), self.real(names, depth - 1)
        forms = (
            (0.30, self.real_leaf),
            (0.50, lambda: f"({a} {self.pick('+', '-', '*')} {b})"),
            (0.60, lambda: f"({a} / (1.0 + abs({b})))"),
            (0.70, lambda: f"({self.leaf(names)} / 8)"),
            (0.80, lambda: f"({a} if {a} < {b} else {b})"),
            (0.90, lambda: f"square_root(abs({a}))"),
            (1.01, lambda: "y * 0.5" if self.few else "plan.halves[g.a & 7]"),
        )
        return self.chosen(forms)

    def real_leaf(self):
        known = "y" if self.few else "plan.halves[x & 7]"
        return self.pick("1.5", "-0.25", "g.f", f"g.reals[{self.random.randint(0, 7)}]", known)

    def chosen(self, forms):
        """Return one of several forms at random; each comes with its cumulative probability."""
        chance = self.random.random()
        return next(make for most, make in forms if chance < most)()

    def test(self, names, depth):
        number, pick = self.random.randint, self.pick
        forms = (
            (0.20, lambda: self.both_tests(names, depth)),
            (0.26, lambda: f"(not {self.test(names, depth - 1)})"),
            (0.32, lambda: f"{pick('any', 'all')}({self.gathered(names)} for j in range({number(0, 3)}))"),
            (0.42, lambda: f"({self.known(names)} {pick('<', '==', '>=')} {number(0, 5)})"),
            (0.46, lambda: f"({self.leaf(names)} {pick('in', 'not in')} (1, 4, k))"),
            (0.50, lambda: f"({number(-3, 3)} <= {self.leaf(names)} < {self.leaf(names)})"),
            (0.53, lambda: f"likely({self.number(names, depth)} > 1)"),
            (0.56, lambda: f"(g.f < {self.real(names, 1)})"),
            (1.01, lambda: self.comparison(names, depth)),
        )
        return self.chosen(forms)

    def gathered(self, names):
        return f"{self.any_number(names)} > {self.random.randint(0, 9)}"

    def any_number(self, names):
        return self.number([*names, "j"], 1)

    def both_tests(self, names, depth):
        if depth <= 0:
            return self.comparison(names, depth)
        return f"({self.test(names, depth - 1)} {self.pick('and', 'or')} {self.test(names, depth - 1)})"

    def comparison(self, names, depth):
        return (
            f"({self.number(names, depth)} {self.pick('<', '<=', '==', '!=', '>', '>=')} {self.number(names, depth)})"
        )

    def block(self, depth, names, level):
        self.out(depth, "pass")
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth, names, level)

    def statement(self, depth, names, level):
        forms = (
            (0.25, lambda: self.assign(depth, names)),
            (0.32, lambda: self.change(depth, names)),
            (0.35, lambda: self.exchange(depth, names)),
            (0.48, lambda: self.write(depth, names)),
            (0.66, lambda: self.branch(depth, names, level) if level < 3 else None),
            (0.74, lambda: self.unrolled(depth, names, level) if level < 2 else None),
            (0.80, lambda: self.dynamic_range(depth, names, level) if level < 2 else None),
            (0.84, lambda: self.repeated(depth, names, level) if level < 2 else None),
            (0.89, lambda: self.row(depth, names)),
            (
                0.93,
                lambda: self.out(depth, f"told(g, {self.known(names)}, {self.leaf(names)}, {self.number(names, 1)})"),
            ),
            (0.96, lambda: self.word(depth, names)),
            (1.01, lambda: self.called(depth, names)),
        )
        self.chosen(forms)

    def assign(self, depth, names):
        name = self.pick("v0", "v1", "v2")
        self.out(depth, f"{name} = {self.pick(self.number(names, 2), self.known(names))}")
        if name not in names:
            names.append(name)

    def change(self, depth, names):
        variables = [name for name in names if name.startswith("v")]
        if variables:
            self.out(depth, f"{self.pick(*variables)} {self.pick('+=', '-=', '^=')} {self.number(names, 2)} % 5000")

    def exchange(self, depth, names):
        variables = [name for name in names if name.startswith("v")]
        if len(variables) > 1:
            one, two = variables[:2]
            self.out(depth, f"{one}, {two} = {two}, {one} + {self.leaf(names)} % 100")

    def unrolled(self, depth, names, level):
        self.out(depth, f"for i{level} in {self.pick(f'range({self.random.randint(1, 3)})', 'plan.seats')}:")
        self.block(depth + 1, [*names, f"i{level}"], level + 1)

    def dynamic_range(self, depth, names, level):
        self.loops += 1
        self.out(depth, f"for c{self.loops} in dynamic_range({self.pick('2', 'x & 3', 'g.a & 1')}):")
        self.block(depth + 1, [*names, f"c{self.loops}"], level + 1)

    def repeated(self, depth, names, level):
        self.loops += 1
        left = f"left{self.loops}"
        self.out(depth, f"{left} = {self.pick('2', 'x & 3', 'g.b & 3')}")
        self.out(depth, f"while {left} > 0:")
        self.out(depth + 1, f"{left} -= 1")
        self.block(depth + 1, list(names), level + 1)

    def row(self, depth, names):
        self.out(depth, "q = row(2)")
        self.out(depth, f"q[0] = {self.number(names, 1)}")
        self.out(depth, f"q[1] = {self.number(names, 1)} + q[0]")
        self.out(depth, f"q[{self.pick('0', '1')}] += {self.number(names, 1)}")
        self.out(depth, "g.b = (q[1] + g.b - q[0]) % 1000")

    def word(self, depth, names):
        self.out(depth, f"g.word = wrap((g.word ^ shr(g.word, 7)) * 0x9E3779B97F4A7C15 + ({self.leaf(names)}))")
        self.out(depth, "g.a = high_half(g.word, 1000)")

    def tell(self, depth, names):
        self.out(depth, f"told(g, {self.known(names)}, {self.leaf(names)}, {self.number(names, 1)})")

    def called(self, depth, names):
        if self.index:
            self.out(depth, self.call(names, self.leaf(names), self.leaf(names)))

    def write(self, depth, names):
        places = ["g.a", "g.b", "g.w[1]", "g.w[2]", "o.z", "o.y[0]", f"g.c[{self.number(names, 1)} & 7]"]
        places += [f"g.lent[{self.number(names, 1)} & 7]", f"g.small[{self.leaf(names)} & 7]"]
        place = self.pick(*places)
        if self.random.random() < 0.1:
            self.out(depth, f"g.bytes[{self.leaf(names)} & 7] = ({self.number(names, 2)}) & 255")
        elif self.random.random() < 0.1:
            self.out(depth, f"g.reals[{self.leaf(names)} & 7] = truncated({self.real(names, 2)}) % 64 / 4")
        else:
            self.out(depth, f"{place} {self.pick('=', '+=', '^=')} ({self.number(names, 2)}) % 1000")

    def branch(self, depth, names, level):
        one, two = list(names), list(names)
        self.out(depth, f"if {self.test(names, 2)}:")
        self.block(depth + 1, one, level + 1)
        if self.random.random() < 0.25:
            self.out(depth + 1, f"return {self.number(one, 1)}")
        if self.random.random() < 0.5:
            self.out(depth, "else:")
            self.block(depth + 1, two, level + 1)
            names[:] = [name for name in one if name in two]


class Forms:
    """A specialised program in all its forms."""

    def __init__(self, texts, *, known=2, flag=False, level=1):
        records, low, high = texts
        self.layouts = [layout(records.Game, SIZES), layout(records.Other, SIZES)]
        self.plain = high.root
        self.plan = records.Plan(flag)
        self.known = known
        self.specialiser = Specialiser([records, low, high])
        self.residual = self.specialiser.function(high.root, [DYNAMIC, DYNAMIC, self.plan, known, DYNAMIC])
        program = self.specialiser.program
        self.whole, self.whole_source = to_python.whole(program, self.residual)
        entries = [
            to_llvm.Entry("slow", self.residual),
            to_llvm.Entry("fast", self.residual, to_llvm.Split.COPY_IN_OUT),
        ]

        def free(_residual):
            return Inline.FREE

        self.code = machine.load(to_llvm.emit(program, entries, self.layouts, inline=free), level=level)
        self.checked, self.merged = (
            machine.load(to_llvm.emit(program, entries[:1], self.layouts, inline=free, **how), level=level)
            for how in ({"checked": True}, {"longest": 0})
        )

    def source(self):
        return self.specialiser.program.source([self.residual])

    def fresh(self, x):
        """Return the records before a run."""
        game, other = (own.fresh() for own in self.layouts)
        game.a, game.b, game.word, game.f = 3, -2, 1 << 63, 0.5
        game.w, game.c, game.bytes = [1, 5, -7], [x, 2, 3, 4, 5, -6, 7, 8], [0, 1, 2, 255, 4, 5, 6, 7]
        game.small, game.reals = [-1, 5, 0, 7, 9, -3, 2, 1], [0.5, 1.0, -1.5, 2.0, 0.0, 3.25, 8.0, -0.5]
        game.lent, other.z, other.y = [4, 3, 2, 1, 0, -1, -2, -3], 6, [9, 8, 7]
        return game, other

    def python(self, function, x, known=()):
        game, other = self.fresh(x)
        return function(game, other, *known, x), (game, other)

    def machine(self, function, x):
        records = self.fresh(x)
        memories = [own.memory() for own in self.layouts]
        for memory, own in zip(memories, records, strict=True):
            write_into(memory, own)
        memories[0].bind_array("lent", array("q", records[0].lent))
        return function(*memories, x), memories

    def wrong(self):
        """Return the first form and argument that differ from the unspecialised program; None if all agree."""
        for x in ARGUMENTS:
            result, records = self.python(self.plain, x, (self.plan, self.known))
            own_result, own = self.python(self.whole, x)
            same = all(vars_of(one) == vars_of(two) for one, two in zip(records, own, strict=True))
            if own_result != result or not same:
                return "whole", x, (result, own_result), [vars_of(own) for own in (*records, *own)]
            for name, code in (
                ("slow", self.code),
                ("fast", self.code),
                ("checked", self.checked),
                ("merged", self.merged),
            ):
                own_result, memories = self.machine(code["fast" if name == "fast" else "slow"], x)
                differing = [differences(own, record) for own, record in zip(memories, records, strict=True)]
                failure = code.failure()
                if own_result != result or any(differing) or failure:
                    return name, x, (result, own_result), differing, failure
        return None


def vars_of(record):
    return {name: getattr(record, name) for name in type(record).fields}


@contextmanager
def written(text, **known):
    """Yield the forms of a program whose `root(g, o, plan, k, x)` is given as source."""
    head = "from __future__ import annotations\nfrom fuzz_records import *\n"
    with modules(("fuzz_records", RECORDS), ("fuzz_low", head), ("fuzz_high", head + text)) as texts:
        yield Forms(texts, **known)
