"""Instructions, blocks and checks of one function of LLVM, as text."""

from __future__ import annotations

import ast
import struct
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from draftengine.jit.source_functions import SpecialisationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.jit.llvm.shared import Shared
    from draftengine.jit.records import Kind
    from draftengine.jit.source_functions import Text


class Term(NamedTuple):
    """A computed value: a name or a constant, and its type."""

    text: str
    type: str
    exact: str = ""
    """The decimal text of a constant of more than 63 bits. `text` then has its lowest 64 bits."""


TYPES: Mapping[Kind, str] = {
    "u8": "i8", "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64", "f32": "float", "f64": "double",
}  # fmt: skip
LOWEST = -(1 << 63)
ZERO = Term("0", "i64")
_COMPARED: Mapping[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("eq", "oeq"),
    ast.NotEq: ("ne", "une"),
    ast.Lt: ("slt", "olt"),
    ast.LtE: ("sle", "ole"),
    ast.Gt: ("sgt", "ogt"),
    ast.GtE: ("sge", "oge"),
}
_EXACT = 1 << 53
"""The bound up to which every integer has an exact floating-point value."""
_LIKELY = ", !prof !0"
INVARIANT = ", !invariant.load !1"
METADATA = '!0 = !{!"branch_weights", i32 20, i32 1}\n!1 = !{}\n'


class Instructions:
    """Writes the instructions of one function."""

    def __init__(self, module: Shared, text: Text, result: str) -> None:
        self.module = module
        self.checked = module.checked
        self.text = text
        """The function whose statements are being written."""
        self.node: ast.AST = text.tree
        """The statement that is being written."""
        self.result = result
        self.slots: list[str] = []
        self.lines: list[str] = []
        self.label = ".start"
        self.open = True
        """True while the block has not ended in a jump or a return."""
        self._count = 0

    def refuse(self, reason: str) -> NoReturn:
        raise SpecialisationError(reason, self.text.place(self.node), ast.unparse(self.node).partition("\n")[0])

    # ── instructions ──

    def add(self, instruction: str, type_: str) -> Term:
        """Write an instruction with a result, and return the result."""
        self._count += 1
        self.lines.append(f"  %.t{self._count} = {instruction}")
        return Term(f"%.t{self._count}", type_)

    def do(self, instruction: str) -> None:
        """Write an instruction without a result."""
        self.lines.append(f"  {instruction}")

    def op(self, name: str, one: Term, two: Term) -> Term:
        """Write an operator between two terms of one type."""
        return self.add(f"{name} {one.type} {one.text}, {two.text}", one.type)

    def negated(self, truth: Term) -> Term:
        return self.op("xor", truth, Term("true", "i1"))

    def compare(self, op: ast.cmpop, one: Term, two: Term) -> Term:
        whole, floating = _COMPARED[type(op)]
        if "double" in {one.type, two.type}:
            one, two = self.floating(one), self.floating(two)
            return self.add(f"fcmp {floating} double {one.text}, {two.text}", "i1")
        one, two = self.equally_wide(one, two)
        return self.add(f"icmp {whole} {one.type} {one.text}, {two.text}", "i1")

    def below(self, one: Term, bound: str) -> Term:
        """Write a test of whether a number is at least 0 and below a bound, and return its result."""
        return self.add(f"icmp ult i64 {one.text}, {bound}", "i1")

    def select(self, test: Term, one: Term, two: Term) -> Term:
        return self.add(f"select i1 {test.text}, {one.type} {one.text}, {two.type} {two.text}", one.type)

    def intrinsic(self, name: str, result: str, *arguments: Term) -> Term:
        """Write a call of an intrinsic function of LLVM."""
        self.module.declared.add(f"declare {result} @llvm.{name}({', '.join(argument.type for argument in arguments)})")
        given = ", ".join(f"{argument.type} {argument.text}" for argument in arguments)
        return self.add(f"call {result} @llvm.{name}({given})", result)

    def slot(self, type_: str) -> Term:
        """Return a new stack slot."""
        self._count += 1
        self.slots.append(f"  %.v{self._count} = alloca {type_}")
        return Term(f"%.v{self._count}", type_)

    def read(self, slot: Term) -> Term:
        return self.add(f"load {slot.type}, ptr {slot.text}", slot.type)

    def write(self, slot: Term, value: Term) -> None:
        value = self.converted(value, slot.type)
        self.do(f"store {slot.type} {value.text}, ptr {slot.text}")

    # ── integers and floating-point numbers ──

    def number(self, value: Term) -> Term:
        """Return a truth value as a number."""
        return self.add(f"zext i1 {value.text} to i64", "i64") if value.type == "i1" else value

    def whole(self, value: Term) -> Term:
        """Return an integer of one word unchanged. Raise `SpecialisationError` for any other number."""
        if value.type == "double":
            self.refuse("a floating-point number where a whole one is wanted")
        if value.type != "i64":
            self.refuse("a packed number where one word is wanted")
        return value

    def wide(self, value: Term) -> Term:
        """Return an integer as a packed number."""
        if value.type == self.module.packed:
            return value
        value = self.whole(value)
        if value.text.lstrip("-").isdigit():
            return Term(value.exact or value.text, self.module.packed)
        return self.add(f"sext i64 {value.text} to {self.module.packed}", self.module.packed)

    def equally_wide(self, one: Term, two: Term) -> tuple[Term, Term]:
        """Return two integers converted to one type."""
        return (one, two) if one.type == two.type else (self.wide(one), self.wide(two))

    def floating(self, value: Term) -> Term:
        """Return a number as a floating-point number."""
        if value.type == "double":
            return value
        if value.text.lstrip("-").isdigit():
            return Term(float_text(float(value.text)), "double")
        if self.checked:
            shifted = self.op("add", value, Term(str(_EXACT), "i64"))
            self.check(self.below(shifted, str(2 * _EXACT + 1)), "too large for a floating-point number")
        return self.add(f"sitofp i64 {value.text} to double", "double")

    def converted(self, value: Term, type_: str) -> Term:
        if type_ == "double":
            return self.floating(value)
        return self.whole(value) if type_ == "i64" else self.wide(value)

    # ── blocks ──

    def new_label(self) -> str:
        self._count += 1
        return f".b{self._count}"

    def at(self, label: str) -> None:
        """Begin a new block."""
        self.lines.append(f"{label}:")
        self.label, self.open = label, True

    def end(self, instruction: str) -> None:
        """Write the last instruction of a block."""
        self.do(instruction)
        self.open = False

    def go_to(self, label: str) -> None:
        self.end(f"br label %{label}")

    def fork(self, test: Term, yes: str, no: str, *, likely: bool = False) -> None:
        self.end(f"br i1 {test.text}, label %{yes}, label %{no}{_LIKELY if likely else ''}")

    def leave(self) -> None:
        """Write a return without a value."""
        self.end(f"ret {self.result} {'0.0' if self.result == 'double' else '0'}")

    # ── the checked mode ──

    def check(self, fine: Term, reason: str) -> None:
        """Write a check, in the checked mode only. The first check that fails is recorded."""
        site = self.module.site(self.text.place(self.node), reason)
        bad, behind = self.new_label(), self.new_label()
        self.fork(fine, behind, bad, likely=True)
        self.at(bad)
        self.do(f"call void @note__failure(i64 {site})")
        self.go_to(behind)
        self.at(behind)

    def place_within(self, place: Term, count: str, of: str) -> Term:
        """Return an index. In the checked mode, an index out of bounds is a failure and becomes 0."""
        self.whole(place)
        if not self.checked:
            return place
        inside = self.below(place, count)
        self.check(inside, f"no place of {of}")
        return self.select(inside, place, ZERO)

    def unless_failed(self) -> None:
        """Leave the function before a loop or a jump back if something has failed, in the checked mode only."""
        if self.checked:
            failed = self.add("load i64, ptr @failed__", "i64")
            out, behind = self.new_label(), self.new_label()
            self.fork(self.compare(ast.Eq(), failed, ZERO), behind, out, likely=True)
            self.at(out)
            self.leave()
            self.at(behind)


def float_text(value: float) -> str:
    """Return the exact hexadecimal text of a floating-point number."""
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"
