"""The error of positions that cannot be solved."""

from __future__ import annotations


class NotSolvableError(ValueError):
    """Error: the rest of the round is not a finite two-seat game of open cards; the message says why."""
