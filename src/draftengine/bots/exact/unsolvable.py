"""The one way in which a position refuses to be solved."""

from __future__ import annotations


class NotSolvableError(ValueError):
    """The rest of the round is no finite game of two seats that know everything: the message says why."""
