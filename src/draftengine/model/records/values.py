"""Values of a card set other than names and numbers: texts, formulas, changes of counters, and zones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeGuard

from msgspec import Struct

if TYPE_CHECKING:
    from draftengine.model.language.tree import Expr
    from draftengine.support.source import Span

Texts = tuple[tuple[str, str], ...]
"""A text by language, as pairs (BCP-47 tag, text). A plain string has the tag ``""``."""


class Formula(Struct, frozen=True):
    """A formula as written and as parsed. A plain number is a formula as well."""

    text: str
    expr: Expr
    span: Span


class ByPlayerCount(Struct, frozen=True):
    """A number for each number of players, as pairs (players, formula). The key ``None`` means all."""

    cases: tuple[tuple[int | None, Formula], ...]
    span: Span


class Amount(Struct, frozen=True):
    """A counter, and the formula by which it changes or which it becomes."""

    counter: str
    formula: Formula
    span: Span


def is_whole(value: object) -> TypeGuard[int]:
    """True if the value is a whole number, and not ``True`` or ``False``."""
    return isinstance(value, int) and not isinstance(value, bool)


class LayoutPlace(Struct, frozen=True):
    """One place of a layout: its name ``rRcC``, whether it starts face down, and the places that cover it."""

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
