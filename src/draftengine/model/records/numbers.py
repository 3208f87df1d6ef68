"""Whole numbers, of which Python counts its truth values as two."""

from __future__ import annotations

from typing import TypeGuard


def is_whole(value: object) -> TypeGuard[int]:
    """Is this a whole number; ``True`` and ``False`` are none."""
    return isinstance(value, int) and not isinstance(value, bool)
