"""The error of a text that is not a formula."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.diagnostics.catalog import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping


class FormulaError(ValueError):
    """A text that is not a formula. The mistake is at ``text[start:end]``, empty at the end of the text.

    `say` is its text in the catalogue, which `values` complete; `hint` replaces the one of the catalogue.
    """

    def __init__(self, say: str, start: int, end: int, values: Mapping[str, object], hint: str = "") -> None:
        super().__init__(say, start, end, values, hint)
        text = text_of("formula-syntax", say, values)
        self.message, self.hint = text.message, hint or text.hint
        self.start, self.end = start, end

    def __str__(self) -> str:
        return self.message
