"""Instructions, blocks and checks of one function of LLVM, as text."""

from __future__ import annotations

import ast
import struct
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from draftengine.jit.errors import SpecialisationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.jit.llvm.module import Writer
    from draftengine.jit.source_functions import Text
    from draftengine.jit.struct_type import Kind


class Term(NamedTuple):
    """Something computed: a name or a constant, and its type."""

    text: str
    type: str
    exact: str = ""
    """Of a constant beyond 63 bits the number itself, where `text` has its last 64 bits."""


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
"""Up to here every whole number is a floating-point number."""
_LIKELY = ", !prof !0"
INVARIANT = ", !invariant.load !1"
METADATA = '!0 = !{!"branch_weights", i32 20, i32 1}\n!1 = !{}\n'


class Instructions:
    """Writes instructions of one function."""

    def __init__(self, module: Writer, text: Text, result: str) -> None:
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
        """Whether the block goes on: it has not ended in a jump or a return."""
        self._count = 0

    def refuse(self, reason: str) -> NoReturn:
        raise SpecialisationError(reason, self.text.place(self.node), ast.unparse(self.node).partition("\n")[0])

    # ── instructions ──

    def add(self, instruction: str, type_: str) -> Term:
        """An instruction that computes something."""
        self._count += 1
        self.lines.append(f"  %.t{self._count} = {instruction}")
        return Term(f"%.t{self._count}", type_)

    def do(self, instruction: str) -> None:
        """An instruction that computes nothing."""
        self.lines.append(f"  {instruction}")

    def op(self, name: str, one: Term, two: Term) -> Term:
        """An operator between terms of one type."""
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
        """Whether a number is from 0 to below a bound."""
        return self.add(f"icmp ult i64 {one.text}, {bound}", "i1")

    def select(self, test: Term, one: Term, two: Term) -> Term:
        return self.add(f"select i1 {test.text}, {one.type} {one.text}, {two.type} {two.text}", one.type)

    def intrinsic(self, name: str, result: str, *arguments: Term) -> Term:
        """A function that LLVM has."""
        self.module.declared.add(f"declare {result} @llvm.{name}({', '.join(argument.type for argument in arguments)})")
        given = ", ".join(f"{argument.type} {argument.text}" for argument in arguments)
        return self.add(f"call {result} @llvm.{name}({given})", result)

    def slot(self, type_: str) -> Term:
        """A place on the stack."""
        self._count += 1
        self.slots.append(f"  %.v{self._count} = alloca {type_}")
        return Term(f"%.v{self._count}", type_)

    def read(self, slot: Term) -> Term:
        return self.add(f"load {slot.type}, ptr {slot.text}", slot.type)

    def write(self, slot: Term, value: Term) -> None:
        value = self.converted(value, slot.type)
        self.do(f"store {slot.type} {value.text}, ptr {slot.text}")

    # ── whole and floating-point numbers ──

    def number(self, value: Term) -> Term:
        """A truth as a number."""
        return self.add(f"zext i1 {value.text} to i64", "i64") if value.type == "i1" else value

    def whole(self, value: Term) -> Term:
        """A number that must be a whole one."""
        if value.type == "double":
            self.refuse("a floating-point number where a whole one is wanted")
        if value.type != "i64":
            self.refuse("a packed number where one word is wanted")
        return value

    def wide(self, value: Term) -> Term:
        """A whole number as a packed one."""
        if value.type == self.module.packed:
            return value
        value = self.whole(value)
        if value.text.lstrip("-").isdigit():
            return Term(value.exact or value.text, self.module.packed)
        return self.add(f"sext i64 {value.text} to {self.module.packed}", self.module.packed)

    def equally_wide(self, one: Term, two: Term) -> tuple[Term, Term]:
        """Two whole numbers of one type."""
        return (one, two) if one.type == two.type else (self.wide(one), self.wide(two))

    def floating(self, value: Term) -> Term:
        """A number as a floating-point number."""
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
        """Go on in a new block."""
        self.lines.append(f"{label}:")
        self.label, self.open = label, True

    def end(self, instruction: str) -> None:
        """The last instruction of a block."""
        self.do(instruction)
        self.open = False

    def go_to(self, label: str) -> None:
        self.end(f"br label %{label}")

    def fork(self, test: Term, yes: str, no: str, *, likely: bool = False) -> None:
        self.end(f"br i1 {test.text}, label %{yes}, label %{no}{_LIKELY if likely else ''}")

    def leave(self) -> None:
        """Return without a value."""
        self.end(f"ret {self.result} {'0.0' if self.result == 'double' else '0'}")

    # ── the checked mode ──

    def check(self, fine: Term, reason: str) -> None:
        """Note the first thing that goes wrong."""
        site = self.module.site(self.text.place(self.node), reason)
        bad, behind = self.new_label(), self.new_label()
        self.fork(fine, behind, bad, likely=True)
        self.at(bad)
        self.do(f"call void @note__failure(i64 {site})")
        self.go_to(behind)
        self.at(behind)

    def place_within(self, place: Term, count: str, of: str) -> Term:
        """A place that, in the checked mode, is inside."""
        self.whole(place)
        if not self.checked:
            return place
        inside = self.below(place, count)
        self.check(inside, f"no place of {of}")
        return self.select(inside, place, ZERO)

    def unless_failed(self) -> None:
        """In the checked mode, what comes back to where it was ends when something went wrong."""
        if self.checked:
            failed = self.add("load i64, ptr @failed__", "i64")
            out, behind = self.new_label(), self.new_label()
            self.fork(self.compare(ast.Eq(), failed, ZERO), behind, out, likely=True)
            self.at(out)
            self.leave()
            self.at(behind)


def float_text(value: float) -> str:
    """A floating-point number to the last bit."""
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"
