"""The memories of the machine, as the compiler knows them: no two overlap, and some never change.

A plain pointer may point anywhere, so after everything that is written all that was read has to be read again. Accesses
to a region carry LLVM's metadata for types (``tbaa``) and for what stays as it is (``invariant.load``).
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typing import templates
from numba.extending import intrinsic, lower_builtin, models, register_model
from numba.np import arrayobj

_make_array: Any = arrayobj.make_array
_pointer_type: Any = types.CPointer
_infer_global: Any = templates.infer_global
_template: Any = templates.AbstractTemplate
_signature: Any = templates.signature
_lower: Any = lower_builtin
_model: Any = register_model
_pointer_model: Any = models.PointerModel


class Region(_pointer_type):  # type: ignore[misc]  # Numba's types are not known
    """A pointer to cells of one size. `fixed`: nothing in it changes while the machine runs."""

    def __init__(self, label: str, cell: Any, *, fixed: bool) -> None:
        super().__init__(cell)
        self.name = f"{label}({cell})"
        self.label = label
        self.fixed = fixed

    @property
    def key(self) -> Any:
        """What makes two types the same."""
        return self.label, self.dtype, self.fixed


@_model(Region)
class _RegionModel(_pointer_model):  # type: ignore[misc]  # the same
    """A pointer, as any other."""


def _place(at: Any) -> Any:
    return types.intp if at.signed else types.uintp


@_infer_global(operator.getitem)
class _Read(_template):  # type: ignore[misc]  # the same
    def generic(self, arguments: Any, _named: Any) -> Any:
        region, at = arguments
        if isinstance(region, Region) and isinstance(at, types.Integer):
            return _signature(region.dtype, region, _place(at))
        return None


@_infer_global(operator.setitem)
class _Write(_template):  # type: ignore[misc]  # the same
    def generic(self, arguments: Any, _named: Any) -> Any:
        region, at, _ = arguments
        if isinstance(region, Region) and not region.fixed and isinstance(at, types.Integer):
            return _signature(types.none, region, _place(at), region.dtype)
        return None


def _read(_context: Any, builder: Any, kind: Any, arguments: Any) -> Any:
    memory, at = arguments
    cell = builder.load(builder.gep(memory, [at]))
    _mark(builder, kind.args[0], cell)
    if kind.args[0].fixed:
        cell.set_metadata("invariant.load", builder.module.add_metadata([]))
    return cell


def _write(_context: Any, builder: Any, kind: Any, arguments: Any) -> None:
    memory, at, value = arguments
    _mark(builder, kind.args[0], builder.store(value, builder.gep(memory, [at])))


def _mark(builder: Any, region: Region, access: Any) -> None:
    """Say which region is read or written, and that loops over seats are too short for vectors."""
    builder.function.attributes.add("noimplicitfloat")
    module, none = builder.module, ir.Constant(ir.IntType(64), 0)
    root = module.add_metadata([ir.MetaDataString(module, "draftengine")])
    own = module.add_metadata([ir.MetaDataString(module, region.label), root, none])
    access.set_metadata("tbaa", module.add_metadata([own, own, none]))


_lower(operator.getitem, Region, types.Integer)(_read)
_lower(operator.setitem, Region, types.Integer, types.Any)(_write)


def region(label: str, *, fixed: bool = False) -> Any:
    """A function that makes an array a region."""

    @intrinsic
    def within(_context: Any, array: Any) -> Any:
        def build(context: Any, builder: Any, kind: Any, arguments: Any) -> Any:
            return _make_array(kind.args[0])(context, builder, arguments[0]).data

        return Region(label, array.dtype, fixed=fixed)(array), build

    return within


@intrinsic
def _in_words(_context: Any, pointer: Any) -> Any:
    def build(_context: Any, builder: Any, _kind: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64).as_pointer())

    return Region(pointer.label, types.int64, fixed=pointer.fixed)(pointer), build


in_words: Any = _in_words
"""The same region, eight bytes at a time."""


@intrinsic
def _behind(_context: Any, pointer: Any, _cells: Any) -> Any:
    def build(_context: Any, builder: Any, _kind: Any, arguments: Any) -> Any:
        return builder.gep(arguments[0], [arguments[1]])

    return pointer(pointer, types.intp), build


behind: Any = _behind
"""The same region from a later cell on."""
in_rom: Any = region("rom", fixed=True)
in_ram: Any = region("ram")
in_cells: Any = region("cells")
in_tally: Any = region("tally")
in_shape: Any = region("shape", fixed=True)
