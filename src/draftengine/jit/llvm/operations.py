"""Operators, primitives, and accesses to records and tables as instructions of LLVM.

All packed numbers have the same LLVM type, regardless of their number of words. A variable that ever holds a packed
number must have this type from the start (`packed_variables`).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from draftengine.jit.llvm.instructions import INVARIANT, LOWEST, ZERO, Instructions, Term, float_text
from draftengine.jit.records import PACKED, SIZES, WORD, Layout
from draftengine.jit.residual import all_statements

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.jit.records import Kind

    Stored = Kind | Literal["packed"]
    "Kind of a number in memory."
    from draftengine.jit.llvm.shared import Shared
    from draftengine.jit.residual import Residual

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
    """Writes operators, and primitives that compute, as instructions."""

    def binary(self, op: ast.operator, one: Term, two: Term, *, wraps: bool = False) -> Term:
        """Write a binary operator. With `wraps`, only the lowest 64 bits of the result matter."""
        if isinstance(op, ast.Div) or "double" in {one.type, two.type}:
            if type(op) not in _FLOATING:
                self.refuse("no operator for floating-point numbers")
            one, two = self.floating(one), self.floating(two)
            if self.checked and isinstance(op, ast.Div):
                self.check(self.compare(ast.NotEq(), two, ZERO), "a division by 0")
            return self.op(_FLOATING[type(op)], one, two)
        if isinstance(op, ast.FloorDiv | ast.Mod):
            return self._divided(op, one, two)
        if isinstance(op, ast.LShift | ast.RShift):
            count = self._shift_count(two, one.type)
            shifted = self.op("shl" if isinstance(op, ast.LShift) else "ashr", one, count)
            if self.checked and not wraps and isinstance(op, ast.LShift):
                self.check(self.compare(ast.Eq(), self.op("ashr", shifted, count), one), _TOO_LARGE)
            return shifted
        if one.type != two.type:
            if isinstance(op, ast.BitAnd) and not one.exact and not two.exact:
                # A nonnegative mask selects bits of the lowest word of a packed number.
                packed, mask = (two, one) if one.type == "i64" else (one, two)
                if self.checked:
                    self.check(self.compare(ast.GtE(), mask, ZERO), "a mask below 0")
                return self.op("and", self.add(f"trunc {packed.type} {packed.text} to i64", "i64"), mask)
            one, two = self.equally_wide(one, two)
        if self.checked and not wraps and type(op) in _OVERFLOWING:
            both = self.intrinsic(
                f"{_OVERFLOWING[type(op)]}.with.overflow.{one.type}", f"{{ {one.type}, i1 }}", one, two
            )
            over = self.add(f"extractvalue {both.type} {both.text}, 1", "i1")
            self.check(self.negated(over), _TOO_LARGE)
            return self.add(f"extractvalue {both.type} {both.text}, 0", one.type)
        return self.op(_PLAIN[type(op)], one, two)

    def unary(self, op: ast.unaryop, value: Term, *, wraps: bool) -> Term:
        """Write a unary operator except `not`."""
        if isinstance(op, ast.UAdd):
            return value
        if isinstance(op, ast.Invert):
            return self.op("xor", value if value.type != "double" else self.whole(value), Term("-1", value.type))
        if value.type == "double":
            return self.add(f"fneg double {value.text}", "double")
        return self.binary(ast.Sub(), ZERO, value, wraps=wraps)

    def _divided(self, op: ast.FloorDiv | ast.Mod, one: Term, two: Term) -> Term:
        """Write `//` and `%` as in Python: rounded down, and the remainder has the sign of the divisor."""
        one, two = self.whole(one), self.whole(two)
        divisor = int(two.text) if two.text.isdigit() else 0
        if divisor and divisor & (divisor - 1) == 0:
            if isinstance(op, ast.Mod):
                return self.op("and", one, Term(str(divisor - 1), "i64"))
            return self.op("ashr", one, Term(str(divisor.bit_length() - 1), "i64"))
        if self.checked and not divisor:
            some = self.compare(ast.NotEq(), two, ZERO)
            self.check(some, "a division by 0")
            lowest = self.compare(ast.Eq(), one, Term(str(LOWEST), "i64"))
            over = self.op("and", lowest, self.compare(ast.Eq(), two, Term("-1", "i64")))
            self.check(self.negated(over), _TOO_LARGE)
            two = self.select(self.op("and", some, self.negated(over)), two, Term("1", "i64"))
        rest = self.op("srem", one, two)
        signs_differ = self.compare(ast.Lt(), self.op("xor", rest, two), ZERO)
        off = self.op("and", self.compare(ast.NotEq(), rest, ZERO), signs_differ)
        if isinstance(op, ast.Mod):
            return self.op("add", rest, self.select(off, two, ZERO))
        return self.op("sub", self.op("sdiv", one, two), self.number(off))

    def _shift_count(self, count: Term, type_: str = "i64") -> Term:
        if self.checked and not count.text.isdigit():
            bits = int(type_.removeprefix("i"))
            fine = self.below(count, str(bits))
            self.check(fine, f"a shift by other than 0 to {bits - 1} bits")
            count = self.select(fine, count, ZERO)
        return count if type_ == "i64" else self.wide(count)

    # ── primitives ──

    def primitive(self, name: str, arguments: list[Term]) -> Term:  # noqa: PLR0911 (one for each primitive)
        """Write a primitive of numbers."""
        first = arguments[0]
        match name:
            case "max":
                return self._extreme("smax", ast.Gt(), *arguments)
            case "min":
                return self._extreme("smin", ast.Lt(), *arguments)
            case "likely":
                return first
            case "as_packed":
                return self.wide(first)
            case "truncated":
                number = self.floating(first)
                if self.checked:
                    size = self.intrinsic("fabs.f64", "double", number)
                    fits = self.compare(ast.Lt(), size, Term(float_text(float(1 << 63)), "double"))
                    self.check(fits, _TOO_LARGE)
                    number = self.select(fits, number, self.floating(ZERO))
                return self.add(f"fptosi double {number.text} to i64", "i64")
            case "abs" if first.type == "double":
                return self.intrinsic("fabs.f64", "double", first)
            case "abs":
                if self.checked:
                    self.check(self.compare(ast.NotEq(), first, Term(str(LOWEST), "i64")), _TOO_LARGE)
                return self.intrinsic("abs.i64", "i64", first, _FALSE)
            case "square_root":
                first = self.floating(first)
                if self.checked:
                    self.check(self.compare(ast.GtE(), first, ZERO), "the root of less than 0")
                return self.intrinsic("sqrt.f64", "double", first)
        return self._of_words(name, *map(self.whole, arguments))

    def _of_words(self, name: str, word: Term, *others: Term) -> Term:
        match name:
            case "shr":
                return self.op("lshr", word, self._shift_count(others[0]))
            case "high_half":
                one, two = (self.add(f"zext i64 {each.text} to i128", "i128") for each in (word, *others))
                upper = self.op("lshr", self.op("mul nuw", one, two), Term("64", "i128"))
                return self.add(f"trunc i128 {upper.text} to i64", "i64")
            case "trailing":
                if self.checked:
                    self.check(self.compare(ast.NotEq(), word, ZERO), "the lowest one of 0")
                return self.intrinsic("cttz.i64", "i64", word, _FALSE)
        assert name == "popcount", name
        return self.intrinsic("ctpop.i64", "i64", word)

    def _extreme(self, which: str, order: ast.cmpop, term: Term, *more: Term) -> Term:
        """Return the smallest or largest of several numbers; among equal numbers the first, as in Python."""
        for candidate in more:
            if "double" in {term.type, candidate.type}:
                first, other = self.floating(term), self.floating(candidate)
                term = self.select(self.compare(order, other, first), other, first)
            else:
                term = self.intrinsic(f"{which}.i64", "i64", term, candidate)
        return term


class Cell(NamedTuple):
    """The pointer to a number in memory, and its kind."""

    pointer: str
    kind: Stored


class Pointers(NamedTuple):
    """A record, given by pointers to its two blocks, and its layout."""

    split: str
    cells: str
    layout: Layout[Any]


_NARROW: Mapping[Stored, str] = {"u8": "zext", "i8": "sext", "i16": "sext", "i32": "sext"}
"""The instruction that widens a short cell to a number, by kind of cell."""


class MemoryWriter(Arithmetic):
    """Writes instructions that access memory."""

    def split_cell(self, record: Pointers, name: str, place: int) -> Cell:
        """Return the memory cell of a single number, or of a row's entry at a static index (a split row)."""
        position = record.layout.positions[name]
        if place >= position.count:
            self.refuse(f"place {place} of {name}, which has {position.count}")
        kind: Stored = position.field.kind if position.words == 1 else PACKED
        return Cell(self._offset(record.split, position.offset + WORD * position.words * place), kind)

    def any_cell(self, record: Pointers, name: str, place: Term) -> Cell:
        """Return the cell at a dynamic index of a row. The row may be borrowed."""
        position = record.layout.positions[name]
        base = self._offset(record.cells, position.offset)
        count = str(position.count)
        if position.field.borrowed:
            if self.checked:
                count = self.add(f"load i64, ptr {self._offset(base, WORD)}, align 8{INVARIANT}", "i64").text
            base = self.add(f"load ptr, ptr {base}, align 8{INVARIANT}", "ptr").text
        return self._element(base, position.field.kind, self.place_within(place, count, name))

    def table_cell(self, name: str, place: Term) -> Cell:
        """Return the cell at an index of a table of static numbers."""
        kind, count = self.module.tables[name]
        return self._element(f"@{name}", kind, self.place_within(place, str(count), "a table"))

    def _offset(self, base: str, offset: int) -> str:
        return self.add(f"getelementptr inbounds i8, ptr {base}, i64 {offset}", "ptr").text if offset else base

    def _element(self, base: str, kind: Stored, place: Term) -> Cell:
        type_ = self.module.stored_as(kind)
        return Cell(self.add(f"getelementptr inbounds {type_}, ptr {base}, i64 {place.text}", "ptr").text, kind)

    def load(self, cell: Cell) -> Term:
        """Write a load of the number in a cell."""
        type_ = self.module.stored_as(cell.kind)
        term = self.add(f"load {type_}, ptr {cell.pointer}, align {alignment(cell.kind)}", type_)
        if cell.kind == "f32":
            return self.add(f"fpext float {term.text} to double", "double")
        return self._widened(term, cell.kind) if cell.kind in _NARROW else term

    def _widened(self, value: Term, kind: Stored) -> Term:
        return self.add(f"{_NARROW[kind]} {value.type} {value.text} to i64", "i64")

    def store(self, cell: Cell, value: Term) -> None:
        """Write a store of a number into a cell. A shorter cell gets the lowest bits."""
        type_ = self.module.stored_as(cell.kind)
        if cell.kind == "f32":
            if value.type == "i64":  # vectors of processors turn only numbers of 32 bits into floats
                value = self._narrowed(value, "i32", cell.kind)
            how = "sitofp" if value.type == "i32" else "fptrunc"
            value = self.add(f"{how} {value.type} {value.text} to float", "float")
        else:
            value = self.converted(value, type_ if type_ in {"double", self.module.packed} else "i64")
        if cell.kind in _NARROW:
            value = self._narrowed(value, type_, cell.kind)
        self.do(f"store {type_} {value.text}, ptr {cell.pointer}, align {alignment(cell.kind)}")

    def _narrowed(self, value: Term, type_: str, kind: Stored) -> Term:
        """Write a number of 64 bits as a shorter one, for a cell of this kind."""
        narrow = self.add(f"trunc i64 {value.text} to {type_}", type_)
        if self.checked:
            widened = self._widened(narrow, "i32" if kind == "f32" else kind)
            self.check(self.compare(ast.Eq(), widened, value), f"too large for {kind}")
        return narrow


def alignment(kind: Stored) -> int:
    """Return the alignment of a number, in bytes."""
    return WORD if kind == PACKED else SIZES[kind]


_WORD = 1 << 63


def packed_variables(module: Shared, residual: Residual, records: Mapping[str, Pointers]) -> frozenset[str]:
    """Return the variables of a function that hold packed numbers, including parameters."""
    if module.packed == "i64":
        return frozenset()
    seeking = _Seeking(module, residual, records)
    while True:
        names = seeking.names | {name for name, value in seeking.given if seeking.is_packed(value)}
        if names == seeking.names:
            return frozenset(names)
        seeking.names = names


class _Seeking:
    def __init__(self, module: Shared, residual: Residual, records: Mapping[str, Pointers]) -> None:
        self.module, self.records = module, records
        self.names = {parameter for parameter in residual.parameters if parameter in residual.text.packed}
        self.given: list[tuple[str, ast.expr]] = []
        """Every assignment: the variable and its value."""
        for statement in all_statements(residual.body):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.given.append((name, value))
                case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                    self.given.append((name, ast.BinOp(ast.Name(name), op, value)))

    def is_packed(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant(value=int(value)):
                result = not -_WORD <= value < 2 * _WORD
            case ast.Name(id=name):
                result = name in self.names
            case ast.Attribute() | ast.Subscript():
                of = node.value if isinstance(node, ast.Subscript) else node
                if isinstance(of, ast.Name):
                    result = self.module.tables[of.id][0] == "packed"
                else:
                    assert isinstance(of, ast.Attribute)
                    assert isinstance(of.value, ast.Name)
                    result = self.records[of.value.id].layout.positions[of.attr].words > 1
            case ast.Call(func=ast.Name(id=name)):
                residual = self.module.functions.get(name)
                result = name == "as_packed" if residual is None else residual.text.gives_packed
            case ast.BinOp(left=left, op=ast.BitAnd(), right=right):  # a mask of one word makes the result one word
                result = all(
                    self.is_packed(part)
                    or (isinstance(part, ast.Constant) and isinstance(part.value, int) and part.value >= _WORD)
                    for part in (left, right)
                )
            case ast.BinOp(left=left, op=ast.LShift() | ast.RShift()):
                result = self.is_packed(left)
            case ast.BinOp(left=one, right=two) | ast.IfExp(body=one, orelse=two):
                result = self.is_packed(one) or self.is_packed(two)
            case _:
                inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
                result = isinstance(node, ast.UnaryOp | ast.BoolOp) and any(map(self.is_packed, inner))
        return result
