"""Python's arithmetic and the computing primitives as instructions of LLVM."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar

from draftengine.jit.llvm.instructions import LOWEST, ZERO, Instructions, Term, float_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PLAIN: Mapping[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
}
_OVERFLOWING: Mapping[type[ast.operator], str] = {ast.Add: "sadd", ast.Sub: "ssub", ast.Mult: "smul"}
_FLOATING: Mapping[type[ast.operator], str] = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_TOO_LARGE = "a number of more than 64 bits"
_FALSE = Term("false", "i1")


class Arithmetic(Instructions):
    """Writer of operators and computing primitives as instructions."""

    def binary(self, op: ast.operator, one: Term, two: Term, *, wraps: bool = False) -> Term:
        """Write a binary operator; with `wraps`, only the lowest 64 bits of the result matter."""
        if isinstance(op, ast.Div) or "double" in {one.type, two.type}:
            return self._between_floats(op, one, two)
        if isinstance(op, ast.FloorDiv | ast.Mod):
            return self._divided(op, one, two)
        if isinstance(op, ast.LShift | ast.RShift):
            return self._shifted(op, one, two, wraps=wraps)
        if one.type != two.type:
            if isinstance(op, ast.BitAnd) and not one.exact and not two.exact:
                return self._cut(*((two, one) if one.type == "i64" else (one, two)))
            one, two = self.equally_wide(one, two)
        if self.checked and not wraps and type(op) in _OVERFLOWING:
            both = self.intrinsic(
                f"{_OVERFLOWING[type(op)]}.with.overflow.{one.type}", f"{{ {one.type}, i1 }}", one, two
            )
            over = self.add(f"extractvalue {both.type} {both.text}, 1", "i1")
            self.check(self.negated(over), _TOO_LARGE)
            return self.add(f"extractvalue {both.type} {both.text}, 0", one.type)
        return self.op(_PLAIN[type(op)], one, two)

    def _cut(self, packed: Term, mask: Term) -> Term:
        """Return the bits that a nonnegative mask selects from the lowest word of a packed number."""
        if self.checked:
            self.check(self.compare(ast.GtE(), mask, ZERO), "a mask below 0")
        return self.op("and", self.add(f"trunc {packed.type} {packed.text} to i64", "i64"), mask)

    def _between_floats(self, op: ast.operator, one: Term, two: Term) -> Term:
        if type(op) not in _FLOATING:
            self.refuse("no operator for floating-point numbers")
        one, two = self.floating(one), self.floating(two)
        if self.checked and isinstance(op, ast.Div):
            self.check(self.compare(ast.NotEq(), two, ZERO), "a division by 0")
        return self.op(_FLOATING[type(op)], one, two)

    def _divided(self, op: ast.FloorDiv | ast.Mod, one: Term, two: Term) -> Term:
        """Write `//` and `%` as in Python: rounded down, and the remainder has the sign of the divisor."""
        one, two = self.whole(one), self.whole(two)
        divisor = int(two.text) if two.text.isdigit() else 0
        if divisor and divisor & (divisor - 1) == 0:
            if isinstance(op, ast.Mod):
                return self.op("and", one, Term(str(divisor - 1), "i64"))
            return self.op("ashr", one, Term(str(divisor.bit_length() - 1), "i64"))
        if self.checked and not divisor:
            two = self._checked_divisor(one, two)
        rest = self.op("srem", one, two)
        signs_differ = self.compare(ast.Lt(), self.op("xor", rest, two), ZERO)
        off = self.op("and", self.compare(ast.NotEq(), rest, ZERO), signs_differ)
        if isinstance(op, ast.Mod):
            return self.op("add", rest, self.select(off, two, ZERO))
        return self.op("sub", self.op("sdiv", one, two), self.number(off))

    def _checked_divisor(self, one: Term, two: Term) -> Term:
        some = self.compare(ast.NotEq(), two, ZERO)
        self.check(some, "a division by 0")
        lowest = self.compare(ast.Eq(), one, Term(str(LOWEST), "i64"))
        over = self.op("and", lowest, self.compare(ast.Eq(), two, Term("-1", "i64")))
        self.check(self.negated(over), _TOO_LARGE)
        return self.select(self.op("and", some, self.negated(over)), two, Term("1", "i64"))

    def _shifted(self, op: ast.operator, one: Term, two: Term, *, wraps: bool) -> Term:
        count = self._shift_count(two, one.type)
        if isinstance(op, ast.RShift):
            return self.op("ashr", one, count)
        result = self.op("shl", one, count)
        if self.checked and not wraps:
            self.check(self.compare(ast.Eq(), self.op("ashr", result, count), one), _TOO_LARGE)
        return result

    def _shift_count(self, count: Term, type_: str = "i64") -> Term:
        if self.checked and not count.text.isdigit():
            bits = int(type_.removeprefix("i"))
            fine = self.below(count, str(bits))
            self.check(fine, f"a shift by other than 0 to {bits - 1} bits")
            count = self.select(fine, count, ZERO)
        return count if type_ == "i64" else self.wide(count)

    # ── primitives ──

    def primitive(self, name: str, arguments: list[Term]) -> Term:
        """Write a primitive of numbers."""
        return self._PRIMITIVES[name](self, *arguments)

    def _extreme(self, which: str, order: ast.cmpop, term: Term, *more: Term) -> Term:
        """Return the smallest or largest of numbers; of equal ones the first, as in Python."""
        for candidate in more:
            if "double" in {term.type, candidate.type}:
                first, other = self.floating(term), self.floating(candidate)
                term = self.select(self.compare(order, other, first), other, first)
            else:
                term = self.intrinsic(f"{which}.i64", "i64", term, candidate)
        return term

    def _max(self, *numbers: Term) -> Term:
        return self._extreme("smax", ast.Gt(), *numbers)

    def _min(self, *numbers: Term) -> Term:
        return self._extreme("smin", ast.Lt(), *numbers)

    def _abs(self, number: Term) -> Term:
        if number.type == "double":
            return self.intrinsic("fabs.f64", "double", number)
        if self.checked:
            self.check(self.compare(ast.NotEq(), number, Term(str(LOWEST), "i64")), _TOO_LARGE)
        return self.intrinsic("abs.i64", "i64", number, _FALSE)

    def _shr(self, word: Term, count: Term) -> Term:
        return self.op("lshr", self.whole(word), self._shift_count(self.whole(count)))

    def _high_half(self, *words: Term) -> Term:
        one, two = (self.add(f"zext i64 {self.whole(word).text} to i128", "i128") for word in words)
        upper = self.op("lshr", self.op("mul nuw", one, two), Term("64", "i128"))
        return self.add(f"trunc i128 {upper.text} to i64", "i64")

    def _trailing(self, word: Term) -> Term:
        if self.checked:
            self.check(self.compare(ast.NotEq(), self.whole(word), ZERO), "the lowest one of 0")
        return self.intrinsic("cttz.i64", "i64", self.whole(word), _FALSE)

    def _popcount(self, word: Term) -> Term:
        return self.intrinsic("ctpop.i64", "i64", self.whole(word))

    def _likely(self, truth: Term) -> Term:
        return truth

    def _as_packed(self, number: Term) -> Term:
        return self.wide(number)

    def _square_root(self, number: Term) -> Term:
        number = self.floating(number)
        if self.checked:
            self.check(self.compare(ast.GtE(), number, ZERO), "the root of less than 0")
        return self.intrinsic("sqrt.f64", "double", number)

    def _truncated(self, number: Term) -> Term:
        number = self.floating(number)
        if self.checked:
            size = self.intrinsic("fabs.f64", "double", number)
            fits = self.compare(ast.Lt(), size, Term(float_text(float(1 << 63)), "double"))
            self.check(fits, _TOO_LARGE)
            number = self.select(fits, number, self.floating(ZERO))
        return self.add(f"fptosi double {number.text} to i64", "i64")

    _PRIMITIVES: ClassVar[Mapping[str, Callable[..., Term]]] = {
        "max": _max,
        "min": _min,
        "abs": _abs,
        "shr": _shr,
        "high_half": _high_half,
        "trailing": _trailing,
        "popcount": _popcount,
        "likely": _likely,
        "as_packed": _as_packed,
        "square_root": _square_root,
        "truncated": _truncated,
    }
