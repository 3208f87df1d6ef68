"""How the functions of the machine are compiled.

Types are Numba's affair: for the type checker every number is anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np import arrayobj

Memory = Any
"""An array of 64-bit integers (`cells`: of bytes)."""
Number = Any
"""A whole number of 64 bits: signed, or unsigned for words, keys and places in them."""

int64: Any = types.int64
uint64: Any = types.uint64

_njit: Any = numba.njit
_make_array: Any = arrayobj.make_array
_pointer: Any = types.CPointer
_OPTIONS = {"cache": True, "error_model": "numpy", "nogil": True, "_nrt": False}
"""Without Numba's run time: nothing is allocated, so no references need to be counted at every call."""

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function at its first call, and keep the code on disk."""
    return cast("Function", _njit(function, **_OPTIONS))


def inlined(function: Function) -> Function:
    """The same for a function so small that it is copied into its callers."""
    return cast("Function", _njit(function, inline="always", **_OPTIONS))


@intrinsic
def _high_half(_context: Any, _left: Any, _right: Any) -> Any:
    """The high 64 bits of the product of two unsigned words."""

    def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(arguments[0], wide), builder.zext(arguments[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), build


@intrinsic
def _pointer_to(_context: Any, array: Any) -> Any:
    """Where the numbers of an array lie: one word, where an array is seven, and no index counts from the end."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _make_array(signature.args[0])(context, builder, arguments[0]).data

    return _pointer(array.dtype)(array), build


@intrinsic
def _in_words(_context: Any, pointer: Any) -> Any:
    """The same place in memory, eight bytes at a time."""

    def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64).as_pointer())

    return _pointer(types.int64)(pointer), build


high_half: Any = _high_half
in_words: Any = _in_words
pointer_to: Any = _pointer_to
