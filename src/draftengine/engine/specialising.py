"""Specialisation of kernel functions to a plan, for CPython or LLVM.

This module is slow to import, so it is imported only if the machine code is not in the cache.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

from draftengine.engine.plan.base import TOO_LARGE, UnsupportedError
from draftengine.jit.llvm import Split
from draftengine.jit.llvm.module import Entry, emit
from draftengine.jit.python_backend import TooNestedError, whole
from draftengine.jit.source_functions import CodeTooLarge, SpecialisationError
from draftengine.jit.specializer import DYNAMIC, Specialiser

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from draftengine.engine.plan import Plan
    from draftengine.jit.llvm import Inline, Source
    from draftengine.jit.records import Layout
    from draftengine.jit.residual import Program, Residual


class Shape(NamedTuple):
    """The facts on which a function's machine code depends besides the residual (specialised) program."""

    layouts: tuple[Layout[Any], ...]
    inline: Callable[[Residual], Inline]
    split: Split = Split.IN_MEMORY
    rows: frozenset[str] = frozenset()
    """The names of the records that are passed as arrays of records."""


def specialised(
    function: Callable[..., object], plan: Plan, records: int, numbers: int, text: Sequence[ModuleType]
) -> tuple[Program, Residual]:
    """Specialise a kernel function to a plan.

    Raises `UnsupportedError` if that is impossible or the result is too large. A warning names the cause.
    """
    specialiser = Specialiser(text)
    try:
        residual = specialiser.function(function, [*[DYNAMIC] * records, plan, *[DYNAMIC] * numbers])
    except SpecialisationError as error:
        large = isinstance(error, CodeTooLarge)
        reason = TOO_LARGE if large else f"{error.reason} ({error.place})"
        warnings.warn(f"{plan.program.model.id} plays without being compiled, which is slower: {reason}", stacklevel=4)
        raise UnsupportedError(reason) from error
    return specialiser.program, residual


def source_of(
    function: Callable[..., object], plan: Plan, records: int, numbers: int, text: Sequence[ModuleType], shape: Shape
) -> Source:
    """Return the LLVM module for a kernel function. Raises `UnsupportedError` as `specialised` does."""
    program, residual = specialised(function, plan, records, numbers, text)
    return emit(program, [Entry("run", residual, shape.split, shape.rows)], shape.layouts, inline=shape.inline)


def in_python(
    function: Callable[..., object], plan: Plan, records: int, numbers: int, text: Sequence[ModuleType]
) -> Callable[..., Any]:
    """Return a specialised kernel function for CPython.

    Raises `UnsupportedError` as `specialised` does, and if the function would be nested too deeply.
    """
    try:
        return whole(*specialised(function, plan, records, numbers, text))[0]
    except TooNestedError as error:
        raise UnsupportedError(str(error)) from error
