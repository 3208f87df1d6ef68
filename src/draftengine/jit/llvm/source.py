"""Modules of LLVM as texts, and the choices that shape them.

What writes them takes long to import.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Inline(Enum):
    """Treatment of the calls of a function."""

    ALWAYS = "#0"
    """Inlined at each call, unless nothing is optimised; `machine.load` says what the attribute means."""
    NEVER = "noinline"
    FREE = ""
    """Left to LLVM."""
    COPY_IN_OUT = "copied"
    """Called, with copies of the split parts of its records (`Split.COPY_IN_OUT`)."""


class Split(Enum):
    """Place of the split parts of records while an entry runs."""

    IN_MEMORY = "memory"
    """Their usual memory."""
    COPY_IN_OUT = "copied"
    """Registers as far as possible: read before, and written back afterwards."""
    LOCAL = "own"
    """Registers, neither filled before nor read afterwards. Every field must be written before it is read."""


@dataclass(frozen=True)
class Signature:
    """Types of the parameters and of the result of an entry."""

    parameters: tuple[str, ...]
    """Name of a record, ``i64`` or ``double``, for each parameter."""
    result: str


@dataclass(frozen=True)
class Source:
    """A module of LLVM, and the signatures of its entries."""

    text: str
    entries: Mapping[str, Signature]
    checked: bool
    sites: tuple[str, ...]
    """Possible failures in the checked mode: place and reason."""
    unfolded: int
    """Number of lines with all calls inlined that always are."""
