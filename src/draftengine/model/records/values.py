"""The values in records that are not just names or numbers: texts, formulas, amounts and zones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeGuard

from msgspec import Struct

from draftengine.support.source import Span

if TYPE_CHECKING:
    from draftengine.model.language.tree import Expr

Texts = tuple[tuple[str, str], ...]
"""A text in several languages, as pairs (BCP-47 tag, text). The tag is empty if there is no language."""


class Formula(Struct, frozen=True):
    """A formula: its text, its tree and its place. A plain number is a formula, too."""

    text: str
    expr: Expr
    span: Span

    def inside(self, start: int, end: int) -> Span:
        """Return the place of the part ``[start, end)`` of the text.

        If the file does not contain the text as it is, or the part has no place, return the place of the whole formula.
        """
        span = self.span
        for offset in (0, 1):  # plain, or in quotes
            first = span.start + offset
            length = span.end - span.start - 2 * offset
            if end and length == len(self.text) and span.source.text.startswith(self.text, first):
                return Span(span.source, first + start, max(first + start + 1, first + end))
        return span


class ByPlayerCount(Struct, frozen=True):
    """A number for each number of players, as pairs (players, formula). ``None`` means all other numbers."""

    cases: tuple[tuple[int | None, Formula], ...]
    span: Span


class Amount(Struct, frozen=True):
    """A counter, and a formula for the amount by which it changes, or for its new value."""

    counter: str
    formula: Formula
    span: Span


def is_whole(value: object) -> TypeGuard[int]:
    """True if the value is a whole number. ``True`` and ``False`` are no numbers."""
    return isinstance(value, int) and not isinstance(value, bool)


class LayoutPlace(Struct, frozen=True):
    """One place of a layout. Its name ``rRcC`` has the numbers of its row and its column."""

    id: str
    face_down: bool
    covered_by: tuple[str, ...]


class Zone(Struct, frozen=True):
    id: str
    per: Literal["seat", "table"]
    seen_by: Literal["nobody", "owner", "everyone"]
    layout: tuple[LayoutPlace, ...]
    label: Texts
    span: Span
    counts: bool = False
    """True if its cards add to the counters of their seat, as cards in a tableau do."""
