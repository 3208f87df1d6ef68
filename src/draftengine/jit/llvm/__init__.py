"""Residual functions as modules of LLVM: their texts, and the choices that shape them.

`module` writes the texts. It is slow to import, so it is not imported here. `machine` compiles and caches them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


FEW_COPIES = "#1"
"""The attributes of those functions of `Inline.ALWAYS` that are inlined in long modules, too."""


LONG_UNFOLDED = 20_000
"""The number of lines after inlining above which copies are merged, and most calls remain.

LLVM's time grows with the length of functions faster than with their number. For one game, some 47,000 lines took more
than ten minutes, and LLVM cannot be interrupted.
"""


class Inline(Enum):
    """The treatment of the calls of a function."""

    ALWAYS = "#0"
    """Inlined at each call, unless the module is not optimised or gets too long (see `machine.load`)."""
    NEVER = "noinline"
    FREE = ""
    """LLVM decides whether to inline."""
    COPY_IN_OUT = "copied"
    """Called, with copies of the split parts of its records (see `Split.COPY_IN_OUT`)."""


class Split(Enum):
    """The place of the split parts of records while an entry runs."""

    IN_MEMORY = "memory"
    """In the memory of the record, where every access reads or writes it."""
    COPY_IN_OUT = "copied"
    """Registers, as far as possible. They are filled before the call, and written back afterwards."""
    LOCAL = "own"
    """Registers that are neither filled before the call nor read afterwards.

    Every field must be written before it is read.
    """


@dataclass(frozen=True)
class Signature:
    """The types of the parameters and of the result of an entry."""

    parameters: tuple[str, ...]
    """For each parameter, the name of its record, or ``i64`` or ``double``."""
    result: str


@dataclass(frozen=True)
class Source:
    """A module of LLVM, and the signatures of its entries."""

    text: str
    entries: Mapping[str, Signature]
    checked: bool
    sites: tuple[str, ...]
    """Possible failures in the checked mode, as (place, reason)."""
    unfolded: int
    """The number of lines that the text has once LLVM has inlined all calls of `Inline.ALWAYS` functions."""
