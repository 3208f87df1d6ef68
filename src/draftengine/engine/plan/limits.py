"""Limits of the specialised kernel, and whether a compiler is installed."""

from __future__ import annotations

from importlib.util import find_spec

LANES = 63
"""Number of bits in a word that can hold cards."""


class UnsupportedError(ValueError):
    """A game that does not fit into machine words, or needs too large a table; the message says why."""


def can_compile() -> bool:
    """True if the compiler (llvmlite) is installed."""
    return find_spec("llvmlite") is not None
