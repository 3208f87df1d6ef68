"""Errors in kernel source that cannot be treated."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """Where something stands in kernel source."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}, in {self.function}"


class SpecialisationError(Exception):
    """Kernel source leaves the dialect.

    It says what is wrong, where, and through which calls the specialiser came there (outermost first).
    """

    def __init__(self, reason: str, place: Place, excerpt: str = "", calls: tuple[Place, ...] = ()) -> None:
        self.reason = reason
        self.place = place
        self.excerpt = excerpt
        self.calls = calls
        super().__init__(str(self))

    def __str__(self) -> str:
        text = f"{self.place}: {self.reason}"
        if self.excerpt:
            text += f": {self.excerpt}"
        return "\n  ".join([text, *(f"called from {call}" for call in reversed(self.calls))])


class CodeTooLarge(SpecialisationError):  # noqa: N818 (says what is wrong by itself)
    """More is left of a function than anybody would wait for, or has memory for; perhaps a recursion does not end."""
