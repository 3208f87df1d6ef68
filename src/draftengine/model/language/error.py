"""The error of a text that is not a formula."""

from __future__ import annotations


class FormulaError(ValueError):
    """A text that is not a formula. The mistake is at ``text[start:end]``, empty at the end of the text."""

    def __init__(self, message: str, hint: str, start: int, end: int) -> None:
        super().__init__(message, hint, start, end)
        self.message = message
        self.hint = hint
        self.start = start
        self.end = end

    def __str__(self) -> str:
        return self.message
