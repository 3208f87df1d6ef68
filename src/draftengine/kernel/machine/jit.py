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

Memory = Any
"""An array of 64-bit integers (`cells`: of bytes)."""
Number = Any
"""A whole number of 64 bits: signed, or unsigned for words, keys and places in them."""

int64: Any = types.int64
uint64: Any = types.uint64

_njit: Any = numba.njit
_OPTIONS = {"cache": True, "error_model": "numpy", "nogil": True, "_nrt": False}
"""Without Numba's run time: nothing is allocated, so no references need to be counted at every call."""

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function at its first call, and keep the code on disk."""
    return cast("Function", _njit(function, **_OPTIONS))


@intrinsic
def _in_short(_context: Any) -> Any:
    def build(_context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        builder.function.attributes.add("optsize")
        return _context.get_dummy_value()

    return types.none(), build


in_short: Any = _in_short
"""Said in a function with many short loops, which are to stay as they are: copies of their bodies would cost more."""


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
def _lowest(_context: Any, _bits: Any) -> Any:
    """The number of the lowest bit of an unsigned word that is set; there must be one."""

    def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), build


@intrinsic
def _ones(_context: Any, _bits: Any) -> Any:
    """How many bits of an unsigned word are set."""

    def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), build


high_half: Any = _high_half
lowest: Any = _lowest
ones: Any = _ones
