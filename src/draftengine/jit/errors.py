"""Errors in kernel source that the specialiser cannot handle."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """A place in kernel source."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}, in {self.function}"


class SpecialisationError(Exception):
    """Error: kernel source is not in the dialect.

    The message says what is wrong, where, and through which calls the specialiser came there, outermost first.
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


class CodeTooLarge(SpecialisationError):  # noqa: N818 (clear without a suffix)
    """Error: a residual program is too long to compile; perhaps a recursion does not end."""
