"""One residual function as LLVM text: statements become blocks, expressions become instructions.

Numbers are `i64` or `double`, truth values `i1`; a record is two pointers. Variables are on the stack, and LLVM moves
them to registers where it can. Functions whose last calls form a cycle become blocks of one function.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from draftengine.jit.llvm.instructions import LOWEST, ZERO, Term, float_text
from draftengine.jit.llvm.operations import Cell, MemoryWriter, Pointers, packed_variables
from draftengine.jit.records import signed
from draftengine.jit.residual import assigned_names, ended, is_truth
from draftengine.jit.source_functions import inside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.jit.llvm.shared import Shared
    from draftengine.jit.residual import Residual


@dataclass
class Scope:
    """A residual function whose statements become part of a function of LLVM."""

    residual: Residual
    label: str
    """The label of the function's first block."""
    records: dict[str, Pointers] = field(default_factory=dict)
    fixed: dict[str, Term] = field(default_factory=dict)
    """Parameters that are never assigned to."""
    variables: dict[str, Term] = field(default_factory=dict)
    """The stack slot of each variable."""
    packed: frozenset[str] = frozenset()
    """The variables that are packed numbers, which may have several words of 64 bits."""


_MODULAR = ast.Add | ast.Sub | ast.Mult | ast.BitAnd | ast.BitOr | ast.BitXor | ast.LShift
"""Operators for which the lowest 64 bits of the operands determine those of the result."""
_COSTLY = ast.Call | ast.Subscript | ast.FloorDiv | ast.Mod | ast.Div
"""Expressions that are evaluated only if they are needed."""


class FunctionWriter(MemoryWriter):
    """Writes one function of LLVM."""

    def __init__(self, module: Shared, residual: Residual) -> None:
        super().__init__(module, residual.text, module.result_of(residual))
        self.scope = Scope(residual, ".start")
        self._scopes: dict[str, Scope] = {}
        """The functions that the function written now contains as blocks, so that calls of them become jumps."""
        self._wanted: list[Scope] = []

    def function(self, attributes: str) -> str:
        """Return the whole function. `attributes` control its inlining."""
        root, residual = self.scope, self.scope.residual
        # Set up the parameters, and stack slots for those that are assigned to.
        parameters = self.module.parameters_of(residual)
        in_circle = residual.name in self.module.circle
        assigned = assigned_names(residual.body)
        for name in residual.parameters:
            if name in residual.text.records:
                root.records[name] = Pointers(f"%{name}_split", f"%{name}_cells", self.module.layout(residual, name))
            elif name in assigned or in_circle:
                root.variables[name] = self.slot(self.module.type_of(residual, name))
                self.write(root.variables[name], Term(f"%{name}", self.module.type_of(residual, name)))
            else:
                root.fixed[name] = Term(f"%{name}", self.module.type_of(residual, name))
        root.packed = packed_variables(self.module, residual, root.records)
        if in_circle:
            root.label = self.new_label()
            self._scopes[residual.name] = root
            self.go_to(root.label)
            self.at(root.label)
        while True:
            self.body(self.scope.residual.body)
            if self.open:
                self.leave()
            if not self._wanted:
                break
            scope = self._wanted.pop()
            self.scope = scope
            self.text = scope.residual.text
            self.at(scope.label)
        head = "\n".join([*self.slots, "  br label %.start", ".start:"])
        body = "\n".join(self.lines)
        name = f"{self.result} @{residual.name}({', '.join(parameters)})"
        return f"define internal {name} {attributes} {{\n{head}\n{body}\n}}\n"

    # ── statements ──

    def body(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if not self.open:
                return
            self.node = statement
            self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._put(name, self.plain(value))
            case ast.Assign(targets=[target], value=value):
                number = self.plain(value)
                self.store(self.cell(target), number)
            case ast.AugAssign():
                self._aug_assign(statement)
            case ast.If():
                self._if(statement)
            case ast.While(test=test, body=body):
                within, behind = self.new_label(), self.new_label()
                head = self._loop_head()
                self.branch(test, within, behind)
                self.at(within)
                self.body(body)
                if self.open:
                    self.go_to(head)
                self.at(behind)
            case ast.For():
                self._for(statement)
            case ast.Return(value=None):
                self.leave()
            case ast.Return(value=ast.expr() as value):
                if not (isinstance(value, ast.Call) and self._jump(value)):
                    result = self.converted(self.plain(value), self.result)
                    self.end(f"ret {result.type} {result.text}")
            case ast.Expr(value=value):
                self.value(value)
            case ast.Assert(test=test) if self.checked:
                self.check(self.truth(test), "what is asserted does not hold")

    def _jump(self, call: ast.Call) -> bool:
        """Write a last call in a cycle as a jump, if it passes the current records. Return True if it did."""
        name = _name_of(call.func)
        if name not in self.module.circle or self.scope.residual.name not in self.module.circle:
            return False
        residual = self.module.functions[name]
        given = dict(zip(residual.parameters, call.args, strict=True))
        records = {parameter: self.scope.records[_name_of(given.pop(parameter))] for parameter in residual.text.records}
        target = self._scopes.get(name)
        if self.module.result_of(residual) != self.result or (target and target.records != records):
            return False
        if target is None:
            variables = {parameter: self.slot(self.module.type_of(residual, parameter)) for parameter in given}
            packed = packed_variables(self.module, residual, records)
            target = self._scopes[name] = Scope(residual, self.new_label(), records, {}, variables, packed)
            self._wanted.append(target)
        values = {parameter: self.plain(node) for parameter, node in given.items()}
        for parameter, value in values.items():
            self.write(target.variables[parameter], value)
        self.unless_failed()
        self.go_to(target.label)
        return True

    def _put(self, name: str, value: Term) -> None:
        if name not in self.scope.variables:
            self.scope.variables[name] = self.slot(self.module.packed if name in self.scope.packed else value.type)
        self.write(self.scope.variables[name], value)

    def _aug_assign(self, statement: ast.AugAssign) -> None:
        """Write `+=` and similar statements. As in Python, the target is read before the value is computed."""
        if isinstance(statement.target, ast.Name):
            old = self.plain(statement.target)
            self._put(statement.target.id, self.binary(statement.op, old, self.plain(statement.value)))
        else:
            cell = self.cell(statement.target)
            old = self.load(cell)
            self.store(cell, self.binary(statement.op, old, self.plain(statement.value)))

    def _if(self, statement: ast.If) -> None:
        yes, no, behind = self.new_label(), self.new_label(), self.new_label()
        self.branch(statement.test, yes, no)
        for label, statements in ((yes, statement.body), (no, statement.orelse)):
            self.at(label)
            self.body(statements)
            if self.open:
                self.go_to(behind)
        if not (ended(statement.body) and ended(statement.orelse)):
            self.at(behind)

    def _for(self, statement: ast.For) -> None:
        """Write a loop over the numbers below a bound. Assigning to the target does not change the count."""
        assert isinstance(statement.iter, ast.Call)
        bound = self.whole(self.plain(statement.iter.args[0]))
        counter = self.slot("i64")
        self.write(counter, ZERO)
        within, behind = self.new_label(), self.new_label()
        head = self._loop_head()
        self.fork(self.compare(ast.Lt(), self.read(counter), bound), within, behind)
        self.at(within)
        self._put(_name_of(statement.target), self.read(counter))
        self.body(statement.body)
        if self.open:
            self.write(counter, self.op("add nsw", self.read(counter), Term("1", "i64")))
            self.go_to(head)
        self.at(behind)

    def _loop_head(self) -> str:
        head = self.new_label()
        self.go_to(head)
        self.at(head)
        self.unless_failed()
        return head

    # ── tests ──

    def branch(self, test: ast.expr, yes: str, no: str) -> None:
        """Write a conditional jump. Later parts of the test are evaluated only if they can decide it."""
        match test:
            case ast.BoolOp(op=op, values=[*first, last]):
                for part in first:
                    more = self.new_label()
                    self.branch(part, *((more, no) if isinstance(op, ast.And) else (yes, more)))
                    self.at(more)
                self.branch(last, yes, no)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.branch(operand, no, yes)
            case ast.Call(func=ast.Name(id="likely"), args=[inner]):
                self.fork(self.truth(inner), yes, no, likely=True)
            case _:
                self.fork(self.truth(test), yes, no)

    def truth(self, node: ast.expr) -> Term:
        """Return the truth value of an expression."""
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                one = self.plain(left)
                return self.compare(op, one, self.plain(right))
            case ast.BoolOp():
                yes, no = Term("true", "i1"), Term("false", "i1")
                if self._is_costly(node):
                    return self._merged(node, lambda: yes, lambda: no)
                result, *more = map(self.truth, node.values)
                for term in more:
                    result = (
                        self.select(result, term, no)
                        if isinstance(node.op, ast.And)
                        else self.select(result, yes, term)
                    )
                return result
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.negated(self.truth(operand))
            case ast.Call(func=ast.Name(id="likely"), args=[inner]):
                return self.truth(inner)
        return self.compare(ast.NotEq(), self.plain(node), ZERO)

    def _is_costly(self, *nodes: ast.expr) -> bool:
        return self.checked or any(isinstance(part, _COSTLY) for node in nodes for part in inside(node))

    def _merged(self, test: ast.expr, one: Callable[[], Term], two: Callable[[], Term]) -> Term:
        """Return one of two terms, depending on a test. The other one is not evaluated."""
        yes, no, behind = self.new_label(), self.new_label(), self.new_label()
        self.branch(test, yes, no)
        self.at(yes)
        first, first_end = one(), self.label
        self.go_to(behind)
        self.at(no)
        second, second_end = two(), self.label
        self.go_to(behind)
        self.at(behind)
        first, second = self._alike(first, second)
        ways = f"[ {first.text}, %{first_end} ], [ {second.text}, %{second_end} ]"
        return self.add(f"phi {first.type} {ways}", first.type)

    def _alike(self, one: Term, two: Term) -> tuple[Term, Term]:
        """Return two terms converted to one type. Among integers, only constants become floating-point."""
        if one.type != two.type and "double" not in {one.type, two.type}:
            return self.equally_wide(one, two)
        if one.type != two.type:
            constant = one if one.type == "i64" else two
            if not constant.text.lstrip("-").isdigit():
                self.refuse("a whole number or a floating-point one")
            return self.floating(one), self.floating(two)
        return one, two

    # ── expressions ──

    def plain(self, node: ast.expr, *, wraps: bool = False) -> Term:
        """Return the value of an expression as a number."""
        return self.number(self.value(node, wraps=wraps))

    def value(self, node: ast.expr, *, wraps: bool = False) -> Term:  # noqa: PLR0911 (one for each kind)
        """Return the value of an expression. With `wraps`, only its lowest 64 bits matter."""
        match node:
            case ast.Constant():
                return self._constant(node)
            case ast.Name(id=name):
                fixed = self.scope.fixed.get(name)
                return self.read(self.scope.variables[name]) if fixed is None else fixed
            case ast.Attribute() | ast.Subscript():
                return self.load(self.cell(node))
            case ast.Call():
                return self._call(node)
            case ast.BinOp(left=left, op=op, right=right):
                wraps = wraps and isinstance(op, _MODULAR)
                one = self.plain(left, wraps=wraps)
                two = self.plain(right, wraps=wraps and not isinstance(op, ast.LShift))
                return self.binary(op, one, two, wraps=wraps)
            case ast.UnaryOp(op=ast.USub() | ast.Invert() | ast.UAdd() as op, operand=operand):
                return self.unary(op, self.plain(operand, wraps=wraps), wraps=wraps)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                if self._is_costly(body, orelse):
                    return self._merged(test, lambda: self.plain(body), lambda: self.plain(orelse))
                decided = self.truth(test)
                return self.select(decided, *self._alike(self.plain(body), self.plain(orelse)))
            case ast.BoolOp() if not is_truth(node):
                return self._deciding(node)
        return self.truth(node)

    def _deciding(self, node: ast.BoolOp) -> Term:
        """Return the value of `and` or `or` of numbers: the first value that decides, or the last one."""
        slot, behind = self.slot("i64"), self.new_label()
        *first, last = node.values
        for part in first:
            value, more = self.plain(part), self.new_label()
            self.write(slot, value)
            true = self.compare(ast.NotEq(), value, ZERO)
            self.fork(true, *((more, behind) if isinstance(node.op, ast.And) else (behind, more)))
            self.at(more)
        self.write(slot, self.plain(last))
        self.go_to(behind)
        self.at(behind)
        return self.read(slot)

    def _constant(self, node: ast.Constant) -> Term:
        value = node.value
        if isinstance(value, float):
            return Term(float_text(value), "double")
        if not isinstance(value, int):
            self.refuse(f"not a number, {type(value).__name__} {value!r:.60}")
        if LOWEST <= value < 1 << 64:
            return Term(str(signed(value)), "i64", "" if value <= -LOWEST - 1 else str(value))
        if self.module.packed == "i64":
            self.refuse("a number of more than 64 bits")
        return Term(str(value), self.module.packed)

    def _call(self, node: ast.Call) -> Term:
        name, nodes = _name_of(node.func), node.args
        residual = self.module.functions.get(name)
        if residual is None:
            terms = [self.plain(node, wraps=name == "wrap") for node in nodes]
            return self.whole(terms[0]) if name == "wrap" else self.primitive(name, terms)
        arguments: list[str] = []
        for parameter, given in zip(residual.parameters, nodes, strict=True):
            if parameter in residual.text.records:
                pointers = self.scope.records[_name_of(given)]
                arguments += [f"ptr {pointers.split}", f"ptr {pointers.cells}"]
            else:
                value = self.converted(self.plain(given), self.module.type_of(residual, parameter))
                arguments.append(f"{value.type} {value.text}")
        result = self.module.result_of(residual)
        return self.add(f"call {result} @{self.module.called(residual)}({', '.join(arguments)})", result)

    def cell(self, node: ast.expr) -> Cell:
        """Return the memory cell of a field, of an index into a field, or of an index into a table."""
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            return self.table_cell(node.value.id, self.plain(node.slice))
        field = node.value if isinstance(node, ast.Subscript) else node
        assert isinstance(field, ast.Attribute)
        pointers, name = self.scope.records[_name_of(field.value)], field.attr
        if not isinstance(node, ast.Subscript):
            return self.split_cell(pointers, name, 0)
        if pointers.layout.positions[name].field.way == "split":
            assert isinstance(node.slice, ast.Constant)
            assert isinstance(node.slice.value, int)
            return self.split_cell(pointers, name, node.slice.value)
        return self.any_cell(pointers, name, self.plain(node.slice))


def _name_of(node: ast.expr) -> str:
    assert isinstance(node, ast.Name)
    return node.id
