"""The packed variables of a residual function: those that are ever assigned a packed number.

All packed numbers have one LLVM type, regardless of their number of words. A variable must have that type from the
start if it is ever assigned one.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from draftengine.jit.residual import all_statements

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.jit.llvm.memory import Pointers
    from draftengine.jit.llvm.module import Writer
    from draftengine.jit.residual import Residual

_WORD = 1 << 63


def packed_variables(module: Writer, residual: Residual, records: Mapping[str, Pointers]) -> frozenset[str]:
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
    def __init__(self, module: Writer, residual: Residual, records: Mapping[str, Pointers]) -> None:
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
                result = self._is_cell(node)
            case ast.Call(func=ast.Name(id=name)):
                residual = self.module.functions.get(name)
                result = name == "as_packed" if residual is None else residual.text.gives_packed
            case ast.BinOp(left=left, op=ast.BitAnd(), right=right):  # a mask of one word gives one word
                result = all(self.is_packed(part) or _is_beyond(part) for part in (left, right))
            case ast.BinOp(left=left, op=ast.LShift() | ast.RShift()):
                result = self.is_packed(left)
            case ast.BinOp(left=one, right=two) | ast.IfExp(body=one, orelse=two):
                result = self.is_packed(one) or self.is_packed(two)
            case _:
                inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
                result = isinstance(node, ast.UnaryOp | ast.BoolOp) and any(map(self.is_packed, inner))
        return result

    def _is_cell(self, node: ast.Attribute | ast.Subscript) -> bool:
        of = node.value if isinstance(node, ast.Subscript) else node
        if isinstance(of, ast.Name):
            return self.module.tables[of.id][0] == "packed"
        assert isinstance(of, ast.Attribute)
        assert isinstance(of.value, ast.Name)
        return self.records[of.value.id].layout.positions[of.attr].words > 1


def _is_beyond(node: ast.expr) -> bool:
    """True if a node is a constant of more than 63 bits."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value >= _WORD
