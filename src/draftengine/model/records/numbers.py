"""Whole numbers without truth values, which Python counts among its integers."""

from __future__ import annotations

from typing import TypeGuard


def is_whole(value: object) -> TypeGuard[int]:
    """True if the value is a whole number, and not ``True`` or ``False``."""
    return isinstance(value, int) and not isinstance(value, bool)
