"""What the kernel, specialised, cannot play, and whether it can be compiled."""

from __future__ import annotations

from importlib.util import find_spec

LANES = 63
"""So many bits of a word can hold cards."""
MOST_WILD = 62
"""So many wild cards are bits of a word."""


class UnsupportedError(ValueError):
    """A game has something that does not fit into machine words, or needs too large a table: the message says what."""


def can_compile() -> bool:
    """Is a compiler there."""
    return find_spec("llvmlite") is not None
